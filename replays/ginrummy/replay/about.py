"""What is to be said of a match as a whole: what it is called, how it is timed, what it hides."""

from collections.abc import Mapping, Sequence

from ginrummy.replay.ink import clean
from ginrummy.replay.stepping import HandSpan
from ginrummy.replay.words import name_of
from ginrummy.rules.cards import Seat
from ginrummy.rules.events import MatchCreated, OriginKind, TimeControl
from ginrummy.rules.match import Match, Seats

__all__ = ["describe_clock", "describe_origin", "title_of", "titled", "why_hidden"]

_SEATS: tuple[Seat, Seat] = (0, 1)

_MARKS: Mapping[OriginKind, str] = {"fork": "Practice", "replay": "Played again"}
"""What stands ahead of the title of a match that branches off from another."""


def title_of(match: Match) -> str:
    """Return what a match is called, or who plays it where it has no name.

    One that goes on from another match is marked as such.
    """
    return titled(match.terms, match.seats)


def titled(terms: MatchCreated, seats: Seats) -> str:
    """Return the title of a match on these terms."""
    name = clean(terms.name) or " against ".join(name_of(seats, seat) for seat in _SEATS)
    return name if terms.origin is None else f"{_MARKS[terms.origin.kind]}: {name}"


def describe_origin(match: Match) -> str | None:
    """Return where a match branches off from another, and what that makes it; None for most."""
    origin = match.terms.origin
    if origin is None:
        return None
    if origin.kind == "replay":
        return (
            f"Hand {origin.hand} of {origin.match}, played again"
            f" by the ruling at event {origin.seq} there."
        )
    if origin.unseen == "same":
        cards = "every card lies where it lay"
    elif origin.unseen == "fresh":
        cards = "its deal is its own"
    else:
        who = (
            "not everybody had"
            if origin.seat is None
            else f"{name_of(match.seats, origin.seat)} had not"
        )
        cards = f"all cards that {who} seen there are dealt anew"
    return (
        f"A practice match: it goes on from event {origin.seq} of {origin.match}"
        f" (hand {origin.hand}), and {cards}. It counts in no record."
    )


def describe_clock(clock: TimeControl | None) -> str:
    """Return how much time the players have, in a few words."""
    parts = []
    if clock is not None and clock.bank_ms is not None:
        parts.append(f"{clock.bank_ms / 1000:g} s for the match")
    if clock is not None and clock.increment_ms:
        parts.append(f"{clock.increment_ms / 1000:g} s more with each decision")
    if clock is not None and clock.decision_ms is not None:
        parts.append(f"at most {clock.decision_ms / 1000:g} s for a decision")
    return ", ".join(parts) or "no clock"


def why_hidden(last: Match, hands: Sequence[HandSpan]) -> str | None:
    """Return why there are cards that even the log does not give away; None where all are out."""
    closed = [str(span.number) for span in hands if not span.is_open]
    if not closed:
        return None
    # Where none is out, their numbers say nothing.
    which = "" if len(closed) == len(hands) else f" in hand {', '.join(closed)}"
    when = {
        "match": "when the match is over",
        "hand": "when a hand is over",
        "director": "when a director lets them out",
    }[last.terms.reveal]
    return (
        f"The log does not say yet what was dealt{which}: its secrets come out {when}. "
        "Until then nobody but the players has seen the other cards, and they are shown as backs."
    )

"""What a hand history holds: the events of a match, and beside them what readers want to see.

The events are what is kept. The cards that were dealt and drawn, and the score so far, follow from
them and from the secrets among them; they are held so that a text that was changed by hand, in one
place and not in the other, does not pass.
"""

from collections.abc import Iterable, Sequence

import msgspec

from ginrummy.log.instants import Instant
from ginrummy.log.lines import GENESIS, write_line
from ginrummy.log.reveals import revealed_secrets
from ginrummy.replay.stepping import Position, ReplayError, positions
from ginrummy.rules.cards import BySeat, Card, cards_in
from ginrummy.rules.events import Event, HandDealt, HandScored, HandVoided, Knocked
from ginrummy.rules.hand import Offering
from ginrummy.rules.match import Dealing, Playing
from ginrummy.rules.view import drawn_card

__all__ = ["Entry", "History", "HistoryError", "Shown", "check", "recorded", "stored_lines"]

_UNKNOWN = "history"
"""Who causes the events of lines that are made from a history, which does not say."""


class HistoryError(Exception):
    """A text that is no hand history, or one that contradicts itself."""

    def __init__(self, what: str, number: int | None = None) -> None:
        super().__init__(what if number is None else f"line {number}: {what}")
        self.number = number
        """The line of the text, from 1; None where it is about the whole."""


class Shown(msgspec.Struct, frozen=True):
    """What follows from the events up to one of them, where it is known."""

    hands: BySeat[tuple[Card, ...]] | None = None
    """The hands as dealt, in the unshuffled deck's order."""
    card: Card | None = None
    """The card that was drawn from the stock, or that a knocker discarded face down."""
    points: BySeat[int] | None = None
    """The hand points after a hand's end."""


class Entry(msgspec.Struct, frozen=True):
    """One event of a history."""

    seq: int
    at: Instant | None
    """When it happened; None in a history without times."""
    event: Event
    shown: Shown = Shown()


class History(msgspec.Struct, frozen=True):
    """A match, event by event."""

    match: str
    """The match's id."""
    entries: tuple[Entry, ...]

    def without_times(self) -> "History":
        """Return the same history as a text without times keeps it."""
        return History(
            self.match, tuple(msgspec.structs.replace(one, at=None) for one in self.entries)
        )


def recorded(lines: Iterable[bytes]) -> History:
    """Return the history of a match's lines, with the cards that they give away by themselves.

    Raises ReplayError where they cannot be followed to their end.
    """
    kept = tuple(lines)
    stream, entries = "", []
    for position in positions(kept, revealed_secrets(kept)):
        line = position.line
        stream = line.stream
        entries.append(Entry(line.seq, line.at, line.event, _shown(position)))
    if not entries:
        raise ReplayError(0, "there is no line in it")
    return History(stream, tuple(entries))


def stored_lines(history: History) -> Sequence[bytes]:
    """Return lines of a log that hold a history's events, for whatever folds lines.

    They are not the lines that were stored: who caused an event, request ids, signatures and the
    hashes are in no history. Where it has no times, all is at the instant 0.
    """
    lines: list[bytes] = []
    prev = GENESIS
    for entry in history.entries:
        line = write_line(history.match, entry.seq, entry.at or 0, _UNKNOWN, "", entry.event, prev)
        lines.append(line.raw)
        prev = line.hash
    return lines


def check(history: History) -> None:
    """Check that a history can be followed, and that all it shows follows from its events.

    Raises HistoryError with the number of the first event where it is otherwise.
    """
    try:
        follows = recorded(stored_lines(history))
    except ReplayError as error:
        raise HistoryError(str(error)) from error
    for said, found in zip(history.entries, follows.entries, strict=True):
        if said.shown != found.shown:
            raise HistoryError(
                f"event {said.seq}: the cards or the score beside it do not follow from the events"
            )


def _shown(position: Position) -> Shown:
    event, match = position.line.event, position.match
    match event:
        case HandDealt() if isinstance(match, Playing) and isinstance(match.hand, Offering):
            layout = match.hand.layout
            if layout.dealt.deck is None:
                return Shown()
            first, second = layout.hands
            return Shown(hands=BySeat(cards_in(first), cards_in(second)))
        case Knocked() if isinstance(match, Playing):
            return Shown(card=next(iter(cards_in(match.hand.layout.face_down)), None))
        case HandScored() | HandVoided() if isinstance(match, Dealing):
            return Shown(points=match.score.points)
        case _:
            return Shown(card=drawn_card(match, event, "full"))

"""The full audit report as text, eighty columns wide, for a terminal or a file.

The checks come first and what they rest on, then how the match went at a glance, then every
decision: what was done, after what thought, and who could know what when it was made.
"""

from collections.abc import Iterator, Mapping
from textwrap import wrap

from ginrummy.audit.report import text as checks_text
from ginrummy.evidence.decisions import Decision
from ginrummy.evidence.figures import cards, clock, milliseconds, seconds
from ginrummy.evidence.full import FullReport
from ginrummy.evidence.hands import Deal, Hand
from ginrummy.evidence.knowing import Held, Knowing, Sight
from ginrummy.evidence.survey import HandRow, SeatSums
from ginrummy.replay.ink import WIDTH, clean, cut, spread, width
from ginrummy.replay.words import name_of
from ginrummy.rules.cards import BySeat, Card, Seat, other
from ginrummy.rules.view import Perspective

__all__ = ["EYES", "write_text"]

_SEATS: tuple[Seat, Seat] = (0, 1)

EYES: Mapping[Perspective, str] = {
    "full": "every card of the hands whose decks are known by now",
    0: "what seat 0 could see, and nothing else",
    1: "what seat 1 could see, and nothing else",
    "public": "what everybody could see, and nothing else",
}
"""What a report tells, by whose eyes it is for."""


def write_text(full: FullReport) -> Iterator[str]:
    """Yield a full report piece by piece, each with the line ends that are in it."""
    # A name or a type that somebody has chosen may not steer a terminal.
    for piece in _parts(full):
        yield clean(piece) + "\n"


def _parts(full: FullReport) -> Iterator[str]:
    yield from checks_text(full.report).splitlines()
    yield from _about_hand(full)
    yield from _heading("Why it follows")
    for ground in full.grounds:
        said = f"{ground.how} {ground.so}".strip()
        yield from _block(f"{ground.name:<11}", said)
    yield from _at_a_glance(full)
    if not full.with_decisions:
        return
    names = _names(full)
    yield from _heading("Every decision")
    yield from _wrapped(_LEGEND)
    yield ""
    yield from _wrapped(f"What is told: {EYES[full.reader]}.")
    for hand in full.hands():
        yield from _hand(hand, names)
    if full.survey.broken is not None:
        yield ""
        yield from _wrapped(f"No further decision is told: {full.survey.broken}.")


_LEGEND = (
    "Under each decision: the time that it took, of the time that there was for it, and the bank "
    "after it; the cards that the seat held (+ the one just drawn); what it knew of the other "
    "hand, and of how many cards it could not know where they were; and which of its own cards "
    "the opponent and any spectator knew, who could not know where so many lay."
)


def _names(full: FullReport) -> BySeat[str]:
    if full.match is None:
        return BySeat("seat 0", "seat 1")
    return BySeat(*(name_of(full.match.seats, seat) for seat in _SEATS))


# --- before the decisions -------------------------------------------------------------------------


def _about_hand(full: FullReport) -> Iterator[str]:
    row = full.survey.wanted
    if row is None:
        return
    yield from _heading(f"Hand {row.number}, events {row.first} to {row.last}")
    own = full.own_faults
    elsewhere = len(full.report.faults) - own
    if not own:
        yield from _wrapped("None of its events is at fault.")
    else:
        yield f"{own} of the faults above {'is' if own == 1 else 'are'} in it."
    if elsewhere:
        yield from _wrapped(
            f"{elsewhere} of the faults above {'is' if elsewhere == 1 else 'are'} in the rest of "
            "the log. The checks are of the whole log, since a hand stands on what was before it."
        )


def _at_a_glance(full: FullReport) -> Iterator[str]:
    told, names = full.survey, _names(full)
    yield from _heading("Who decided")
    yield f"{'':<20} {'own':>5} {'server':>7} {'in all':>11} {'longest':>16} {'least bank':>12}"
    for seat in _SEATS:
        yield _sums(names[seat], told.seats[seat])
    yield from _heading("What the server decided")
    if not told.by_server:
        yield "Nothing."
    for decision in told.by_server:
        yield from _block(f"{decision.seq:>6}  ", f"{decision.told}: {decision.why}")
    if told.by_server_left_out:
        yield f"and {told.by_server_left_out} more"
    if told.afterwards:
        yield from _heading("After the end")
    for decision in told.afterwards:
        yield from _block(f"{decision.seq:>6}  ", f"{decision.told}, by {decision.by}")
    yield from _heading("The hands")
    for row in told.hands:
        yield from _row(row)
    if told.hands_left_out:
        yield f"and {told.hands_left_out} more"
    if not told.hands:
        yield "None was dealt."


def _sums(name: str, sums: SeatSums) -> str:
    longest = f"{seconds(sums.longest_ms)} at {sums.longest_seq}" if sums.longest_seq else "-"
    least = "-" if sums.least_bank_ms is None else seconds(sums.least_bank_ms)
    spent = seconds(sums.thought_ms)
    return (
        f"{cut(name, 20):<20} {sums.decisions:>5} {sums.by_server:>7} {spent:>11} "
        f"{longest:>16} {least:>12}"
    )


def _row(row: HandRow) -> Iterator[str]:
    told = row.told or "not played to its end"
    decks = "" if row.is_open else "; its deck is not known here"
    yield from _block(f"{row.number:>6}  ", f"events {row.first} to {row.last}: {told}{decks}")


# --- a hand ---------------------------------------------------------------------------------------


def _hand(hand: Hand, names: BySeat[str]) -> Iterator[str]:
    if hand.deal is None and not hand.decisions:
        return
    title = "Before the first deal" if hand.deal is None else f"Hand {hand.number}"
    right = f"events {hand.first} to {hand.last}, from {clock(hand.begun)}"
    yield ""
    yield spread(title, f"{right}, {seconds(hand.milliseconds)}")
    if hand.deal is not None:
        yield from _deal(hand.deal, names)
    for decision in hand.decisions:
        yield ""
        yield from _decision(decision, names)
    if hand.result is not None:
        yield ""
        score = ", ".join(f"{names[seat]} {hand.points[seat]}" for seat in _SEATS)
        yield from _block(f"{hand.result.seq:>6}  ", f"{hand.result.told}. {score}.")


def _deal(deal: Deal, names: BySeat[str]) -> Iterator[str]:
    yield f"  {names[deal.dealer]} deals and turns up {deal.upcard}"
    if deal.secret is not None:
        yield f"  secret {deal.secret}"
    if deal.deck is not None:
        yield "  deck"
        yield f"  {cards(deal.deck[:26])}"
        yield f"  {cards(deal.deck[26:])}"
    for seat in _SEATS:
        yield from _block(f"  {names[seat]}: ", _held(deal.hands[seat]))


def _held(held: Held) -> str:
    if not held.cards:
        return f"{held.hidden} cards, not shown here"
    more = f" and {held.hidden} not shown here" if held.hidden else ""
    return cards(held.cards) + more


def _decision(decision: Decision, names: BySeat[str]) -> Iterator[str]:
    rule = f" ({decision.rule})" if decision.rule else ""
    first, at = f"{decision.seq:>6}  {decision.told}{rule}", clock(decision.at)
    # A long name may leave no room beside it.
    yield spread(first, at) if width(first) + len(at) < WIDTH else first
    if decision.made_by != "player":
        who = "the server" if decision.made_by == "server" else f"a director, {decision.by}"
        absent = " for an absent player" if decision.absent else ""
        why = f": {decision.why}" if decision.why else ""
        yield from _note("by", f"{who}{absent}{why}")
    yield from _note("time", _time(decision, names))
    if decision.knew is not None and decision.seat is not None:
        yield from _knowing(decision.knew, decision.seat, names)


def _time(decision: Decision, names: BySeat[str]) -> str:
    said = []
    if decision.thought_ms is not None and decision.allowed_ms is not None:
        taken, allowed = milliseconds(decision.thought_ms), milliseconds(decision.allowed_ms)
        said.append(f"{taken} of {allowed} ms")
    if decision.bank_ms is not None:
        banks = ", ".join(f"{names[seat]} {seconds(decision.bank_ms[seat])}" for seat in _SEATS)
        said.append(f"bank {banks}")
    return "; ".join(said) or "no time was running"


def _knowing(knew: Knowing, seat: Seat, names: BySeat[str]) -> Iterator[str]:
    own, sight, opponent = knew.seats[seat].hands[seat], knew.seats[seat], other(seat)
    yield from _note("held", _own(own, knew.drawn))
    yield from _note(
        "knew", f"of {names[opponent]} {_known(sight.hands[opponent])}; {_unseen(sight)}"
    )
    shown = cards(knew.spectator.hands[seat].cards)
    theirs = f"{names[opponent]} {knew.seats[opponent].unseen}"
    yield from _note("shown", f"{shown}; unseen by {theirs}, by others {knew.spectator.unseen}")


def _own(own: Held, drawn: Card | None) -> str:
    if not own.cards:
        return f"{own.hidden} cards, not shown here"
    held = " ".join(f"+{card}" if card is drawn else str(card) for card in own.cards)
    return f"{held} and {own.hidden} not shown here" if own.hidden else held


def _known(held: Held) -> str:
    return f"{cards(held.cards)}, {held.hidden} hidden"


def _unseen(sight: Sight) -> str:
    return f"{sight.unseen} unseen"


# --- lines ----------------------------------------------------------------------------------------


def _heading(title: str) -> Iterator[str]:
    yield ""
    yield title
    yield "-" * len(title)


def _note(name: str, text: str) -> Iterator[str]:
    yield from _block(f"        {name:<6}", text)


def _block(before: str, text: str) -> Iterator[str]:
    """Yield a text beside what stands before it, as many lines as it takes."""
    rest = " " * min(len(before), 14)
    yield from wrap(text, WIDTH, initial_indent=before, subsequent_indent=rest)


def _wrapped(text: str) -> Iterator[str]:
    yield from wrap(text, WIDTH)

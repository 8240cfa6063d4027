"""A match told from its beginning to its end, a line an event, for a file or a pipe."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from ginrummy.replay.about import describe_origin
from ginrummy.replay.ink import PLAIN, WIDTH, Ink, clean, cut, spread, width
from ginrummy.replay.laying import lying
from ginrummy.replay.notes import Note, note_lines
from ginrummy.replay.render import draw_cards
from ginrummy.replay.rulings import text_lines
from ginrummy.replay.stepping import Position
from ginrummy.replay.words import describe, describe_rules, name_of
from ginrummy.rules.cards import Seat
from ginrummy.rules.events import (
    Discarded,
    HandDealt,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    MatchCreated,
    MatchEnded,
)
from ginrummy.rules.match import Match
from ginrummy.rules.view import MatchView, Perspective, view

__all__ = ["tell"]

_SEATS: tuple[Seat, Seat] = (0, 1)


def tell(
    positions: Iterable[Position],
    perspective: Perspective,
    ink: Ink = PLAIN,
    notes: Sequence[Note] = (),
) -> Iterator[str]:
    """Yield the lines of a history, without line ends: every event, and the hands as they grow.

    `notes` stand under the events that they are on.
    """
    for position in positions:
        event = position.line.event
        if isinstance(event, MatchCreated):
            name = clean(event.name) or ("A practice match" if event.is_practice else "A match")
            yield ink.strong(cut(f"{name}: {describe_rules(event.rules)}", WIDTH))
            yield from wrap(describe_origin(position.match) or "", WIDTH)
            yield ""
        elif isinstance(event, HandDealt):
            yield from _deal(position, event, perspective, ink)
        else:
            yield from _event(position, perspective, ink)
            yield from text_lines(event, WIDTH)
        for note in notes:
            if note.seq == position.line.seq:
                yield from note_lines(note, WIDTH)


def _deal(
    position: Position, event: HandDealt, perspective: Perspective, ink: Ink
) -> Iterator[str]:
    seen = view(position.match, perspective)
    dealer, number = name_of(seen.seats, event.dealer), event.hand
    yield ""
    yield ink.strong(spread(f"Hand {number}", _standing(position.match)))
    yield _numbered(position, f"{dealer} deals and turns up {ink.card(event.upcard)}", "")
    for seat in _SEATS:
        yield from _hand(seen, seat, name_of(seen.seats, seat), ink)


def _event(position: Position, perspective: Perspective, ink: Ink) -> Iterator[str]:
    event = position.line.event
    text = describe(position, perspective, ink)
    match event:
        case Discarded(seat=seat):
            yield _numbered(position, text, _cards(view(position.match, perspective), seat, ink))
        case Knocked(seat=seat) | LaidOff(seat=seat):
            yield _numbered(position, text, "")
            yield from _hand(view(position.match, perspective), seat, "", ink)
        case HandScored() | HandVoided():
            yield _numbered(position, text, _standing(position.match))
        case MatchEnded():
            yield ""
            yield _numbered(position, ink.strong(text), "")
        case _:
            yield _numbered(position, text, "")


def _numbered(position: Position, text: str, right: str) -> str:
    left = f"{position.line.seq:>6}  {text}"
    if not right:
        return left
    # Long names may leave no room beside them.
    return spread(left, right) if width(left) + width(right) < WIDTH else left


def _hand(seen: MatchView, seat: Seat, name: str, ink: Ink) -> Iterator[str]:
    cards = _cards(seen, seat, ink)
    if cards:
        yield spread(f"        {name}", cards)


def _cards(seen: MatchView, seat: Seat, ink: Ink) -> str:
    """Return a seat's cards and what they count; nothing where there are cards that are hidden."""
    if seen.hand is None or seen.hand.hands[seat].hidden:
        return ""
    count = lying(seen.hand, seat, seen.terms.rules.run_max).count
    return f"{draw_cards(seen, seat, ink)}  {count:>3}"


def _standing(match: Match) -> str:
    seen = view(match, "public")
    names = (name_of(seen.seats, seat) for seat in _SEATS)
    return ", ".join(
        f"{name} {number}" for name, number in zip(names, seen.score.points, strict=True)
    )

"""A position drawn as text, eighty columns wide, for a terminal or a file.

Everything is drawn from a `MatchView`, so what the viewer may not know cannot be in the picture.
Melds stand in brackets, a card laid off has a plus, and a card that is not known is `??`.
"""

from collections.abc import Iterable, Iterator

from ginrummy.replay.about import titled
from ginrummy.replay.ink import BACK, PLAIN, WIDTH, Ink, cut, spread, width
from ginrummy.replay.laying import lying
from ginrummy.replay.rulings import text_lines
from ginrummy.replay.stepping import Position
from ginrummy.replay.words import (
    describe,
    describe_end,
    describe_result,
    describe_rules,
    name_of,
)
from ginrummy.rules.cards import BySeat, Card, Seat
from ginrummy.rules.events import MatchEnded
from ginrummy.rules.match import Clock
from ginrummy.rules.view import HandView, MatchView, Perspective, view

__all__ = [
    "about_seat",
    "account_of",
    "draw",
    "draw_cards",
    "draw_heading",
    "draw_view",
    "perspective_name",
    "standing_of",
    "time_left",
]

_SEATS: tuple[Seat, Seat] = (0, 1)
_PILE_LINE = 22
"""Cards of the discard pile on one line."""


def draw(position: Position, perspective: Perspective, *, last: int, ink: Ink = PLAIN) -> str:
    """Return a whole position: a heading, the table, and the event that led to it.

    `last` is the number of the log's last event.
    """
    seen = view(position.match, perspective)
    lines = (
        *draw_heading(seen, position.line.seq, last, ink),
        ink.rule,
        *draw_view(seen, ink),
        ink.rule,
        f"{position.line.seq:>5}  {describe(position, perspective, ink)}",
        *text_lines(position.line.event, WIDTH),
    )
    return "\n".join(lines) + "\n"


def draw_heading(seen: MatchView, seq: int, last: int, ink: Ink) -> Iterator[str]:
    """Yield two lines that say which match and event it is, and whose eyes see it."""
    where = f"event {seq} of {last}"
    if seen.hand is not None:
        where = f"hand {seen.hand.number}, {where}"
    title = cut(titled(seen.terms, seen.seats), WIDTH - len(where) - 2)
    yield spread(ink.strong(title), where)
    yield spread(describe_rules(seen.terms.rules), perspective_name(seen))


def draw_view(seen: MatchView, ink: Ink = PLAIN) -> list[str]:
    """Return the table as its viewer sees it: both seats, what lies between, and how it ended."""
    hand = seen.hand
    lines = ["", *_seat(seen, 0, ink), ""]
    lines += _middle(hand, ink) if hand is not None else ["  no hand is dealt yet", ""]
    lines += ["", *_seat(seen, 1, ink), ""]
    if hand is not None and hand.result is not None:
        lines += [f"  {ink.strong(describe_result(seen.seats, hand.result))}", ""]
    if seen.outcome is not None:
        lines += [*account_of(seen, seen.outcome, ink), ""]
    return lines


def perspective_name(seen: MatchView) -> str:
    """Return whose eyes a view is seen with."""
    match seen.perspective:
        case 0 | 1 as seat:
            return f"as {name_of(seen.seats, seat)} sees it"
        case "public":
            return "as everybody sees it"
        case "full":
            return "all cards" if _all_known(seen) else "all cards that are out"


def _all_known(seen: MatchView) -> bool:
    return seen.hand is None or not any(held.hidden for held in seen.hand.hands)


# --- a seat -------------------------------------------------------------------------------------


def _seat(seen: MatchView, seat: Seat, ink: Ink) -> Iterator[str]:
    right = standing_of(seen, seat)
    about = "" if seen.hand is None else about_seat(seen, seen.hand, seat, ink)
    name = name_of(seen.seats, seat)
    moves = seen.hand is not None and seen.hand.to_move == seat
    mark = ">" if moves else " "
    yield spread(f"{mark} {ink.strong(name)}{about}", right)
    if seen.hand is not None:
        count = lying(seen.hand, seat, seen.terms.rules.run_max).count
        deadwood = "" if count is None else f"deadwood {count}"
        yield spread(f"    {draw_cards(seen, seat, ink)}", deadwood)


def standing_of(seen: MatchView, seat: Seat, *, is_short: bool = False) -> str:
    """Return a seat's score, the hands that it has won unless short, and what time it has left."""
    if seen.seats[seat] is None:
        return "free"
    number = seen.score.points[seat]
    won = seen.score.hands_won[seat]
    parts = [f"{number} point{'' if number == 1 else 's'}"]
    if not is_short:
        parts.append(f"{won} hand{'' if won == 1 else 's'}")
    if seen.clock is not None and seen.clock.bank is not None:
        parts.append(time_left(seen.clock, seat))
    return ", ".join(parts)


def time_left(clock: Clock, seat: Seat) -> str:
    """Return what a seat's bank holds, as minutes, seconds and tenths."""
    assert clock.bank is not None
    tenths = max(0, clock.bank[seat] // 100_000)
    minutes, rest = divmod(tenths, 600)
    return f"{minutes}:{rest // 10:02}.{rest % 10}"


def about_seat(seen: MatchView, hand: HandView, seat: Seat, ink: Ink) -> str:
    """Return what is to be said of a seat beside its name: that it deals, and what it is to do."""
    parts = ["dealer"] if hand.dealer == seat else []
    if hand.to_move == seat:
        if seen.clock is not None and seen.clock.paused:
            parts.append("paused")
        parts.append(_TO_DO[hand.phase])
        if hand.drawn is not None:
            parts.append(f"{'took' if hand.taken else 'drew'} {ink.card(hand.drawn)}")
    return "".join(f", {part}" for part in parts)


_TO_DO = {
    "offer": "the upcard is on offer",
    "draw": "to draw",
    "discard": "to discard or knock",
    "lay_off": "to lay off",
    "over": "",
}


def draw_cards(seen: MatchView, seat: Seat, ink: Ink) -> str:
    """Return a seat's cards: its melds in brackets, then the rest, then what is not known."""
    assert seen.hand is not None
    lie = lying(seen.hand, seat, seen.terms.rules.run_max)
    groups = [
        f"[{' '.join((ink.cards(meld), *(f'+{ink.card(card)}' for card in more)))}]"
        for meld, more in zip(lie.melds, lie.added, strict=True)
    ]
    return " ".join((*groups, *map(ink.card, lie.deadwood), *(BACK for _ in range(lie.hidden))))


# --- between them -------------------------------------------------------------------------------


def _middle(hand: HandView, ink: Ink) -> Iterator[str]:
    first, *others = _pile(hand.pile, ink)
    yield f"    pile   {first}"
    yield from (f"           {line}" for line in others)
    if not others:
        yield ""
    limit = "gin only" if hand.gin_only else f"knock at {hand.knock_limit} or less"
    left = f"    stock  {hand.stock}"
    if hand.knocked is not None and not _is_big_gin(hand):
        left += f"   face down  {BACK if hand.face_down is None else ink.card(hand.face_down)}"
    yield spread(left, limit)


def _pile(pile: tuple[Card, ...], ink: Ink) -> list[str]:
    """Return the discard pile in lines, its top last and in parentheses."""
    if not pile:
        return ["-"]
    shown = [*map(ink.card, pile[:-1]), f"({ink.card(pile[-1])})"]
    return [" ".join(part) for part in _pieces(shown, _PILE_LINE)]


def _pieces(items: list[str], size: int) -> Iterable[list[str]]:
    return (items[at : at + size] for at in range(0, len(items), size))


def _is_big_gin(hand: HandView) -> bool:
    return hand.knocked is not None and sum(map(len, hand.knocked.melds)) == 11


# --- the end ------------------------------------------------------------------------------------


def account_of(seen: MatchView, outcome: MatchEnded, ink: Ink) -> Iterator[str]:
    """Return how a match ended, and how its totals came about (X2)."""
    yield f"  {ink.strong(describe_end(seen.seats, outcome))}"
    if outcome.totals == outcome.points:
        return
    names = BySeat(*(name_of(seen.seats, seat) for seat in _SEATS))
    wide = max(map(width, names))
    for seat in _SEATS:
        account = f"{outcome.points[seat]} points"
        if outcome.game_bonus[seat]:
            account += f" + {outcome.game_bonus[seat]} for the match"
        if outcome.doubled and seat == outcome.winner:
            account = f"2 x ({account})"
        if outcome.box_bonus[seat]:
            account += f" + {outcome.box_bonus[seat]} for hands won"
        gap = " " * (wide - width(names[seat]))
        yield f"    {names[seat]}{gap}  {account} = {outcome.totals[seat]}"

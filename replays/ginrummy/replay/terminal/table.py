"""The table as lines of text, in the largest form that a given room holds.

the far seat      name, what it is to do                   score, time, deadwood
                  its cards
between them      the discard pile's history, a line for each who threw; the stock
the near seat     as the far one
at the end        what the hand, or the match, has come to
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Literal, TypeAlias

import msgspec

from ginrummy.replay.ink import BACK, Ink, clip, cut, spread, width
from ginrummy.replay.pile import Thrown
from ginrummy.replay.render import about_seat, account_of, standing_of
from ginrummy.replay.terminal.faces import Group, Size, columns_of, draw_groups, groups_of
from ginrummy.replay.terminal.scene import Scene
from ginrummy.replay.words import describe_end, describe_result, name_of
from ginrummy.rules.cards import Seat, other
from ginrummy.rules.view import HandView

__all__ = ["draw_table"]

_INDENT = 2
_THROW = 3
"""Columns of a card in the pile, with the mark before it."""

_LABEL = 16
"""Columns ahead of the pile's cards."""


_PileForm: TypeAlias = Literal["whole", "band", "row"]
"""All that was thrown, the last of it as a line for each seat, or as one line."""


class _Form(msgspec.Struct, frozen=True):
    """One way to draw a table."""

    size: Size
    pile: _PileForm
    has_account: bool
    """How the totals of a match came about is shown as well."""
    is_airy: bool
    """With empty lines between the seats and what lies between them."""


def _forms() -> Iterator[_Form]:
    """Yield the forms, from the largest to the least."""
    piles: tuple[_PileForm, ...] = ("whole", "band", "row")
    spacious: tuple[Size, ...] = ("large", "small")
    for size in spacious:
        yield _Form(size, "whole", has_account=True, is_airy=True)
    yield _Form("large", "whole", has_account=True, is_airy=False)
    tight: tuple[Size, ...] = ("small", "flat")
    for size, pile, has_account in product(tight, piles, (True, False)):
        yield _Form(size, pile, has_account, is_airy=False)


def draw_table(scene: Scene, columns: int, rows: int, ink: Ink) -> list[str]:
    """Return a scene as lines of at most so many columns, and where that can be, of so many rows.

    In a room that is too small even for the least form, that form is returned: it is scrolled.
    """
    parts = _Parts(scene, columns, ink)
    lines: list[str] = []
    for form in _forms():
        lines = parts.put_together(form)
        if len(lines) <= rows:
            break
    return [clip(line, columns) for line in lines]


class _Parts:
    """The parts of a scene's table, each drawn once in each of its forms."""

    def __init__(self, scene: Scene, columns: int, ink: Ink) -> None:
        self._scene = scene
        self._columns = columns
        self._ink = ink
        self._drawn: dict[tuple[str, object], list[str]] = {}

    def put_together(self, form: _Form) -> list[str]:
        """Return the whole table in a form."""
        scene, columns, ink = self._scene, self._columns, self._ink
        far, near = other(scene.near), scene.near
        air = [""] if form.is_airy else []
        return [
            *self._part("far", form.size, lambda: _seat(scene, far, form.size, columns, ink)),
            *air,
            *self._part("pile", form.pile, lambda: _middle(scene, form.pile, columns, ink)),
            *air,
            *self._part("near", form.size, lambda: _seat(scene, near, form.size, columns, ink)),
            *air,
            *self._part("end", form.has_account, lambda: _end(scene, ink, form.has_account)),
        ]

    def _part(self, name: str, form: object, draw: Callable[[], Iterator[str]]) -> list[str]:
        if (name, form) not in self._drawn:
            self._drawn[name, form] = list(draw())
        return self._drawn[name, form]


# --- a seat -------------------------------------------------------------------------------------


def _seat(scene: Scene, seat: Seat, size: Size, columns: int, ink: Ink) -> Iterator[str]:
    seen, hand = scene.seen, scene.seen.hand
    moves = hand is not None and hand.to_move == seat
    mark = ("▶" if ink.symbols else ">") if moves else " "
    name = name_of(seen.seats, seat)
    if hand is None:
        yield spread(f"{mark} {ink.strong(name)}", standing_of(seen, seat), columns)
        return
    lie = scene.lying(hand, seat)
    about = about_seat(seen, hand, seat, ink) + (", on the table" if lie.is_laid else "")
    left = f"{mark} {ink.strong(name)}{about}"
    count = "" if lie.count is None else f", {ink.strong(f'deadwood {lie.count}')}"
    for is_short in (False, True):
        right = standing_of(seen, seat, is_short=is_short) + count
        if width(left) + width(right) < columns:
            break
    yield spread(clip(left, max(0, columns - width(right) - 1)), right, columns)
    drawn = hand.drawn if hand.to_move == seat else None
    yield from _cards(groups_of(lie, drawn), size, columns, ink)


def _cards(groups: list[tuple[Group, bool]], size: Size, columns: int, ink: Ink) -> Iterator[str]:
    room = columns - _INDENT
    if size == "large" and columns_of(groups, size) > room:
        size = "small"
    if size == "small" and columns_of(groups, size) > room:
        size = "flat"
    if size != "flat":
        yield from (f"{' ' * _INDENT}{row}" for row in draw_groups(groups, size, ink))
        return
    line = ""
    for group in groups:
        (text,) = draw_groups([group], "flat", ink)
        if line and width(line) + 1 + width(text) > room:
            yield f"{' ' * _INDENT}{line}"
            line = ""
        line = f"{line} {text}" if line else text
    yield f"{' ' * _INDENT}{line}"


# --- between them -------------------------------------------------------------------------------


def _middle(scene: Scene, form: _PileForm, columns: int, ink: Ink) -> Iterator[str]:
    """Return the discard pile, and the stock under it."""
    hand = scene.seen.hand
    if hand is None:
        yield "  no hand is dealt yet"
        return
    yield from _pile(scene, hand, form, columns, ink)
    yield _stock(scene, hand, columns, ink)


def _pile(scene: Scene, hand: HandView, form: _PileForm, columns: int, ink: Ink) -> Iterator[str]:
    top = max((at for at, each in enumerate(scene.thrown) if each.taker is None), default=-1)
    if form == "row":
        room = (columns - _INDENT - 8) // (_THROW + 1)
        shown = list(enumerate(scene.thrown))[-room:]
        more = "" if len(shown) == len(scene.thrown) else ("… " if ink.symbols else ".. ")
        cards = " ".join(_throw(each, ink, is_top=at == top).strip() for at, each in shown)
        yield f"  pile {more}{cards}"
        return
    room = max(1, (columns - _LABEL - 1) // _THROW)
    starts = range(0, len(scene.thrown), room)
    if form == "band":
        starts = range(max(0, len(scene.thrown) - room), len(scene.thrown), room)
    for start in starts:
        for seat in (other(scene.near), scene.near):
            label = "pile" if seat != scene.near and start == starts[0] else ""
            name = cut(name_of(scene.seen.seats, seat), _LABEL - 8)
            cells = "".join(
                # The dealer turns the upcard up.
                _throw(each, ink, is_top=at == top)
                if (hand.dealer if each.by is None else each.by) == seat
                else " " * _THROW
                for at, each in enumerate(scene.thrown[start : start + room], start)
            )
            gap = " " * (_LABEL - 7 - width(name))
            yield f"  {label:<4} {ink.faint(name)}{gap}{cells}".rstrip()


def _throw(thrown: Thrown, ink: Ink, *, is_top: bool) -> str:
    if thrown.taker is not None:
        return ink.faint("-") + ink.gone(thrown.card)
    return (ink.strong("*") if is_top else " ") + ink.card(thrown.card)


def _stock(scene: Scene, hand: HandView, columns: int, ink: Ink) -> str:
    limit = "gin only" if hand.gin_only else f"knock at {hand.knock_limit} or less"
    left = f"  stock {hand.stock}"
    if hand.knocked is not None and sum(map(len, hand.knocked.melds)) < 11:
        left += f"   face down {BACK if hand.face_down is None else ink.card(hand.face_down)}"
    elif scene.order:
        dots = "…" if ink.symbols else ".."
        room = columns - width(left) - len(limit) - 12
        most = max(0, room // 3)
        more = f" {dots}" if len(scene.order) > most else ""
        if most:
            left += f", next {ink.cards(scene.order[:most])}{more}"
    return spread(left, ink.faint(limit), columns)


# --- the end ------------------------------------------------------------------------------------


def _end(scene: Scene, ink: Ink, has_account: bool) -> Iterator[str]:  # noqa: FBT001 -- of a form
    seen = scene.seen
    if seen.outcome is not None:
        if has_account:
            yield from account_of(seen, seen.outcome, ink)
        else:
            yield f"  {ink.strong(describe_end(seen.seats, seen.outcome))}"
    elif seen.hand is not None and seen.hand.result is not None:
        yield f"  {ink.strong(describe_result(seen.seats, seen.hand.result))}"
    else:
        yield ""

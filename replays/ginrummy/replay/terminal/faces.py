"""A seat's cards as text: flat in one row, as small cards of three rows, or as large ones of five.

[7♥ 8♥ 9♥] 2♦ ??      ╭──┬──┬──╮ ╭──┬──╮      ╭────┬────┬────╮ ╭────┬────╮
                      │7♥│8♥│9♥│ │2♦│▒▒│      │7♥  │8♥  │9♥  │ │2♦  │▒▒▒▒│
                      ╰──┴──┴──╯ ╰──┴──╯      │    │    │    │ │    │▒▒▒▒│
                                              │  7♥│  8♥│  9♥│ │  2♦│▒▒▒▒│
                                              ╰────┴────┴────╯ ╰────┴────╯
"""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from ginrummy.replay.ink import BACK, Ink
from ginrummy.replay.laying import Lying
from ginrummy.rules.cards import Card

__all__ = ["Face", "Group", "Size", "columns_of", "draw_groups", "groups_of"]

Size: TypeAlias = Literal["large", "small", "flat"]

_COLUMNS = {"large": 4, "small": 2}
"""Within a card's edges."""


class _Edges(NamedTuple):
    """What a box is drawn with: the corners and joints of its edges, and their lines."""

    upper: tuple[str, str, str]
    lower: tuple[str, str, str]
    side: str
    flat: str


_EDGES = {
    True: _Edges(("╭", "┬", "╮"), ("╰", "┴", "╯"), "│", "─"),
    # Without a plus, which is a mark.
    False: _Edges((".", ".", "."), ("'", "'", "'"), "|", "-"),
}
"""By whether symbols may be used."""


class Face(msgspec.Struct, frozen=True):
    """A card as it is shown."""

    card: Card | None
    """None for one that the viewer does not know."""
    mark: Literal["", "+", "*"] = ""
    """`+` was laid off here, `*` was just drawn."""


Group: TypeAlias = tuple[Face, ...]
"""Cards that lie together: a meld, the deadwood, or what is not known."""


def groups_of(lie: Lying, drawn: Card | None) -> list[tuple[Group, bool]]:
    """Return a seat's cards in groups, and of each whether it is a meld."""

    def face(card: Card) -> Face:
        return Face(card, "*" if card == drawn else "")

    groups = [
        ((*map(face, meld), *(Face(card, "+") for card in added)), True)
        for meld, added in zip(lie.melds, lie.added, strict=True)
    ]
    # By rank, what may become a set stands together.
    loose = sorted(lie.deadwood, key=lambda card: (card.rank, card.suit))
    rest = (*map(face, loose), *(Face(None) for _ in range(lie.hidden)))
    return [*groups, (rest, False)] if rest else groups


def columns_of(groups: Sequence[tuple[Group, bool]], size: Size) -> int:
    """Return how many columns groups take in a size."""
    if size == "flat":
        faces = sum(3 * len(group) - 1 + bool(is_meld) * 2 for group, is_meld in groups)
        return (
            faces + len(groups) - 1 + sum(face.mark != "" for group, _ in groups for face in group)
        )
    inner = _COLUMNS[size] + 1
    return sum(inner * len(group) + 1 for group, _ in groups) + len(groups) - 1


def draw_groups(groups: Sequence[tuple[Group, bool]], size: Size, ink: Ink) -> list[str]:
    """Return the rows of text that show groups side by side."""
    if size == "flat":
        return [" ".join(_flat(group, ink, is_meld=is_meld) for group, is_meld in groups)]
    boxes = [_box(group, _COLUMNS[size], ink) for group, _ in groups]
    return [" ".join(rows) for rows in zip(*boxes, strict=True)]


def _flat(group: Group, ink: Ink, *, is_meld: bool) -> str:
    text = " ".join(face.mark + _index(face, ink) for face in group)
    return f"[{text}]" if is_meld else text


def _index(face: Face, ink: Ink) -> str:
    if face.card is not None:
        return ink.card(face.card)
    return "▒▒" if ink.symbols else BACK


def _box(group: Group, columns: int, ink: Ink) -> Iterator[str]:
    edges = _EDGES[ink.symbols]

    def edge(ends: tuple[str, str, str], *, is_marked: bool) -> str:
        first, joint, last = map(ink.paper, ends)
        line = ink.paper(edges.flat * (columns - 1))
        fills = (
            line + (ink.printed(face.mark) if is_marked and face.mark else ink.paper(edges.flat))
            for face in group
        )
        return first + joint.join(fills) + last

    def row(form: str) -> str:
        side = ink.paper(edges.side)
        return side + side.join(_written(face, form, ink) for face in group) + side

    yield edge(edges.upper, is_marked=True)
    for form in ("{}",) if columns == 2 else ("{}  ", "    ", "  {}"):
        yield row(form)
    yield edge(edges.lower, is_marked=False)


def _written(face: Face, form: str, ink: Ink) -> str:
    """Return a row of a card's face: `form`, with the card's index where its braces are."""
    before, index, after = form.partition("{}")
    if face.card is None:
        return ink.back(("▒" if ink.symbols else "?") * len(before + index + after))
    return ink.paper(before) + (ink.on_paper(face.card) if index else "") + ink.paper(after)

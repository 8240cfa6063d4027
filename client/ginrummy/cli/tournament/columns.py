"""Columns of text that fit a page: numbers to the right, and names that give way."""

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["PAGE", "Column", "columns"]

PAGE = 80
"""How many characters a line of a page has."""

_SHORTEST_NAME = 8

_GAP = 2


class Column(NamedTuple):
    """One column: its heading and its cells."""

    heading: str
    cells: Sequence[str]
    left: bool = False
    """Set to the left, as names are."""
    gives_way: bool = False
    """Cut where the page is too narrow."""


def columns(table: Sequence[Column], width: int = PAGE) -> list[str]:
    """Return the lines of a table, its headings first; those that give way share what is left."""
    widths = [max(map(len, (each.heading, *each.cells))) for each in table]
    too_wide = sum(widths) + _GAP * (len(table) - 1) - width
    giving = [place for place, each in enumerate(table) if each.gives_way]
    while too_wide > 0 and giving:
        widest = max(giving, key=widths.__getitem__)
        if widths[widest] <= _SHORTEST_NAME:
            break
        widths[widest] -= 1
        too_wide -= 1
    rows = zip(*((each.heading, *each.cells) for each in table), strict=True)
    return [
        (" " * _GAP)
        .join(
            _cut(cell, size).ljust(size) if column.left else cell.rjust(size)
            for cell, size, column in zip(row, widths, table, strict=True)
        )
        .rstrip()
        for row in rows
    ]


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else f"{text[: size - 1]}…"

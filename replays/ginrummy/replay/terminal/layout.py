"""Where each part of the screen goes, by the size of the terminal.

narrow: one under the other          wide, from 120 columns on
title, views                         title, views
table                                table       | moves
the way through the match            the way     |
the event                            the event   |
moves                                score sheet |
keys                                 keys
"""

import msgspec

__all__ = ["Box", "Layout", "lay_out"]

_WIDE = 120
"""Columns from which on the moves stand beside the table."""


_LARGE = 21
"""Rows of a table with large cards at the end of a match."""


class Box(msgspec.Struct, frozen=True):
    """A part of the screen; without rows or columns it is not shown."""

    x: int
    y: int
    columns: int
    rows: int


class Layout(msgspec.Struct, frozen=True):
    """The parts of the screen."""

    title: Box
    views: Box
    table: Box
    way: Box
    telling: Box
    moves: Box
    sheet: Box
    keys: Box


def lay_out(columns: int, rows: int, told: int) -> Layout:
    """Return where everything goes; `told` is how many lines there are to say of the event."""
    title, views, keys = int(rows >= 4), int(rows >= 8), int(rows >= 6)
    top, body = title + views, max(0, rows - title - views - keys)
    left = columns if columns < _WIDE else columns - _beside(columns) - 1
    way = int(body >= 9)
    if columns < _WIDE:
        telling, moves = _narrow(body - way, told)
        table = body - way - telling - moves
        sheet = 0
        beside = Box(0, top + table + way + telling, columns, moves)
    else:
        telling = min(told, max(1, body // 4))
        table = max(min(body - way - telling - 4, _LARGE), min(body - way - telling, 12))
        sheet = max(0, body - way - telling - table - 1)
        beside = Box(left + 1, top, columns - left - 1, body)
    return Layout(
        title=Box(0, 0, columns, title),
        views=Box(0, title, columns, views),
        table=Box(0, top, left, table),
        way=Box(0, top + table, left, way),
        telling=Box(0, top + table + way, left, telling),
        moves=beside,
        sheet=Box(0, top + table + way + telling + 1, left, sheet),
        keys=Box(0, rows - keys, columns, keys),
    )


def _beside(columns: int) -> int:
    """Return how wide the list of moves is beside the table, which keeps the line of an address."""
    return max(44, min(70, columns - 77))


def _narrow(body: int, told: int) -> tuple[int, int]:
    """Return the rows of what is told of the event, and of the moves; the table has the rest.

    A table takes 7 rows at the least, 12 with cards that have edges.
    """
    spare = max(0, body - 7)
    telling = min(told, 1 + spare // 4, 6)
    moves = min(max(0, spare - telling), 3)
    spare -= telling + moves
    # Then the table grows to its next size, the moves to five rows, and both share what is left.
    spare = max(0, spare - 5)
    more = min(spare, max(0, 5 - max(0, telling - 3) - moves))
    moves += more + (spare - more + 1) // 2
    return telling, moves + max(0, body - telling - moves - _LARGE)

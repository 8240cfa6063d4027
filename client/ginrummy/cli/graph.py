"""A small graph in plain text: some values in their order, and what came of it."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

__all__ = ["draw_graph"]

_ROWS = 7
_COLUMNS = 60
"""Columns of the values; more of them share a column."""


def draw_graph(values: Sequence[float], end: float, *, symbols: bool = True) -> Iterator[str]:
    """Yield the lines of a graph of `values`, left to right, with `end` set apart behind them.

    The scale is that of the values and of zero; `end` beyond it is drawn at its edge and written
    out. Without `symbols` it is ASCII.
    """
    shown = _squeezed(values)
    low, high = min(0.0, *shown), max(0.0, *shown)
    step = max(high - low, 1.0) / (_ROWS - 1)
    zero = round(-low / step)
    dot, line, axis = ("●", "─", "│") if symbols else ("*", "-", "|")
    width = max(1, _COLUMNS // len(shown)) if len(shown) <= _COLUMNS else 1
    width = min(width, 3)
    for row in reversed(range(_ROWS)):
        ground = line if row == zero else " "
        drawn = "".join(
            (dot if _row(value, low, step) == row else ground) + ground * (width - 1)
            for value in shown
        )
        behind = f" {dot} {end:+g}" if _row(end, low, step) == row else ""
        yield f"{low + row * step:>+8.1f} {axis}{drawn}{behind}".rstrip()


def _row(value: float, low: float, step: float) -> int:
    return min(_ROWS - 1, max(0, round((value - low) / step)))


def _squeezed(values: Sequence[float]) -> list[float]:
    """Return at most as many values as there are columns, each the mean of its neighbours'."""
    if len(values) <= _COLUMNS:
        return list(values)
    edges = [len(values) * column // _COLUMNS for column in range(_COLUMNS + 1)]
    return [sum(values[first:last]) / (last - first) for first, last in pairwise(edges)]

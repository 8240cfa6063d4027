"""Least squares, with errors that hold where observations of one hand hang together.

The coefficient that is asked for is the first one. Its error is the sandwich's over clusters, so
what the hands' own luck does to all decisions of a hand is in it.
"""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import TypeAlias

import msgspec

__all__ = ["Coefficient", "Row", "first_coefficient"]


class Coefficient(msgspec.Struct, frozen=True):
    """A coefficient and its standard error."""

    value: float
    error: float


Row: TypeAlias = tuple[Sequence[float], float]
"""The regressors and the response of one observation."""


def first_coefficient(clusters: Iterable[Sequence[Row]]) -> Coefficient | None:
    """Return the first regressor's coefficient over all rows.

    None where it cannot be told: too few clusters, or regressors that say the same.
    """
    kept = [rows for rows in clusters if rows]
    rows = [row for cluster in kept for row in cluster]
    if len(kept) < 2:
        return None
    # What the other regressors leave of the first one: its coefficient is the response's on that.
    size = len(rows[0][0]) - 1
    squares = [
        [sum(x[i + 1] * x[j + 1] for x, _ in rows) for j in range(size)] for i in range(size)
    ]
    on_first = _solved(squares, [sum(x[i + 1] * x[0] for x, _ in rows) for i in range(size)])
    on_response = _solved(squares, [sum(x[i + 1] * y for x, y in rows) for i in range(size)])
    if on_first is None or on_response is None:
        return None

    def left(x: Sequence[float]) -> float:
        return x[0] - sum(a * b for a, b in zip(on_first, x[1:], strict=True))

    spread = sum(left(x) ** 2 for x, _ in rows)
    if spread < 1e-9 * len(rows):
        return None
    value = sum(left(x) * y for x, y in rows) / spread

    def score(x: Sequence[float], y: float) -> float:
        fitted = sum(a * b for a, b in zip(on_response, x[1:], strict=True))
        return left(x) * (y - fitted - value * left(x))

    meat = sum(sum(score(x, y) for x, y in cluster) ** 2 for cluster in kept)
    return Coefficient(value, sqrt(meat * len(kept) / (len(kept) - 1)) / spread)


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float] | None:
    """Return the solution of a small system; None where it has no single one."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda i: abs(rows[i][column]))
        if abs(rows[pivot][column]) < 1e-9:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for i in range(size):
            if i != column:
                factor = rows[i][column] / rows[column][column]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[column], strict=True)]
    return [rows[i][size] / rows[i][i] for i in range(size)]

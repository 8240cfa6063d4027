"""The little linear algebra that the ratings need, on lists of rows."""

import math
from typing import TypeAlias

__all__ = ["Matrix", "inverse", "times"]

Matrix: TypeAlias = list[list[float]]


def inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a symmetric positive definite matrix, by its Cholesky factor.

    Raises ValueError where it is not positive definite.
    """
    n = len(matrix)
    lower = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(lower[i][k] * lower[j][k] for k in range(j))
            lower[i][j] = math.sqrt(rest) if i == j else rest / lower[j][j]
    # The columns of the factor's inverse, then their products.
    back = [[0.0] * n for _ in range(n)]
    for j in range(n):
        back[j][j] = 1 / lower[j][j]
        for i in range(j + 1, n):
            back[i][j] = -sum(lower[i][k] * back[k][j] for k in range(j, i)) / lower[i][i]
    return [
        [sum(back[k][i] * back[k][j] for k in range(max(i, j), n)) for j in range(n)]
        for i in range(n)
    ]


def times(matrix: Matrix, vector: list[float]) -> list[float]:
    """Return the product of a matrix and a column."""
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]

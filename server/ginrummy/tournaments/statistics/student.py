"""Quantiles of Student's t, for means of few results."""

import math
from functools import lru_cache
from statistics import NormalDist

__all__ = ["two_sided_t"]

_EXACT_UP_TO = 100
"""Degrees of freedom from which the expansion is right to ten digits."""


@lru_cache(maxsize=256)
def two_sided_t(freedom: int, confidence: float) -> float:
    """Return t such that a Student variable lies within ±t with probability `confidence`.

    `freedom` is the degrees of freedom, 1 or more; above a hundred it is the normal quantile with
    its correction. Raises ValueError for values that cannot be.
    """
    if freedom < 1 or not 0 < confidence < 1:
        raise ValueError(f"no quantile for {freedom} degrees of freedom at {confidence}")
    if freedom > _EXACT_UP_TO:
        return _expanded(freedom, NormalDist().inv_cdf((1 + confidence) / 2))
    low, high = 0.0, math.pi / 2
    for _halving in range(60):
        angle = (low + high) / 2
        if _within(freedom, angle) < confidence:
            low = angle
        else:
            high = angle
    return math.sqrt(freedom) * math.tan((low + high) / 2)


def _within(freedom: int, angle: float) -> float:
    """Return P(|t| < sqrt(freedom) tan(angle)), in closed form (Abramowitz and Stegun 26.7.3-4)."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for k in range(1 + odd, freedom, 2):
        total += term
        term *= cosine * cosine * k / (k + 1)
    return (angle + sine * total) * 2 / math.pi if odd else sine * total


def _expanded(freedom: int, z: float) -> float:
    """Return the t quantile beside the normal quantile `z` (Abramowitz and Stegun 26.7.5)."""
    square = z * z
    corrections = (
        (square + 1) / 4,
        ((5 * square + 16) * square + 3) / 96,
        (((3 * square + 19) * square + 17) * square - 15) / 384,
        ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92160,
    )
    return z * (
        1 + sum(c / float(freedom) ** power for power, c in enumerate(corrections, start=1))
    )

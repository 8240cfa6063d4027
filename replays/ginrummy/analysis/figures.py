"""Means and their errors."""

from collections.abc import Sequence
from math import sqrt

import msgspec

__all__ = ["Estimate", "estimate"]


class Estimate(msgspec.Struct, frozen=True):
    """A mean in points, and its standard error."""

    mean: float
    error: float | None
    """None where there were too few worlds to tell."""

    @property
    def is_clear(self) -> bool:
        """It is more than two errors above zero: of honest zeros, one in forty is."""
        return self.error is not None and self.mean > 2 * self.error


def estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of independent values, and its standard error."""
    number = len(values)
    mean = sum(values) / number
    if number == 1:
        return Estimate(mean, None)
    variance = sum((value - mean) ** 2 for value in values) / (number - 1)
    return Estimate(mean, sqrt(variance / number))

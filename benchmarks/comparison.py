"""What a benchmark has found, as the page of results shows it."""

from typing import NamedTuple

__all__ = ["Comparison"]


class Comparison(NamedTuple):
    """What one benchmark has found; all but the ratio in `unit`."""

    name: str
    unit: str
    ours: float
    baseline: float
    ratio: float
    """`ours / baseline` of the medians."""
    goal: float
    """The least ratio that we want."""

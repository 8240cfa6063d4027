"""A board's two hands as one result, and results that add up.

All from one side's point of view; `~` gives the other side's.
"""

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

__all__ = ["Pair", "Pentanomial", "Tally", "tally"]

Pentanomial: TypeAlias = tuple[int, int, int, int, int]
"""How many pairs brought 0, half, 1, one and a half and 2 hands won; a void hand is half."""


class Pair(msgspec.Struct, frozen=True):
    """One board played twice with seats swapped: own points less the opponent's, hand by hand.

    A void hand is 0. Both hands count or neither: a pair with one hand missing is no pair.
    """

    as_dealer: int
    """Points of the hand in which this side dealt."""
    as_non_dealer: int
    """Points of the hand in which the opponent dealt."""

    @property
    def points(self) -> int:
        """The pair's score."""
        return self.as_dealer + self.as_non_dealer

    @property
    def half_wins(self) -> int:
        """Hands won, counted in halves: 0 to 4."""
        return _half_wins(self.as_dealer) + _half_wins(self.as_non_dealer)

    def __invert__(self) -> "Pair":
        return Pair(as_dealer=-self.as_non_dealer, as_non_dealer=-self.as_dealer)


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """The sum of many pairs. Whole numbers only, so that sums are the same in any order."""

    wins: int = 0
    """Pairs with a score above 0."""
    draws: int = 0
    losses: int = 0
    pentanomial: Pentanomial = (0, 0, 0, 0, 0)
    points: int = 0
    """Sum of the pairs' scores."""
    squares: int = 0
    """Sum of the squares of the pairs' scores."""

    @property
    def boards(self) -> int:
        """How many pairs there are."""
        return self.wins + self.draws + self.losses

    def __add__(self, more: "Tally") -> "Tally":
        a, b = self.pentanomial, more.pentanomial
        return Tally(
            wins=self.wins + more.wins,
            draws=self.draws + more.draws,
            losses=self.losses + more.losses,
            pentanomial=(a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4]),
            points=self.points + more.points,
            squares=self.squares + more.squares,
        )

    def __invert__(self) -> "Tally":
        none, half, one, more, two = self.pentanomial
        return Tally(
            wins=self.losses,
            draws=self.draws,
            losses=self.wins,
            pentanomial=(two, more, one, half, none),
            points=-self.points,
            squares=self.squares,
        )


def tally(pairs: Iterable[Pair]) -> Tally:
    """Return the sum of `pairs`."""
    wins = draws = losses = points = squares = 0
    counts = [0, 0, 0, 0, 0]
    for pair in pairs:
        score = pair.points
        wins += score > 0
        draws += score == 0
        losses += score < 0
        counts[pair.half_wins] += 1
        points += score
        squares += score * score
    return Tally(
        wins=wins,
        draws=draws,
        losses=losses,
        pentanomial=(counts[0], counts[1], counts[2], counts[3], counts[4]),
        points=points,
        squares=squares,
    )


def _half_wins(points: int) -> int:
    return 1 + (points > 0) - (points < 0)

"""How sure a mean is, whether a lead could be chance, and what duplicate boards are worth."""

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist

import msgspec

from ginrummy.tournaments.statistics.errors import NoBoardsError
from ginrummy.tournaments.statistics.pairs import Pair, Tally
from ginrummy.tournaments.statistics.student import two_sided_t

__all__ = ["Estimate", "Narrowing", "mean_by_board", "mean_points", "narrowing", "sign_test"]


class Estimate(msgspec.Struct, frozen=True):
    """A figure and the interval that goes with it, 95% where nothing else is said.

    The bounds are infinite where the results say nothing about the spread.
    """

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the interval's width, the number after ±."""
        return (self.high - self.low) / 2


class Narrowing(msgspec.Struct, frozen=True):
    """What duplicate boards spared, against as many ordinary hands with the deal in turns."""

    variance_ratio: Estimate
    """Variance of a pair's score over that of two unrelated hands; below 1 the boards helped."""

    @property
    def width_ratio(self) -> Estimate:
        """Width of the interval over its width from as many ordinary hands."""
        ratio = self.variance_ratio
        return Estimate(*(math.sqrt(x) for x in (ratio.value, ratio.low, ratio.high)))


def mean_points(total: Tally, confidence: float = 0.95) -> Estimate:
    """Return the mean points a board with its interval, each pair being one observation.

    Raises NoBoardsError for an empty tally.
    """
    n = total.boards
    if n == 0:
        raise NoBoardsError(1, 0)
    # Whole numbers until the last step: nothing is lost where a mean is large beside its spread.
    squares = n * total.squares - total.points * total.points
    variance = squares / (n * n * (n - 1)) if n > 1 else math.inf
    return _around(total.points / n, variance, n, confidence)


def mean_by_board(boards: Sequence[Tally], confidence: float = 0.95) -> Estimate:
    """Return one entrant's mean points a board over several opponents who play the same boards.

    Each tally is the entrant's pairs on one board; its results there hang together, so that a
    board, not a pair, is one observation. With one opponent it is `mean_points`. Raises
    NoBoardsError where no board has a pair.
    """
    played = [board for board in boards if board.boards]
    k = len(played)
    if k == 0:
        raise NoBoardsError(1, 0)
    pairs = sum(board.boards for board in played)
    mean = sum(board.points for board in played) / pairs
    # Fractions are added exactly, here and below: the order in which tables end says nothing.
    squares = math.fsum((board.points - board.boards * mean) ** 2 for board in played)
    variance = squares * k / ((k - 1) * pairs * pairs) if k > 1 else math.inf
    return _around(mean, variance, k, confidence)


def sign_test(wins: int, losses: int) -> float:
    """Return the chance of so uneven a count, either way, between equals. Draws are left out.

    The two-sided p-value of the binomial distribution at one half, exact.
    """
    n = wins + losses
    fewer = min(wins, losses)
    term = tail = 1
    for k in range(fewer):
        term = term * (n - k) // (k + 1)
        tail += term
    return min(1.0, 2 * tail / (1 << n))


def narrowing(*meetings: Iterable[Pair], confidence: float = 0.95) -> Narrowing:
    """Return how much duplicate boards narrow the intervals of means.

    `meetings` are the boards of each two entrants, who are compared among themselves alone: that
    one of them is stronger is no luck. The ratio is Var(pair) / (Var(hand as dealer) + Var(hand as
    non-dealer)). Its interval is by the delta method on the ratio's logarithm, which asks for no
    distribution of the points. Where all hands scored the same it is 1 with an interval of
    everything. Raises NoBoardsError where no two have played two boards.
    """
    played = [tuple(pairs) for pairs in meetings]
    offs = [off for pairs in played if len(pairs) > 1 for off in _off_the_mean(pairs)]
    if not offs:
        raise NoBoardsError(2, max(map(len, played), default=0))
    paired = [(x + y) ** 2 for x, y in offs]
    apart = [x * x + y * y for x, y in offs]
    whole = math.fsum(apart)
    if whole == 0:
        return Narrowing(Estimate(1.0, 0.0, math.inf))
    ratio = math.fsum(paired) / whole
    if ratio == 0:
        return Narrowing(Estimate(0.0, 0.0, 0.0))
    spread = math.fsum(
        (together - ratio * alone) ** 2 for together, alone in zip(paired, apart, strict=True)
    )
    error = math.sqrt(spread) / (ratio * whole)
    factor = math.exp(_normal(confidence) * error)
    return Narrowing(Estimate(ratio, ratio / factor, ratio * factor))


def _off_the_mean(pairs: Sequence[Pair]) -> list[tuple[float, float]]:
    """Return by how much each hand of each pair is off the mean of its kind."""
    dealing = sum(pair.as_dealer for pair in pairs) / len(pairs)
    other = sum(pair.as_non_dealer for pair in pairs) / len(pairs)
    return [(pair.as_dealer - dealing, pair.as_non_dealer - other) for pair in pairs]


def _around(mean: float, variance: float, n: int, confidence: float) -> Estimate:
    """Return the interval of a mean of `n` observations; `variance` is the mean's own."""
    if n == 1:
        return Estimate(mean, -math.inf, math.inf)
    margin = two_sided_t(n - 1, confidence) * math.sqrt(variance)
    return Estimate(mean, mean - margin, mean + margin)


def _normal(confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2)

"""Generalised log likelihood ratios of two hypotheses, given all results so far.

Both hypotheses name one number (an expected score, a t-value, a mean); everything else about the
distribution is fitted to the results, under each hypothesis anew. Positive speaks for the second.
References in docs/statistics.md.
"""

import math
from collections.abc import Sequence
from typing import TypeAlias

from ginrummy.tournaments.statistics.pairs import Pentanomial

__all__ = ["expected_score", "logistic_llr", "mean_llr", "normalized_llr"]

_Distribution: TypeAlias = Sequence[tuple[float, float]]
"""Values, a pair's score from 0 to 1, each with its probability."""

_UNSEEN = 1e-3
"""Pairs that stand in for a kind of result not seen yet, so that no logarithm is of zero."""

_NORMALIZED_ELO = 800 / math.log(10)
"""Normalised Elo of a t-value of 1 for a single hand."""

_EQUAL = 0.5


def expected_score(elo: float) -> float:
    """Return the expected share of a hand, 0 to 1, at a lead of `elo` (logistic)."""
    return 1 / (1 + 10 ** (-elo / 400))


def logistic_llr(results: Pentanomial, elo0: float, elo1: float) -> float:
    """Return the ratio for an expected score of `elo1` against one of `elo0`, in logistic Elo."""
    boards, observed = _observed(results)
    fits = [_fit_mean(observed, expected_score(elo)) for elo in (elo0, elo1)]
    return boards * _ratio(observed, *fits)


def normalized_llr(results: Pentanomial, elo0: float, elo1: float) -> float:
    """Return the ratio for a lead of `elo1` against one of `elo0`, in normalised Elo.

    Normalised Elo is the lead in standard deviations of one hand, times 800 / ln 10.
    """
    boards, observed = _observed(results)
    # Two hands a pair: their mean spreads by the square root of two less than one hand.
    fits = [_fit_t_value(observed, math.sqrt(2) * elo / _NORMALIZED_ELO) for elo in (elo0, elo1)]
    return boards * _ratio(observed, *fits)


def mean_llr(boards: int, points: int, squares: int, mean0: float, mean1: float) -> float:
    """Return the ratio for a mean of `mean1` points a board against `mean0`, of a normal law.

    `points` and `squares` are the sums of the scores and of their squares. Infinite where all
    boards scored exactly one of the two means.
    """
    if boards == 0:
        return 0.0
    off0, off1 = (squares - 2 * mean * points + boards * mean * mean for mean in (mean0, mean1))
    if off0 <= 0 or off1 <= 0:
        return math.inf if off1 < off0 else -math.inf
    return boards / 2 * math.log(off0 / off1)


def _observed(results: Pentanomial) -> tuple[float, _Distribution]:
    counts = [count or _UNSEEN for count in results]
    boards = math.fsum(counts)
    return boards, [(quarter / 4, count / boards) for quarter, count in enumerate(counts)]


def _ratio(observed: _Distribution, fit0: Sequence[float], fit1: Sequence[float]) -> float:
    return math.fsum(
        share * math.log(p1 / p0)
        for (_value, share), p0, p1 in zip(observed, fit0, fit1, strict=True)
    )


def _fit_mean(observed: _Distribution, mean: float) -> list[float]:
    """Return the likeliest probabilities among those with an expectation of `mean`."""
    return _fit([(value - mean, share) for value, share in observed])


def _fit_t_value(observed: _Distribution, t_value: float) -> list[float]:
    """Return the likeliest probabilities with (mean - 1/2) / deviation equal to `t_value`.

    The condition is made linear at the last fit, solved, and made linear again, until it stands.
    """
    fit = [1 / len(observed)] * len(observed)
    for _round in range(50):
        mean = sum(value * p for (value, _), p in zip(observed, fit, strict=True))
        variance = sum((value - mean) ** 2 * p for (value, _), p in zip(observed, fit, strict=True))
        deviation = math.sqrt(variance)
        last, fit = (
            fit,
            _fit(
                [
                    (
                        value
                        - _EQUAL
                        - t_value * (deviation + (value - mean) ** 2 / deviation) / 2,
                        share,
                    )
                    for value, share in observed
                ]
            ),
        )
        if max(abs(p - q) for p, q in zip(fit, last, strict=True)) < 1e-12:
            break
    return fit


def _fit(terms: _Distribution) -> list[float]:
    """Return the likeliest probabilities under which the terms' values average to zero.

    They are share / (1 + x value) with the one x that keeps all of them positive.
    """
    values = [value for value, _share in terms]
    low, high = -1 / max(values), -1 / min(values)
    x = 0.0
    for _step in range(200):
        pulls = [value / (1 + x * value) for value in values]
        slope = total = 0.0
        for pull, (_value, share) in zip(pulls, terms, strict=True):
            total += share * pull
            slope += share * pull * pull
        # The sum falls with x, so its sign tells on which side of x the root is.
        low, high = (x, high) if total > 0 else (low, x)
        following = x + total / slope
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - x) <= 1e-15 * (high - low) or following == x:
            break
        x = following
    return [share / (1 + x * value) for value, share in terms]

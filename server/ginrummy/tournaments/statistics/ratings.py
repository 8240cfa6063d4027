"""Elo-like ratings from all results at once, by the Bradley-Terry model.

The chance that i takes a point off j is s_i / (s_i + s_j); a draw is half a point for each. On the
Elo scale a rating is 400 log10 s. Fitted by Hunter's MM iteration, finished by Newton's. The unit
is one hand (or one match), so that a rating and a sequential test in Elo mean the same thing.
References in docs/statistics.md.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist
from typing import TypeAlias

import msgspec

from ginrummy.tournaments.statistics.errors import NotComparableError
from ginrummy.tournaments.statistics.intervals import Estimate
from ginrummy.tournaments.statistics.matrices import Matrix, inverse, times
from ginrummy.tournaments.statistics.pairs import Pentanomial

__all__ = ["Meeting", "Ratings", "bradley_terry"]

_ELO = 400 / math.log(10)
"""Elo of a natural logarithm's 1."""

_DOUBT = 10
"""Pairs of equals, as uneven as unrelated hands would be, that the dispersion starts from."""

_LEAST_PRIOR = 0.01
"""Less would let a perfect score run off to where the figures lose their digits."""

_Trinomial: TypeAlias = tuple[int, int, int]


class Meeting(msgspec.Struct, frozen=True):
    """Results of two entrants, from the first one's side."""

    one: str
    two: str
    counts: _Trinomial | Pentanomial
    """Single results (losses, draws, wins), or pairs by hands won (`Tally.pentanomial`)."""


class Ratings(msgspec.Struct, frozen=True):
    """A rating of every entrant and how surely all of them are known."""

    names: tuple[str, ...]
    elo: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    """Of `elo`, in Elo squared. The mean of all is fixed, so every row adds up to zero."""
    dispersion: float
    """Variance of the pairs' results over that of unrelated hands without draws; 1 without pairs.

    The covariance has it as a factor.
    """

    def rating(self, name: str, confidence: float = 0.95) -> Estimate:
        """Return the rating with its interval against the mean of all entrants."""
        i = self.names.index(name)
        return _estimate(self.elo[i], self.covariance[i][i], confidence)

    def difference(self, one: str, two: str, confidence: float = 0.95) -> Estimate:
        """Return by how much `one` leads `two`, with the interval of the lead."""
        i, j = self.names.index(one), self.names.index(two)
        c = self.covariance
        return _estimate(self.elo[i] - self.elo[j], c[i][i] + c[j][j] - 2 * c[i][j], confidence)


def bradley_terry(
    meetings: Iterable[Meeting],
    *,
    entrants: Sequence[str] = (),
    mean: float = 0.0,
    prior: float = 1.0,
) -> Ratings:
    """Return the likeliest ratings, their mean being `mean`, in the order of first mention.

    `prior` is how many games every entrant is taken to have drawn before the event, spread evenly
    over all others; it keeps perfect scores and entrants who have not met finite, and hardly moves
    anything else. Raises NotComparableError for a prior of 0 where results alone fix no rating,
    ValueError for an entrant who meets itself, or a prior that is neither 0 nor 0.01 or more.
    """
    results = tuple(meetings)
    names = tuple(dict.fromkeys([*entrants, *(n for m in results for n in (m.one, m.two))]))
    if any(meeting.one == meeting.two for meeting in results):
        raise ValueError("nobody meets themselves")
    if prior != 0 and not prior >= _LEAST_PRIOR:
        raise ValueError(f"a prior is 0, or {_LEAST_PRIOR} or more")
    place = {name: i for i, name in enumerate(names)}
    points = _points(results, place, prior)
    if prior == 0:
        _check_comparable(points, names)
    logs = _fit(points)
    dispersion = _dispersion(results, place, logs)
    spread = _covariance(_information(points, logs))
    return Ratings(
        names=names,
        elo=tuple(mean + _ELO * log for log in logs),
        covariance=tuple(tuple(_ELO * _ELO * dispersion * c for c in row) for row in spread),
        dispersion=dispersion,
    )


def _points(results: Iterable[Meeting], place: Mapping[str, int], prior: float) -> Matrix:
    """Return the points that each took off each other, the prior's included."""
    n = len(place)
    before = prior / 2 / (n - 1) if n > 1 else 0.0
    points = [[before if i != j else 0.0 for j in range(n)] for i in range(n)]
    for meeting in results:
        i, j = place[meeting.one], place[meeting.two]
        for halves, count in enumerate(meeting.counts):
            points[i][j] += halves / 2 * count
            points[j][i] += (len(meeting.counts) - 1 - halves) / 2 * count
    return points


def _check_comparable(points: Matrix, names: Sequence[str]) -> None:
    """Refuse results in which some group took no point off the rest, or the rest none off it."""
    for table in (points, [list(column) for column in zip(*points, strict=True)]):
        reached, frontier = {0}, [0]
        while frontier:
            row = table[frontier.pop()]
            new = [j for j, taken in enumerate(row) if taken > 0 and j not in reached]
            reached.update(new)
            frontier += new
        if names and len(reached) < len(names):
            raise NotComparableError([n for i, n in enumerate(names) if i not in reached])


def _fit(points: Matrix) -> list[float]:
    """Return the logarithms of the likeliest strengths, their mean being 0."""
    n = len(points)
    games = [[points[i][j] + points[j][i] for j in range(n)] for i in range(n)]
    taken = [sum(row) for row in points]
    strengths = [1.0] * n
    for _sweep in range(200):
        moved = 0.0
        for i in range(n) if n > 1 else ():
            own = strengths[i]
            load = sum(g / (own + other) for g, other in zip(games[i], strengths, strict=True))
            strengths[i] = taken[i] / load
            moved = max(moved, abs(math.log(strengths[i] / own)))
        if moved < 1e-3:
            break
    logs = _centred([math.log(strength) for strength in strengths])
    # The iteration climbs always but ever more slowly; from near the top Newton's steps are sure.
    for _step in range(100):
        pull = [
            taken[i] - sum(g * _chance(logs[i], logs[j]) for j, g in enumerate(games[i]))
            for i in range(n)
        ]
        step = times(_covariance(_information(points, logs)), pull)
        longest = max((abs(s) for s in step), default=0.0)
        logs = _centred([log + s / max(1.0, longest) for log, s in zip(logs, step, strict=True)])
        if longest < 1e-12:
            break
    return logs


def _information(points: Matrix, logs: Sequence[float]) -> Matrix:
    """Return the observed information: minus the second derivatives of the log likelihood."""
    n = len(points)
    information = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            p = _chance(logs[i], logs[j])
            weight = (points[i][j] + points[j][i]) * p * (1 - p)
            information[i][j] = information[j][i] = -weight
            information[i][i] += weight
            information[j][j] += weight
    return information


def _covariance(information: Matrix) -> Matrix:
    """Return the information's inverse among ratings with a fixed mean.

    The information says nothing of a shift of all; adding a constant lets it be inverted, and
    subtracting its inverse takes the shift out again.
    """
    n = len(information)
    # In the size of the others, so that nothing is lost by rounding.
    shift = sum(information[i][i] for i in range(n)) / n / n if n > 1 else 1.0
    whole = inverse([[entry + shift for entry in row] for row in information])
    return [[entry - 1 / (n * n * shift) for entry in row] for row in whole]


def _dispersion(
    results: Iterable[Meeting], place: Mapping[str, int], logs: Sequence[float]
) -> float:
    """Return how much the pairs' hands won vary, against unrelated hands without draws."""
    squares = expected = pairs = 0.0
    for meeting in results:
        if len(meeting.counts) != 5:
            continue
        p = _chance(logs[place[meeting.one]], logs[place[meeting.two]])
        squares += sum(c * (halves / 2 - 2 * p) ** 2 for halves, c in enumerate(meeting.counts))
        expected += sum(meeting.counts) * 2 * p * (1 - p)
        pairs += sum(meeting.counts)
    free = pairs - (len(place) - 1)
    if free < 1:
        return 1.0
    return (squares * pairs / free + _DOUBT / 2) / (expected + _DOUBT / 2)


def _chance(one: float, two: float) -> float:
    return 1 / (1 + math.exp(two - one))


def _centred(values: Sequence[float]) -> list[float]:
    middle = math.fsum(values) / len(values) if values else 0.0
    return [value - middle for value in values]


def _estimate(value: float, variance: float, confidence: float) -> Estimate:
    margin = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(max(variance, 0.0))
    return Estimate(value, value - margin, value + margin)

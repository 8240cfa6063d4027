"""The plots of a report: points a board over the boards, and the course of a sequential test."""

from collections.abc import Iterable, Sequence
from itertools import accumulate

from ginrummy.tournaments.event import Tournament
from ginrummy.tournaments.event.summary import Summary, boards_played
from ginrummy.tournaments.report.figures import count, margin, signed
from ginrummy.tournaments.report.naming import Names
from ginrummy.tournaments.report.plot import MOST_POINTS, Drawing, Plot, Rule, Series, draw
from ginrummy.tournaments.statistics.intervals import mean_points
from ginrummy.tournaments.statistics.pairs import Pair, Tally, tally
from ginrummy.tournaments.statistics.sprt import log_likelihood_ratio

__all__ = ["course_plots", "points_plots", "thinned"]

MOST_LINES = 8
"""More lines in one plot cannot be told apart."""

_FEWEST_BOARDS = 2
_SIZES = (("wide", 928, 340, 150), ("narrow", 358, 300, 74))
"""Kind, width and height of the two drawings, of which a page shows the one that fits; and the
room for names."""


def points_plots(tournament: Tournament, results: Summary, names: Names) -> tuple[Drawing, ...]:
    """Return the mean points a board after each board; nothing where fewer than two are played.

    Of two entrants it is the better seed's line with its interval; of more it is a line for each
    of the best.
    """
    met = boards_played(tournament)
    if len(results.standings.rows) == 2 and met:
        (one, two), pairs = next(iter(met.items()))
        return _of_two(names[one], names[two], pairs)
    ranked = [row.entrant for row in results.standings.rows][:MOST_LINES]
    series = []
    for entrant in ranked:
        own = _own_boards(entrant, met)
        if len(own) >= _FEWEST_BOARDS:
            sums = list(accumulate(own[board] for board in sorted(own)))
            kept = thinned(len(sums))
            series.append(
                Series(
                    names[entrant],
                    [index + 1 for index in kept],
                    [mean_points(sums[index]).value for index in kept],
                )
            )
    if not series:
        return ()
    whose = "" if len(ranked) == len(results.standings.rows) else f" of the best {len(ranked)}"
    ends = ", ".join(
        f"{each.name} {signed(each.y[-1])} after {count(int(each.x[-1]), 'board')}"
        for each in series
    )
    if len({each.x[-1] for each in series}) == 1:
        ends = f"after {count(int(series[0].x[-1]), 'board')}, " + ", ".join(
            f"{each.name} {signed(each.y[-1])}" for each in series
        )
    text = f"Mean points a board{whose} after each board; at the end, {ends}."
    return _drawn(
        Plot("Points a board, board by board", text, "boards", "points a board", tuple(series))
    )


def _own_boards(entrant: str, met: dict[tuple[str, str], dict[int, Pair]]) -> dict[int, Tally]:
    """Return the pairs of an entrant on each board, from its own side."""
    own: dict[int, Tally] = {}
    for (one, two), played in met.items():
        if entrant in (one, two):
            for board, pair in played.items():
                side = tally((pair if entrant == one else ~pair,))
                own[board] = own.get(board, Tally()) + side
    return own


def _of_two(one: str, two: str, pairs: dict[int, Pair]) -> tuple[Drawing, ...]:
    if len(pairs) < _FEWEST_BOARDS:
        return ()
    sums = _sums(pairs[board] for board in sorted(pairs))
    kept = [index for index in thinned(len(sums)) if index]
    means = [mean_points(sums[index]) for index in kept]
    series = Series(
        one,
        [index + 1 for index in kept],
        [each.value for each in means],
        [each.low for each in means],
        [each.high for each in means],
    )
    text = (
        f"Mean points a board of {one} against {two} after each board, with its 95% interval."
        f" After {count(len(sums), 'board')} it is {signed(means[-1].value)}"
        f" {margin(means[-1])}."
    )
    return _drawn(
        Plot("Points a board, board by board", text, "boards", "points a board", (series,))
    )


def course_plots(tournament: Tournament, results: Summary) -> tuple[Drawing, ...]:
    """Return the log likelihood ratio of the sequential test after each board it has looked at."""
    course, met = results.test, boards_played(tournament)
    if course is None or course.counted.boards < _FEWEST_BOARDS or not met:
        return ()
    pairs = next(iter(met.values()))
    sums = _sums(pairs[board] for board in range(1, course.counted.boards + 1))
    kept = thinned(len(sums))
    test = course.test
    line = Series(
        "LLR",
        [index + 1 for index in kept],
        [log_likelihood_ratio(test, sums[index]) for index in kept],
    )
    text = (
        f"The log likelihood ratio after each board, between {signed(test.lower, 2)}, where H0 is"
        f" accepted, and {signed(test.upper, 2)}, where H1 is. After"
        f" {count(course.counted.boards, 'board')} it is {signed(course.llr, 2)}."
    )
    rules = (Rule(test.upper, "H1 accepted"), Rule(test.lower, "H0 accepted"))
    return _drawn(
        Plot("The test, board by board", text, "boards", "log likelihood ratio", (line,), rules)
    )


def _sums(pairs: Iterable[Pair]) -> list[Tally]:
    return list(accumulate(tally((pair,)) for pair in pairs))


def thinned(length: int) -> Sequence[int]:
    """Return the indices of what is drawn: all, or evenly chosen ones with the first and last."""
    if length <= MOST_POINTS:
        return range(length)
    return [round(i * (length - 1) / (MOST_POINTS - 1)) for i in range(MOST_POINTS)]


def _drawn(plot: Plot) -> tuple[Drawing, ...]:
    return tuple(draw(plot, *size) for size in _SIZES)

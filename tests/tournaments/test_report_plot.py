"""Where the lines of a plot lie, and that they end at the figures beside the standings."""

import itertools
import math
import re

import pytest
from support_reports import EVENTS

from ginrummy.tournaments.event.summary import summary
from ginrummy.tournaments.report.figures import MINUS
from ginrummy.tournaments.report.graphs import course_plots, points_plots, thinned
from ginrummy.tournaments.report.naming import Names
from ginrummy.tournaments.report.plot import MOST_POINTS, Drawing, Plot, Rule, Series, draw


def drawn(*series: Series, rules: tuple[Rule, ...] = (), width: int = 600) -> Drawing:
    return draw(Plot("A title", "What it shows", "x", "y", series, rules), "wide", width, 300, 100)


def points(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path)]


def test_a_line_goes_from_edge_to_edge_and_stays_inside() -> None:
    plot = drawn(Series("a", [1, 2, 3, 4], [-3, 17, 4, 9]))
    line = points(plot.lines[0])
    assert (line[0][0], line[-1][0]) == (plot.left, plot.right)
    assert all(plot.top <= y <= plot.bottom for _, y in line)
    # More is further up.
    assert line[1][1] < line[3][1] < line[2][1] < line[0][1]


def test_the_band_holds_the_line() -> None:
    plot = drawn(Series("a", [1, 2], [0, 5], low=[-2, 3], high=[2, 7]))
    band, line = points(plot.bands[0]), points(plot.lines[0])
    assert band[0][1] < line[0][1] < band[3][1]
    assert band[1][1] < line[1][1] < band[2][1]


def test_the_wide_beginning_of_a_band_does_not_dwarf_the_rest() -> None:
    boards = list(range(1, 101))
    wide = [1000 / board**2 for board in boards]
    plot = drawn(Series("a", boards, [1.0] * 100, [1 - w for w in wide], [1 + w for w in wide]))
    assert max(abs(float(t.text.replace(MINUS, "-") or 0)) for t in plot.y_ticks) <= 20
    assert all(plot.top <= y <= plot.bottom for _, y in points(plot.bands[0]))


def test_labels_do_not_lie_over_each_other() -> None:
    plot = drawn(*(Series(str(n), [1, 2], [n, 10 + n / 100]) for n in range(8)))
    places = sorted(label.y for label in plot.labels)
    assert all(b - a >= 14.9 for a, b in itertools.pairwise(places))
    assert [label.name for label in plot.labels] == [str(n) for n in range(8)]
    assert places[-1] <= plot.bottom


def test_a_name_is_cut_to_the_room_for_it() -> None:
    plot = drawn(Series("a" * 15, [1, 2], [0, 1]), Series("b" * 14, [1, 2], [0, 2]))
    assert [label.name for label in plot.labels] == ["a" * 13 + "\N{HORIZONTAL ELLIPSIS}", "b" * 14]


def test_a_rule_lies_at_its_level() -> None:
    plot = drawn(Series("a", [1, 2], [0, 1]), rules=(Rule(3, "H1"), Rule(-3, "H0")))
    assert plot.rules[0].y < plot.rules[1].y
    assert plot.zero == pytest.approx((plot.rules[0].y + plot.rules[1].y) / 2)


@pytest.mark.parametrize("value", [0.0, 1e-9, 7.0, 123456.0])
def test_a_single_level_can_be_drawn(value: float) -> None:
    plot = drawn(Series("a", [1, 2], [value, value]))
    assert all(math.isfinite(y) for _, y in points(plot.lines[0]))
    assert len(plot.y_ticks) >= 2


def test_ticks_are_few_and_round() -> None:
    plot = drawn(Series("a", list(range(1, 201)), [0.1 * n for n in range(200)]))
    assert [tick.text for tick in plot.x_ticks] == ["50", "100", "150", "200"]
    assert [tick.text for tick in plot.y_ticks] == ["0", "+5", "+10", "+15", "+20"]


@pytest.mark.parametrize("name", ["three_bots", "twice", "duel", "hostile"])
def test_every_line_ends_at_the_figure_of_the_standings(name: str) -> None:
    event = EVENTS[name]().tournament
    results, names = summary(event), Names(event)
    wide, narrow = points_plots(event, results, names)
    assert wide.plot == narrow.plot
    for series in wide.plot.series:
        own = next(each for each in results.entrants if names[each.entrant] == series.name)
        assert own.points_a_board is not None
        assert series.y[-1] == pytest.approx(own.points_a_board.value)
        if series.low:
            ends = (series.low[-1], series.high[-1])
            assert ends == pytest.approx((own.points_a_board.low, own.points_a_board.high))


def test_the_tests_line_ends_at_its_ratio() -> None:
    event = EVENTS["duel"]().tournament
    results = summary(event)
    wide, _ = course_plots(event, results)
    (line,) = wide.plot.series
    assert results.test is not None
    assert line.x[-1] == results.test.counted.boards
    assert line.y[-1] == pytest.approx(results.test.llr)


def test_nothing_is_drawn_of_nothing() -> None:
    for name in ("empty", "waiting", "club", "elsewhere"):
        event = EVENTS[name]().tournament
        assert points_plots(event, summary(event), Names(event)) == ()
        assert course_plots(event, summary(event)) == ()


def test_a_long_course_isthinned() -> None:
    assert list(thinned(5)) == [0, 1, 2, 3, 4]
    kept = thinned(10_000)
    assert len(kept) == MOST_POINTS
    assert (kept[0], kept[-1]) == (0, 9_999)

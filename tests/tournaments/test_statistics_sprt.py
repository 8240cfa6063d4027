"""The sequential test: published ratios, error rates, and boards in the schedule's order."""

import math
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginrummy.tournaments.statistics.errors import InvalidSprtError
from ginrummy.tournaments.statistics.likelihood import logistic_llr, mean_llr, normalized_llr
from ginrummy.tournaments.statistics.pairs import Pair, Pentanomial, tally
from ginrummy.tournaments.statistics.sprt import (
    Course,
    Scale,
    Sprt,
    advance,
    call_off,
    catch_up,
    log_likelihood_ratio,
    parse_sprt,
)

WON, LOST, EVEN = Pair(30, 12), Pair(-30, -12), Pair(20, -20)
LONG, LONGER = (10789, 19328, 33806, 19402, 10543), (39, 2226, 31451, 2412, 40)
WHOLE = st.integers(0, 300)

# --- the ratios ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ratio", "results", "elo0", "elo1", "expected"),
    [
        (logistic_llr, (223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07),
        (logistic_llr, (871, 26175, 55983, 26678, 821), 0, 2, -4.98),
        (normalized_llr, (365, 16618, 36229, 16974, 390), 0, 2, 2.25),
        (normalized_llr, (127, 4883, 10712, 5150, 104), -1.75, 0.25, 3.01),
        (normalized_llr, (0, 0, 0, 0, 5550), 0, 5, 111.82),
    ],
)
def test_the_ratios_are_those_that_fastchess_publishes(
    ratio: Callable[..., float], results: Pentanomial, elo0: float, elo1: float, expected: float
) -> None:
    """The pentanomial cases of fastchess's `sprt_test.cpp`, with its tolerance of one per cent."""
    assert ratio(results, elo0, elo1) == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(
    ("ratio", "results", "elo0", "elo1", "expected"),
    [
        (logistic_llr, LONG, -3, 1, 2.1310678117940807),
        (logistic_llr, LONGER, 0.2, 0.9, 2.1625425800483598),
        (logistic_llr, (0, 10, 20, 50, 20), 0, 5, 1.4286861064744187),
        (logistic_llr, (3, 20, 45, 25, 7), 0, 10, 0.6959726064980855),
        (normalized_llr, LONGER, 0.764, 3.439, 2.1629408695845367),
        (normalized_llr, LONG, 0, 5, -26.838448639795093),
        (normalized_llr, LONG, 0, 20, -340.2492043700217),
        (normalized_llr, (0, 3, 10, 5, 2), 0, 5, 0.14646048082087207),
        (normalized_llr, (100, 200, 400, 250, 150), 0, 20, 7.004863094500454),
    ],
)
def test_the_ratios_are_fishtests(
    ratio: Callable[..., float], results: Pentanomial, elo0: float, elo1: float, expected: float
) -> None:
    """Values of fishtest's `LLRcalc`; the first two and the fifth are its own examples."""
    assert ratio(results, elo0, elo1) == pytest.approx(expected, rel=1e-7)


@given(st.tuples(WHOLE, WHOLE, WHOLE, WHOLE, WHOLE), st.integers(-60, 60), st.integers(1, 60))
def test_the_other_side_tests_the_mirror_image(results: Pentanomial, elo0: int, width: int) -> None:
    for ratio in (logistic_llr, normalized_llr):
        mirrored = ratio(results[::-1], -elo0, -elo0 - width)
        assert ratio(results, elo0, elo0 + width) == pytest.approx(mirrored, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(("ratio", "bound"), [(logistic_llr, 1000), (normalized_llr, 200)])
@pytest.mark.parametrize("results", [(0, 0, 0, 0, 3), (3, 0, 0, 0, 0), (0, 0, 9, 0, 0)])
def test_the_widest_bounds_have_a_ratio_too(
    ratio: Callable[..., float], bound: float, results: Pentanomial
) -> None:
    assert math.isfinite(ratio(results, -bound, bound))


def test_no_result_speaks_for_neither() -> None:
    test = Sprt(h0=0, h1=20)
    assert log_likelihood_ratio(test, tally(())) == pytest.approx(0, abs=1e-3)
    assert mean_llr(0, 0, 0, 0, 5) == 0


@given(st.lists(st.integers(-90, 90), min_size=2, max_size=30))
def test_the_ratio_of_means_is_that_of_two_fitted_normals(scores: list[int]) -> None:
    def likeliest(mean: float) -> float:
        variance = sum((x - mean) ** 2 for x in scores) / len(scores)
        return sum(
            -0.5 * math.log(2 * math.pi * variance) - (x - mean) ** 2 / 2 / variance for x in scores
        )

    found = mean_llr(len(scores), sum(scores), sum(x * x for x in scores), 0.5, 4.5)
    assert found == pytest.approx(likeliest(4.5) - likeliest(0.5), abs=1e-6)


def test_boards_that_all_score_a_bound_settle_it() -> None:
    assert mean_llr(20, 0, 0, 0, 5) == -math.inf
    assert mean_llr(20, 100, 500, 0, 5) == math.inf


# --- what a director writes ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("elo0=0,elo1=20", Sprt(h0=0, h1=20)),
        ("nelo0=-5, nelo1=5, alpha=0.01", Sprt(scale="nelo", h0=-5, h1=5, alpha=0.01)),
        ("beta=0.1,points1=4,points0=0", Sprt(scale="points", h0=0, h1=4, beta=0.1)),
    ],
)
def test_a_test_is_read(text: str, expected: Sprt) -> None:
    assert parse_sprt(text) == expected


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", ""),
        ("elo0=0", "elo0"),
        ("elo0=0,points1=5", "elo0, points1"),
        ("elo0=0,elo1=20,gamma=1", "elo0, elo1, gamma"),
        ("elo0=0,elo0=1,elo1=20", "elo0"),
        ("elo0=0,elo1=much", "elo1"),
        ("elo0=20,elo1=0", "h1"),
        ("elo0=0,elo1=0", "h1"),
        ("elo0=nan,elo1=0", "h0"),
        ("elo0=0,elo1=1001", "h1"),
        ("nelo0=-201,nelo1=0", "h0"),
        ("elo0=0,elo1=20,alpha=0", "alpha"),
        ("elo0=0,elo1=20,beta=0.5", "beta"),
    ],
)
def test_a_test_that_cannot_be_is_refused(text: str, field: str) -> None:
    with pytest.raises(InvalidSprtError) as refused:
        parse_sprt(text)
    assert refused.value.field == field


def test_the_bounds_are_walds() -> None:
    test = Sprt(h0=0, h1=20, alpha=0.05, beta=0.1)
    assert (test.lower, test.upper) == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))


# --- the course of a test -----------------------------------------------------------------------


def course(scale: Scale = "elo", h1: float = 100) -> Course:
    return Course(Sprt(scale=scale, h0=0, h1=h1))


def schedule(seed: int, boards: int = 300) -> dict[int, Pair]:
    rng = random.Random(seed)
    return {
        board: Pair(rng.randint(-40, 55), rng.randint(-40, 55)) for board in range(1, boards + 1)
    }


@pytest.mark.parametrize(("pair", "status"), [(WON, "accept_h1"), (LOST, "accept_h0")])
def test_no_decision_falls_before_the_least_boards(pair: Pair, status: str) -> None:
    fifteen = catch_up(course(), dict.fromkeys(range(1, 16), pair))
    assert fifteen.status == "running"
    assert abs(fifteen.llr) > fifteen.test.upper
    assert advance(fifteen, pair).status == status


@pytest.mark.parametrize("scale", ["elo", "nelo", "points"])
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_arrival_does_not_matter(scale: Scale, seed: int) -> None:
    """Boards in any order, looked at after each, end where the schedule's order ends."""
    boards = schedule(seed)
    expected = catch_up(course(scale, 20), boards)
    found, arrived = course(scale, 20), {}
    for board in random.Random(seed).sample(sorted(boards), len(boards)):
        arrived[board] = boards[board]
        found = catch_up(found, arrived)
    assert found == expected
    assert expected.status != "running"


def test_quick_wins_wait_for_the_slow_loss() -> None:
    """The first board is still under way: fifty finished ones behind it decide nothing."""
    quick = dict.fromkeys(range(2, 52), WON)
    assert catch_up(course(), quick) == course()
    assert catch_up(course(), quick | {1: LOST}).counted.losses == 1


def test_a_decision_falls_at_the_first_crossing_and_stands() -> None:
    """Later boards, known in the same moment and against it, do not undo it."""
    boards = dict.fromkeys(range(1, 41), WON) | dict.fromkeys(range(41, 400), LOST)
    decided = catch_up(course(), boards)
    assert (decided.status, decided.counted.boards) == ("accept_h1", 16)
    assert catch_up(decided, boards) == advance(decided, LOST) == call_off(decided) == decided


def test_a_stop_by_hand_is_no_decision() -> None:
    """Stopped at a ratio of -0.5, with boards still under way that would have decided it."""
    mixed = {board: (WON, EVEN, LOST)[board % 3] for board in range(1, 91)}
    running = catch_up(course(h1=23), mixed | {91: LOST, 92: LOST})
    assert running.llr == pytest.approx(-0.5, abs=0.1)
    stopped = call_off(running)
    assert (stopped.status, stopped.llr) == ("no_decision", running.llr)
    assert catch_up(stopped, dict.fromkeys(range(1, 400), LOST)) == stopped


def share_decided(scale: Scale, h1: float, deal: Callable[[random.Random], Pair]) -> float:
    """Return in how many of 250 tests h1 was accepted; every test comes to a decision."""
    rng = random.Random(2026)
    accepted = 0
    for _test in range(250):
        run = course(scale, h1)
        while run.status == "running":
            run = advance(run, deal(rng))
        accepted += run.status == "accept_h1"
    return accepted / 250


def hands(lead: float, edge: float) -> Callable[[random.Random], Pair]:
    """Return a dealer of pairs: hands won with a chance of 1/2 + `edge`, worth `lead` more."""

    def hand(rng: random.Random) -> int:
        size = rng.choice((3, 8, 14, 25, 38, 51))
        return round((size if rng.random() < 0.5 + edge else -size) + lead / 2)

    return lambda rng: Pair(hand(rng), hand(rng))


def test_the_errors_in_elo_are_near_five_in_a_hundred() -> None:
    """h1 is a score of 0.64 a hand; overshoot makes both errors a little rarer than asked."""
    edge = 0.14
    h1 = 400 * math.log10((0.5 + edge) / (0.5 - edge))
    assert 0.01 <= share_decided("elo", h1, hands(0, 0)) <= 0.08
    assert 0.92 <= share_decided("elo", h1, hands(0, edge)) <= 0.99


def test_the_errors_in_points_are_near_five_in_a_hundred() -> None:
    assert 0.01 <= share_decided("points", 20, hands(0, 0)) <= 0.08
    assert 0.92 <= share_decided("points", 20, hands(20, 0)) <= 0.99

"""Means and their intervals, the sign test and the worth of duplicate boards, beside scipy's."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ginrummy.tournaments.statistics.errors import NoBoardsError
from ginrummy.tournaments.statistics.intervals import (
    Estimate,
    mean_by_board,
    mean_points,
    narrowing,
    sign_test,
)
from ginrummy.tournaments.statistics.pairs import Pair, Tally, tally
from ginrummy.tournaments.statistics.student import two_sided_t

POINTS = st.integers(-200, 200)
PAIRS = st.lists(st.builds(Pair, POINTS, POINTS), min_size=2, max_size=30)


def single(*scores: int) -> list[Pair]:
    return [Pair(score, 0) for score in scores]


# --- Student's t --------------------------------------------------------------------------------


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.95, 0.99, 0.999])
@pytest.mark.parametrize(
    "freedom", [1, 2, 3, 4, 5, 8, 13, 29, 30, 99, 100, 101, 102, 250, 1999, 100_000]
)
def test_the_quantiles_are_scipys(freedom: int, confidence: float) -> None:
    expected = stats.t.ppf((1 + confidence) / 2, freedom)
    assert two_sided_t(freedom, confidence) == pytest.approx(expected, rel=1e-8)


def test_the_quantiles_are_the_printed_tables() -> None:
    printed = {1: 12.706, 2: 4.303, 5: 2.571, 10: 2.228, 30: 2.042, 120: 1.980}
    assert {n: round(two_sided_t(n, 0.95), 3) for n in printed} == printed


@pytest.mark.parametrize(("freedom", "confidence"), [(0, 0.95), (5, 0.0), (5, 1.0)])
def test_what_has_no_quantile_is_refused(freedom: int, confidence: float) -> None:
    with pytest.raises(ValueError, match="no quantile"):
        two_sided_t(freedom, confidence)


# --- the mean -----------------------------------------------------------------------------------


@given(PAIRS)
def test_the_interval_is_scipys(pairs: list[Pair]) -> None:
    estimate = mean_points(tally(pairs))
    scores = [pair.points for pair in pairs]
    mean, error = sum(scores) / len(scores), stats.sem(scores)
    reach = stats.t.ppf(0.975, len(scores) - 1) * error
    assert (estimate.value, estimate.margin) == pytest.approx((mean, reach), abs=1e-9)


def test_one_board_says_nothing_of_its_spread() -> None:
    assert mean_points(tally(single(31))) == Estimate(31.0, -math.inf, math.inf)


def test_no_board_has_no_mean() -> None:
    with pytest.raises(NoBoardsError, match="needs 1 boards, and there are 0"):
        mean_points(Tally())
    with pytest.raises(NoBoardsError):
        mean_by_board([Tally(), Tally()])


@given(PAIRS)
def test_the_opponents_mean_is_the_same_the_other_way(pairs: list[Pair]) -> None:
    mine, theirs = mean_points(tally(pairs)), mean_points(~tally(pairs))
    assert (theirs.value, theirs.low, theirs.high) == (-mine.value, -mine.high, -mine.low)


@given(PAIRS)
def test_by_board_against_one_opponent_is_the_plain_mean(pairs: list[Pair]) -> None:
    plain, by_board = mean_points(tally(pairs)), mean_by_board([tally([pair]) for pair in pairs])
    assert (by_board.value, by_board.margin) == pytest.approx((plain.value, plain.margin), abs=1e-9)


def test_opponents_who_echo_each_other_add_nothing() -> None:
    """Three equal results on each board are one observation, whatever their number."""
    scores = (12, -40, 7, 33, -5)
    once = [tally(single(score)) for score in scores]
    thrice = [tally(single(score, score, score)) for score in scores]
    expected, found = mean_by_board(once), mean_by_board(thrice)
    assert (found.value, found.margin) == pytest.approx((expected.value, expected.margin))
    assert mean_points(sum(thrice, Tally())).margin < 0.6 * expected.margin


def test_95_intervals_hold_the_true_mean_95_times_in_100() -> None:
    rng = random.Random(7)
    held = 0
    for _event in range(1000):
        pairs = [
            Pair(rng.choice((-40, -20, -10, 15, 25, 33)), rng.randint(-30, 30)) for _ in range(20)
        ]
        estimate = mean_points(tally(pairs))
        held += estimate.low <= 0.5 <= estimate.high
    assert 930 <= held <= 970


# --- the sign test ------------------------------------------------------------------------------


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_sign_test_is_scipys(wins: int, losses: int) -> None:
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert sign_test(wins, losses) == pytest.approx(expected, rel=1e-9)


def test_the_sign_test_holds_for_many_boards() -> None:
    assert sign_test(1080, 920) == pytest.approx(stats.binomtest(1080, 2000).pvalue, rel=1e-9)
    assert sign_test(0, 5000) == 0.0


# --- what duplicate boards are worth ------------------------------------------------------------


def test_unrelated_hands_spare_nothing() -> None:
    rng = random.Random(3)
    pairs = [Pair(rng.randint(-50, 50), rng.randint(-50, 50)) for _ in range(4000)]
    ratio = narrowing(pairs).variance_ratio
    assert ratio.value == pytest.approx(1.0, abs=0.05)
    assert ratio.low < 1 < ratio.high


def test_luck_that_swaps_with_the_seats_cancels() -> None:
    """A deal worth L to the dealer, and a rest of a quarter of its variance, leave a fifth."""
    rng = random.Random(4)
    pairs = []
    for _board in range(4000):
        luck = rng.gauss(0, 20)
        pairs.append(Pair(round(luck + rng.gauss(0, 10)), round(-luck + rng.gauss(0, 10))))
    found = narrowing(pairs)
    assert found.variance_ratio.value == pytest.approx(0.2, abs=0.02)
    assert found.width_ratio.value == pytest.approx(math.sqrt(found.variance_ratio.value))


def test_the_dealers_advantage_is_no_luck() -> None:
    """Ordinary hands change the dealer too, so a fixed edge of the deal is in neither variance."""
    pairs = [Pair(30, -30), Pair(36, -30), Pair(30, -36), Pair(36, -36)]
    assert narrowing(pairs).variance_ratio.value == pytest.approx(1.0)


def test_a_deal_that_decides_all_leaves_nothing() -> None:
    pairs = [Pair(score, -score) for score in (25, -12, 40, 0)]
    assert narrowing(pairs).variance_ratio == Estimate(0.0, 0.0, 0.0)


def test_hands_without_spread_tell_nothing() -> None:
    assert narrowing([Pair(0, 0)] * 5).variance_ratio == Estimate(1.0, 0.0, math.inf)
    with pytest.raises(NoBoardsError, match="needs 2"):
        narrowing([Pair(3, 4)])


def test_the_ratios_interval_holds_the_true_ratio() -> None:
    rng = random.Random(5)
    held = 0
    for _event in range(300):
        pairs = []
        for _board in range(100):
            luck = rng.choice((-30, -15, 15, 30))
            pairs.append(Pair(luck + rng.randint(-20, 20), -luck + rng.randint(-20, 20)))
        # The luck's variance is 562.5 and the rest's 140 a hand.
        ratio = narrowing(pairs).variance_ratio
        held += ratio.low <= 140 / (562.5 + 140) <= ratio.high
    assert 275 <= held <= 295


# --- the order of results -----------------------------------------------------------------------


@given(st.lists(PAIRS, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_the_order_in_which_tables_end_changes_no_bit(
    meetings: list[list[Pair]], rng: random.Random
) -> None:
    shuffled = [rng.sample(pairs, len(pairs)) for pairs in rng.sample(meetings, len(meetings))]
    assert narrowing(*shuffled) == narrowing(*meetings)
    boards, later = ([tally(pairs) for pairs in each] for each in (meetings, shuffled))
    assert mean_by_board(later) == mean_by_board(boards)

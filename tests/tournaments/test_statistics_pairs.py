"""Pairs and their sums: what adds up, and what the other side sees."""

from hypothesis import given
from hypothesis import strategies as st

from ginrummy.tournaments.statistics.pairs import Pair, Tally, tally

POINTS = st.integers(-200, 200)
PAIRS = st.lists(st.builds(Pair, POINTS, POINTS), max_size=30)


def test_a_pair_scores_both_hands() -> None:
    pair = Pair(as_dealer=25, as_non_dealer=-31)
    assert (pair.points, pair.half_wins) == (-6, 2)


def test_a_void_hand_is_half_a_win_for_each() -> None:
    assert [Pair(points, 0).half_wins for points in (-10, 0, 10)] == [1, 2, 3]


def test_the_other_side_dealt_the_other_hand() -> None:
    assert ~Pair(as_dealer=25, as_non_dealer=-31) == Pair(as_dealer=31, as_non_dealer=-25)


def test_a_tally_counts_every_kind() -> None:
    pairs = [Pair(10, 5), Pair(10, 0), Pair(10, -10), Pair(0, 0), Pair(-40, 0), Pair(-1, -2)]
    assert tally(pairs) == Tally(
        wins=2,
        draws=2,
        losses=2,
        pentanomial=(1, 1, 2, 1, 1),
        points=-18,
        squares=15 * 15 + 10 * 10 + 40 * 40 + 3 * 3,
    )


@given(PAIRS, PAIRS, PAIRS)
def test_sums_are_the_same_in_any_order(
    some: list[Pair], more: list[Pair], rest: list[Pair]
) -> None:
    assert tally(some + more + rest) == tally(rest) + (tally(more) + tally(some))
    assert sum(map(tally, (some, more, rest)), Tally()) == tally([*rest, *some, *more])


@given(PAIRS)
def test_every_pair_is_counted_once_in_each_account(pairs: list[Pair]) -> None:
    total = tally(pairs)
    assert total.boards == sum(total.pentanomial) == len(pairs)
    assert total.points == sum(pair.points for pair in pairs)


@given(PAIRS)
def test_two_swaps_are_none(pairs: list[Pair]) -> None:
    total = tally(pairs)
    assert ~total == tally(~pair for pair in pairs)
    assert ~~total == total
    assert (total + ~total).points == 0

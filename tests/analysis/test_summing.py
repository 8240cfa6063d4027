"""What a seat's decisions come to: figures added up, errors in squares, and nobody else's."""

from math import sqrt

import pytest
from msgspec.structs import replace
from support_golden import golden_log

from ginrummy.analysis.deciding import decided_hand
from ginrummy.analysis.figures import Estimate
from ginrummy.analysis.judging import HandJudged, Judged, judge_hand
from ginrummy.analysis.laying_off import LayOffJudged
from ginrummy.analysis.recording import read_match
from ginrummy.analysis.summing import tally_of

BLANK = Judged(
    seq=1, seat=0, move="draw", before=30, after=30, outs=None, choices=2, expected=None,
    best="take", gave_away=Estimate(0.0, 0.0), knock=None, lay_off=None,
)  # fmt: skip


@pytest.fixture(scope="module")
def hands() -> list[HandJudged]:
    return [
        judge_hand(decided_hand(logged), worlds=4)
        for logged in read_match(golden_log("classic")).hands
    ]


def hand_of(*decisions: Judged) -> HandJudged:
    empty = judge_hand(decided_hand(read_match(golden_log("classic")).hands[0]), seats=(), worlds=4)
    return replace(empty, decisions=decisions)


def test_figures_are_added_and_their_errors_in_squares() -> None:
    first = replace(BLANK, gave_away=Estimate(4.0, 3.0))
    second = replace(BLANK, gave_away=Estimate(-1.5, 4.0))
    found = tally_of([hand_of(first, second), hand_of()], 0)
    assert found.gave_away == Estimate(2.5, 5.0)
    assert (found.hands, found.choices) == (1, 2)


def test_what_is_more_than_two_errors_above_zero_is_clear() -> None:
    figures = [Estimate(4.1, 2.0), Estimate(4.0, 2.0), Estimate(9.0, None), Estimate(0.0, 0.0)]
    found = tally_of([hand_of(*(replace(BLANK, gave_away=each) for each in figures))], 0)
    assert found.clear == 1


def test_where_there_was_no_choice_nothing_was_given_away() -> None:
    forced = replace(BLANK, choices=1, gave_away=Estimate(7.0, 1.0))
    assert tally_of([hand_of(forced)], 0).choices == 0
    assert tally_of([hand_of(forced)], 0).gave_away == Estimate(0.0, 0.0)


def test_missed_lay_offs_are_points_left_beyond_the_least() -> None:
    laid = [
        replace(BLANK, gave_away=None, lay_off=LayOffJudged(left, 4, (), (), ()))
        for left in (4, 9, 24)
    ]
    found = tally_of([hand_of(*laid)], 0)
    assert (found.lay_offs, found.missed, found.choices) == (3, 25, 0)


def test_each_seat_has_its_own(hands: list[HandJudged]) -> None:
    both = [tally_of(hands, seat) for seat in (0, 1)]
    for seat in (0, 1):
        figures = [
            each.gave_away
            for hand in hands
            for each in hand.decisions
            if each.seat == seat and each.gave_away is not None and each.choices > 1
        ]
        assert both[seat].choices == len(figures)
        assert both[seat].gave_away.mean == pytest.approx(sum(each.mean for each in figures))
        assert both[seat].gave_away.error == pytest.approx(
            sqrt(sum((each.error or 0) ** 2 for each in figures))
        )
    assert tally_of([], 1).hands == 0

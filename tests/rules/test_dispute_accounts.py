"""What rulings make of a match's result (rules R6 to R9)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_disputes import (
    SECOND_JUDGE,
    after,
    appealing,
    broken_off,
    disputable,
    disputed,
    opening,
    ruling,
    standing,
    to_40,
)
from support_knocks import FOR_24, dealt_from, non_dealer_wins
from support_rules import PLAYERS, SEATS, START, begun

from ginrummy.rules import match as matches
from ginrummy.rules.cards import BySeat, Seat, other
from ginrummy.rules.commands import Abort
from ginrummy.rules.disputes.commands import Disputed, OpenDispute, TakeReplay
from ginrummy.rules.disputes.events import DisputeReason, HandPoints, ResultAdjusted, Ruling
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import MatchEnded
from ginrummy.rules.match import Ended, Score
from ginrummy.rules.scoring import end_match

REPLAY = "m_" + "0" * 26


def back(scored: HandPoints | None, instance: int = 1) -> TakeReplay:
    """Return the server's wish to take the replay of the first dispute back."""
    return TakeReplay(1, 2 if instance == 2 else 1, REPLAY, 70, "c0" * 32, "hands", scored)


def account(over: Ended) -> tuple[object, ...]:
    """Return all of a result as it stands."""
    return tuple(getattr(over.outcome, name) for name in MatchEnded.__struct_fields__)


# --- which rulings change the result ------------------------------------------------------------


def test_as_played() -> None:
    """What the rest of this page starts from: seat 0 has won the hands 1 and 3, seat 1 hand 2."""
    assert standing(to_40()) == ("target", 0, BySeat(48, 24))
    assert to_40().outcome.totals == BySeat(48 + 100 + 50, 24 + 25)


@pytest.mark.parametrize("what", ["dismiss", "uphold"])
def test_dismissing_and_upholding_change_nothing(what: Ruling) -> None:
    """R6 there is no event of a new result then."""
    over = disputed()
    events = matches.decide(over, ruling(what), START)
    assert len(events) == 1
    assert disputed(ruling("uphold")).outcome == to_40().outcome


def test_adjusted_points_make_another_account_and_its_event() -> None:
    """R7 with every bonus worked out anew."""
    events = matches.decide(disputed(), ruling("adjust", points=BySeat(-3, 9)), START)
    right = end_match(to_40().terms.rules, "target", 0, BySeat(45, 33), BySeat(2, 1))
    assert events[1:] == (
        ResultAdjusted(
            dispute=1,
            reason="target",
            winner=0,
            points=BySeat(45, 33),
            hands_won=BySeat(2, 1),
            game_bonus=right.game_bonus,
            box_bonus=right.box_bonus,
            doubled=False,
            totals=right.totals,
        ),
    )
    over = disputed(ruling("adjust", points=BySeat(-3, 9)))
    assert over.outcome == right
    assert over.score == Score(BySeat(45, 33), BySeat(2, 1))
    assert over.as_played == to_40().outcome


def test_whoever_has_reached_the_target_wins() -> None:
    """R7 of two who have, the one with more points; with as many, nobody."""
    assert standing(disputed(ruling("adjust", points=BySeat(-30, 16)))) == (
        "target",
        1,
        BySeat(18, 40),
    )
    assert standing(disputed(ruling("adjust", points=BySeat(0, 25))))[:2] == ("target", 1)
    assert standing(disputed(ruling("adjust", points=BySeat(0, 24))))[:2] == ("target", None)


def test_where_nobody_has_reached_the_target_any_more_the_leader_wins_by_the_ruling() -> None:
    """R7 without the bonuses of a match won on points."""
    over = disputed(ruling("adjust", points=BySeat(-9, 0)))
    assert standing(over) == ("ruling", 0, BySeat(39, 24))
    assert over.outcome.totals == over.outcome.points
    assert standing(disputed(ruling("adjust", points=BySeat(-24, 0))))[:2] == ("ruling", None)


def test_a_void_hand_counts_for_nobody() -> None:
    """R6 neither its points nor that it was won."""
    over = disputed(ruling("void"))
    assert standing(over) == ("ruling", None, BySeat(24, 24))
    assert over.outcome.hands_won == BySeat(1, 1)
    assert standing(disputed(ruling("void"), hand=2)) == ("target", 0, BySeat(48, 0))
    assert disputed(ruling("void"), hand=2).outcome.doubled


def test_a_hand_played_again_is_void_until_it_comes_back() -> None:
    """R8 and then counts as it was played again."""
    assert standing(disputed(ruling("replay"))) == ("ruling", None, BySeat(24, 24))
    over = disputed(ruling("replay"), back(HandPoints(1, 31)))
    assert standing(over) == ("target", 1, BySeat(24, 55))
    assert over.outcome.hands_won == BySeat(1, 2)
    nobody = disputed(ruling("replay"), back(None))
    assert standing(nobody) == ("ruling", None, BySeat(24, 24))


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("hand", [2, None])
def test_whoever_forfeits_has_lost_however_it_stands(seat: Seat, hand: int | None) -> None:
    """R6, X3 and the points stay."""
    over = disputed(ruling("forfeit", seat=seat), hand=hand)
    assert standing(over) == ("ruling", other(seat), BySeat(48, 24))
    assert over.outcome.totals == BySeat(48, 24)


def test_where_both_forfeit_nobody_has_won() -> None:
    over = after(
        disputed(ruling("forfeit", seat=0)), opening(0), ruling("forfeit", seat=1, dispute=2)
    )
    assert standing(over)[:2] == ("ruling", None)


# --- several disputes, and appeals --------------------------------------------------------------


def test_rulings_on_several_disputes_add_up() -> None:
    over = after(
        disputed(ruling("adjust", points=BySeat(-2, 0))),
        opening(0, 1),
        ruling("adjust", points=BySeat(0, 5), dispute=2),
    )
    assert standing(over)[2] == BySeat(46, 29)


def test_what_was_put_right_of_a_hand_goes_with_the_hand() -> None:
    """R7 a correction of a hand that is void is void too."""
    over = after(
        disputed(ruling("adjust", points=BySeat(-10, 0))), opening(0), ruling("void", dispute=2)
    )
    assert standing(over)[2] == BySeat(24, 24)


def test_a_ruling_on_appeal_takes_the_place_of_the_first_one() -> None:
    """R9 and where it changes the result back, there is an event of that as well."""
    over = disputed(ruling("void"), appealing())
    events = matches.decide(over, ruling("dismiss", by=SECOND_JUDGE), START)
    assert isinstance(events[1], ResultAdjusted)
    back_again = after(over, ruling("dismiss", by=SECOND_JUDGE))
    assert account(back_again) == account(to_40())
    assert standing(after(over, ruling("adjust", points=BySeat(-1, 0), by=SECOND_JUDGE)))[2] == (
        BySeat(47, 24)
    )


def test_a_ruling_on_appeal_that_is_the_same_changes_nothing_more() -> None:
    over = disputed(ruling("void"), appealing())
    assert len(matches.decide(over, ruling("void", by=SECOND_JUDGE), START)) == 1


def test_a_replay_on_appeal_is_another_one() -> None:
    over = disputed(ruling("replay"), back(HandPoints(1, 31)), appealing())
    again = after(over, ruling("replay", by=SECOND_JUDGE))
    assert standing(again)[2] == BySeat(24, 24)
    assert standing(after(again, back(HandPoints(0, 11), 2)))[2] == BySeat(35, 24)


# --- matches that ended in other ways -----------------------------------------------------------


def broken_hand(over: Ended, what: Ruling) -> Ended:
    """Return a broken-off match after a ruling on the hand in which it ended."""
    about = Disputed(2, 21, 30, None)
    wish = OpenDispute(PLAYERS[1], about, 30, "clock_wrong", "I had time left.")
    return after(over, wish, ruling(what))


def test_with_the_hand_goes_the_end_that_came_in_it() -> None:
    """R7 who resigned in it, or was out of time, has not lost by that; the points decide."""
    assert standing(broken_off(0)) == ("resigned", 1, BySeat(24, 0))
    assert standing(broken_hand(broken_off(0), "void")) == ("ruling", 0, BySeat(24, 0))
    over = after(broken_hand(broken_off(0), "replay"), back(HandPoints(1, 80)))
    assert standing(over) == ("ruling", 1, BySeat(24, 80))
    won = after(broken_hand(broken_off(0), "replay"), back(HandPoints(0, 76)))
    assert standing(won) == ("target", 0, BySeat(100, 0))


def test_points_do_not_undo_an_end_by_resignation() -> None:
    over = after(broken_off(0), opening(1, 1), ruling("adjust", points=BySeat(30, 0)))
    assert standing(over) == ("resigned", 1, BySeat(54, 0))
    assert standing(after(broken_off(0), opening(1, 1), ruling("void"))) == (
        "resigned",
        1,
        BySeat(0, 0),
    )


def test_a_match_that_was_given_up_counts_for_nobody_whatever_is_ruled() -> None:
    match = matches.evolve(*_given_up())
    assert isinstance(match, Ended)
    assert standing(broken_hand(match, "void"))[:2] == ("aborted", None)
    assert standing(after(match, opening(), ruling("forfeit", seat=0)))[:2] == ("ruling", 1)


def _given_up() -> tuple[matches.Match, MatchEnded, int]:
    match = dealt_from(non_dealer_wins(begun(disputable())), FOR_24)
    (end,) = matches.decide(match, Abort("aborted"), START)
    assert isinstance(end, MatchEnded)
    return match, end, START


def test_a_match_over_so_many_hands_goes_to_whoever_leads() -> None:
    terms = disputable(hands=3, target=1000)
    over = after(to_40(terms), opening(hand=3), ruling("adjust", points=BySeat(-25, 0)))
    assert standing(over) == ("hands", 1, BySeat(23, 24))


# --- whatever is ruled --------------------------------------------------------------------------

_POINTS = st.tuples(st.integers(-60, 60), st.integers(-60, 60)).filter(any)
_RULINGS: st.SearchStrategy[tuple[Ruling, BySeat[int], Seat | None]] = st.one_of(
    st.builds(lambda points: ("adjust", BySeat(*points), None), _POINTS),
    st.sampled_from(
        [(what, BySeat(0, 0), None) for what in ("void", "replay", "dismiss", "uphold")]
    ),
    st.sampled_from([("forfeit", BySeat(0, 0), seat) for seat in SEATS]),
)
_REASONS: tuple[DisputeReason, ...] = ("score_wrong", "other", "conduct", "cards_seen")


def _ruled(over: Ended, what: Ruling, points: BySeat[int], seat: Seat | None, number: int) -> Ended:
    return after(over, ruling(what, dispute=number, points=points, seat=seat))


@given(
    st.lists(_RULINGS, min_size=1, max_size=4),
    st.lists(st.sampled_from([1, 2, 3, None]), min_size=4, max_size=4),
    st.randoms(),
)
def test_the_result_follows_from_the_rulings_that_stand_and_not_from_their_order(
    rulings: list[tuple[Ruling, BySeat[int], Seat | None]],
    hands: list[int | None],
    rng: random.Random,
) -> None:
    """R7 the account is worked out anew each time, so that no order can spoil it."""
    opened = to_40()
    for reason, hand in zip(_REASONS, hands, strict=True):
        opened = after(opened, opening(hand=hand, reason=reason))
    order = list(range(len(rulings)))
    outcomes, reasons = [], set[Reason]()
    for _ in range(2):
        over = opened
        try:
            for place in order:
                over = _ruled(over, *rulings[place], place + 1)
                assert min(over.outcome.points) >= 0
        except IllegalMoveError as refusal:
            reasons.add(refusal.reason)
        else:
            outcomes.append(over.outcome)
        rng.shuffle(order)
    assert len(set(map(repr, outcomes))) <= 1
    assert reasons <= {Reason.INVALID_RULING}

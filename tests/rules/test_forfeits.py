"""A match that is ended from outside: a seat made to lose, a match given up (rule X3)."""

from typing import get_args

import pytest
from support_knocks import FOR_24, TO_THE_DRAW, dealer_wins, dealt_from, moved
from support_rules import (
    SEATS,
    SECOND,
    START,
    begun,
    carried_out,
    gathered,
    given_match,
    opened,
    playing,
    started,
)

from ginrummy.rules.cards import BySeat, Seat, other
from ginrummy.rules.commands import Abort, Command, Forfeit, Pause, Resign
from ginrummy.rules.errors import Reason
from ginrummy.rules.events import AbortReason, Forfeited, ForfeitReason, Limits, MatchEnded
from ginrummy.rules.match import Ended, Match, deadline
from ginrummy.rules.wishes import wish_of

_LEADING = dealer_wins(begun())
"""A match in which seat 0 leads after its first hand, and the next one is to be dealt."""

_ANY_TIME = {
    "nobody came": gathered(None, opened()),
    "one seat is taken": gathered(None, *started()[:2]),
    "a nonce is awaited": gathered(None, *started()[:4]),
    "the first deal is due": begun(),
    "a hand is played": playing(FOR_24, *TO_THE_DRAW[:1]),
    "paused": carried_out(playing(FOR_24), Pause())[1],
    "the next deal is due": _LEADING,
}

any_time = pytest.mark.parametrize("match", _ANY_TIME.values(), ids=_ANY_TIME.keys())


def _outcome(match: Match) -> MatchEnded:
    assert isinstance(match, Ended)
    return match.outcome


@any_time
@pytest.mark.parametrize("reason", ["crash", "stall", "no_show", "withdrawn"])
@pytest.mark.parametrize("seat", SEATS)
def test_a_seat_can_be_made_to_lose_at_any_time(
    match: Match, reason: ForfeitReason, seat: Seat
) -> None:
    """X3 the other seat wins, however it stood, and the record says why."""
    events, over = carried_out(match, Forfeit(seat, reason))
    assert events == (Forfeited(seat, reason), _outcome(over))
    assert (_outcome(over).reason, _outcome(over).winner) == (reason, other(seat))
    assert wish_of(match, events[0]) == Forfeit(seat, reason)


@any_time
@pytest.mark.parametrize("reason", get_args(AbortReason))
def test_a_match_can_be_given_up_at_any_time(match: Match, reason: AbortReason) -> None:
    events, over = carried_out(match, Abort(reason))
    assert events == (_outcome(over),)
    assert _outcome(over).reason == reason
    assert wish_of(match, events[0]) == Abort(reason)


def test_a_match_that_is_given_up_has_no_winner() -> None:
    over = _outcome(carried_out(_LEADING, Abort("aborted"))[1])
    assert over.winner is None
    assert over.points == over.totals
    assert over.points[0] > over.points[1] == 0


def test_where_the_rounds_time_is_over_the_leader_wins() -> None:
    over = _outcome(carried_out(_LEADING, Abort("round_clock"))[1])
    assert over.winner == 0
    assert over.game_bonus == over.box_bonus == BySeat(0, 0)
    in_hand = dealt_from(_LEADING, FOR_24)
    assert _outcome(carried_out(in_hand, Abort("round_clock"))[1]) == over
    for equal in (begun(), playing(FOR_24), gathered(None, opened())):
        assert _outcome(carried_out(equal, Abort("round_clock"))[1]).winner is None


@pytest.mark.parametrize("command", [Forfeit(1, "stall"), Abort("aborted")])
def test_it_is_possible_when_a_decisions_time_is_over(command: Command) -> None:
    match = playing(FOR_24, terms=opened(limits=Limits(idle_ms=1000)))
    end = deadline(match)
    assert end == START + SECOND
    assert isinstance(carried_out(match, command, end + 1)[1], Ended)


@pytest.mark.parametrize("command", [Forfeit(0, "crash"), Abort("aborted"), Abort("round_clock")])
def test_nothing_is_ended_twice(command: Command) -> None:
    over = moved(playing(FOR_24), Resign())
    given_match(over).when(command).refused(Reason.MATCH_OVER, "X1")

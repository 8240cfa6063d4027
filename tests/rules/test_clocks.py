"""How long anybody may think, and what happens after (rule X3)."""

import pytest
from support_knocks import FOR_24, TO_THE_DRAW, non_dealer_wins
from support_rules import (
    SECOND,
    START,
    begun,
    carried_out,
    gathered,
    given_match,
    opened,
    playing,
    started,
    turn,
)

from ginrummy.rules import match as matches
from ginrummy.rules.cards import Card, Seat
from ginrummy.rules.commands import (
    Deal,
    Discard,
    Draw,
    Expire,
    Forfeit,
    Knock,
    LayOff,
    Move,
    Pass,
    Pause,
    Play,
    Resign,
    Resume,
    Take,
)
from ginrummy.rules.errors import Reason
from ginrummy.rules.events import (
    ClockExpired,
    ClockPaused,
    ClockResumed,
    Limits,
    MatchCreated,
    MatchEnded,
    Resigned,
    TimeControl,
)
from ginrummy.rules.match import Dealing, Ended, Instant, Match, Playing

MINUTE = 60 * SECOND
BLITZ = opened(clock=TimeControl(bank_ms=60_000, increment_ms=2_000))
"""A minute for the whole match, and two seconds more after each decision."""
PER_MOVE = opened(clock=TimeControl(decision_ms=10_000))
"""Ten seconds for each decision."""


def timed(*moves: tuple[Move, int], terms: MatchCreated = BLITZ) -> tuple[Match, Instant]:
    """Return the match after moves that took so many seconds each, and the instant then."""
    match, at = playing(FOR_24, terms=terms), START
    for move, seconds in moves:
        at += seconds * SECOND
        match = carried_out(match, Play(turn(match), move), at)[1]
    return match, at


def bank(match: Match) -> tuple[float, float]:
    """Return the seats' banks in seconds."""
    assert isinstance(match, Playing | Dealing | Ended)
    assert match.clock.bank is not None
    return match.clock.bank[0] / SECOND, match.clock.bank[1] / SECOND


def ended(match: Match) -> MatchEnded:
    """Return the match's outcome."""
    assert isinstance(match, Ended)
    return match.outcome


# --- the bank -----------------------------------------------------------------------------------


def test_both_banks_start_full() -> None:
    """The first decision's time begins with the deal."""
    match, at = timed()
    assert bank(match) == (60, 60)
    assert matches.deadline(match) == at + MINUTE


def test_a_decision_takes_its_time_from_the_bank_and_adds_the_increment() -> None:
    """Whoever decides pays, and nobody else."""
    match, at = timed((Pass(), 5), (Pass(), 50), (Draw(), 1))
    assert bank(match) == (60 - 50 + 2, 60 - 5 + 2 - 1 + 2)
    assert matches.deadline(match) == at + 58 * SECOND


def test_a_decision_in_the_last_instant_counts() -> None:
    """The time is over after the deadline, not on it."""
    match, at = timed((Pass(), 60))
    assert bank(match)[1] == 2
    given_match(match).when(Play(0, Pass()), at + MINUTE + 1).refused(Reason.TIME_OVER, "X3")


def test_after_the_deadline_only_the_clock_decides() -> None:
    """X3 the seat has lost, and the record says by what."""
    match, _ = timed()
    late = START + MINUTE + 1
    given_match(match).when(Play(1, Take()), late).refused(Reason.TIME_OVER, "X3")
    given_match(match).when(Pause(), late).refused(Reason.TIME_OVER, "X3")
    given_match(match).when(Forfeit(1), late).refused(Reason.TIME_OVER, "X3")
    events, over = carried_out(match, Expire(), late)
    assert events == (ClockExpired(1), ended(over))
    assert (ended(over).reason, ended(over).winner) == ("clock", 0)


def test_no_time_is_over_before_the_deadline() -> None:
    """An early timer changes nothing."""
    match, at = timed((Pass(), 5))
    for early in (at, at + MINUTE - 1, at + MINUTE):
        given_match(match).when(Expire(), early).refused(Reason.NOT_ALLOWED_NOW, "")
    assert isinstance(carried_out(match, Expire(), at + MINUTE + 1)[1], Ended)


def test_an_old_timer_does_not_fire_late() -> None:
    """The deadline of a decision that was made is nobody's any more."""
    match, _ = timed((Pass(), 59), (Pass(), 59))
    given_match(match).when(Expire(), START + MINUTE + 1).refused(Reason.NOT_ALLOWED_NOW, "")


def test_the_bank_is_for_the_whole_match() -> None:
    """A new hand goes on with what is left, and the time between two hands is nobody's."""
    match, at = timed(*((move, 5) for move in (*TO_THE_DRAW, Knock(Card("KH")), LayOff())))
    assert isinstance(match, Dealing)
    assert bank(match) == (60 - 2 * 3, 60 - 3 * 3)
    assert matches.deadline(match) is None
    given_match(match).when(Expire(), at + 10 * MINUTE).refused(Reason.NOT_ALLOWED_NOW, "")
    match = carried_out(match, Deal(FOR_24), at + MINUTE)[1]
    assert bank(match) == (54, 51)
    assert matches.deadline(match) == at + MINUTE + 54 * SECOND


def test_a_void_hand_charges_its_last_decision_only() -> None:
    """The void follows from the discard and takes no time of its own."""
    terms = opened(stock_floor=30, clock=TimeControl(bank_ms=60_000))
    match, at = timed(*((move, 5) for move in (*TO_THE_DRAW, Discard(Card("KH")))), terms=terms)
    assert isinstance(match, Dealing)
    assert bank(match) == (55, 45)
    assert match.clock.since == at


def test_who_lays_off_pays_for_it() -> None:
    """The knocker's clock stands meanwhile."""
    match, at = timed((Pass(), 0), (Pass(), 0), (Draw(), 0), (Knock(Card("KH")), 0))
    assert (turn(match), matches.deadline(match)) == (0, at + 62 * SECOND)
    match = carried_out(match, Play(0, LayOff()), at + 30 * SECOND)[1]
    assert bank(match) == (60 + 2 - 30 + 2, 60 + 3 * 2)


# --- a limit for each decision ------------------------------------------------------------------


def test_each_decision_has_a_limit_of_its_own() -> None:
    """`decision_ms`: unused time is not saved."""
    match, at = timed((Pass(), 1), (Pass(), 10), terms=PER_MOVE)
    assert matches.deadline(match) == at + 10 * SECOND
    events, over = carried_out(match, Expire(), at + 10 * SECOND + 1)
    assert events[0] == ClockExpired(1)
    assert ended(over).reason == "clock"


@pytest.mark.parametrize(("bank_ms", "seconds"), [(5_000, 5), (60_000, 10)])
def test_the_tighter_of_two_limits_counts(bank_ms: int, seconds: int) -> None:
    """A decision may take no longer than the bank and its own limit."""
    match, at = timed(terms=opened(clock=TimeControl(bank_ms=bank_ms, decision_ms=10_000)))
    assert matches.deadline(match) == at + seconds * SECOND


# --- abandoned matches --------------------------------------------------------------------------


def test_without_a_clock_a_seat_may_think_for_a_day() -> None:
    """X3 after `idle_ms` without a decision the match is abandoned; the other seat wins."""
    match = playing(FOR_24, Pass())
    day = 86_400 * SECOND
    assert matches.deadline(match) == START + day
    given_match(match).when(Play(0, Pass()), START + day + 1).refused(Reason.TIME_OVER, "X3")
    events, over = carried_out(match, Expire(), START + day + 1)
    assert events == (ended(over),)
    assert (ended(over).reason, ended(over).winner) == ("abandoned", 1)


def test_a_bank_beyond_the_idle_limit_is_abandoned_first() -> None:
    """X3 the clock did not run out, so it is not the clock that is named."""
    terms = opened(clock=TimeControl(bank_ms=60_000), limits=Limits(idle_ms=20_000))
    match, at = timed(terms=terms)
    assert matches.deadline(match) == at + 20 * SECOND
    assert ended(carried_out(match, Expire(), at + 21 * SECOND)[1]).reason == "abandoned"


def test_a_bank_that_ends_with_the_idle_limit_is_the_clocks() -> None:
    """X3 a seat that has used up its time is named as one, whatever else is over."""
    terms = opened(clock=TimeControl(bank_ms=20_000), limits=Limits(idle_ms=20_000))
    match, at = timed(terms=terms)
    assert ended(carried_out(match, Expire(), at + 21 * SECOND)[1]).reason == "clock"


def test_a_match_that_does_not_start_is_abandoned() -> None:
    """X3 both seats and both nonces within `start_ms` of its creation, or nobody wins."""
    terms = opened(limits=Limits(start_ms=30_000))
    for history in (started(terms)[:1], started(terms)[:2], started(terms)[:4]):
        match = gathered(None, *history)
        assert match is not None
        assert matches.deadline(match) == START + 30 * SECOND
        given_match(match).when(Expire(), START + 30 * SECOND).refused(Reason.NOT_ALLOWED_NOW, "")
        events, over = carried_out(match, Expire(), START + 31 * SECOND)
        assert events == (ended(over),)
        assert (ended(over).reason, ended(over).winner) == ("abandoned", None)


def test_a_match_that_has_started_in_time_has_no_such_deadline() -> None:
    """What the server has to do is under no clock."""
    assert matches.deadline(begun()) is None
    assert matches.deadline(non_dealer_wins(begun())) is None


def test_a_match_that_is_over_has_no_deadline() -> None:
    """X3 nothing runs any more."""
    over = carried_out(playing(FOR_24), Play(0, Resign()))[1]
    assert matches.deadline(over) is None
    given_match(over).when(Expire(), START + 10**15).refused(Reason.NOT_ALLOWED_NOW, "")


# --- pausing ------------------------------------------------------------------------------------


def paused() -> tuple[Match, Instant]:
    """Return a match paused ten seconds into seat 0's decision, and the instant then."""
    match, at = timed((Pass(), 0))
    at += 10 * SECOND
    return carried_out(match, Pause(), at)[1], at


def test_a_paused_match_takes_no_moves_and_no_time() -> None:
    """A director halts play and clocks."""
    given_match(timed()[0]).when(Pause()).then(ClockPaused())
    match, at = paused()
    given_match(match).when(Play(0, Pass()), at).refused(Reason.MATCH_PAUSED, "X3")
    given_match(match).when(Pause(), at).refused(Reason.MATCH_PAUSED, "X3")
    given_match(match).when(Forfeit(0), at).refused(Reason.MATCH_PAUSED, "X3")
    assert matches.deadline(match) is None
    given_match(match).when(Expire(), at + 10 * MINUTE).refused(Reason.NOT_ALLOWED_NOW, "")


def test_what_was_thought_before_the_pause_is_charged() -> None:
    """The bank has lost the ten seconds, and not the hour of the pause."""
    match, at = paused()
    assert bank(match) == (50, 62)
    at += 3600 * SECOND
    given_match(match).when(Resume(), at).then(ClockResumed())
    match = carried_out(match, Resume(), at)[1]
    assert bank(match) == (50, 62)
    assert matches.deadline(match) == at + 50 * SECOND
    match = carried_out(match, Play(0, Pass()), at + 20 * SECOND)[1]
    assert bank(match) == (32, 62)


def test_a_decisions_own_limit_starts_anew_after_a_pause() -> None:
    """`decision_ms` counts from the resumption."""
    match, at = timed((Pass(), 0), terms=PER_MOVE)
    match = carried_out(match, Pause(), at + 9 * SECOND)[1]
    match = carried_out(match, Resume(), at + MINUTE)[1]
    assert matches.deadline(match) == at + MINUTE + 10 * SECOND


def test_a_decision_starts_anew_after_the_server_was_away() -> None:
    """A resumption without a pause forgives the time since the decision began."""
    match, at = timed((Pass(), 0))
    match = carried_out(match, Resume(), at + 3600 * SECOND)[1]
    assert bank(match) == (60, 62)
    assert matches.deadline(match) == at + 3660 * SECOND


def test_a_paused_seat_can_still_resign() -> None:
    """X3 resigning needs no time; nor does it after the deadline."""
    match, at = paused()
    assert carried_out(match, Play(0, Resign()), at)[0][0] == Resigned(0)
    late = START + 10 * MINUTE
    assert carried_out(timed()[0], Play(1, Resign()), late)[0][0] == Resigned(1)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_match_without_a_bank_is_paused_in_the_same_way(seat: Seat) -> None:
    """There is nothing to charge."""
    match = carried_out(playing(FOR_24, *TO_THE_DRAW[:seat]), Pause())[1]
    assert matches.deadline(match) is None
    match = carried_out(match, Resume(), START + MINUTE)[1]
    assert matches.deadline(match) == START + MINUTE + 86_400 * SECOND

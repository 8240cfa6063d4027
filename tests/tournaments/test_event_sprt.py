"""The sequential test of a tournament: in the order of the schedule, whatever comes first (E11)."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support_tournament_events import Simulation, folded, terms_of

from ginrummy.tournaments.errors import NotNowError
from ginrummy.tournaments.event.commands import (
    Abort,
    CallOffTest,
    CloseRegistration,
    EndSitting,
    Seed,
)
from ginrummy.tournaments.event.events import SittingEnded, TestEnded
from ginrummy.tournaments.event.schedule import sittings_of
from ginrummy.tournaments.event.summary import summary
from ginrummy.tournaments.pairing.gauntlet import Gauntlet
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.statistics.pairs import Pair
from ginrummy.tournaments.statistics.sprt import Course, Sprt, advance

BOARDS = 60
SPRT = Sprt(h0=0.0, h1=120.0, alpha=0.1, beta=0.1, least_boards=4)

LATE = Sprt(h0=0.0, h1=120.0, alpha=0.1, beta=0.1, least_boards=BOARDS)
"""It decides at the last board."""

Leads = list[tuple[int, int]]
"""By what the first seed leads at a board, at each of its two tables."""


def leads_of(seed: int, lean: int) -> Leads:
    """Return random leads; the first seed is better by `lean`."""
    rng = random.Random(seed)
    return [(rng.randint(-30, 30) + lean, rng.randint(-30, 30) + lean) for _ in range(BOARDS)]


def paired(double: bool = False, swapped: bool = False, sprt: Sprt = SPRT) -> Simulation:  # noqa: FBT001, FBT002
    """Return a test of two whose first round is paired."""
    boards = BOARDS // 2 if double else BOARDS
    terms = terms_of(RoundRobin(double=double), boards, sprt=sprt, tables=2 * BOARDS)
    played = Simulation(terms, entrants=2)
    if swapped:
        played.act(Seed(tuple(reversed(played.ids))), played.director)
    played.started().step()
    return played


def record(played: Simulation, leads: Leads, order: list[int]) -> None:
    """Record the present round's sittings in an order, given by their places."""
    pairing = played.tournament.rounds[-1].pairings[0]
    first_seed = played.tournament.field.starters[0]
    sittings = sittings_of(played.tournament, pairing)
    for place in order:
        sitting = sittings[place]
        lead = leads[sitting.board - 1][sitting.half - 1]
        if pairing.first != first_seed:
            lead = -lead
        played.act(EndSitting(played.ended(sitting, ("played", lead))))


def expected(leads: Leads, sprt: Sprt = SPRT) -> Course:
    """Return the course of the schedule, board by board, up to the first crossing."""
    course = Course(sprt)
    for one, two in leads:
        course = advance(course, Pair(one, two))
    return course


def orders(size: int) -> list[list[int]]:
    """Return orders in which sittings may end: as scheduled, backwards, and at random."""
    rng = random.Random(size)
    straight = list(range(size))
    return [straight, straight[::-1], *(rng.sample(straight, size) for _ in range(3))]


@pytest.mark.parametrize("lean", [25, 0, -25])
@pytest.mark.parametrize("swapped", [False, True])
def test_the_decision_is_that_of_the_schedule_in_whatever_order_boards_end(
    lean: int,
    swapped: bool,  # noqa: FBT001
) -> None:
    leads = leads_of(5, lean)
    right = expected(leads)
    if lean:
        assert right.status == ("accept_h1" if lean > 0 else "accept_h0")
    for order in orders(2 * BOARDS):
        played = paired(swapped=swapped)
        record(played, leads, order)
        played.finish()
        ended = played.tournament.test
        assert ended is not None
        status = "no_decision" if right.status == "running" else right.status
        assert ended.status == status
        assert ended.boards == right.counted.boards
        assert ended.llr == pytest.approx(right.llr, abs=1e-6)
        assert played.tournament.end_reason == (
            "complete" if status == "no_decision" else "decided"
        )


@given(st.integers(0, 10**9), st.integers(-25, 25))
@settings(max_examples=25)
def test_it_looks_at_complete_pairs_only_and_at_none_behind_a_gap(seed: int, lean: int) -> None:
    leads, played = leads_of(seed, lean), paired()
    order = random.Random(seed).sample(range(2 * BOARDS), 2 * BOARDS)
    done: set[int] = set()
    for place in order:
        record(played, leads, [place])
        done.add(place)
        course = played.tournament.course
        assert course is not None
        whole = next(k for k in range(BOARDS + 1) if not {2 * k, 2 * k + 1} <= done)
        right = expected(leads[:whole])
        assert (course.counted, course.status) == (right.counted, right.status)
        if course.status != "running":
            break
    assert folded(played.log) == played.tournament


def test_the_decision_stands_whatever_is_recorded_after_it() -> None:
    leads, played = leads_of(5, 25), paired()
    record(played, leads, list(range(2 * BOARDS)))
    ends = [place for place, each in enumerate(played.events) if isinstance(each, TestEnded)]
    assert len(ends) == 1
    (place,) = ends
    completed = played.events[place - 1]
    assert isinstance(completed, SittingEnded)
    assert completed.board == expected(leads).counted.boards
    assert any(isinstance(each, SittingEnded) for each in played.events[place:])
    after = [each.course for each in played.states[place:]]
    assert all(one == another for one, another in pairwise(after))


def test_no_sitting_is_begun_after_the_decision_and_the_pairing_counts_as_it_stands() -> None:
    leads, played = leads_of(5, 25), paired()
    place = 0
    while played.tournament.test is None:
        record(played, leads, [place])
        place += 1
    played.begin()
    assert not played.under_way
    played.finish()
    result = played.tournament.results[1, 1]
    starters = played.tournament.field.starters
    assert (result.reason, result.winner) == ("played", starters[0])
    assert played.tournament.end_reason == "decided"


@pytest.mark.parametrize("swapped", [False, True])
def test_the_first_seed_is_the_one_tested_in_both_rounds_of_a_double_round_robin(
    swapped: bool,  # noqa: FBT001
) -> None:
    leads = leads_of(11, 14)
    played = paired(double=True, swapped=swapped, sprt=LATE)
    record(played, leads, list(range(BOARDS)))
    played.step()
    played.step()
    firsts = {each.pairings[0].first for each in played.tournament.rounds}
    assert len(firsts) == 2, "the other one is named first in the second round"
    record(played, leads, list(range(BOARDS))[::-1])
    assert played.tournament.course == expected(leads, LATE)
    assert expected(leads, LATE).status == "accept_h1"


def test_a_stop_by_hand_is_no_decision() -> None:
    played = paired()
    leads: Leads = []
    for seed in range(1000):
        leads = leads_of(seed, -3)
        if -0.7 < expected(leads[:9]).llr < -0.3:
            break
    record(played, leads, list(range(18)))
    course = played.tournament.course
    assert course is not None
    assert course.status == "running"
    assert -0.7 < course.llr < -0.3
    played.act(Abort("the machine is needed"), played.director)
    played.finish()
    ended = played.tournament.test
    assert ended is not None
    assert (ended.status, ended.boards) == ("no_decision", 9)
    assert ended.llr == pytest.approx(course.llr, abs=1e-6)
    assert played.tournament.end_reason == "aborted"
    shown = summary(played.tournament).test
    assert shown is not None
    assert shown.status == "no_decision"


def test_a_test_can_be_called_off_while_it_runs_and_not_twice() -> None:
    played = paired()
    record(played, leads_of(3, 0), list(range(10)))
    played.act(CallOffTest(), played.director)
    played.refused(CallOffTest())
    played.finish()
    assert played.tournament.test is not None
    assert played.tournament.test.status == "no_decision"
    assert played.tournament.end_reason == "complete"


def test_there_is_nothing_to_call_off_before_it_runs_or_without_one() -> None:
    waiting = Simulation(terms_of(sprt=SPRT), entrants=2)
    assert isinstance(waiting.refused(CallOffTest()), NotNowError)
    without = Simulation(terms_of(), entrants=2).started()
    assert isinstance(without.refused(CallOffTest()), NotNowError)


@pytest.mark.parametrize("entrants", [3, 4])
def test_a_test_is_between_two(entrants: int) -> None:
    played = Simulation(terms_of(Gauntlet(), sprt=SPRT), entrants=entrants)
    assert isinstance(played.refused(CloseRegistration()), NotNowError)


def test_an_aborted_half_leaves_a_gap_that_no_decision_passes() -> None:
    played, leads = paired(), leads_of(5, 25)
    sitting = sittings_of(played.tournament, played.tournament.rounds[0].pairings[0])[3]
    played.act(EndSitting(played.ended(sitting, ("aborted", 0))))
    record(played, leads, [place for place in range(2 * BOARDS) if place != 3])
    played.finish()
    assert played.tournament.test is not None
    assert (played.tournament.test.status, played.tournament.test.boards) == ("no_decision", 1)

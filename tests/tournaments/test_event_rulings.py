"""What a director may rule, and what of a bracket stands once the next round is paired."""

import pytest
from support_tournament_events import Simulation, folded, terms_of

from ginrummy.tournaments.errors import (
    InvalidEntryError,
    InvalidPairingError,
    InvalidResultError,
    NotNowError,
)
from ginrummy.tournaments.event import Matches
from ginrummy.tournaments.event.commands import Rule, Settle
from ginrummy.tournaments.event.schedule import first_board, sittings_of
from ginrummy.tournaments.event.summary import standings_of, summary
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.formats import Format
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.results import Outcome


def paired(format_: Format, entrants: int = 4, boards: int = 1, **changes: object) -> Simulation:
    """Return a tournament whose first round is paired."""
    terms = terms_of(format_, boards, **changes)  # type: ignore[arg-type]
    played = Simulation(terms, entrants=entrants).started()
    played.step()
    return played


def play_round(played: Simulation, *leads: int) -> None:
    """Play the present round: whoever is named first leads at its tables by so much."""
    tournament = played.tournament
    played.begin()
    for pairing, lead in zip(tournament.rounds[-1].pairings, leads, strict=True):
        for sitting in sittings_of(tournament, pairing):
            played.end(sitting.key, ("played", lead))
        played.act(Settle(pairing.round, pairing.table, "complete"))


def rule(played: Simulation, round_: int, outcome: Outcome) -> None:
    """Rule on the first table of a round."""
    played.act(Rule(round_, 1, outcome, None, "an appeal", "D2"), played.director)


def test_a_ruling_takes_the_place_of_a_result_and_counts_once() -> None:
    played = paired(RoundRobin(), 2)
    play_round(played, 10)
    before = standings_of(played.tournament)
    played.act(Rule(1, 1, "second", (0, 7), "a false card"), played.director)  # type: ignore[arg-type]
    result = played.tournament.results[1, 1]
    assert (result.outcome, result.reason, result.points) == ("second", "ruling", (0, 7))
    now = standings_of(played.tournament)
    assert (now.matches, now.reasons["ruling"], now.reasons["played"]) == (1, 1, 0)
    assert sum(row.score for row in now.rows) == sum(row.score for row in before.rows)
    assert standings_of(folded(played.log[:-1])) == before


def test_without_points_a_ruling_leaves_them_as_they_stand() -> None:
    played = paired(RoundRobin(), 2)
    play_round(played, 10)
    rule(played, 1, "second")
    assert played.tournament.results[1, 1].points == (20, 0)


def test_a_ruling_on_what_is_being_played_ends_it_with_what_is_complete() -> None:
    played = paired(RoundRobin(), 2, boards=3, tables=6)
    played.begin()
    for half in (1, 2):
        played.end((1, 1, 1, half), ("played", 9))
    rule(played, 1, "first")
    assert played.tournament.results[1, 1].points == (18, 0)
    played.finish()
    aborted = [each for each in played.tournament.sittings if each.reason == "aborted"]
    assert len(aborted) == 4
    assert played.tournament.results[1, 1].reason == "ruling"


def test_what_was_ruled_void_counts_for_nobody() -> None:
    played = paired(RoundRobin(), 2)
    play_round(played, 10)
    rule(played, 1, "void")
    found = summary(played.tournament)
    assert [row.matches for row in found.standings.rows] == [0, 0]
    assert found.crosstable == ()
    assert sum(found.sittings.values()) == 2


@pytest.mark.parametrize(
    ("command", "error"),
    [
        (Rule(1, 9, "first", None, "why"), InvalidPairingError),
        (Rule(3, 1, "first", None, "why"), InvalidPairingError),
        (Rule(1, 1, "first", None, "  "), InvalidEntryError),
        (Rule(1, 1, "none", None, "why"), InvalidResultError),  # type: ignore[arg-type]
        (Rule(1, 1, "first", (-1, 0), "why"), InvalidResultError),  # type: ignore[arg-type]
    ],
    ids=str,
)
def test_a_ruling_that_cannot_be_is_refused(command: Rule, error: type[Exception]) -> None:
    assert isinstance(paired(RoundRobin(), 4).refused(command), error)


# --- brackets -----------------------------------------------------------------------------------


def test_a_ruling_sends_another_on_until_the_next_round_is_paired() -> None:
    played = paired(Elimination())
    play_round(played, 5, 5)
    pairing = played.tournament.rounds[0].pairings[0]
    rule(played, 1, "second")
    played.step()
    assert pairing.second in played.tournament.rounds[1].named
    assert pairing.first not in played.tournament.rounds[1].named


@pytest.mark.parametrize("outcome", ["second", "draw", "neither", "void"])
def test_a_ruling_that_would_send_another_on_is_refused_then(outcome: Outcome) -> None:
    played = paired(Elimination())
    play_round(played, 5, 5)
    played.step()
    error = played.refused(Rule(1, 1, outcome, None, "an appeal"))
    assert isinstance(error, NotNowError)
    rule(played, 1, "first")
    assert played.tournament.results[1, 1].reason == "ruling"


def test_in_other_formats_a_ruling_is_never_too_late() -> None:
    played = paired(Swiss(rounds=2))
    play_round(played, 5, 5)
    played.step()
    rule(played, 1, "second")
    played.finish()
    rule(played, 2, "void")
    assert played.tournament.results[1, 1].outcome == "second"
    assert played.tournament.results[2, 1].outcome == "void"


def test_a_tie_is_played_off_on_boards_that_the_two_have_not_played() -> None:
    played = paired(Elimination(), 2, boards=3, tables=6)
    play_round(played, 0)
    played.step()
    again = played.tournament.rounds[1].pairings[0]
    assert {again.first, again.second} == set(played.ids)
    assert first_board(played.tournament, again) == 4
    boards = {each.board for each in sittings_of(played.tournament, again)}
    assert boards == {4, 5, 6}
    assert not boards & {each.board for each in played.tournament.sittings}


def test_after_so_many_play_offs_the_better_seed_goes_on() -> None:
    played = paired(Elimination(play_offs=2), 2)
    for _ in range(3):
        play_round(played, 0)
        played.step()
    assert len(played.tournament.rounds) == 3
    assert played.tournament.end_reason == "complete"
    assert summary(played.tournament).placings == tuple((each,) for each in played.ids)
    played.finish()
    assert played.tournament.revealed == 3 <= played.tournament.chain


def test_matches_without_a_winner_are_played_off_as_well() -> None:
    played = Simulation(terms_of(Elimination(), play=Matches()), entrants=2).started()
    played.step()
    play_round(played, 0)
    played.step()
    assert played.tournament.rounds[1].number == 2

"""Whole tournaments of every format, with all that can happen in them, played without a server."""

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support_directed_tournaments import FORMATS, PLAYS, eventful, goes_on
from support_play import soak
from support_tournament_events import Simulation, folded, terms_of

from ginrummy.log.boards import mix_of
from ginrummy.log.deck import hash_down
from ginrummy.tournaments.event import TournamentTerms
from ginrummy.tournaments.event.commands import (
    Leave,
    PairByHand,
    Pause,
    Resume,
    Return,
    Settle,
)
from ginrummy.tournaments.event.events import (
    BoardsRevealed,
    LotsDrawn,
    RoundPaired,
    SittingEnded,
    TournamentEnded,
    TournamentEvent,
    TournamentStarted,
)
from ginrummy.tournaments.event.summary import standings_of, summary
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.manual import Manual
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.results import Result
from ginrummy.tournaments.scoring import Scoring
from ginrummy.tournaments.standings import Terms

EVENTS = soak(3000, 60)


@given(st.integers(0, 10**9))
@settings(max_examples=EVENTS)
def test_a_tournament_comes_to_its_end_with_all_that_happens_in_it(seed: int) -> None:
    played = eventful(seed)
    tournament = played.tournament
    assert tournament.stage == "ended"
    assert not tournament.undecided
    assert not played.under_way
    assert tournament.lots_secret is not None
    check_boards(played)
    check_sums(played)
    check_rounds(played)
    check_folds(played)


def check_boards(played: Simulation) -> None:
    """No secret was out too early, all are out in the end, and each is the committed one."""
    tournament, last = played.tournament, 0
    for before, event in zip([None, *played.states], played.events, strict=False):
        if isinstance(event, BoardsRevealed):
            assert event.board > last
            last = event.board
            assert hash_down(bytes.fromhex(event.secret), last).hex() == tournament.commitment
        elif isinstance(event, SittingEnded) and before is not None and event.reason != "aborted":
            # Whatever was aborted, a ruling has taken the place of; `begin` looks at the rest.
            assert event.board > before.revealed or not event.board
    used = max((each.board for each in tournament.sittings), default=0)
    assert tournament.revealed == last == used <= tournament.chain


def check_sums(played: Simulation) -> None:
    """E10: each sitting and each match has one reason, and the reasons add up."""
    tournament = played.tournament
    found = summary(tournament)
    ended = [event for event in played.events if isinstance(event, SittingEnded)]
    keys = [(each.round, each.table, each.board, each.half) for each in ended]
    assert len(set(keys)) == len(keys)
    assert len({each.match for each in ended}) == len(ended)
    assert Counter(found.sittings) == Counter(each.reason for each in ended)
    assert sum(found.sittings.values()) == len(ended)
    pairings = sum(len(each.pairings) for each in tournament.rounds)
    assert sum(found.standings.reasons.values()) == found.standings.matches == pairings


def check_rounds(played: Simulation) -> None:
    """E1 to E3 and E6: whom a round names is there, and a bye is one bye."""
    for before, event in zip(played.states, played.events[1:], strict=False):
        if isinstance(event, RoundPaired):
            here = {each.id for each in before.playing if each.here}
            named = [one for each in event.pairings for one in (each.first, each.second)]
            idle = [each.entrant for each in event.byes]
            assert len(set(named)) == len(named)
            assert {*named, *idle} <= here
            # In a bracket a bye takes one on to a match that may be played in the same round.
            bracket = isinstance(before.terms.format, Elimination)
            assert bracket or len({*named, *idle}) == len(named) + len(idle)
            assert len(here) > 1
            assert event.pairings
        elif isinstance(event, TournamentStarted):
            nonces = {each.id: played.nonces[each.id] for each in before.entries if each.nonce}
            assert event.mix == mix_of(nonces)
    rows = standings_of(played.tournament).rows
    byes = {(each.number, bye.entrant) for each in played.tournament.rounds for bye in each.byes}
    assert {row.entrant: row.byes for row in rows} == {
        row.entrant: sum(entrant == row.entrant for _, entrant in byes) for row in rows
    }


def check_folds(played: Simulation) -> None:
    """The lines tell the state that there was, at every point of them."""
    assert folded(played.log) == played.tournament
    rng = played.rng
    for count in rng.sample(range(1, len(played.lines) + 1), k=min(4, len(played.lines))):
        then = folded(played.log[:count])
        assert then == played.states[count - 1]
        assert standings_of(then) == standings_of(played.states[count - 1])


@pytest.mark.parametrize("format_", FORMATS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("play", PLAYS, ids=str)
def test_every_format_and_every_play_comes_to_an_end(format_: object, play: object) -> None:
    boards = play if isinstance(play, int) else 2
    changes = {} if play is None or isinstance(play, int) else {"play": play}
    played = Simulation(terms_of(format_, boards, **changes), entrants=5).started()  # type: ignore[arg-type]
    while played.step() or goes_on(played):
        pass
    assert played.tournament.end_reason == "complete"
    check_sums(played)
    check_boards(played)


def test_the_random_events_have_all_that_can_happen() -> None:
    events: Counter[type[TournamentEvent]] = Counter()
    ends: Counter[str] = Counter()
    for seed in range(40):
        played = eventful(seed, restless=0.1)
        events.update(type(event) for event in played.events)
        ends[str(played.tournament.end_reason)] += 1
    names = {each.__name__ for each in events}
    assert names >= {
        "EntrantLeft",
        "EntrantReturned",
        "ResultRuled",
        "TournamentPaused",
        "TournamentResumed",
        "TournamentAborted",
        "BoardsRevealed",
    }
    assert ends.keys() >= {"complete", "aborted"}


# --- who comes and goes (E3, E6) ----------------------------------------------------------------


def test_when_all_have_left_it_ends() -> None:
    played = Simulation(terms_of(Swiss(rounds=5)), entrants=4).started()
    played.step()
    for entrant in played.ids:
        played.act(Leave(entrant, "withdrew"), entrant)
    played.finish()
    assert played.tournament.end_reason == "too_few"
    assert len(played.tournament.rounds) == 1
    assert {each.reason for each in played.tournament.results.values()} == {"withdrawn"}
    assert {each.outcome for each in played.tournament.results.values()} == {"neither"}


def test_the_last_one_left_gets_no_byes() -> None:
    played = Simulation(terms_of(Swiss(rounds=5)), entrants=4).started()
    played.step()
    stays, *leave = played.ids
    for entrant in leave:
        played.act(Leave(entrant, "withdrew"), entrant)
    played.finish()
    assert played.tournament.end_reason == "too_few"
    row = next(row for row in standings_of(played.tournament).rows if row.entrant == stays)
    assert (row.score, row.byes, row.wins) == (2, 0, 1)


def test_who_is_away_at_every_pairing_gets_nothing() -> None:
    played = Simulation(terms_of(Swiss(rounds=4)), entrants=5).started()
    clever = played.ids[2]
    while played.tournament.stage == "playing":
        away = not played.tournament.entry(clever).here
        if not played.tournament.undecided and not away:
            played.act(Leave(clever, "withdrew"), clever)
        elif played.tournament.undecided and away:
            played.act(Return(clever), clever)
        played.step()
    row = next(row for row in standings_of(played.tournament).rows if row.entrant == clever)
    assert (row.score, row.matches, row.byes) == (0, 0, 0)
    assert len(played.tournament.rounds) == 4


def test_who_was_removed_is_paired_no_more_and_what_they_played_stands() -> None:
    played = Simulation(terms_of(RoundRobin()), entrants=5).started()
    while len(played.tournament.rounds) < 3 or played.tournament.undecided:
        played.step()
    gone = played.ids[1]
    before = {key: each for key, each in played.tournament.results.items() if gone in named(each)}
    played.act(Leave(gone, "removed", "two clients"), played.director)
    paired = len(played.tournament.rounds)
    played.finish()
    assert all(gone not in each.named for each in played.tournament.rounds[paired:])
    after = {key: each for key, each in played.tournament.results.items() if gone in named(each)}
    assert after == before


def named(result: Result) -> tuple[str, str]:
    """Return whom a result is about."""
    return result.pairing.first, result.pairing.second


def test_a_late_entry_is_paired_from_the_next_round_on_and_has_no_credit_before() -> None:
    played = Simulation(terms_of(Swiss(rounds=3)), entrants=4).started()
    played.step()
    late = played.enter()
    entry = played.tournament.entry(late)
    assert (entry.entrant.entered, entry.entrant.seed, entry.checked_in) == (2, 5, True)
    assert late not in played.tournament.rounds[0].named
    played.finish()
    first, *later = played.tournament.rounds
    assert late not in first.named
    assert all(late in each.named for each in later)


def test_a_late_entry_is_in_no_board() -> None:
    played = Simulation(terms_of(Swiss(rounds=3)), entrants=4).started()
    mix = played.tournament.mix
    late = played.enter()
    assert decide_nonce(played, late) == ()
    assert played.tournament.mix == mix


def decide_nonce(played: Simulation, entrant: str) -> tuple[TournamentEvent, ...]:
    before = len(played.lines)
    played.reveal_nonce(entrant)
    return tuple(played.events[before:])


# --- byes (E2) ----------------------------------------------------------------------------------


@pytest.mark.parametrize("bye", [0, 1, 2])
def test_a_bye_has_its_credit_once_and_no_points(bye: int) -> None:
    scoring = Scoring(bye=bye)
    terms = terms_of(Swiss(rounds=3, scoring=scoring), standings=Terms(scoring))
    played = Simulation(terms, entrants=3).started()
    played.step()
    (idle,) = played.tournament.rounds[0].byes
    for tournament in (played.tournament, folded(played.log)):
        row = next(row for row in standings_of(tournament).rows if row.entrant == idle.entrant)
        assert (row.score, row.byes, row.points, row.matches) == (bye, 1, 0, 0)
    played.finish()
    given = [each.entrant for one in played.tournament.rounds for each in one.byes]
    assert len(set(given)) == 3


# --- how a pairing is decided -------------------------------------------------------------------


def pair_of(terms: TournamentTerms, seed: int = 1) -> Simulation:
    """Return a tournament of two whose first round is paired."""
    played = Simulation(terms, entrants=2, seed=seed).started()
    played.step()
    return played


def test_only_complete_pairs_count() -> None:
    played = pair_of(terms_of(boards=3, tables=6, round_ms=60_000))
    played.begin()
    for key, way in (((1, 1, 1, 1), 30), ((1, 1, 1, 2), -10), ((1, 1, 2, 1), -60)):
        played.end(key, ("played", way))
    assert played.act(Settle(1, 1, "round_clock"))[0].points == (30, 10)  # type: ignore[union-attr]


def test_an_aborted_half_is_no_half() -> None:
    played = pair_of(terms_of(boards=2, tables=4))
    played.begin()
    played.end((1, 1, 1, 1), ("played", 30))
    played.end((1, 1, 1, 2), ("aborted", 0))
    played.end((1, 1, 2, 1), ("played", -5))
    played.end((1, 1, 2, 2), ("played", -5))
    played.step()
    result = played.tournament.results[1, 1]
    assert (result.outcome, result.reason, result.points) == ("second", "played", (0, 10))


FORFEITED = [
    ([("crash", -1), ("crash", -1)], ("second", "crash", (0, 100))),
    ([("crash", -1), ("crash", 1)], ("neither", "crash", (50, 50))),
    ([("crash", 0), ("crash", 0)], ("neither", "crash", (0, 0))),
    ([("crash", -1), ("played", 20)], ("second", "played", (20, 50))),
    ([("resigned", -1), ("resigned", 1)], ("draw", "played", (50, 50))),
    ([("round_clock", 0), ("round_clock", 0)], ("draw", "round_clock", (0, 0))),
    ([("aborted", 0), ("aborted", 0)], ("void", "aborted", (0, 0))),
    ([("aborted", 0), ("stall", 1)], ("neither", "stall", (0, 0))),
    ([("played", 0), ("played", 0)], ("draw", "played", (0, 0))),
]


@pytest.mark.parametrize(("ways", "expected"), FORFEITED, ids=str)
def test_a_pairings_result_follows_from_its_sittings(ways: list, expected: tuple) -> None:  # type: ignore[type-arg]
    played = pair_of(terms_of(boards=1))
    played.begin()
    for half, way in enumerate(ways, start=1):
        played.end((1, 1, 1, half), way)
    played.step()
    result = played.tournament.results[1, 1]
    assert (result.outcome, result.reason, result.points) == expected


@pytest.mark.parametrize("reason", ["no_show", "crash", "withdrawn"])
def test_who_is_not_there_has_lost_it(reason: str) -> None:
    played = pair_of(terms_of(boards=1))
    pairing = played.tournament.rounds[0].pairings[0]
    if reason == "withdrawn":
        played.act(Leave(pairing.first, "withdrew"), pairing.first)
    played.act(Settle(1, 1, reason, (pairing.first,)))  # type: ignore[arg-type]
    result = played.tournament.results[1, 1]
    assert (result.outcome, result.reason) == ("second", reason)


def test_a_pause_gives_a_round_its_time() -> None:
    played = pair_of(terms_of(boards=1, round_ms=1000))
    played.wait(900)
    played.act(Pause(), played.director)
    played.wait(100_000)
    assert not played.is_round_over
    played.act(Resume(), played.director)
    assert not played.is_round_over
    played.wait(90)
    assert not played.is_round_over
    played.wait(20)
    assert played.is_round_over


def test_a_round_that_is_paired_in_a_pause_has_all_its_time_after_it() -> None:
    played = Simulation(terms_of(Manual(), round_ms=1000), entrants=2).started()
    played.act(Pause(), played.director)
    played.wait(5000)
    played.act(PairByHand((tuple(played.ids),)), played.director)  # type: ignore[arg-type]
    played.wait(5000)
    played.act(Resume(), played.director)
    assert played.tournament.round_since == played.at


# --- boards -------------------------------------------------------------------------------------


def test_a_pair_that_meets_again_plays_other_boards() -> None:
    played = Simulation(terms_of(RoundRobin(double=True), 3), entrants=4).started().finish()
    boards: dict[frozenset[str], list[int]] = {}
    for each in played.tournament.sittings:
        pairing = played.tournament.pairing(each.round, each.table)
        assert pairing is not None
        boards.setdefault(frozenset((pairing.first, pairing.second)), []).append(each.board)
    assert len(boards) == 6
    for numbers in boards.values():
        assert sorted(numbers) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]


def test_boards_come_out_as_they_are_over_in_the_last_round_and_not_before() -> None:
    played = Simulation(terms_of(RoundRobin(), 4), entrants=4).started().finish()
    revealed = [each for each in iter_moments(played) if isinstance(each[1], BoardsRevealed)]
    assert {before.rounds[-1].number for before, _ in revealed} == {3}
    assert len(revealed) > 1
    assert played.tournament.revealed == 4


def iter_moments(played: Simulation) -> Iterator:  # type: ignore[type-arg]
    """Yield each event with the tournament before it."""
    return zip(played.states, played.events[1:], strict=False)


@pytest.mark.parametrize("format_", [Elimination(), Manual()], ids=str)
def test_where_nobody_knows_the_last_round_boards_come_out_at_the_end(format_: object) -> None:
    played = Simulation(terms_of(format_), entrants=4).started()  # type: ignore[arg-type]
    while played.step() or goes_on(played):
        pass
    kinds = [type(event) for event in played.events]
    assert kinds.index(BoardsRevealed) > kinds.index(TournamentEnded)
    assert kinds[-1] is LotsDrawn


def test_no_round_is_paired_by_hand_once_the_boards_are_out() -> None:
    played = Simulation(terms_of(Swiss(rounds=1)), entrants=4).started()
    played.step()
    played.act(Pause(), played.director)
    while not played.tournament.revealed:
        if not played.step():
            played.act(Resume(), played.director)
            while played.tournament.undecided:
                played.step()
            played.act(Pause(), played.director)
    error = played.refused(PairByHand((tuple(played.ids[:2]),)))  # type: ignore[arg-type]
    assert "the last round has been played" in str(error)

"""Whole tournaments in one process: who plays whom; what becomes of the lost and the silent."""

import asyncio
from collections import Counter
from collections.abc import Iterator

import pytest
from support_hall import (
    DIRECTOR,
    Attendant,
    Venue,
    announced,
    directed,
    now,
    over,
    played,
    quick_terms,
    venue,
    wait_for,
)

from ginrummy.log.boards import board_deck
from ginrummy.log.fold import Fold
from ginrummy.log.lines import read_line
from ginrummy.log.reveals import revealed_secrets
from ginrummy.rules.cards import BySeat
from ginrummy.rules.events import MatchCreated, TimeControl
from ginrummy.rules.match import Ended, Match
from ginrummy.rules.ruleset import Ruleset
from ginrummy.store import GroupCommit, MemoryStore
from ginrummy.tournaments.errors import NotNowError
from ginrummy.tournaments.event import Boards, Elsewhere, Matches, Tournament
from ginrummy.tournaments.event.commands import (
    Abort,
    EndByHand,
    Leave,
    PairByHand,
    Pause,
    Resume,
    Rule,
)
from ginrummy.tournaments.event.events import SittingEnded
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.manual import Manual
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.results import END_REASONS, Result
from ginrummy.tournaments.running.desk import Desk
from ginrummy.tournaments.running.hall import Entering
from ginrummy.tournaments.standings import Standings, standings
from ginrummy.tournaments.statistics.sprt import parse_sprt

A, B, C, D = "p_a", "p_b", "p_c", "p_d"


def reasons(tournament: Tournament) -> Counter[str]:
    """Count how the sittings ended; each has one reason, so the sum is their number (E10)."""
    counted = Counter(str(each.reason) for each in tournament.sittings)
    assert set(counted) <= set(END_REASONS)
    keys = {(each.round, each.table, each.board, each.half) for each in tournament.sittings}
    assert counted.total() == len(tournament.sittings) == len(keys)
    return counted


def result(tournament: Tournament, one: str, other: str) -> Result:
    """Return the result of the pairing of two entrants."""
    for each in tournament.results.values():
        if {each.pairing.first, each.pairing.second} == {one, other}:
            return each
    raise AssertionError(f"{one} and {other} have no result")


def folded(rooms: Venue, match_id: str) -> Match:
    """Return a match as its log alone tells it, with all cards that are out."""
    lines = list(rooms.store.read(match_id))
    fold = Fold(revealed_secrets(lines))
    for raw in lines:
        fold.add(read_line(raw))
    assert fold.match is not None
    return fold.match


async def test_duplicate_boards_from_end_to_end() -> None:
    """All pairs play the same boards, each twice with seats swapped, in other suits each time."""
    async with venue(MemoryStore()) as rooms:
        desk = await announced(rooms, quick_terms(play=Boards(boards=3)), [A, B, C])
        tournament = await played(rooms, desk, [Attendant(each) for each in (A, B, C)])
        assert (tournament.stage, tournament.end_reason, tournament.revealed) == (
            "ended",
            "complete",
            3,
        )
        assert reasons(tournament) == {"played": 3 * 3 * 2}
        secrets = dict.fromkeys((1, 2, 3), b"")
        suits = set()
        for each in tournament.sittings:
            match = folded(rooms, each.match)
            assert isinstance(match, Ended)
            assert match.terms.board is not None
            assert match.last is not None
            board = match.terms.board
            assert (board.number, board.tournament) == (each.board, desk.tournament_id)
            lines = [read_line(raw) for raw in rooms.store.read(each.match)]
            assert lines[each.seq - 1].hash == each.hash
            secret = bytes.fromhex(lines[-1].event.secret)  # type: ignore[union-attr]
            secrets[each.board] = secrets[each.board] or secret
            assert secrets[each.board] == secret
            plain = board_deck(secret, board)
            dealt = match.last.layout.dealt
            assert dealt.dealer == plain.first_dealer
            assert dealt.upcard.rank == plain.deck[20].rank
            suits.add((each.board, dealt.upcard.suit))
            seats = [seated.player for seated in match.seats if seated is not None]
            pairing = tournament.pairing(each.round, each.table)
            assert pairing is not None
            named = [pairing.first, pairing.second]
            assert seats == (named if each.half == 1 else named[::-1])
        assert len(suits) > 3, "every table had the same suits"


@pytest.mark.parametrize("swiss", [True, False])
async def test_ordinary_matches(swiss: bool) -> None:  # noqa: FBT001 -- pytest's
    format_ = Swiss(rounds=2) if swiss else Elimination(play_offs=0)
    terms = quick_terms(format=format_, play=Matches(), rules=Ruleset(target=20))
    async with venue(MemoryStore()) as rooms:
        desk = await announced(rooms, terms, [A, B, C])
        tournament = await played(rooms, desk, [Attendant(each) for each in (A, B, C)])
        assert reasons(tournament) == {"played": 2}
        assert tournament.end_reason == "complete"
        for each in tournament.sittings:
            match = folded(rooms, each.match)
            assert isinstance(match, Ended)
            assert max(match.outcome.points) >= 20
            assert sorted(match.outcome.points) == sorted(each.points)


async def test_a_program_that_dies_in_every_hand_loses_those_and_nothing_else() -> None:
    """E7, E8: each such hand is a crash, all others are played, and the opponents hear of it."""
    terms = quick_terms(play=Boards(boards=2, forfeit_points=40))
    # Of these boards none is over before everybody has made three moves.
    async with venue(MemoryStore(), seed=1) as rooms:
        desk = await announced(rooms, terms, [A, B, C, D])
        attendants = [Attendant(A, tables=1, dies_after=3), *(Attendant(x) for x in (B, C, D))]
        tournament = await played(rooms, desk, attendants)
        counted = reasons(tournament)
        assert counted["crash"] == 3 * 2 * 2 == counted.total() - counted["played"], counted
        assert result(tournament, A, B).winner == B
        assert result(tournament, A, B).reason == "crash"
        assert result(tournament, A, B).points in ((0, 160), (160, 0))
        assert attendants[0].runs > 12
        for attendant in attendants[1:]:
            mine = [
                each.match
                for each in tournament.sittings
                if attendant.player in _both(tournament, each)
            ]
            assert sorted(attendant.heard) == sorted(mine)


def _both(tournament: Tournament, sitting: SittingEnded) -> tuple[str, str]:
    pairing = tournament.pairing(sitting.round, sitting.table)
    assert pairing is not None
    return pairing.first, pairing.second


async def test_a_person_may_go_on_in_another_window() -> None:
    """What would be a program's crash is none: the hand waits for its player to be back."""
    async with venue(MemoryStore(), seed=1) as rooms:
        terms = quick_terms(play=Boards(boards=1), reconnect_ms=0)
        desk = await announced(rooms, terms, [A, B], kind="person")
        away = Attendant(A, tables=1, dies_after=3)
        tournament = await played(rooms, desk, [away, Attendant(B)])
        assert reasons(tournament) == {"played": 2}
        assert away.runs > 2


async def test_one_that_never_comes_and_one_that_goes_for_good() -> None:
    """Neither holds up the others, and both lose by their own fault's name."""
    terms = quick_terms(play=Boards(boards=2), arrival_ms=400)
    async with venue(MemoryStore()) as rooms:
        desk = await announced(rooms, terms, [A, B, C, D])
        gone = Attendant(C, tables=1, dies_after=1, comes_back=False)
        tournament = await played(rooms, desk, [Attendant(A), Attendant(B), gone])
        assert result(tournament, A, B).reason == "played"
        for each in (A, B):
            lost = result(tournament, each, D)
            assert (lost.winner, lost.reason) == (each, "no_show")
            assert result(tournament, each, C).reason == "crash"
        assert result(tournament, C, D).outcome in ("neither", "first", "second")
        reasons(tournament)


async def test_silence_runs_into_the_clock_and_is_told_apart() -> None:
    """E9: time that runs out while somebody sits there is time; other tables go on meanwhile."""
    clock = TimeControl(bank_ms=None, decision_ms=300)
    terms = quick_terms(play=Boards(boards=1), clock=clock)
    async with venue(MemoryStore()) as rooms:
        desk = await announced(rooms, terms, [A, B, C])
        mute = Attendant(C, is_silent=True)
        tournament = await played(rooms, desk, [Attendant(A), Attendant(B), mute])
        assert reasons(tournament) == {"played": 2, "time": 4}
        assert result(tournament, A, C).winner == A


async def test_resignations_are_points_and_no_crash() -> None:
    async with venue(MemoryStore()) as rooms:
        desk = await announced(rooms, quick_terms(play=Boards(boards=1)), [A, B])
        tournament = await played(rooms, desk, [Attendant(A, resigns=True), Attendant(B)])
        assert set(reasons(tournament)) <= {"resigned", "played"}
        assert result(tournament, A, B).winner == B


async def test_whoever_leaves_loses_the_round_and_is_paired_no_more() -> None:
    """E6: one of five is removed; no later pairing or bye names it, and what it played stands."""
    players = [A, B, C, D, "p_e"]
    async with venue(MemoryStore()) as rooms:
        desk = await announced(rooms, quick_terms(play=Boards(boards=1)), players)
        watching = asyncio.create_task(_remove_after(desk, 2, C))
        tournament = await played(rooms, desk, [Attendant(each) for each in players])
        await watching
        before = [each for each in tournament.rounds if each.number <= 2]
        later = [each for each in tournament.rounds if each.number > 3]
        assert later
        assert not any(C in each.named for each in later)
        kept = [each for each in before for pair in each.pairings if C in (pair.first, pair.second)]
        assert all(
            tournament.results[pair.round, pair.table].reason == "played"
            for each in kept
            for pair in each.pairings
        )
        assert len(tournament.rounds) == 5


async def _remove_after(desk: Desk, number: int, entrant: str) -> None:
    await wait_for(lambda: len(desk.tournament.rounds) > number)
    await directed(desk, Leave(entrant, "removed", "left the hall"))


async def test_pause_and_resume() -> None:
    terms = quick_terms(play=Boards(boards=3), clock=TimeControl(decision_ms=5_000))
    async with venue(MemoryStore()) as rooms:
        desk = await announced(rooms, terms, [A, B])
        playing = [
            asyncio.create_task(Attendant(each, pause=0.003).attend(rooms, desk)) for each in (A, B)
        ]
        await wait_for(lambda: len(desk.tournament.sittings) >= 1)
        await directed(desk, Pause())
        await asyncio.sleep(0.5)
        # What was decided before the pause was heard of may still come in; then nothing does.
        seq = desk.seq
        await asyncio.sleep(0.5)
        assert desk.seq == seq
        assert desk.tournament.undecided
        await directed(desk, Resume())
        await asyncio.gather(*playing)
        tournament = await over(desk)
        assert reasons(tournament) == {"played": 6}


async def test_what_another_process_stores_is_taken_in() -> None:
    """A director's command on the database reaches a server that has nothing to do."""
    store = MemoryStore()
    async with venue(store) as rooms:
        desk = await announced(rooms, quick_terms(play=Boards(boards=1)), [A, B])
        await wait_for(lambda: bool(desk.tournament.rounds))
        await directed(desk, Pause())
        async with GroupCommit(store) as commits:
            elsewhere = Desk(desk.tournament_id, store, commits, now)
            await elsewhere.load()
            await directed(elsewhere, Resume())
        tournament = await played(rooms, desk, [Attendant(A), Attendant(B)])
        assert reasons(tournament) == {"played": 2}


async def test_given_up_half_way() -> None:
    async with venue(MemoryStore()) as rooms:
        desk = await announced(rooms, quick_terms(play=Boards(boards=50)), [A, B, C, D])
        playing = [
            asyncio.create_task(Attendant(each).attend(rooms, desk)) for each in (A, B, C, D)
        ]
        await wait_for(lambda: len(desk.tournament.sittings) >= 6)
        await directed(desk, Abort("the hall burns"))
        assert set(await asyncio.gather(*playing)) == {"aborted"}
        tournament = await over(desk)
        assert tournament.end_reason == "aborted"
        assert {each.outcome for each in tournament.results.values()} == {"void"}
        assert not await _open_matches(rooms)
        assert tournament.revealed == max(each.board for each in tournament.sittings)
        with pytest.raises(NotNowError):
            await directed(desk, Abort("again"))


async def _open_matches(rooms: Venue) -> list[str]:
    return await asyncio.to_thread(rooms.store.open_matches)


async def test_the_round_clock_decides_what_is_not_over() -> None:
    terms = quick_terms(play=Boards(boards=500), round_ms=1_500)
    async with venue(MemoryStore()) as rooms:
        desk = await announced(rooms, terms, [A, B])
        tournament = await played(rooms, desk, [Attendant(A, pause=0.002), Attendant(B)])
        assert result(tournament, A, B).reason == "round_clock"
        assert reasons(tournament)["round_clock"] <= 2
        assert not await _open_matches(rooms)


async def test_a_test_that_is_decided_stops_early() -> None:
    terms = quick_terms(play=Boards(boards=400), sprt=parse_sprt("elo0=0,elo1=100"))
    async with venue(MemoryStore()) as rooms:
        desk = await announced(rooms, terms, [A, B])
        tournament = await played(rooms, desk, [Attendant(A), Attendant(B, resigns=True)])
        assert tournament.end_reason == "decided"
        assert tournament.test is not None
        assert tournament.test.status == "accept_h1"
        assert len(tournament.sittings) < 400
        assert result(tournament, A, B).winner == A


async def test_killed_and_started_again_it_goes_on_with_the_same_boards() -> None:
    """A server that is gone in mid-hand leaves nothing behind that the next one does not find."""
    terms = quick_terms(play=Boards(boards=4))
    players = [A, B, C]
    async with venue(MemoryStore(), seed=1) as rooms:
        desk = await announced(rooms, terms, players)
        undisturbed = await played(rooms, desk, [Attendant(each) for each in players])
    store = MemoryStore()
    for kill_at in (1, 2, 5, 9, 14):
        async with venue(store, seed=1) as rooms:
            desk = await announced(rooms, terms, players)
            playing = [
                asyncio.create_task(Attendant(each, pause=0.001).attend(rooms, desk))
                for each in players
            ]
            await wait_for(lambda: len(desk.tournament.sittings) >= kill_at)  # noqa: B023 -- awaited here
            for each in playing:
                each.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
    async with venue(store) as rooms:
        desk = await announced(rooms, terms, players)
        tournament = await played(rooms, desk, [Attendant(each) for each in players])
    assert reasons(tournament) == {"played": 3 * 4 * 2}
    streams = list(store.streams("m_"))
    assert sorted(streams) == sorted(each.match for each in tournament.sittings)
    assert tournament.id == undisturbed.id
    assert tournament.commitment == undisturbed.commitment
    assert _table(tournament) == _table(undisturbed)


class _Reading(MemoryStore):
    """A store that notes how many lines of each stream were read."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = Counter[str]()

    def read(self, stream: str, after: int = 0) -> Iterator[bytes]:
        for raw in super().read(stream, after):
            self.lines[stream] += 1
            yield raw


async def test_a_start_reads_one_line_of_a_tournament_that_is_over() -> None:
    store = _Reading()
    async with venue(store) as rooms:
        desk = await announced(rooms, quick_terms(play=Boards(boards=1)), [A, B])
        ended = await played(rooms, desk, [Attendant(A), Attendant(B)])
        waiting = await rooms.hall.create(DIRECTOR, quick_terms(), "another")
        await rooms.hall.enter(waiting, DIRECTOR, Entering(C, C, "bot"))
        under_way = waiting.tournament_id
    store.lines.clear()
    async with venue(store) as rooms:
        assert store.lines == {ended.id: 1, under_way: 1 + waiting.seq}
        assert (await rooms.hall.desk(ended.id)).tournament == ended
        assert {each.tournament_id for each in await rooms.hall.all()} == {ended.id, under_way}


def _table(tournament: Tournament) -> Standings:
    return standings(tournament.field.entrants, tournament.records, tournament.terms.standings)


async def test_directed_by_hand_and_played_elsewhere() -> None:
    """People's events: the director pairs, enters the results, and ends it."""
    terms = quick_terms(format=Manual(), play=Elsewhere())
    async with venue(MemoryStore()) as rooms:
        desk = await announced(rooms, terms, [A, B, C])
        await wait_for(lambda: desk.tournament.stage == "playing")
        await directed(desk, PairByHand(((A, B),)))
        await directed(desk, Rule(1, 1, "second", BySeat(80, 112), "played at table 1"))
        await directed(desk, PairByHand(((B, C),)))
        with pytest.raises(NotNowError):
            await directed(desk, EndByHand())
        await directed(desk, Rule(2, 1, "draw", None, "agreed"))
        await directed(desk, EndByHand())
        tournament = await over(desk)
        assert reasons(tournament).total() == 0
        table = standings(tournament.field.entrants, tournament.records, terms.standings)
        assert [(row.entrant, row.score) for row in table.rows] == [(C, 3), (B, 3), (A, 2)]


async def test_first_deals_are_the_pairings() -> None:
    """In an ordinary match the entrant that is named first deals first."""
    terms = quick_terms(play=Matches(), rules=Ruleset(hands=1))
    async with venue(MemoryStore()) as rooms:
        desk = await announced(rooms, terms, [A, B, C, D])
        tournament = await played(rooms, desk, [Attendant(each) for each in (A, B, C, D)])
        for each in tournament.sittings:
            lines = [read_line(raw) for raw in rooms.store.read(each.match)]
            created = lines[0].event
            assert isinstance(created, MatchCreated)
            dealt = next(line.event for line in lines if line.type == "hand_dealt")
            seat = dealt.dealer  # type: ignore[union-attr]
            assert created.seats[seat] == _both(tournament, each)[0]

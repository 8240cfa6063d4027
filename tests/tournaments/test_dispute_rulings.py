"""What rulings on disputes make of a tournament: its results follow, and nothing is overwritten."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import msgspec
import pytest
from support_disputes import JUDGE, SECOND_JUDGE
from support_hall import (
    Attendant,
    Venue,
    announced,
    directed,
    played,
    quick_terms,
    venue,
    wait_for,
)
from support_logs import relinked

from ginrummy.log.lines import read_line
from ginrummy.log.replays import replay_id
from ginrummy.rules.cards import BySeat
from ginrummy.rules.disputes.commands import RuleOnDispute
from ginrummy.rules.disputes.events import Ruling
from ginrummy.rules.match import Ended
from ginrummy.rules.ruleset import Ruleset
from ginrummy.store import MemoryStore, Store
from ginrummy.tables.disputes import Disputes
from ginrummy.tournaments.checking import TournamentReport, check, text
from ginrummy.tournaments.event import (
    Boards,
    Matches,
    Tournament,
    TournamentFold,
    read_tournament_line,
)
from ginrummy.tournaments.event.commands import Rule
from ginrummy.tournaments.event.events import SittingEnded
from ginrummy.tournaments.event.summary import standings_of, summary
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.running.desk import Desk

A, B, C, D = "p_a", "p_b", "p_c", "p_d"


@dataclass
class Court:
    """A hall with its disputes."""

    rooms: Venue
    disputes: Disputes

    async def finished(self, players: list[str], **changes: Any) -> Desk:  # noqa: ANN401 -- handed on
        """Return the desk of a tournament that is over."""
        desk = await announced(self.rooms, quick_terms(**changes), players)
        await played(self.rooms, desk, [Attendant(player) for player in players])
        return desk

    async def ruled(
        self,
        match_id: str,
        what: Ruling,
        dispute: int = 1,
        by: str = JUDGE,
        **fields: Any,  # noqa: ANN401 -- handed on
    ) -> None:
        """Rule on the dispute over a match, which is opened first if there is none."""
        table = await self.disputes.table(match_id)
        assert isinstance(table.match, Ended)
        if len(table.match.disputes) < dispute:
            first = table.match.seats[0]
            assert first is not None
            await self.disputes.open(match_id, first.player, "rule_broken", "No.", hand=1)
        wish = RuleOnDispute(by, dispute, what, "R1", "So it is.", **fields)
        await self.disputes.rule(match_id, wish)


@asynccontextmanager
async def court(store: Store | None = None, *, adjusts: bool = True) -> AsyncIterator[Court]:
    """Open the rooms; where `adjusts` is false, as of a server killed right after each ruling."""
    async with venue(store or MemoryStore()) as rooms:
        adjusted = rooms.hall.adjust if adjusts else _lost
        disputes = Disputes(rooms.room, rooms.store, adjusted)
        await disputes.start()
        try:
            yield Court(rooms, disputes)
        finally:
            await disputes.close()


async def _lost(_match_id: str) -> None:
    return


def checked(store: Store, tournament: str) -> TournamentReport:
    return check(store.read(tournament), lambda match: list(store.read(match)))


def as_of(store: Store, tournament: str, seq: int) -> Tournament:
    fold = TournamentFold()
    for raw in store.read(tournament):
        fold.add(read_tournament_line(raw))
        if fold.seq == seq:
            break
    assert fold.tournament is not None
    return fold.tournament


def sitting(desk: Desk, number: int = 0) -> SittingEnded:
    return desk.tournament.sittings[number]


def types_after(store: Store, tournament: str, seq: int) -> list[str]:
    return [read_tournament_line(raw).type for raw in store.read(tournament, seq)]


# --- boards -------------------------------------------------------------------------------------


async def test_a_forfeited_board_gives_what_the_terms_say_and_the_result_follows() -> None:
    """The standings as of before stay what they were."""
    async with court() as made:
        desk = await made.finished([A, B], play=Boards(boards=2, forfeit_points=40))
        before, seq = desk.tournament, desk.seq
        changed = sitting(desk)
        match = changed.match
        seats = (await made.disputes.table(match)).match.seats
        loser = 0
        await made.ruled(match, "forfeit", seat=loser)
        store, tournament = made.rooms.store, desk.tournament_id
        now = sitting(desk)
        assert (now.reason, now.dealer) == ("ruling", changed.dealer)
        winner = seats[1]
        assert winner is not None
        assert now.outcome == ("first" if winner.player == A else "second")
        assert sorted(now.points) == [0, 40]
        result = desk.tournament.results[1, 1]
        assert result.points == BySeat(
            *(sum(each.points[place] for each in desk.tournament.sittings) for place in (0, 1))
        )
        assert types_after(store, tournament, seq) == ["sitting_adjusted", "result_recorded"]
        assert as_of(store, tournament, seq) == before
        assert standings_of(as_of(store, tournament, seq)) == standings_of(before)
        report = checked(store, tournament)
        assert report.clean, text(report)
        assert report.check("rulings").status == "passed"
        summary(desk.tournament)


async def test_a_void_board_counts_for_nobody() -> None:
    async with court() as made:
        desk = await made.finished([A, B])
        await made.ruled(sitting(desk).match, "void")
        assert sitting(desk).points == BySeat(0, 0)
        assert (sitting(desk).outcome, sitting(desk).reason) == ("draw", "played")
        assert checked(made.rooms.store, desk.tournament_id).clean


async def test_a_ruling_on_appeal_puts_it_back() -> None:
    async with court() as made:
        desk = await made.finished([A, B])
        before = sitting(desk), desk.tournament.results[1, 1]
        match = sitting(desk).match
        await made.ruled(match, "forfeit", seat=1)
        await made.disputes.appeal(match, B, 1, "It was not so.")
        await made.ruled(match, "dismiss", by=SECOND_JUDGE)
        now = sitting(desk)
        assert (now.outcome, now.reason, now.points) == (
            before[0].outcome,
            before[0].reason,
            before[0].points,
        )
        assert desk.tournament.results[1, 1] == before[1]
        report = checked(made.rooms.store, desk.tournament_id)
        assert report.clean, text(report)


async def test_where_both_have_forfeited_neither_has_won() -> None:
    async with court() as made:
        desk = await made.finished([A, B])
        match = sitting(desk).match
        await made.ruled(match, "forfeit", seat=0)
        await made.disputes.open(match, B, "conduct", "And he?", hand=1)
        await made.ruled(match, "forfeit", dispute=2, seat=1)
        assert (sitting(desk).outcome, sitting(desk).points) == ("neither", BySeat(0, 0))
        assert checked(made.rooms.store, desk.tournament_id).clean


async def test_a_tournament_waits_for_a_hand_that_is_played_again() -> None:
    """And takes over what comes back, not what stands meanwhile."""
    async with court() as made:
        desk = await made.finished([A, B])
        before, match = sitting(desk), sitting(desk).match
        await made.ruled(match, "replay")
        assert sitting(desk) == before
        replay = await made.rooms.room.table(replay_id(match, 1, 1))
        await replay.abort("aborted")
        await wait_for(lambda: sitting(desk) != before)
        assert sitting(desk).points == BySeat(0, 0)
        assert checked(made.rooms.store, desk.tournament_id).clean


# --- matches ------------------------------------------------------------------------------------

SHORT: dict[str, Any] = {"play": Matches(), "rules": Ruleset(target=30)}


async def test_a_match_goes_to_the_other_one_by_a_ruling() -> None:
    async with court() as made:
        desk = await made.finished([A, B, C], **SHORT)
        loser = sitting(desk)
        seat = 0 if loser.outcome == "first" else 1
        await made.ruled(loser.match, "forfeit", seat=seat)
        result = desk.tournament.results[loser.round, loser.table]
        assert (result.reason, result.outcome) == (
            "ruling",
            "second" if loser.outcome == "first" else "first",
        )
        report = checked(made.rooms.store, desk.tournament_id)
        assert report.clean, text(report)


async def test_what_the_director_has_ruled_on_a_pairing_stands() -> None:
    async with court() as made:
        desk = await made.finished([A, B], **SHORT)
        await directed(desk, Rule(1, 1, "void", None, "It was a friendly.", ""))
        ended = sitting(desk)
        await made.ruled(ended.match, "forfeit", seat=0 if ended.outcome == "first" else 1)
        assert sitting(desk).reason == "ruling"
        assert desk.tournament.results[1, 1].outcome == "void"
        assert checked(made.rooms.store, desk.tournament_id).clean


async def test_a_bracket_that_has_gone_on_sends_nobody_else_on() -> None:
    """The sitting says what was ruled; who went on has gone on."""
    async with court() as made:
        desk = await made.finished([A, B, C, D], format=Elimination(), **SHORT)
        first = sitting(desk)
        before = desk.tournament.results[first.round, first.table]
        await made.ruled(first.match, "forfeit", seat=0 if first.outcome == "first" else 1)
        assert sitting(desk).outcome != first.outcome
        assert desk.tournament.results[first.round, first.table] == before
        report = checked(made.rooms.store, desk.tournament_id)
        assert report.clean, text(report)


# --- servers that die, and logs that lie --------------------------------------------------------


async def test_a_server_killed_after_a_ruling_takes_it_over_at_the_next_start() -> None:
    """D9 once, however often it is started."""
    store = MemoryStore()
    async with court(store, adjusts=False) as made:
        desk = await made.finished([A, B])
        tournament, seq = desk.tournament_id, desk.seq
        await made.ruled(sitting(desk).match, "forfeit", seat=0)
        assert types_after(store, tournament, seq) == []
        waiting = checked(store, tournament)
        assert waiting.clean
        assert waiting.check("rulings").status == "waiting"
    for _ in range(2):
        async with court(store):
            assert types_after(store, tournament, seq)[0] == "sitting_adjusted"
            assert types_after(store, tournament, seq).count("sitting_adjusted") == 1
    assert checked(store, tournament).check("rulings").status == "passed"


async def test_a_match_of_no_tournament_changes_none() -> None:
    async with court() as made:
        await made.rooms.hall.adjust("m_" + "0" * 26)


@pytest.mark.parametrize(
    "fields",
    [
        {"points": [7, 7]},
        {"outcome": "draw"},
        {"reason": "played"},
        {"hash": "0" * 64},
        {"seq": 9},
    ],
    ids=lambda fields: next(iter(fields)),
)
async def test_a_sitting_that_no_ruling_has_changed_so_is_found(fields: dict[str, object]) -> None:
    """Each such change has its ruling in the match's log."""
    async with court() as made:
        desk = await made.finished([A, B])
        await made.ruled(sitting(desk).match, "forfeit", seat=0)
        store, tournament = made.rooms.store, desk.tournament_id
        lines = list(store.read(tournament))
        (place,) = (
            index
            for index, raw in enumerate(lines)
            if msgspec.json.decode(raw)["type"] == "sitting_adjusted"
        )
        line = msgspec.json.decode(lines[place])
        line["data"] |= fields
        forged = relinked([*lines[:place], msgspec.json.encode(line), *lines[place + 1 :]])
        report = check(forged, lambda match: list(store.read(match)))
        assert not report.clean
        assert place + 1 in {fault.seq for fault in report.faults}


async def test_a_change_that_the_match_knows_nothing_of_is_found() -> None:
    async with court() as made:
        desk = await made.finished([A, B])
        match = sitting(desk).match
        await made.ruled(match, "forfeit", seat=0)
        store, tournament = made.rooms.store, desk.tournament_id

        def undisputed(wanted: str) -> list[bytes]:
            lines = list(store.read(wanted))
            if wanted != match:
                return lines
            return list(takewhile(lambda raw: read_line(raw).type != "dispute_opened", lines))

        report = check(store.read(tournament), undisputed)
        assert [fault.check for fault in report.faults] == ["rulings"]

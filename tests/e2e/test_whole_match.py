"""A whole match between processes: a server, two bots, one database file."""

import asyncio
from pathlib import Path

from support_bots import BotProcess, Report
from support_play import soak
from support_server import ServerProcess, gin_serve, open_db, signed_up

from ginrummy.audit.audit import audit
from ginrummy.audit.report import Head
from ginrummy.client import Client
from ginrummy.v1 import events_pb2, log_service_pb2, match_pb2


async def play_in_processes(
    server: ServerProcess, maker: Client, tmp_path: Path, specs: tuple[str, str]
) -> tuple[match_pb2.Match, list[Report]]:
    """Let two bots, each a new player in a new process, play a match to its end."""
    match = await maker.create_match(name="the final")
    bots = [
        await BotProcess.start(
            server.address,
            (await maker.create_player(name)).token,
            match.id,
            tmp_path,
            spec,
        )
        for name, spec in zip(("Ann", "Bob"), specs, strict=True)
    ]
    reports = await asyncio.gather(*(bot.report() for bot in bots))
    return await maker.match(match.id), reports


async def test_two_bots_in_processes_of_their_own_play_a_match(tmp_path: Path) -> None:
    """The whole line: played, listed, audited, and still there when the server has gone."""
    db = tmp_path / "gin.db"
    async with gin_serve(db) as server, signed_up(server.address, "Eve") as eve:
        match, reports = await play_in_processes(server, eve, tmp_path, ("simple", "random"))
        assert match.stage == match_pb2.STAGE_ENDED
        assert match.outcome.reason == events_pb2.END_REASON_TARGET
        assert max(match.outcome.points) >= 100
        totals, hands = match.outcome.totals, match.hands_dealt
        ann = [seat.name for seat in match.seats].index("Ann")
        hows = ("won", "lost") if match.outcome.winner == ann else ("lost", "won")
        assert reports == [
            Report(match.id, hows[0], totals[ann], totals[1 - ann], hands, 0),
            Report(match.id, hows[1], totals[1 - ann], totals[ann], hands, 0),
        ]

        found = await eve.audit(match.id, receipt_hash=match.head_hash, receipt_seq=match.seq)
        assert found.clean
        assert found.lines == match.seq
        assert found.head_hash == match.head_hash
        assert {check.status for check in found.checks} <= {
            log_service_pb2.CHECK_STATUS_PASSED,
            log_service_pb2.CHECK_STATUS_NOT_APPLICABLE,
        }

        winner = match.outcome.winner
        (row,) = [row async for row in eve.matches(stage=match_pb2.STAGE_ENDED)]
        assert (row.id, row.name, row.winner) == (match.id, "the final", winner)
        assert [seat.name for seat in row.seats] == [seat.name for seat in match.seats]
        assert row.points == match.outcome.totals
        assert [row async for row in eve.matches(stage=match_pb2.STAGE_PLAYING)] == []
        for seat, at in enumerate(match.seats):
            player = await eve.player(at.player_id)
            assert (player.matches, player.won, player.lost) == (1, seat == winner, seat != winner)
            assert [row.id async for row in eve.matches(player_id=player.id)] == [match.id]
        log = [line async for line in eve.log(match.id)]
    async with open_db(db) as store:
        assert [*store.read(match.id)] == log
        assert audit(log, receipt=Head(match.seq, match.head_hash)).clean
        (result,) = store.results()
        assert (result.match, result.winner) == (match.id, winner)


async def test_f5_bots_are_new_processes_that_start_while_a_channel_is_open(
    tmp_path: Path,
) -> None:
    """F5 nothing hangs, however many are started: they are new programs, and no forks."""
    async with gin_serve(tmp_path / "gin.db") as server, signed_up(server.address, "Eve") as eve:
        watched = await eve.create_match()
        watching = eve.watch(watched.id)
        assert (await anext(watching)).snapshot.match_id == watched.id
        for _ in range(soak(100, 1)):
            match, _ = await play_in_processes(server, eve, tmp_path, ("simple", "simple"))
            assert match.stage == match_pb2.STAGE_ENDED
        assert (await anext(watching)).event.HasField("match_created")

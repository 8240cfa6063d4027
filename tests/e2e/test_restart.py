"""A server that is stopped and started again on its database: every match goes on where it was."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from support_house import move_request
from support_server import ServerProcess, gin_serve, new_director, signed_up
from support_wire import Tap

from ginrummy.bots import SimpleBot
from ginrummy.client import Client, connect
from ginrummy.log.lines import MatchLine, read_line
from ginrummy.rules.commands import Draw, Pass
from ginrummy.v1 import events_pb2, log_service_pb2, ruleset_pb2
from ginrummy.v1.match_pb2 import STAGE_ENDED, View
from ginrummy.v1.ruleset_pb2 import Limits, Ruleset, TimeControl


class Running:
    """A server that is there again and again, and two players who stay."""

    def __init__(self, db: Path, stack: AsyncExitStack) -> None:
        self.db = db
        self._stack = stack
        self.server: ServerProcess
        self.players: tuple[Client, Client]

    async def start(self) -> None:
        """Start the server for the first time, and sign the players up."""
        self.server = await self._stack.enter_async_context(gin_serve(self.db))
        address = self.server.address
        ann = await self._stack.enter_async_context(signed_up(address, "Ann"))
        bob = await self._stack.enter_async_context(signed_up(address, "Bob"))
        self.players = (ann, bob)

    async def director(self) -> Client:
        """Return a director's client."""
        client = connect(self.server.address, token=await new_director(self.db))
        return await self._stack.enter_async_context(client)

    async def again(self, *, killed: bool = False, away: float = 0.0) -> None:
        """Stop the server or kill it, and start it after a while at the same address."""
        address = self.server.address
        if killed:
            await self.server.kill()
        else:
            assert await self.server.stop() == 0
        await asyncio.sleep(away)
        self.server = await self._stack.enter_async_context(gin_serve(self.db, listen=address))

    async def playing(self, *moves: Pass | Draw, **terms: Any) -> str:  # noqa: ANN401 -- any terms
        """Open a match, deal, and make some moves, each of the seat whose turn it is."""
        ann, bob = self.players
        match_id = (await ann.create_match(**terms)).id
        for client in (ann, bob):
            await client.join(match_id)
        for client in (ann, bob):
            await client.reveal_nonce(match_id)
        for move in moves:
            view = await ann.view(match_id)
            await self.players[view.hand.to_move].make_move(match_id, move, view.seq)
        return match_id

    async def log(self, match_id: str) -> list[MatchLine]:
        """Return a match's stored lines."""
        return [read_line(raw) async for raw in self.players[0].log(match_id)]

    async def ended(self, match_id: str) -> events_pb2.MatchEnded:
        """Wait for a match's end."""
        async for update in self.players[0].watch(match_id):
            if update.event.HasField("match_ended"):
                return update.event.match_ended
        raise AssertionError("the stream has ended before the match")


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[Running]:
    async with AsyncExitStack() as stack:
        running = Running(tmp_path / "gin.db", stack)
        await running.start()
        yield running


def timeless(view: View) -> View:
    """Return a view without the moment at which it was made."""
    view.clock.ClearField("server_time")
    return view


@pytest.mark.parametrize("killed", [False, True], ids=["stopped", "killed"])
async def test_everything_is_where_it_was(running: Running, killed: bool) -> None:  # noqa: FBT001
    """Views, lists, players and tokens; and c6: a move sent again is answered as the first time."""
    ann, bob = running.players
    match_id = await running.playing(Pass(), Pass(), name="kept")
    seq = (await ann.view(match_id)).seq
    mover = running.players[(await ann.view(match_id)).hand.to_move]
    tap = Tap(running.server.address, mover._token)
    draw = move_request(match_id, Draw(), seq, "the draw")
    first = await tap.ask("MakeMove", draw)
    assert first.events[0].drawn
    before = [timeless(await client.view(match_id)) for client in (ann, bob)]
    rows = [row async for row in ann.matches()]
    await running.again(killed=killed)
    assert [timeless(await client.view(match_id)) for client in (ann, bob)] == before
    assert [row async for row in ann.matches()] == rows
    assert (await ann.me()).name == "Ann"
    assert await tap.ask("MakeMove", draw) == first
    assert len({came.raw for came in tap.came}) == 1
    assert [line.cmd for line in await running.log(match_id)].count("the draw") == 1
    results = await asyncio.gather(*(one.play(match_id, SimpleBot()) for one in (ann, bob)))
    assert [result.unchecked for result in results] == [0, 0]
    assert (await ann.audit(match_id)).clean
    await tap.close()


async def test_a_clock_starts_anew_and_still_runs_out(running: Running) -> None:
    """The decision under way has its time again, and no more than that; the banks stay."""
    match_id = await running.playing(Pass(), clock=TimeControl(bank_ms=60_000, decision_ms=4_000))
    before = await running.players[0].view(match_id)
    await running.again(killed=True, away=4.1)
    view = await running.players[0].view(match_id)
    assert view.hand.to_move == before.hand.to_move
    waiting = 1 - before.hand.to_move
    assert view.clock.bank_ms[waiting] == before.clock.bank_ms[waiting]
    end = await running.ended(match_id)
    assert (end.reason, end.winner) == (events_pb2.END_REASON_CLOCK, waiting)
    lines = await running.log(match_id)
    assert [line.type for line in lines[7:]] == [
        "clock_resumed",
        "clock_expired",
        "match_ended",
        "secret_revealed",
    ]
    assert {line.by for line in lines[7:]} == {"server"}
    assert (lines[8].at - lines[7].at) // 1000 >= 4_000
    assert (await running.players[0].audit(match_id)).clean


async def test_nobody_loses_because_the_server_was_away(running: Running) -> None:
    """A seat that had no clock, and no server to move at, has not abandoned its match."""
    match_id = await running.playing(limits=Limits(idle_ms=4_000))
    await running.again(away=4.1)
    view = await running.players[0].view(match_id)
    assert view.stage != STAGE_ENDED
    left_ms = view.clock.deadline.ToMilliseconds() - view.clock.server_time.ToMilliseconds()
    assert left_ms > 0
    end = await running.ended(match_id)
    assert end.reason == events_pb2.END_REASON_ABANDONED
    assert (await running.players[0].audit(match_id)).clean


async def test_a_match_that_could_not_start_meanwhile_ends(running: Running) -> None:
    """C12 also where its time ran out while nobody was there to see it."""
    ann = running.players[0]
    match_id = (await ann.create_match(limits=Limits(start_ms=400))).id
    await running.again(killed=True, away=0.5)
    assert (await running.ended(match_id)).reason == events_pb2.END_REASON_ABANDONED
    assert (await ann.audit(match_id)).clean


async def test_a_pause_lasts_until_the_director_ends_it(running: Running) -> None:
    """Nothing is resumed by the server itself."""
    match_id = await running.playing(clock=TimeControl(decision_ms=60_000))
    dee = await running.director()
    await dee.pause(match_id)
    await running.again(away=0.5)
    view = await running.players[0].view(match_id)
    assert view.clock.paused
    assert not view.clock.HasField("deadline")
    assert view.seq == 7
    await dee.resume(match_id)
    lines = await running.log(match_id)
    me = await dee.me()
    assert [(line.type, line.by) for line in lines[6:]] == [
        ("clock_paused", me.id),
        ("clock_resumed", me.id),
    ]
    assert (await running.players[0].view(match_id)).clock.HasField("deadline")
    assert (await running.players[0].audit(match_id)).clean


async def test_a_directors_secrets_wait_for_the_director(running: Running) -> None:
    """The policy `director`: after a restart they are still there, and still hidden."""
    ann, bob = running.players
    policy = ruleset_pb2.REVEAL_POLICY_DIRECTOR
    match_id = await running.playing(reveal=policy, rules=Ruleset(hands=2))
    await asyncio.gather(*(one.play(match_id, SimpleBot()) for one in (ann, bob)))
    await running.again()
    assert await waiting(ann, match_id) >= {"deck", "reveal"}
    dee = await running.director()
    await dee.reveal_secrets(match_id)
    assert await waiting(ann, match_id) == set()
    last = (await running.log(match_id))[-1]
    assert (last.type, last.by) == ("secret_revealed", (await dee.me()).id)


async def waiting(client: Client, match_id: str) -> set[str]:
    """Return the names of the checks that wait for a secret, of a log without a fault."""
    found = await client.audit(match_id)
    assert found.clean
    status = log_service_pb2.CHECK_STATUS_WAITING
    return {check.name for check in found.checks if check.status == status}

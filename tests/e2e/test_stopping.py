"""How a server begins and how it ends: its port is its own, and it leaves nothing half done."""

import asyncio
import signal
import socket
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2
from support_seats import BareSeat, hard_of_hearing
from support_server import gin, gin_serve, open_db, signed_up

from ginrummy.bots import SimpleBot
from ginrummy.client import CallError, Client
from ginrummy.client.errors import call_error
from ginrummy.log.lines import read_line
from ginrummy.v1 import match_service_pb2
from ginrummy.v1.ruleset_pb2 import Ruleset

MATCHES = 10
WATCHERS = 30
GRACE = 5.0

# --- F4 -----------------------------------------------------------------------------------------


async def test_f4_a_second_server_on_the_port_ends_at_once_and_says_why(tmp_path: Path) -> None:
    """F4 port sharing is off: no client ever comes to the wrong one."""
    async with gin_serve(tmp_path / "gin.db") as server, signed_up(server.address, "Ann") as ann:
        second = ("serve", "--db", str(tmp_path / "second.db"), "--listen", server.address)
        code, out, err = await gin(*second)
        assert code != 0
        assert out == ""
        assert f"cannot listen on {server.address}: it is taken" in err
        assert "Traceback" not in err
        assert (await ann.me()).name == "Ann"
        async with grpc.aio.insecure_channel(server.address) as channel:
            check = channel.unary_unary(
                "/grpc.health.v1.Health/Check",
                request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
                response_deserializer=health_pb2.HealthCheckResponse.FromString,
            )
            for service in ("", "ginrummy.v1.MatchService"):
                answer = await check(health_pb2.HealthCheckRequest(service=service))
                assert answer.status == health_pb2.HealthCheckResponse.SERVING


async def test_f4_a_port_that_another_program_holds_is_refused(tmp_path: Path) -> None:
    """F4"""
    with socket.create_server(("127.0.0.1", 0)) as held:
        address = f"127.0.0.1:{held.getsockname()[1]}"
        code, out, err = await gin("serve", "--db", str(tmp_path / "gin.db"), "--listen", address)
    assert code != 0
    assert out == ""
    assert f"cannot listen on {address}" in err
    assert "Traceback" not in err


# --- F3 -----------------------------------------------------------------------------------------


async def watched(client: Client, match_id: str, up_to_date: asyncio.Semaphore) -> CallError | None:
    """Watch a match to the stream's end; return the error that ended it."""
    request = match_service_pb2.WatchRequest(match_id=match_id)
    try:
        async for update in client._matches.Watch(request, metadata=client.metadata):
            if update.HasField("caught_up"):
                up_to_date.release()
    except grpc.aio.AioRpcError as error:
        return call_error(error)
    return None


@asynccontextmanager
async def players(address: str, number: int) -> AsyncIterator[list[Client]]:
    """Give so many clients, each a player with a connection of its own."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(signed_up(address, f"P{i}")) for i in range(number)]


async def test_f3_a_server_told_to_stop_ends_in_time_and_answers_all_it_has_stored(
    tmp_path: Path,
) -> None:
    """F3 50 open streams end with a status; a move is stored and answered, or not stored."""
    db = tmp_path / "gin.db"
    async with gin_serve(db, "--grace", str(GRACE)) as server:
        async with players(server.address, 2 * MATCHES) as clients:
            seats: list[BareSeat] = []
            for ann, bob in zip(clients[::2], clients[1::2], strict=True):
                match = await ann.create_match(rules=Ruleset(hands=1000))
                for client in (ann, bob):
                    await client.join(match.id)
                    seats.append(BareSeat(client, match.id))
            up_to_date = asyncio.Semaphore(0)
            streams = [
                *(asyncio.create_task(seat.play()) for seat in seats),
                *(
                    asyncio.create_task(
                        watched(clients[i % 20], seats[i % 20].match_id, up_to_date)
                    )
                    for i in range(WATCHERS)
                ),
            ]
            await asyncio.gather(*(seat.playing.wait() for seat in seats))
            for _ in range(WATCHERS):
                await up_to_date.acquire()
            began = time.monotonic()
            server.terminate()
            ends = await asyncio.gather(*streams)
            assert await server.ended() == 0
            assert time.monotonic() - began < GRACE
        calls = [event for event in server.events if event["event"] == "call"]
        assert [call["code"] for call in calls] == ["UNAVAILABLE"] * len(streams)
        cut_off = [seat.cut_off for seat in seats] + [False] * WATCHERS
        for end, was_cut_off in zip(ends, cut_off, strict=True):
            assert end is not None
            assert was_cut_off or end.reason == "SERVER_STOPPING"
    async with open_db(db) as store:
        for seat in seats:
            me = (await seat.client.me()).id
            lines = map(read_line, store.read(seat.match_id))
            stored = {line.cmd: line.seq for line in lines if line.by == me and line.cmd}
            moves = {cmd: seq for cmd, seq in stored.items() if cmd in seat.sent}
            assert moves == seat.answered
            # At most the last one was not taken up; nothing before it is lost.
            assert list(moves) in (seat.sent, seat.sent[:-1])


async def test_f3_a_client_that_reads_nothing_holds_nobody_up_for_longer_than_the_grace(
    tmp_path: Path,
) -> None:
    """F3 its stream is cut off then, whatever it has not read."""
    async with (
        gin_serve(tmp_path / "gin.db", "--grace", "0.5") as server,
        players(server.address, 2) as (ann, bob),
        hard_of_hearing(ann) as deaf,
    ):
        match = await ann.create_match(rules=Ruleset(hands=20))
        request = match_service_pb2.WatchRequest(match_id=match.id)
        watch = deaf._matches.Watch(request, metadata=deaf.metadata)
        await watch.read()
        await asyncio.gather(*(client.play(match.id, SimpleBot()) for client in (ann, bob)))
        assert not watch.done()
        began = time.monotonic()
        assert await server.stop() == 0
        assert time.monotonic() - began < 3
        watch.cancel()


async def test_ctrl_c_stops_a_server_as_well(tmp_path: Path) -> None:
    """It ends at once where nothing is under way: no grace is waited for that nobody needs."""
    async with gin_serve(tmp_path / "gin.db", "--grace", "60") as server:
        server.process.send_signal(signal.SIGINT)
        assert await server.ended() == 0
    assert [event["event"] for event in server.events] == [
        "signing",
        "serving",
        "stopping",
        "stopped",
    ]

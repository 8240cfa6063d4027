"""Clients that go without a word, and clients that stay without one."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, Self, TypeAlias
from unittest.mock import patch

import grpc
import pytest
from support_play import soak
from support_server import SOON, ChannelOptions, InProcess, in_process, replaced, signed_up, until

from ginrummy.api import server as servers
from ginrummy.bots import Move, SimpleBot, View
from ginrummy.client import KEEPALIVE_SECONDS, Client, connect
from ginrummy.client import client as clients
from ginrummy.v1 import match_service_pb2 as matches
from ginrummy.v1 import match_service_pb2_grpc

STREAMS = 200
"""How many watch streams are open when their clients go."""

SCALE = soak(1, 40)
"""By how much the intervals of the pings are shortened, on both sides alike."""

Stub = match_service_pb2_grpc.MatchServiceStub
Watch: TypeAlias = "grpc.aio.UnaryStreamCall[matches.WatchRequest, matches.WatchResponse]"
Gone: TypeAlias = Callable[[InProcess, Client, str], Coroutine[None, None, None]]


def scaled(options: ChannelOptions) -> ChannelOptions:
    """Return the options for pings, shortened; but nobody has less than two seconds to answer."""
    return tuple(
        (name, max(2_000, value // SCALE) if "timeout" in name else value // SCALE)
        for name, value in options
        if name.endswith("_ms") and ("ping" in name or "keepalive" in name)
    )


@asynccontextmanager
async def watched(options: ChannelOptions) -> AsyncIterator[tuple[InProcess, Client, str]]:
    """Serve, and open a match to be watched."""
    async with (
        in_process(channel_options=options) as server,
        signed_up(server.address, "Ann") as ann,
    ):
        match = await ann.create_match()
        await ann.join(match.id)
        yield server, ann, match.id


async def up_to_date(channel: grpc.aio.Channel, match_id: str, client: Client) -> Watch:
    """Open a watch stream and read it up to its mark."""
    request = matches.WatchRequest(match_id=match_id)
    call = Stub(channel).Watch(request, metadata=client.metadata)
    async for update in call:
        if update.HasField("caught_up"):
            return call
    raise AssertionError("the stream has ended")


async def streams_of(server: InProcess, match_id: str, number: int, seconds: float) -> None:
    """Wait until so many watch streams are open, and that many subscriptions."""
    news = (await server.table(match_id)).news
    for pause in until(seconds):
        if len(news._watchers) == sum(news._connected) == number:
            return
        await asyncio.sleep(pause)


_MANY_WATCHERS = """
import asyncio, sys, grpc
from ginrummy.v1 import match_service_pb2 as matches, match_service_pb2_grpc

async def main(address, token, match_id, number):
    async with grpc.aio.insecure_channel(address) as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        metadata = (("authorization", "Bearer " + token),)
        calls = [stub.Watch(matches.WatchRequest(match_id=match_id), metadata=metadata)
                 for _ in range(int(number))]
        for call in calls:
            async for update in call:
                if update.HasField("caught_up"):
                    break
        print("watching", flush=True)
        await asyncio.Event().wait()

asyncio.run(main(*sys.argv[1:]))
"""


async def cancelled(server: InProcess, ann: Client, match_id: str) -> None:
    """Cancel all calls of one client."""
    async with grpc.aio.insecure_channel(server.address) as channel:
        calls = [await up_to_date(channel, match_id, ann) for _ in range(STREAMS)]
        await streams_of(server, match_id, STREAMS, SOON)
        for call in calls:
            call.cancel()
        await streams_of(server, match_id, 0, 30)


async def killed(server: InProcess, ann: Client, match_id: str) -> None:
    """Kill the process of all of them."""
    token = ann._token
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _MANY_WATCHERS, server.address, token, match_id, str(STREAMS)),
        stdout=PIPE,
    )
    assert process.stdout is not None
    assert await asyncio.wait_for(process.stdout.readline(), SOON) == b"watching\n"
    await streams_of(server, match_id, STREAMS, SOON)
    process.kill()
    await process.wait()
    await streams_of(server, match_id, 0, 30)


async def cut_off(server: InProcess, ann: Client, match_id: str) -> None:
    """Cut the network after it has been quiet for a while: no side is told anything."""
    async with Line(server.address) as line, grpc.aio.insecure_channel(line.address) as channel:
        for _ in range(STREAMS):
            await up_to_date(channel, match_id, ann)
        await streams_of(server, match_id, STREAMS, SOON)
        await line.quiet(pings=4)
        line.cut()
        await streams_of(server, match_id, 0, 30)


class Line:
    """A wire between a client and a server that can be cut without either noticing."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._server = (host, int(port))
        self._whole = asyncio.Event()
        self._whole.set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._ends: set[asyncio.StreamWriter] = set()
        self._chunks = 0
        self._heard = asyncio.Condition()
        self.address = ""

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{self._listener.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._listener.close()
        await self._listener.wait_closed()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # A task that is ended before its first step closes nothing.
        for end in self._ends:
            end.close()
        await asyncio.gather(*(end.wait_closed() for end in self._ends), return_exceptions=True)

    def cut(self) -> None:
        """Carry nothing of the present connections any more, and close none; new ones are whole."""
        self._whole.clear()
        self._whole = asyncio.Event()
        self._whole.set()

    async def quiet(self, pings: int) -> None:
        """Wait until the server has pinged so often, with nothing else to say."""
        async with self._heard:
            until_then = self._chunks + pings
            await asyncio.wait_for(
                self._heard.wait_for(lambda: self._chunks >= until_then), SOON + 30 * pings
            )

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._ends.add(writer)
        connecting = asyncio.create_task(asyncio.open_connection(*self._server))
        self._tasks.add(connecting)
        there, back = await connecting
        self._ends.add(back)
        for source, sink, from_server in ((reader, back, False), (there, writer, True)):
            carrying = self._carry(self._whole, source, sink, from_server=from_server)
            self._tasks.add(asyncio.create_task(carrying))

    async def _carry(
        self,
        whole: asyncio.Event,
        source: asyncio.StreamReader,
        sink: asyncio.StreamWriter,
        *,
        from_server: bool,
    ) -> None:
        try:
            while chunk := await source.read(65_536):
                await whole.wait()
                sink.write(chunk)
                await sink.drain()
                if from_server:
                    async with self._heard:
                        self._chunks += 1
                        self._heard.notify_all()
        except ConnectionError:
            pass
        finally:
            sink.close()
            with suppress(ConnectionError):
                await sink.wait_closed()


@pytest.mark.parametrize("gone", [cancelled, killed, cut_off])
async def test_f1_streams_whose_clients_have_gone_are_gone(gone: Gone) -> None:
    """F1 200 of them leave nothing behind within 30 s, and unary calls work all the time."""
    async with watched(scaled(servers._CHANNEL_OPTIONS)) as (server, ann, match_id):
        going = asyncio.create_task(gone(server, ann, match_id))
        while not going.done():
            assert (await ann.view(match_id)).match_id == match_id
            await asyncio.sleep(0.05)
        await going
        assert [*(await ann.view(match_id)).connected] == [False, False]


class Thoughtful(SimpleBot):
    """A bot that lets somebody know when it has got so far, and waits for them."""

    def __init__(self) -> None:
        self.decided = 0
        self.halfway = asyncio.Event()

    async def draw(self, view: View) -> Move:  # type: ignore[override]  # a bot's method may wait
        self.decided += 1
        if self.decided == 10:
            self.halfway.set()
        return super().draw(view)


async def test_f1_a_seat_plays_on_when_its_connection_has_died_without_a_word() -> None:
    """F1 the other way round: the SDK finds out by itself, and connects again."""
    bot = Thoughtful()
    async with (
        watched(scaled(servers._CHANNEL_OPTIONS)) as (server, ann, match_id),
        signed_up(server.address, "Bob") as bob,
        Line(server.address) as line,
    ):
        options = replaced(clients._CHANNEL, scaled(clients._CHANNEL))
        with patch.object(clients, "_CHANNEL", options):
            far = connect(line.address, token=bob._token, nonces=bob.nonces)
        async with far:
            others = asyncio.create_task(ann.play(match_id, SimpleBot()))
            playing = asyncio.create_task(far.play(match_id, bot))
            await bot.halfway.wait()
            line.cut()
            result = await asyncio.wait_for(playing, 60 + 30 * SCALE)
        assert result.unchecked == 0
        assert (await others).outcome == result.outcome


# --- F2 -----------------------------------------------------------------------------------------

PINGS = soak(20, 5)
"""How often a client is answered before it is content; the fourth ping too early is the last."""

_LEAST = "grpc.http2.min_recv_ping_interval_without_data_ms"


def allowing(least_ms: int) -> ChannelOptions:
    """Return the options of a server that lets its clients ping so often, and is quiet itself."""
    return (
        (_LEAST, least_ms),
        ("grpc.http2.min_ping_interval_without_data_ms", least_ms),
        # A server that pings first leaves its clients nothing to ask for.
        ("grpc.keepalive_time_ms", 3_600_000),
    )


async def is_sent_away(every_ms: int, server: InProcess, ann: Client, match_id: str) -> bool:
    """Watch without a word, pinging so often; say whether the server ends it."""
    options = (
        ("grpc.keepalive_time_ms", every_ms),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.max_pings_without_data", 0),
    )
    async with (
        Line(server.address) as line,
        grpc.aio.insecure_channel(line.address, options=options) as channel,
    ):
        call = await up_to_date(channel, match_id, ann)
        ended = asyncio.Event()
        call.add_done_callback(lambda _: ended.set())
        either = [asyncio.create_task(ended.wait()), asyncio.create_task(line.quiet(PINGS))]
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        for task in either:
            task.cancel()
        return ended.is_set()


async def test_f2_a_quiet_client_may_ping_twice_as_often_as_it_is_told_to() -> None:
    """F2 no GOAWAY: what the server allows is clearly more than what a client does.

    A client that pings ten times as often as allowed shows that one would be seen.
    """
    told_ms, least_ms = KEEPALIVE_SECONDS * 1000, dict(servers._CHANNEL_OPTIONS)[_LEAST]
    scale = soak(1, 12)
    async with (
        watched(allowing(least_ms // scale)) as usual,
        watched(allowing(least_ms)) as strict,
    ):
        once, twice, ten_times = await asyncio.gather(
            is_sent_away(told_ms // scale, *usual),
            is_sent_away(told_ms // 2 // scale, *usual),
            is_sent_away(1_000, *strict),
        )
    assert (once, twice, ten_times) == (False, False, True)

"""What watchers cost the players whom they watch: a move's delay beside that with one watcher.

python benchmarks/watch_speed.py

Two seats of one match move at an even pace, too slow to keep a server busy. Their watchers, who
sit in a process of their own and only read, come by numbers. A move's delay is from sending it to
its answer at either seat.
"""

import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import grpc
import uvloop
from play_speed import Meter, play_seat, seats_at, serving

from ginrummy.v1 import match_service_pb2 as pb
from ginrummy.v1 import match_service_pb2_grpc

__all__ = ["WatchComparison", "compare_watching"]

_PAUSE = 0.25
"""Seconds that a seat thinks."""

_MOVES = 200

_A_CONNECTION = 250
"""Watchers who share one."""

_WATCH = "/ginrummy.v1.MatchService/Watch"


class WatchComparison(NamedTuple):
    """A move's delay with some watchers, in milliseconds."""

    watchers: int
    p50: float
    p99: float
    growth: float
    """The p99 over that with one watcher."""
    goal: float = 1.5
    """The most that it may grow."""


async def _watch(address: str, token: str, match_id: str, watchers: int) -> None:
    """Watch a match with some streams, say when all have caught up, and read what comes."""
    request = pb.WatchRequest(match_id=match_id).SerializeToString()
    metadata = (("authorization", f"Bearer {token}"),)
    # A channel that nobody holds closes, and its streams with it.
    channels, calls = [], []
    for first in range(0, watchers, _A_CONNECTION):
        channel = grpc.aio.insecure_channel(
            address, options=[("grpc.use_local_subchannel_pool", 1)]
        )
        channels.append(channel)
        watch: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream(_WATCH)
        calls += [
            watch(request, metadata=metadata) for _ in range(min(_A_CONNECTION, watchers - first))
        ]
    ready = asyncio.Semaphore(0)

    async def read(call: "grpc.aio.UnaryStreamCall[bytes, bytes]") -> None:
        caught_up = False
        async for raw in call:
            if not caught_up and pb.WatchResponse.FromString(raw).HasField("caught_up"):
                caught_up = True
                ready.release()

    reading = [asyncio.ensure_future(read(call)) for call in calls]
    for _ in calls:
        await ready.acquire()
    print("ready", flush=True)
    await asyncio.gather(*reading)


@contextmanager
def _watched(address: str, token: str, match_id: str, watchers: int) -> Iterator[None]:
    """Let some watch a match from another process while the context is open."""
    arguments = (address, token, match_id, str(watchers))
    with subprocess.Popen(
        [sys.executable, __file__, *arguments], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            yield
        finally:
            process.kill()


async def _delays(address: str, watchers: int) -> tuple[float, float]:
    async with grpc.aio.insecure_channel(address) as channel:
        stub, meter = match_service_pb2_grpc.MatchServiceStub(channel), Meter()
        seats, (onlooker, _) = await seats_at(channel, 1), await seats_at(channel, 1)
        tasks = [asyncio.ensure_future(play_seat(stub, seat, meter, _PAUSE)) for seat in seats]
        try:
            with _watched(address, onlooker.token, seats[0].match_id, watchers):
                found = await meter.measure(_MOVES * _PAUSE)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    return found.p50, found.p99


def compare_watching() -> Iterator[WatchComparison]:
    """Yield the delays with 1, 100 and 2,000 watchers."""
    with tempfile.TemporaryDirectory() as place, serving(Path(place, "gin.db")) as address:
        alone = 0.0
        for watchers in (1, 100, 2000):
            p50, p99 = uvloop.run(_delays(address, watchers))
            alone = alone or p99
            yield WatchComparison(watchers, p50, p99, p99 / alone)


def main() -> None:
    """Compare, and print a line for each number; with arguments, be the watchers."""
    if sys.argv[1:]:
        address, token, match_id, watchers = sys.argv[1:]
        uvloop.run(_watch(address, token, match_id, int(watchers)))
        return
    for found in compare_watching():
        print(
            f"{found.watchers:>5} watchers  p50 {found.p50:.2f} ms  p99 {found.p99:.2f} ms  "
            f"{found.growth:.2f} of one watcher's (goal: at most {found.goal})",
            flush=True,
        )


if __name__ == "__main__":
    main()

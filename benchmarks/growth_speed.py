"""What a server costs as its matches, its log and the hands of a match grow.

python benchmarks/growth_speed.py [--whole | --events N]

Servers on databases of several sizes take the same load in turns, and what each spends of the
processor on a move is compared: that is little disturbed by whatever else the machine does. A match
is opened from databases in which it has had 1, 10 and 100 hands. `--whole` takes 10,000 open and
111,111 finished matches, a million lines, and some minutes to make them; `--events` any number of
lines.
"""

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

import grpc
import uvloop
from comparison import Comparison
from filled_database import LINES_OF_A_FINISHED_MATCH, fill, move_at, room_on, seated
from play_speed import Meter, play_seat, seats_at

from ginrummy.log.fold import shuffle_for
from ginrummy.rules.match import hands_dealt
from ginrummy.store import GroupCommit, SqliteStore, Store
from ginrummy.tables.opening import open_match
from ginrummy.tables.shelf import Shelf
from ginrummy.v1 import match_service_pb2 as pb
from ginrummy.v1 import match_service_pb2_grpc, player_service_pb2_grpc
from ginrummy.v1 import player_service_pb2 as players

__all__ = ["SMALL", "WHOLE", "Growth", "Size", "compare_growth", "compare_opening", "measure_start"]

_HANDS = (1, 10, 100)

_MATCHES = 16
"""Matches that are played at once while the rest of them are only there."""

_WARM_UP = 0.5
"""As a meter has it."""

_QUIET = 4.0
"""Seconds after its start by which a server has begun with what it does of itself."""

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class Size(NamedTuple):
    """How much a comparison is over."""

    open_matches: tuple[int, ...]
    """In memory, the fewest first."""
    finished: int
    """Matches that are over in the long log, each of LINES_OF_A_FINISHED_MATCH."""


SMALL = Size((10, 1_000), 10_000)
WHOLE = Size((10, 1_000, 10_000), 111_111)


class Start(NamedTuple):
    """What a start costs with so many matches that are over."""

    finished: int
    seconds: float
    """From the command to the address that it prints; processor time, of all its threads."""
    wall: float
    """The same by the clock on the wall."""
    memory: float
    """MiB that the process takes then."""


class Growth(NamedTuple):
    """What moves cost beside so many open matches, or so many lines."""

    beside: str
    microseconds: float
    """Of the server's processor time a move, all its threads together."""
    ratio: float
    """Moves for the same processor time, over those beside the fewest."""
    kib: float | None
    """KiB of memory that each open match takes; None where their number does not change."""
    goal: float = 0.8


# --- opening a match ------------------------------------------------------------------------------


async def _long_match(store: Store, hands: int) -> str:
    """Play a match of so many hands, with snapshots as a server takes them, and return its id."""
    rng = random.Random(hands)
    async with GroupCommit(store) as commits:
        room, shelf = room_on(store, commits), Shelf(store, shuffle_for)
        table = await seated(room)
        while hands_dealt(table.match) <= hands:
            await move_at(table, rng)
            shelf.look_at([table])
            await shelf.write()
        # Nobody closes the room, which would take a last snapshot: who is killed takes none.
        return table.match_id


class _WithoutSnapshots(SqliteStore):
    """A database in which a match is folded from all its lines."""

    def snapshot(self, stream: str) -> None:
        """Return nothing."""


def _opening_seconds(store: Store, match_id: str) -> float:
    begin = time.thread_time()
    open_match(store, match_id)
    return time.thread_time() - begin


def compare_opening(rounds: int = 15) -> Iterator[Comparison]:
    """Compare opening matches of more and more hands with one of a single hand; rates a second."""
    with tempfile.TemporaryDirectory() as place, ExitStack() as ending:
        stores, matches = [], []
        for hands in _HANDS:
            store = SqliteStore(Path(place, f"{hands}.db"))
            ending.callback(store.close)
            stores.append(store)
            matches.append(asyncio.run(_long_match(store, hands)))
        whole = _WithoutSnapshots(Path(place, f"{_HANDS[-1]}.db"))
        ending.callback(whole.close)
        taken: dict[int | str, list[float]] = {hands: [] for hands in _HANDS} | {"whole": []}
        for _ in range(rounds):
            for hands, store, match_id in zip(_HANDS, stores, matches, strict=True):
                taken[hands].append(_opening_seconds(store, match_id))
            taken["whole"].append(_opening_seconds(whole, matches[-1]))
        rates = {name: 1 / median(seconds) for name, seconds in taken.items()}
        for hands in _HANDS[1:]:
            name = f"opening a match of {hands} hands, beside one of 1"
            ratio = rates[hands] / rates[1]
            yield Comparison(name, "matches/s", rates[hands], rates[1], ratio, 0.5)
        last = _HANDS[-1]
        name = f"opening a match of {last} hands, beside folding all its lines"
        ratio = rates[last] / rates["whole"]
        yield Comparison(name, "matches/s", rates[last], rates["whole"], ratio, 10)


# --- a server's own figures -----------------------------------------------------------------------


class _Server(NamedTuple):
    """A server process."""

    pid: int
    address: str
    seconds: float
    """Processor time that it had taken when it told its address."""
    wall: float

    def cpu(self) -> float:
        """Return the processor time that it has taken, in seconds."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def memory(self) -> float:
        """Return the memory that it takes, in bytes."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * _PAGE_BYTES

    def settle(self) -> None:
        """Wait until it has nothing to do of itself: clocks looked after, lines signed."""
        # It looks after the clocks of matches that were quiet for three seconds.
        time.sleep(_QUIET)
        before = -1.0
        while (now := self.cpu()) - before > 0.05:
            before = now
            time.sleep(1)


@contextmanager
def _serving(db: Path) -> Iterator[_Server]:
    """Serve a database from a process of its own."""
    command = (*("-m", "ginrummy.cli", "serve"), *("--log-level", "error"))
    begin = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *command, "--db", str(db), "--listen", "127.0.0.1:0"],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            wall = time.perf_counter() - begin
            server = _Server(process.pid, address, 0.0, wall)
            yield server._replace(seconds=server.cpu())
        finally:
            process.terminate()


# --- starting -------------------------------------------------------------------------------------


def measure_start(finished: int, rounds: int = 5) -> tuple[Start, Start]:
    """Return what a start costs on a log with one match that is over, and on one with so many."""
    with tempfile.TemporaryDirectory() as place:
        paths = [Path(place, f"{each}.db") for each in (1, finished)]
        for path, count in zip(paths, (1, finished), strict=True):
            fill(path, finished=count, still_open=0)
            # The first start on a log grows its tree and signs it, once.
            with _serving(path) as server:
                server.settle()
        found: list[list[tuple[float, float, float]]] = [[], []]
        for _ in range(rounds):
            for path, costs in zip(paths, found, strict=True):
                with _serving(path) as server:
                    costs.append((server.seconds, server.wall, server.memory() / 2**20))
    one, many = (
        Start(count, *(median(each) for each in zip(*costs, strict=True)))
        for count, costs in zip((1, finished), found, strict=True)
    )
    return one, many


# --- moving ---------------------------------------------------------------------------------------


async def _look_at(address: str, matches: Sequence[str]) -> None:
    """Ask for each of these matches, so that it is in memory."""
    async with grpc.aio.insecure_channel(address) as channel:
        people = player_service_pb2_grpc.PlayerServiceStub(channel)
        token = (await people.CreatePlayer(players.CreatePlayerRequest(name="Onlooker"))).token
        tables = match_service_pb2_grpc.MatchServiceStub(channel)
        bearer = (("authorization", f"Bearer {token}"),)
        for match_id in matches:
            await tables.GetMatch(pb.GetMatchRequest(match_id=match_id), metadata=bearer)


async def _seconds_a_move(server: _Server, seconds: float) -> float:
    """Return the processor time that a server takes for a move, while some matches are played."""
    async with grpc.aio.insecure_channel(server.address) as channel:
        stub, meter = match_service_pb2_grpc.MatchServiceStub(channel), Meter()
        seats = await seats_at(channel, _MATCHES)
        tasks = [asyncio.ensure_future(play_seat(stub, seat, meter)) for seat in seats]
        try:
            measuring = asyncio.ensure_future(meter.measure(seconds))
            await asyncio.sleep(_WARM_UP)
            begin = server.cpu()
            await asyncio.sleep(seconds)
            taken = server.cpu() - begin
            return taken / ((await measuring).rate * seconds)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def compare_growth(size: Size = SMALL, rounds: int = 7, seconds: float = 3.0) -> Iterator[Growth]:
    """Compare what moves cost beside more and more open matches, and beside a long log."""
    with tempfile.TemporaryDirectory() as place, ExitStack() as ending:
        servers: list[_Server] = []
        names: list[str] = []
        kib: list[float] = []
        for still_open in size.open_matches:
            path = Path(place, f"open{still_open}.db")
            matches = fill(path, finished=1, still_open=still_open)
            server = ending.enter_context(_serving(path))
            server.settle()
            before = server.memory()
            uvloop.run(_look_at(server.address, matches))
            kib.append((server.memory() - before) / 1024 / still_open)
            servers.append(server)
            names.append(f"{still_open:,} open matches")
        path = Path(place, "events.db")
        fill(path, finished=size.finished, still_open=0)
        server = ending.enter_context(_serving(path))
        server.settle()
        servers.append(server)
        names.append(f"{size.finished * LINES_OF_A_FINISHED_MATCH:,} lines in the log")
        taken: list[list[float]] = [[] for _ in servers]
        for turn in range(rounds):
            # Whoever is first in one round is last in the next.
            for each in range(len(servers))[:: 1 if turn % 2 else -1]:
                taken[each].append(uvloop.run(_seconds_a_move(servers[each], seconds)))
    least = median(taken[0])
    # The fewest have too few to divide by.
    for name, costs, held in zip(names, taken, [None, *kib[1:], None], strict=True):
        cost = median(costs)
        yield Growth(name, 1e6 * cost, least / cost, held)


def main() -> None:
    """Compare everything, and print a line for each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--whole", action="store_true", help="10,000 open matches, a million lines")
    parser.add_argument("--events", type=int, help="lines in the long log")
    asked = parser.parse_args()
    size = WHOLE if asked.whole else SMALL
    if asked.events is not None:
        size = size._replace(finished=asked.events // LINES_OF_A_FINISHED_MATCH)
    for opening in compare_opening():
        print(
            f"{opening.name:55} {opening.ours:>8,.0f} {opening.baseline:>8,.0f} {opening.unit}  "
            f"ratio {opening.ratio:.2f} (goal {opening.goal})"
        )
    for start in measure_start(size.finished):
        print(
            f"start with {start.finished:>9,} finished matches  {start.seconds:.2f} s of processor "
            f"time, {start.wall:.2f} s on the wall, {start.memory:.0f} MiB"
        )
    for growth in compare_growth(size):
        held = "" if growth.kib is None else f", {growth.kib:.1f} KiB a match"
        print(
            f"moves beside {growth.beside:25}  {growth.microseconds:>5.0f} us of the processor  "
            f"ratio {growth.ratio:.2f} (goal {growth.goal}){held}"
        )


if __name__ == "__main__":
    main()

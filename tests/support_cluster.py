"""Several servers of one log, those who play there, a database of a test's own, a bad network.

clients ──> servers ──> (a proxy that may drop all) ──> PostgreSQL
"""

import asyncio
import os
import random
import shutil
import subprocess
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from itertools import count
from pathlib import Path

import pytest
from support_play import soak
from support_postgres import free_port
from support_server import GIN, QUICK, SOON, ServerProcess, signed_up, until
from support_store import rows
from support_witnesses import Match, opened

from ginrummy.client import Client, Result
from ginrummy.store import open_store
from ginrummy.v1.match_service_pb2 import WatchResponse
from ginrummy.v1.ruleset_pb2 import Ruleset, TimeControl

__all__ = ["Cable", "Cluster", "OwnPostgres", "abandoned", "cable", "node", "own_postgres", "seen"]

_numbers = count(1)


@asynccontextmanager
async def node(
    db: str, folder: Path, *options: str, listen: str = "127.0.0.1:0"
) -> AsyncIterator[ServerProcess]:
    """Run one of a database's servers while the context is open; it may be killed meanwhile.

    A server that tells of a fault of its own has failed the test.
    """
    journal = folder / f"node{next(_numbers)}.log"
    with journal.open("wb") as written:
        process = await asyncio.create_subprocess_exec(
            *GIN,
            *("serve", "--db", db, "--listen", listen, *options),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=written,
        )
    try:
        assert process.stdout is not None
        said = await asyncio.wait_for(process.stdout.readline(), SOON)
        assert said, journal.read_text()
        server = ServerProcess(process, said.decode().strip(), journal)
        yield server
        await server.stop()
        assert not [event for event in server.events if event["event"] == "fault"]
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


A_LIFE = soak(100, 60)
"""How many events are acknowledged between two faults, on average."""


class Cluster:
    """Servers of one log, players at them, and what they are told."""

    def __init__(self, db: str, servers: list[ServerProcess], clients: list[Client]) -> None:
        self.db = db
        self.servers = servers
        self.clients = clients
        self.told = asyncio.Condition()
        self.matches: list[Match] = []
        self._playing: list[asyncio.Task[list[Result]]] = []
        self._rng = random.Random(1)

    @property
    def addresses(self) -> list[str]:
        """Where the servers take calls."""
        return [server.address for server in self.servers]

    async def begin(self) -> None:
        """Let all play until they are told that it is enough."""
        for ann, ben in zip(self.clients[::2], self.clients[1::2], strict=True):
            match = await opened(ann, self.told, timed=not self.matches)
            self.matches.append(match)
            self._playing.append(asyncio.create_task(match.play((ann, ben))))

    async def some_events(self) -> None:
        """Wait until some more events were told, and a part of another one has happened."""
        more = self._acknowledged() + self._rng.randrange(2 * A_LIFE)
        async with self.told, asyncio.timeout(120):
            await self.told.wait_for(lambda: self._acknowledged() > more or self._has_failed())
        await asyncio.sleep(self._rng.random() * 0.005)

    def _acknowledged(self) -> int:
        return sum(match.acknowledged for match in self.matches)

    def _has_failed(self) -> bool:
        """Raise what has ended a match; none ends by itself."""
        for each in self._playing:
            if each.done():
                raise AssertionError(f"a match has ended: {each.result()}")
        return False

    async def leave(self) -> None:
        """Let nobody play any more, however the test has ended."""
        for each in self._playing:
            each.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)

    async def check(self) -> None:
        """Bring all to an end, and check the logs and what was told of them."""
        for match in self.matches:
            match.enough.set()
        async with asyncio.timeout(120):
            results = await asyncio.gather(*self._playing)
        store = open_store(self.db, create=False)
        try:
            for match, both in zip(self.matches, results, strict=True):
                log = [line async for line in self.clients[0].log(match.id)]
                assert log == [*store.read(match.id)]
                match.check_whole(log, both)
            before = rows(store)
            store.rebuild()
            assert rows(store) == before
        finally:
            store.close()


async def seen(client: Client, match_id: str) -> list[bytes]:
    """Watch a match to its end, and return the lines that were told."""
    return [told.event.line async for told in client.watch(match_id) if is_event(told)]


def is_event(told: WatchResponse) -> bool:
    return told.WhichOneof("update") == "event"


async def abandoned(
    addresses: Sequence[str],
    stack: AsyncExitStack,
    happens: Callable[[], Awaitable[None]],
    watchers: int = 0,
) -> list[bytes]:
    """Let two sit down at the first server and go away; return the log once their time is over.

    Meanwhile something happens, and others watch.
    """
    async with signed_up(addresses[0], "Ann", retry=QUICK) as ann:
        ben = await stack.enter_async_context(signed_up(addresses[0], "Ben"))
        match = await ann.create_match(
            rules=Ruleset(target=10), clock=TimeControl(bank_ms=6000, increment_ms=0)
        )
        async with ann.sit(match.id) as one, ben.sit(match.id) as other:
            # Before the deal both nonces are to come, each from its own player who waits.
            waiting = [asyncio.create_task(seat.wait()) for seat in (one, other)]
            for pause in until():
                if (await ann.view(match.id)).HasField("hand"):
                    break
                await asyncio.sleep(pause)
            for wait in waiting:
                wait.cancel()
        at = [
            await stack.enter_async_context(signed_up(address, f"W{i}"))
            for i, address in enumerate(addresses[:watchers])
        ]
        lasting = await stack.enter_async_context(signed_up(addresses[1], "Eve"))
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        watching = [group.create_task(seen(each, match.id)) for each in at]
        await happens()
        lines = await seen(lasting, match.id)
    for each in watching:
        assert each.result() == lines
    return lines


# --- a database server --------------------------------------------------------------------------


class OwnPostgres:
    """A PostgreSQL server that a test may stop, with a database of its own."""

    def __init__(self, programs: Path, data: Path, port: int) -> None:
        self._programs = programs
        self._data = data
        self._port = port

    @property
    def url(self) -> str:
        """The address of its database, as its superuser."""
        return f"postgresql://postgres@127.0.0.1:{self._port}/postgres"

    def control(self, *arguments: str) -> None:
        """Run pg_ctl, and wait for what it does."""
        options = f"-p {self._port} -c listen_addresses=127.0.0.1 -k {self._data}"
        self._run("pg_ctl", "-w", "-D", str(self._data), "-l", f"{self._data}.log", "-o", options,
                  *arguments)  # fmt: skip

    def restart(self) -> None:
        """Stop it as a crash does, and start it again: it recovers from its log."""
        self.control("-m", "immediate", "restart")

    def initialise(self) -> None:
        """Make its data."""
        self._run("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "-D", str(self._data))

    def _run(self, program: str, *arguments: str) -> None:
        # PostgreSQL does not run as root. By a program of its own, since Python would fork for it,
        # with all that gRPC has to do at a fork in a process of many threads.
        other = ("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups")
        subprocess.run(
            [*(other if os.geteuid() == 0 else ()), str(self._programs / program), *arguments],
            cwd="/",
            check=True,
            stdout=subprocess.DEVNULL,
        )


def _programs() -> Path | None:
    """Return where PostgreSQL's own programs are."""
    found = shutil.which("pg_ctl")
    if found is not None:
        return Path(found).parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


@contextmanager
def own_postgres() -> Iterator[OwnPostgres]:
    """Run a database server while the context is open; in CI there has to be one to run."""
    programs = _programs()
    if programs is None and not os.environ.get("CI"):
        pytest.skip("PostgreSQL's programs, initdb and pg_ctl, are not here")
    assert programs is not None
    folder = Path(tempfile.mkdtemp(prefix="ginrummy-postgres-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        server = OwnPostgres(programs, folder / "data", free_port())
        server.initialise()
        server.control("start")
        try:
            yield server
        finally:
            server.control("-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


# --- a bad network ------------------------------------------------------------------------------


class Cable:
    """A way to another port, which may drop all that is sent, and tells nobody."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.whole = asyncio.Event()
        self.whole.set()

    def cut(self) -> None:
        """Drop all from now on."""
        self.whole.clear()

    def mend(self) -> None:
        """Let all through from now on; what was sent meanwhile arrives late."""
        self.whole.set()


@asynccontextmanager
async def cable(port: int) -> AsyncIterator[Cable]:
    """Lay a cable to a port of this machine; `Cable.port` is its near end."""
    tasks: set[asyncio.Task[None]] = set()
    ends: set[asyncio.StreamWriter] = set()

    def keep(task: asyncio.Task[None]) -> None:
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    async def carry(come: asyncio.StreamReader, go: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await come.read(1 << 16):
                await laid.whole.wait()
                go.write(data)
                await go.drain()
        go.close()

    async def connected(come: asyncio.StreamReader, go: asyncio.StreamWriter) -> None:
        try:
            far, to_far = await asyncio.open_connection("127.0.0.1", port)
        except ConnectionError:
            go.close()
            return
        ends.add(to_far)
        keep(asyncio.create_task(carry(come, to_far)))
        keep(asyncio.create_task(carry(far, go)))

    def accepted(come: asyncio.StreamReader, go: asyncio.StreamWriter) -> None:
        ends.add(go)
        keep(asyncio.create_task(connected(come, go)))

    server = await asyncio.start_server(accepted, "127.0.0.1", 0)
    laid = Cable(server.sockets[0].getsockname()[1])
    try:
        yield laid
    finally:
        server.close()
        while tasks:
            for task in tuple(tasks):
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for end in ends:
            end.close()
        await asyncio.gather(*(end.wait_closed() for end in ends), return_exceptions=True)

"""Several servers of one PostgreSQL database, a database server of a test's own, and a bad network.

clients ──> servers ──> (a proxy that may drop all) ──> PostgreSQL
"""

import asyncio
import os
import shutil
import subprocess
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from itertools import count
from pathlib import Path

import pytest
from support_postgres import free_port
from support_server import GIN, SOON, ServerProcess

__all__ = ["Cable", "OwnPostgres", "cable", "node", "own_postgres"]

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

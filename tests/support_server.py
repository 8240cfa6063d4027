"""Servers for tests: as a process of its own, as somebody runs it, or in the test's own process.

Either way the port is a free one of the loopback, and clients come over gRPC.
"""

import asyncio
import json
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path
from secrets import token_bytes
from typing import Any, TypeAlias
from unittest.mock import patch

from ginrummy.api import server as servers
from ginrummy.api.auth import new_token
from ginrummy.api.server import ServerOptions
from ginrummy.client import Client, Nonces, Retry, connect
from ginrummy.log.deck import Shuffle, shuffle
from ginrummy.log.lines import MatchLine
from ginrummy.rules.cards import BySeat, Deck
from ginrummy.rules.match import Instant
from ginrummy.store import (
    Append,
    Credential,
    GroupCommit,
    Head,
    Role,
    SqliteStore,
    Store,
    hash_token,
)
from ginrummy.tables.room import CardRoom
from ginrummy.tables.table import Table
from ginrummy.tournaments.running.hall import Hall

__all__ = [
    "GIN",
    "QUICK",
    "SOON",
    "InProcess",
    "ServerProcess",
    "dealing",
    "gin",
    "gin_serve",
    "in_process",
    "new_director",
    "open_db",
    "replaced",
    "signed_up",
    "until",
]

GIN = (sys.executable, "-m", "ginrummy.cli")
"""The command `gin` of this environment."""

QUICK = Retry(deadline=10.0, patience=30.0, first_pause=0.01, longest_pause=0.1)
"""The patience of clients whose server goes away and comes back."""

SOON = 60.0
"""Seconds after which what should have happened never will."""

ChannelOptions: TypeAlias = tuple[tuple[str, int], ...]
Clock: TypeAlias = Callable[[], Instant]
Entropy: TypeAlias = Callable[[int], bytes]

_journals = count(1)


class ServerProcess:
    """`gin serve` as a process."""

    def __init__(self, process: Process, address: str, journal: Path) -> None:
        self.process = process
        self.address = address
        self._journal = journal

    @property
    def journal(self) -> str:
        """All that the server has written on standard error."""
        return self._journal.read_text()

    @property
    def events(self) -> list[dict[str, Any]]:
        """What the server has logged, an event a line."""
        return [json.loads(line) for line in self.journal.splitlines()]

    async def kill(self) -> None:
        """End the process at once, in the middle of whatever it does."""
        self.process.kill()
        await self.ended()

    def terminate(self) -> None:
        """Ask the server to stop, as an operator would."""
        self.process.send_signal(signal.SIGTERM)

    async def ended(self) -> int:
        """Wait until the process has ended, and return its exit code."""
        return await asyncio.wait_for(self.process.wait(), SOON)

    async def stop(self) -> int:
        """Ask the server to stop, and return its exit code once it has."""
        if self.process.returncode is None:
            self.terminate()
        return await self.ended()


@asynccontextmanager
async def gin_serve(
    db: Path, *options: str, listen: str = "127.0.0.1:0"
) -> AsyncIterator[ServerProcess]:
    """Run a server while the context is open; it takes calls when the context begins.

    A server that tells of a fault of its own in its log has failed the test.
    """
    journal = db.with_name(f"{db.stem}.{next(_journals)}.log")
    with journal.open("wb") as written:
        process = await asyncio.create_subprocess_exec(
            *GIN,
            *("serve", "--db", str(db), "--listen", listen, *options),
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


async def gin(*arguments: str, within: float = SOON) -> tuple[int, str, str]:
    """Run `gin` to its end; return its exit code, and what it wrote on both outputs.

    Where it takes longer than `within` seconds it hangs, and the test fails.
    """
    process = await asyncio.create_subprocess_exec(
        *GIN, *arguments, stdin=DEVNULL, stdout=PIPE, stderr=PIPE
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), within)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def new_director(db: Path) -> str:
    """Make a director in a server's database, as its operator does, and return the token."""
    code, token, said = await gin("player", "Dee", "--role", "director", "--db", str(db))
    assert code == 0, said
    return token.strip()


@asynccontextmanager
async def signed_up(
    address: str, name: str, *, retry: Retry = QUICK, nonces: Nonces | None = None
) -> AsyncIterator[Client]:
    """Give a client that is a new player of the server."""
    async with connect(address, retry=retry, nonces=nonces) as client:
        await client.sign_up(name)
        yield client


@asynccontextmanager
async def open_db(db: Path) -> AsyncIterator[SqliteStore]:
    """Open a server's database beside it, to look into it."""
    store = SqliteStore(db, create=False)
    try:
        yield store
    finally:
        store.close()


class InProcess:
    """A server in this process, and what is inside it."""

    def __init__(self, address: str, room: CardRoom, store: Store, hall: Hall) -> None:
        self.address = address
        self.room = room
        self.hall = hall
        self.store = store

    async def table(self, match_id: str) -> Table:
        """Return the table of a match."""
        return await self.room.table(match_id)

    def let_in(self, player: str, name: str, role: Role = "player") -> str:
        """Make a player of that id, as an operator may, and return the token."""
        token = new_token(token_bytes)
        self.store.add_player(Credential(player, name, role, hash_token(token), created=0))
        return token

    def plant(self, lines: Sequence[MatchLine], chain_end: bytes) -> str:
        """Put a log into the store, as another server may have left it; return the match's id."""
        stream = lines[0].stream
        self.store.keep_secret(stream, "chain", chain_end)
        (outcome,) = self.store.append([Append(stream, 0, tuple(lines))])
        assert isinstance(outcome, Head)
        return stream


@contextmanager
def dealing(decks: Mapping[str, Deck]) -> Iterator[None]:
    """Let the matches that are named deal these decks in this process, hand after hand.

    Seat 0 deals hand 1.
    """

    def rigged(secret: bytes, match: str, hand: int, nonces: BySeat[bytes]) -> Shuffle:
        if match not in decks:
            return shuffle(secret, match, hand, nonces)
        return Shuffle(decks[match], 0 if hand == 1 else None)

    with patch("ginrummy.log.fold.shuffle", rigged):
        yield


@asynccontextmanager
async def in_process(
    db: Path | str = ":memory:", *, channel_options: ChannelOptions = ()
) -> AsyncIterator[InProcess]:
    """Serve in this process while the context is open, with real calls over a real port.

    `channel_options` of gRPC take the place of the server's own.
    """
    opened: list[tuple[CardRoom, Store, Hall]] = []

    def hall(
        store: Store, commits: GroupCommit, clock: Clock, entropy: Entropy, room: CardRoom
    ) -> Hall:
        opened.append((room, store, Hall(store, commits, clock, entropy, room)))
        return opened[-1][2]

    async with AsyncExitStack() as stack:
        with (
            patch.object(servers, "Hall", hall),
            patch.object(servers, "_CHANNEL_OPTIONS", replaced(_OWN_OPTIONS, channel_options)),
        ):
            serving = servers.serving(ServerOptions(db=str(db), listen="127.0.0.1:0"))
            address = await stack.enter_async_context(serving)
        yield InProcess(address, *opened[-1])


_OWN_OPTIONS = servers._CHANNEL_OPTIONS


def replaced(own: ChannelOptions, others: ChannelOptions) -> ChannelOptions:
    """Return channel options with others in the place of those of the same names."""
    return tuple((dict(own) | dict(others)).items())


def until(seconds: float = SOON, pause: float = 0.01) -> Iterator[float]:
    """Yield pauses to be slept between looks at a condition; fail when the time is over."""
    for _ in range(int(seconds / pause)):
        yield pause
    raise AssertionError(f"it has not come to pass within {seconds} s")

"""The host of local bots: a process for each seat that an entrant can fill, kept alive.

BotHost ──> a process, which attends with one table ──> it ends ──> EndSession: its table is lost
   ^                                                                    │
   └── a new process with a new session, at once if the old one was at a table ──┘
"""

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from types import TracebackType
from typing import Self
from uuid import uuid4

import click
import msgspec

from ginrummy.cli.tournament.commands import command_of
from ginrummy.cli.tournament.process import BotProcess, Exit
from ginrummy.cli.tournament.sittings import Sittings
from ginrummy.client import Client, NotFoundError, RefusedError, Retry, connect

__all__ = ["BotHost", "BotRecord", "LocalBot"]

_FIRST_PAUSE = 0.2
"""Seconds before a program that has not come to a table is started again; each further pause is
twice the one before, up to `_LONGEST_PAUSE`."""

_LONGEST_PAUSE = 10.0

_FAREWELL = 10.0
"""Seconds that the programs have to notice by themselves that the tournament is over."""


class LocalBot(msgspec.Struct, frozen=True):
    """An entrant whose program runs here."""

    player_id: str
    name: str
    spec: str
    """A bot's name, its Python class, or a command line (`commands.command_of`)."""
    token: str
    """The player's token; it goes to the program by its environment alone."""
    processes: int = 1
    """How many processes play for it, each at one table at a time."""
    key_file: str = ""
    """The file of the key that it signs its moves by; empty where it signs none."""


class BotRecord:
    """What became of one entrant's processes."""

    def __init__(self) -> None:
        """Begin with none."""
        self.starts = 0
        self.exits: Counter[str] = Counter()
        """How often they ended in each way: an exit code, or a signal's name."""
        self.cpu_seconds = 0.0
        """The time of processors that they took; those that still run are not in it."""
        self.last_words = ""
        """The end of what the last one that ended wrote on standard error."""

    def note(self, ended: Exit) -> None:
        """Take in that a process has ended."""
        self.exits[ended.how] += 1
        self.cpu_seconds += ended.cpu_seconds
        self.last_words = ended.last_words


class BotHost:
    """Processes for the entrants of a tournament: `async with BotHost(...) as host`.

    They run while the context is open, and `wait` returns when the tournament is over and they
    have all ended. They get the environment GINRUMMY_SERVER, GINRUMMY_TOKEN, GINRUMMY_TOURNAMENT
    and GINRUMMY_SESSION, the session under which they are to attend; and GINRUMMY_KEY_FILE where
    they sign their moves. One that ends before the tournament has lost what it was at, and another
    takes its place. None of them outlives this process (on Linux, however it ends), whose main
    thread is to run the event loop.
    """

    def __init__(
        self,
        server: str,
        tournament_id: str,
        entrants: Sequence[LocalBot],
        *,
        retry: Retry = Retry(),  # noqa: B008 -- an immutable value
        say: Callable[[str], None] | None = None,
    ) -> None:
        """Prepare to play for `entrants` at a server; `say` tells of processes that die.

        Raises BotSpecError for a spec that nothing can be started by.
        """
        self._server = server
        self._tournament_id = tournament_id
        self._entrants = tuple(entrants)
        self._commands = {bot.spec: command_of(bot.spec, tournament_id) for bot in entrants}
        self._retry = retry
        self._say = say or _to_standard_error
        self._records = {bot.player_id: BotRecord() for bot in entrants}
        self._sittings = Sittings()
        self._kept = AsyncExitStack()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def records(self) -> Mapping[str, BotRecord]:
        """What became of each entrant's processes so far, by player id."""
        return self._records

    def cpu_seconds(self) -> dict[str, float]:
        """Return the processors' time of each entrant's processes that have ended, by player id."""
        return {player: record.cpu_seconds for player, record in self._records.items()}

    async def __aenter__(self) -> Self:
        clients = [await self._client(bot) for bot in self._entrants]
        if clients:
            watching = self._sittings.follow(clients[0].tournaments.watch(self._tournament_id))
            self._tasks.append(asyncio.create_task(watching))
        for bot, client in zip(self._entrants, clients, strict=True):
            for _ in range(bot.processes):
                self._tasks.append(asyncio.create_task(self._keep(bot, client)))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    async def _client(self, bot: LocalBot) -> Client:
        client = connect(self._server, token=bot.token, retry=self._retry)
        return await self._kept.enter_async_context(client)

    async def wait(self) -> None:
        """Wait until the tournament is over and all processes have ended.

        Raises the CallError that the host itself met with, as where the server has gone for good.
        """
        if self._tasks:
            done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()

    async def stop(self) -> None:
        """End all processes: they are asked to, and killed where they have not after 2 seconds."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._kept.aclose()

    # --- one process after the other ------------------------------------------------------------

    async def _keep(self, bot: LocalBot, client: Client) -> None:
        """Keep one process going until the tournament is over."""
        await self._sittings.up_to_date.wait()
        pause = _FIRST_PAUSE
        while not self._sittings.over.is_set():
            session, before = uuid4().hex, self._sittings.of(bot.player_id)
            ended = await self._run(bot, session)
            died = ended.how != "0"
            if died:
                self._tell(bot, ended)
            # It can have been at a table all the same, or only have heard of the end first.
            with suppress(RefusedError, NotFoundError):
                await client.tournaments.end_session(self._tournament_id, session)
            if await self._sittings.more_than(bot.player_id, before, pause):
                pause = _FIRST_PAUSE
            else:
                pause = min(2 * pause, _LONGEST_PAUSE)
            if not died and not self._sittings.over.is_set():
                self._tell(bot, ended)

    async def _run(self, bot: LocalBot, session: str) -> Exit:
        """Run one process to its end, or to a little after the tournament's."""
        process = BotProcess.start(self._commands[bot.spec], self._environment(bot, session))
        record = self._records[bot.player_id]
        record.starts += 1
        ending = asyncio.create_task(process.ended())
        over = asyncio.create_task(self._sittings.over.wait())
        try:
            await asyncio.wait((ending, over), return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait((ending,), timeout=_FAREWELL)
        finally:
            over.cancel()
            ending.cancel()
            ended = await process.stop()
            record.note(ended)
        return ended

    def _environment(self, bot: LocalBot, session: str) -> dict[str, str]:
        signing = {"GINRUMMY_KEY_FILE": bot.key_file} if bot.key_file else {}
        return {
            **os.environ,
            **signing,
            "GINRUMMY_SERVER": self._server,
            "GINRUMMY_TOKEN": bot.token,
            "GINRUMMY_TOURNAMENT": self._tournament_id,
            "GINRUMMY_SESSION": session,
        }

    def _tell(self, bot: LocalBot, ended: Exit) -> None:
        """Say that a process has ended before the tournament, and what it said last.

        A program that dies in every hand says the same each time: all of it is shown once.
        """
        again = sum(self._records[bot.player_id].exits.values()) > 1
        words = ended.last_words.splitlines()
        lines = [f"its program has ended ({ended.how})", *(words[-1:] if again else words)]
        self._say("\n".join(f"{bot.name}: {line}" for line in lines))


def _to_standard_error(text: str) -> None:
    click.echo(text, err=True)

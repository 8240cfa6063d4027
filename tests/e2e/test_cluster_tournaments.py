"""A tournament at three servers: its entrants are wherever they like, and any server may die.

One server runs it. Its entrants, its director and whoever watches are at the other ones.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from support_cluster import node
from support_play import soak
from support_postgres import postgres_schema
from support_server import QUICK, ServerProcess, gin, signed_up, until

from ginrummy.bots import Move, SimpleBot, View
from ginrummy.client import Client, connect
from ginrummy.store.postgres import PostgresStore
from ginrummy.v1 import tournament_pb2
from ginrummy.v1.tournament_service_pb2 import TableCall, WatchTournamentResponse

ENTRANTS = 4
BOARDS = soak(30, 3)
SITTINGS = ENTRANTS * (ENTRANTS - 1) * BOARDS
"""Everybody meets everybody, and each board is played twice."""

AT_ONCE = 4
"""Matches that are played before anything happens; the others wait for it."""


@pytest.fixture
def database() -> Iterator[str]:
    with postgres_schema() as url:
        yield url


class Gate:
    """Lets the bots play so many matches, and all others only once it is open."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()
        self._free: set[str] = set()

    def bot(self, call: TableCall) -> "Patient":
        """Return a bot for a table."""
        if len(self._free) < AT_ONCE:
            self._free.add(call.match_id)
        at_once = asyncio.Event()
        at_once.set()
        return Patient(at_once if call.match_id in self._free else self.opened)


class Patient:
    """A bot that plays as the simple one does, once it may."""

    def __init__(self, may: asyncio.Event) -> None:
        self._may = may
        self._bot = SimpleBot()

    async def offer(self, view: View) -> Move:
        await self._may.wait()
        return self._bot.offer(view)

    async def draw(self, view: View) -> Move:
        await self._may.wait()
        return self._bot.draw(view)

    async def discard(self, view: View) -> Move:
        await self._may.wait()
        return self._bot.discard(view)

    async def lay_off(self, view: View) -> Move:
        await self._may.wait()
        return self._bot.lay_off(view)


class Event:
    """A tournament that is played, and everybody at it."""

    def __init__(self, db: str, servers: list[ServerProcess], director: Client) -> None:
        self.servers = servers
        self.gate = Gate()
        self.watched: list[WatchTournamentResponse] = []
        self._db = db
        self._director = director
        self._id = ""

    async def announce(self, entrants: list[Client]) -> None:
        """Announce it, and let everybody enter where they are."""
        terms = tournament_pb2.TournamentTerms(
            name="Cup",
            round_robin=tournament_pb2.RoundRobin(),
            boards=tournament_pb2.Boards(boards=BOARDS),
            check_in=True,
        )
        made = await self._director.tournaments.create(terms)
        self._id = made.id
        for entrant in entrants:
            await entrant.tournaments.enter(made.id)
            await entrant.tournaments.check_in(made.id)
        await self._director.tournaments.start(made.id)

    async def attend(self, entrant: Client) -> None:
        """Play at every table that an entrant is called to."""
        attended = await entrant.tournaments.attend(self._id, self.gate.bot, tables=2)
        assert attended.reason == "complete"
        assert len(attended.played) == SITTINGS * 2 // ENTRANTS

    async def watch(self, spectator: Client) -> None:
        """Look on to the end."""
        async for told in spectator.tournaments.watch(self._id):
            self.watched.append(told)

    async def is_half_way(self) -> None:
        """Wait until some matches are over, others are under way, and a watcher knows of it."""
        store = PostgresStore(self._db, create=False)
        try:
            for pause in until(120):
                over = len(await asyncio.to_thread(store.results))
                if over >= AT_ONCE and any(
                    told.progress.under_way for told in self.watched if told.HasField("progress")
                ):
                    return
                await asyncio.sleep(pause)
        finally:
            store.close()

    async def check(self, at: list[Client]) -> None:
        """Check that nobody has lost anything, and that all who look see the same."""
        code, report, _ = await gin("tournament", "audit", self._id, "--db", self._db)
        assert code == 0, report
        standings = [await each.tournaments.standings(self._id) for each in at]
        assert all(each.standings == standings[0].standings for each in standings)
        store = PostgresStore(self._db, create=False)
        try:
            rows = store.results(limit=10_000)
            assert {row.reason for row in rows} == {"hands"}
            assert len(rows) == len({row.match for row in rows}) == SITTINGS
            lines = [told.event.line for told in self.watched if told.HasField("event")]
            assert lines == list(store.read(self._id))
        finally:
            store.close()


@asynccontextmanager
async def event(db: str, folder: Path) -> AsyncIterator[tuple[Event, AsyncExitStack]]:
    """Run three servers; the first one runs the tournaments, and the director is at the third."""
    async with AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(node(db, folder))]
        await runs_tournaments(servers[0])
        servers += [await stack.enter_async_context(node(db, folder)) for _ in range(2)]
        code, token, said = await gin("player", "Dee", "--role", "director", "--db", db)
        assert code == 0, said
        director = await stack.enter_async_context(
            connect(servers[2].address, token=token.strip(), retry=QUICK)
        )
        yield Event(db, servers, director), stack


async def runs_tournaments(server: ServerProcess) -> None:
    """Wait until a server has the duty to run tournaments."""
    for pause in until():
        if any(each["event"] == "runs tournaments" for each in server.events):
            return
        await asyncio.sleep(pause)


async def entrants_at(stack: AsyncExitStack, *servers: ServerProcess) -> list[Client]:
    """Return as many players as enter, each at one of the servers alone."""
    return [
        await stack.enter_async_context(signed_up(servers[i % len(servers)].address, f"P{i}"))
        for i in range(ENTRANTS)
    ]


async def test_the_server_that_runs_a_tournament_dies_and_nobody_at_the_others_notices(
    database: str, tmp_path: Path
) -> None:
    async with event(database, tmp_path) as (cup, stack):
        runner, second, third = cup.servers
        entrants = await entrants_at(stack, second, third)
        await cup.announce(entrants)
        eve = await stack.enter_async_context(signed_up(second.address, "Eve"))
        async with asyncio.timeout(500), asyncio.TaskGroup() as group:
            group.create_task(cup.watch(eve))
            for entrant in entrants:
                group.create_task(cup.attend(entrant))
            await cup.is_half_way()
            await runner.kill()
            cup.gate.opened.set()
        await cup.check(entrants)


async def test_a_server_dies_and_its_entrants_go_on_where_they_are_let_in_next(
    database: str, tmp_path: Path
) -> None:
    async with event(database, tmp_path) as (cup, stack):
        _, second, third = cup.servers
        entrants = await entrants_at(stack, second, third)
        await cup.announce(entrants)
        eve = await stack.enter_async_context(signed_up(third.address, "Eve"))
        async with asyncio.timeout(500), asyncio.TaskGroup() as group:
            group.create_task(cup.watch(eve))
            for entrant in entrants:
                group.create_task(cup.attend(entrant))
            await cup.is_half_way()
            await second.kill()
            # Whoever stands at that address next lets them in.
            await stack.enter_async_context(node(database, tmp_path, listen=second.address))
            cup.gate.opened.set()
        await cup.check(entrants)

"""Three servers of one PostgreSQL database: killed, cut off, and with a database that restarts.

No acknowledged event is lost, none is doubled, no match stands still for longer than its clock, and
clients go on by themselves.
"""

import asyncio
import random
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from support_cluster import cable, node, own_postgres
from support_play import soak
from support_postgres import postgres_schema
from support_server import QUICK, ServerProcess, gin, signed_up
from support_store import rows
from support_witnesses import Match, opened

from ginrummy.client import Client, Result
from ginrummy.log.checkpoints import read_checkpoint
from ginrummy.log.lines import read_line
from ginrummy.store import TreeGrowth
from ginrummy.store.postgres import PostgresStore
from ginrummy.v1.log_service_pb2 import GetKeyRequest, GetReceiptRequest
from ginrummy.v1.match_service_pb2 import WatchResponse
from ginrummy.v1.ruleset_pb2 import Ruleset, TimeControl

CLUSTER = Path(__file__).parents[2] / "examples" / "cluster.py"
MATCHES = 3
KILLS = soak(50, 2)
RESTARTS = soak(10, 1)
A_LIFE = soak(100, 60)
"""How many events are acknowledged between two faults, on average."""


class Cluster:
    """Three servers, players at them, and what they are told."""

    def __init__(self, db: str, servers: list[ServerProcess], clients: list[Client]) -> None:
        self.db = db
        self.servers = servers
        self.clients = clients
        self.told = asyncio.Condition()
        self.matches: list[Match] = []
        self._playing: list[asyncio.Task[list[Result]]] = []
        self._rng = random.Random(1)

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
        store = PostgresStore(self.db, create=False)
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


@asynccontextmanager
async def cluster(
    dbs: list[str], folder: Path, *, players: int = 2 * MATCHES
) -> AsyncIterator[Cluster]:
    """Run a server on each address of the database, and players who know all servers."""
    async with AsyncExitStack() as stack:
        # One after the other: the first one makes the tables.
        servers = [await stack.enter_async_context(node(db, folder)) for db in dbs]
        target = ",".join(server.address for server in servers)
        clients = [
            await stack.enter_async_context(signed_up(target, f"P{i}")) for i in range(players)
        ]
        played = Cluster(dbs[0], servers, clients)
        stack.push_async_callback(played.leave)
        yield played


@pytest.fixture
def database() -> Iterator[str]:
    with postgres_schema() as url:
        yield url


async def test_servers_are_killed_under_load(database: str, tmp_path: Path) -> None:
    rng = random.Random(KILLS)
    async with cluster([database] * 3, tmp_path) as played, AsyncExitStack() as stack:
        await played.begin()
        for _ in range(KILLS):
            await played.some_events()
            place = rng.randrange(3)
            await played.servers[place].kill()
            # The other two go on.
            await played.some_events()
            listen = played.servers[place].address
            played.servers[place] = await stack.enter_async_context(
                node(database, tmp_path, listen=listen)
            )
        await played.check()


async def test_the_database_restarts_under_load(tmp_path: Path) -> None:
    with own_postgres() as postgres:
        async with cluster([postgres.url] * 3, tmp_path) as played:
            await played.begin()
            for _ in range(RESTARTS):
                await played.some_events()
                await asyncio.to_thread(postgres.restart)
            await played.some_events()
            await played.check()


async def test_a_server_that_is_cut_off_sends_its_players_away_and_comes_back(
    database: str, tmp_path: Path
) -> None:
    port = urlsplit(database).port or 5432
    async with cable(port) as laid:
        far = database.replace(f":{port}/", f":{laid.port}/")
        async with cluster([database, database, far], tmp_path) as played:
            await played.begin()
            lonely = played.servers[2]
            await played.some_events()
            laid.cut()
            await journal_says(lonely, "cut off from the database")
            await played.some_events()
            laid.mend()
            await journal_says(lonely, "back at the database")
            await played.check()


async def journal_says(server: ServerProcess, event: str) -> None:
    async with asyncio.timeout(60):
        while not any(each["event"] == event for each in server.events):  # noqa: ASYNC110 -- a file
            await asyncio.sleep(0.1)


# --- one table at several servers ---------------------------------------------------------------


async def test_each_server_serves_each_match_and_each_watcher(
    database: str, tmp_path: Path
) -> None:
    """The seats are at two servers, and a spectator at the third sees every event once."""
    async with cluster([database] * 3, tmp_path, players=0) as empty, AsyncExitStack() as stack:
        ann, ben, eve = [
            await stack.enter_async_context(signed_up(server.address, name))
            for server, name in zip(empty.servers, ("Ann", "Ben", "Eve"), strict=True)
        ]
        match = await opened(ann, empty.told, hands=4)
        async with asyncio.timeout(120), asyncio.TaskGroup() as group:
            watching = group.create_task(seen(eve, match.id))
            results = await match.play((ann, ben))
        log = [line async for line in eve.log(match.id)]
        match.check_whole(log, results)
        assert watching.result() == log


async def seen(client: Client, match_id: str) -> list[bytes]:
    """Watch a match to its end, and return the lines that were told."""
    return [told.event.line async for told in client.watch(match_id) if is_event(told)]


def is_event(told: WatchResponse) -> bool:
    return told.WhichOneof("update") == "event"


async def test_a_late_decision_is_stored_once_however_many_servers_wait_for_it(
    database: str, tmp_path: Path
) -> None:
    async with cluster([database] * 3, tmp_path, players=0) as empty, AsyncExitStack() as stack:
        log = await abandoned(empty, stack, lambda: asyncio.sleep(0), watchers=3)
        assert [read_line(raw).type for raw in log].count("clock_expired") == 1


async def test_the_clock_of_a_killed_servers_match_runs_on_at_another_one(
    database: str, tmp_path: Path
) -> None:
    async with cluster([database] * 3, tmp_path, players=0) as empty, AsyncExitStack() as stack:
        log = await abandoned(empty, stack, empty.servers[0].kill)
        lines = [read_line(raw) for raw in log]
        (expired,) = [line for line in lines if line.type == "clock_expired"]
        # Its time ran from the event before, and nobody was given any anew.
        late = expired.at - lines[expired.seq - 2].at
        assert 6_000_000 <= late < 30_000_000
        assert "clock_resumed" not in [line.type for line in lines]


async def abandoned(
    empty: Cluster,
    stack: AsyncExitStack,
    happens: Callable[[], Awaitable[None]],
    watchers: int = 0,
) -> list[bytes]:
    """Let two sit down at the first server and go away; return the log once their time is over."""
    async with signed_up(empty.servers[0].address, "Ann", retry=QUICK) as ann:
        ben = await stack.enter_async_context(signed_up(empty.servers[0].address, "Ben"))
        match = await ann.create_match(
            rules=Ruleset(target=10), clock=TimeControl(bank_ms=6000, increment_ms=0)
        )
        async with ann.sit(match.id) as one, ben.sit(match.id) as other:
            await one.wait()
            await other.wait()
        at = [
            await stack.enter_async_context(signed_up(server.address, f"W{i}"))
            for i, server in enumerate(empty.servers[:watchers])
        ]
        lasting = await stack.enter_async_context(signed_up(empty.servers[1].address, "Eve"))
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        watching = [group.create_task(seen(each, match.id)) for each in at]
        await happens()
        lines = await seen(lasting, match.id)
    for each in watching:
        assert each.result() == lines
    return lines


# --- what one server does at a time -------------------------------------------------------------


async def test_another_server_runs_the_tournaments_of_one_that_is_killed(
    database: str, tmp_path: Path
) -> None:
    """Its bots come over by themselves, and what was played stays played."""
    async with (
        cluster([database] * 2, tmp_path, players=0) as empty,
        asyncio.TaskGroup() as group,
    ):
        code, token, said = await gin("player", "Dee", "--role", "director", "--db", database)
        assert code == 0, said
        servers = ",".join(server.address for server in empty.servers)
        running = group.create_task(
            gin(
                *("tournament", "run", "--server", servers, "--token", token.strip()),
                *("--bot", "simple", "--bot", "A=simple", "--boards", str(soak(60, 12))),
                *("--reconnect", "30s", "--json", "--quiet"),
            )
        )
        store = PostgresStore(database, create=False)
        try:
            async with asyncio.timeout(120):
                while len(store.results()) < 3:
                    assert not running.done(), running.result()
                    await asyncio.sleep(0.05)
            before = {row.match for row in store.results()}
            await empty.servers[0].kill()
            code, _, said = await running
            assert code == 0, said
            (tournament,) = store.streams("t_")
            code, report, said = await gin("tournament", "audit", tournament, "--db", database)
            assert code == 0, report
            matches = [row.match for row in store.results(limit=1000)]
            assert before < set(matches)
            # Nobody lost anything by it.
            assert {row.reason for row in store.results(limit=1000)} == {"hands"}
            assert len(matches) == len(set(matches)) == 2 * soak(60, 12)
        finally:
            store.close()


async def test_each_server_proves_lines_and_they_agree(database: str, tmp_path: Path) -> None:
    async with cluster([database] * 3, tmp_path, players=0) as empty, AsyncExitStack() as stack:
        players = [
            await stack.enter_async_context(signed_up(server.address, "P"))
            for server in empty.servers
        ]
        match = await players[0].create_match(rules=Ruleset())
        receipts = [
            await client._log.GetReceipt(
                GetReceiptRequest(match_id=match.id), metadata=client.metadata, timeout=30
            )
            for client in players
        ]
        assert len({str(await client._log.GetKey(GetKeyRequest(), metadata=client.metadata))
                    for client in players}) == 1  # fmt: skip
        assert {receipt.seq for receipt in receipts} == {1}
        store = PostgresStore(database, create=False)
        try:
            last = store.last_checkpoint()
            assert last is not None
            growth = TreeGrowth(store)
            growth.add(store.read_all(growth.position, last.size))
            assert read_checkpoint(last.note).root == growth.root()
        finally:
            store.close()


async def test_the_example_of_a_cluster_runs_and_stops(database: str) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(CLUSTER), database, stdout=PIPE, stderr=PIPE
    )
    try:
        assert process.stdout is not None
        said = ""
        async with asyncio.timeout(120):
            while not said.startswith("export "):
                line = await process.stdout.readline()
                assert line, process.stderr and (await process.stderr.read()).decode()
                said = line.decode()
        servers = said.strip().partition("=")[2]
        async with signed_up(servers, "Ann") as ann, signed_up(servers, "Ben") as ben:
            match = await opened(ann, asyncio.Condition(), hands=1)
            results = await match.play((ann, ben))
            match.check_whole([line async for line in ann.log(match.id)], results)
        process.send_signal(signal.SIGINT)
        async with asyncio.timeout(60):
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()

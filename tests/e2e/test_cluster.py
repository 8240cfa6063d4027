"""Three servers of one PostgreSQL database: killed, cut off, and with a database that restarts.

No acknowledged event is lost, none is doubled, no match stands still for longer than its clock, and
clients go on by themselves.
"""

import asyncio
import random
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from support_cluster import Cluster, abandoned, cable, node, own_postgres, seen
from support_play import soak
from support_postgres import free_port, postgres_schema
from support_server import ServerProcess, gin, signed_up, until
from support_witnesses import opened

from ginrummy.log.checkpoints import read_checkpoint
from ginrummy.log.lines import read_line
from ginrummy.store import TreeGrowth
from ginrummy.store.postgres import PostgresStore
from ginrummy.v1.log_service_pb2 import GetKeyRequest, GetReceiptRequest
from ginrummy.v1.ruleset_pb2 import Ruleset

CLUSTER = Path(__file__).parents[2] / "examples" / "cluster.py"
MATCHES = 3
KILLS = soak(50, 2)
RESTARTS = soak(10, 1)


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


async def test_a_seat_is_connected_whichever_server_its_player_is_at(
    database: str, tmp_path: Path
) -> None:
    """To a seat at another server, and to whoever watches at a third; not when its server dies."""
    async with cluster([database] * 3, tmp_path, players=0) as empty, AsyncExitStack() as stack:
        ann, ben, eve = [
            await stack.enter_async_context(signed_up(server.address, name))
            for server, name in zip(empty.servers, ("Ann", "Ben", "Eve"), strict=True)
        ]
        match = await ann.create_match(rules=Ruleset())
        updates = eve.watch(match.id)

        async def told(connected: list[bool]) -> None:
            """Wait until Eve is told that it is so."""
            async with asyncio.timeout(60):
                async for update in updates:
                    which = update.WhichOneof("update")
                    if which in ("snapshot", "presence") and connected == list(
                        getattr(update, which).connected
                    ):
                        return

        async with ann.sit(match.id, 0) as first:
            async with ben.sit(match.id, 1) as second:
                one = asyncio.create_task(first.wait())
                other = asyncio.create_task(second.wait())
                await told([True, True])
                assert list((await ben.view(match.id)).connected) == [True, True]
                await asyncio.gather(one, other)
            await told([True, False])
            async with ben.sit(match.id, 1) as second:
                await second.wait()
                await told([True, True])
                await empty.servers[1].kill()
                await told([True, False])
                # Each server finds it out by itself.
                for pause in until():
                    if list((await ann.view(match.id)).connected) == [True, False]:
                        break
                    await asyncio.sleep(pause)


async def test_a_late_decision_is_stored_once_however_many_servers_wait_for_it(
    database: str, tmp_path: Path
) -> None:
    async with cluster([database] * 3, tmp_path, players=0) as empty, AsyncExitStack() as stack:
        log = await abandoned(empty.addresses, stack, lambda: asyncio.sleep(0), watchers=3)
        assert [read_line(raw).type for raw in log].count("clock_expired") == 1


async def test_the_clock_of_a_killed_servers_match_runs_on_at_another_one(
    database: str, tmp_path: Path
) -> None:
    async with cluster([database] * 3, tmp_path, players=0) as empty, AsyncExitStack() as stack:
        log = await abandoned(empty.addresses, stack, empty.servers[0].kill)
        lines = [read_line(raw) for raw in log]
        (expired,) = [line for line in lines if line.type == "clock_expired"]
        # Its time ran from the event before, and nobody was given any anew.
        late = expired.at - lines[expired.seq - 2].at
        assert 6_000_000 <= late < 30_000_000
        assert "clock_resumed" not in [line.type for line in lines]


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
                within=600,
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


async def test_the_example_of_a_cluster_says_why_it_has_no_database() -> None:
    nowhere = f"postgresql://root@127.0.0.1:{free_port()}/gin?options=-csearch_path%3Dgin_cluster"
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(CLUSTER), nowhere, stdout=PIPE, stderr=PIPE
    )
    async with asyncio.timeout(60):
        out, err = await process.communicate()
    assert (process.returncode, out) == (1, b"")
    assert err.startswith(b"Error: the database for the cluster cannot be used: ")
    assert b"make cluster CLUSTER_DB=postgresql://" in err
    assert b"Traceback" not in err

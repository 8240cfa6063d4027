"""`gin serve --workers`: several processes behind one port, on a SQLite file or on PostgreSQL."""

import asyncio
import os
import random
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from support_cluster import Cluster, abandoned, node, seen
from support_play import soak
from support_postgres import postgres_schema
from support_server import ServerProcess, gin, signed_up, until
from support_witnesses import opened

from ginrummy.client import Client
from ginrummy.client import client as clients
from ginrummy.log.lines import read_line
from ginrummy.store import open_store

WORKERS = 3
MATCHES = 3
KILLS = {"sqlite": soak(50, 3), "postgres": soak(5, 1)}
BOARDS = soak(40, 4)


@pytest.fixture(autouse=True)
def own_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each client have a connection of its own, as one in another process has."""
    own = ("grpc.use_local_subchannel_pool", 1)
    monkeypatch.setattr(clients, "_CHANNEL", (*clients._CHANNEL, own))


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "gin.db")
    else:
        with postgres_schema() as url:
            yield url


class Workers(ServerProcess):
    """Several workers behind one port."""

    def alive(self) -> dict[int, int]:
        """Return the workers that serve, each with its process."""
        found: dict[int, int] = {}
        for event in self.events:
            if event["event"] == "worker serves":
                found[event["worker"]] = event["pid"]
            elif event["event"] == "worker ended":
                found.pop(event["worker"], None)
        return found

    def said(self, what: str) -> list[dict[str, Any]]:
        """Return the events of a name."""
        return [event for event in self.events if event["event"] == what]

    async def until_alive(self, number: int) -> dict[int, int]:
        """Wait until so many serve at least, and return them."""
        for pause in until():
            alive = self.alive()
            if len(alive) >= number:
                return alive
            await asyncio.sleep(pause)
        raise AssertionError

    async def kill_worker(self, rng: random.Random) -> None:
        """End one at once, in the middle of whatever it does."""
        pid = rng.choice(list((await self.until_alive(1)).values()))
        os.kill(pid, signal.SIGKILL)
        for pause in until():
            if pid not in self.alive().values():
                return
            await asyncio.sleep(pause)

    async def of(self, client: Client) -> int:
        """Return the worker at which a client's connection is."""
        player = (await client.me()).id
        for pause in until():
            for call in self.said("call"):
                if call.get("player") == player:
                    worker = call["worker"]
                    assert isinstance(worker, int)
                    return worker
            await asyncio.sleep(pause)
        raise AssertionError

    async def everywhere(self, stack: AsyncExitStack) -> dict[int, Client]:
        """Return a client at each worker: the system decides where a connection goes."""
        found: dict[int, Client] = {}
        while len(found) < WORKERS:
            client = await stack.enter_async_context(signed_up(self.address, "P"))
            await client.presets()
            found.setdefault(await self.of(client), client)
        return found


@asynccontextmanager
async def workers(
    db: str, folder: Path, *options: str, number: int = WORKERS
) -> AsyncIterator[Workers]:
    async with node(db, folder, "--workers", str(number), *options) as server:
        yield Workers(server.process, server.address, server._journal)


# --- played at, and killed ----------------------------------------------------------------------


async def test_workers_are_killed_under_load(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """No acknowledged event is lost, none is doubled, and each worker comes again."""
    kills = KILLS[request.node.callspec.params["database"]]
    rng = random.Random(kills)
    async with workers(database, tmp_path) as server, AsyncExitStack() as stack:
        players = [
            await stack.enter_async_context(signed_up(server.address, f"P{i}"))
            for i in range(2 * MATCHES)
        ]
        played = Cluster(database, [server], players)
        stack.push_async_callback(played.leave)
        await played.begin()
        for _ in range(kills):
            await played.some_events()
            await server.kill_worker(rng)
            # The others go on.
            await played.some_events()
        await played.check()
        await server.until_alive(WORKERS)
        assert len(server.said("worker ended")) == kills
        assert {event["by"] for event in server.said("worker ended")} == {"SIGKILL"}
        assert await server.stop() == 0
    code, report, said = await gin("audit", "--all", "--db", database)
    assert code == 0, report + said


async def test_seats_and_spectators_of_a_match_may_be_at_different_workers(
    database: str, tmp_path: Path
) -> None:
    async with (
        workers(database, tmp_path, "--log-level", "debug") as server,
        AsyncExitStack() as stack,
    ):
        ann, ben, eve = (await server.everywhere(stack)).values()
        match = await opened(ann, asyncio.Condition(), hands=2)
        async with asyncio.timeout(120), asyncio.TaskGroup() as group:
            watching = group.create_task(seen(eve, match.id))
            results = await match.play((ann, ben))
        log = [line async for line in eve.log(match.id)]
        match.check_whole(log, results)
        assert watching.result() == log


# --- what one worker does at a time -------------------------------------------------------------


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
async def test_the_clock_of_a_killed_workers_match_decides_once(
    database: str, tmp_path: Path
) -> None:
    """The first worker has all duties at first; those who play and watch are anywhere."""
    async with workers(database, tmp_path) as server, AsyncExitStack() as stack:

        async def killed() -> None:
            os.kill(server.alive()[1], signal.SIGKILL)

        log = await abandoned([server.address] * 6, stack, killed, watchers=6)
        lines = [read_line(raw) for raw in log]
        (expired,) = [line for line in lines if line.type == "clock_expired"]
        late = expired.at - lines[expired.seq - 2].at
        assert 6_000_000 <= late < 30_000_000
        # The others were there, so nobody is given any time anew.
        assert "clock_resumed" not in [line.type for line in lines]


async def test_a_tournament_is_played_at_all_workers(database: str, tmp_path: Path) -> None:
    """Its bots are wherever the system has put them, and the worker that runs it is killed."""
    async with workers(database, tmp_path) as server, asyncio.TaskGroup() as group:
        code, token, said = await gin("player", "Dee", "--role", "director", "--db", database)
        assert code == 0, said
        running = group.create_task(
            gin(
                *("tournament", "run", "--server", server.address, "--token", token.strip()),
                *("--bot", "simple", "--bot", "A=simple", "--bot", "B=simple"),
                *("--boards", str(BOARDS), "--reconnect", "30s", "--json", "--quiet"),
            )
        )
        store = open_store(database, create=False)
        try:
            for pause in until(pause=0.05):
                assert not running.done(), running.result()
                if store.results():
                    break
                await asyncio.sleep(pause)
            os.kill(server.alive()[1], signal.SIGKILL)
            code, _, said = await running
            assert code == 0, said
            (tournament,) = store.streams("t_")
            code, report, said = await gin("tournament", "audit", tournament, "--db", database)
            assert code == 0, report + said
            played = store.results(limit=1000)
            assert {row.reason for row in played} == {"hands"}
            assert len({row.match for row in played}) == len(played) == 3 * 2 * BOARDS
        finally:
            store.close()


# --- how they begin and how they end ------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_all_stop_together_and_say_whose_words_are_whose(
    tmp_path: Path, number: signal.Signals
) -> None:
    async with workers(str(tmp_path / "gin.db"), tmp_path, number=2) as server:
        pids = server.alive().values()
        server.process.send_signal(number)
        assert await server.ended() == 0
    assert not any(is_there(pid) for pid in pids)
    assert sorted(event["worker"] for event in server.said("serving")) == [1, 2]
    assert sorted(event["worker"] for event in server.said("stopped")) == [1, 2]
    # Nothing is left but what may be locked again.
    left = [file.name for file in (tmp_path / "gin.db-members").iterdir()]
    assert sorted(left) == ["clocks", "gate", "notary", "presence", "tournaments", "turn"]


async def test_none_outlives_the_process_that_watches_them(tmp_path: Path) -> None:
    db = str(tmp_path / "gin.db")
    async with workers(db, tmp_path, number=2) as server:
        pids = server.alive().values()
        await server.kill()
        for pause in until():
            if not any(is_there(pid) for pid in pids):
                break
            await asyncio.sleep(pause)
    assert len(server.said("stopped")) == 2
    # And whoever comes next is the only one.
    async with node(db, tmp_path, listen=server.address):
        pass


async def test_the_port_belongs_to_the_workers_alone(tmp_path: Path) -> None:
    async with workers(str(tmp_path / "gin.db"), tmp_path, number=2) as server:
        other = ("serve", "--db", str(tmp_path / "other.db"), "--listen", server.address)
        for more in ((), ("--workers", "2")):
            code, out, err = await gin(*other, *more)
            assert (code, out) == (2, "")
            assert f"cannot listen on {server.address}: it is taken" in err


async def test_a_file_is_shared_by_those_who_say_so(tmp_path: Path) -> None:
    """One alone and several are refused to each other; two commands for several share it."""
    db = str(tmp_path / "gin.db")
    refused = "is served by another process already"
    several = ("serve", "--db", db, "--listen", "127.0.0.1:0", "--workers", "2")
    async with workers(db, tmp_path, number=2) as first:
        code, out, err = await gin("serve", "--db", db, "--listen", "127.0.0.1:0")
        assert (code, out) == (2, "")
        assert refused in err
        async with workers(db, tmp_path, number=2) as second, AsyncExitStack() as stack:
            ann = await stack.enter_async_context(signed_up(first.address, "Ann"))
            ben = await stack.enter_async_context(signed_up(second.address, "Ben"))
            match = await opened(ann, asyncio.Condition(), hands=1)
            async with asyncio.timeout(120):
                results = await match.play((ann, ben))
            match.check_whole([line async for line in ben.log(match.id)], results)
    async with node(db, tmp_path):
        code, out, err = await gin(*several)
        assert (code, out) == (2, "")
        assert err.count(refused) == 1


async def test_workers_that_cannot_begin_say_why_once(tmp_path: Path) -> None:
    """The first one refuses, with the words and the code of a single server."""
    junk = tmp_path / "junk.db"
    junk.write_bytes(b"this is no database" * 100)
    code, out, err = await gin(
        "serve", "--db", str(junk), "--listen", "127.0.0.1:0", "--workers", "3"
    )
    assert (code, out) == (2, "")
    assert err.count(f"Error: {junk} cannot be opened") == 1
    assert "Traceback" not in err


async def test_metrics_are_each_workers_own_at_ports_in_a_row(tmp_path: Path) -> None:
    first = two_free_ports()
    db = str(tmp_path / "gin.db")
    async with workers(db, tmp_path, "--metrics", str(first), number=2) as server:
        told = {each["worker"]: each["address"] for each in server.said("metrics")}
        assert told == {1: f"127.0.0.1:{first}", 2: f"127.0.0.1:{first + 1}"}


async def test_a_worker_that_is_told_to_stop_by_itself_is_started_again(tmp_path: Path) -> None:
    async with workers(str(tmp_path / "gin.db"), tmp_path, number=2) as server:
        os.kill(server.alive()[2], signal.SIGTERM)
        for pause in until():
            if len(server.said("worker serves")) == 3:
                break
            await asyncio.sleep(pause)
        (ended,) = server.said("worker ended")
        assert (ended["worker"], ended["by"]) == (2, "exit code 0")
        assert await server.stop() == 0


def two_free_ports() -> int:
    """Return the first one of two free ports in a row."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as one:
            first: int = one.getsockname()[1]
            with suppress(OSError), socket.create_server(("127.0.0.1", first + 1)):
                return first


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True

"""What a process hears of those with which it shares a store."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from support_postgres import connected
from support_store import NEW, moves, stored

from ginrummy.store import (
    Cluster,
    GroupCommit,
    Head,
    LoneMember,
    Membership,
    MemoryStore,
    Store,
    open_store,
)
from ginrummy.store.membership import Ring
from ginrummy.store.postgres import PostgresStore


class Listener:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.heads: dict[str, int] = {}
        self.told: list[str] = []

    def heard(self, heads: dict[str, int]) -> None:
        self.heads |= heads

    def cut_off(self) -> None:
        self.told.append("cut off")

    def back(self) -> None:
        self.told.append("back")


@asynccontextmanager
async def member(store: Store, poll: float = 0.1) -> AsyncIterator[tuple[Cluster, Listener]]:
    listener = Listener()
    async with GroupCommit(store) as commits, Cluster(store, commits, poll=poll) as cluster:
        cluster.follow(listener)
        yield cluster, listener


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110 -- what another thread does rings no bell here
            await asyncio.sleep(0.01)


async def test_all_that_others_store_is_heard_of(shared_db: str) -> None:
    with closing(open_store(shared_db)) as one, closing(open_store(shared_db)) as two:
        before = stored(two, moves("m_before"))
        async with member(one) as (_, listener):
            head = NEW
            for _ in range(50):
                head = await asyncio.to_thread(stored, two, moves("m_a", 1, head))
            await asyncio.to_thread(stored, two, moves("m_before", 2, before))
            await until(lambda: listener.heads == {"m_a": 50, "m_before": 3})
            assert listener.told == []


async def test_what_rings_is_heard_at_once(shared_db: str) -> None:
    """Without the bell it would be heard at the next look, in ten minutes."""
    with closing(open_store(shared_db)) as one, closing(open_store(shared_db)) as two:
        async with member(one, poll=600) as (cluster, listener), member(two):
            await until(lambda: cluster.has("clocks"))
            await asyncio.sleep(0.3)
            await asyncio.to_thread(stored, two, moves("m_a", 2))
            await until(lambda: listener.heads == {"m_a": 2})


async def test_lines_of_a_program_that_does_not_ring_are_made_up_for(tmp_path: Path) -> None:
    db = str(tmp_path / "gin.db")
    with closing(open_store(db)) as one, closing(open_store(db)) as two:
        async with member(one) as (_, listener):
            await asyncio.to_thread(stored, two, moves("m_a", 2))
            await until(lambda: listener.heads == {"m_a": 2})


async def test_notifications_that_never_come_are_made_up_for(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(PostgresStore(postgres_url)) as one, closing(PostgresStore(postgres_url)) as two:
        # Another process's notifications look like one's own, and are not heeded.
        monkeypatch.setattr(two, "_node", one._node)
        async with member(one) as (_, listener):
            await asyncio.to_thread(stored, two, moves("m_a", 2))
            await until(lambda: listener.heads == {"m_a": 2})


async def test_who_is_cut_off_is_told_and_hears_all_once_it_is_back(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ginrummy.store.cluster._CUT_OFF", 0.3)
    url = f"{postgres_url}&application_name=one"
    with closing(PostgresStore(url)) as one, closing(PostgresStore(postgres_url)) as two:
        async with member(one) as (cluster, listener):
            await until(lambda: cluster.has("clocks"))
            whole = one._connections._conninfo
            monkeypatch.setattr(one._connections, "_conninfo", "host=127.0.0.1 port=1")
            with connected(postgres_url) as superuser:
                superuser.execute(
                    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                    " WHERE application_name = 'one'"
                )
            await until(lambda: listener.told == ["cut off"])
            assert cluster.is_cut_off
            assert not cluster.has("clocks")
            head = await asyncio.to_thread(stored, two, moves("m_a", 2))
            monkeypatch.setattr(one._connections, "_conninfo", whole)
            await until(lambda: listener.told == ["cut off", "back"])
            await until(lambda: listener.heads == {"m_a": 2})
            await until(lambda: cluster.has("clocks"))
            assert isinstance(head, Head)


async def test_who_leaves_at_the_moment_of_news_has_left() -> None:
    """In each turn of the loop that the news may come in."""

    class Shared(LoneMember):
        is_shared = True

    class SharedStore(MemoryStore):
        def join(self, ring: Ring, *, alone: bool = False) -> Membership:
            return Shared()

    for turns in range(8):
        store = SharedStore()
        async with GroupCommit(store) as commits, Cluster(store, commits, poll=600) as cluster:
            cluster.follow(Listener())
            await asyncio.sleep(0.05)
            following = cluster._task
            assert following is not None
            cluster._rung()
            for _ in range(turns):
                await asyncio.sleep(0)
            following.cancel()
            await asyncio.wait([following], timeout=10)
            assert following.cancelled()


async def test_a_store_of_one_process_has_nobody_to_hear_of() -> None:
    listener, store = Listener(), MemoryStore()
    async with GroupCommit(store) as commits, Cluster(store, commits, poll=0.01) as cluster:
        cluster.follow(listener)
        stored(store, moves("m_a"))
        await asyncio.sleep(0.05)
        assert cluster.is_first
        assert cluster.has("notary")
    assert listener.heads == {}

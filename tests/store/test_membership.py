"""The processes that share a database: what they hear of each other, and who has which duty."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Event, Thread

import psycopg
import pytest
from support_postgres import connected
from support_store import moves, other_stream, stored
from support_store_processes import SPAWN, hold_duties

from ginrummy.store import Membership, SqliteStore, Store, UnusableDatabaseError, open_store
from ginrummy.store.membership import DUTIES
from ginrummy.store.postgres import PostgresStore


def nothing() -> None:
    """Hear nothing."""


def until(true: Callable[[], bool]) -> None:
    """Wait for what has to come true."""
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def duties(member: Membership) -> set[str]:
    return {duty for duty in DUTIES if member.has(duty)}


@pytest.fixture
def stores(shared_db: str) -> Iterator[tuple[Store, Store]]:
    with closing(open_store(shared_db)) as one, closing(open_store(shared_db)) as two:
        yield one, two


@pytest.fixture
def postgres_stores(postgres_url: str) -> Iterator[tuple[PostgresStore, PostgresStore]]:
    with (
        closing(PostgresStore(f"{postgres_url}&application_name=one")) as one,
        closing(PostgresStore(f"{postgres_url}&application_name=two")) as two,
    ):
        yield one, two


# --- every store --------------------------------------------------------------------------------


def test_streams_that_moved_on_are_told_with_their_last_numbers(store: Store) -> None:
    assert store.heads_after(0) == (0, {})
    first, second = moves("m_a", 3), moves("m_b", 2)
    store.append([first, second])
    assert store.heads_after(0) == (5, {"m_a": 3, "m_b": 2})
    assert store.heads_after(3) == (5, {"m_b": 2})
    stored(store, other_stream("t_a"))
    stored(store, moves("m_a", 1, first.head))
    assert store.heads_after(5) == (8, {"t_a": 2, "m_a": 4})
    assert store.heads_after(8) == (8, {})


def test_who_comes_first_has_all_duties(store: Store) -> None:
    with closing(store.join(nothing)) as member:
        assert member.is_first
        until(lambda: duties(member) == set(DUTIES))
        assert member.away == 0


# --- several processes --------------------------------------------------------------------------


def test_what_another_process_stores_rings_and_ones_own_does_not(
    stores: tuple[Store, Store],
) -> None:
    one, two = stores
    heard = Event()
    with closing(one.join(heard.set)) as member, closing(two.join(nothing)):
        until(lambda: duties(member) == set(DUTIES))
        time.sleep(0.3)
        heard.clear()
        head = stored(one, moves("m_a"))
        assert not heard.wait(0.3)
        stored(two, moves("m_a", 1, head))
        assert heard.wait(60)


def test_a_duty_is_one_processs_until_it_leaves(
    stores: tuple[Store, Store],
) -> None:
    one, two = stores
    first = one.join(nothing)
    until(lambda: duties(first) == set(DUTIES))
    with closing(two.join(nothing)) as second:
        assert not second.is_first
        time.sleep(1.5)
        assert duties(second) == set()
        first.close()
        assert duties(first) == set()
        until(lambda: duties(second) == set(DUTIES))


def test_who_comes_after_all_have_left_is_first(
    stores: tuple[Store, Store],
) -> None:
    one, two = stores

    def is_first() -> bool:
        with closing(two.join(nothing)) as member:
            return member.is_first

    one.join(nothing).close()
    # A database server may take a moment to notice who has left.
    until(is_first)


def test_another_process_takes_the_duties_of_one_that_is_killed(shared_db: str) -> None:
    start = SPAWN.Barrier(2)
    holder = SPAWN.Process(daemon=True, target=hold_duties, args=(shared_db, start))
    with closing(open_store(shared_db)) as store:
        holder.start()
        start.wait(60)
        with closing(store.join(nothing)) as member:
            time.sleep(1.2)
            assert duties(member) == set()
            holder.kill()
            holder.join()
            until(lambda: duties(member) == set(DUTIES))


# --- a SQLite file ------------------------------------------------------------------------------


def test_who_serves_a_file_alone_keeps_all_others_away(tmp_path: Path) -> None:
    with (
        closing(SqliteStore(tmp_path / "gin.db")) as one,
        closing(SqliteStore(tmp_path / "gin.db")) as two,
    ):
        alone = one.join(nothing, alone=True)
        assert not alone.is_shared
        assert duties(alone) == set(DUTIES)
        for way in (True, False):
            with pytest.raises(UnusableDatabaseError, match="served by another process already"):
                two.join(nothing, alone=way)
        # It may be written to all the same, as `gin player --db` does.
        stored(two, moves("m_a"))
        alone.close()
        with closing(two.join(nothing)) as member:
            assert member.is_first
            with pytest.raises(UnusableDatabaseError, match="--workers"):
                one.join(nothing, alone=True)
        one.join(nothing, alone=True).close()


def test_only_one_of_those_who_come_at_once_is_first(tmp_path: Path) -> None:
    first: list[bool] = []

    def come() -> None:
        with closing(SqliteStore(tmp_path / "gin.db")) as store:
            member = store.join(nothing)
            first.append(member.is_first)
            until(lambda: len(first) == 8)
            member.close()

    comers = [Thread(target=come) for _ in range(8)]
    for comer in comers:
        comer.start()
    for comer in comers:
        comer.join()
    assert sorted(first) == [False] * 7 + [True]


def test_the_bell_of_a_killed_process_is_taken_away_and_hinders_nobody(tmp_path: Path) -> None:
    path = tmp_path / "gin.db"
    start = SPAWN.Barrier(2)
    holder = SPAWN.Process(daemon=True, target=hold_duties, args=(str(path), start))
    holder.start()
    start.wait(60)
    with closing(SqliteStore(path)) as store, closing(store.join(nothing)):
        assert len(bells(path)) == 2
        head = stored(store, moves("m_a"))
        holder.kill()
        holder.join()
        stored(store, moves("m_a", 1, head))
        assert len(bells(path)) == 1
    assert bells(path) == []


def test_a_bell_that_nobody_listens_to_for_long_keeps_nobody_waiting(tmp_path: Path) -> None:
    path = tmp_path / "gin.db"
    with closing(SqliteStore(path)) as one, closing(SqliteStore(path)) as two:
        heard = Event()

        def is_busy() -> None:
            heard.wait(60)

        with closing(one.join(is_busy)), closing(two.join(nothing)):
            head = stored(two, moves("m_a"))
            assert two._neighbours is not None
            (full,) = [bell for bell in bells(path) if bell.name != two._neighbours._own]
            bell = os.open(full, os.O_WRONLY | os.O_NONBLOCK)
            with suppress(BlockingIOError):
                while True:
                    os.write(bell, b"!" * 4096)
            os.close(bell)
            stored(two, moves("m_a", 1, head))
            heard.set()


def test_a_directory_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "gin.db-members").touch()
    with closing(SqliteStore(tmp_path / "gin.db")) as store:
        for alone in (True, False):
            with pytest.raises(UnusableDatabaseError, match=r"gin\.db-members cannot be used"):
                store.join(nothing, alone=alone)


def bells(path: Path) -> list[Path]:
    return list(path.with_name(f"{path.name}-members").glob("bell-*"))


# --- a PostgreSQL database ----------------------------------------------------------------------


def test_who_loses_the_database_gives_up_all_duties_and_gets_them_again(
    postgres_url: str, postgres_stores: tuple[PostgresStore, PostgresStore]
) -> None:
    one, _ = postgres_stores
    rings: list[int] = []
    with closing(one.join(lambda: rings.append(1))) as member:
        until(lambda: duties(member) == set(DUTIES))
        rung = len(rings)
        with connected(postgres_url) as superuser:
            end_sessions(superuser, "one")
        # Once when they are lost, once when it is back, and once when they are its own again.
        until(lambda: len(rings) >= rung + 3 and duties(member) == set(DUTIES))
        assert member.away == 0


def test_who_is_kept_from_the_database_says_for_how_long(
    postgres_stores: tuple[PostgresStore, PostgresStore],
    monkeypatch: pytest.MonkeyPatch,
    postgres_url: str,
) -> None:
    one, _ = postgres_stores
    with closing(one.join(nothing)) as member:
        until(lambda: duties(member) == set(DUTIES))
        monkeypatch.setattr(one._connections, "_conninfo", "host=127.0.0.1 port=1")
        with connected(postgres_url) as superuser:
            end_sessions(superuser, "one")
        until(lambda: member.away > 0.5)
        assert duties(member) == set()


def end_sessions(superuser: psycopg.Connection[object], name: str) -> None:
    superuser.execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
        " WHERE application_name = %s AND query NOT LIKE %s",
        [name, "%pg_stat_activity%"],
    )

"""What every store promises of what only saves work, and of since when somebody has been there."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support_postgres import connected
from support_store import moves, rows, stored, whole_match, written

from ginrummy.store import SqliteStore, Store, StoreClosedError, StoredSnapshot
from ginrummy.store.postgres import PostgresStore


def snapshot(stream: str, seq: int = 1, body: bytes = b"\x00 any bytes \xff") -> StoredSnapshot:
    return StoredSnapshot(stream, seq, "ab" * 32, "cd" * 32, body)


def test_a_snapshot_takes_the_place_of_the_one_before(store: Store) -> None:
    assert store.snapshot("m_a") is None
    store.keep_snapshots([])
    store.keep_snapshots([snapshot("m_a"), snapshot("m_b", 7)])
    assert store.snapshot("m_a") == snapshot("m_a")
    store.keep_snapshots([snapshot("m_a", 30, b""), snapshot("m_a", 31), snapshot("m_c")])
    assert store.snapshot("m_a") == snapshot("m_a", 31)
    assert store.snapshot("m_b") == snapshot("m_b", 7)
    assert store.snapshot("m_d") is None


def test_a_snapshot_may_be_of_a_stream_that_is_not_there(store: Store) -> None:
    """Nothing is looked up for it: it is good or not when it is read."""
    store.keep_snapshots([snapshot("m_nobody", 1000)])
    assert store.snapshot("m_nobody") == snapshot("m_nobody", 1000)
    assert store.head("m_nobody").seq == 0


def test_making_the_rows_again_drops_all_snapshots(store: Store) -> None:
    stored(store, written("m_a", whole_match(("p_ann", "p_ben"))))
    store.keep_snapshots([snapshot("m_a")])
    before = rows(store)
    store.rebuild()
    assert (rows(store), store.snapshot("m_a")) == (before, None)


def test_the_last_return_is_what_was_noted_last(store: Store) -> None:
    assert store.last_return() == 0
    store.note_return(1_796_000_000_000_000)
    store.note_return(1_796_000_000_000_001)
    assert store.last_return() == 1_796_000_000_000_001


def test_after_closing_nothing_is_kept(store: Store) -> None:
    store.close()
    with pytest.raises(StoreClosedError):
        store.keep_snapshots([snapshot("m_a")])
    with pytest.raises(StoreClosedError):
        store.snapshot("m_a")
    with pytest.raises(StoreClosedError):
        store.note_return(1)
    with pytest.raises(StoreClosedError):
        store.last_return()


def test_what_is_kept_outlives_the_process_and_is_in_a_backup(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "gin.db")) as store:
        stored(store, moves("m_a"))
        store.keep_snapshots([snapshot("m_a")])
        store.note_return(5)
        store.backup(tmp_path / "copy.db")
    for path in (tmp_path / "gin.db", tmp_path / "copy.db"):
        with closing(SqliteStore(path)) as again:
            assert (again.snapshot("m_a"), again.last_return()) == (snapshot("m_a"), 5)


def test_an_older_sqlite_database_gets_the_tables(tmp_path: Path) -> None:
    path = tmp_path / "gin.db"
    with closing(SqliteStore(path)) as store:
        stored(store, moves("m_a"))
    with closing(sqlite3.connect(path)) as old:
        old.executescript("DROP TABLE snapshots; DROP TABLE presence")
        old.execute("DELETE FROM _sqlite_migrations WHERE name = '0005_snapshots'")
        old.commit()
    with closing(SqliteStore(path)) as store:
        assert (store.snapshot("m_a"), store.last_return()) == (None, 0)
        store.keep_snapshots([snapshot("m_a")])
        assert store.head("m_a").seq == 1


def test_an_older_postgresql_database_gets_the_tables(postgres_url: str) -> None:
    with closing(PostgresStore(postgres_url)) as store:
        stored(store, moves("m_a"))
    with connected(postgres_url) as old:
        old.execute("DROP TABLE snapshots; DROP TABLE presence")
        old.execute("DELETE FROM migrations WHERE name = '0002_snapshots'")
    with closing(PostgresStore(postgres_url)) as store:
        assert (store.snapshot("m_a"), store.last_return()) == (None, 0)
        # By the server's role, which was given its rights to them.
        store.keep_snapshots([snapshot("m_a")])
        store.note_return(7)
        assert (store.head("m_a").seq, store.last_return()) == (1, 7)

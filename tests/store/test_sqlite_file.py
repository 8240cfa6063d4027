"""The SQLite file: who may open it, what it refuses, what others can read in it."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database
from support_store import (
    FaultySqliteStore,
    check_log,
    moves,
    stored,
    whole_match,
    written,
)
from support_store_processes import foreign

from ginrummy.log.lines import GENESIS
from ginrummy.store import (
    Head,
    SqliteStore,
    StoredCheckpoint,
    StoreFailedError,
    Tile,
    UnusableDatabaseError,
    schema,
)


@pytest.fixture(params=["ours", "another program's"])
def connection(
    request: pytest.FixtureRequest, sqlite_store: FaultySqliteStore
) -> Iterator[sqlite3.Connection]:
    """A connection to a database with two streams and a secret, with our settings or without."""
    stored(sqlite_store, moves("m_a", 3))
    stored(sqlite_store, moves("m_b", 2))
    sqlite_store.keep_secret("m_a", "chain", b"secret")
    sqlite_store.grow([TILE], StoredCheckpoint(256, b"a note\n"))
    if request.param == "ours":
        assert sqlite_store._writer is not None
        yield sqlite_store._writer.conn
        return
    with closing(foreign(sqlite_store.path)) as other:
        yield other


TILE = Tile(0, 0, 256, b"\x01" * 32, b"\x01" * 8192)
LINE = "INTO events (stream, seq, hash, line) SELECT"
PLACED = "INTO events (position, stream, seq, hash, line) SELECT"
OF_A = "FROM events WHERE stream = 'm_a' AND seq ="
OF_B = "FROM events WHERE stream = 'm_b' AND seq ="


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET line = replace(line, '\"seat\":0', '\"seat\":1') WHERE seq = 2",
        "UPDATE events SET position = position + 100",
        "UPDATE events SET hash = 'x' WHERE position = 1",
        "UPDATE OR REPLACE events SET seq = 2 WHERE stream = 'm_a' AND seq = 1",
        "UPDATE OR IGNORE events SET seq = 9 WHERE seq = 1",
        "DELETE FROM events",
        "DELETE FROM events WHERE position = (SELECT max(position) FROM events)",
        f"INSERT OR REPLACE {LINE} stream, seq, hash, line {OF_A} 3",
        f"REPLACE {PLACED} 5, 'm_c', 1, hash, line {OF_A} 1",
        f"REPLACE {PLACED} 2, 'm_c', 1, hash, line {OF_A} 1",
        f"INSERT {PLACED} 0, 'm_c', 1, hash, line {OF_A} 1",
        f"INSERT {PLACED} -1, 'm_c', 1, hash, line {OF_A} 1",
        f"INSERT {LINE} stream, 3, 'x', line {OF_B} 2",
        f"INSERT {LINE} stream, 4, 'x', line {OF_A} 2",
        f"INSERT {LINE} 'm_c', 1, 'x', line {OF_A} 2",
        f"INSERT {LINE} 'm_c', 2, 'x', line {OF_A} 1",
        "INSERT INTO events (stream, seq, hash, line) VALUES ('m_c', 1, 'x', 'no line')",
        "INSERT INTO events (stream, seq, hash, line) VALUES ('m_c', 1, 'x', '{}')",
        "INSERT INTO events (stream, seq, hash) VALUES ('m_c', 1, 'x')",
        "UPDATE secrets SET secret = x'00'",
        "UPDATE OR REPLACE secrets SET name = 'nonce0'",
        "DELETE FROM secrets",
        "REPLACE INTO secrets VALUES ('m_a', 'chain', x'00')",
        "INSERT OR IGNORE INTO secrets VALUES ('m_a', 'chain', x'00')",
        "UPDATE tiles SET position = 1",
        "UPDATE OR REPLACE tiles SET number = 1",
        "DELETE FROM tiles",
        "REPLACE INTO tiles SELECT 0, 0, 1, root, hashes FROM tiles",
        "INSERT INTO tiles SELECT 0, 2, position, root, hashes FROM tiles",
        "INSERT INTO tiles SELECT 0, 1, position, root, x'00' FROM tiles",
        "UPDATE checkpoints SET note = 'another'",
        "DELETE FROM checkpoints",
        "REPLACE INTO checkpoints VALUES (256, 'another')",
        "INSERT OR IGNORE INTO checkpoints VALUES (256, 'another')",
    ],
)
def test_the_database_itself_refuses_every_change_of_the_past(
    connection: sqlite3.Connection, sqlite_store: FaultySqliteStore, statement: str
) -> None:
    before = everything_in(connection)
    with pytest.raises((sqlite3.IntegrityError, sqlite3.OperationalError)):
        connection.execute(statement)
    assert everything_in(connection) == before
    assert check_log(sqlite_store) == {"m_a": 3, "m_b": 2}


def everything_in(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    events = connection.execute("SELECT * FROM events ORDER BY position").fetchall()
    tables = ("secrets", "tiles", "checkpoints")
    return events + [row for each in tables for row in connection.execute(f"SELECT * FROM {each}")]


def test_another_program_may_append_a_line_that_continues_its_stream(
    sqlite_store: FaultySqliteStore,
) -> None:
    first = moves("m_a", 2)
    stored(sqlite_store, first)
    (line,) = moves("m_a", 1, first.head).lines
    with closing(foreign(sqlite_store.path)) as other:
        other.execute(
            "INSERT INTO events (stream, seq, hash, line) VALUES (?, ?, ?, ?)",
            (line.stream, line.seq, line.hash, line.raw.decode()),
        )
    assert sqlite_store.head("m_a") == Head(3, line.hash)
    assert check_log(sqlite_store) == {"m_a": 3}


def test_the_log_can_be_queried_with_sql(sqlite_store: FaultySqliteStore) -> None:
    stored(sqlite_store, written("m_a", whole_match(("p_ann", "p_ben")), cmd="request"))
    with closing(foreign(sqlite_store.path)) as other:
        db = Database(other)
        counts = db.query("SELECT type, count(*) AS n FROM events GROUP BY type ORDER BY n DESC")
        assert next(iter(counts)) == {"type": "hand_dealt", "n": 4}
        first = next(db["events"].rows)
        assert {name: first[name] for name in ("position", "stream", "seq", "by", "cmd", "at")} == {
            "position": 1,
            "stream": "m_a",
            "seq": 1,
            "by": "server",
            "cmd": "request",
            "at": "2026-11-30T00:53:20.000000Z",
        }
        links = other.execute(
            "SELECT json_extract(line, '$.prev') = lag(hash, 1, ?) OVER (ORDER BY seq) FROM events",
            (GENESIS,),
        )
        assert all(linked for (linked,) in links)


def test_the_file_is_for_its_owner_only(sqlite_store: FaultySqliteStore) -> None:
    stored(sqlite_store, moves("m_a"))
    files = sorted(sqlite_store.path.parent.iterdir())
    assert [file.name for file in files] == ["gin.db", "gin.db-shm", "gin.db-wal"]
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_a_closed_store_is_one_file(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "gin.db")
    head = stored(store, moves("m_a", 3))
    assert len(list(store.read("m_a"))) == 3
    store.close()
    assert [file.name for file in tmp_path.iterdir()] == ["gin.db"]
    with closing(SqliteStore(tmp_path / "gin.db", create=False)) as again:
        assert again.head("m_a") == head


def test_the_settings_that_promises_rest_on(sqlite_store: FaultySqliteStore) -> None:
    sqlite_store.head("m_a")
    for db in (sqlite_store._writer, sqlite_store._readers[0]):
        assert db is not None
        settings = ("journal_mode", "synchronous", "foreign_keys", "recursive_triggers")
        values = [db.execute(f"PRAGMA {name}").fetchone()[0] for name in settings]
        assert values == ["wal", 2, 1, 1]
    assert all(table.strict for table in Database(sqlite_store.path).tables if table.name[0] != "_")


# --- files that are not ours --------------------------------------------------------------------


def refused(path: Path, because: str) -> None:
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(UnusableDatabaseError, match=because) as refusal:
        SqliteStore(path, create=False)
    assert str(path) in str(refusal.value)
    assert (path.read_bytes() if path.is_file() else None) == before


def test_a_file_that_is_not_there_is_made_only_where_that_is_meant(tmp_path: Path) -> None:
    refused(tmp_path / "gin.db", "not there")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UnusableDatabaseError, match="No such file"):
        SqliteStore(tmp_path / "nowhere" / "gin.db")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    refused(tmp_path, "it is a directory")


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gin.db"
    path.write_text("a letter to my mother\n" * 100)
    refused(path, "not a database")


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "gin.db"
    with closing(foreign(path)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    refused(path, "another program")


def test_a_later_versions_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "gin.db"
    SqliteStore(path).close()
    with closing(foreign(path)) as later:
        later.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " VALUES ('ginrummy', '0999_from_the_future', '2030')"
        )
    refused(path, "later version of ginrummy.*0999_from_the_future")


def test_a_cut_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gin.db"
    store = SqliteStore(path)
    stored(store, moves("m_a", 300))
    store.close()
    path.write_bytes(path.read_bytes()[:50])
    refused(path, "malformed")


def test_a_database_from_before_the_tree_gets_its_tables(tmp_path: Path) -> None:
    path = tmp_path / "gin.db"
    store = SqliteStore(path)
    stored(store, moves("m_a", 300))
    store.close()
    with closing(foreign(path)) as old:
        old.executescript("DROP TABLE tiles; DROP TABLE checkpoints")
        old.execute("DELETE FROM _sqlite_migrations WHERE name = '0002_tiles_checkpoints'")
    with closing(SqliteStore(path)) as store:
        store.grow([TILE], StoredCheckpoint(256, b"a note\n"))
        assert check_log(store) == {"m_a": 300}


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "gin.db"
    path.touch()
    with closing(SqliteStore(path, create=False)) as store:
        stored(store, moves("m_a"))


def test_a_migration_and_its_record_are_one_transaction(tmp_path: Path) -> None:
    """A run that stops between them leaves an empty database, which the next run makes whole."""
    path = tmp_path / "gin.db"
    script = (
        "import os, sqlite_utils.migrations as m; from ginrummy.store import SqliteStore\n"
        "m.Migrations._record_applied = lambda *_: os._exit(9)\n"
        f"SqliteStore({str(path)!r})"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 9
    with closing(foreign(path)) as after:
        tables = {name for (name,) in after.execute("SELECT name FROM sqlite_master")}
        assert "events" not in tables
    with closing(SqliteStore(path)) as store:
        stored(store, moves("m_a"))


def test_a_file_that_another_program_has_for_itself_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "BUSY_MS", 0)
    path = tmp_path / "gin.db"
    SqliteStore(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        store = SqliteStore(path)
        with pytest.raises(StoreFailedError, match="another program has it for itself"):
            store.keep_secret("m_a", "chain", b"secret")
        store.close()

"""Backups, and the size of the write-ahead log."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest
from support_play import soak
from support_store import (
    NEW,
    FaultySqliteStore,
    check_log,
    moves,
    rows,
    stored,
    whole_match,
    written,
)
from support_store_processes import foreign

from ginrummy.store import BackupRefusedError, SqliteStore
from ginrummy.store.schema import WAL_BOUND


def test_a_backup_holds_what_only_the_write_ahead_log_has(
    sqlite_store: FaultySqliteStore, tmp_path: Path
) -> None:
    """D3"""
    append = moves("m_a", 100)
    stored(sqlite_store, append)
    stored(sqlite_store, written("m_b", whole_match(("p_ann", "p_ben"))))
    sqlite_store.keep_secret("m_a", "chain", b"secret")
    assert sqlite_store.path.stat().st_size < 10_000, "the lines are in the -wal file only"
    assert sqlite_store.backup(tmp_path / "backup.db") == 114
    assert (tmp_path / "backup.db").stat().st_mode & 0o777 == 0o600
    restored = tmp_path / "elsewhere"
    restored.mkdir()
    (tmp_path / "backup.db").rename(restored / "gin.db")
    with closing(SqliteStore(restored / "gin.db", create=False)) as copy:
        assert check_log(copy) == {"m_a": 100, "m_b": 14}
        assert rows(copy) == rows(sqlite_store)
        assert copy.secret("m_a", "chain") == b"secret"
        stored(copy, moves("m_a", 1, append.head))


def test_a_backup_is_made_while_a_writer_writes(
    sqlite_store: FaultySqliteStore, tmp_path: Path
) -> None:
    """D3 The copy is one moment of a log that moves on: whole appends, and all before them."""
    stored(sqlite_store, moves("m_long", 5000))
    stop = Event()

    def write() -> int:
        head = NEW
        while not stop.is_set():
            head = stored(sqlite_store, moves("m_a", 3, head))
        return head.seq

    with ThreadPoolExecutor(1) as threads:
        writing = threads.submit(write)
        try:
            while sqlite_store.head("m_a").seq < 30:
                pass
            copied = sqlite_store.backup(tmp_path / "backup.db")
        finally:
            stop.set()
        assert writing.result() >= 30
    with closing(SqliteStore(tmp_path / "backup.db")) as copy:
        lengths = check_log(copy)
        assert copy.last_position() == copied == sum(lengths.values())
        assert lengths["m_a"] >= 30
        assert lengths["m_a"] % 3 == 0
        assert list(copy.read("m_a")) == list(sqlite_store.read("m_a"))[: lengths["m_a"]]


def test_a_backup_overwrites_nothing(sqlite_store: FaultySqliteStore, tmp_path: Path) -> None:
    target = tmp_path / "backup.db"
    target.write_text("dear to me")
    with pytest.raises(BackupRefusedError, match="File exists"):
        sqlite_store.backup(target)
    assert target.read_text() == "dear to me"
    with pytest.raises(BackupRefusedError, match="No such file"):
        sqlite_store.backup(tmp_path / "nowhere" / "backup.db")


def test_a_backup_that_fails_leaves_nothing_behind(
    sqlite_store: FaultySqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ginrummy.store.sqlite._check_sound", _unsound)
    with pytest.raises(BackupRefusedError, match="not sound"):
        sqlite_store.backup(tmp_path / "backup.db")
    assert not list(tmp_path.glob("backup*"))


def _unsound(*_: object) -> None:
    raise BackupRefusedError("the copy is not sound")


# --- the write-ahead log (D10) ------------------------------------------------------------------


def wal_size(store: SqliteStore) -> int:
    return Path(f"{store.path}-wal").stat().st_size


def grow(store: SqliteStore, lines: int) -> int:
    """Append that many lines to 50 streams and return the most that the WAL took meanwhile."""
    heads = {f"m_{number}": NEW for number in range(50)}
    most = 0
    for _ in range(lines // 500):
        appends = [moves(stream, 10, head) for stream, head in heads.items()]
        store.append(appends)
        heads = {append.stream: append.head for append in appends}
        most = max(most, wal_size(store))
    return most


def test_a_replay_left_open_keeps_no_write_ahead_log(sqlite_store: FaultySqliteStore) -> None:
    """D10"""
    stored(sqlite_store, moves("m_replayed", 1200))
    replay = sqlite_store.read("m_replayed")
    next(replay)
    assert grow(sqlite_store, soak(200_000, 20_000)) < WAL_BOUND
    assert sum(1 for _ in replay) == 1199


def relay(path: Path, stop: Event) -> None:
    """Read in short transactions of which the next has always begun before the last one ends."""
    with closing(foreign(path)) as one, closing(foreign(path)) as other:
        last, following = one, other
        while not stop.is_set():
            following.execute("BEGIN")
            following.execute("SELECT max(position) FROM events").fetchone()
            if last.in_transaction:
                last.execute("COMMIT")
            last, following = following, last


def test_readers_that_never_pause_keep_it_near_its_bound(
    sqlite_store: FaultySqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D10 SQLite begins the WAL anew at a moment without readers, and here is none."""
    bound = 512 * 1024
    monkeypatch.setattr("ginrummy.store.sqlite.WAL_BOUND", bound)
    sqlite_store._wal_bound = bound
    stop = Event()
    with ThreadPoolExecutor(1) as threads:
        reading = threads.submit(relay, sqlite_store.path, stop)
        try:
            most = grow(sqlite_store, soak(100_000, 10_000))
        finally:
            stop.set()
        reading.result()
    # Left to itself it would take ten of these bounds and more. A reader that the machine held
    # up for long costs one more.
    assert most < 4 * bound


def test_a_transaction_that_stays_open_does_not_stop_the_writer(
    sqlite_store: FaultySqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody's shell, or a long backup: the WAL grows past its bound, and shrinks after."""
    bound = 64 * 1024
    monkeypatch.setattr("ginrummy.store.sqlite.WAL_BOUND", bound)
    sqlite_store._wal_bound = bound
    head = stored(sqlite_store, moves("m_a"))
    with closing(foreign(sqlite_store.path)) as shell:
        shell.execute("BEGIN")
        shell.execute("SELECT count(*) FROM events").fetchone()
        for _ in range(20):
            head = stored(sqlite_store, moves("m_a", 50, head))
        assert wal_size(sqlite_store) > 2 * bound
        shell.execute("COMMIT")
    while wal_size(sqlite_store) > bound:
        head = stored(sqlite_store, moves("m_a", 50, head))
    assert check_log(sqlite_store) == {"m_a": head.seq}

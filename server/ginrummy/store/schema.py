"""The SQLite database: its tables, and how it is opened.

The log defends itself: its triggers refuse, whoever writes and with whatever program, every change
of a stored line, and every new line that does not continue its stream in number and in hash.
"""

import os
import sqlite3
from pathlib import Path
from time import monotonic, sleep

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from ginrummy.store.errors import UnusableDatabaseError

__all__ = ["BUSY_MS", "PROJECTIONS", "WAL_BOUND", "connect", "in_words", "open_database"]

APPLICATION_ID = int.from_bytes(b"GinR")
"""What SQLite's own header says whose file it is."""

BUSY_MS = 20_000
"""How long a write waits for another process's before it fails."""

WAL_BOUND = 16 * 1024 * 1024
"""Bytes that the write-ahead log may take, unless a reader holds one transaction open (D10)."""

EVENTS = """
CREATE TABLE events (
    -- The commit order of all lines. There is one writer at a time, and lines are never deleted, so
    -- a position becomes visible after all lower ones and is never given twice.
    position INTEGER PRIMARY KEY CHECK (position >= 1),
    stream TEXT NOT NULL,
    seq INTEGER NOT NULL CHECK (seq >= 1),
    hash TEXT NOT NULL,
    line TEXT NOT NULL,
    -- For whoever looks with SQL; worked out when asked for, and not stored.
    at TEXT GENERATED ALWAYS AS (json_extract(line, '$.at')) VIRTUAL,
    by TEXT GENERATED ALWAYS AS (json_extract(line, '$.by')) VIRTUAL,
    cmd TEXT GENERATED ALWAYS AS (json_extract(line, '$.cmd')) VIRTUAL,
    type TEXT GENERATED ALWAYS AS (json_extract(line, '$.type')) VIRTUAL,
    UNIQUE (stream, seq)
) STRICT;

-- INSERT OR REPLACE would delete the line in its way, without a delete trigger where the connection
-- has recursive_triggers off. All that it could replace is refused here, before it does.
CREATE TRIGGER events_continue BEFORE INSERT ON events BEGIN
    -- NEW.position is -1 where SQLite is to choose it.
    SELECT RAISE(ABORT, 'a line goes at the end of the log')
        WHERE NEW.position BETWEEN 1 AND (SELECT max(position) FROM events);
    SELECT RAISE(ABORT, 'not the next line of its stream')
        WHERE NEW.seq IS NOT 1 + ifnull((SELECT max(seq) FROM events WHERE stream = NEW.stream), 0);
    SELECT RAISE(ABORT, 'not linked to the line before')
        WHERE json_extract(NEW.line, '$.prev') IS NOT iif(
            NEW.seq = 1,
            '0000000000000000000000000000000000000000000000000000000000000000',
            (SELECT hash FROM events WHERE stream = NEW.stream AND seq = NEW.seq - 1));
END;
CREATE TRIGGER events_stay BEFORE DELETE ON events BEGIN
    SELECT RAISE(ABORT, 'the log is never deleted');
END;
CREATE TRIGGER events_never_change BEFORE UPDATE ON events BEGIN
    SELECT RAISE(ABORT, 'the log is never changed');
END;
"""

TREE = """
CREATE TABLE tiles (
    level INTEGER NOT NULL CHECK (level >= 0),
    number INTEGER NOT NULL CHECK (number >= 0),
    position INTEGER NOT NULL,
    root BLOB NOT NULL CHECK (length(root) = 32),
    -- Last, so that the roots of a row of tiles are read without it.
    hashes BLOB NOT NULL CHECK (length(hashes) = 256 * 32),
    PRIMARY KEY (level, number)
) STRICT;
CREATE INDEX tiles_by_position ON tiles (level, position);

CREATE TRIGGER tiles_continue BEFORE INSERT ON tiles BEGIN
    SELECT RAISE(ABORT, 'not the next tile of its level')
        WHERE NEW.number IS NOT
            1 + ifnull((SELECT max(number) FROM tiles WHERE level = NEW.level), -1);
END;
CREATE TRIGGER tiles_stay BEFORE DELETE ON tiles BEGIN
    SELECT RAISE(ABORT, 'a tile is never deleted');
END;
CREATE TRIGGER tiles_never_change BEFORE UPDATE ON tiles BEGIN
    SELECT RAISE(ABORT, 'a tile is never changed');
END;

CREATE TABLE checkpoints (
    size INTEGER PRIMARY KEY CHECK (size >= 0),
    note TEXT NOT NULL
) STRICT;

CREATE TRIGGER checkpoints_are_new BEFORE INSERT ON checkpoints BEGIN
    SELECT RAISE(ABORT, 'a size is signed once')
        WHERE EXISTS (SELECT 1 FROM checkpoints WHERE size = NEW.size);
END;
CREATE TRIGGER checkpoints_stay BEFORE DELETE ON checkpoints BEGIN
    SELECT RAISE(ABORT, 'a checkpoint is never deleted');
END;
CREATE TRIGGER checkpoints_never_change BEFORE UPDATE ON checkpoints BEGIN
    SELECT RAISE(ABORT, 'a checkpoint is never changed');
END;
"""

SECRETS = """
CREATE TABLE secrets (
    stream TEXT NOT NULL,
    name TEXT NOT NULL,
    secret BLOB NOT NULL,
    PRIMARY KEY (stream, name)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER secrets_are_new BEFORE INSERT ON secrets BEGIN
    SELECT RAISE(ABORT, 'a secret is kept once')
        WHERE EXISTS (SELECT 1 FROM secrets WHERE stream = NEW.stream AND name = NEW.name);
END;
CREATE TRIGGER secrets_stay BEFORE DELETE ON secrets BEGIN
    SELECT RAISE(ABORT, 'a secret is never deleted');
END;
CREATE TRIGGER secrets_never_change BEFORE UPDATE ON secrets BEGIN
    SELECT RAISE(ABORT, 'a secret is never changed');
END;
"""

CREDENTIALS = """
CREATE TABLE credentials (
    id INTEGER PRIMARY KEY,
    player TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('player', 'director', 'auditor')),
    token_hash TEXT NOT NULL UNIQUE,
    created TEXT NOT NULL
) STRICT;
"""

CACHE = """
-- Matches as they were folded: what only saves work, and is made again from the log. The hidden
-- cards are in it, as they are in the secrets.
CREATE TABLE snapshots (
    stream TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL,
    code TEXT NOT NULL,
    body BLOB NOT NULL
) STRICT;

-- One row: since when, in microseconds since 1970 UTC, a server has been there without a gap.
CREATE TABLE presence (id INTEGER PRIMARY KEY CHECK (id = 1), since INTEGER NOT NULL) STRICT;
INSERT INTO presence VALUES (1, 0);
"""

PROJECTIONS = """
DROP TABLE IF EXISTS projected;
DROP TABLE IF EXISTS players;
DROP TABLE IF EXISTS results;
DROP TABLE IF EXISTS matches;

CREATE TABLE matches (
    id TEXT PRIMARY KEY,
    position INTEGER NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created TEXT NOT NULL,
    stage TEXT NOT NULL,
    players0 TEXT,
    players1 TEXT,
    names0 TEXT,
    names1 TEXT,
    hands INTEGER NOT NULL,
    points0 INTEGER NOT NULL,
    points1 INTEGER NOT NULL,
    hands_won0 INTEGER NOT NULL,
    hands_won1 INTEGER NOT NULL,
    totals0 INTEGER NOT NULL,
    totals1 INTEGER NOT NULL,
    ended TEXT,
    reason TEXT,
    winner INTEGER,
    practice INTEGER NOT NULL CHECK (practice IN (0, 1)),
    replay_of TEXT,
    disputes INTEGER NOT NULL,
    open_disputes INTEGER NOT NULL,
    replaying INTEGER NOT NULL,
    adjusted INTEGER NOT NULL
) STRICT;
CREATE INDEX matches_by_stage ON matches (stage, position);
CREATE INDEX matches_by_player0 ON matches (players0, position);
CREATE INDEX matches_by_player1 ON matches (players1, position);
CREATE INDEX matches_disputed ON matches (position) WHERE disputes > 0;

CREATE TABLE results (
    match TEXT PRIMARY KEY REFERENCES matches (id),
    position INTEGER NOT NULL UNIQUE,
    ended TEXT NOT NULL,
    players0 TEXT NOT NULL,
    players1 TEXT NOT NULL,
    names0 TEXT NOT NULL,
    names1 TEXT NOT NULL,
    hands INTEGER NOT NULL,
    points0 INTEGER NOT NULL,
    points1 INTEGER NOT NULL,
    hands_won0 INTEGER NOT NULL,
    hands_won1 INTEGER NOT NULL,
    totals0 INTEGER NOT NULL,
    totals1 INTEGER NOT NULL,
    reason TEXT NOT NULL,
    winner INTEGER
) STRICT;
CREATE INDEX results_by_player0 ON results (players0, position);
CREATE INDEX results_by_player1 ON results (players1, position);

CREATE TABLE players (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    matches INTEGER NOT NULL,
    won INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    hands_won INTEGER NOT NULL,
    points INTEGER NOT NULL
) STRICT;

-- One row: the position of the last line that the three tables above have seen.
CREATE TABLE projected (id INTEGER PRIMARY KEY CHECK (id = 1), position INTEGER NOT NULL) STRICT;
INSERT INTO projected VALUES (1, 0);
"""

_migrations = Migrations("ginrummy")


@_migrations(name="0001_log_secrets_players")
def _first(db: Database) -> None:
    db.executescript(EVENTS + SECRETS + CREDENTIALS + PROJECTIONS)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")


@_migrations(name="0002_tiles_checkpoints")
def _second(db: Database) -> None:
    # The tree of what is there already is built by the next server that runs on it.
    db.executescript(TREE)


@_migrations(name="0003_practice")
def _third(db: Database) -> None:
    # A new database has the column already. Of what is there none was for practice.
    if "practice" not in {column.name for column in db["matches"].columns}:
        db.execute("ALTER TABLE matches ADD COLUMN practice INTEGER NOT NULL DEFAULT 0")


@_migrations(name="0004_disputes")
def _fourth(db: Database) -> None:
    # Likewise; and of what is there nothing was disputed.
    there = {column.name for column in db["matches"].columns}
    if "disputes" in there:
        return
    db.execute("ALTER TABLE matches ADD COLUMN replay_of TEXT")
    for name in ("disputes", "open_disputes", "replaying", "adjusted"):
        db.execute(f"ALTER TABLE matches ADD COLUMN {name} INTEGER NOT NULL DEFAULT 0")
    db.execute("CREATE INDEX matches_disputed ON matches (position) WHERE disputes > 0")


@_migrations(name="0005_snapshots")
def _fifth(db: Database) -> None:
    db.executescript(CACHE)


def in_words(error: Exception) -> str:
    """Say what SQLite says; of a lock, what an operator can do about it."""
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
        return f"{error}: another program has it for itself, and has to let go of it first"
    return str(error)


def open_database(path: Path, *, create: bool) -> Database:
    """Open the database for writing, with all migrations applied.

    Raises UnusableDatabaseError, in words for the operator.
    """
    try:
        if create and not path.exists():
            # Secrets and the players' hashes will be in it: for its owner only.
            path.touch(mode=0o600)
        if not os.access(path, os.R_OK | os.W_OK):
            raise UnusableDatabaseError(f"{path} is not there, or not readable and writable")
        db = connect(path)
        try:
            _prepare(db, path)
        except BaseException:
            db.close()
            raise
    except (OSError, sqlite3.Error) as error:
        why = "it is a directory" if path.is_dir() else in_words(error)
        raise UnusableDatabaseError(f"{path} cannot be opened: {why}") from error
    return db


def connect(path: Path) -> Database:
    """Return one more connection to a database that is ready."""
    # Transactions begin and end where the code says so (isolation_level=None), and a connection
    # goes from thread to thread, used by one at a time.
    connection = sqlite3.connect(
        path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
    )
    # A commit returns when its lines are on the disk. NORMAL, WAL's usual companion, loses the
    # last commits when the power goes, and an answer sent would then be untrue.
    connection.execute("PRAGMA synchronous = FULL")
    # SQLite checks references only where it is told to.
    connection.execute("PRAGMA foreign_keys = ON")
    # What REPLACE deletes fires delete triggers too. The insert triggers refuse it before that.
    connection.execute("PRAGMA recursive_triggers = ON")
    # A batch is one statement, and SQLite notes how to undo it, should a line be refused: in
    # memory, since a temporary file costs more than the whole insert.
    connection.execute("PRAGMA temp_store = MEMORY")
    # Once the write-ahead log is folded back, its file gives the space beyond this back.
    connection.execute(f"PRAGMA journal_size_limit = {WAL_BOUND}")
    return Database(connection, execute_plugins=False)


def _prepare(db: Database, path: Path) -> None:
    """Make an empty file ours, bring an older one up to date, and refuse every other."""
    tables, (application,) = db.table_names(), db.execute("PRAGMA application_id").fetchone()
    if tables and application != APPLICATION_ID:
        raise UnusableDatabaseError(f"{path} is a database of another program")
    # With a write-ahead log readers and the writer do not wait for each other, and a commit is one
    # sequential write. It stays with the file. A commit that a crash tore fails its checksums and
    # is gone, whole, when the file is opened next; so opening checks nothing more. Whether the
    # lines are still those that were written, the hash chain says, and the audit looks.
    if _use_wal(db) != "wal":
        raise UnusableDatabaseError(f"{path} is on a file system that cannot share memory")
    unknown = {each.name for each in _migrations.applied(db)} - _known_migrations()
    if unknown:
        raise UnusableDatabaseError(
            f"{path} was made by a later version of ginrummy ({', '.join(sorted(unknown))}):"
            " use that version"
        )
    if _migrations.pending(db):
        # The lock first: of two processes that open a new file, the second finds all done.
        db.execute("BEGIN IMMEDIATE")
        _migrations.apply(db)
        db.commit()


def _use_wal(db: Database) -> str:
    """Turn the write-ahead log on, and return the journal mode that the file is in then."""
    give_up = monotonic() + BUSY_MS / 1000
    while True:
        try:
            (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            # Another process is making the same new file. SQLite waits for locks, but not here.
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > give_up:
                raise
            sleep(0.01)
        else:
            return str(mode)


def _known_migrations() -> set[str]:
    with Database(memory=True, execute_plugins=False) as empty:
        return {each.name for each in _migrations.pending(empty)}

"""The store in one SQLite file.

Writers of one process take turns at one connection, writers of several processes at the database's
own lock, which each takes when it begins: a transaction that reads first and asks for the lock
later would fail as soon as another has written between (D2). Readers have connections of their own
and read in short transactions, so that the write-ahead log can always be folded back (D10).
"""

import os
import sqlite3
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec.structs import asdict, astuple
from sqlite_utils import Database

from ginrummy.log.instants import Instant
from ginrummy.log.lines import read_line
from ginrummy.store.credentials import Credential
from ginrummy.store.errors import (
    BackupRefusedError,
    PlayerExistsError,
    StoreClosedError,
    StoreFailedError,
)
from ginrummy.store.membership import Membership, Ring
from ginrummy.store.pages import DISPUTED, MatchPage, MatchQuery, page_of, read_page_token
from ginrummy.store.projections import PROJECTED, MatchRow, PlayerRow, ResultRow, project
from ginrummy.store.protocol import (
    Append,
    Head,
    Outcome,
    Stored,
    StoredCheckpoint,
    StoredSnapshot,
    Tile,
)
from ginrummy.store.schema import BUSY_MS, PROJECTIONS, WAL_BOUND, connect, in_words, open_database
from ginrummy.store.sqlite_append import (
    changes_no_row,
    insert,
    insertion,
    read_head,
    update_rows,
)
from ginrummy.store.sqlite_rows import SqliteRows, put, select
from ginrummy.store.sqlite_tree import (
    FIRST_CHECKPOINT,
    LAST_CHECKPOINT,
    ROOTS,
    grow,
    read_checkpoint,
    read_tile,
)

if TYPE_CHECKING:
    from ginrummy.store.sqlite_membership import Neighbours

__all__ = ["SqliteStore"]

_Row = TypeVar("_Row", bound=msgspec.Struct)

_FOLD_MS = 250
"""How long folding the write-ahead log back waits for readers."""

_ROWS_HELD = 10_000
"""Rows that a rebuild works on before it writes them."""

_PAGE = 500
"""Lines that a reader takes in one transaction."""

_READ = """
SELECT seq, CAST(line AS BLOB) FROM events WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?
"""
_READ_ALL = """
SELECT position, CAST(line AS BLOB) FROM events WHERE position > ? ORDER BY position LIMIT ?
"""
# The plus keeps SQLite from going through the index of all streams, which has them in this order.
_HEADS_AFTER = """
SELECT stream, max(seq), max(position) FROM events WHERE position > ? GROUP BY +stream
"""


class SqliteStore:
    """A store in a SQLite file, for any number of threads and processes."""

    def __init__(self, path: Path | str, *, create: bool = True) -> None:
        """Open the file at `path`; make it if it is not there, unless `create` is false.

        Raises UnusableDatabaseError for a file that is not there, not a database, another
        program's, or a later version's.
        """
        self.path = Path(path).resolve()
        self._writing = Lock()
        self._neighbours: Neighbours | None = None
        self._writer: Database | None = open_database(self.path, create=create)
        self._readers: deque[Database] = deque()
        self._closed = False
        self._wal_bound = WAL_BOUND

    # --- transactions -----------------------------------------------------------------------

    @contextmanager
    def _writing_alone(self) -> Iterator[Database]:
        """Lend the writer's connection to one thread at a time."""
        with self._writing, self._turn(), self._failures():
            self._check_open()
            db, self._writer = self._writer or connect(self.path), None
            try:
                yield db
                self._bound_wal(db)
            except BaseException:
                # Closing rolls back what is open. The next transaction begins on a new connection,
                # whatever state this one is in: a failure and a fresh start are one path.
                db.close()
                raise
            self._writer = db

    def _turn(self) -> AbstractContextManager[None]:
        """Write alone among the processes that share the file; they hear of it afterwards."""
        return nullcontext() if self._neighbours is None else self._neighbours.turn()

    @contextmanager
    def _transaction(self) -> Iterator[Database]:
        """Hold the write lock; commit at the end, or leave no trace."""
        with self._writing_alone() as db:
            db.conn.execute("BEGIN IMMEDIATE")
            yield db
            self._commit(db)

    def _commit(self, db: Database, last: str = "COMMIT", values: Sequence[str | int] = ()) -> None:
        """Run the statement that makes a transaction durable: the point of no return."""
        db.conn.execute(last, values)

    def _bound_wal(self, db: Database) -> None:
        """Fold the write-ahead log back where it has grown past its bound.

        SQLite does so by itself, but begins the log anew only at a moment without readers, and
        many short ones can leave none. Here it waits for those of this moment, not for long; where
        one stays (a backup, a person's open shell), the next try is another bound's length away.
        """
        size = os.path.getsize(f"{self.path}-wal")  # noqa: PTH202 -- after every commit: be quick
        if size <= self._wal_bound:
            return
        db.execute(f"PRAGMA busy_timeout = {_FOLD_MS}")
        (stayed, _, _) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        db.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        self._wal_bound = size + WAL_BOUND if stayed else WAL_BOUND

    @contextmanager
    def _reading(self) -> Iterator[Database]:
        """Lend a connection for one short read."""
        self._check_open()
        with self._failures():
            try:
                db = self._readers.pop()
            except IndexError:
                db = connect(self.path)
            try:
                yield db
            except BaseException:
                db.close()
                raise
            if self._closed:
                db.close()
            else:
                self._readers.append(db)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreFailedError(f"{self.path}: {in_words(error)}") from error

    # --- the log ----------------------------------------------------------------------------

    def append(self, appends: Sequence[Append]) -> list[Outcome]:
        """See `EventLog.append`."""
        if changes_no_row(appends):
            # A statement by itself is a whole transaction that takes the lock when it begins. Moves
            # alone, as nearly all are, so cost one call into SQLite: each one lets go of the
            # interpreter, and waits for it while another thread is busy.
            with self._writing_alone() as db, suppress(sqlite3.IntegrityError):
                self._commit(db, *insertion(appends))
                return [append.head for append in appends]
        with self._transaction() as db:
            outcomes = insert(db, appends)
            update_rows(db, appends, outcomes)
        return outcomes

    def head(self, stream: str) -> Head:
        """See `EventLog.head`."""
        with self._reading() as db:
            return read_head(db, stream)

    def read(self, stream: str, after: int = 0) -> Iterator[bytes]:
        """See `EventLog.read`."""
        while True:
            with self._reading() as db:
                page = db.conn.execute(_READ, (stream, after, _PAGE)).fetchall()
            yield from (line for _, line in page)
            if len(page) < _PAGE:
                return
            after = page[-1][0]

    def read_all(self, after: int = 0, limit: int = 1000) -> list[Stored]:
        """See `EventLog.read_all`."""
        with self._reading() as db:
            return db.conn.execute(_READ_ALL, (after, limit)).fetchall()

    def last_position(self) -> int:
        """See `EventLog.last_position`."""
        with self._reading() as db:
            return _last_position(db.conn)

    def heads_after(self, position: int) -> tuple[int, dict[str, int]]:
        """See `EventLog.heads_after`."""
        with self._reading() as db:
            found = db.conn.execute(_HEADS_AFTER, (position,)).fetchall()
        last = max((each for _, _, each in found), default=position)
        return last, {stream: seq for stream, seq, _ in found}

    def streams(self, prefix: str = "") -> Iterator[str]:
        """See `EventLog.streams`."""
        # From each name straight to the next: a DISTINCT would go through all lines.
        last, operator = prefix, ">="
        while True:
            with self._reading() as db:
                query = f"SELECT min(stream) FROM events WHERE stream {operator} ?"  # noqa: S608 -- our own
                (found,) = db.conn.execute(query, (last,)).fetchone()
            if found is None or not found.startswith(prefix):
                return
            yield found
            last, operator = found, ">"

    # --- the tree ---------------------------------------------------------------------------

    def grow(self, tiles: Sequence[Tile], checkpoint: StoredCheckpoint | None = None) -> None:
        """See `StoredTree.grow`."""
        with self._transaction() as db:
            grow(db.conn, tiles, checkpoint)

    def tile(self, level: int, number: int) -> Tile | None:
        """See `StoredTree.tile`."""
        with self._reading() as db:
            return read_tile(db.conn, "WHERE level = ? AND number = ?", level, number)

    def last_tile(self) -> Tile | None:
        """See `StoredTree.last_tile`."""
        with self._reading() as db:
            return read_tile(db.conn, "WHERE level = 0 ORDER BY number DESC LIMIT 1")

    def tile_reaching(self, position: int) -> Tile | None:
        """See `StoredTree.tile_reaching`."""
        where = "WHERE level = 0 AND position >= ? ORDER BY position LIMIT 1"
        with self._reading() as db:
            return read_tile(db.conn, where, position)

    def tile_roots(self, level: int, first: int, limit: int) -> list[bytes]:
        """See `StoredTree.tile_roots`."""
        with self._reading() as db:
            return [root for (root,) in db.conn.execute(ROOTS, (level, first, limit))]

    def position(self, stream: str, seq: int) -> int | None:
        """See `StoredTree.position`."""
        query = "SELECT position FROM events WHERE stream = ? AND seq = ?"
        with self._reading() as db:
            found = db.conn.execute(query, (stream, seq)).fetchone()
        return int(found[0]) if found else None

    def checkpoint_from(self, size: int) -> StoredCheckpoint | None:
        """See `StoredTree.checkpoint_from`."""
        with self._reading() as db:
            return read_checkpoint(db.conn, FIRST_CHECKPOINT, size)

    def last_checkpoint(self) -> StoredCheckpoint | None:
        """See `StoredTree.last_checkpoint`."""
        with self._reading() as db:
            return read_checkpoint(db.conn, LAST_CHECKPOINT)

    # --- secrets and players ----------------------------------------------------------------

    def keep_secret(self, stream: str, name: str, secret: bytes) -> bytes:
        """See `Vault.keep_secret`."""
        with self._transaction() as db:
            kept = _secret(db, stream, name)
            if kept is None:
                db.execute("INSERT INTO secrets VALUES (?, ?, ?)", [stream, name, secret])
            return secret if kept is None else kept

    def secret(self, stream: str, name: str) -> bytes | None:
        """See `Vault.secret`."""
        with self._reading() as db:
            return _secret(db, stream, name)

    def secrets_after(
        self, stream: str = "", name: str = "", limit: int = 500
    ) -> list[tuple[str, str, bytes]]:
        """See `Vault.secrets_after`."""
        query = (
            "SELECT stream, name, secret FROM secrets WHERE (stream, name) > (?, ?)"
            " ORDER BY stream, name LIMIT ?"
        )
        with self._reading() as db:
            return db.conn.execute(query, (stream, name, limit)).fetchall()

    def add_player(self, credential: Credential) -> None:
        """See `Players.add_player`."""
        with self._transaction() as db:
            known = "SELECT * FROM credentials WHERE player = :player OR token_hash = :token_hash"
            if select(db, Credential, known, asdict(credential)):
                raise PlayerExistsError(credential.player)
            put(db, "credentials", "player", credential)

    def player(self, player: str) -> Credential | None:
        """See `Players.player`."""
        return self._one(Credential, "SELECT * FROM credentials WHERE player = :id", id=player)

    def player_by_token(self, token_hash: str) -> Credential | None:
        """See `Players.player_by_token`."""
        return self._one(
            Credential, "SELECT * FROM credentials WHERE token_hash = :hash", hash=token_hash
        )

    def players(self) -> list[Credential]:
        """See `Players.players`."""
        return self._all(Credential, "SELECT * FROM credentials ORDER BY id")

    # --- lists ------------------------------------------------------------------------------

    def match(self, match: str) -> MatchRow | None:
        """See `Lists.match`."""
        return self._one(MatchRow, "SELECT * FROM matches WHERE id = :id", id=match)

    def matches(self, query: MatchQuery) -> MatchPage:
        """See `Lists.matches`."""
        where = "position < :before"
        if query.stage is not None:
            where += " AND stage = :stage"
        if query.player is not None:
            where += " AND (players0 = :player OR players1 = :player)"
        if query.disputed is not None:
            # The first condition is the index's.
            where += f" AND disputes > 0 AND {DISPUTED[query.disputed]} > 0"
        found = self._all(
            MatchRow,
            f"SELECT * FROM matches WHERE {where} ORDER BY position DESC LIMIT :limit",  # noqa: S608
            before=read_page_token(query.token),
            stage=query.stage,
            player=query.player,
            limit=query.size + 1,
        )
        return page_of(query, found)

    def open_matches(self) -> list[str]:
        """See `Lists.open_matches`."""
        with self._reading() as db:
            # By the index of the stages: those that have ended may be ever so many.
            query = "SELECT id FROM matches WHERE stage IN ('gathering', 'playing')"
            query += " ORDER BY position"
            return [match for (match,) in db.execute(query)]

    def results(
        self, player: str | None = None, after: int = 0, limit: int = 500
    ) -> list[ResultRow]:
        """See `Lists.results`."""
        where = "position > :after"
        if player is not None:
            where += " AND (players0 = :player OR players1 = :player)"
        return self._all(
            ResultRow,
            f"SELECT * FROM results WHERE {where} ORDER BY position LIMIT :limit",  # noqa: S608
            after=after,
            player=player,
            limit=limit,
        )

    def record(self, player: str) -> PlayerRow | None:
        """See `Lists.record`."""
        return self._one(PlayerRow, "SELECT * FROM players WHERE id = :id", id=player)

    def records(self) -> list[PlayerRow]:
        """See `Lists.records`."""
        return self._all(PlayerRow, "SELECT * FROM players ORDER BY id")

    def rebuild(self) -> None:
        """See `Lists.rebuild`."""
        with self._transaction() as db:
            db.executescript(PROJECTIONS)
            db.execute("DELETE FROM snapshots")
            rows = SqliteRows(db)
            types = ", ".join(f"'{each}'" for each in sorted(PROJECTED))
            lines = db.conn.execute(
                # Other kinds of streams have other forms, maybe under the same names.
                f"SELECT position, CAST(line AS BLOB) FROM events WHERE type IN ({types})"  # noqa: S608
                " AND stream GLOB 'm_*' ORDER BY position"
            )
            for position, raw in lines:
                project(rows, position, read_line(raw))
                if rows.held > _ROWS_HELD:
                    rows.save()
            rows.save()

    # --- what saves work --------------------------------------------------------------------

    def keep_snapshots(self, snapshots: Sequence[StoredSnapshot]) -> None:
        """See `Cache.keep_snapshots`."""
        with self._transaction() as db:
            db.conn.executemany(
                "REPLACE INTO snapshots (stream, seq, hash, code, body) VALUES (?, ?, ?, ?, ?)",
                map(astuple, snapshots),
            )

    def snapshot(self, stream: str) -> StoredSnapshot | None:
        """See `Cache.snapshot`."""
        query = "SELECT stream, seq, hash, code, body FROM snapshots WHERE stream = ?"
        with self._reading() as db:
            found = db.conn.execute(query, (stream,)).fetchone()
        return StoredSnapshot(*found) if found else None

    def note_return(self, at: Instant) -> None:
        """See `Continuity.note_return`."""
        with self._transaction() as db:
            db.execute("UPDATE presence SET since = ?", [at])

    def last_return(self) -> Instant:
        """See `Continuity.last_return`."""
        with self._reading() as db:
            (since,) = db.conn.execute("SELECT since FROM presence").fetchone()
        return int(since)

    def _all(self, kind: type[_Row], sql: str, **values: object) -> list[_Row]:
        with self._reading() as db:
            return select(db, kind, sql, values)

    def _one(self, kind: type[_Row], sql: str, **values: object) -> _Row | None:
        return next(iter(self._all(kind, sql, **values)), None)

    # --- the file ---------------------------------------------------------------------------

    def backup(self, target: Path | str) -> int:
        """Copy the database to a new file while it is in use; return the copy's last position.

        The copy is the database as it stood at one moment, what is in the write-ahead log
        included (D3), and it is checked before this returns. It holds the secrets too: keep it as
        the database itself is kept. Raises BackupRefusedError where `target` exists or the copy
        is not sound.
        """
        target = Path(target)
        try:
            target.touch(mode=0o600, exist_ok=False)
        except OSError as error:
            raise BackupRefusedError(f"{target} cannot be made: {error.strerror}") from error
        try:
            with self._reading() as db, closing(sqlite3.connect(target)) as copy:
                # All pages in one step: in smaller ones it would begin anew after every commit.
                # The target's own transaction makes the copy appear whole or not at all.
                db.conn.backup(copy)
                _check_sound(copy, target)
                return _last_position(copy)
        except BaseException:
            target.unlink()
            raise

    def join(self, ring: Ring, *, alone: bool = False) -> Membership:
        """See `Store.join`."""
        # Not every system on which one reads a log has locks and pipes of this kind.
        from ginrummy.store.sqlite_membership import (  # noqa: PLC0415
            LonePresence,
            SqliteMembership,
        )

        if alone:
            return LonePresence(self.path)
        member = SqliteMembership(self.path, ring)
        self._neighbours = member.neighbours
        return member

    def close(self) -> None:
        """See `Store.close`."""
        with self._writing:
            self._closed = True
            while self._readers:
                self._readers.pop().close()
            # The last connection to be closed folds the write-ahead log into the file.
            if self._writer is not None:
                self._writer.close()
                self._writer = None

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosedError(f"{self.path} is closed")


def _secret(db: Database, stream: str, name: str) -> bytes | None:
    query = "SELECT secret FROM secrets WHERE stream = ? AND name = ?"
    found = db.conn.execute(query, (stream, name)).fetchone()
    return found[0] if found else None


def _check_sound(copy: sqlite3.Connection, target: Path) -> None:
    (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise BackupRefusedError(f"the copy in {target} is not sound: {verdict}")


def _last_position(connection: sqlite3.Connection) -> int:
    (position,) = connection.execute("SELECT ifnull(max(position), 0) FROM events").fetchone()
    return int(position)

"""The store in a PostgreSQL database, for any number of processes on any number of machines.

Every call is one statement or one short transaction on a connection of the pool. An append is one
call of a function in the database, in a transaction of its own: of two that continue the same head
the second finds that it has moved on, and stores nothing.
"""

import os
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate
from typing import Any, LiteralString, TypeVar

import msgspec
import psycopg
from psycopg.rows import dict_row

from ginrummy.log.instants import Instant
from ginrummy.log.lines import AnyLine, read_line
from ginrummy.store.columns import read_columns, write_columns
from ginrummy.store.credentials import Credential
from ginrummy.store.errors import PlayerExistsError, StoreFailedError
from ginrummy.store.membership import Membership, Ring
from ginrummy.store.pages import DISPUTED, MatchPage, MatchQuery, page_of, read_page_token
from ginrummy.store.postgres_connections import Connection, Connections
from ginrummy.store.postgres_membership import PostgresMembership
from ginrummy.store.postgres_rows import UNKNOWN, Kept, changes, folded, kept, to_be_read
from ginrummy.store.postgres_tree import (
    FIRST_CHECKPOINT,
    LAST_CHECKPOINT,
    ROOTS,
    grow,
    read_checkpoint,
    read_tile,
)
from ginrummy.store.projections import PROJECTED, MatchRow, PlayerRow, ResultRow
from ginrummy.store.protocol import (
    Append,
    Conflict,
    Head,
    Outcome,
    Stored,
    StoredCheckpoint,
    StoredSnapshot,
    Tile,
)

__all__ = ["PostgresStore"]

_Row = TypeVar("_Row", bound=msgspec.Struct)

_PAGE = 500
"""Lines that a reader takes in one statement."""

_ATTEMPTS = 10
"""How often an append is made where others come between."""

_LONG = 3600.0
"""Seconds that making all rows again may take."""

_APPEND = "SELECT * FROM append_lines(%s, %s, %s, %s, %s, %s::jsonb[], %s, %s, %s, %s)"
_HEAD = "SELECT seq, hash FROM events WHERE stream = %s ORDER BY seq DESC LIMIT 1"
_READ = (
    "SELECT seq, convert_to(line, 'UTF8') FROM events"
    " WHERE stream = %s AND seq > %s ORDER BY seq LIMIT %s"
)
_READ_ALL = (
    "SELECT position, convert_to(line, 'UTF8') FROM events"
    " WHERE position > %s ORDER BY position LIMIT %s"
)
_HEADS_AFTER = (
    "SELECT stream, max(seq), max(position) FROM events WHERE position > %s GROUP BY stream"
)


class PostgresStore:
    """A store in a PostgreSQL database, for any number of threads and processes."""

    def __init__(self, url: str, *, create: bool = True) -> None:
        """Open the database that `url` names, and make its tables unless `create` is false.

        Raises UnusableDatabaseError for a database that cannot be reached, has no log where none
        is to be made, is another program's, or a later version's.
        """
        self._connections = Connections(url, create=create)
        self.name = self._connections.shown
        """What the database is called in messages: its address, and no password."""
        self.restricted = self._connections.role is not None or not self._may_change()
        """Whether the database itself keeps this process from changing what is stored."""
        self._node = os.urandom(8).hex()

    # --- the log ----------------------------------------------------------------------------

    def append(self, appends: Sequence[Append]) -> list[Outcome]:
        """See `EventLog.append`."""
        for _ in range(_ATTEMPTS):
            with self._connections.lent() as connection:
                rows = self._kept(connection, to_be_read(appends))
                values = self._arguments(appends, rows)
                try:
                    conflicts = self._commit(connection, values)
                except psycopg.Error as error:
                    if error.sqlstate not in _TRY_AGAIN:
                        raise
                    continue
            return _outcomes(appends, conflicts)
        raise StoreFailedError(f"{self.name}: others come between again and again")

    def _commit(self, connection: Connection, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """Run the statement that stores the lines and makes them durable: the point of no return.

        It is a whole transaction, and returns the conflicts.
        """
        return connection.execute(_APPEND, values, binary=True).fetchall()

    def _arguments(self, appends: Sequence[Append], rows: dict[str, Kept]) -> Sequence[object]:
        lines = [line for append in appends for line in append.lines]
        return (
            self._node,
            [append.stream for append in appends],
            [append.expected_seq for append in appends],
            [append.lines[0].prev for append in appends],
            list(accumulate(len(append.lines) for append in appends)),
            changes(appends, rows),
            [line.stream for line in lines],
            [line.seq for line in lines],
            [line.hash for line in lines],
            [line.raw.decode() for line in lines],
        )

    def _kept(self, connection: Connection, matches: set[str]) -> dict[str, Kept]:
        """Return the rows of matches as they stand."""
        if not matches:
            return {}
        with connection.cursor(row_factory=dict_row) as cursor:
            cursor.execute("SELECT * FROM matches WHERE id = ANY(%s)", [list(matches)])
            return {columns["id"]: kept(columns) for columns in cursor}

    def head(self, stream: str) -> Head:
        """See `EventLog.head`."""
        found = self._first(_HEAD, stream)
        return Head(*found) if found else Head()

    def read(self, stream: str, after: int = 0) -> Iterator[bytes]:
        """See `EventLog.read`."""
        while True:
            page = self._rows(_READ, stream, after, _PAGE)
            yield from (line for _, line in page)
            if len(page) < _PAGE:
                return
            after = page[-1][0]

    def read_all(self, after: int = 0, limit: int = 1000) -> list[Stored]:
        """See `EventLog.read_all`."""
        return self._rows(_READ_ALL, after, limit)

    def last_position(self) -> int:
        """See `EventLog.last_position`."""
        found = self._first("SELECT coalesce(max(position), 0) FROM events")
        return int(found[0]) if found else 0

    def heads_after(self, position: int) -> tuple[int, dict[str, int]]:
        """See `EventLog.heads_after`."""
        found = self._rows(_HEADS_AFTER, position)
        last = max((each for _, _, each in found), default=position)
        return last, {stream: seq for stream, seq, _ in found}

    def streams(self, prefix: str = "") -> Iterator[str]:
        """See `EventLog.streams`."""
        # From each name straight to the next: a DISTINCT would go through all lines.
        found = self._first("SELECT min(stream) FROM events WHERE stream >= %s", prefix)
        while found and found[0] is not None and found[0].startswith(prefix):
            yield found[0]
            found = self._first("SELECT min(stream) FROM events WHERE stream > %s", found[0])

    # --- the tree ---------------------------------------------------------------------------

    def grow(self, tiles: Sequence[Tile], checkpoint: StoredCheckpoint | None = None) -> None:
        """See `StoredTree.grow`."""
        with self._connections.lent(_LONG) as connection, connection.transaction():
            grow(connection, tiles, checkpoint)

    def tile(self, level: int, number: int) -> Tile | None:
        """See `StoredTree.tile`."""
        with self._connections.lent() as connection:
            return read_tile(connection, "WHERE level = %s AND number = %s", level, number)

    def last_tile(self) -> Tile | None:
        """See `StoredTree.last_tile`."""
        with self._connections.lent() as connection:
            return read_tile(connection, "WHERE level = 0 ORDER BY number DESC LIMIT 1")

    def tile_reaching(self, position: int) -> Tile | None:
        """See `StoredTree.tile_reaching`."""
        where: LiteralString = "WHERE level = 0 AND position >= %s ORDER BY position LIMIT 1"
        with self._connections.lent() as connection:
            return read_tile(connection, where, position)

    def tile_roots(self, level: int, first: int, limit: int) -> list[bytes]:
        """See `StoredTree.tile_roots`."""
        return [root for (root,) in self._rows(ROOTS, level, first, limit)]

    def position(self, stream: str, seq: int) -> int | None:
        """See `StoredTree.position`."""
        query: LiteralString = "SELECT position FROM events WHERE stream = %s AND seq = %s"
        found = self._first(query, stream, seq)
        return int(found[0]) if found else None

    def checkpoint_from(self, size: int) -> StoredCheckpoint | None:
        """See `StoredTree.checkpoint_from`."""
        with self._connections.lent() as connection:
            return read_checkpoint(connection, FIRST_CHECKPOINT, size)

    def last_checkpoint(self) -> StoredCheckpoint | None:
        """See `StoredTree.last_checkpoint`."""
        with self._connections.lent() as connection:
            return read_checkpoint(connection, LAST_CHECKPOINT)

    # --- secrets and players ----------------------------------------------------------------

    def keep_secret(self, stream: str, name: str, secret: bytes) -> bytes:
        """See `Vault.keep_secret`."""
        with self._connections.lent() as connection:
            connection.execute(
                "INSERT INTO secrets VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
                [stream, name, secret],
            )
        kept_secret = self.secret(stream, name)
        assert kept_secret is not None
        return kept_secret

    def secret(self, stream: str, name: str) -> bytes | None:
        """See `Vault.secret`."""
        query: LiteralString = "SELECT secret FROM secrets WHERE stream = %s AND name = %s"
        found = self._first(query, stream, name)
        return found[0] if found else None

    def secrets_after(
        self, stream: str = "", name: str = "", limit: int = 500
    ) -> list[tuple[str, str, bytes]]:
        """See `Vault.secrets_after`."""
        query: LiteralString = (
            "SELECT stream, name, secret FROM secrets WHERE (stream, name) > (%s, %s)"
            " ORDER BY stream, name LIMIT %s"
        )
        return self._rows(query, stream, name, limit)

    def add_player(self, credential: Credential) -> None:
        """See `Players.add_player`."""
        with self._connections.lent() as connection:
            try:
                connection.execute(
                    "INSERT INTO credentials (player, name, role, token_hash, created) VALUES"
                    " (%(player)s, %(name)s, %(role)s, %(token_hash)s, %(created)s)",
                    write_columns(credential),
                )
            except psycopg.errors.UniqueViolation as error:
                raise PlayerExistsError(credential.player) from error

    def player(self, player: str) -> Credential | None:
        """See `Players.player`."""
        return self._one(Credential, "SELECT * FROM credentials WHERE player = %(id)s", id=player)

    def player_by_token(self, token_hash: str) -> Credential | None:
        """See `Players.player_by_token`."""
        return self._one(
            Credential, "SELECT * FROM credentials WHERE token_hash = %(hash)s", hash=token_hash
        )

    def players(self) -> list[Credential]:
        """See `Players.players`."""
        return self._all(Credential, "SELECT * FROM credentials ORDER BY id")

    # --- lists ------------------------------------------------------------------------------

    def match(self, match: str) -> MatchRow | None:
        """See `Lists.match`."""
        return self._one(MatchRow, "SELECT * FROM matches WHERE id = %(id)s", id=match)

    def matches(self, query: MatchQuery) -> MatchPage:
        """See `Lists.matches`."""
        where: LiteralString = "position < %(before)s"
        if query.stage is not None:
            where += " AND stage = %(stage)s"
        if query.player is not None:
            where += " AND (players0 = %(player)s OR players1 = %(player)s)"
        if query.disputed is not None:
            # The first condition is the index's.
            where += " AND disputes > 0 AND " + DISPUTED[query.disputed] + " > 0"
        found = self._all(
            MatchRow,
            "SELECT * FROM matches WHERE " + where + " ORDER BY position DESC LIMIT %(limit)s",  # noqa: S608 -- our own
            before=read_page_token(query.token),
            stage=query.stage,
            player=query.player,
            limit=query.size + 1,
        )
        return page_of(query, found)

    def open_matches(self) -> list[str]:
        """See `Lists.open_matches`."""
        # By the index of the stages: those that have ended may be ever so many.
        query: LiteralString = (
            "SELECT id FROM matches WHERE stage IN ('gathering', 'playing') ORDER BY position"
        )
        return [match for (match,) in self._rows(query)]

    def results(
        self, player: str | None = None, after: int = 0, limit: int = 500
    ) -> list[ResultRow]:
        """See `Lists.results`."""
        where: LiteralString = "position > %(after)s"
        if player is not None:
            where += " AND (players0 = %(player)s OR players1 = %(player)s)"
        return self._all(
            ResultRow,
            "SELECT * FROM results WHERE " + where + " ORDER BY position LIMIT %(limit)s",  # noqa: S608 -- our own
            after=after,
            player=player,
            limit=limit,
        )

    def record(self, player: str) -> PlayerRow | None:
        """See `Lists.record`."""
        return self._one(PlayerRow, "SELECT * FROM players WHERE id = %(id)s", id=player)

    def records(self) -> list[PlayerRow]:
        """See `Lists.records`."""
        return self._all(PlayerRow, "SELECT * FROM players ORDER BY id")

    def rebuild(self) -> None:
        """See `Lists.rebuild`."""
        with self._connections.lent(_LONG) as connection, connection.transaction():
            connection.execute("SET LOCAL statement_timeout = 0")
            # Nobody appends meanwhile.
            connection.execute("SELECT lock_log()")
            connection.execute("DELETE FROM results; DELETE FROM matches; DELETE FROM players")
            connection.execute("DELETE FROM snapshots")
            rows: dict[str, Kept] = {}
            for page in _changing_lines(connection):
                # What comes after a match's end may be on a later page than the match.
                begun = {line.stream for _, line in page if line.seq > 1}
                rows |= self._kept(connection, begun - rows.keys())
                made = list(_folded_page(page, rows))
                connection.execute(
                    "SELECT keep_rows(change) FROM unnest(%s::jsonb[])"
                    " WITH ORDINALITY AS made (change, place) ORDER BY place",
                    [made],
                )

    # --- what saves work --------------------------------------------------------------------

    def keep_snapshots(self, snapshots: Sequence[StoredSnapshot]) -> None:
        """See `Cache.keep_snapshots`."""
        # One statement cannot change a row twice.
        last = {each.stream: each for each in snapshots}.values()
        self._run(
            "INSERT INTO snapshots (stream, seq, hash, code, body)"
            " SELECT * FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::text[], %s::bytea[])"
            # In one order, so that two who write the same ones do not wait for each other.
            " AS made (stream, seq, hash, code, body) ORDER BY stream"
            " ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq, hash = excluded.hash,"
            " code = excluded.code, body = excluded.body",
            [each.stream for each in last],
            [each.seq for each in last],
            [each.hash for each in last],
            [each.code for each in last],
            [each.body for each in last],
        )

    def snapshot(self, stream: str) -> StoredSnapshot | None:
        """See `Cache.snapshot`."""
        found = self._first(
            "SELECT stream, seq, hash, code, body FROM snapshots WHERE stream = %s", stream
        )
        return StoredSnapshot(*found) if found else None

    def note_return(self, at: Instant) -> None:
        """See `Continuity.note_return`."""
        self._run("UPDATE presence SET since = %s", at)

    def last_return(self) -> Instant:
        """See `Continuity.last_return`."""
        found = self._first("SELECT since FROM presence")
        return int(found[0]) if found else 0

    # --- statements -------------------------------------------------------------------------

    def _rows(self, query: LiteralString, *values: object) -> list[tuple[Any, ...]]:
        with self._connections.lent() as connection:
            return connection.execute(query, values, binary=True).fetchall()

    def _run(self, query: LiteralString, *values: object) -> None:
        with self._connections.lent() as connection:
            connection.execute(query, values)

    def _first(self, query: LiteralString, *values: object) -> tuple[Any, ...] | None:
        return next(iter(self._rows(query, *values)), None)

    def _all(self, kind: type[_Row], query: LiteralString, **values: object) -> list[_Row]:
        with (
            self._connections.lent() as connection,
            connection.cursor(row_factory=dict_row) as cursor,
        ):
            cursor.execute(query, values)
            return [read_columns(kind, columns) for columns in cursor]

    def _one(self, kind: type[_Row], query: LiteralString, **values: object) -> _Row | None:
        return next(iter(self._all(kind, query, **values)), None)

    def _may_change(self) -> bool:
        (may,) = self._first("SELECT has_table_privilege('events', 'UPDATE, DELETE')") or (True,)
        return bool(may)

    # --- the end ----------------------------------------------------------------------------

    def join(self, ring: Ring, *, alone: bool = False) -> Membership:  # noqa: ARG002 -- any may come
        """See `Store.join`."""
        return PostgresMembership(self._connections, self._node, ring)

    def close(self) -> None:
        """See `Store.close`."""
        self._connections.close()


_TRY_AGAIN = frozenset(
    {
        "GR001",  # a row is no longer the one that the change was folded from
        # Others were writing at once, and nothing of this is stored. Where locks are what they are
        # in PostgreSQL itself that does not happen; other engines leave it to whoever asks.
        "23505",
        "40001",
        "40P01",
    }
)
"""What the database says where the same append is to be made anew."""


def _outcomes(appends: Sequence[Append], conflicts: list[tuple[Any, ...]]) -> list[Outcome]:
    outcomes: list[Outcome] = [append.head for append in appends]
    for place, seq, head_hash in conflicts:
        append = appends[place - 1]
        outcomes[place - 1] = Conflict(append.stream, append.expected_seq, Head(seq, head_hash))
    return outcomes


def _changing_lines(connection: Connection) -> Iterator[list[tuple[int, AnyLine]]]:
    """Yield the lines of matches that change rows, some at a time, in commit order."""
    after = 0
    while True:
        # Other kinds of streams have other forms, maybe under the same names.
        page = connection.execute(
            "SELECT position, convert_to(line, 'UTF8') FROM events WHERE position > %s"
            " AND type = ANY(%s) AND stream ^@ 'm_' ORDER BY position LIMIT %s",
            [after, sorted(PROJECTED), _PAGE],
            binary=True,
        ).fetchall()
        yield [(position, read_line(raw)) for position, raw in page]
        if len(page) < _PAGE:
            return
        after = page[-1][0]


def _folded_page(page: list[tuple[int, AnyLine]], rows: dict[str, Kept]) -> Iterator[str]:
    """Yield what becomes of the rows with each line, and leave those of open matches in `rows`."""
    for position, line in page:
        before = rows.get(line.stream, UNKNOWN)
        change, rows[line.stream] = folded([line], before, partial(_given, position))
        if change is not None:
            yield change
    for match, row in [*rows.items()]:
        if row.match is None or row.match.stage == "ended":
            del rows[match]


def _given(position: int, _: AnyLine) -> int:
    return position

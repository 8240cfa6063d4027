"""The projected rows as SQLite keeps them."""

from collections.abc import Mapping
from functools import cache
from typing import TypeVar

import msgspec
from sqlite_utils import Database

from ginrummy.store.columns import read_columns, write_columns
from ginrummy.store.projections import MatchRow, PlayerRow, ResultRow

__all__ = ["SqliteRows", "put", "select"]

_Row = TypeVar("_Row", bound=msgspec.Struct)


class SqliteRows:
    """The projected rows within one transaction: read once, written once by `save`."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._matches: dict[str, MatchRow | None] = {}
        self._records: dict[str, PlayerRow | None] = {}
        self._changed: dict[tuple[type[msgspec.Struct], str], MatchRow | ResultRow | PlayerRow] = {}
        (self.position,) = db.execute("SELECT position FROM projected").fetchone()

    def match(self, match: str) -> MatchRow | None:
        """Return a match's row."""
        if match not in self._matches:
            query = "SELECT * FROM matches WHERE id = :id"
            self._matches[match] = _one(select(self._db, MatchRow, query, {"id": match}))
        return self._matches[match]

    def record(self, player: str) -> PlayerRow | None:
        """Return a player's record."""
        if player not in self._records:
            query = "SELECT * FROM players WHERE id = :id"
            self._records[player] = _one(select(self._db, PlayerRow, query, {"id": player}))
        return self._records[player]

    def keep(self, row: MatchRow | ResultRow | PlayerRow) -> None:
        """Put a row in the place of the one before."""
        match row:
            case MatchRow():
                self._matches[row.id] = row
                self._changed[MatchRow, row.id] = row
            case PlayerRow():
                self._records[row.id] = row
                self._changed[PlayerRow, row.id] = row
            case ResultRow():
                self._changed[ResultRow, row.match] = row

    def save(self) -> None:
        """Write the rows that changed, and how far they have come; forget what was read."""
        for (kind, _), row in self._changed.items():
            put(self._db, *_TABLES[kind], row)
        self._db.execute("UPDATE projected SET position = ?", [self.position])
        self._matches.clear()
        self._records.clear()
        self._changed.clear()

    @property
    def held(self) -> int:
        """How many rows are in memory."""
        return len(self._matches) + len(self._records)


_TABLES = {
    MatchRow: ("matches", "id"),
    ResultRow: ("results", "match"),
    PlayerRow: ("players", "id"),
}
"""Each kind's table, and the column that is its key."""


def select(db: Database, kind: type[_Row], sql: str, values: Mapping[str, object]) -> list[_Row]:
    """Return the rows that a query finds; columns that the kind does not know are left out."""
    cursor = db.conn.execute(sql, values)
    names = [name for name, *_ in cursor.description]
    return [read_columns(kind, dict(zip(names, row, strict=True))) for row in cursor]


def put(db: Database, table: str, key: str, row: msgspec.Struct) -> None:
    """Write a row, over the one with the same key if there is one."""
    columns = write_columns(row)
    db.execute(_upsert(table, key, tuple(columns)), columns)


def _one(rows: list[_Row]) -> _Row | None:
    return rows[0] if rows else None


@cache
def _upsert(table: str, key: str, columns: tuple[str, ...]) -> str:
    names = ", ".join(columns)
    values = ", ".join(f":{column}" for column in columns)
    changes = ", ".join(f"{column} = excluded.{column}" for column in columns)
    return (
        f"INSERT INTO {table} ({names}) VALUES ({values})"  # noqa: S608 -- names of our own
        f" ON CONFLICT ({key}) DO UPDATE SET {changes}"
    )

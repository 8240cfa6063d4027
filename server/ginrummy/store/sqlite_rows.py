"""Rows as SQLite keeps them: a value for each seat in two columns, an instant as text."""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec.structs import asdict
from sqlite_utils import Database

from ginrummy.log.instants import read_instant, write_instant
from ginrummy.rules.cards import BySeat
from ginrummy.store.projections import MatchRow, PlayerRow, ResultRow

__all__ = ["SqliteRows", "put", "select"]

_Row = TypeVar("_Row", bound=msgspec.Struct)

_INSTANTS = frozenset({"created", "ended"})


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
    return [_read(kind, dict(zip(names, row, strict=True))) for row in cursor]


def put(db: Database, table: str, key: str, row: msgspec.Struct) -> None:
    """Write a row, over the one with the same key if there is one."""
    columns = _write(row)
    db.execute(_upsert(table, key, tuple(columns)), columns)


def _one(rows: list[_Row]) -> _Row | None:
    return rows[0] if rows else None


def _read(kind: type[_Row], columns: dict[str, Any]) -> _Row:
    values: dict[str, Any] = {}
    for field in kind.__struct_fields__:
        if field not in columns:
            values[field] = BySeat(columns[f"{field}0"], columns[f"{field}1"])
        elif field in _INSTANTS and columns[field] is not None:
            values[field] = read_instant(columns[field])
        else:
            values[field] = columns[field]
    return kind(**values)


def _write(row: msgspec.Struct) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for field, value in asdict(row).items():
        if isinstance(value, BySeat):
            columns[f"{field}0"], columns[f"{field}1"] = value
        elif field in _INSTANTS and value is not None:
            columns[field] = write_instant(value)
        else:
            columns[field] = value
    return columns


@cache
def _upsert(table: str, key: str, columns: tuple[str, ...]) -> str:
    names = ", ".join(columns)
    values = ", ".join(f":{column}" for column in columns)
    changes = ", ".join(f"{column} = excluded.{column}" for column in columns)
    return (
        f"INSERT INTO {table} ({names}) VALUES ({values})"  # noqa: S608 -- names of our own
        f" ON CONFLICT ({key}) DO UPDATE SET {changes}"
    )

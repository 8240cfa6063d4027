"""What an append does within its SQLite transaction: insert the lines, then bring the rows up."""

import sqlite3
from collections.abc import Sequence

import msgspec
from sqlite_utils import Database

from ginrummy.store.errors import StoreFailedError
from ginrummy.store.projections import changes_row, project
from ginrummy.store.protocol import Append, Conflict, Head, Outcome
from ginrummy.store.sqlite_rows import SqliteRows

__all__ = ["changes_no_row", "insert", "insertion", "read_head", "update_rows"]

_INSERT = "INSERT INTO events (stream, seq, hash, line) VALUES "
_ROW = "(?, ?, ?, ?)"
_ROWS_MOST = 1000
"""Of each row SQLite takes four values, and of these at least 32,766."""

_INSERT_MANY = """
INSERT INTO events (stream, seq, hash, line)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'),
       json_extract(value, '$[2]'), json_extract(value, '$[3]')
FROM json_each(?)
"""
"""The same for any number of lines, as one text; an array's elements come out in their order."""

_HEAD = "SELECT seq, hash FROM events WHERE stream = ? ORDER BY seq DESC LIMIT 1"


def changes_no_row(appends: Sequence[Append]) -> bool:
    """Say whether the lines are such as no list shows: moves, and what is not of a match."""
    return not any(changes_row(line) for append in appends for line in append.lines)


def insertion(appends: Sequence[Append]) -> tuple[str, Sequence[str | int]]:
    """Return the one statement that inserts all lines or refuses them all, and its values."""
    lines = [line for append in appends for line in append.lines]
    rows = [(line.stream, line.seq, line.hash, line.raw.decode()) for line in lines]
    if not 0 < len(rows) <= _ROWS_MOST:
        return _INSERT_MANY, (msgspec.json.encode(rows).decode(),)
    # Statements are few, since batches of one size are one statement, and SQLite keeps them ready.
    return _INSERT + ", ".join([_ROW] * len(rows)), [value for row in rows for value in row]


def insert(db: Database, appends: Sequence[Append]) -> list[Outcome]:
    """Insert the lines of all appends that continue their streams."""
    try:
        db.conn.execute(*insertion(appends))
    except sqlite3.IntegrityError as refusal:
        # The database refuses what does not continue its stream, and then the whole statement.
        if len(appends) > 1:
            return [outcome for append in appends for outcome in insert(db, [append])]
        (append,) = appends
        actual = read_head(db, append.stream)
        if actual == append.onto:
            raise StoreFailedError(f"{append.stream}: {refusal}") from refusal
        return [Conflict(append.stream, append.expected_seq, actual)]
    return [append.head for append in appends]


def update_rows(db: Database, appends: Sequence[Append], outcomes: Sequence[Outcome]) -> None:
    """Bring the rows up to the lines that were stored. Moves cost nothing: they change no row."""
    rows: SqliteRows | None = None
    for append, outcome in zip(appends, outcomes, strict=True):
        lines = [line for line in append.lines if changes_row(line)]
        if not lines or isinstance(outcome, Conflict):
            continue
        if rows is None:
            rows = SqliteRows(db)
        # There is one writer at a time, so an append's lines have positions in a row.
        query = "SELECT position FROM events WHERE stream = ? AND seq = ?"
        (last,) = db.conn.execute(query, (append.stream, outcome.seq)).fetchone()
        for line in lines:
            project(rows, last - (outcome.seq - line.seq), line)
    if rows is not None:
        rows.save()


def read_head(db: Database, stream: str) -> Head:
    """Return where a stream stands."""
    found = db.conn.execute(_HEAD, (stream,)).fetchone()
    return Head(*found) if found else Head()

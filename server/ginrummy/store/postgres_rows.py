"""The projected rows as PostgreSQL keeps them.

A row is folded before its cause is stored, from the row as it stood, and is handed over with it;
the database puts it in the place of that one, or refuses where it has changed meanwhile. So an
append is one call, and a lock is held for no longer than the database itself needs.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from ginrummy.log.lines import AnyLine
from ginrummy.store.columns import read_columns, write_columns
from ginrummy.store.projections import (
    MatchRow,
    PlayerRow,
    ResultRow,
    added_to_record,
    changes_row,
    fold_match,
    result_of,
)
from ginrummy.store.protocol import Append, Head

__all__ = ["UNKNOWN", "Kept", "changes", "folded", "kept", "to_be_read"]


class Kept(msgspec.Struct, frozen=True):
    """A match's row as it is kept."""

    match: MatchRow | None = None
    seq: int = 0
    """The number of the last line that changed it; 0 where there is none."""


UNKNOWN = Kept()
"""The row of a match that is not there yet."""


def kept(columns: Mapping[str, Any]) -> Kept:
    """Return the row that a table's columns hold."""
    return Kept(read_columns(MatchRow, columns), columns["seq"])


def to_be_read(appends: Sequence[Append]) -> set[str]:
    """Return the matches whose rows the appends may change, and which may be there already."""
    return {
        append.stream
        for append in appends
        if append.expected_seq and any(map(changes_row, append.lines))
    }


def changes(appends: Sequence[Append], rows: Mapping[str, Kept]) -> list[str | None]:
    """Return what becomes of the rows with each of the appends, as JSON; None for nothing."""
    found: list[str | None] = []
    # What an append before it in the batch makes of a row counts only if that one is stored, and
    # then only for an append that goes on from it.
    after: dict[tuple[str, Head], Kept] = {}
    for append in appends:
        before = after.get((append.stream, append.onto), rows.get(append.stream, UNKNOWN))
        change, row = folded(append.lines, before, _by_number)
        after[append.stream, append.head] = row
        found.append(change)
    return found


def folded(
    lines: Iterable[AnyLine], before: Kept, position: Callable[[AnyLine], int]
) -> tuple[str | None, Kept]:
    """Return what becomes of a match's row with its next lines, as JSON, and the row after them."""
    match, seq = before.match, before.seq
    result: ResultRow | None = None
    records: list[PlayerRow] = []
    for line in lines:
        if not changes_row(line):
            continue
        after = fold_match(match, position(line), line)
        if after is None or after == match:
            continue
        counted = None if match is None else result_of(match, position(line))
        ended = result_of(after, position(line))
        match, seq = after, line.seq
        if ended is not None and ended != counted:
            result = ended
            # What one result adds: the database does the adding.
            records += [added_to_record(ended, seat, counted) for seat in (0, 1)]
    if match is None or seq == before.seq:
        return None, before
    return _written(before, Kept(match, seq), result, records), Kept(match, seq)


def _written(
    before: Kept, after: Kept, result: msgspec.Struct | None, records: Sequence[PlayerRow]
) -> str:
    assert after.match is not None
    change = {
        "seen": before.seq,
        "match": _columns(after.match) | {"seq": after.seq},
        "result": None if result is None else _columns(result),
        "records": [_columns(record) for record in records],
    }
    return msgspec.json.encode(change).decode()


def _columns(row: msgspec.Struct) -> dict[str, Any]:
    """Return a row's columns; what a text of PostgreSQL's cannot hold is shown as missing."""
    return {
        name: value.replace("\0", "\N{REPLACEMENT CHARACTER}") if isinstance(value, str) else value
        for name, value in write_columns(row).items()
    }


def _by_number(line: AnyLine) -> int:
    # The database puts the position in its place.
    return -line.seq

"""Rows as a table's columns: a value for each seat in two columns, an instant as text."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.structs import asdict

from ginrummy.log.instants import read_instant, write_instant
from ginrummy.rules.cards import BySeat

__all__ = ["read_columns", "write_columns"]

_Row = TypeVar("_Row", bound=msgspec.Struct)

_INSTANTS = frozenset({"created", "ended"})
_FLAGS = frozenset({"practice"})


def read_columns(kind: type[_Row], columns: Mapping[str, Any]) -> _Row:
    """Return the row that columns hold; those that the kind does not know are left out."""
    values: dict[str, Any] = {}
    for field in kind.__struct_fields__:
        if field not in columns:
            values[field] = BySeat(columns[f"{field}0"], columns[f"{field}1"])
        elif field in _INSTANTS and columns[field] is not None:
            values[field] = read_instant(columns[field])
        elif field in _FLAGS:
            # SQLite has numbers only.
            values[field] = bool(columns[field])
        else:
            values[field] = columns[field]
    return kind(**values)


def write_columns(row: msgspec.Struct) -> dict[str, Any]:
    """Return a row's columns by their names."""
    columns: dict[str, Any] = {}
    for field, value in asdict(row).items():
        if isinstance(value, BySeat):
            columns[f"{field}0"], columns[f"{field}1"] = value
        elif field in _INSTANTS and value is not None:
            columns[field] = write_instant(value)
        else:
            columns[field] = value
    return columns

"""The tree's tiles and its checkpoints as PostgreSQL keeps them."""

from collections.abc import Sequence
from typing import LiteralString

import psycopg

from ginrummy.store.errors import TreeForkedError
from ginrummy.store.postgres_connections import Connection
from ginrummy.store.protocol import StoredCheckpoint, Tile

__all__ = ["FIRST_CHECKPOINT", "LAST_CHECKPOINT", "ROOTS", "grow", "read_checkpoint", "read_tile"]

_TILE = "SELECT level, number, position, root, hashes FROM tiles "

_LOCK = "SELECT pg_advisory_xact_lock(1198091858, 'tiles'::regclass::oid::int)"
"""Of two that let the tree grow at once, the second finds what the first has stored."""

ROOTS = "SELECT root FROM tiles WHERE level = %s AND number >= %s ORDER BY number LIMIT %s"
"""The roots of the tiles of a level, from a number on, at most so many."""

FIRST_CHECKPOINT = "WHERE size >= %s ORDER BY size LIMIT 1"
LAST_CHECKPOINT = "ORDER BY size DESC LIMIT 1"


def grow(
    connection: Connection, tiles: Sequence[Tile], checkpoint: StoredCheckpoint | None
) -> None:
    """Insert what is not there yet, in a transaction. Raises TreeForkedError for what differs."""
    connection.execute(_LOCK)
    for tile in tiles:
        known = read_tile(connection, "WHERE level = %s AND number = %s", tile.level, tile.number)
        if known is None:
            _insert_tile(connection, tile)
        elif known != tile:
            raise TreeForkedError(f"tile {tile.number} of level {tile.level} is stored as another")
    if checkpoint is None:
        return
    signed = read_checkpoint(connection, "WHERE size = %s", checkpoint.size)
    if signed is None:
        values = (checkpoint.size, checkpoint.note.decode())
        connection.execute("INSERT INTO checkpoints VALUES (%s, %s)", values)
    elif signed != checkpoint:
        raise TreeForkedError(f"size {checkpoint.size} was signed with another root")


def read_tile(connection: Connection, where: LiteralString, *values: int) -> Tile | None:
    """Return the tile that a condition finds, or None."""
    found = connection.execute(_TILE + where, values, binary=True).fetchone()
    return Tile(*found) if found else None


def read_checkpoint(
    connection: Connection, where: LiteralString, *values: int
) -> StoredCheckpoint | None:
    """Return the checkpoint that a condition finds, or None."""
    query: LiteralString = "SELECT size, convert_to(note, 'UTF8') FROM checkpoints "
    found = connection.execute(query + where, values, binary=True).fetchone()
    return StoredCheckpoint(*found) if found else None


def _insert_tile(connection: Connection, tile: Tile) -> None:
    values = (tile.level, tile.number, tile.position, tile.root, tile.hashes)
    try:
        connection.execute("INSERT INTO tiles VALUES (%s, %s, %s, %s, %s)", values)
    except psycopg.errors.IntegrityError as refusal:
        raise TreeForkedError(f"tile {tile.number} of level {tile.level}: {refusal}") from refusal

"""The tree's tiles and its checkpoints as SQLite keeps them."""

import sqlite3
from collections.abc import Sequence

from ginrummy.store.errors import TreeForkedError
from ginrummy.store.protocol import StoredCheckpoint, Tile

__all__ = ["FIRST_CHECKPOINT", "LAST_CHECKPOINT", "ROOTS", "grow", "read_checkpoint", "read_tile"]

_TILE = "SELECT level, number, position, root, hashes FROM tiles"

ROOTS = "SELECT root FROM tiles WHERE level = ? AND number >= ? ORDER BY number LIMIT ?"
"""The roots of the tiles of a level, from a number on, at most so many."""

FIRST_CHECKPOINT = "WHERE size >= ? ORDER BY size LIMIT 1"
LAST_CHECKPOINT = "ORDER BY size DESC LIMIT 1"


def grow(
    db: sqlite3.Connection, tiles: Sequence[Tile], checkpoint: StoredCheckpoint | None
) -> None:
    """Insert what is not there yet. Raises TreeForkedError where another is there."""
    for tile in tiles:
        kept = read_tile(db, "WHERE level = ? AND number = ?", tile.level, tile.number)
        if kept is None:
            _insert_tile(db, tile)
        elif kept != tile:
            raise TreeForkedError(f"tile {tile.number} of level {tile.level} is stored as another")
    if checkpoint is None:
        return
    known = read_checkpoint(db, "WHERE size = ?", checkpoint.size)
    if known is None:
        values = (checkpoint.size, checkpoint.note.decode())
        db.execute("INSERT INTO checkpoints VALUES (?, ?)", values)
    elif known != checkpoint:
        raise TreeForkedError(f"size {checkpoint.size} was signed with another root")


def read_tile(db: sqlite3.Connection, where: str, *values: int) -> Tile | None:
    """Return the tile that a condition finds, or None."""
    found = db.execute(f"{_TILE} {where}", values).fetchone()
    return Tile(*found) if found else None


def read_checkpoint(db: sqlite3.Connection, where: str, *values: int) -> StoredCheckpoint | None:
    """Return the checkpoint that a condition finds, or None."""
    found = db.execute(
        f"SELECT size, CAST(note AS BLOB) FROM checkpoints {where}",  # noqa: S608 -- our own
        values,
    ).fetchone()
    return StoredCheckpoint(*found) if found else None


def _insert_tile(db: sqlite3.Connection, tile: Tile) -> None:
    values = (tile.level, tile.number, tile.position, tile.root, tile.hashes)
    try:
        db.execute("INSERT INTO tiles VALUES (?, ?, ?, ?, ?)", values)
    except sqlite3.IntegrityError as refusal:
        raise TreeForkedError(f"tile {tile.number} of level {tile.level}: {refusal}") from refusal

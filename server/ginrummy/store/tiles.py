"""The Merkle tree over all lines, kept in tiles: how it grows, and how it is read again.

    read_all ──> TreeGrowth ──> full tiles ──> store ──┐
                                read_all ──────────────┴──> Tiles ──> subtrees, for proofs

A tile holds 256 neighbouring hashes of every eighth level, as tiled logs have them (c2sp.org/
tlog-tiles). Only full ones are stored: they never change. What is at the right edge follows from
fewer than 256 lines, and from the roots of the tiles below.
"""

from collections.abc import Sequence
from typing import Protocol

from ginrummy.log.merkle import HASH_BYTES, fold, leaf_hash, root
from ginrummy.store.protocol import EventLog, Stored, StoredTree, Tile

__all__ = ["TILE_WIDTH", "Tiles", "TreeGrowth"]

TILE_WIDTH = 256

_TILE_LEVELS = 8
"""A tile spans so many levels of the tree."""


class _Kept(EventLog, StoredTree, Protocol):
    """What a tree is read from."""


class TreeGrowth:
    """The right edge of the tree, from which it goes on."""

    def __init__(self, store: _Kept) -> None:
        """Go on after the last tile that is stored."""
        last = store.last_tile()
        count = 0 if last is None else last.number + 1
        self.size = count * TILE_WIDTH
        """How many lines the tree has."""
        self.position = 0 if last is None else last.position
        """The last one's position."""
        # The hashes at the right edge of each level of tiles, fewer than 256 each.
        self._edges: list[list[bytes]] = [[]]
        level = 0
        while count:
            first = count // TILE_WIDTH * TILE_WIDTH
            self._edges.append(store.tile_roots(level, first, count - first))
            count //= TILE_WIDTH
            level += 1

    def add(self, lines: Sequence[Stored]) -> list[Tile]:
        """Take in the next lines of the log, and return the tiles that they have filled."""
        filled: list[Tile] = []
        for position, raw in lines:
            self.size += 1
            self.position = position
            self._edges[0].append(leaf_hash(raw))
            if len(self._edges[0]) == TILE_WIDTH:
                filled += self._fill()
        return filled

    def root(self) -> bytes:
        """Return the root over all lines so far."""
        return root(self.size, self._subtree)

    def _fill(self) -> list[Tile]:
        """Close the tile at the right edge, and those above that it fills."""
        filled: list[Tile] = []
        level = 0
        while len(self._edges[level]) == TILE_WIDTH:
            hashes, self._edges[level] = self._edges[level], []
            top = fold(hashes)
            number = (self.size >> _TILE_LEVELS * (level + 1)) - 1
            filled.append(Tile(level, number, self.position, top, b"".join(hashes)))
            level += 1
            if level == len(self._edges):
                self._edges.append([])
            self._edges[level].append(top)
        return filled

    def _subtree(self, level: int, index: int) -> bytes:
        # A root is made of subtrees whose tiles are all at the right edge.
        tiles, within = divmod(level, _TILE_LEVELS)
        first = (index << within) % TILE_WIDTH
        return fold(self._edges[tiles][first : first + (1 << within)])


class Tiles:
    """The tree as it is read for a proof; what was read is kept as long as this is."""

    def __init__(self, store: _Kept) -> None:
        self._store = store
        self._read: dict[tuple[int, int], bytes] = {}

    def subtree(self, level: int, index: int) -> bytes:
        """Return the hash of the `index`-th full subtree of 2^`level` lines.

        Raises ValueError where there are not so many lines in the tree.
        """
        tiles, within = divmod(level, _TILE_LEVELS)
        number, first = divmod(index << within, TILE_WIDTH)
        hashes = self._hashes(tiles, number)
        own = [
            hashes[place * HASH_BYTES : (place + 1) * HASH_BYTES]
            for place in range(first, first + (1 << within))
        ]
        if not own[-1]:
            raise ValueError(f"the tree has no subtree {index} of {1 << level} lines")
        return fold(own)

    def index(self, stream: str, seq: int) -> int | None:
        """Return the number of a stream's line among all lines, from 0; None where it is not there.

        Raises ValueError for a line that the tree has not come to.
        """
        position = self._store.position(stream, seq)
        if position is None:
            return None
        tile = self._store.tile_reaching(position) or self._store.last_tile()
        number = 0 if tile is None else tile.number
        if tile is not None and tile.position < position:
            number += 1
        lines = self._store.read_all(self._before(number), TILE_WIDTH)
        for place, (found, _) in enumerate(lines):
            if found == position:
                return number * TILE_WIDTH + place
        raise ValueError(f"the tree has not come to event {seq} of {stream}")

    def _hashes(self, level: int, number: int) -> bytes:
        """Return the hashes of a tile, as many as there are."""
        key = level, number
        if key not in self._read:
            tile = self._store.tile(level, number)
            self._read[key] = self._edge(level, number) if tile is None else tile.hashes
        return self._read[key]

    def _edge(self, level: int, number: int) -> bytes:
        first = number * TILE_WIDTH
        if level:
            return b"".join(self._store.tile_roots(level - 1, first, TILE_WIDTH))
        lines = self._store.read_all(self._before(number), TILE_WIDTH)
        return b"".join(leaf_hash(raw) for _, raw in lines)

    def _before(self, number: int) -> int:
        """Return the position of the last line before a tile of level 0."""
        if number == 0:
            return 0
        before = self._store.tile(0, number - 1)
        if before is None:
            raise ValueError(f"the tree has not come to line {number * TILE_WIDTH}")
        return before.position

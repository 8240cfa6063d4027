"""Where snapshots wait until they are written: beside the play, many at once, and never at a move.

A table is looked at now and then, and a snapshot is taken of one that has gone on far enough since
the last. So a match that is opened folds that many lines at most, and those of the last seconds.
"""

import asyncio
from collections.abc import Iterable, Sequence

from ginrummy.log.fold import Decks, shuffle_for
from ginrummy.store import Store, StoreError
from ginrummy.tables.opening import Snapshot, write_snapshot
from ginrummy.tables.table import Table

__all__ = ["EVERY", "Shelf"]

EVERY = 64
"""Lines, about two hands, after which a snapshot of a match is due while it is played."""

_PUT_AWAY = 8
"""Lines that are worth one where a match leaves memory."""

_AT_ONCE = 100
"""Snapshots written in one transaction."""


class Shelf:
    """The snapshots of a process's matches that are to be written."""

    def __init__(self, store: Store, decks: Decks) -> None:
        """Write to `store`; nothing where other decks are dealt than those committed to."""
        self._store = store
        self._is_used = decks is shuffle_for
        self._waiting: dict[str, Snapshot] = {}

    def look_at(self, tables: Iterable[Table], *, put_away: bool = False) -> None:
        """Take a snapshot of each table that has gone on far enough since the last one."""
        if not self._is_used:
            return
        lines = _PUT_AWAY if put_away else EVERY
        for table in tables:
            if table.seq - table.kept >= lines:
                self._waiting[table.match_id] = table.snapshot()

    async def write(self) -> None:
        """Write what was taken; where the store fails it is left out, as a cache may be."""
        while self._waiting:
            batch = [self._waiting.popitem() for _ in range(min(_AT_ONCE, len(self._waiting)))]
            try:
                await asyncio.to_thread(self._write, batch)
            except StoreError:
                self._waiting.clear()

    def _write(self, batch: Sequence[tuple[str, Snapshot]]) -> None:
        self._store.keep_snapshots([write_snapshot(*each) for each in batch])

"""The caretaker: sees to it that every match that is not over has somebody who watches its time.

A match that was opened has an alarm, whichever process it is in, and several may have one for the
same match: a decision that is late is stored once. But a process that dies takes its alarms along.
So one process at a time, whose duty it is, looks out for matches of which nothing has been heard
for a while, and opens them: then their alarm is here, until they end. So it is at a start, too:
players find their matches at once, and those that nobody asks for are opened beside the play, some
at a time.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from ginrummy.log.ids import is_match
from ginrummy.store import Store, StoreError
from ginrummy.tables.errors import LogDamagedError, TableError
from ginrummy.tables.room import CardRoom

__all__ = ["Caretaker"]

_QUIET = 3.0
"""Seconds without an event after which a match is looked after, wherever it is played."""

_LOOK = 0.5
"""Seconds between two looks."""

_BREATH = 0.02
"""Seconds at least between two looks where some are left from the last one."""

_AT_ONCE = 20
"""Matches that are opened at one look."""


class Caretaker:
    """Looks after the clocks of matches that are played, or were, at other processes."""

    def __init__(
        self,
        store: Store,
        room: CardRoom,
        is_on_duty: Callable[[], bool],
        damaged: Callable[[LogDamagedError], None],
    ) -> None:
        """Open quiet matches in `room` while `is_on_duty` says so.

        `damaged` is told of those that cannot be opened; they hinder no other.
        """
        self._store = store
        self._room = room
        self._is_on_duty = is_on_duty
        self._damaged = damaged
        self._heard: dict[str, float] | None = None
        """When each match that is elsewhere was heard of; None while this is not on duty."""
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._look_after())

    async def close(self) -> None:
        """End."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    # --- as a follower ----------------------------------------------------------------------

    def heard(self, heads: dict[str, int]) -> None:
        """Note that something has happened at these matches."""
        if self._heard is not None:
            now = monotonic()
            self._heard.update((match, now) for match in heads if is_match(match))

    def cut_off(self) -> None:
        """Wait for the duty to be given again."""
        self._heard = None

    def back(self) -> None:
        """Do nothing: the duty comes by itself."""

    # --- looking after ----------------------------------------------------------------------

    async def _look_after(self) -> None:
        while True:
            begun, some_are_left = monotonic(), False
            # A store that fails is asked again.
            with suppress(StoreError):
                some_are_left = await self._look()
            # Players come first: half of the time is theirs alone.
            rest = max(_BREATH, monotonic() - begun) if some_are_left else _LOOK
            await asyncio.sleep(rest)

    async def _look(self) -> bool:
        """Open some of the matches that are quiet; return whether more of them are left."""
        if not self._is_on_duty():
            self._heard = None
            return False
        if self._heard is None:
            # First this: what happens while all are read is heard of.
            heard = self._heard = {}
            now = monotonic()
            for match in await asyncio.to_thread(self._store.open_matches):
                heard.setdefault(match, now)
        since = monotonic() - _QUIET
        quiet = [match for match, at in self._heard.items() if at <= since]
        some = quiet[:_AT_ONCE]
        # At once, so that what they have to store is stored together.
        await asyncio.gather(*map(self._open, some))
        if self._heard is None:
            return False
        for match in some:
            self._heard.pop(match, None)
        return len(quiet) > len(some)

    async def _open(self, match: str) -> None:
        """Take a match that is not over into this process, so that its alarm is here."""
        if self._room.watches(match):
            return
        row = await asyncio.to_thread(self._store.match, match)
        if row is not None and row.stage != "ended":
            try:
                await self._room.look_after(match)
            except LogDamagedError as error:
                self._damaged(error)
            except TableError:
                return  # the server is stopping

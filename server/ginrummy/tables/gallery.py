"""Everybody who watches in one process, woken a few at a time, so that no move waits for them."""

import asyncio
from collections import deque

__all__ = ["Gallery"]

_AT_ONCE = 4
"""Watchers woken in one turn of the event loop; a player's move waits for no more than these."""


class Gallery:
    """The watchers of all tables who have something to hear, in the order in which it happened.

    A move at a table that thousands watch is followed by thousands of messages. Were they all
    written at once, every table of the process would stand still meanwhile.
    """

    __slots__ = ("_is_turn_due", "_waiting")

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._is_turn_due = False

    def wake(self, waiters: "list[asyncio.Future[None]]") -> None:
        """Take over some who wait, and wake each of them soon."""
        self._waiting.extend(waiters)
        waiters.clear()
        if self._waiting and not self._is_turn_due:
            self._is_turn_due = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        for _ in range(min(_AT_ONCE, len(self._waiting))):
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
        self._is_turn_due = bool(self._waiting)
        if self._is_turn_due:
            # The next turn comes after whatever has arrived meanwhile.
            asyncio.get_running_loop().call_soon(self._turn)

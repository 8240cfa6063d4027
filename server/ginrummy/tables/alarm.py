"""A table's alarm: it goes off once an instant is past, and costs a move next to nothing."""

import asyncio
from collections.abc import Callable

from ginrummy.rules.match import Instant

__all__ = ["Alarm"]


class Alarm:
    """One timer, moved only where it would go off too late.

    An instant that has moved on since is left to whoever is called: they set it again.
    """

    __slots__ = ("_clock", "_end", "_ring", "_timer")

    def __init__(self, clock: Callable[[], Instant], ring: Callable[[], None]) -> None:
        """Go by `clock`, and call `ring` when the instant that was set is past."""
        self._clock = clock
        self._ring = ring
        self._timer: asyncio.TimerHandle | None = None
        self._end: Instant = 0

    def set(self, end: Instant | None) -> None:
        """See to it that the alarm goes off soon after `end`; None changes nothing."""
        if end is None or (self._timer is not None and self._end <= end):
            return
        self.cancel()
        self._end = end
        seconds = (end - self._clock()) / 1_000_000
        # A millisecond more, for time is over only after the deadline.
        self._timer = asyncio.get_running_loop().call_later(seconds + 0.001, self._go_off)

    def cancel(self) -> None:
        """Keep the alarm from going off, until it is set again."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _go_off(self) -> None:
        self._timer = None
        self._ring()

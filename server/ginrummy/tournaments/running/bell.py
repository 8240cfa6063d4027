"""One bell a tournament: whoever waits for anything to change looks again when it rings."""

import asyncio
from contextlib import suppress

__all__ = ["Bell"]


class Bell:
    """Rings for all who wait, and remembers how often, so that no ring is missed."""

    __slots__ = ("_waiting", "rings")

    def __init__(self) -> None:
        self.rings = 0
        """How often it has rung."""
        self._waiting: list[asyncio.Future[None]] = []

    def ring(self) -> None:
        """Wake everybody."""
        self.rings += 1
        for waiter in self._waiting:
            _wake(waiter)
        self._waiting.clear()

    async def rung(self, heard: int, seconds: float | None = None) -> None:
        """Wait until it has rung more often than `heard`, or so many seconds are over."""
        if self.rings > heard:
            return
        loop = asyncio.get_running_loop()
        waiter = loop.create_future()
        self._waiting.append(waiter)
        # Not by wait_for: before Python 3.12 it can lose a cancellation that comes with the ring.
        timer = None if seconds is None else loop.call_later(seconds, _wake, waiter)
        try:
            await waiter
        finally:
            if timer is not None:
                timer.cancel()
            with suppress(ValueError):
                self._waiting.remove(waiter)


def _wake(waiter: "asyncio.Future[None]") -> None:
    if not waiter.done():
        waiter.set_result(None)

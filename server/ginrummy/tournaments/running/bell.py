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
            if not waiter.done():
                waiter.set_result(None)
        self._waiting.clear()

    async def rung(self, heard: int, timeout: float | None = None) -> None:  # noqa: ASYNC109 -- a wait that is over is no error here
        """Wait until it has rung more often than `heard`, or `timeout` seconds are over."""
        if self.rings > heard:
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(waiter, timeout)
        finally:
            with suppress(ValueError):
                self._waiting.remove(waiter)

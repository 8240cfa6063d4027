"""How long to wait for a server, and how to try again.

Trying again is safe because every wish goes out under the same request id as the first time: what
was carried out once is answered, not done again.
"""

import asyncio
import random

import msgspec

from ginrummy.client.errors import CallError, UnavailableError

__all__ = ["Attempts", "Retry"]


class Retry(msgspec.Struct, frozen=True):
    """The patience of a client, in seconds."""

    deadline: float = 10.0
    """How long one attempt may take."""
    patience: float = 60.0
    """How long to go on trying where no server answers."""
    first_pause: float = 0.05
    """How long to wait before the second attempt; each further pause is twice the one before."""
    longest_pause: float = 2.0


class Attempts:
    """The attempts at one thing: `failed` waits for the next one, or raises when it is enough."""

    __slots__ = ("_end", "_pause", "_retry")

    def __init__(self, retry: Retry) -> None:
        """Begin with no attempt made."""
        self._retry = retry
        self.succeeded()

    def succeeded(self) -> None:
        """Begin anew: an answer has come."""
        self._pause = self._retry.first_pause
        self._end: float | None = None

    async def failed(self, error: CallError) -> None:
        """Wait before another attempt.

        Raises `error` where another attempt would not help, or enough were made.
        """
        if not isinstance(error, UnavailableError):
            raise error
        now = asyncio.get_running_loop().time()
        if self._end is None:
            self._end = now + self._retry.patience
        if now >= self._end:
            raise error
        # Without some chance in it, all clients of a server that comes back would come at once.
        pause = self._pause * random.uniform(0.5, 1.0)  # noqa: S311 -- no secret hangs on it
        await asyncio.sleep(min(pause, self._end - now))
        self._pause = min(2 * self._pause, self._retry.longest_pause)

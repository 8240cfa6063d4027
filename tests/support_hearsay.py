"""Processes that hear each other without a store between them, in a test's own event loop."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from ginrummy.store import Hearsay, LoneMember

__all__ = ["come_to_pass", "within_earshot"]


class _Neighbour(LoneMember):
    """A member whose words reach all others at once."""

    is_shared = True

    def __init__(self, all_others: Callable[[], list[Hearsay]]) -> None:
        self._all_others = all_others
        self._loop = asyncio.get_running_loop()

    def tell(self, words: Sequence[bytes]) -> None:
        for each in self._all_others():
            self._loop.call_soon_threadsafe(each.hear, words)


@asynccontextmanager
async def within_earshot(count: int) -> AsyncIterator[list[Hearsay]]:
    """Let so many processes speak to each other while the context is open."""
    every = [Hearsay() for _ in range(count)]

    def others_than(own: Hearsay) -> Callable[[], list[Hearsay]]:
        return lambda: [each for each in every if each is not own]

    async with AsyncExitStack() as stack:
        for each in every:
            each.begin(_Neighbour(others_than(each)))
            stack.push_async_callback(each.end)
        yield every


async def come_to_pass(true: Callable[[], bool]) -> None:
    """Wait for what has to come true."""
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110 -- whatever it is
            await asyncio.sleep(0.01)

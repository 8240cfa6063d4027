"""The store for an event loop: whoever waits shares one durable transaction.

    append -> waiting -> (end of the loop's turn) -> writer thread: Store.append -> futures resolved

All of what one turn of the loop asks for goes to the writer as one batch; what comes while it
writes waits for the next one. So a commit's cost is shared by all tables, the more of them the
better, and a lone append waits for nobody. The two threads meet twice a batch, however large.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from queue import SimpleQueue
from threading import Thread
from typing import Self, TypeAlias

from ginrummy.store.errors import (
    ConflictError,
    StoreClosedError,
    StoreError,
    StoreFailedError,
    StoreUnreachableError,
)
from ginrummy.store.protocol import Append, Conflict, EventLog, Head, Outcome, Stored

__all__ = ["GroupCommit"]

_Batch: TypeAlias = list[tuple[Append, asyncio.Future[Head]]]

_PAGE = 500
"""Lines that a subscriber reads at once."""


class GroupCommit:
    """Appends and subscriptions of one event loop. Use it as `async with GroupCommit(store)`."""

    def __init__(self, store: EventLog, *, poll: float = 0.5) -> None:
        """Write to `store`, and look for other processes' lines every `poll` seconds."""
        self._store = store
        self._poll = poll
        self._waiting: _Batch = []
        self._writing = False
        self._closed = False
        self._batches: SimpleQueue[_Batch | None] = SimpleQueue()
        self._subscribers: set[asyncio.Event] = set()

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._idle = asyncio.Event()
        self._idle.set()
        self._writer = Thread(target=self._write_batches, name="group-commit", daemon=True)
        self._writer.start()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    def append(self, append: Append) -> "asyncio.Future[Head]":
        """Append, and wait for the new head: `await commits.append(…)`. The lines are durable then.

        Raises ConflictError where the stream has moved on, StoreFailedError where only the log can
        tell whether the lines are stored, StoreClosedError where they are not. Lines whose waiting
        was cancelled may be stored too.
        """
        future = self._loop.create_future()
        if self._closed:
            future.set_exception(StoreClosedError("the server takes no more events"))
            return future
        self._waiting.append((append, future))
        if not self._writing:
            self._writing = True
            self._idle.clear()
            self._loop.call_soon(self._hand_over)
        return future

    async def subscribe(
        self, after: int = 0, *, pause: float = 0.0
    ) -> AsyncGenerator[list[Stored], None]:
        """Yield every stream's lines after position `after`, in commit order, until closed.

        They come some at a time: lines of this loop as soon as they are durable, other processes'
        at the next poll. Whoever is in no hurry waits `pause` seconds for more of them first, and
        costs the loop so much less. What was stored before the closing is still yielded.
        """
        news = asyncio.Event()
        self._subscribers.add(news)
        try:
            last = False
            while not last:
                # First these, then the reading: what is committed meanwhile rings again.
                news.clear()
                last = self._closed and self._idle.is_set()
                page = await asyncio.to_thread(self._store.read_all, after, _PAGE)
                if page:
                    yield page
                    after, _ = page[-1]
                if len(page) == _PAGE:
                    last = False
                elif not last:
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(self._poll):
                            await news.wait()
                    if not self._closed:
                        await asyncio.sleep(pause)
        finally:
            self._subscribers.discard(news)

    async def close(self) -> None:
        """Take no more appends, let those that wait become durable, and end all subscriptions."""
        self._closed = True
        self.ring()
        await self._idle.wait()
        self._batches.put(None)
        self._writer.join()

    # --- in the loop ------------------------------------------------------------------------

    def _hand_over(self) -> None:
        self._batches.put(self._waiting)
        self._waiting = []

    def _resolve(self, batch: _Batch, outcomes: list[Outcome] | Exception) -> None:
        for place, (_, future) in enumerate(batch):
            if future.done():
                continue  # whoever waited has given up
            if isinstance(outcomes, Exception):
                future.set_exception(_failure(outcomes))
                continue
            outcome = outcomes[place]
            if isinstance(outcome, Conflict):
                future.set_exception(ConflictError(outcome))
            else:
                future.set_result(outcome)
        self.ring()
        if self._waiting:
            # After those who have just been answered: what they do next may still come along.
            self._loop.call_soon(self._hand_over)
        else:
            self._writing = False
            self._idle.set()

    def ring(self) -> None:
        """Let all subscribers look: there may be lines, also of another process's."""
        for news in self._subscribers:
            news.set()

    # --- in the writer's thread -------------------------------------------------------------

    def _write_batches(self) -> None:
        while (batch := self._batches.get()) is not None:
            outcomes: list[Outcome] | Exception
            try:
                outcomes = self._store.append([append for append, _ in batch])
            except Exception as error:  # noqa: BLE001 -- it is raised where the lines came from
                outcomes = error
            self._loop.call_soon_threadsafe(self._resolve, batch, outcomes)


def _failure(error: Exception) -> StoreError:
    """Return an error of a future's own: one raised in many tasks would gather their tracebacks."""
    kind = StoreUnreachableError if isinstance(error, StoreUnreachableError) else StoreFailedError
    failure = kind(f"the lines may be stored or not: {error}")
    failure.__cause__ = error
    return failure

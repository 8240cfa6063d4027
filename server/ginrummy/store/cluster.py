"""A process's view of all that share its store, for an event loop.

    another process's append ──> notification, or a look now and then ──> `heard`: streams that
                                                                          have moved on
    the database does not answer for a while ──> `cut_off`;  it answers again ──> `back`

Whoever holds streams in memory takes in here what others have stored. A process that is cut off
cannot hear of it any more: it sends its callers away, who find another one.
"""

import asyncio
from contextlib import suppress
from typing import Protocol, Self

from ginrummy.store.errors import StoreError
from ginrummy.store.group_commit import GroupCommit
from ginrummy.store.hearsay import Hearsay
from ginrummy.store.membership import Duty, LoneMember, Membership
from ginrummy.store.protocol import Store

__all__ = ["Cluster", "Follower"]

_PAUSE = 0.002
"""Seconds that lines are gathered for before the next look, at the least."""

_SHARE = 5
"""How many times as long as a look has taken the pause after it is: the busier, the rarer."""

_LONGEST_PAUSE = 0.05

_CUT_OFF = 3.0
"""Seconds without the database after which this process takes itself for cut off."""


class Follower(Protocol):
    """Whoever wants to hear of the others. All is called in the event loop."""

    def heard(self, heads: dict[str, int]) -> None:
        """Take in which streams have moved on, each with the number of its last line."""

    def cut_off(self) -> None:
        """Hold nothing in memory any more: what others store now is not heard of."""

    def back(self) -> None:
        """Go on: the database is there again."""


class Cluster:
    """The processes that share a store. Use it as `async with Cluster(store, commits)`."""

    def __init__(
        self, store: Store, commits: GroupCommit, *, alone: bool = False, poll: float = 0.5
    ) -> None:
        """Look for what others have stored at every notification, and every `poll` seconds.

        `alone` is for a process that is the only one, if the store can see to that.
        """
        self._store = store
        self._alone = alone
        self._commits = commits
        self._poll = poll
        self._followers: list[Follower] = []
        self._task: asyncio.Task[None] | None = None
        self._is_cut_off = False
        self._member: Membership = LoneMember()
        self.hearsay = Hearsay()
        """What the processes say of themselves; ends as this one leaves."""

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        # Before anybody holds a stream in memory: all later lines are heard of.
        self._position = await asyncio.to_thread(self._store.last_position)
        self._member = await asyncio.to_thread(self._store.join, self._ring, alone=self._alone)
        self.hearsay.begin(self._member)
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.leave()
        await asyncio.to_thread(self._member.close)

    @property
    def is_first(self) -> bool:
        """Whether nobody else was there when this process came."""
        return self._member.is_first

    @property
    def is_shared(self) -> bool:
        """Whether there may be other processes."""
        return self._member.is_shared

    @property
    def is_cut_off(self) -> bool:
        """Whether the database has not been reached for some time."""
        return self._is_cut_off

    def has(self, duty: Duty) -> bool:
        """Say whether a duty is this process's."""
        return not self._is_cut_off and self._member.has(duty)

    def follow(self, *followers: Follower) -> None:
        """Begin to tell the followers, unless nobody else can be there."""
        self._followers += followers
        if self._task is None and self._member.is_shared:
            self._task = asyncio.create_task(self._follow())

    async def leave(self) -> None:
        """Tell nobody any more; the duties are given up at the end."""
        await self.hearsay.end()
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    # --- in any thread ----------------------------------------------------------------------

    def _ring(self) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody is to be told
            self._loop.call_soon_threadsafe(self._rung)

    # --- in the loop ------------------------------------------------------------------------

    def _rung(self) -> None:
        self.hearsay.hear(self._member.overheard())
        self._news.set()
        # Whoever follows all lines, as the notary does, hears of them at once, too.
        self._commits.ring()

    async def _follow(self) -> None:
        look: asyncio.Future[tuple[int, dict[str, int]]] | None = None
        began = 0.0
        while True:
            self._note_connection()
            if look is None:
                # First this, then the reading: what is stored meanwhile rings again.
                self._news.clear()
                began = self._loop.time()
                look = asyncio.ensure_future(
                    asyncio.to_thread(self._store.heads_after, self._position)
                )
                # Whoever leaves meanwhile asks no more what came of it.
                look.add_done_callback(_heeded)
            # A database that is cut off lets one wait for long, and time goes on.
            await asyncio.wait([look], timeout=self._poll)
            if not look.done():
                continue
            self._take(look)
            look, took = None, self._loop.time() - began
            # Where both come at once, a `wait_for` would take the news and forget the cancelling.
            with suppress(TimeoutError):
                async with asyncio.timeout(self._poll):
                    await self._news.wait()
            await asyncio.sleep(min(max(_PAUSE, _SHARE * took), _LONGEST_PAUSE))

    def _take(self, look: "asyncio.Future[tuple[int, dict[str, int]]]") -> None:
        try:
            self._position, heads = look.result()
        except StoreError:
            return  # how long it has been so is told elsewhere
        if heads:
            for follower in self._followers:
                follower.heard(heads)

    def _note_connection(self) -> None:
        away = self._member.away
        if away > _CUT_OFF and not self._is_cut_off:
            self._is_cut_off = True
            self.hearsay.forget_all()
            for follower in self._followers:
                follower.cut_off()
        elif not away and self._is_cut_off:
            self._is_cut_off = False
            for follower in self._followers:
                follower.back()


def _heeded(look: "asyncio.Future[tuple[int, dict[str, int]]]") -> None:
    if not look.cancelled():
        look.exception()

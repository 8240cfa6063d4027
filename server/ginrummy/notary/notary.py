"""The notary: follows the log as it is stored, and signs what it has become.

    commit order ──> tree grows ──> tiles stored ──> checkpoint signed and stored
                       (all of it in threads, beside the event loop)

It signs soon after a match or a tournament has ended, after so many lines, when somebody waits for
it, and as the server stops; never anything that contradicts what was signed before.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from threading import Lock

import structlog

from ginrummy.log.checkpoints import checkpoint_text, read_checkpoint
from ginrummy.log.merkle import root
from ginrummy.log.notes import VerifierKey
from ginrummy.log.signing import SigningKey, signed
from ginrummy.notary.errors import NoSuchCheckpointError, TreeBrokenError
from ginrummy.notary.proofs import Consistency, Inclusion, prove_consistency, prove_inclusion
from ginrummy.store import (
    GroupCommit,
    Store,
    StoredCheckpoint,
    StoreFailedError,
    Tile,
    Tiles,
    TreeForkedError,
    TreeGrowth,
)

__all__ = ["Notary"]

_log = structlog.get_logger()

_PAUSE = 0.25
"""Seconds that lines and wishes are gathered for: at most four checkpoints a second."""

_PATIENCE = 10.0
"""Seconds that whoever asks for a proof waits for the checkpoint that it needs."""

_RETRY = 2.0
"""Seconds until something is tried again that the database failed at."""

_MOST_TILES = 20
"""How far behind the stored tree may be for a server that does not follow the log."""

_PAGE = 2000
"""Lines that are read at once where many are waiting."""

# Within a text a quotation mark is escaped, so no line but an ending's own has these bytes.
_ends = re.compile(rb'"type":"(?:match|tournament)_ended",').search


class Notary:
    """Signs one log. Use it as `start`, then `close` once nothing more is stored."""

    def __init__(
        self,
        store: Store,
        commits: GroupCommit,
        key: SigningKey,
        *,
        every: int = 1000,
        pause: float = _PAUSE,
        is_on_duty: Callable[[], bool] = lambda: True,
    ) -> None:
        """Sign at the latest after `every` lines, and at most once in `pause` seconds.

        Of several servers one follows the log; the others sign only what somebody waits for. All
        have the same key, and the tree follows from the log: so they cannot contradict each other.
        """
        self._is_on_duty = is_on_duty
        self._store = store
        self._commits = commits
        self._key = key
        self._every = every
        self._pause = pause
        self._wanted = asyncio.Event()
        self._settled = asyncio.Condition()
        self._tasks: list[asyncio.Task[None]] = []
        self._stopping = False
        self._broken = ""
        self._signed = 0
        self._waiting = 0
        """How many wait for a checkpoint."""
        # What follows belongs to one thread at a time.
        self._growing = Lock()
        self._growth: TreeGrowth | None = None
        self._unstored: list[Tile] = []

    @property
    def key(self) -> VerifierKey:
        """The public half of the key."""
        return self._key.verifier

    def start(self) -> None:
        """Begin to follow the log. What was stored before is gone through beside all else."""
        self._tasks = [asyncio.create_task(each) for each in (self._follow(), self._seal())]

    async def close(self) -> None:
        """Sign what the log has become, and end. The committer is closed before."""
        self._stopping = True
        await self._tell()
        if not self._tasks:
            return
        follow, seal = self._tasks
        await follow
        seal.cancel()
        with suppress(asyncio.CancelledError):
            await seal
        if self._is_on_duty():
            await self._in_thread(self._sign)

    # --- what is asked for ------------------------------------------------------------------

    async def checkpoint(self, size: int = 0) -> StoredCheckpoint:
        """Return the checkpoint of a size, or the last one for 0. Raises NoSuchCheckpointError."""
        await self._ready()
        if size == 0:
            found = await asyncio.to_thread(self._store.last_checkpoint)
        else:
            found = await asyncio.to_thread(self._store.checkpoint_from, size)
        if found is None or size not in (0, found.size):
            what = f"of {size} lines" if size else "yet"
            raise NoSuchCheckpointError(f"there is no checkpoint {what}")
        return found

    async def inclusion(self, stream: str, seq: int, patience: float = _PATIENCE) -> Inclusion:
        """Return the proof of a stored line, signed for the purpose if need be.

        Raises NoSuchCheckpointError where that takes longer than `patience` seconds.
        """
        if not self._is_on_duty():
            return await asyncio.to_thread(self._proved_elsewhere, stream, seq)
        await self._ready()
        late = NoSuchCheckpointError(f"event {seq} of {stream} is in no checkpoint yet")
        self._waiting += 1
        try:
            async with asyncio.timeout(patience):
                while True:
                    self._check_whole()
                    seen = self._signed
                    with suppress(NoSuchCheckpointError):
                        return await asyncio.to_thread(prove_inclusion, self._store, stream, seq)
                    if self._stopping:
                        raise late
                    self._wanted.set()
                    async with self._settled:
                        await self._settled.wait_for(partial(self._moved_on, seen))
        except TimeoutError:
            raise late from None
        finally:
            self._waiting -= 1

    async def consistency(self, old: int, new: int) -> Consistency:
        """Return the proof that the log has only grown. Raises NoSuchCheckpointError."""
        await self._ready()
        return await asyncio.to_thread(prove_consistency, self._store, old, new)

    async def _ready(self) -> None:
        """Wait until what was stored before has been gone through."""
        if not self._is_on_duty():
            return
        if self._growth is None:
            with suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE), self._settled:
                    await self._settled.wait_for(self._is_decided)
        self._check_whole()
        if self._growth is None:
            raise NoSuchCheckpointError("the log is still being gone through: ask in a moment")

    def _is_decided(self) -> bool:
        return self._growth is not None or bool(self._broken) or self._stopping

    def _moved_on(self, seen: int) -> bool:
        return self._signed != seen or bool(self._broken) or self._stopping

    def _check_whole(self) -> None:
        if self._broken:
            raise TreeBrokenError(self._broken)

    # --- following --------------------------------------------------------------------------

    async def _follow(self) -> None:
        """Let the tree grow with the log, whatever the database does meanwhile.

        A server that stops as soon as it has started has still gone through the log once.
        """
        while not self._broken:
            pause = 0.0
            if not self._is_on_duty():
                self._growth = None
                pause = self._pause
            elif self._growth is None:
                done = await self._in_thread(self._catch_up)
                await self._tell()
                pause = 0 if done else _RETRY
            try:
                await self._grow()
            except StoreFailedError as error:
                _log.warning("log not read", why=str(error))
                pause = _RETRY
            else:
                if self._growth is not None and self._is_on_duty():
                    return
            if self._stopping:
                return
            await asyncio.sleep(pause)

    async def _grow(self) -> None:
        growth = self._growth
        if growth is None:
            return
        if growth.size > self._signed:
            self._wanted.set()
        async for page in self._commits.subscribe(growth.position, pause=self._pause):
            await self._in_thread(partial(self._take_in, page))
            if self._broken or not self._is_on_duty():
                return
            ended = any(_ends(raw) for _, raw in page)
            if ended or self._waiting or growth.size - self._signed >= self._every:
                self._wanted.set()

    async def _seal(self) -> None:
        """Sign whenever it is wanted, but not too often."""
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            done = await self._in_thread(self._sign)
            await self._tell()
            if not done and not self._broken:
                self._wanted.set()
            await asyncio.sleep(self._pause if done else _RETRY)

    async def _tell(self) -> None:
        async with self._settled:
            self._settled.notify_all()

    async def _in_thread(self, work: Callable[[], None]) -> bool:
        """Do some of the work in a thread, and say whether it is done; the journal tells if not."""
        try:
            await asyncio.to_thread(work)
        except (TreeForkedError, TreeBrokenError) as error:
            self._broken = f"the log contradicts what was signed before: {error}"
            _log.error("log broken", why=str(error))
        except StoreFailedError as error:
            _log.warning("tree not stored", why=str(error))
        else:
            return True
        return False

    # --- in a thread ------------------------------------------------------------------------

    def _catch_up(self) -> None:
        """Go through all that was stored before, and check that it is what was signed."""
        growth = TreeGrowth(self._store)
        self._unstored = []
        more = True
        while more:
            page = self._store.read_all(growth.position, _PAGE)
            self._unstored += growth.add(page)
            self._store_tiles(None)
            more = len(page) == _PAGE
            if more and self._stopping:
                return
        last = self._store.last_checkpoint()
        if last is not None:
            _check_holds(last, growth, self._store)
            self._signed = last.size
        self._growth = growth

    def _proved_elsewhere(self, stream: str, seq: int) -> Inclusion:
        """Prove a line at a server that does not follow the log: sign what is not signed yet."""
        with suppress(NoSuchCheckpointError):
            return prove_inclusion(self._store, stream, seq)
        growth, tiles, page = TreeGrowth(self._store), list[Tile](), None
        while page is None or page:
            page = self._store.read_all(growth.position, _PAGE)
            tiles += growth.add(page)
            if len(tiles) > _MOST_TILES:
                raise NoSuchCheckpointError("the log is still being gone through: ask in a moment")
        text = checkpoint_text(self._key.name, growth.size, growth.root())
        self._store.grow(tiles, StoredCheckpoint(growth.size, signed(text, self._key)))
        return prove_inclusion(self._store, stream, seq)

    def _take_in(self, page: Sequence[tuple[int, bytes]]) -> None:
        with self._growing:
            assert self._growth is not None
            self._unstored += self._growth.add(page)
            self._store_tiles(None)

    def _sign(self) -> None:
        """Sign the log as far as it has come, unless that is done."""
        with self._growing:
            growth = self._growth
            if growth is None or self._broken or growth.size <= self._signed:
                return
            text = checkpoint_text(self._key.name, growth.size, growth.root())
            self._store_tiles(StoredCheckpoint(growth.size, signed(text, self._key)))
            self._signed = growth.size

    def _store_tiles(self, checkpoint: StoredCheckpoint | None) -> None:
        if self._unstored or checkpoint is not None:
            self._store.grow(self._unstored, checkpoint)
            self._unstored = []


def _check_holds(last: StoredCheckpoint, growth: TreeGrowth, store: Store) -> None:
    """Check that what is stored is still what was signed last."""
    if last.size > growth.size:
        raise TreeBrokenError(f"{last.size} lines were signed, and {growth.size} are stored")
    if read_checkpoint(last.note).root != root(last.size, Tiles(store).subtree):
        raise TreeBrokenError(f"the first {last.size} lines are not those that were signed")

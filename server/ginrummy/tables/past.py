"""What has happened at a table: its last steps in memory, and the way to those in the log alone."""

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence

import msgspec

from ginrummy.log.deck import SecretChain
from ginrummy.log.fold import Decks
from ginrummy.log.lines import MatchLine
from ginrummy.rules.match import Match
from ginrummy.store import Store
from ginrummy.tables.errors import NoSuchEventError
from ginrummy.tables.opening import history

__all__ = ["Past", "Step"]


class Step(msgspec.Struct, gc=False):
    """A stored line, and the match after it. Neither changes."""

    line: MatchLine
    match: Match
    told: bytes = b""
    """What everybody is told of it, kept here by whoever tells the first of them."""


class Past:
    """The steps of one match, of which the last ones are in memory."""

    __slots__ = ("_decks", "_match_id", "_recent", "_secrets", "_store", "seq")

    def __init__(self, match_id: str, store: Store, secrets: SecretChain, decks: Decks) -> None:
        """Start before the first step."""
        self._match_id = match_id
        self._store = store
        self._secrets = secrets
        self._decks = decks
        self._recent: deque[Step] = deque()
        self.seq = 0
        """The number of the last step."""

    def __len__(self) -> int:
        """Return how many steps are in memory."""
        return len(self._recent)

    def add(self, steps: Sequence[Step], kept: int) -> None:
        """Take in the next steps, and let go of all but the last `kept`."""
        self._recent.extend(steps)
        self.seq = steps[-1].line.seq
        while len(self._recent) > kept:
            self._recent.popleft()

    def holds_after(self, seq: int) -> bool:
        """Say whether `after` needs no reading of the log."""
        return seq >= self.seq or (bool(self._recent) and self._recent[0].line.seq <= seq + 1)

    async def after(self, seq: int) -> list[Step]:
        """Return all steps after number `seq` up to the last one, from memory or from the log."""
        found: list[Step] = []
        while not self.holds_after(seq):
            found += await asyncio.to_thread(self._read_after, seq)
            # The log may be ahead of the table, by what is just being stored.
            while found[-1].line.seq > self.seq:
                found.pop()
            seq = found[-1].line.seq
        recent = [self._recent[-back] for back in range(self.seq - seq, 0, -1)]
        return found + recent if found else recent

    async def at(self, seq: int) -> Step:
        """Return the step of event `seq`.

        Raises NoSuchEventError for a number that the match has not reached.
        """
        if not 1 <= seq <= self.seq:
            raise NoSuchEventError(seq, self.seq)
        if self._recent and self._recent[0].line.seq <= seq:
            return self._recent[seq - self.seq - 1]
        return await asyncio.to_thread(
            lambda: next(step for step in self._read(seq) if step.line.seq == seq)
        )

    def _read_after(self, seq: int) -> list[Step]:
        return [step for step in self._read(seq + 1) if step.line.seq > seq]

    def _read(self, first: int) -> Iterator[Step]:
        """Yield the steps from number `first` on, or from before it."""
        for each in history(self._store, self._match_id, self._secrets, self._decks, first):
            yield Step(*each)

"""The processes that share a store: what one of them hears of the others, and who has which duty.

Any process may serve any match. Some work is for one process at a time: to look after clocks that
nobody else looks after, to sign the log, to run tournaments. Each of these duties is held by one,
for as long as it is there; when it dies another one takes over. That is a matter of economy: two
that held the same duty for a moment would find each other's lines in the log, and store nothing
twice.
"""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Literal, Protocol, TypeAlias

__all__ = ["DUTIES", "LONGEST_WORDS", "Duty", "LoneMember", "Membership", "Ring", "taken_from"]

Duty: TypeAlias = Literal["clocks", "notary", "tournaments"]
"""What only one process does at a time."""

DUTIES: tuple[Duty, ...] = ("clocks", "notary", "tournaments")

Ring: TypeAlias = Callable[[], None]

LONGEST_WORDS = 3800
"""Bytes that one process tells the others in one piece, in UTF-8: what a pipe takes whole."""


class Membership(Protocol):
    """A process among those that share a store. Any thread may ask it at any time."""

    @property
    def is_shared(self) -> bool:
        """Whether there may be other processes."""

    @property
    def is_first(self) -> bool:
        """Whether nobody else was there when this process came."""

    @property
    def away(self) -> float:
        """For how many seconds the store has not been reached; 0 while it is."""

    def has(self, duty: Duty) -> bool:
        """Say whether a duty is this process's."""

    def tell(self, words: Sequence[bytes]) -> None:
        """Let the other processes that are there hear these words; nothing of it is stored.

        They hear them in their order, and their `ring` rings. Words may be lost on the way. Raises
        StoreError where they certainly are.
        """

    def overheard(self) -> list[bytes]:
        """Return what others have told since this was asked last."""

    def close(self) -> None:
        """Leave, and give all duties up."""


def taken_from(words: deque[bytes]) -> list[bytes]:
    """Take all words out of what another thread may be adding to, the oldest first."""
    found = []
    with suppress(IndexError):
        while True:
            found.append(words.popleft())
    return found


class LoneMember:
    """The one process of a store that is not shared: all duties are its own."""

    is_shared = False
    is_first = True
    away = 0.0

    def has(self, duty: Duty) -> bool:  # noqa: ARG002 -- it has all of them
        """See `Membership.has`."""
        return True

    def tell(self, words: Sequence[bytes]) -> None:
        """See `Membership.tell`."""

    def overheard(self) -> list[bytes]:
        """See `Membership.overheard`."""
        return []

    def close(self) -> None:
        """See `Membership.close`."""

"""Playing on by itself: at what pace, and when the next event is due."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

import msgspec

__all__ = ["PACES", "Pace", "Player", "Stoppable", "Timer"]


class Pace(msgspec.Struct, frozen=True):
    """How long each event is shown."""

    name: str
    seconds: float


PACES = (Pace("slow", 2.4), Pace("steady", 1.2), Pace("brisk", 0.6), Pace("fast", 0.25))


class Stoppable(Protocol):
    """A call that is due, and can be called off."""

    def stop(self) -> None:
        """Call it off."""


Timer: TypeAlias = Callable[[float, Callable[[], None]], Stoppable]
"""Makes a call after so many seconds, once."""


class Player:
    """Steps on by itself, until it is stopped or there is nothing more."""

    def __init__(self, timer: Timer, step: Callable[[], bool]) -> None:
        """Take a timer, and what goes on by one event and says whether there are more."""
        self._timer = timer
        self._step = step
        self._due: Stoppable | None = None
        self.is_playing = False
        """Whether it goes on by itself."""
        self.pace = PACES[1]

    def start(self) -> None:
        """Show the present event for as long as every other one, and go on."""
        self.stop()
        self.is_playing = True
        self._due = self._timer(self.pace.seconds, self._on)

    def stop(self) -> None:
        """Stay at the present event."""
        if self._due is not None:
            self._due.stop()
        self._due, self.is_playing = None, False

    def change_pace(self, by: int) -> None:
        """Go on faster, or slower where `by` is negative."""
        index = PACES.index(self.pace) + by
        self.pace = PACES[max(0, min(index, len(PACES) - 1))]
        if self.is_playing:
            self.start()

    def _on(self) -> None:
        # While it steps it is playing still: what is shown then says so.
        self._due = None
        if self._step():
            self.start()
        else:
            self.stop()

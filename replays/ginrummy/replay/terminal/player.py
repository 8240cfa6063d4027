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
        self.pace = PACES[1]

    @property
    def is_playing(self) -> bool:
        """Whether a step is due."""
        return self._due is not None

    def start(self) -> None:
        """Show the present event for as long as every other one, and go on."""
        self.stop()
        self._due = self._timer(self.pace.seconds, self._on)

    def stop(self) -> None:
        """Stay at the present event."""
        if self._due is not None:
            self._due.stop()
        self._due = None

    def change_pace(self, by: int) -> None:
        """Go on faster, or slower where `by` is negative."""
        index = PACES.index(self.pace) + by
        self.pace = PACES[max(0, min(index, len(PACES) - 1))]
        if self.is_playing:
            self.start()

    def _on(self) -> None:
        self._due = None
        if self._step():
            self.start()

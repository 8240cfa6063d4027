"""What a check has found so far, while it goes through the lines: of a match, of a tournament.

A check names its own kinds of checks and writes its own faults; keeping and counting them is here.
"""

from collections import Counter
from typing import Generic, TypeVar

__all__ = ["Notebook"]

NameT = TypeVar("NameT", bound=str)
FaultT = TypeVar("FaultT")

_LISTED = 50
"""Faults of one check that are listed; a file that is wrong throughout must not fill the memory."""


class Notebook(Generic[NameT, FaultT]):
    """Faults, each under the name of a check, and how often each check was made."""

    def __init__(self) -> None:
        self.counts: Counter[NameT] = Counter()
        """How often each check was made."""
        self.faults: list[FaultT] = []
        self.left_out = 0
        """Faults beyond those that are listed."""
        self._found: Counter[NameT] = Counter()

    def note(self, check: NameT, fault: FaultT) -> None:
        """Note a fault that a check has found."""
        self._found[check] += 1
        if self._found[check] > _LISTED:
            self.left_out += 1
        else:
            self.faults.append(fault)

    def failed(self, check: NameT) -> int:
        """Return how many faults a check has found."""
        return self._found[check]

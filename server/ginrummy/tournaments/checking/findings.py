"""What a check of a tournament has found so far, while it goes through the lines."""

from collections import Counter

from ginrummy.tournaments.checking.report import CheckName, Fault

__all__ = ["Findings"]

_LISTED = 50
"""Faults of one check that are listed; a file that is wrong throughout must not fill the memory."""


class Findings:
    """A notebook: the faults, and how often each check was made."""

    def __init__(self) -> None:
        self.counts: Counter[CheckName] = Counter()
        """How often each check was made."""
        self.faults: list[Fault] = []
        self.left_out = 0
        """Faults beyond those that are listed."""
        self._found: Counter[CheckName] = Counter()

    def fault(self, check: CheckName, seq: int, message: str) -> None:
        """Note a fault at event `seq`."""
        self._found[check] += 1
        if self._found[check] > _LISTED:
            self.left_out += 1
        else:
            self.faults.append(Fault(check, seq, message))

    def failed(self, check: CheckName) -> int:
        """Return how many faults a check has found."""
        return self._found[check]

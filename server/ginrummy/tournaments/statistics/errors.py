"""What the statistics can refuse, as one small tree.

StatisticsError
├── NoBoardsError         a figure was asked for before there was a result
├── NotComparableError    entrants whom no chain of results connects (who)
└── InvalidSprtError      a sequential test that cannot be (field, why)
"""

from collections.abc import Sequence

__all__ = ["InvalidSprtError", "NoBoardsError", "NotComparableError", "StatisticsError"]


class StatisticsError(Exception):
    """Anything that the statistics refuse."""


class NoBoardsError(StatisticsError):
    """A figure that needs more boards than there are."""

    def __init__(self, needed: int, present: int) -> None:
        super().__init__(f"needs {needed} boards, and there are {present}")
        self.needed = needed
        self.present = present


class NotComparableError(StatisticsError):
    """Entrants who have won all against the others, lost all, or never met them."""

    def __init__(self, who: Sequence[str]) -> None:
        super().__init__(f"{', '.join(who)}: results do not lead from the others to these and back")
        self.who = tuple(who)
        """Those whose strength the results do not fix."""


class InvalidSprtError(StatisticsError):
    """A sequential test with a field that is unknown, out of range, or contradicts another."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field}: {why}")
        self.field = field
        """The field that is wrong."""
        self.why = why
        """What is wrong with it, and what would be right."""

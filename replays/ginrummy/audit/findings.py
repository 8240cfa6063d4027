"""What an audit has found so far, while it goes through the lines."""

from ginrummy.audit.report import CheckName, Fault, Unchecked
from ginrummy.reporting.notebook import Notebook

__all__ = ["Findings"]


class Findings(Notebook[CheckName, Fault]):
    """A notebook: faults, how often each check was made, and which events it had to leave out."""

    def __init__(self) -> None:
        super().__init__()
        self.unchecked: list[Unchecked] = []

    def fault(self, check: CheckName, seq: int, message: str, rule: str = "") -> None:
        """Note a fault at event `seq`."""
        self.note(check, Fault(check, seq, rule, message))

    def leave_out(self, first: int, last: int, why: str) -> None:
        """Note that the events from `first` to `last` could not be judged."""
        if first <= last:
            self.unchecked.append(Unchecked(first, last, why))

"""What a check of a tournament has found so far, while it goes through the lines."""

from ginrummy.reporting.notebook import Notebook
from ginrummy.tournaments.checking.report import CheckName, Fault

__all__ = ["Findings"]


class Findings(Notebook[CheckName, Fault]):
    """A notebook: the faults, and how often each check was made."""

    def fault(self, check: CheckName, seq: int, message: str) -> None:
        """Note a fault at event `seq`."""
        self.note(check, Fault(check, seq, message))

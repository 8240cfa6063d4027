"""The score sheet: what each hand, and each ruling, has changed of the score."""

import msgspec

from ginrummy.rules.cards import BySeat
from ginrummy.rules.events import Event, HandScored, HandVoided
from ginrummy.rules.match import Gathering, Match

__all__ = ["ScoreSheet", "SheetRow"]


class SheetRow(msgspec.Struct, frozen=True):
    """A hand that is over, or a ruling."""

    seq: int
    """The event that did it."""
    hand: int | None
    """The hand's number; None for a ruling."""
    kind: str
    """`knock`, `undercut`, `gin`, `big_gin`, `void` or `ruling`."""
    gains: BySeat[int]
    """By how many points each seat's score has changed."""
    totals: BySeat[int]
    """What each seat has after it."""


class ScoreSheet:
    """The rows so far, added up from the score itself."""

    def __init__(self) -> None:
        """Begin with a match that has not begun."""
        self.rows: list[SheetRow] = []
        self._points: BySeat[int] | None = None

    def add(self, seq: int, event: Event, match: Match) -> None:
        """Add an event and the match after it: a row where it is over a hand, or over a score."""
        if isinstance(match, Gathering):
            return
        totals = match.score.points
        # Not every match begins with nothing.
        before = totals if self._points is None else self._points
        gains = BySeat(totals[0] - before[0], totals[1] - before[1])
        self._points = totals
        if isinstance(event, HandScored | HandVoided):
            kind = "void" if isinstance(event, HandVoided) else event.kind
            self.rows.append(SheetRow(seq, event.hand, kind, gains, totals))
        elif any(gains):
            self.rows.append(SheetRow(seq, None, "ruling", gains, totals))

"""The score sheet: what each hand, and each ruling, has changed of the score."""

import msgspec

from ginrummy.replay.stepping import Position
from ginrummy.rules.cards import BySeat
from ginrummy.rules.events import HandScored, HandVoided
from ginrummy.rules.view import view

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
        """Begin with nobody having scored."""
        self.rows: list[SheetRow] = []

    def add(self, position: Position) -> None:
        """Add the next position of the match: a row where its event is over a hand or a score."""
        line, totals = position.line, view(position.match, "public").score.points
        before = self.rows[-1].totals if self.rows else BySeat(0, 0)
        gains = BySeat(totals[0] - before[0], totals[1] - before[1])
        if isinstance(line.event, HandScored | HandVoided):
            kind = "void" if isinstance(line.event, HandVoided) else line.event.kind
            self.rows.append(SheetRow(line.seq, line.event.hand, kind, gains, totals))
        elif any(gains):
            self.rows.append(SheetRow(line.seq, None, "ruling", gains, totals))

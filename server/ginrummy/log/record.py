"""Where the hands of a match lie in its log, and what they brought: what a dispute can be about."""

from collections.abc import Iterable

from ginrummy.log.lines import read_line
from ginrummy.rules.disputes.commands import Disputed
from ginrummy.rules.disputes.events import HandPoints
from ginrummy.rules.events import Event, HandDealt, HandScored, HandVoided, MatchEnded

__all__ = ["Record", "record_of"]


class Record:
    """The hands of a match as far as its events have been added, and its end."""

    __slots__ = ("_hands", "_under_way", "end")

    def __init__(self) -> None:
        """Start before the match's first event."""
        self.end: int | None = None
        """The number of the event with which the match ended; None before that."""
        self._hands: dict[int, Disputed] = {}
        self._under_way: tuple[int, int] | None = None

    def add(self, seq: int, event: Event) -> None:
        """Add the next event, of that number."""
        match event:
            case HandDealt(hand=hand):
                self._under_way = hand, seq
            case HandScored(winner=winner, points=points):
                self._close(seq, HandPoints(winner, points))
            case HandVoided():
                self._close(seq, None)
            case MatchEnded():
                self.end = seq
                self._close(seq, None)
            case _:
                pass

    def _close(self, seq: int, scored: HandPoints | None) -> None:
        if self._under_way is not None:
            hand, first = self._under_way
            self._hands[hand] = Disputed(hand, first, seq, scored)
            self._under_way = None

    def about(self, hand: int | None) -> Disputed | None:
        """Return what the log has of a hand, or of the match as a whole where none is named.

        None for a hand that is not over or was never dealt, and for a match that has not ended.
        """
        if hand is not None:
            return self._hands.get(hand)
        return None if self.end is None else Disputed(None, 1, self.end, None)

    def hand_at(self, seq: int) -> int | None:
        """Return the number of the hand that an event is of; None for one that is of none."""
        for hand, about in self._hands.items():
            if about.first <= seq <= about.last:
                return hand
        return None


def record_of(lines: Iterable[bytes]) -> Record:
    """Return what the lines of a match have of its hands. Raises LineError as `read_line` does."""
    record = Record()
    for raw in lines:
        line = read_line(raw)
        record.add(line.seq, line.event)
    return record

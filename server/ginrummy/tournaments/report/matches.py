"""What a report tells of a match: its hands, from the match's own lines."""

import msgspec

from ginrummy.log.errors import LineError
from ginrummy.log.lines import read_line
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.events import HandDealt, HandScored, HandVoided, MatchEnded
from ginrummy.rules.match.states import Score, scored
from ginrummy.tournaments.report.errors import ReportError

__all__ = ["HandRecord", "MatchReader", "MatchRecord"]


class HandRecord(msgspec.Struct, frozen=True):
    """One hand of a match."""

    number: int
    dealer: Seat
    result: HandScored | HandVoided | None
    """None for a hand that the match's end cut short."""
    points: BySeat[int]
    """The match's account after it, in points of the hands."""


class MatchRecord(msgspec.Struct, frozen=True):
    """A match as far as its lines go."""

    hands: tuple[HandRecord, ...]
    end: MatchEnded | None


class MatchReader:
    """Takes a match's lines one by one, and remembers what a report tells of them."""

    _TOLD = frozenset(("hand_dealt", "hand_scored", "hand_voided", "match_ended"))

    def __init__(self) -> None:
        self._hands: list[HandRecord] = []
        self._score = Score()
        self._dealt: HandDealt | None = None
        self._end: MatchEnded | None = None

    def add(self, raw: bytes) -> None:
        """Take the next line. Raises ReportError for one that is no line of a match."""
        try:
            # Most lines are moves, of which nothing is told.
            if _read_kind(raw).type not in self._TOLD:
                return
            event = read_line(raw).event
        except (LineError, msgspec.DecodeError) as error:
            raise ReportError(f"a match's log cannot be read: {error}") from error
        match event:
            case HandDealt():
                self._dealt = event
            case HandScored() | HandVoided():
                self._score = scored(self._score, event)
                self._close(event)
            case MatchEnded():
                self._end = event
            case _:
                pass

    def record(self) -> MatchRecord:
        """Return what the lines so far have told."""
        hands = [*self._hands]
        if self._dealt is not None:
            hands.append(self._hand(self._dealt, None))
        return MatchRecord(tuple(hands), self._end)

    def _close(self, result: HandScored | HandVoided) -> None:
        if self._dealt is None:
            raise ReportError(f"hand {result.hand} ends without having been dealt")
        self._hands.append(self._hand(self._dealt, result))
        self._dealt = None

    def _hand(self, dealt: HandDealt, result: HandScored | HandVoided | None) -> HandRecord:
        return HandRecord(dealt.hand, dealt.dealer, result, self._score.points)


class _Kind(msgspec.Struct):
    """As much of a line as says what it tells of."""

    type: str


_read_kind = msgspec.json.Decoder(_Kind).decode

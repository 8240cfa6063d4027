"""A table as one pair of eyes sees it: its events and its view as messages."""

from collections.abc import Iterable

from ginrummy.api.event_messages import event_message
from ginrummy.api.view_messages import legal_message, view_message
from ginrummy.rules.match import Instant, Match
from ginrummy.rules.view import Perspective, drawn_card, view
from ginrummy.tables.table import Step, Table
from ginrummy.v1 import events_pb2, match_pb2

__all__ = ["Sight"]


class Sight:
    """What may be told of a table to whoever looks from one perspective."""

    __slots__ = ("_perspective", "_table")

    def __init__(self, table: Table, perspective: Perspective) -> None:
        self._table = table
        self._perspective = perspective

    def event(self, step: Step) -> events_pb2.Event:
        """Return one event, with the card that it gave to this seat alone."""
        return event_message(step.line, drawn_card(step.match, step.line.event, self._perspective))

    def events(self, steps: Iterable[Step]) -> list[events_pb2.Event]:
        """Return some events, in their order."""
        return [self.event(step) for step in steps]

    def view(self) -> match_pb2.View:
        """Return the view of the match as it stands, at this moment."""
        table = self._table
        return self._view(table.match, table.seq, table.head_hash, table.now())

    def view_after(self, step: Step) -> match_pb2.View:
        """Return the view as it was after a step, at the moment when that happened."""
        line = step.line
        return self._view(step.match, line.seq, line.hash, line.at)

    def _view(self, match: Match, seq: int, head_hash: str, now: Instant) -> match_pb2.View:
        return view_message(
            view(match, self._perspective),
            match_id=self._table.match_id,
            seq=seq,
            head_hash=head_hash,
            now=now,
            connected=self._table.news.connected,
        )

    def legal(self) -> match_pb2.LegalMoves | None:
        """Return what this seat can decide now, or None where it is not to decide."""
        seen = view(self._table.match, self._perspective)
        if seen.hand is None or not seen.hand.legal:
            return None
        return legal_message(seen.hand.legal)

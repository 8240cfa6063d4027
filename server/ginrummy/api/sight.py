"""A table as one pair of eyes sees it: its events and its view as messages."""

from collections.abc import Iterable

from ginrummy.api.event_messages import event_message, fill_event
from ginrummy.api.view_messages import Standing, fill_view, legal_message, view_message
from ginrummy.rules.view import Perspective, drawn_card, view
from ginrummy.tables.table import Step, Table
from ginrummy.v1 import events_pb2, match_pb2
from ginrummy.v1.match_service_pb2 import PlayResponse

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
        return view_message(view(self._table.match, self._perspective), self._standing())

    def view_after(self, step: Step) -> match_pb2.View:
        """Return the view as it was after a step, at the moment when that happened."""
        table, line = self._table, step.line
        standing = Standing(table.match_id, line.seq, line.hash, line.at, table.news.connected)
        return view_message(view(step.match, self._perspective), standing)

    def tell(self, message: PlayResponse, steps: Iterable[Step]) -> None:
        """Write into a message what has happened, and the view of the match as it stands.

        Everything is written in its place: to copy parts in would cost as much as to make them.
        """
        perspective, events = self._perspective, message.events
        for step in steps:
            line = step.line
            fill_event(events.add(), line, drawn_card(step.match, line.event, perspective))
        fill_view(message.view, view(self._table.match, perspective), self._standing())

    def _standing(self) -> Standing:
        table = self._table
        return Standing(
            table.match_id, table.seq, table.head_hash, table.now(), table.news.connected
        )

    def legal(self) -> match_pb2.LegalMoves | None:
        """Return what this seat can decide now, or None where it is not to decide."""
        seen = view(self._table.match, self._perspective)
        if seen.hand is None or not seen.hand.legal:
            return None
        return legal_message(seen.hand.legal)

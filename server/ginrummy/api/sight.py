"""A table as one pair of eyes sees it: its events and its view, as messages or as their bytes."""

from collections.abc import Iterable
from typing import NamedTuple

from google.protobuf.message import Message

from ginrummy.api.event_messages import with_drawn, written_event
from ginrummy.api.view_messages import Standing, legal_message, view_message, written_view
from ginrummy.api.written import key, part
from ginrummy.rules.view import Perspective, drawn_card, view
from ginrummy.tables.table import Step, Table
from ginrummy.v1 import match_pb2

__all__ = ["Answer", "Sight"]


class Answer(NamedTuple):
    """The keys of a message that says what has happened, and how the match stands after it."""

    events: bytes
    view: bytes

    @classmethod
    def of(cls, message: type[Message]) -> "Answer":
        """Return those of a message with the fields `events` and `view`."""
        return cls(key(message, "events"), key(message, "view"))


class Sight:
    """What may be told of a table to whoever looks from one perspective."""

    __slots__ = ("_perspective", "_table")

    def __init__(self, table: Table, perspective: Perspective) -> None:
        self._table = table
        self._perspective = perspective

    def event(self, step: Step) -> bytes:
        """Return the bytes of one event, with the card that it gave to this seat alone."""
        if not step.told:
            step.told = written_event(step.line)
        return with_drawn(step.told, drawn_card(step.match, step.line.event, self._perspective))

    def view(self) -> match_pb2.View:
        """Return the view of the match as it stands, at this moment."""
        return match_pb2.View.FromString(self.written_view())

    def written_view(self) -> bytes:
        """Return the bytes of what `view` returns."""
        table = self._table
        standing = Standing(
            table.match_id, table.seq, table.head_hash, table.now(), table.news.connected
        )
        return written_view(view(table.match, self._perspective), standing)

    def view_after(self, step: Step) -> match_pb2.View:
        """Return the view as it was after a step, at the moment when that happened."""
        return view_message(view(step.match, self._perspective), self._standing_after(step))

    def told(self, answer: Answer, steps: Iterable[Step]) -> bytes:
        """Return the bytes of a message: what has happened, and the match as it stands."""
        return self.told_events(answer, steps) + part(answer.view, self.written_view())

    def told_after(self, answer: Answer, steps: tuple[Step, ...]) -> bytes:
        """Return the same with the match as it stood after the last of the steps."""
        last = steps[-1]
        seen = written_view(view(last.match, self._perspective), self._standing_after(last))
        return self.told_events(answer, steps) + part(answer.view, seen)

    def told_events(self, answer: Answer, steps: Iterable[Step]) -> bytes:
        """Return the bytes of a message that says only what has happened."""
        return b"".join([part(answer.events, self.event(step)) for step in steps])

    def _standing_after(self, step: Step) -> Standing:
        line = step.line
        return Standing(
            self._table.match_id, line.seq, line.hash, line.at, self._table.news.connected
        )

    def legal(self) -> match_pb2.LegalMoves | None:
        """Return what this seat can decide now, or None where it is not to decide."""
        seen = view(self._table.match, self._perspective)
        if seen.hand is None or not seen.hand.legal:
            return None
        return legal_message(seen.hand.legal)

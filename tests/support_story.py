"""What an honest server tells a seat or a spectator of a table, as messages."""

from support_logs import Table

from ginrummy.api.event_messages import event_message
from ginrummy.api.view_messages import Standing, view_message
from ginrummy.log.fold import Fold
from ginrummy.log.lines import MatchLine
from ginrummy.rules.match import Match
from ginrummy.rules.view import Perspective, drawn_card, view
from ginrummy.v1 import events_pb2, match_pb2, match_service_pb2

__all__ = ["Story"]


class Story:
    """A table's lines with the match after each, as messages for one seat or a spectator."""

    def __init__(self, table: Table, perspective: Perspective = 0) -> None:
        self.table = table
        self.perspective: Perspective = perspective
        self._fold = Fold(table.secrets)
        self._matches: list[Match] = []

    def match_after(self, line: MatchLine) -> Match:
        """Return the match as it stood after a line, all cards known."""
        for later in self.table.lines[len(self._matches) :]:
            self._matches.append(self._fold.add(later))
        return self._matches[line.seq - 1]

    def event(self, line: MatchLine) -> events_pb2.Event:
        """Return a line as a message."""
        drawn = drawn_card(self.match_after(line), line.event, self.perspective)
        return event_message(line, drawn)

    def events(self, after_seq: int = 0) -> list[events_pb2.Event]:
        """Return the events after a number."""
        return [self.event(line) for line in self.table.lines[after_seq:]]

    def view(self, line: MatchLine | None = None) -> match_pb2.View:
        """Return the view as it was after a line, the last one unless said."""
        line = line or self.table.lines[-1]
        return view_message(
            view(self.match_after(line), self.perspective),
            Standing(self.table.stream, line.seq, line.hash, self.table.at, (True, True)),
        )

    def response(self, after_seq: int = 0) -> match_service_pb2.PlayResponse:
        """Return what a Play stream says that has told everything up to a number."""
        return match_service_pb2.PlayResponse(events=self.events(after_seq), view=self.view())

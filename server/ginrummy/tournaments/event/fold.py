"""From stored lines to the tournament they tell."""

from ginrummy.log.lines import GENESIS, Line, read_line
from ginrummy.log.upcast import Forms
from ginrummy.tournaments.event.events import EVENT_TYPES, TournamentEvent
from ginrummy.tournaments.event.evolution import evolve
from ginrummy.tournaments.event.old_forms import OLD_FORMS
from ginrummy.tournaments.event.states import Tournament

__all__ = ["FORMS", "TournamentFold", "TournamentLine", "read_tournament_line"]

TournamentLine = Line[TournamentEvent]
"""A stored line of a tournament's stream."""

FORMS: Forms[TournamentEvent] = Forms(EVENT_TYPES, OLD_FORMS)
"""Every form of every event of a tournament."""


def read_tournament_line(raw: bytes) -> TournamentLine:
    """Return the line that `raw` stores; raises as `ginrummy.log.lines.read_line` does."""
    return read_line(raw, FORMS)


class TournamentFold:
    """A tournament as far as its lines have been added. It checks no chain: an audit does."""

    __slots__ = ("hash", "seq", "tournament")

    def __init__(self) -> None:
        """Start before the first line."""
        self.tournament: Tournament | None = None
        self.seq = 0
        """The last line's number."""
        self.hash = GENESIS
        """The last line's hash."""

    def add(self, line: TournamentLine) -> Tournament:
        """Add the next line and return the tournament after it.

        Raises ValueError for a line that cannot follow.
        """
        self.tournament = evolve(self.tournament, line.event, line.at, line.stream, line.by)
        self.seq, self.hash = line.seq, line.hash
        return self.tournament

    def copy(self) -> "TournamentFold":
        """Return a fold that can go its own way from here."""
        draft = TournamentFold()
        draft.tournament, draft.seq, draft.hash = self.tournament, self.seq, self.hash
        return draft

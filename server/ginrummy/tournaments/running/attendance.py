"""Who is there: the programs that wait for tables, and the tables they were called to.

A program's run is a session, whatever happens to its connection. A session that is lost may come
back under its name for a while; a program that was started anew is another session, and what the
old one left in the middle is lost.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from ginrummy.rules.cards import Seat
from ginrummy.rules.match import Instant
from ginrummy.tournaments.running.bell import Bell
from ginrummy.tournaments.running.errors import TooManyTablesError

__all__ = ["MOST_TABLES", "Attendance", "Call", "Session"]

MOST_TABLES = 100
"""The most tables that one session sits at at once."""


class Call(msgspec.Struct, frozen=True):
    """A call to a table."""

    match_id: str
    seat: Seat
    round: int
    table: int
    board: int
    """The board's number; 0 where no boards are played."""
    opponent: str
    """The opponent's name."""


class Session:
    """One run of a program: how many tables it takes, and those that it was called to."""

    __slots__ = ("calls", "ended", "entrant", "held", "id", "lost_at", "streams", "tables")

    def __init__(self, entrant: str, session_id: str, tables: int) -> None:
        self.entrant = entrant
        self.id = session_id
        self.tables = tables
        self.held: set[str] = set()
        """The matches that it is meant for, called to or about to be."""
        self.calls: dict[str, Call] = {}
        """The calls to tables that are not over, by the match's id."""
        self.streams = 0
        """How many connections it has open; a new one may come before the old one is noticed."""
        self.lost_at: Instant | None = None
        """Since when it has none."""
        self.ended = False
        """It will not come back."""

    @property
    def free(self) -> int:
        """How many more tables it can be called to."""
        return self.tables - len(self.held) if self.streams and not self.ended else 0


class Attendance:
    """All sessions of one tournament's entrants, in this process."""

    def __init__(self, bell: Bell, clock: Callable[[], Instant]) -> None:
        """Ring `bell` whenever somebody comes, goes, or is called."""
        self._bell = bell
        self._clock = clock
        self._since = clock()
        self._sessions: dict[str, dict[str, Session]] = {}
        self._left_at: dict[str, Instant] = {}

    def begin_anew(self) -> None:
        """Wait from now on for those who are not there."""
        self._since = self._clock()

    # --- coming and going -------------------------------------------------------------------

    @contextmanager
    def attending(self, entrant: str, session_id: str, tables: int) -> Iterator[Session]:
        """Count a session as there while the context is open.

        Raises TooManyTablesError for a number of tables that cannot be.
        """
        if not 1 <= tables <= MOST_TABLES:
            raise TooManyTablesError(tables, MOST_TABLES)
        session = self._sessions.setdefault(entrant, {}).get(session_id)
        if session is None or session.ended:
            session = self._sessions[entrant][session_id] = Session(entrant, session_id, tables)
        session.tables = tables
        session.streams += 1
        session.lost_at = None
        self._bell.ring()
        try:
            yield session
        finally:
            session.streams -= 1
            if not session.streams:
                session.lost_at = self._clock()
                self._left_at[entrant] = session.lost_at
                if not session.held:
                    self._forget(session)
            self._bell.ring()

    def _forget(self, session: Session) -> None:
        own = self._sessions[session.entrant]
        if own.get(session.id) is session:
            del own[session.id]

    def end_session(self, entrant: str, session_id: str) -> None:
        """Note that a session will not come back; what it was called to is lost now."""
        session = self._sessions.get(entrant, {}).get(session_id)
        if session is not None:
            session.ended = True
            session.lost_at = session.lost_at or self._clock()
            self._bell.ring()

    # --- who is there -----------------------------------------------------------------------

    def is_there(self, entrant: str) -> bool:
        """Say whether any session of the entrant has a connection."""
        return any(
            each.streams and not each.ended for each in self._sessions.get(entrant, {}).values()
        )

    def absent_since(self, entrant: str) -> Instant | None:
        """Return since when nobody is there for the entrant; None where somebody is."""
        if self.is_there(entrant):
            return None
        return self._left_at.get(entrant, self._since)

    def was_there(self, entrant: str) -> bool:
        """Say whether the entrant has been there at all since the server began to wait."""
        return entrant in self._left_at or self.is_there(entrant)

    def free_session(self, entrant: str) -> Session | None:
        """Return the entrant's session that can take most tables more, or None."""
        sessions = [each for each in self._sessions.get(entrant, {}).values() if each.free]
        return max(sessions, key=lambda each: each.free, default=None)

    # --- calls ------------------------------------------------------------------------------

    def hold(self, session: Session, match_id: str) -> None:
        """Keep one of a session's tables for a match that is about to be opened."""
        session.held.add(match_id)

    def call(self, session: Session, call: Call) -> None:
        """Call a session to a table."""
        session.calls[call.match_id] = call
        self._bell.ring()

    def release(self, session: Session, match_id: str) -> None:
        """Note that a table is over."""
        session.calls.pop(match_id, None)
        session.held.discard(match_id)
        if not session.held and not session.streams:
            self._forget(session)
        self._bell.ring()

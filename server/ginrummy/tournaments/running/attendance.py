"""Who is there: the programs that wait for tables, and the tables they were called to.

A program's run is a session, whatever happens to its connection. A session that is lost may come
back under its name for a while; a program that was started anew is another session, and what the
old one left in the middle is lost.

Sessions may be at any server, and the tournament is run by one: by word of mouth each server says
which sessions are connected to it, and the one that runs the tournament says who is called. So all
of them know the same, and whichever runs the tournament next finds everybody there.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import msgspec

from ginrummy.rules.cards import Seat
from ginrummy.rules.match import Instant
from ginrummy.store import Hearsay
from ginrummy.store.hearsay import Key
from ginrummy.tournaments.running.bell import Bell
from ginrummy.tournaments.running.errors import TooManyTablesError
from ginrummy.tournaments.running.pace import Progress

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

    __slots__ = (
        "calls",
        "elsewhere",
        "ended",
        "entrant",
        "heard",
        "held",
        "id",
        "lost_at",
        "streams",
        "tables",
    )

    def __init__(self, entrant: str, session_id: str, tables: int) -> None:
        self.entrant = entrant
        self.id = session_id
        self.tables = tables
        self.held: set[str] = set()
        """The matches that it is meant for, called to or about to be."""
        self.calls: dict[str, Call] = {}
        """The calls to tables that are not over, by the match's id; those made by this server."""
        self.heard: dict[tuple[str, str], Call] = {}
        """The calls that other servers have made, by who says so and the match's id."""
        self.streams = 0
        """How many connections it has open; a new one may come before the old one is noticed."""
        self.elsewhere: set[str] = set()
        """The other servers that it is connected to."""
        self.lost_at: Instant | None = None
        """Since when it has none."""
        self.ended = False
        """It will not come back."""

    @property
    def is_connected(self) -> bool:
        """Whether it has a connection, to whichever server."""
        return bool(self.streams or self.elsewhere)

    @property
    def free(self) -> int:
        """How many more tables it can be called to."""
        return self.tables - len(self.held) if self.is_connected and not self.ended else 0

    @property
    def open_calls(self) -> dict[str, Call]:
        """All calls to tables that are not over, by the match's id."""
        return {call.match_id: call for call in self.heard.values()} | self.calls


class Attendance:
    """All sessions of one tournament's entrants."""

    def __init__(
        self,
        bell: Bell,
        clock: Callable[[], Instant],
        tournament_id: str = "",
        hearsay: Hearsay | None = None,
    ) -> None:
        """Ring `bell` whenever somebody comes, goes, or is called.

        Where there are other servers, what there is to say of the tournament goes by `hearsay`,
        and what they say of it is to be brought to `hear`.
        """
        self._bell = bell
        self._clock = clock
        self._stream = tournament_id
        self._hearsay = hearsay or Hearsay()
        self._since = clock()
        self._sessions: dict[str, dict[str, Session]] = {}
        self._left_at: dict[str, Instant] = {}
        self._progress: dict[str, Progress] = {}
        # Sessions first: what is said of them afterwards finds them.
        for key, said in sorted(self._hearsay.said_of(tournament_id).items(), key=_sessions_first):
            for by, what in said.items():
                self.hear(key, by, what)

    def begin_anew(self) -> None:
        """Call everybody from here from now on, and wait for those who are not there."""
        self._since = self._clock()
        for session in self._every_session():
            session.held.clear()
        self.withdraw_calls()

    def withdraw_calls(self) -> None:
        """Call nobody from here any more: another server does."""
        for session in self._every_session():
            for match_id in list(session.calls):
                self._withdraw(session, match_id)

    def _every_session(self) -> list[Session]:
        return [each for own in self._sessions.values() for each in own.values()]

    def _say(self, key: Key, what: str | None) -> None:
        self._hearsay.say(self._stream, key, what)

    # --- coming and going -------------------------------------------------------------------

    @contextmanager
    def attending(self, entrant: str, session_id: str, tables: int) -> Iterator[Session]:
        """Count a session as there while the context is open.

        Raises TooManyTablesError for a number of tables that cannot be.
        """
        if not 1 <= tables <= MOST_TABLES:
            raise TooManyTablesError(tables, MOST_TABLES)
        session = self._come(entrant, session_id, tables)
        session.streams += 1
        key = (_SESSION, entrant, session_id)
        self._say(key, str(tables))
        self._bell.ring()
        try:
            yield session
        finally:
            session.streams -= 1
            if not session.streams:
                self._say(key, None)
            self._left(session)
            self._bell.ring()

    def _come(self, entrant: str, session_id: str, tables: int) -> Session:
        """Return a session that has a connection now, with the calls that others have made."""
        session = self._sessions.setdefault(entrant, {}).get(session_id)
        if session is None or session.ended:
            session = self._sessions[entrant][session_id] = Session(entrant, session_id, tables)
            for key, said in self._hearsay.said_of(self._stream).items():
                if key[:3] == (_CALL, entrant, session_id):
                    for by, what in said.items():
                        self._hear_call(session, key, by, what)
        session.tables = tables
        session.lost_at = None
        return session

    def _left(self, session: Session) -> None:
        """Note when a session lost its last connection."""
        if session.is_connected:
            return
        session.lost_at = self._clock()
        self._left_at[session.entrant] = session.lost_at
        if not session.held:
            self._forget(session)

    def _forget(self, session: Session) -> None:
        own = self._sessions[session.entrant]
        if own.get(session.id) is session:
            del own[session.id]

    def end_session(self, entrant: str, session_id: str) -> None:
        """Note that a session will not come back; what it was called to is lost now."""
        self._end(entrant, session_id)
        # Whoever runs the tournament hears of it, or whoever does next within a while.
        key = (_ENDED, entrant, session_id)
        self._say(key, "ended")
        asyncio.get_running_loop().call_later(_ENDED_SECONDS, self._say, key, None)

    def _end(self, entrant: str, session_id: str) -> None:
        session = self._sessions.get(entrant, {}).get(session_id)
        if session is not None and not session.ended:
            session.ended = True
            session.lost_at = session.lost_at or self._clock()
            self._bell.ring()

    # --- who is there -----------------------------------------------------------------------

    def is_there(self, entrant: str) -> bool:
        """Say whether any session of the entrant has a connection."""
        return any(
            each.is_connected and not each.ended
            for each in self._sessions.get(entrant, {}).values()
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
        self._say(_call_key(session, call.match_id), msgspec.json.encode(call).decode())
        self._bell.ring()

    def release(self, session: Session, match_id: str) -> None:
        """Note that a table is over."""
        self._withdraw(session, match_id)
        session.held.discard(match_id)
        if not session.held and not session.is_connected:
            self._forget(session)
        self._bell.ring()

    def _withdraw(self, session: Session, match_id: str) -> None:
        if session.calls.pop(match_id, None) is not None:
            self._say(_call_key(session, match_id), None)

    # --- other servers ----------------------------------------------------------------------

    def say_progress(self, progress: Progress | None) -> None:
        """Let those who watch at other servers know how far the round has come."""
        self._say(_PROGRESS, None if progress is None else msgspec.json.encode(progress).decode())

    @property
    def progress(self) -> Progress | None:
        """How far the round has come, by the server that runs the tournament; None if none says."""
        return next(iter(self._progress.values()), None)

    def hear(self, key: Key, by: str, what: str | None) -> None:
        """Take in what another server says of the tournament; with None it is so no more."""
        # A server of another version may say it in other words.
        with suppress(msgspec.MsgspecError, ValueError):
            self._hear(key, by, what)

    def _hear(self, key: Key, by: str, what: str | None) -> None:
        match key:
            case (kind, entrant, session_id) if kind == _SESSION:
                self._hear_session(entrant, session_id, by, what)
            case (kind, entrant, session_id) if kind == _ENDED and what is not None:
                self._end(entrant, session_id)
            case (kind, entrant, session_id, _) if kind == _CALL:
                session = self._sessions.get(entrant, {}).get(session_id)
                if session is not None:
                    self._hear_call(session, key, by, what)
            case _ if key == _PROGRESS:
                self._progress.pop(by, None)
                if what is not None:
                    self._progress[by] = msgspec.json.decode(what, type=Progress)
            case _:
                return
        self._bell.ring()

    def _hear_session(self, entrant: str, session_id: str, by: str, what: str | None) -> None:
        if what is not None:
            self._come(entrant, session_id, int(what)).elsewhere.add(by)
            return
        session = self._sessions.get(entrant, {}).get(session_id)
        if session is not None and by in session.elsewhere:
            session.elsewhere.discard(by)
            self._left(session)

    @staticmethod
    def _hear_call(session: Session, key: Key, by: str, what: str | None) -> None:
        session.heard.pop((by, key[3]), None)
        if what is not None:
            session.heard[by, key[3]] = msgspec.json.decode(what, type=Call)


_SESSION, _CALL, _ENDED = "session", "call", "ended"
"""What is said of a session, with its entrant and its id; of a call with its match as well."""

_PROGRESS: Key = ("progress",)

_ENDED_SECONDS = 60.0
"""Seconds for which it is said of a session that it has ended."""


def _call_key(session: Session, match_id: str) -> Key:
    return (_CALL, session.entrant, session.id, match_id)


def _sessions_first(said: tuple[Key, object]) -> bool:
    return said[0][0] != _SESSION

"""A process among those that share a PostgreSQL database.

One connection of its own, kept open: it listens for the notification that comes with every append,
and for those that carry words, and holds the advisory locks that duties are. Whoever dies loses
both at once; whoever is cut off from the database gives its duties up a few seconds later, and the
database ends its session (`idle_session_timeout`) soon after, so that another one gets them.
"""

from collections import deque
from collections.abc import Sequence
from threading import Event, Thread
from time import monotonic

from ginrummy.store.errors import StoreError
from ginrummy.store.membership import DUTIES, Duty, Ring, taken_from
from ginrummy.store.postgres_connections import Connection, Connections

__all__ = ["PostgresMembership"]

_PRESENCE = 1198091859
"""The first of the locks' numbers; the second is the table's. Whoever is there shares this one."""

_DUTY_LOCKS: dict[Duty, int] = {
    duty: _PRESENCE + place for place, duty in enumerate(DUTIES, start=1)
}

_PING = 1.0
"""Seconds between two looks at whether the connection, and with it what was locked, is there."""

_PATIENCE = 4.0
"""Seconds that the database has for an answer here."""

_SESSION_MS = 10_000
"""What a session that says nothing is ended after: more than twice what it takes to notice."""

_LONGEST_PAUSE = 1.0


class PostgresMembership:
    """One process's place among those that share a database."""

    is_shared = True

    def __init__(self, connections: Connections, node: str, ring: Ring) -> None:
        """Join, and call `ring` whenever others may have stored something.

        `node` is what this process's own notifications say. Raises StoreFailedError.
        """
        self._connections = connections
        self._node = node
        self._ring = ring
        self._duties: frozenset[Duty] = frozenset()
        self._seen = monotonic()
        self._lost = False
        self._overheard: deque[bytes] = deque()
        self._closing = Event()
        connection = connections.connect()
        try:
            with connections.failures(), connections.watched(connection):
                self.is_first = self._enter(connection)
                """Whether nobody else was there when this process came."""
        except BaseException:
            connection.close()
            raise
        self._thread = Thread(
            target=self._run, args=(connection,), name="postgres-membership", daemon=True
        )
        self._thread.start()

    @property
    def away(self) -> float:
        """See `Membership.away`."""
        return monotonic() - self._seen if self._lost else 0.0

    def has(self, duty: Duty) -> bool:
        """See `Membership.has`."""
        return duty in self._duties

    def tell(self, words: Sequence[bytes]) -> None:
        """See `Membership.tell`."""
        with self._connections.lent(_PATIENCE) as connection:
            connection.execute(
                "SELECT pg_notify(%s, said)"
                " FROM unnest(%s::text[]) WITH ORDINALITY AS told (said, place) ORDER BY place",
                [self._channel("said"), [f"{self._node} {each.decode()}" for each in words]],
            )

    def overheard(self) -> list[bytes]:
        """See `Membership.overheard`."""
        return taken_from(self._overheard)

    def close(self) -> None:
        """See `Membership.close`."""
        self._closing.set()
        self._thread.join()

    # --- in the thread ----------------------------------------------------------------------

    def _run(self, connection: Connection | None) -> None:
        pause = 0.1
        while not self._closing.is_set():
            try:
                if connection is None:
                    connection = self._connections.connect()
                    with self._connections.failures(), self._connections.watched(connection):
                        self._enter(connection)
                self._seen, self._lost, pause = monotonic(), False, 0.1
                self._ring()
                self._stay(connection)
            except StoreError:
                self._lost, self._duties = True, frozenset()
                if connection is not None:
                    connection.close()
                    connection = None
                self._ring()
                self._closing.wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
        self._duties = frozenset()
        if connection is not None:
            connection.close()

    def _enter(self, connection: Connection) -> bool:
        """Listen, and be one of those who are there; return whether there was nobody before."""
        connection.execute(f"SET idle_session_timeout = {_SESSION_MS}")
        row = connection.execute("SELECT 'events'::regclass::oid::int").fetchone()
        assert row is not None
        self._table = int(row[0])
        connection.execute(f"LISTEN {self._channel()}")
        connection.execute(f"LISTEN {self._channel('said')}")
        alone = _locked(connection, "pg_try_advisory_lock", _PRESENCE, self._table)
        _locked(connection, "pg_advisory_lock_shared", _PRESENCE, self._table)
        if alone:
            _locked(connection, "pg_advisory_unlock", _PRESENCE, self._table)
        return alone

    def _channel(self, of: str = "") -> str:
        number = self._table % (1 << 32)
        return f"ginrummy_{number}_{of}" if of else f"ginrummy_{number}"

    def _stay(self, connection: Connection) -> None:
        """Hear what others store, and hold the duties that nobody else does, until closed."""
        pinged = 0.0
        while not self._closing.is_set():
            with (
                self._connections.failures(),
                self._connections.watched(connection, _PATIENCE),
            ):
                if monotonic() - pinged >= _PING:
                    self._take_duties(connection)
                    pinged = self._seen = monotonic()
                for heard in connection.notifies(timeout=_PING / 4, stop_after=1):
                    by, _, said = heard.payload.partition(" ")
                    if by != self._node:
                        if said:
                            self._overheard.append(said.encode())
                        self._ring()

    def _take_duties(self, connection: Connection) -> None:
        """Take the duties that are free; that the others are still held, the answer says."""
        held = {
            duty
            for duty, lock in _DUTY_LOCKS.items()
            if duty in self._duties
            or _locked(connection, "pg_try_advisory_lock", lock, self._table)
        }
        connection.execute("SELECT 1")
        if held != self._duties:
            self._duties = frozenset(held)
            self._ring()


def _locked(connection: Connection, function: str, lock: int, table: int) -> bool:
    row = connection.execute(f"SELECT {function}(%s, %s)", [lock, table]).fetchone()
    assert row is not None
    return bool(row[0])

"""Connections to PostgreSQL: a pool of them, and a watch that lets none wait for ever.

A database that is gone answers nothing, and neither does one behind a network that drops what is
sent: the operating system may take a quarter of an hour to notice, and with a proxy between it
never does. So whoever borrows a connection is let wait for `PATIENCE` seconds; then the watch cuts
the connection, and the call fails. What it was about is stored or not: the log tells.
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Condition, Thread
from time import monotonic
from typing import Any, TypeAlias

import psycopg
from psycopg import conninfo, sql
from psycopg_pool import ConnectionPool

from ginrummy.store.errors import (
    StoreClosedError,
    StoreFailedError,
    StoreUnreachableError,
    UnusableDatabaseError,
)
from ginrummy.store.postgres_migrations import prepare, role_to_take

__all__ = ["PATIENCE", "Connection", "Connections", "shown_name"]

Connection: TypeAlias = psycopg.Connection[Any]

PATIENCE = 10.0
"""Seconds that the database has for one answer, unless it is known to take long."""

_CONNECT_SECONDS = 5
_STATEMENT_MS = 8_000
"""What the database itself gives up after: before we do, so that we hear of it."""

_MOST = 10
"""Connections of one process: its writer's, and those of the threads that read."""

_SETTINGS = {
    "connect_timeout": str(_CONNECT_SECONDS),
    # Where the other machine is gone without a word.
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
    "application_name": "ginrummy",
}

# A transaction of a process that is gone, or cut off, must hold no lock for long. And one that has
# waited for a lock has to see what its last holder stored, whatever the database's own default is.
_SESSION = f"""
SET statement_timeout = {_STATEMENT_MS};
SET lock_timeout = {_STATEMENT_MS};
SET idle_in_transaction_session_timeout = {_STATEMENT_MS};
SET client_min_messages = warning;
SET default_transaction_isolation = 'read committed';
SET timezone = 'UTC';
"""


def shown_name(url: str) -> str:
    """Return what a database is called in messages: its address, and no password."""
    try:
        parts = conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        # It may be what stands where a password should, so no part of it is told.
        return "the address postgresql://…"
    host, port = parts.get("host", ""), parts.get("port", "")
    place = f"{host}:{port}" if port else f"{host}"
    return f"postgresql://{place}/{parts.get('dbname', '')}"


class Connections:
    """All connections of one store."""

    def __init__(self, url: str, *, create: bool) -> None:
        """Connect, and bring the database up to date.

        Raises UnusableDatabaseError, in words for the operator.
        """
        self.shown = shown_name(url)
        self.closed = False
        try:
            # What the operator sets in the address goes before.
            self._conninfo = conninfo.make_conninfo(
                "", **(_SETTINGS | conninfo.conninfo_to_dict(url))
            )
            with psycopg.connect(self._conninfo, autocommit=True) as first:
                prepare(first, self.shown, create=create)
                self.role = role_to_take(first)
                """The role that connections take on; None where they keep their own."""
        except psycopg.Error as error:
            why = str(error).strip()
            raise UnusableDatabaseError(f"{self.shown} cannot be used: {why}") from error
        self._watch = _Watch()
        self._pool = ConnectionPool(
            self._conninfo,
            kwargs={"autocommit": True},
            configure=self.configure,
            min_size=1,
            max_size=_MOST,
            timeout=PATIENCE,
            # Whoever wants a connection while there is no database begins the trying anew.
            reconnect_timeout=1.0,
            open=True,
        )

    def connect(self) -> Connection:
        """Return a connection of the caller's own, outside the pool. Raises StoreFailedError."""
        with self.failures():
            connection: Connection = psycopg.connect(self._conninfo, autocommit=True)
            try:
                self.configure(connection)
            except BaseException:
                connection.close()
                raise
        return connection

    def configure(self, connection: Connection) -> None:
        """Make a new connection patient within bounds, and without rights that it needs not."""
        connection.execute(_SESSION)
        if self.role is not None:
            connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(self.role)))

    @contextmanager
    def lent(self, patience: float = PATIENCE) -> Iterator[Connection]:
        """Lend a connection for one statement or one transaction, `patience` seconds long.

        Raises StoreFailedError where the database fails, StoreClosedError after `close`.
        """
        if self.closed:
            raise StoreClosedError(f"{self.shown} is closed")
        with (
            self.failures(),
            self._pool.connection() as connection,
            self.watched(connection, patience),
        ):
            yield connection

    @contextmanager
    def watched(self, connection: Connection, patience: float = PATIENCE) -> Iterator[None]:
        """Cut the connection where what is done in the context takes longer than `patience`."""
        with self._watch.over(connection, patience):
            yield

    @contextmanager
    def failures(self) -> Iterator[None]:
        """Turn the database's failures into StoreFailedError, StoreUnreachableError among them."""
        try:
            yield
        except psycopg.Error as error:
            if isinstance(error, psycopg.OperationalError):
                self._renew()
                raise StoreUnreachableError(f"{self.shown}: {error}") from error
            raise StoreFailedError(f"{self.shown}: {error}") from error

    def _renew(self) -> None:
        """Let go of all idle connections: after a restart of the database all of them are dead."""
        if not self.closed:
            with suppress(psycopg.Error):
                self._pool.drain()

    def close(self) -> None:
        """Close all connections. Closing twice does nothing."""
        if not self.closed:
            self.closed = True
            self._pool.close()
            self._watch.close()


class _Watch:
    """A thread that cuts connections whose borrowers have waited too long."""

    def __init__(self) -> None:
        self._ends: dict[int, tuple[float, int]] = {}
        self._changed = Condition()
        self._closed = False
        self._next = 0
        self._thread = Thread(target=self._run, name="postgres-watch", daemon=True)
        self._thread.start()

    @contextmanager
    def over(self, connection: Connection, patience: float) -> Iterator[None]:
        number = connection.fileno()
        with self._changed:
            self._next += 1
            mine = self._next
            self._ends[mine] = (monotonic() + patience, number)
        try:
            yield
        finally:
            # In the lock, so that a number is never cut that is already another connection's.
            with self._changed:
                self._ends.pop(mine, None)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        with self._changed:
            while not self._closed:
                self._changed.wait(timeout=0.5)
                now = monotonic()
                for mine, (end, number) in list(self._ends.items()):
                    if now > end:
                        del self._ends[mine]
                        _cut(number)


def _cut(number: int) -> None:
    """End a connection from outside: whoever waits for it hears that it is closed."""
    with suppress(OSError), socket.socket(fileno=number) as taken:
        try:
            taken.shutdown(socket.SHUT_RDWR)
        finally:
            taken.detach()

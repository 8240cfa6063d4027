"""The processes of one machine that share a SQLite file: who is there, and what they hear.

Beside `gin.db` a directory `gin.db-members` holds empty files that are locked, and each process's
bell:

    gate                            whoever comes, comes alone through it
    presence                        shared by all who are there, or one's alone who shares nothing
    clocks, notary, tournaments     the duties, each one's at a time
    turn                            who writes now
    bell-…                          a named pipe; a line in it: something was stored, or is told

The system lets go of what a process held when it ends, however it ends. A bell that nobody listens
to any more is taken away by the next one who rings it.
"""

import fcntl
import os
import select
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from threading import Event, Lock, Thread

from ginrummy.store.errors import UnusableDatabaseError
from ginrummy.store.membership import DUTIES, Duty, LoneMember, Ring, taken_from

__all__ = ["LonePresence", "Neighbours", "SqliteMembership"]

_LOOK = 0.25
"""Seconds between two looks at whether a duty is free."""

_GATHER = 0.002
"""Seconds that further lines are gathered for once the bell was heard."""

_BELL = "bell-"

_STORED = b""
"""The line that says that something was stored; words are JSON, and so never empty or two lines."""

_FRESH_NS = 1_000_000_000
"""A directory changed so lately may change again under the same time."""


class LonePresence(LoneMember):
    """The one process that serves a file, and keeps all other servers from it."""

    def __init__(self, file: Path) -> None:
        """Come. Raises UnusableDatabaseError where somebody is there."""
        with _came(file, alone=True) as (self._presence, _):
            pass

    def close(self) -> None:
        """See `Membership.close`."""
        self._presence.close()


class SqliteMembership:
    """One process's place among those that share a SQLite file."""

    is_shared = True
    away = 0.0

    def __init__(self, file: Path, ring: Ring) -> None:
        """Join, and call `ring` whenever others may have stored something.

        Raises UnusableDatabaseError where a server is there that does not share the file.
        """
        with _came(file, alone=False) as (self._presence, self.is_first):
            """Whether nobody else was there when this process came."""
            place = _place(file)
            self.neighbours = Neighbours(place)
            self._locks: dict[Duty, _Locked] = {duty: _Locked(place / duty) for duty in DUTIES}
        self._ring = ring
        self._duties: frozenset[Duty] = frozenset()
        self._overheard: deque[bytes] = deque()
        self._closing = Event()
        self._thread = Thread(target=self._run, name="sqlite-membership", daemon=True)
        self._thread.start()

    def has(self, duty: Duty) -> bool:
        """See `Membership.has`."""
        return duty in self._duties

    def tell(self, words: Sequence[bytes]) -> None:
        """See `Membership.tell`."""
        self.neighbours.tell(words)

    def overheard(self) -> list[bytes]:
        """See `Membership.overheard`."""
        return taken_from(self._overheard)

    def close(self) -> None:
        """See `Membership.close`."""
        self._closing.set()
        self._thread.join()
        self._duties = frozenset()
        self.neighbours.close()
        for each in (*self._locks.values(), self._presence):
            each.close()

    # --- in the thread ----------------------------------------------------------------------

    def _run(self) -> None:
        looked = -_LOOK
        while not self._closing.is_set():
            if time.monotonic() - looked >= _LOOK:
                looked = time.monotonic()
                self._take_duties()
            lines = self.neighbours.heard(_LOOK)
            if lines:
                self._overheard.extend(line for line in lines if line != _STORED)
                self._ring()
                self._closing.wait(_GATHER)

    def _take_duties(self) -> None:
        """Take the duties that are free: what one has, one has until the end."""
        free = {duty for duty in DUTIES if duty not in self._duties and self._locks[duty].taken()}
        if free:
            self._duties |= free
            self._ring()


class Neighbours:
    """The other processes that share the file, as one that writes and rings has to do with them."""

    def __init__(self, place: Path) -> None:
        """Hang up one's own bell in the directory `place`."""
        self._place = place
        self._turn = _Locked(place / "turn")
        self._using = Lock()
        self._ringing = Lock()
        self._closed = False
        self._own = f"{_BELL}{token_hex(8)}"
        self._others: dict[str, int] = {}
        self._changed_at = 0
        hidden = place / f".{self._own}"
        os.mkfifo(hidden, 0o600)
        # For writing as well, so that it never ends. Only then it is seen: a bell that cannot be
        # rung is one of somebody who is gone.
        self._bell = os.open(hidden, os.O_RDWR | os.O_NONBLOCK)
        hidden.rename(place / self._own)
        self._poll = select.poll()
        self._poll.register(self._bell, select.POLLIN)
        self._half = b""

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Write alone among all who share the file, and let them know if it went well.

        The database has a lock of its own, which all other programs go by. But whoever waits for
        that one sleeps and looks again, and may find it taken again and again; here the system
        wakes who waits.
        """
        with self._using:
            if self._closed:
                yield
                return
            self._turn.wait()
            try:
                yield
            finally:
                self._turn.leave()
            self.tell([_STORED])

    def heard(self, seconds: float) -> list[bytes]:
        """Wait until others ring, for so many seconds at most; return with what lines.

        An empty one says that something was stored.
        """
        if not self._poll.poll(1000 * seconds):
            return []
        *lines, self._half = (self._half + os.read(self._bell, 1 << 16)).split(b"\n")
        return lines

    def tell(self, lines: Sequence[bytes]) -> None:
        """Ring at all others with these lines; who is too busy to hear misses some."""
        with self._ringing:
            if self._closed:
                return
            self._look_round()
            for name, bell in list(self._others.items()):
                try:
                    for line in lines:
                        # So short that the pipe takes all of it at once, or nothing.
                        os.write(bell, line + b"\n")
                except BlockingIOError:
                    pass  # it is full of lines that nobody has listened to yet
                except OSError:
                    self._forget(name)

    def close(self) -> None:
        """Take one's bell away."""
        with self._using, self._ringing:
            self._closed = True
            (self._place / self._own).unlink(missing_ok=True)
            for bell in (self._bell, *self._others.values()):
                os.close(bell)
            self._turn.close()

    # --- bells ------------------------------------------------------------------------------

    def _look_round(self) -> None:
        """See whose bells there are, where that may have changed."""
        changed_at = os.stat(self._place).st_mtime_ns  # noqa: PTH116 -- at every commit: be quick
        if changed_at == self._changed_at and time.time_ns() - changed_at > _FRESH_NS:
            return
        self._changed_at = changed_at
        names = {name for name in os.listdir(self._place) if name.startswith(_BELL)}  # noqa: PTH208 -- likewise
        for name in self._others.keys() - names:
            self._forget(name)
        for name in names - self._others.keys() - {self._own}:
            try:
                self._others[name] = os.open(self._place / name, os.O_WRONLY | os.O_NONBLOCK)
            except OSError:
                self._forget(name)

    def _forget(self, name: str) -> None:
        """Take the bell of a process away that is gone."""
        bell = self._others.pop(name, None)
        if bell is not None:
            os.close(bell)
        with suppress(OSError):
            (self._place / name).unlink()


class _Locked:
    """A file that is locked, or is to be."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def wait(self) -> None:
        """Have it alone, as soon as nobody else has it."""
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def taken(self) -> bool:
        """Have it alone, if nobody has it now; say whether that is so."""
        return self._tried(fcntl.LOCK_EX)

    def shared(self) -> bool:
        """Have it together with others, if nobody has it alone; say whether that is so."""
        return self._tried(fcntl.LOCK_SH)

    def leave(self) -> None:
        """Let others have it."""
        fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Let others have it, for good."""
        os.close(self._file)

    def _tried(self, how: int) -> bool:
        try:
            fcntl.flock(self._file, how | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def _place(file: Path) -> Path:
    return file.with_name(f"{file.name}-members")


@contextmanager
def _came(file: Path, *, alone: bool) -> Iterator[tuple[_Locked, bool]]:
    """Give one's presence, and whether nobody else was there; nobody else comes meanwhile."""
    try:
        _place(file).mkdir(mode=0o700, exist_ok=True)
        gate = _Locked(_place(file) / "gate")
        try:
            gate.wait()
            presence = _Locked(_place(file) / "presence")
            is_first = presence.taken()
            if not is_first if alone else not presence.shared():
                presence.close()
                raise UnusableDatabaseError(
                    f"{file} is served by another process already: stop that one, or let both"
                    " share the file, each with --workers 2 or more"
                )
            try:
                yield presence, is_first
            except BaseException:
                presence.close()
                raise
        finally:
            gate.close()
    except OSError as error:
        raise UnusableDatabaseError(f"{_place(file)} cannot be used: {error.strerror}") from error

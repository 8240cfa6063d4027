"""Who is waiting at a table, and when they are woken.

A spectator wants every event. A seat wants to be spoken to only when it has something to decide,
or when something happens that is not just the other seat's move. Nobody has a queue here: a
waiter knows the number it has seen, and the table holds the events.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from ginrummy.log.lines import MatchLine
from ginrummy.rules import hand as hands
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.events import Discarded, DiscardTaken, Knocked, StockDrawn, UpcardPassed
from ginrummy.rules.match import Ended, Match, Playing
from ginrummy.tables.errors import CutOffError, LimitReachedError, StoppingError
from ginrummy.tables.gallery import Gallery

__all__ = ["News"]

_STREAMS_A_SEAT = 256
"""Far more than a player's devices and their lost streams: each is woken at every event."""

_Waiters = list["asyncio.Future[None]"]

_MOVES = (StockDrawn, Discarded, DiscardTaken, UpcardPassed, Knocked)
"""What a seat hears of when it is its turn, with all else that has happened by then."""


class News:
    """The waiting room of one table."""

    __slots__ = (
        "_connected",
        "_cut_off",
        "_elsewhere",
        "_end_waiters",
        "_for_all",
        "_gallery",
        "_seat_waiters",
        "_seq",
        "_to_move",
        "_watchers",
        "_watching",
        "closed",
        "presence",
        "tell",
    )

    def __init__(self, gallery: Gallery) -> None:
        """Start with nobody here; who watches is woken by way of the gallery."""
        self._gallery = gallery
        self.closed = False
        """The table is being put away: whoever waits is to leave."""
        self._cut_off = False
        self.presence = 0
        """Grows whenever somebody comes or goes."""
        self.tell: Callable[[Seat, int], None] = _nobody
        """Is told which seat has so many streams more."""
        self._connected = [0, 0]
        self._elsewhere = [0, 0]
        self._watching = 0
        self._seq = 0
        self._for_all = 0
        self._to_move: Seat | None = None
        self._watchers: _Waiters = []
        self._end_waiters: _Waiters = []
        self._seat_waiters: tuple[_Waiters, _Waiters] = ([], [])

    # --- presence ---------------------------------------------------------------------------

    @property
    def connected(self) -> BySeat[bool]:
        """Whether each seat has a stream open, here or at another server."""
        here, elsewhere = self._connected, self._elsewhere
        return BySeat(here[0] + elsewhere[0] > 0, here[1] + elsewhere[1] > 0)

    def note_elsewhere(self, seat: Seat, servers: int) -> None:
        """Take in at how many other servers a seat has a stream open."""
        if servers != self._elsewhere[seat]:
            self._elsewhere[seat] = servers
            self._presence_changed()

    @contextmanager
    def attending(self, seat: Seat | None) -> Iterator[None]:
        """Count a stream of the seat as open while the context is.

        Raises LimitReachedError where the seat has more open than anybody needs.
        """
        if seat is None:
            yield
            return
        if self._connected[seat] >= _STREAMS_A_SEAT:
            raise LimitReachedError("streams open at one seat", _STREAMS_A_SEAT)
        self._connected[seat] += 1
        self.tell(seat, 1)
        self._presence_changed()
        try:
            yield
        finally:
            self._connected[seat] -= 1
            self.tell(seat, -1)
            self._presence_changed()

    @property
    def is_watched(self) -> bool:
        """Whether a stream is open that is told every event."""
        return self._watching > 0

    @property
    def is_attended(self) -> bool:
        """Whether any stream is open, or anybody waits for the end."""
        return any(self._connected) or self.is_watched or bool(self._end_waiters)

    @contextmanager
    def watching(self, seat: Seat | None) -> Iterator[None]:
        """Count a stream that is told every event as open, and as `attending` where a seat's is."""
        with self.attending(seat):
            self._watching += 1
            try:
                yield
            finally:
                self._watching -= 1

    def _presence_changed(self) -> None:
        self.presence += 1
        self._gallery.wake(self._watchers)

    # --- publishing -------------------------------------------------------------------------

    def publish(self, lines: list[MatchLine], match: Match) -> None:
        """Wake whoever these lines concern; `match` is as it stands after them."""
        self._seq = lines[-1].seq
        for line in reversed(lines):
            if not isinstance(line.event, _MOVES):
                self._for_all = line.seq
                break
        self._to_move = hands.to_move(match.hand) if isinstance(match, Playing) else None
        for seat, waiters in enumerate(self._seat_waiters):
            if waiters and (self._to_move == seat or self._for_all > self._seq - len(lines)):
                _wake(waiters)
        self._gallery.wake(self._watchers)
        if isinstance(match, Ended):
            _wake(self._end_waiters)

    def speaks_to(self, seat: Seat, seen: int) -> bool:
        """Say whether a seat that has heard of everything up to `seen` is to be spoken to."""
        return self._for_all > seen or (self._to_move == seat and self._seq > seen)

    def close(self, *, cut_off: bool = False) -> None:
        """Send everybody away; `cut_off` where the server does not reach its database any more."""
        self.closed, self._cut_off = True, cut_off
        _wake(self._watchers)
        _wake(self._end_waiters)
        for waiters in self._seat_waiters:
            _wake(waiters)

    def gone(self) -> StoppingError:
        """Return what to tell whoever is sent away."""
        return CutOffError() if self._cut_off else StoppingError()

    # --- waiting ----------------------------------------------------------------------------

    async def seat_woken(self, seat: Seat) -> None:
        """Wait until the seat's streams are woken: by news for it, by `wake_seat`, or the end."""
        await _wait(self._seat_waiters[seat])

    async def for_watcher(self, seen: int, presence: int) -> None:
        """Wait until something has happened after `seen`, somebody came or went, or the end."""
        while not self.closed and self._seq <= seen and self.presence == presence:
            await _wait(self._watchers)

    async def for_end(self) -> None:
        """Wait until the match has ended, or the table is put away; no move wakes anybody here."""
        if not self.closed:
            await _wait(self._end_waiters)

    def wake_seat(self, seat: Seat) -> None:
        """Wake a seat's own stream, for something that only it is to hear."""
        _wake(self._seat_waiters[seat])


def _nobody(_seat: Seat, _more: int) -> None:
    """Tell nobody: there are no other servers."""


def _wake(waiters: _Waiters) -> None:
    for waiter in waiters:
        if not waiter.done():
            waiter.set_result(None)
    waiters.clear()


async def _wait(waiters: _Waiters) -> None:
    waiter = asyncio.get_running_loop().create_future()
    waiters.append(waiter)
    try:
        await waiter
    except asyncio.CancelledError:
        # Whoever leaves without being woken must not stay in the list.
        with suppress(ValueError):
            waiters.remove(waiter)
        raise

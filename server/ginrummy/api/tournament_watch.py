"""The live feed of a tournament: the events after a number, a caught-up mark, then live."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from itertools import islice

from ginrummy.api.tournament_messages import progress_message
from ginrummy.store import Store
from ginrummy.tables.errors import NoSuchEventError
from ginrummy.tournaments.running.desk import Desk
from ginrummy.tournaments.running.pace import Progress
from ginrummy.v1 import tournament_service_pb2 as pb

__all__ = ["watch_tournament"]

_LINES_AT_ONCE = 500
"""Lines that are read together; no watcher holds more."""

_PROGRESS_EVERY = 1.0
"""Seconds from one word on the progress to the next, at the least."""


async def watch_tournament(
    desk: Desk, store: Store, progress: Callable[[], Progress | None], seen: int
) -> AsyncGenerator[pb.WatchTournamentResponse, None]:
    """Yield what happens in a tournament after event `seen`.

    No watcher has a buffer of its own: each reads what it has not seen from the store. Ends when
    the tournament has, with all its secrets out; raises StoppingError when the server goes away,
    and NoSuchEventError where the tournament has not come as far as `seen`.
    """
    if not 0 <= seen <= desk.seq:
        raise NoSuchEventError(seen, desk.seq)
    pace = _Pace(progress)
    caught_up = False
    while True:
        heard, is_over = desk.bell.rings, desk.is_over
        while seen < desk.seq:
            for line in await _lines(store, desk.tournament_id, seen, desk.seq - seen):
                seen += 1
                yield pb.WatchTournamentResponse(event=pb.TournamentEvent(seq=seen, line=line))
        if not caught_up:
            caught_up = True
            yield pb.WatchTournamentResponse(caught_up=pb.TournamentCaughtUp(seq=seen))
        if is_over:
            return
        if desk.closed:
            raise desk.gone()
        news = pace.news()
        if news is not None:
            yield pb.WatchTournamentResponse(progress=progress_message(news))
        await desk.bell.rung(heard, pace.wait())


async def _lines(store: Store, stream: str, after: int, most: int) -> list[bytes]:
    count = min(most, _LINES_AT_ONCE)
    return await asyncio.to_thread(lambda: list(islice(store.read(stream, after), count)))


class _Pace:
    """When there is to be a word on the progress."""

    def __init__(self, progress: Callable[[], Progress | None]) -> None:
        self._progress = progress
        self._looked_at = -_PROGRESS_EVERY
        self._is_idle = True

    def news(self) -> Progress | None:
        """Return how far the round has come, where something is under way and it is time."""
        if self.left() > 0:
            self._is_idle = False
            return None
        self._looked_at = _now()
        found = self._progress()
        self._is_idle = found is None or not found.under_way
        return None if self._is_idle else found

    def left(self) -> float:
        """Return the seconds until it is time to look again."""
        return self._looked_at + _PROGRESS_EVERY - _now()

    def wait(self) -> float | None:
        """Return for how many seconds to wait; None while nothing is under way."""
        return None if self._is_idle else max(0.0, self.left())


def _now() -> float:
    return asyncio.get_running_loop().time()

"""The live feed: the present state, the events after a number, a caught-up mark, then live."""

from collections import OrderedDict
from collections.abc import AsyncGenerator

from ginrummy.api.sight import Sight
from ginrummy.rules.cards import Seat
from ginrummy.tables.table import Step, Table
from ginrummy.v1 import match_service_pb2 as pb

__all__ = ["PublicEvents", "watch"]

_KEPT = 1024
"""Events that are ready to be told; each is told to all who watch at nearly the same time."""


class PublicEvents:
    """The last events of all matches as spectators are told them: made once for all of these."""

    __slots__ = ("_ready",)

    def __init__(self) -> None:
        self._ready: OrderedDict[str, pb.WatchResponse] = OrderedDict()

    def told(self, sight: Sight, step: Step) -> pb.WatchResponse:
        """Return the message of a step; it is not to be changed. `sight` is a spectator's."""
        ready = self._ready.get(step.line.hash)
        if ready is None:
            ready = self._ready[step.line.hash] = pb.WatchResponse(event=sight.event(step))
            if len(self._ready) > _KEPT:
                self._ready.popitem(last=False)
        return ready


async def watch(
    table: Table, seat: Seat | None, seen: int, public: PublicEvents
) -> AsyncGenerator[pb.WatchResponse, None]:
    """Yield what happens at a table after event `seen`, as `seat` or a spectator may see it.

    No watcher has a buffer of its own: the table keeps its last events, and one that falls behind
    them is told the number to call again with. Ends when the match has; raises StoppingError when
    the server goes away, and NoSuchEventError where the match has not come as far as `seen`.
    `public` makes what all spectators are told.
    """
    await table.reach(seen)
    sight, news = Sight(table, "public" if seat is None else seat), table.news

    def told(step: Step) -> pb.WatchResponse:
        if seat is None:
            return public.told(sight, step)
        return pb.WatchResponse(event=sight.event(step))

    with news.watching(seat):
        presence, start = news.presence, table.seq
        yield pb.WatchResponse(snapshot=sight.view())
        for step in await table.steps_after(seen):
            if step.line.seq <= start:
                yield told(step)
        seen = max(seen, start)
        yield pb.WatchResponse(caught_up=pb.CaughtUp(seq=seen))
        while not (table.closed and seen >= table.seq):
            if not table.holds_steps_after(seen):
                yield pb.WatchResponse(lagged=pb.Lagged(after_seq=seen))
                return
            for step in await table.steps_after(seen):
                yield told(step)
                seen = step.line.seq
            if presence != news.presence:
                presence = news.presence
                yield pb.WatchResponse(presence=pb.Presence(connected=news.connected))
            if news.closed:
                raise news.gone()
            if not table.closed:
                await news.for_watcher(seen, presence)

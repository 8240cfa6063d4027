"""The live feed: the present state, the events after a number, a caught-up mark, then live."""

from collections.abc import AsyncGenerator

from ginrummy.api.sight import Sight
from ginrummy.api.written import key, part
from ginrummy.rules.cards import Seat
from ginrummy.tables.table import Table
from ginrummy.v1 import match_service_pb2 as pb

__all__ = ["watch"]

_SNAPSHOT = key(pb.WatchResponse, "snapshot")
_EVENT = key(pb.WatchResponse, "event")


async def watch(table: Table, seat: Seat | None, seen: int) -> AsyncGenerator[bytes, None]:
    """Yield what happens at a table after event `seen`, as `seat` or a spectator may see it.

    What comes are the bytes of responses; those of an event are made once for all who hear of it.

    No watcher has a buffer of its own: the table keeps its last events, and one that falls behind
    them is told the number to call again with. Ends when the match has; raises StoppingError when
    the server goes away, and NoSuchEventError where the match has not come as far as `seen`.
    """
    await table.reach(seen)
    sight, news = Sight(table, "public" if seat is None else seat), table.news
    with news.watching(seat):
        presence, start = news.presence, table.seq
        yield part(_SNAPSHOT, sight.written_view())
        for step in await table.steps_after(seen):
            if step.line.seq <= start:
                yield part(_EVENT, sight.event(step))
        seen = max(seen, start)
        yield _bytes(pb.WatchResponse(caught_up=pb.CaughtUp(seq=seen)))
        while not (table.closed and seen >= table.seq):
            if not table.holds_steps_after(seen):
                yield _bytes(pb.WatchResponse(lagged=pb.Lagged(after_seq=seen)))
                return
            for step in await table.steps_after(seen):
                yield part(_EVENT, sight.event(step))
                seen = step.line.seq
            if presence != news.presence:
                presence = news.presence
                yield _bytes(pb.WatchResponse(presence=pb.Presence(connected=news.connected)))
            if news.closed:
                raise news.gone()
            if not table.closed:
                await news.for_watcher(seen, presence)


def _bytes(response: pb.WatchResponse) -> bytes:
    return response.SerializeToString()

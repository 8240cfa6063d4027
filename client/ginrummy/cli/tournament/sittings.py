"""What the host of bots has to know of the tournament: who was at a table, and when it is over."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import msgspec

from ginrummy.v1.tournament_service_pb2 import WatchTournamentResponse

__all__ = ["Sittings"]


class _Pairing(msgspec.Struct):
    round: int
    table: int
    first: str
    second: str


class _Paired(msgspec.Struct):
    pairings: list[_Pairing]


class _Ended(msgspec.Struct):
    round: int
    table: int


class _Line(msgspec.Struct):
    """As much of an event as is looked at here."""

    type: str
    data: msgspec.Raw


class Sittings:
    """How many sittings of each player are over."""

    def __init__(self) -> None:
        """Know of none before `follow`."""
        self.up_to_date = asyncio.Event()
        """All that had happened before is known."""
        self.over = asyncio.Event()
        """The tournament is over."""
        self._news = asyncio.Condition()
        self._players: dict[tuple[int, int], tuple[str, str]] = {}
        self._count: Counter[str] = Counter()

    def of(self, player_id: str) -> int:
        """Return how many of a player's sittings are over."""
        return self._count[player_id]

    async def follow(self, watch: AsyncIterator[WatchTournamentResponse]) -> None:
        """Take in a watch of the tournament from its beginning, to its end."""
        async for update in watch:
            if update.HasField("caught_up"):
                self.up_to_date.set()
            elif update.HasField("event"):
                self._take_in(update.event.line)
                async with self._news:
                    self._news.notify_all()
        self.up_to_date.set()
        self.over.set()
        async with self._news:
            self._news.notify_all()

    async def more_than(self, player_id: str, count: int, seconds: float) -> bool:
        """Say whether more than `count` of a player's sittings are over, or the tournament is.

        Waits for that at most so many seconds.
        """
        try:
            async with asyncio.timeout(seconds), self._news:
                await self._news.wait_for(
                    lambda: self._count[player_id] > count or self.over.is_set()
                )
        except TimeoutError:
            return False
        return True

    def _take_in(self, raw: bytes) -> None:
        line = msgspec.json.decode(raw, type=_Line)
        if line.type == "round_paired":
            for pairing in msgspec.json.decode(line.data, type=_Paired).pairings:
                self._players[pairing.round, pairing.table] = (pairing.first, pairing.second)
        elif line.type == "sitting_ended":
            ended = msgspec.json.decode(line.data, type=_Ended)
            self._count.update(self._players.get((ended.round, ended.table), ()))
        elif line.type == "tournament_ended":
            self.over.set()

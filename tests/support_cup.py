"""A tournament at a server in this process, directed and entered over its port."""

import asyncio
from typing import Any

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from support_house import House
from support_server import until
from support_wire import METHODS

from ginrummy.v1 import tournament_pb2
from ginrummy.v1.tournament_pb2 import TOURNAMENT_STAGE_PLAYING, TournamentTerms

__all__ = ["Cup", "announced", "asking"]


def asking(method: str, **fields: Any) -> Message:  # noqa: ANN401 -- any fields
    """Return a request for a call."""
    return GetMessageClass(METHODS[method].input_type)(**fields)


class Cup:
    """One tournament, and everybody of a house at it."""

    def __init__(self, house: House, tournament_id: str) -> None:
        self.house = house
        self.id = tournament_id

    async def act(self, who: str, method: str, **fields: Any) -> Any:  # noqa: ANN401 -- any answer
        """Make somebody's call about this tournament, and return the answer. Raises Refused."""
        return await self.house.taps[who].ask(method, self.asking(method, **fields))

    def asking(self, method: str, **fields: Any) -> Message:  # noqa: ANN401 -- any fields
        """Return a request about this tournament."""
        return asking(method, tournament_id=self.id, **fields)

    async def now(self) -> tournament_pb2.Tournament:
        """Return the tournament as it stands."""
        answer = await self.act("eve", "GetTournament")
        found: tournament_pb2.Tournament = answer.tournament
        return found

    async def enter(self, *who: str) -> None:
        """Let players enter themselves, the strongest first; the server draws their nonces."""
        for each in who:
            await self.act(each, "EnterTournament")

    async def start(self) -> None:
        """Close registration, and wait until rounds can be paired."""
        await self.act("dee", "StartTournament")
        for pause in until():
            if (await self.now()).stage == TOURNAMENT_STAGE_PLAYING:
                return
            await asyncio.sleep(pause)

    async def pair(self, *tables: tuple[str, str]) -> None:
        """Pair a round by hand."""
        pairs = [{"first": await self.player(a), "second": await self.player(b)} for a, b in tables]
        await self.act("dee", "PairRound", pairs=pairs)

    async def player(self, who: str) -> str:
        """Return somebody's player id."""
        return (await self.house.clients[who].me()).id

    def lines(self) -> list[bytes]:
        """Return all lines that are stored of it."""
        return list(self.house.server.store.read(self.id))


async def announced(house: House, **terms: Any) -> Cup:  # noqa: ANN401 -- whatever terms there are
    """Announce a tournament, paired by the director and played elsewhere where nothing is said."""
    usual: dict[str, Any] = {"name": "Cup"}
    if not terms.keys() & {"round_robin", "swiss", "gauntlet", "elimination"}:
        usual["manual"] = {}
    if not terms.keys() & {"boards", "matches"}:
        usual["elsewhere"] = {}
    wanted = TournamentTerms(**(usual | terms))
    made = await house.taps["dee"].ask("CreateTournament", asking("CreateTournament", terms=wanted))
    return Cup(house, made.tournament.id)

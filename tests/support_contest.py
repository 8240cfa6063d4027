"""A tournament on a server of this process, directed by the test and played by programs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from support_server import QUICK, InProcess

from ginrummy.cli.tournament.hosting import LocalBot
from ginrummy.client import Client, connect
from ginrummy.v1.tournament_pb2 import Boards, RoundRobin, Tournament, TournamentTerms

__all__ = ["Contest", "contest"]


class Contest(NamedTuple):
    """A tournament in which nobody plays yet."""

    director: Client
    id: str

    async def entrant(self, name: str, spec: str, processes: int = 1) -> LocalBot:
        """Enter a new player, whose nonce the server draws."""
        made = await self.director.create_player(name)
        await self.director.tournaments.enter(self.id, player_id=made.player.id, spec=spec)
        return LocalBot(made.player.id, name, spec, made.token, processes)

    async def start(self) -> None:
        """Close registration."""
        await self.director.tournaments.start(self.id)

    async def now(self) -> Tournament:
        """Return the tournament as it stands."""
        return await self.director.tournaments.get(self.id)


@asynccontextmanager
async def contest(
    server: InProcess, terms: TournamentTerms | None = None
) -> AsyncIterator[Contest]:
    """Announce a tournament, a board for every two entrants unless `terms` says otherwise."""
    token = server.let_in("p_00000000000000000000000dee", "Dee", "director")
    async with connect(server.address, token=token, retry=QUICK) as director:
        made = await director.tournaments.create(
            terms
            or TournamentTerms(
                name="Open", round_robin=RoundRobin(), boards=Boards(boards=1), arrival_ms=600_000
            )
        )
        yield Contest(director, made.id)

"""The house of a scenario: a server of its own in this process, its director and its tournament."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

from ginrummy.api.server import ServerOptions, serving
from ginrummy.cli.compliance.dealt import Rigged
from ginrummy.cli.tournament.keeping import InVault, Player, own_director
from ginrummy.client import Client, Retry, connect
from ginrummy.store import open_store
from ginrummy.tournaments.event import read_tournament_line
from ginrummy.tournaments.event.events import SittingEnded
from ginrummy.v1.tournament_pb2 import TournamentTerms

__all__ = ["PATIENT", "House"]

PATIENT = Retry(first_pause=0.02, longest_pause=0.5)
"""How the suite's own clients wait for a server that is started again."""

_LOOK_AGAIN = 0.05
_GRACE = 1.0
"""Seconds that a server's calls have to end when it stops."""

_BOT_NAME = "Bot"


class House:
    """A server that deals as it is told: `async with House(decks) as house`."""

    def __init__(self, decks: Rigged) -> None:
        """Deal from `decks`."""
        self.decks = decks
        self.sittings: list[SittingEnded] = []
        """The sittings that are over, in their order."""
        self._stack = AsyncExitStack()
        self._serving = AsyncExitStack()
        self.address = "127.0.0.1:0"
        self.id = ""
        """The tournament's id, once it is announced."""

    async def __aenter__(self) -> Self:
        directory = self._stack.enter_context(TemporaryDirectory(prefix="gin-compliance-"))
        self._db = str(Path(directory, "gin.db"))
        store = open_store(self._db)
        self._stack.callback(store.close)
        director = own_director(store)
        self._players = InVault(store)
        self._stack.push_async_callback(self._close)
        await self._serve()
        client = connect(self.address, token=director.token, retry=PATIENT)
        self.director: Client = await self._stack.enter_async_context(client)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    async def _serve(self) -> None:
        options = ServerOptions(db=self._db, listen=self.address, grace=_GRACE)
        self.address = await self._serving.enter_async_context(serving(options, self.decks))

    async def _close(self) -> None:
        await self._serving.aclose()

    async def restart(self) -> None:
        """Stop the server as its operator would, and start it again on the same database."""
        await self._serving.aclose()
        self._serving = AsyncExitStack()
        await self._serve()

    # --- the tournament ---------------------------------------------------------------------

    async def announce(self, terms: TournamentTerms, spec: str) -> Player:
        """Announce the tournament, enter the bot, and return it."""
        self.id = (await self.director.tournaments.create(terms)).id
        bot = await self._players.player(self.id, _BOT_NAME)
        self.decks.bot = bot.id
        await self.director.tournaments.enter(self.id, player_id=bot.id, spec=spec)
        return bot

    async def everybody_is_there(self) -> None:
        """Wait until all entrants attend."""
        while True:
            now = await self.director.tournaments.get(self.id)
            if all(entrant.attending for entrant in now.entrants):
                return
            await asyncio.sleep(_LOOK_AGAIN)

    async def over(self) -> None:
        """Close registration, and wait until the tournament is over."""
        await self.director.tournaments.start(self.id)
        async for update in self.director.tournaments.watch(self.id):
            if update.HasField("event"):
                event = read_tournament_line(update.event.line).event
                if isinstance(event, SittingEnded):
                    self.sittings.append(event)

    async def first(self) -> str:
        """Return the player id of the one named first in the only pairing; empty without one."""
        now = await self.director.tournaments.get(self.id)
        return next((each.first for round_ in now.rounds for each in round_.pairings), "")

    async def reached(self, match_id: str, seq: int) -> None:
        """Wait until a match has gone on to an event of that number."""
        while True:
            if (await self.director.match(match_id)).seq >= seq:
                return
            await asyncio.sleep(_LOOK_AGAIN)

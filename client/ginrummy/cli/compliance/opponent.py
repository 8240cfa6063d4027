"""The opponent of a scenario: it plays by a script."""

import asyncio
from contextlib import AsyncExitStack
from typing import Literal
from uuid import uuid4

import msgspec

from ginrummy.bots import Bot, Discard, Draw, Knock, LayOff, Move, Pass, SimpleBot, View, cards_of
from ginrummy.cli.compliance.house import PATIENT, House
from ginrummy.client import connect
from ginrummy.rules.cards import parse_card
from ginrummy.rules.commands import Resign
from ginrummy.v1.tournament_service_pb2 import TableCall

__all__ = ["Script", "attend"]

_FOREVER = 86_400.0
_TABLES = 4


class Script(msgspec.Struct, frozen=True):
    """How it plays: it passes, draws from the stock, and throws what it drew."""

    by_itself: bool = False
    """It plays as the bot `simple` does, and by no script."""
    throws: str = ""
    """The cards that it throws first, in this order, where it holds them."""
    knocks: bool = False
    """It ends the hand as soon as it can, with gin where it has it."""
    turns: int = 0
    """So many cards it throws before the end of its script."""
    then: Literal["plays on", "resigns", "dies", "is silent"] = "plays on"
    thinks: float = 0.0
    """Seconds that each of its decisions takes."""


class _DiedError(Exception):
    """The end of a script."""


class _Scripted:
    """The script at one table."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._turns = script.turns
        self._throws = [parse_card(text) for text in script.throws.split()]

    async def offer(self, view: View) -> Move:
        """Pass."""
        return await self._end(view) or Pass()

    async def draw(self, view: View) -> Move:
        """Draw, unless the script is at its end."""
        return await self._end(view) or Draw()

    async def discard(self, view: View) -> Move:
        """Throw what the script says, or what was drawn."""
        await asyncio.sleep(self._script.thinks)
        legal = view.hand.legal
        if self._script.knocks and legal.knocks:
            drawn = [card for card in legal.knocks if card == view.hand.drawn]
            return Knock(cards_of(drawn or legal.knocks)[0])
        self._turns -= 1
        discards = cards_of(legal.discards)
        while self._throws:
            card = self._throws.pop(0)
            if card in discards:
                return Discard(card)
        drawn_card = parse_card(view.hand.drawn)
        return Discard(drawn_card if drawn_card in discards else discards[0])

    async def lay_off(self, view: View) -> Move:  # noqa: ARG002 -- as the server likes
        """Lay off whatever can be."""
        return LayOff()

    async def _end(self, view: View) -> Move | None:  # noqa: ARG002 -- a bot's signature
        """Return the last move of a script that is at its end."""
        await asyncio.sleep(self._script.thinks)
        if self._turns > 0:
            return None
        match self._script.then:
            case "resigns":
                return Resign()
            case "dies":
                raise _DiedError
            case "is silent":
                await asyncio.sleep(_FOREVER)
            case "plays on":
                pass
        return None


async def attend(house: House, script: Script, entered: asyncio.Event) -> None:
    """Enter a house's tournament, and play at it until it is over."""

    def sit(_call: TableCall) -> Bot:
        return SimpleBot() if script.by_itself else _Scripted(script)

    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(house.address, retry=PATIENT))
        await client.sign_up("Opponent")
        await client.tournaments.enter(house.id)
        entered.set()
        while True:
            session = uuid4().hex
            try:
                await client.tournaments.attend(house.id, sit, tables=_TABLES, session_id=session)
            except _DiedError:
                await client.tournaments.end_session(house.id, session)
            else:
                return

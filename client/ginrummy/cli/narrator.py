"""What a bot's operator reads while it plays: one line a hand, on standard error."""

import click

from ginrummy.bots import Bot, Event, View
from ginrummy.bots.paint import Paint
from ginrummy.bots.telling import Teller
from ginrummy.client.bot import Decision, tell

__all__ = ["Narrated"]

_TOLD = ("player_joined", "hand_scored", "hand_voided", "match_ended")


class Narrated:
    """A bot that plays as another one does, and says how it goes."""

    def __init__(self, player: Bot, player_id: str) -> None:
        """Take the bot that plays, and its player's id."""
        self._player = player
        self._player_id = player_id
        self._teller = Teller(Paint(colour=False))
        self._hand = 0

    def offer(self, view: View) -> Decision:
        """Decide as the bot does."""
        return self._player.offer(view)

    def draw(self, view: View) -> Decision:
        """Decide as the bot does."""
        return self._player.draw(view)

    def discard(self, view: View) -> Decision:
        """Decide as the bot does."""
        return self._player.discard(view)

    def lay_off(self, view: View) -> Decision:
        """Decide as the bot does."""
        return self._player.lay_off(view)

    async def saw(self, event: Event) -> None:
        """Say it, if it is the end of something, and tell the bot."""
        kind = event.WhichOneof("event")
        if kind == "player_joined" and event.player_joined.player_id == self._player_id:
            self._teller.you = event.player_joined.seat
        if kind == "hand_dealt":
            self._hand = event.hand_dealt.hand
        told = self._teller.tell(event)
        if kind in _TOLD:
            hand = f"hand {self._hand}: " if kind.startswith("hand") else ""
            click.echo(hand + told, err=True)
        await tell(self._player, "saw", event)

    def __getattr__(self, name: str) -> object:
        # Whatever else the bot has or has not.
        return getattr(self._player, name)

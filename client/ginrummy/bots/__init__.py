"""Bots, and what one needs to write a bot: the moves, the cards, and what a view says of them.

    class MyBot:
        def offer(self, view): return Pass()
        def draw(self, view): return Draw()
        def discard(self, view): return legal_moves(view)[-1]
        def lay_off(self, view): return LayOff()

docs/bots.md is the guide.
"""

from ginrummy.bots.chance import RandomBot
from ginrummy.bots.expert import ExpertBot
from ginrummy.bots.sight import (
    cards_of,
    held,
    just_taken,
    legal_moves,
    opponent_known,
    pile,
    top,
)
from ginrummy.bots.simple import SimpleBot
from ginrummy.bots.specs import BOTS, BotSpecError, bot_maker, load_bot
from ginrummy.client.bot import Bot, Decision, HandOver
from ginrummy.rules.cards import Card, CardSet, card_set, cards_in
from ginrummy.rules.commands import (
    BigGin,
    Discard,
    Draw,
    Knock,
    LayOff,
    Move,
    Pass,
    Resign,
    Take,
)
from ginrummy.rules.events import LayOffCard
from ginrummy.rules.melds import arrange, deadwood
from ginrummy.v1.events_pb2 import Event, MatchEnded
from ginrummy.v1.match_pb2 import View

__all__ = [
    "BOTS",
    "BigGin",
    "Bot",
    "BotSpecError",
    "Card",
    "CardSet",
    "Decision",
    "Discard",
    "Draw",
    "Event",
    "ExpertBot",
    "HandOver",
    "Knock",
    "LayOff",
    "LayOffCard",
    "MatchEnded",
    "Move",
    "Pass",
    "RandomBot",
    "Resign",
    "SimpleBot",
    "Take",
    "View",
    "arrange",
    "bot_maker",
    "card_set",
    "cards_in",
    "cards_of",
    "deadwood",
    "held",
    "just_taken",
    "legal_moves",
    "load_bot",
    "opponent_known",
    "pile",
    "top",
]

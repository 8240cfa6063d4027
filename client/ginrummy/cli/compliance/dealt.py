"""The cards of a scenario: dealt to the bot and to its opponent, whoever sits where."""

from typing import Literal, TypeAlias

import msgspec

from ginrummy.log.deck import SecretChain, Shuffle
from ginrummy.log.fold import Secrets, shuffle_for
from ginrummy.rules.cards import DECK, Card, Deck, Seat, other, parse_cards
from ginrummy.rules.match import Match

__all__ = ["Deal", "Rigged", "Side"]

Side: TypeAlias = Literal["bot", "opponent"]


class Deal(msgspec.Struct, frozen=True):
    """One hand; what is not said of the stock comes in a fixed order."""

    bot: str
    """The bot's ten cards."""
    opponent: str
    """The opponent's ten cards."""
    upcard: str
    stock: str = ""
    """The first cards of the stock, in the order in which they are drawn."""
    dealer: Side = "opponent"
    """Who deals; the other one is offered the upcard first (D2)."""

    def __post_init__(self) -> None:
        deck = self.deck()
        if len(deck) != len(DECK) or set(deck) != set(DECK):
            raise ValueError(f"no deck deals {self}")

    def deck(self) -> Deck:
        """Return the deck that deals this."""
        first, second = parse_cards(self.bot), parse_cards(self.opponent)
        if self.dealer == "bot":
            first, second = second, first
        named = [card for pair in zip(first, second, strict=True) for card in pair]
        named += [*parse_cards(self.upcard), *parse_cards(self.stock)]
        return (*named, *(card for card in _MIXED if card not in set(named)))


# Neighbours in rank and suit lie far apart, so that drawing them makes no melds by itself.
_MIXED: tuple[Card, ...] = tuple(DECK[(place * 19) % len(DECK)] for place in range(len(DECK)))


class Rigged:
    """The decks of a server at which a scenario is played: its deal at every board.

    A match that is no board is dealt its committed deck, whose secret comes out as it ends.
    """

    def __init__(self, deal: Deal | None) -> None:
        """Deal `deal`, or nothing but committed decks."""
        self._deal = deal
        self.bot = ""
        """The bot's player id, once it is known."""

    def __call__(
        self, match: Match, stream: str, hand: int, secrets: SecretChain | Secrets
    ) -> Shuffle | None:
        """Return the deck of a hand, as `ginrummy.log.fold.Decks`."""
        if self._deal is None or match.terms.board is None:
            return shuffle_for(match, stream, hand, secrets)
        bot: Seat = 0 if match.terms.seats[0] == self.bot else 1
        dealer = bot if self._deal.dealer == "bot" else other(bot)
        return Shuffle(self._deal.deck(), dealer)

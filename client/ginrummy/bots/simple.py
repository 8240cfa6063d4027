"""A bot that plays as a beginner is taught: keep melds, throw high cards, knock at once."""

from ginrummy.bots.sight import cards_of, held, just_taken, top
from ginrummy.rules.cards import Card, CardSet, card_set, cards_in
from ginrummy.rules.commands import BigGin, Discard, Draw, Knock, LayOff, Move, Pass, Take
from ginrummy.rules.melds import arrange, deadwood
from ginrummy.v1.match_pb2 import View

__all__ = ["SimpleBot", "throw", "wants"]


class SimpleBot:
    """It takes a card only into a meld, throws its highest deadwood, and knocks when it may."""

    def offer(self, view: View) -> Move:
        """Take the upcard if it makes or grows a meld."""
        return Take() if view.hand.legal.take and wants(held(view), top(view)) else Pass()

    def draw(self, view: View) -> Move:
        """Take the discard pile's top if it makes or grows a meld."""
        return Take() if view.hand.legal.take and wants(held(view), top(view)) else Draw()

    def discard(self, view: View) -> Move:
        """Knock with as little deadwood as can be, or else throw the highest of it."""
        cards, legal = held(view), view.hand.legal
        if legal.big_gin:
            return BigGin()
        if legal.knocks:
            return Knock(_leaving_least(cards, cards_of(legal.knocks)))
        return Discard(throw(cards, cards_of(legal.discards), just_taken(view)))

    def lay_off(self, view: View) -> Move:  # noqa: ARG002 -- the server finds the best for all
        """Let the server find the melds and lay-offs that leave least."""
        return LayOff()


def wants(cards: CardSet, card: Card) -> bool:
    """Say whether `card` lowers the deadwood of ten cards by making or growing a meld."""
    before, eleven = deadwood(cards), cards | card.bit
    # A card that is in no meld would count by itself.
    melded = deadwood(eleven) <= before
    return melded and any(deadwood(eleven & ~thrown.bit) < before for thrown in cards_in(cards))


def throw(cards: CardSet, discards: tuple[Card, ...], taken: Card | None) -> Card:
    """Return the card of `discards` to throw from eleven: the highest deadwood, not just taken.

    Where no deadwood is left to throw, the card whose loss costs least.
    """
    idle = card_set(arrange(cards, None).deadwood)
    choices = [card for card in discards if card is not taken]
    useless = [card for card in choices if card.bit & idle]
    if useless:
        return max(useless, key=lambda card: card.points)
    return _leaving_least(cards, tuple(choices))


def _leaving_least(cards: CardSet, choices: tuple[Card, ...]) -> Card:
    """Return the card without which the others have least deadwood; the highest of equal ones."""
    return min(choices, key=lambda card: (deadwood(cards & ~card.bit), -card.points))

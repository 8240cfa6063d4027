"""The stock in the order in which it is drawn, which is for those alone who may see all cards."""

from ginrummy.rules.cards import Card
from ginrummy.rules.hand import Hand
from ginrummy.rules.match import Match

__all__ = ["hand_of", "stock_order"]


def hand_of(match: Match) -> Hand | None:
    """Return the hand that is played or was played last; None where none was dealt."""
    hand: Hand | None = getattr(match, "hand", None) or getattr(match, "last", None)
    return hand


def stock_order(match: Match) -> tuple[Card, ...] | None:
    """Return what is left of the stock, next first; None where the deck is not known."""
    hand = hand_of(match)
    deck = None if hand is None else hand.layout.dealt.deck
    if hand is None or deck is None:
        return None
    return tuple(deck[len(deck) - hand.layout.stock :])

"""What a bot sees of its table, in the rules' own values: cards, sets of cards, moves.

A `View` spells cards as texts, as every language can read them. Here they become `Card`s and
`CardSet`s, with which a bot can ask the rules for deadwood and melds.
"""

from collections.abc import Iterable

from ginrummy.rules.cards import DECK, Card, CardSet, card_set, parse_card
from ginrummy.rules.commands import (
    BigGin,
    Discard,
    Draw,
    Knock,
    LayOff,
    Move,
    Pass,
    Take,
)
from ginrummy.v1.match_pb2 import View

__all__ = ["cards_of", "held", "just_taken", "legal_moves", "opponent_known", "pile", "top"]


def cards_of(texts: Iterable[str]) -> tuple[Card, ...]:
    """Return the cards that a message spells."""
    return tuple(_CARDS.get(text) or parse_card(text) for text in texts)


_CARDS = {str(card): card for card in DECK}


def held(view: View) -> CardSet:
    """Return the cards in the own hand."""
    return card_set(cards_of(view.hand.hands[view.seat].cards))


def opponent_known(view: View) -> CardSet:
    """Return the cards that the opponent is known to hold or has laid down."""
    return card_set(cards_of(view.hand.hands[1 - view.seat].cards))


def pile(view: View) -> tuple[Card, ...]:
    """Return the discard pile, its top last."""
    return cards_of(view.hand.discard_pile)


def top(view: View) -> Card:
    """Return the card that `Take()` would take: the upcard or the discard pile's top.

    Raises ValueError where nothing lies there.
    """
    if not view.hand.discard_pile:
        raise ValueError("the discard pile is empty")
    return parse_card(view.hand.discard_pile[-1])


def just_taken(view: View) -> Card | None:
    """Return the card that was taken from the discard pile in this turn, or None."""
    return parse_card(view.hand.drawn) if view.hand.taken and view.hand.drawn else None


def legal_moves(view: View) -> tuple[Move, ...]:
    """Return the moves that the seat can make, in a fixed order.

    A knock, big gin or lay-off stands here once, with its arrangement left to the server.
    Resigning is always possible and not listed.
    """
    legal = view.hand.legal
    moves: list[Move] = []
    if legal.take:
        moves.append(Take())
    if legal.pass_upcard:
        moves.append(Pass())
    if legal.draw:
        moves.append(Draw())
    moves += [Discard(card) for card in cards_of(legal.discards)]
    moves += [Knock(card) for card in cards_of(legal.knocks)]
    if legal.big_gin:
        moves.append(BigGin())
    if legal.lay_off:
        moves.append(LayOff())
    return tuple(moves)

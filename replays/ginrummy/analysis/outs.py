"""Outs: the cards that would help ten, and which of them may still come."""

import msgspec

from ginrummy.analysis.policy import count_after_throw
from ginrummy.rules.cards import DECK, Card, CardSet
from ginrummy.rules.melds import deadwood

__all__ = ["Outs", "outs_of"]


class Outs(msgspec.Struct, frozen=True):
    """What would help ten cards, each list in the unshuffled deck's order."""

    melding: tuple[Card, ...]
    """Live cards that would make or grow a meld."""
    lowering: tuple[Card, ...]
    """Live cards that would lower the deadwood otherwise: by a throw of something higher."""
    dead: tuple[Card, ...]
    """Cards that would make or grow a meld and lie in the pile or with the opponent."""


def outs_of(cards: CardSet, unseen: CardSet) -> Outs:
    """Return the outs of ten cards, of which those among `unseen` are live."""
    before = deadwood(cards)
    melding, lowering, dead = [], [], []
    for card in DECK:
        if card.bit & cards or count_after_throw(cards | card.bit) >= before:
            continue
        melds = deadwood(cards | card.bit) <= before
        if not card.bit & unseen:
            if melds:
                dead.append(card)
        elif melds:
            melding.append(card)
        else:
            lowering.append(card)
    return Outs(tuple(melding), tuple(lowering), tuple(dead))

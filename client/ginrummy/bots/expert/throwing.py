"""Which card to throw: what the others are then worth, less what the opponent may make of it."""

from collections.abc import Iterable
from typing import NamedTuple

from ginrummy.bots.expert.outs import can_meld, outs
from ginrummy.bots.expert.reading import Reading
from ginrummy.bots.expert.weights import THROWING
from ginrummy.bots.expert.worth import Stand, worth
from ginrummy.rules.cards import Card, CardSet
from ginrummy.rules.melds import deadwood

__all__ = ["Throw", "best_throw", "danger"]


class Throw(NamedTuple):
    """A card to throw, and what that is worth in points."""

    worth: float
    card: Card


def best_throw(eleven: CardSet, throws: Iterable[Card], reading: Reading, stand: Stand) -> Throw:
    """Return the best of `throws` from eleven cards; of equal ones the first."""
    left = {card: deadwood(eleven & ~card.bit) for card in throws}
    least = min(left.values())
    return max(
        (
            Throw(_worth(eleven, card, reading, stand), card)
            for card, count in left.items()
            # What costs more than this at once is never made up for.
            if count <= least + THROWING.sacrifice
        ),
        key=lambda throw: throw.worth,
    )


def _worth(eleven: CardSet, card: Card, reading: Reading, stand: Stand) -> float:
    held = outs(eleven & ~card.bit, reading.stock, stand.limit)
    return worth(held, stand) - THROWING.danger * danger(card, reading)


def danger(card: Card, reading: Reading) -> float:
    """Return by how many points the card would help the opponent, on average.

    It helps the hands in which it makes or grows a meld: they get rid of what the meld takes in,
    and of a card that they can throw in its stead.
    """
    helped = 0.0
    for cards, count in reading.hands:
        if can_meld(card, cards):
            with_it = deadwood(cards | card.bit)
            if with_it < count + card.points:
                helped += max(0.0, count - with_it + THROWING.freed)
    return helped / len(reading.hands)

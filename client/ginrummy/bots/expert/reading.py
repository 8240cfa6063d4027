"""A reading of the opponent: who may hold which hidden card, from what they threw, took and left.

what was thrown, taken, left ──> how likely each unseen card is theirs ──> imagined hands
"""

import math
from typing import NamedTuple

from ginrummy.bots.expert.imagining import Imagined, imagined_hands
from ginrummy.bots.expert.memory import Course
from ginrummy.bots.expert.weights import READING
from ginrummy.rules.cards import DECK, Card, CardSet, cards_in

__all__ = ["Reading", "read"]


class Reading(NamedTuple):
    """What is hidden, and who may have it."""

    stock: tuple[tuple[Card, float], ...]
    """Every unseen card with its chance of lying in the stock, 0 to 1."""
    hands: tuple[Imagined, ...]
    """Hands that the opponent may have, each as likely as the others."""
    turns: int
    """How many cards the opponent has thrown."""

    @property
    def deadwood(self) -> float:
        """The opponent's deadwood in points, on average over the imagined hands."""
        return sum(hand.deadwood for hand in self.hands) / len(self.hands)


def read(unseen: CardSet, known: CardSet, hidden: int, course: Course) -> Reading:
    """Read an opponent who holds the cards of `known` and `hidden` more of `unseen`."""
    leanings, turns = _leanings(course), len(course.thrown)
    cards = cards_in(unseen)
    weights = [math.exp(leanings[card.index]) for card in cards]
    share = hidden / sum(weights)
    in_stock = (max(READING.doubt, 1 - share * weight) for weight in weights)
    return Reading(
        tuple(zip(cards, in_stock, strict=True)),
        tuple(imagined_hands(cards, weights, known, hidden, READING.choice * turns)),
        turns,
    )


def _near(card: Card) -> tuple[tuple[int, ...], ...]:
    """Return the indices of the cards of its rank, and of those one and two off in its suit."""
    same = tuple(near.index for near in DECK if near.rank == card.rank and near is not card)
    in_suit = [near for near in DECK if near.suit == card.suit]
    off = (tuple(c.index for c in in_suit if abs(c.rank - card.rank) == d) for d in (1, 2))
    return same, *off


_NEAR = tuple(map(_near, DECK))


def _leanings(course: Course) -> list[float]:
    """Return for every card, by its index, the log of how much likelier it is theirs than not."""
    turns = len(course.thrown)
    leanings = [READING.high * turns * card.points for card in DECK]
    for factors, cards in (
        (READING.thrown, course.thrown),
        (READING.left, course.left),
        (READING.taken, course.taken),
    ):
        for card in cards:
            for factor, near in zip(factors, _NEAR[card.index], strict=True):
                for index in near:
                    leanings[index] += factor
    return leanings

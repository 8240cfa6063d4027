"""What a hand of ten may become with one card more: its outs.

For each card that may still come, the least deadwood that the hand then has after its discard.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ginrummy.rules.cards import DECK, Card, CardSet, card_set, cards_in
from ginrummy.rules.melds import deadwood

__all__ = ["Outs", "can_meld", "idle_cards", "is_highest", "outs"]


_BESIDE: tuple[CardSet, ...] = tuple(
    card_set(
        near
        for near in DECK
        if near is not card
        and (near.rank == card.rank or (near.suit == card.suit and abs(near.rank - card.rank) < 3))
    )
    for card in DECK
)
"""For every card, those that can be in a meld of three with it."""


class Outs(NamedTuple):
    """What the next card brings ten cards, on average over the live ones."""

    deadwood: int
    """The deadwood as it is, in points."""
    drop: float
    """By how many points the next card lowers it."""
    knock: float
    """The chance that the next card brings it to the knock limit or below, 0 to 1."""
    gin: float
    """The chance that the next card makes gin, 0 to 1."""


def idle_cards(cards: CardSet) -> tuple[Card, ...]:
    """Return the cards that some best arrangement leaves over, the highest first."""
    count = deadwood(cards)
    idle = [c for c in cards_in(cards) if deadwood(cards & ~c.bit) == count - c.points]
    idle.sort(key=lambda card: -card.points)
    return tuple(idle)


def can_meld(card: Card, cards: CardSet) -> bool:
    """Say whether `card` may make a meld with some of `cards`; where not, it surely does not."""
    beside = cards & _BESIDE[card.index]
    return bool(beside & (beside - 1))


def is_highest(card: Card, cards: CardSet) -> bool:
    """Say whether `card` would count as much as any of `cards` that is in no meld, or more."""
    return all(card.points >= idle.points for idle in idle_cards(cards))


def outs(cards: CardSet, stock: Sequence[tuple[Card, float]], limit: int) -> Outs:
    """Return the outs of ten cards; `stock` are the cards that may come, with their weights."""
    count, idle = deadwood(cards), idle_cards(cards)
    highest = idle[0].points if idle else 0
    drop = knock = gin = total = 0.0
    for card, weight in stock:
        total += weight
        if can_meld(card, cards):
            left = _least_after(cards, count, idle, card)
        else:
            left = count - max(0, highest - card.points)
        if left < count:
            drop += weight * (count - left)
        if left <= limit:
            knock += weight
            if not left:
                gin += weight
    if not total:
        return Outs(count, 0.0, 0.0, 0.0)
    return Outs(count, drop / total, knock / total, gin / total)


def _least_after(cards: CardSet, count: int, idle: Sequence[Card], card: Card) -> int:
    """Return the deadwood of `cards` after drawing `card` and throwing the best one.

    `count` is their deadwood and `idle` what `idle_cards` says of them.
    """
    eleven = cards | card.bit
    together = deadwood(eleven)
    if together == count + card.points:
        # It is in no meld, and the highest goes.
        return together - max(card.points, idle[0].points if idle else 0)
    for thrown in idle:
        if deadwood(eleven & ~thrown.bit) == together - thrown.points:
            return together - thrown.points
    return together

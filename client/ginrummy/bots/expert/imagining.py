"""Hands that the opponent may have, drawn by how likely each unseen card is theirs.

An imagined hand draws the unseen cards in an order in which the likely ones tend to come first,
gives every card taken face up a meld to be in, and throws the worst of a few cards too many: a
player who has had some turns no longer holds what was dealt.
"""

import math
from collections.abc import Iterator, Sequence
from operator import itemgetter, mul
from random import Random
from typing import NamedTuple

from ginrummy.bots.expert.weights import READING
from ginrummy.rules.cards import DECK, Card, CardSet, cards_in
from ginrummy.rules.melds import RUNS, SETS, deadwood

__all__ = ["Imagined", "imagined_hands"]

# A fixed table, drawn once and the same in every process: a card that comes w times as readily
# comes after its time here / w, and the first to come are the hand. So nothing is left to chance,
# and the same position always imagines the same hands.
_rng = Random(20)  # noqa: S311 -- a game, no secret
_WAITS = tuple(tuple(_rng.expovariate(1.0) for _ in DECK) for _ in range(READING.hands))

_PAIRS: tuple[tuple[CardSet, ...], ...] = tuple(
    tuple(
        meld & ~card.bit
        for meld in sorted(SETS | RUNS)
        if meld & card.bit and meld.bit_count() == 3
    )
    for card in DECK
)
"""For every card, the pairs of which each makes a meld of three with it."""


class Imagined(NamedTuple):
    """A hand that the opponent may have."""

    cards: CardSet
    deadwood: int
    """Its least deadwood, in points."""


def imagined_hands(
    unseen: Sequence[Card], weights: Sequence[float], known: CardSet, hidden: int, spare: float
) -> Iterator[Imagined]:
    """Yield hands of the cards of `known` and `hidden` of the unseen ones, of those weights.

    Each is the best of `spare` cards more, in whole cards for some and rounded up for others.
    There are two unseen cards or more.
    """
    paces = [1 / weight for weight in weights]
    bits = [card.bit for card in unseen]
    waits_of_unseen = itemgetter(*(card.index for card in unseen))
    for number, waits in enumerate(_WAITS):
        comes = sorted(zip(map(mul, waits_of_unseen(waits), paces), bits, strict=True))
        over = int(spare + (number + 0.5) / len(_WAITS))
        cards = _hand(comes, known, hidden, over)
        yield Imagined(cards, deadwood(cards))


def _hand(
    comes: Sequence[tuple[float, CardSet]], known: CardSet, hidden: int, over: int
) -> CardSet:
    """Return one hand; `comes` says when each unseen card comes, the first ones first."""
    kept = _melded(known, comes, hidden) if known else 0
    hand = kept
    size = known.bit_count() + hidden
    wanted = size + over - hand.bit_count()
    for _, bit in comes:
        if wanted <= 0:
            break
        if not hand & bit:
            hand |= bit
            wanted -= 1
    while hand.bit_count() > size:
        hand &= ~_worst(hand, hand & ~kept)
    return hand


def _melded(known: CardSet, comes: Sequence[tuple[float, CardSet]], hidden: int) -> CardSet:
    """Return the known cards, with the pairs that meld them and come first."""
    at = {bit: time for time, bit in comes}
    room = known.bit_count() + hidden
    held = known
    for card in cards_in(known):
        if deadwood(held & ~card.bit) + card.points != deadwood(held):
            continue  # It is in a meld.
        best, soonest = 0, math.inf
        for pair in _PAIRS[card.index]:
            lacking = cards_in(pair & ~held)
            time = sum(at.get(each.bit, math.inf) for each in lacking)
            if time < soonest and (held | pair).bit_count() <= room:
                best, soonest = pair, time
        held |= best
    return held


def _worst(cards: CardSet, free: CardSet) -> CardSet:
    """Return the highest card of `free` that is in no meld, or else the lowest of them."""
    count = deadwood(cards)
    highest_first = sorted(cards_in(free), key=lambda card: -card.points)
    for card in highest_first:
        if deadwood(cards & ~card.bit) == count - card.points:
            return card.bit
    return highest_first[-1].bit

"""The fixed policy by which imagined hands are played on: as a beginner is taught.

It takes the pile's top only into a meld, throws its highest deadwood, and knocks as soon as it may.
It works on sets of cards alone, as some hundred thousand turns go into the judging of one hand.
"""

from ginrummy.rules.cards import DECK, CardSet, cards_in, points
from ginrummy.rules.melds import deadwood, outside_runs, set_choices

__all__ = ["best_throw", "count_after_throw", "idle", "throw", "wants"]

_RANKS_FROM_THE_KING = tuple(
    sum(card.bit for card in DECK if card.rank == rank) for rank in reversed(range(13))
)


def wants(cards: CardSet, top: CardSet) -> bool:
    """Say whether ten cards meld `top`, a set of one card, at no loss."""
    return deadwood(cards | top) <= deadwood(cards)


def idle(cards: CardSet) -> CardSet:
    """Return the deadwood of the arrangement that the rules choose (K2)."""
    s, h, d, c = cards & 8191, cards >> 13 & 8191, cards >> 26 & 8191, cards >> 39
    if not (s & h & (d | c) | d & c & (s | h)):
        return outside_runs(cards)
    in_sets = min(set_choices(cards), key=lambda choice: points(outside_runs(cards ^ choice)))
    return outside_runs(cards ^ in_sets)


def throw(cards: CardSet, kept: CardSet = 0) -> CardSet:
    """Return the card of eleven to throw, as a set: the highest deadwood that is not in `kept`.

    Kings before queens, and so on; of one rank the suits in the order S H D C. Where no deadwood
    is left to throw, it is the card whose loss costs least.
    """
    useless = idle(cards) & ~kept
    if not useless:
        return best_throw(cards, kept)[0]
    for rank in _RANKS_FROM_THE_KING:
        if found := useless & rank:
            return found & -found
    raise AssertionError("every card has a rank")


def best_throw(cards: CardSet, kept: CardSet = 0) -> tuple[CardSet, int]:
    """Return the card whose loss leaves least deadwood, as a set, and how many points it leaves.

    The highest of equal ones; none of `kept`.
    """
    best, least = 0, 1000
    for rank in _RANKS_FROM_THE_KING:
        found = cards & ~kept & rank
        while found:
            card = found & -found
            found ^= card
            left = deadwood(cards ^ card)
            if left < least:
                best, least = card, left
    return best, least


def count_after_throw(cards: CardSet) -> int:
    """Return the least deadwood, in points, that eleven cards can be brought to by a throw."""
    return min(deadwood(cards & ~card.bit) for card in cards_in(cards))

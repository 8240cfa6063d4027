"""Melds, least deadwood and lay-offs by plain search: what the rules engine has to equal.

It shares nothing with the rules engine, not even a card: cards are strings, melds are frozen sets
of them, and everything is found by trying all of it.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

RANKS = "A23456789TJQK"
SUITS = "SHDC"

Cards = frozenset[str]

SETS: tuple[Cards, ...] = tuple(
    frozenset(rank + suit for suit in suits)
    for rank in RANKS
    for size in (3, 4)
    for suits in combinations(SUITS, size)
)

RUNS: tuple[Cards, ...] = tuple(
    frozenset(rank + suit for rank in RANKS[low:high])
    for suit in SUITS
    for low in range(13)
    for high in range(low + 3, 14)
)

MELDS = SETS + RUNS
_KNOWN = frozenset(MELDS)


def points(cards: Cards) -> int:
    """Return what the cards count."""
    return sum(min(RANKS.index(card[0]) + 1, 10) for card in cards)


def arrangements(cards: Cards, melds: Sequence[Cards] = MELDS) -> Iterator[tuple[Cards, ...]]:
    """Yield every choice of melds of `cards` that share no card, the empty one included."""
    yield ()
    possible = [meld for meld in melds if meld <= cards]
    for i, meld in enumerate(possible):
        for others in arrangements(cards - meld, possible[i + 1 :]):
            yield (meld, *others)


def least_deadwood(cards: Cards) -> int:
    """Return the least deadwood."""
    return min(points(cards.difference(*melds)) for melds in arrangements(cards))


def least_after_lay_offs(spread: tuple[Cards, ...], cards: Cards) -> int:
    """Return the least deadwood where cards in no meld may be laid off on `spread`."""
    return min(_laid_off(spread, cards.difference(*melds)) for melds in arrangements(cards))


@cache
def _laid_off(spread: tuple[Cards, ...], cards: Cards) -> int:
    least = points(cards)
    for card in cards:
        for i, meld in enumerate(spread):
            grown = meld | {card}
            if grown in _KNOWN:
                after = (*spread[:i], grown, *spread[i + 1 :])
                least = min(least, _laid_off(after, cards - {card}))
    return least

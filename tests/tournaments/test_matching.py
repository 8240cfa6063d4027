"""Matchings in the order of their cost, beside all of them sorted."""

import random
from itertools import islice

import pytest
from support_outlook import perfect_matchings

from ginrummy.tournaments.pairing.matching import Cost, Pair, in_order_of_cost


def sorted_by_cost(size: int, costs: dict[Pair, Cost]) -> list[list[Pair]]:
    """Return every perfect matching of the pairs that are allowed, the cheapest first."""
    names = [str(number) for number in range(size)]
    matchings = [
        [(int(one), int(another)) for one, another in matching]
        for matching in perfect_matchings(names)
    ]
    allowed = [matching for matching in matchings if all(pair in costs for pair in matching)]
    return sorted(
        allowed,
        key=lambda matching: (
            [sum(level) for level in zip(*(costs[pair] for pair in matching), strict=True)],
            matching,
        ),
    )


@pytest.mark.parametrize("seed", range(30))
def test_every_matching_comes_once_and_in_order(seed: int) -> None:
    """Level by level; of those that cost the same, the one with the lowest partners first."""
    rng = random.Random(seed)
    size = rng.choice((2, 4, 6, 8))
    costs: dict[Pair, Cost] = {
        (i, j): (rng.randrange(2), rng.randrange(3), rng.randrange(2))
        for j in range(size)
        for i in range(j)
        # All of 0-1, 2-3 and so on are there, and of the others most.
        if (i % 2 == 0 and j == i + 1) or rng.random() < 0.8
    }
    assert list(in_order_of_cost(size, costs)) == sorted_by_cost(size, costs)


def test_the_first_ones_come_without_the_rest() -> None:
    """34 places can be paired in more ways than could ever be listed."""
    costs: dict[Pair, Cost] = {(i, j): (j - i,) for j in range(34) for i in range(j)}
    first, second = islice(in_order_of_cost(34, costs), 2)
    neighbours = [(i, i + 1) for i in range(0, 34, 2)]
    assert first == neighbours
    assert second == [*neighbours[:-2], (30, 32), (31, 33)]

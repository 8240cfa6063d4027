"""What a round leaves for the next one: by hand, and beside every way of laying the first deals."""

import random
from itertools import product

import pytest
from support_outlook import perfect_matchings

from ginrummy.tournaments.pairing.matching import Pair
from ginrummy.tournaments.pairing.outlook import Here, outlook


def granted(here: Here, pairs: list[Pair], wished: dict[int, int]) -> tuple[int, dict[int, int]]:
    """Return the best strain and the first balances that have it, wishes granted table by table."""
    free = [pair for pair in pairs if pair[0] in wished]
    best: tuple[int, dict[int, int]] | None = None
    for turned in product((1, -1), repeat=len(free)):
        laid = {
            place: way * wished[place]
            for pair, way in zip(free, turned, strict=True)
            for place in pair
        }
        strain = least_strain(here, pairs, laid)
        if best is None or strain < best[0]:
            best = strain, laid
    assert best is not None
    return best


def least_strain(here: Here, pairs: list[Pair], laid: dict[int, int]) -> int:
    """Return the strain of the best way of pairing the next round, of all ways that there are."""
    count = len(here.balances)
    balances, byes = [*here.balances, 0], list(here.byes)
    for i, j in pairs:
        if j == count:
            byes[i] += 1
        elif i in laid:
            balances[i], balances[j] = laid[i], laid[j]
        elif balances[i] != balances[j]:
            lower, higher = sorted((i, j), key=lambda place: here.balances[place])
            balances[lower], balances[higher] = balances[lower] + 1, balances[higher] - 1
    size = count + count % 2
    met = here.met | {pair for pair in pairs if pair[1] < count}
    names = [chr(97 + place) for place in range(size)]
    return min(
        sum(size * (pair in met) + (balances[pair[0]] * balances[pair[1]] > 0) for pair in paired)
        for paired in (
            [(ord(one) - 97, ord(another) - 97) for one, another in matching]
            for matching in perfect_matchings(names)
        )
        if all(j < count or byes[i] == min(byes) for i, j in paired)
    )


@pytest.mark.parametrize("seed", range(60))
def test_no_way_of_laying_the_first_deals_leaves_more(seed: int) -> None:
    """From any past, be it one that no event would come to."""
    rng = random.Random(seed)
    count = rng.randint(2, 8)
    size = count + count % 2
    among = [(i, j) for j in range(count) for i in range(j)]
    here = Here(
        frozenset(pair for pair in among if rng.random() < rng.choice((0.2, 0.5))),
        tuple(rng.choice((-1, 0, 0, 0, 1)) for _ in range(count)),
        tuple(rng.randrange(2) for _ in range(count)),
    )
    order = rng.sample(range(size), size)
    pairs = sorted((min(pair), max(pair)) for pair in zip(order[::2], order[1::2], strict=True))
    wished: dict[int, int] = {}
    for i, j in pairs:
        if j < count and here.balances[i] == here.balances[j] == 0:
            wished[i] = rng.choice((1, -1))
            wished[j] = -wished[i]
    found = outlook(here, pairs, wished)
    strain, laid = granted(here, pairs, wished)
    assert found.strain == strain
    assert {place: found.balances[place] for place in laid} == laid


def test_a_wish_gives_way_to_the_next_round() -> None:
    """Of four, 0 and 3 alone have not met after this round, nor 1 and 2, so each of those pairs
    needs one that deals first and one that does not."""
    here = Here(frozenset({(0, 2), (1, 3)}), (0, 0, 0, 0), (0, 0, 0, 0))
    found = outlook(here, [(0, 1), (2, 3)], {0: 1, 1: -1, 2: -1, 3: 1})
    assert (found.strain, dict(found.balances)) == (0, {0: 1, 1: -1, 2: 1, 3: -1})


def test_what_nobody_can_help_is_counted() -> None:
    """Two who have both dealt first more often must meet again: a rematch, dealt by lot."""
    here = Here(frozenset({(0, 1)}), (1, 1), (0, 0))
    assert outlook(here, [(0, 1)], {}).strain == 2 + 1

"""The ways to put everybody into pairs, the cheapest first, where costs go level by level."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

import networkx as nx

__all__ = ["Cost", "Pair", "heaviest", "in_order_of_cost"]

Pair: TypeAlias = tuple[int, int]
"""Two numbers, the lower one in front."""
Cost: TypeAlias = tuple[int, ...]
"""What a pair costs at each level, none below 0. A level counts only between matchings whose sums
are equal at every level before it."""


def in_order_of_cost(size: int, costs: Mapping[Pair, Cost]) -> Iterator[list[Pair]]:
    """Yield every perfect matching of 0 to `size` - 1, the cheapest first; its pairs are in order.

    `costs` has the pairs that are allowed; among them is a perfect matching. Of equally cheap
    matchings the one comes first that gives 0 the lowest partner, then the lowest number that is
    left, and so on: there is one order, whatever the algorithm's own order is.
    """
    weights = _weights(size, costs)
    waiting = [_Part.of(size, weights, (), frozenset())]
    while waiting:
        best = heappop(waiting)
        yield best.matching
        # Every other matching of this part lacks one of the pairs. The parts that the rest falls
        # into have the first few of them and lack the next one (Murty 1968, Lawler 1972).
        kept = best.kept
        for pair in (each for each in best.matching if each not in best.kept):
            part = _Part.of(size, weights, kept, best.barred | {pair})
            if 2 * len(part.matching) == size:
                heappush(waiting, part)
            kept = (*kept, pair)


def heaviest(numbers: Collection[int], weights: Mapping[Pair, int]) -> list[Pair]:
    """Return a matching that leaves out as few as can be and of those weighs most."""
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(numbers)
    for (i, j), weight in weights.items():
        graph.add_edge(i, j, weight=weight)
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in matching)


class _Part(NamedTuple):
    """The matchings that have some pairs and lack others: the best of them, and which they are.

    Parts compare by what is lacking in weight, which no two have in common.
    """

    lacking: int
    matching: list[Pair]
    kept: tuple[Pair, ...]
    barred: frozenset[Pair]

    @classmethod
    def of(
        cls,
        size: int,
        weights: Mapping[Pair, int],
        kept: tuple[Pair, ...],
        barred: frozenset[Pair],
    ) -> "_Part":
        taken = {number for pair in kept for number in pair}
        free = {
            pair: weight
            for pair, weight in weights.items()
            if pair not in barred and taken.isdisjoint(pair)
        }
        numbers = [number for number in range(size) if number not in taken]
        matching = sorted([*kept, *heaviest(numbers, free)])
        return cls(-sum(weights[pair] for pair in matching), matching, kept, barred)


def _weights(size: int, costs: Mapping[Pair, Cost]) -> dict[Pair, int]:
    """Return each pair's weight: the less it costs, the more it weighs.

    Each level is a digit, in a base above what a whole matching can cost there. The last digits
    hold the partner of 0, of 1, and so on, so that no two matchings weigh the same.
    """
    levels: Sequence[Sequence[int]] = list(zip(*costs.values(), strict=True))
    bases = [max(level) * (size // 2) + 1 for level in levels]
    totals: dict[Pair, int] = {}
    for (i, j), cost in costs.items():
        total = 0
        for digit, base in zip(cost, bases, strict=True):
            total = total * base + digit
        totals[i, j] = total * size**size + j * size ** (size - 1 - i)
    ceiling = max(totals.values(), default=0) + 1
    return {pair: ceiling - total for pair, total in totals.items()}

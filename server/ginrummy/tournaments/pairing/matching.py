"""The cheapest way to put everybody into pairs, where costs are compared level by level."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import networkx as nx

__all__ = ["Cost", "cheapest_pairs"]

Pair: TypeAlias = tuple[int, int]
Cost: TypeAlias = tuple[int, ...]
"""What a pair costs at each level, none below 0. A level counts only between matchings whose sums
are equal at every level before it."""


def cheapest_pairs(size: int, costs: Mapping[Pair, Cost]) -> list[Pair]:
    """Return the cheapest perfect matching of 0 to `size` - 1, in order, lower number in front.

    `costs` has the pairs (i, j), i < j, that are allowed; among them is a perfect matching. Of
    equally cheap matchings it is the one that gives 0 the lowest partner, then the lowest number
    that is left, and so on: there is one answer, whatever the algorithm's own order is.
    """
    weights = _weights(size, costs)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(size))
    for (i, j), weight in weights.items():
        graph.add_edge(i, j, weight=weight)
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in matching)


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

"""The shape of an elimination: which matches there are, and whose winners and losers meet in them.

Matches are named by their side, round and place: `W1.3` is the third match of the winners' first
round, `L2.1` the first of the losers' second, `GF` the grand final and `GF2` its second match.
"""

from typing import Literal, TypeAlias

import msgspec

__all__ = ["Node", "Source", "double_bracket", "seed_order", "single_bracket"]


class Node(msgspec.Struct, frozen=True):
    """A match of the bracket, and where its two sides come from."""

    label: str
    one: "Source"
    another: "Source"


Source: TypeAlias = tuple[Literal["seed"], int] | tuple[Literal["winner", "loser"], str]
"""The entrant with a seed, counted from 1, or the winner or loser of a match."""


def seed_order(size: int) -> tuple[int, ...]:
    """Return the seeds in the order of the first round's places: 1 16 8 9 4 13 5 12 and so on.

    Neighbours meet, so that the two seeds of every match add up to one more than the entrants left
    in that round if no weaker one ever wins, and the first two can meet in the final alone.
    """
    order: tuple[int, ...] = (1,)
    while len(order) < size:
        order = tuple(seed for old in order for seed in (old, 2 * len(order) + 1 - old))
    return order


def single_bracket(entrants: int) -> tuple[Node, ...]:
    """Return the matches of a single elimination, every one after those that it depends on."""
    size = 1 << max(0, entrants - 1).bit_length()
    order = seed_order(size)
    nodes = [
        Node(f"W1.{i + 1}", ("seed", order[2 * i]), ("seed", order[2 * i + 1]))
        for i in range(size // 2)
    ]
    for number in range(2, size.bit_length()):
        nodes += _of_winners("W", number, size >> number)
    return tuple(nodes)


def double_bracket(entrants: int) -> tuple[Node, ...]:
    """Return the matches of a double elimination, every one after those that it depends on.

    The losers of the winners' round m + 1 come into the losers' round 2m, from the other end for
    odd m and from the middle for even m, so that those who have met meet again as late as can be.
    """
    nodes = list(single_bracket(entrants))
    rounds = (1 << max(0, entrants - 1).bit_length()).bit_length() - 1
    last: Source = ("loser", "W1.1")
    count = (1 << rounds) // 4
    if count:
        nodes += (
            Node(f"L1.{i}", ("loser", f"W1.{2 * i - 1}"), ("loser", f"W1.{2 * i}"))
            for i in range(1, count + 1)
        )
    for m in range(1, rounds):
        if m > 1:
            nodes += _of_winners("L", 2 * m - 1, count)
        arrivals = _arrivals(m, count)
        nodes += (
            Node(f"L{2 * m}.{i}", ("winner", f"L{2 * m - 1}.{i}"), ("loser", f"W{m + 1}.{arrival}"))
            for i, arrival in enumerate(arrivals, start=1)
        )
        last = ("winner", f"L{2 * m}.1")
        count //= 2
    nodes.append(Node("GF", ("winner", f"W{rounds}.1"), last))
    nodes.append(Node("GF2", ("winner", "GF"), ("loser", "GF")))
    return tuple(nodes)


def _of_winners(side: str, number: int, count: int) -> list[Node]:
    """Return a round in which the winners of the round before meet, neighbour by neighbour."""
    before = f"{side}{number - 1}."
    return [
        Node(
            f"{side}{number}.{i}",
            ("winner", f"{before}{2 * i - 1}"),
            ("winner", f"{before}{2 * i}"),
        )
        for i in range(1, count + 1)
    ]


def _arrivals(m: int, count: int) -> tuple[int, ...]:
    """Return the winners' matches, in the order in which their losers come into a round."""
    places = tuple(range(1, count + 1))
    return places[::-1] if m % 2 else places[count // 2 :] + places[: count // 2]

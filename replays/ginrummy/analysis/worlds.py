"""Worlds: ways in which the cards that a seat could not see may lie, drawn at random.

A world fits all that the seat knew. Of the opponent's behaviour one thing is taken in: a card that
they let lie or threw and that would be melded in the hand imagined makes that world a quarter as
likely. What is drawn follows from the seed alone, on every machine: the draws are those of the
committed deck's shuffling.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from ginrummy.analysis.knowledge import Knowledge
from ginrummy.analysis.playing import Standing
from ginrummy.analysis.policy import wants
from ginrummy.log.deck import shuffled, words
from ginrummy.rules.cards import BySeat, CardSet, cards_in
from ginrummy.rules.hand import Dealt

__all__ = ["World", "draw_worlds", "seeded", "standing_in"]

_QUARTER = 1 << 30
"""Of all 32-bit words a quarter is below it."""

_TRIES = 64
"""After so many hands that were too unlikely, the least unlikely of them is taken."""


class World(NamedTuple):
    """Where the cards may lie that a seat does not see."""

    opposing: CardSet
    """The opponent's whole hand."""
    stock: tuple[CardSet, ...]
    """The stock, its top first, each card as a set."""


def seeded(*parts: object) -> Iterator[int]:
    """Return the endless 32-bit words that follow from a seed and what else tells draws apart."""
    return words(sha256("\0".join(("ginrummy/analysis", *map(str, parts))).encode()).digest())


def draw_worlds(knowledge: Knowledge, number: int, numbers: Iterator[int]) -> tuple[World, ...]:
    """Return `number` worlds that fit `knowledge`, drawn independently of each other."""
    unseen = tuple(card.bit for card in cards_in(knowledge.unseen))
    # What the cards known to be held would meld anyway tells no two worlds apart.
    telling = tuple(
        card.bit for card in cards_in(knowledge.refused) if not wants(knowledge.held, card.bit)
    )
    return tuple(_draw(knowledge, unseen, telling, numbers) for _ in range(number))


def _draw(
    knowledge: Knowledge,
    unseen: tuple[CardSet, ...],
    telling: tuple[CardSet, ...],
    numbers: Iterator[int],
) -> World:
    best, fewest = World(0, ()), len(telling) + 1
    for _ in range(_TRIES):
        order = shuffled(unseen, numbers)
        opposing = knowledge.held | sum(order[: knowledge.hidden])
        contradictions = sum(wants(opposing, card) for card in telling)
        world = World(opposing, order[knowledge.hidden :])
        if all(next(numbers) < _QUARTER for _ in range(contradictions)):
            return world
        if contradictions < fewest:
            best, fewest = world, contradictions
    return best


def standing_in(world: World, knowledge: Knowledge, dealt: Dealt, discard_draws: int) -> Standing:
    """Return the hand as it would stand in a world."""
    hands = BySeat(knowledge.own, world.opposing)
    return Standing(
        dealt,
        hands if knowledge.seat == 0 else BySeat(world.opposing, knowledge.own),
        knowledge.pile,
        world.stock,
        discard_draws,
    )

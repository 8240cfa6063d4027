"""What a hand of ten cards is worth to whoever holds it while the opponent is to move, in points.

It is the score to expect, own less theirs: a sum over the outs, the turn and the opponent's count,
with the weights that many played hands gave.
"""

from typing import NamedTuple

from ginrummy.bots.expert.outs import Outs
from ginrummy.bots.expert.weights import GIN_WORTH, KNOCK_WORTH, LAST_TURNS, WHOLE_LIMIT, Worth

__all__ = ["Stand", "worth"]


class Stand(NamedTuple):
    """How the hand of cards stands, whatever oneself holds."""

    limit: int
    """Most deadwood in points that a knock may leave; 0 where only gin ends the hand."""
    turns: int
    """How many cards the opponent has thrown."""
    deadwood: float
    """The opponent's deadwood in points, as far as it can be told."""
    left: int
    """How many cards may still be drawn from the stock before the hand is void."""


def worth(held: Outs, stand: Stand) -> float:
    """Return what ten cards with these outs are worth as the hand stands, in points."""
    knocking = stand.limit / WHOLE_LIMIT
    value = 0.0
    if knocking:
        value += knocking * _sum(KNOCK_WORTH, held, stand)
    if knocking < 1:
        value += (1 - knocking) * _sum(GIN_WORTH, held, stand)
    # What is nearly void is worth nearly nothing (T3).
    return value * min(1.0, stand.left / LAST_TURNS)


def _sum(weights: Worth, held: Outs, stand: Stand) -> float:
    turns = min(stand.turns, weights.turns_counted)
    ready = max(0, stand.limit - held.deadwood)
    return (
        weights.even
        + weights.turn * turns
        + weights.theirs * stand.deadwood
        + (weights.deadwood + weights.deadwood_turn * turns) * held.deadwood
        + (weights.drop + weights.drop_turn * turns) * held.drop
        + (weights.knock + weights.knock_turn * turns) * held.knock
        + weights.gin * held.gin
        + weights.ready * ready
    )

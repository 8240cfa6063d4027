"""Lay-offs: what was laid off, and what could have been."""

import msgspec

from ginrummy.analysis.deciding import Decision
from ginrummy.rules.cards import card_set, points
from ginrummy.rules.commands import LayOff
from ginrummy.rules.events import LayOffCard, Meld
from ginrummy.rules.hand import LayingOff
from ginrummy.rules.layoffs import best_lay_off

__all__ = ["LayOffJudged", "judge_lay_off"]


class LayOffJudged(msgspec.Struct, frozen=True):
    """A lay-off beside the best one."""

    left: int
    """The deadwood that the seat was left with, in points."""
    least: int
    """The least that melds and lay-offs could leave."""
    melds: tuple[Meld, ...]
    """The melds that leave least."""
    layoffs: tuple[LayOffCard, ...]
    """The lay-offs that leave least."""
    missed: tuple[LayOffCard, ...]
    """Of these, the cards that were neither melded nor laid off, where that cost points."""


def judge_lay_off(decision: Decision) -> LayOffJudged | None:
    """Return how a lay-off compares with the best; None for any other decision."""
    hand, move = decision.hand, decision.move
    if not isinstance(hand, LayingOff) or not isinstance(move, LayOff):
        return None
    cards = hand.layout.hands[decision.seat]
    best = best_lay_off(hand.knocked.melds, cards, hand.layout.dealt.rules.run_max)
    used = card_set(card for meld in move.melds or () for card in meld)
    used |= card_set(laid.card for laid in move.layoffs)
    left = points(cards & ~used)
    missed = tuple(laid for laid in best.layoffs if not laid.card.bit & used)
    return LayOffJudged(
        left, best.points, best.melds, best.layoffs, missed if left > best.points else ()
    )

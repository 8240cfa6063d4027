"""Moves with what they lay down named, card by card.

A knock, big gin and laying off may leave the arrangement to the server. Whoever has to say
beforehand what will lie on the table, as a player who signs it does, names the same one.
"""

from collections.abc import Sequence

from ginrummy.rules.cards import CardSet
from ginrummy.rules.commands import BigGin, Knock, LayOff, Move
from ginrummy.rules.events import Meld
from ginrummy.rules.layoffs import best_lay_off
from ginrummy.rules.melds import arrange

__all__ = ["arranged"]


def arranged(move: Move, cards: CardSet, spread: Sequence[Meld], run_max: int | None) -> Move:
    """Return `move` with the arrangement that the server would choose for it named (K2, L4).

    `cards` are those that the seat holds before it, `spread` the knocker's melds for a lay-off,
    `run_max` the longest run of the ruleset (M2). A move that names its arrangement, or has none,
    comes back as it is. Whether it is legal is not asked here.
    """
    match move:
        case Knock(card=card, melds=None):
            return Knock(card, arrange(cards & ~card.bit, run_max).melds)
        case BigGin(melds=None):
            return BigGin(arrange(cards, run_max).melds)
        case LayOff(melds=None, layoffs=()):
            best = best_lay_off(spread, cards, run_max)
            return LayOff(best.melds, best.layoffs)
        case LayOff(melds=None, layoffs=layoffs):
            return LayOff((), layoffs)
        case _:
            return move

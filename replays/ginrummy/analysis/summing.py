"""What the decisions of a match come to, seat by seat."""

from collections.abc import Iterable
from math import hypot

import msgspec

from ginrummy.analysis.figures import Estimate
from ginrummy.analysis.judging import HandJudged
from ginrummy.rules.cards import Seat

__all__ = ["Tally", "tally_of"]


class Tally(msgspec.Struct, frozen=True):
    """One seat's decisions, added up."""

    hands: int
    """The hands in which it decided anything."""
    choices: int
    """The decisions at which there was more than one move."""
    gave_away: Estimate
    """The points that they gave away against the best choices found, all together."""
    clear: int
    """Those of them of which that is more than two errors above zero."""
    lay_offs: int
    missed: int
    """The points of deadwood that lay-offs left beyond the least."""


def tally_of(hands: Iterable[HandJudged], seat: Seat) -> Tally:
    """Return what a seat's decisions in some hands come to."""
    mine = [[each for each in hand.decisions if each.seat == seat] for hand in hands]
    decided = [each for hand in mine for each in hand]
    figures = [
        each.gave_away for each in decided if each.gave_away is not None and each.choices > 1
    ]
    laid = [each.lay_off for each in decided if each.lay_off is not None]
    # The worlds of two decisions are drawn independently, so their errors add up in squares.
    errors = [figure.error or 0.0 for figure in figures]
    return Tally(
        hands=sum(bool(hand) for hand in mine),
        choices=len(figures),
        gave_away=Estimate(sum(figure.mean for figure in figures), hypot(*errors)),
        clear=sum(figure.is_clear for figure in figures),
        lay_offs=len(laid),
        missed=sum(each.left - each.least for each in laid),
    )

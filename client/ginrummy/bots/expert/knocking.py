"""Whether to knock, with which card face down, and which spread to lay down.

A knock is tried against every hand that the opponent is imagined to have: what they can lay off,
who then counts less, and the bonus. It is made where that is worth more than to go on.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ginrummy.bots.expert.imagining import Imagined
from ginrummy.bots.expert.memory import Terms
from ginrummy.bots.expert.weights import KNOCKING
from ginrummy.rules.cards import Card, CardSet, points
from ginrummy.rules.commands import Knock
from ginrummy.rules.events import Meld
from ginrummy.rules.layoffs import best_lay_off
from ginrummy.rules.melds import lay_down, outside_runs, set_choices

__all__ = ["Spread", "best_spread", "knock_worth", "spreads"]


class Spread(NamedTuple):
    """A way to knock: the card that goes face down, the melds, and what they leave, in points."""

    card: Card
    melds: tuple[Meld, ...]
    deadwood: int

    @property
    def knock(self) -> Knock:
        """The move that lays it down."""
        return Knock(self.card, self.melds)


def spreads(eleven: CardSet, knocks: Iterable[Card], terms: Terms, limit: int) -> list[Spread]:
    """Return the ways to knock that are worth a thought, those of least deadwood first.

    A card more that the opponent cannot lay off may be worth a few points of deadwood; gin is
    worth anything.
    """
    found = sorted(_all_spreads(eleven, knocks, terms.run_max), key=lambda spread: spread.deadwood)
    least = found[0].deadwood
    most = min(limit, least + KNOCKING.slack) if least else 0
    return [spread for spread in found if spread.deadwood <= most][: KNOCKING.tried]


def _all_spreads(eleven: CardSet, knocks: Iterable[Card], run_max: int | None) -> Iterator[Spread]:
    for card in knocks:
        ten = eleven & ~card.bit
        for in_sets in set_choices(ten):
            left = outside_runs(ten ^ in_sets)
            yield Spread(card, lay_down(in_sets, ten ^ in_sets ^ left, run_max), points(left))


def knock_worth(
    spread: Spread, hands: Iterable[Imagined], terms: Terms, lacking: tuple[int, int] | None
) -> float:
    """Return what knocking with this spread brings on average over the opponent's hands, in points.

    `lacking` is what oneself and the opponent still need to win the match, where a score wins it.
    """
    scores = [_score(spread, hand, terms) for hand in hands]
    won = float(sum(scores))
    if lacking is not None:
        own, theirs = lacking
        won += KNOCKING.match * sum((score >= own) - (-score >= theirs) for score in scores)
    return won / len(scores)


def _score(spread: Spread, hand: Imagined, terms: Terms) -> int:
    """Return what the knocker scores against a hand; less than nothing for an undercut."""
    if not spread.deadwood:
        return terms.gin_bonus + hand.deadwood
    theirs = best_lay_off(spread.melds, hand.cards, terms.run_max).points
    ahead = theirs - spread.deadwood
    return ahead if ahead > 0 else ahead - terms.undercut_bonus


def best_spread(
    choices: Iterable[Spread],
    hands: tuple[Imagined, ...],
    terms: Terms,
    lacking: tuple[int, int] | None,
) -> tuple[float, Spread]:
    """Return the spread that brings most, after what that is in points; of equal ones the first."""
    return max(
        ((knock_worth(spread, hands, terms, lacking), spread) for spread in choices),
        key=lambda found: found[0],
    )

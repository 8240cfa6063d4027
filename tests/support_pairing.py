"""An exact check of a Swiss round that shares nothing with the pairing: an integer programme."""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from ginrummy.tournaments.entrants import Bye, Pairing, Round
from ginrummy.tournaments.pairing.formats import Field
from ginrummy.tournaments.results import Result

REMATCH, AGAIN, BYE_SCORE, APART = 50_000, 1000, 20, 1
"""What a round costs: for each rematch, and for each time that its two have met before; for the
score of whoever has the bye; and for each pair whose first deals get apart. No sum reaches what
one more costs at the level before it."""

NOBODY = ""
"""Whom a bye is a match against."""


class Past:
    """What a field's history says of its entrants, counted afresh."""

    def __init__(self, field: Field) -> None:
        self.met = Counter(
            frozenset((each.first, each.second))
            for played in field.rounds
            for each in played.pairings
        )
        self.byes = Counter(bye.entrant for played in field.rounds for bye in played.byes)
        self.lead: Counter[str] = Counter()
        for played in field.rounds:
            for each in played.pairings:
                if not each.dealt_by_lot:
                    self.lead[each.first] += 1
                    self.lead[each.second] -= 1
        self.score: Counter[str] = Counter()
        for record in field.records:
            if isinstance(record, Result):
                draw = record.outcome == "draw"
                self.score[record.pairing.first] += 2 * (record.outcome == "first") + draw
                self.score[record.pairing.second] += 2 * (record.outcome == "second") + draw
            else:
                self.score[record.entrant] += 2

    def cost(self, one: str, another: str, again: int = AGAIN) -> int:
        """Return what a match costs: a rematch, and first deals further than one apart."""
        met = self.met[frozenset((one, another))]
        return REMATCH * (met > 0) + again * met + APART * self.apart(one, another)

    def apart(self, one: str, another: str) -> bool:
        """Say whether a match brings one of the two apart by two, whoever is given the deal."""
        return all(
            max(abs(self.lead[one] + way), abs(self.lead[another] - way)) > 1 for way in (1, -1)
        )

    def eligible(self, present: Collection[str]) -> list[str]:
        """Return those who may have the bye: they have had the fewest."""
        fewest = min(self.byes[each] for each in present)
        return sorted(each for each in present if self.byes[each] == fewest)


def paid(past: Past, played: Round) -> int:
    """Return what a round costs as it was paired."""
    return sum(past.cost(each.first, each.second) for each in played.pairings) + sum(
        BYE_SCORE * past.score[bye.entrant] for bye in played.byes
    )


def lower_byes(past: Past, present: Collection[str], played: Round) -> list[str]:
    """Return those of a lower score who could have had the bye, with no more rematches for it."""
    needed = paid(past, played) // AGAIN
    return [
        each
        for bye in played.byes
        for each in past.eligible(present)
        if past.score[each] < past.score[bye.entrant]
        and least(past, {*present} - {each}) // AGAIN <= needed
    ]


def least(
    past: Past, present: Collection[str], again: int = AGAIN, bye_score: int = BYE_SCORE
) -> int:
    """Return the least that any round of those present could cost."""
    names = sorted(present)
    costs = {frozenset(pair): past.cost(*pair, again) for pair in combinations(names, 2)}
    if len(names) % 2:
        costs |= {
            frozenset((each, NOBODY)): bye_score * past.score[each]
            for each in past.eligible(present)
        }
        names.append(NOBODY)
    everybody_once = np.array([[name in pair for pair in costs] for name in names], dtype=float)
    solved = milp(
        list(costs.values()),
        constraints=LinearConstraint(everybody_once, 1, 1),
        integrality=np.ones(len(costs)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )
    least_cost: float = solved.fun
    return round(least_cost)


def ahead(past: Past, present: Collection[str]) -> int:
    """Return the least that a round costs in rematches and first deals, whoever has the bye."""
    return least(past, present, again=0, bye_score=0)


def after(field: Field, pairings: Sequence[Pairing], byes: Sequence[Bye] = ()) -> Past:
    """Return the past once these pairings have been made as well."""
    past = Past(field)
    past.byes.update(each.entrant for each in byes)
    for each in pairings:
        past.met[frozenset((each.first, each.second))] += 1
        if not each.dealt_by_lot:
            past.lead[each.first] += 1
            past.lead[each.second] -= 1
    return past

"""An exact check of a Swiss round that shares nothing with the pairing: an integer programme."""

from collections import Counter
from itertools import combinations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from ginrummy.tournaments.entrants import Round
from ginrummy.tournaments.pairing.formats import Field
from ginrummy.tournaments.results import Result

REMATCH, APART, BYE_SCORE = 10**6, 10**3, 1


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

    def cost(self, one: str, another: str) -> int:
        """Return what a match costs: a rematch, and first deals further than one apart."""
        ways = (
            (abs(self.lead[one] + a) > 1) * (abs(self.lead[one] + a) - 1)
            + (abs(self.lead[another] - a) > 1) * (abs(self.lead[another] - a) - 1)
            for a in (1, -1)
        )
        return REMATCH * (self.met[frozenset((one, another))] > 0) + APART * min(ways)

    def eligible(self, present: frozenset[str]) -> list[str]:
        """Return those who may have the bye: they have had the fewest."""
        fewest = min(self.byes[each] for each in present)
        return sorted(each for each in present if self.byes[each] == fewest)


def paid(past: Past, played: Round) -> int:
    """Return what a round costs as it was paired."""
    return sum(past.cost(each.first, each.second) for each in played.pairings) + sum(
        BYE_SCORE * past.score[bye.entrant] for bye in played.byes
    )


def least(past: Past, present: frozenset[str]) -> int:
    """Return the least that any round of those present could cost."""
    names = sorted(present)
    costs = {frozenset(pair): past.cost(*pair) for pair in combinations(names, 2)}
    if len(names) % 2:
        # A bye is a match against nobody.
        costs |= {frozenset((each, "")): past.score[each] for each in past.eligible(present)}
        names.append("")
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

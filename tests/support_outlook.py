"""An exact check of what a Swiss round leaves for the next one, by an integer programme."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from support_pairing import APART, BYE_SCORE, NOBODY, REMATCH, Past, after, paid

from ginrummy.tournaments.entrants import Bye, Pairing, Round
from ginrummy.tournaments.pairing.formats import Field

__all__ = ["least_ahead", "perfect_matchings", "rounds_as_good"]

Row = tuple[dict[int, int], int, int]
"""What some unknowns may add up to: the factor of each, the least and the most."""


def least_ahead(field: Field, pairings: Sequence[Pairing], byes: Sequence[Bye]) -> int:
    """Return the least that the round after these pairings could cost, whoever deals first now.

    One integer programme decides on the first deals of those whose balances are even and on the
    next round's pairs at once.
    """
    past = after(field, pairings, byes)
    names = sorted(field.present)
    pairs = [*combinations(names, 2)]
    if len(names) % 2:
        pairs += [(each, NOBODY) for each in past.eligible(names)]
        names.append(NOBODY)
    # The unknowns: which pairs are made and which of them clash, who is above even and who below.
    made, clash = range(len(pairs)), range(len(pairs), 2 * len(pairs))
    above = dict(zip(names, range(clash.stop, clash.stop + len(names)), strict=True))
    below = {name: number + len(names) for name, number in above.items()}
    rows: list[Row] = [
        ({k: 1 for k, pair in zip(made, pairs, strict=True) if name in pair}, 1, 1)
        for name in names
    ]
    rows += [
        ({k: 1, side[one]: 1, side[another]: 1, both: -1}, -1, 2)
        for k, both, (one, another) in zip(made, clash, pairs, strict=True)
        for side in (above, below)
    ]
    lead = Past(field).lead
    fixed = set(names)
    for first, second in ((each.first, each.second) for each in pairings):
        if lead[first] == lead[second] == 0:
            # One of the two is above, and the other one below.
            fixed -= {first, second}
            rows += [({side[first]: 1, side[second]: 1}, 1, 1) for side in (above, below)]
            rows += [({above[each]: 1, below[each]: 1}, 1, 1) for each in (first, second)]
    for name in fixed:
        rows.append(({above[name]: 1}, past.lead[name] > 0, past.lead[name] > 0))
        rows.append(({below[name]: 1}, past.lead[name] < 0, past.lead[name] < 0))
    rematches = [REMATCH * (past.met[frozenset(pair)] > 0) for pair in pairs]
    return _solved([*rematches, *[APART] * len(pairs), *[0] * 2 * len(names)], rows)


def _solved(costs: list[int], rows: list[Row]) -> int:
    """Return the least cost of unknowns that are 0 or 1 each."""
    matrix = np.zeros((len(rows), len(costs)))
    for number, (factors, _, _) in enumerate(rows):
        matrix[number, list(factors)] = list(factors.values())
    solved = milp(
        costs,
        constraints=LinearConstraint(
            matrix, [least for _, least, _ in rows], [up for *_, up in rows]
        ),
        integrality=np.ones(len(costs)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )
    least_cost: float = solved.fun
    return round(least_cost)


def rounds_as_good(field: Field, played: Round) -> Iterator[tuple[list[Pairing], list[Bye]]]:
    """Yield every round of those present that costs no more than the one played."""
    past, number = Past(field), played.number
    names = sorted(field.present)
    most = paid(past, played)
    for pairs in perfect_matchings([*names, NOBODY] if len(names) % 2 else names):
        matches = [pair for pair in pairs if NOBODY not in pair]
        byes = [Bye(number, pair[0]) for pair in pairs if NOBODY in pair]
        cost = sum(past.cost(*pair) for pair in matches)
        cost += sum(BYE_SCORE * past.score[bye.entrant] for bye in byes)
        if cost <= most and {bye.entrant for bye in byes} <= set(past.eligible(names)):
            tables = enumerate(matches, start=1)
            yield [_pairing(past, number, table, *pair) for table, pair in tables], byes


def perfect_matchings(names: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    """Yield every way to put all of them into pairs."""
    if not names:
        yield []
        return
    one, *others = names
    for another in others:
        for rest in perfect_matchings([each for each in others if each != another]):
            yield [(one, another), *rest]


def _pairing(past: Past, number: int, table: int, one: str, another: str) -> Pairing:
    if past.lead[one] > past.lead[another]:
        one, another = another, one
    return Pairing(number, table, one, another, dealt_by_lot=past.apart(one, another))

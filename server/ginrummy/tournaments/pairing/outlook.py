"""What a Swiss round leaves for the next one, and the first deals that leave the most.

A match of two whose first deals are even brings one of them one above even and the other one
below, whichever way round. Which way it is can decide whether everybody finds somebody in the next
round whom they have not met and who may deal first where they do not.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import msgspec

from ginrummy.tournaments.pairing.matching import Pair, heaviest

__all__ = ["Here", "Outlook", "outlook"]

_STEPS: Final = 64
"""How many ways of pairing the next round one search looks at. The most that a simulated event
needed was 14."""


class Here(msgspec.Struct, frozen=True):
    """Those who are present, each by its place in the ranking, counted from 0."""

    met: frozenset[Pair]
    balances: tuple[int, ...]
    """How many more matches each has dealt first in than not (`FirstDeals.balance`)."""
    byes: tuple[int, ...]


class Outlook(NamedTuple):
    """What the next round will come to if those who are present stay."""

    strain: int
    """The rematches, times the places, plus the matches dealt by lot: the fewest that the next
    round can have."""
    balances: Mapping[int, int]
    """By how much each place has dealt first more than not, after this round."""


def outlook(here: Here, pairs: Iterable[Pair], wished: Mapping[int, int]) -> Outlook:
    """Return the best outlook that a round has, by who deals first in it.

    `pairs` are the round's; a bye is a pair with the place after the last. `wished` has the
    balances of those whose first deal is free, as they would be for this round alone. They are
    granted table by table, wherever the outlook does not get worse for it.
    """
    ahead = _NextRound(here, tuple(pairs), wished)
    granted = {**ahead.known, **wished}
    best = Outlook(ahead.strain(ahead.cheapest(granted), granted), granted)
    best = ahead.search(ahead.known, best, enough=0)
    known = dict(ahead.known)
    for i, j in ahead.open:
        if best.balances[i] != wished[i]:
            limit = best._replace(strain=best.strain + 1)
            tried = ahead.search({**known, i: wished[i], j: wished[j]}, limit, best.strain)
            if tried.strain <= best.strain:
                best = tried
        known |= {i: best.balances[i], j: best.balances[j]}
    return best


class _NextRound:
    """The round after the one that is being paired, as far as it is known."""

    def __init__(self, here: Here, pairs: tuple[Pair, ...], wished: Mapping[int, int]) -> None:
        count = len(here.balances)
        self.size = count + count % 2
        self.open = [pair for pair in pairs if pair[0] in wished]
        """The pairs of this round in which either could deal first."""
        self.known: dict[int, int] = {}
        """The balances after this round that do not depend on those pairs."""
        self._wished = wished
        self._partner = {i: j for pair in self.open for i, j in (pair, pair[::-1])}
        self._met = here.met.union(pair for pair in pairs if pair[1] < count)
        byes = list(here.byes)
        for i, j in pairs:
            if j == count:
                byes[i] += 1
                self.known[i] = here.balances[i]
            elif i not in wished:
                self.known |= _after(i, j, here.balances)
        self._allowed = [(i, j) for j in range(count) for i in range(j)]
        if self.size > count:
            self.known[count] = 0
            self._allowed += [(i, count) for i in range(count) if byes[i] == min(byes)]

    def cheapest(self, balances: Mapping[int, int]) -> list[Pair]:
        """Return a way of pairing it with the least strain, by the balances that are given."""
        ceiling = self.size + 2
        return heaviest(
            range(self.size),
            {pair: ceiling - self._strain(pair, balances) for pair in self._allowed},
        )

    def strain(self, pairs: Iterable[Pair], balances: Mapping[int, int]) -> int:
        """Return the strain of a way of pairing it; a balance that is not given clashes never."""
        return sum(self._strain(pair, balances) for pair in pairs)

    def search(self, known: Mapping[int, int], best: Outlook, enough: int) -> Outlook:
        """Return the best outlook with the balances `known`; `best` where none is better.

        It stops at one that is good enough. A way of pairing with some balances left out costs
        at most what it costs with them, so that whatever costs too much already is left alone.
        """
        waiting = [known]
        for _ in range(_STEPS):
            if not waiting or best.strain <= enough:
                break
            known = waiting.pop()
            pairs = self.cheapest(known)
            if max(self.strain(pairs, known), self._clashes(known)) >= best.strain:
                continue
            balances = self._carried_on(known, pairs)
            best = min(best, Outlook(self.strain(pairs, balances), balances), key=_strain_of)
            clash = self._first_clash(pairs, known, balances)
            if clash is not None:
                i, j = clash, self._partner[clash]
                waiting += [{**known, i: -1, j: 1}, {**known, i: 1, j: -1}]
        return best

    def _strain(self, pair: Pair, balances: Mapping[int, int]) -> int:
        i, j = pair
        clash = balances.get(i, 0) * balances.get(j, 0) > 0
        return self.size * (pair in self._met) + clash

    def _clashes(self, known: Mapping[int, int]) -> int:
        """Return how many clashes there must be by count alone.

        Whatever those that are above even have over those below, or the other way round, can only
        be paired with what is even, or among itself: open pairs add as much to either side.
        """
        above = sum(balance > 0 for balance in known.values())
        below = sum(balance < 0 for balance in known.values())
        even = sum(balance == 0 for balance in known.values())
        return max(0, abs(above - below) - even + 1) // 2

    def _carried_on(self, known: Mapping[int, int], pairs: Iterable[Pair]) -> dict[int, int]:
        """Return all balances, so chosen that the next round's pairs clash as little as can be.

        This round's open pairs and the next one's make paths and circles. Along each the signs
        alternate, so that only a path between two that are known can end in a clash.
        """
        opponent = {i: j for pair in pairs for i, j in (pair, pair[::-1])}
        balances = dict(known)
        for place in known:
            self._follow(place, opponent, balances)
        for pair in self.open:
            if pair[0] not in balances:
                balances |= {place: self._wished[place] for place in pair}
                for place in pair:
                    self._follow(place, opponent, balances)
        return balances

    def _follow(self, place: int, opponent: Mapping[int, int], balances: dict[int, int]) -> None:
        while balances[place] and opponent[place] not in balances:
            follower = opponent[place]
            balances[follower] = -1 if balances[place] > 0 else 1
            place = self._partner[follower]
            balances[place] = -balances[follower]

    def _first_clash(
        self, pairs: Iterable[Pair], known: Mapping[int, int], balances: Mapping[int, int]
    ) -> int | None:
        """Return the first place with a balance chosen here that clashes."""
        return next(
            (
                place
                for i, j in pairs
                if balances[i] * balances[j] > 0
                for place in (i, j)
                if place not in known
            ),
            None,
        )


def _after(i: int, j: int, balances: tuple[int, ...]) -> dict[int, int]:
    """Return two balances after a match in which the one that has dealt first less often does."""
    mine, theirs = balances[i], balances[j]
    if mine == theirs:
        return {i: mine, j: theirs}
    step = 1 if mine < theirs else -1
    return {i: mine + step, j: theirs - step}


def _strain_of(each: Outlook) -> int:
    return each.strain

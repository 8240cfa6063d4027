"""Swiss: everybody meets somebody of about the same score, and nobody twice if it can be helped.

A round is the cheapest perfect matching of those who are present, by costs that are compared one
after the other (docs/tournaments.md, *Swiss*).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain, islice, takewhile
from typing import Final

import msgspec

from ginrummy.tournaments.entrants import Bye, Pairing, Round
from ginrummy.tournaments.errors import InvalidTermsError
from ginrummy.tournaments.pairing.first_deals import FirstDeals
from ginrummy.tournaments.pairing.formats import Field, Next, Over
from ginrummy.tournaments.pairing.matching import Cost, Pair, in_order_of_cost
from ginrummy.tournaments.pairing.outlook import Here, Outlook, outlook
from ginrummy.tournaments.scoring import Scoring, scores

__all__ = ["Swiss"]

_GRAVEST: Final = 4
"""How many levels of cost come before the outlook: rematches, how often those have met, the bye's
score, and matches dealt by lot."""
_LOOKED_AT: Final = 500_000
"""How many rounds have their outlook compared, times the fourth power of the places: all of them
up to eight places, one alone from 24 on. It is small fields that run out of opponents."""


class Swiss(msgspec.Struct, frozen=True, tag="swiss"):
    """So many rounds among those who are there; everybody may come, go and come back between.

    Raises InvalidTermsError without a round.
    """

    rounds: int
    scoring: Scoring = Scoring()

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise InvalidTermsError("a Swiss event needs a round")

    @property
    def late_entry(self) -> bool:
        """A late entry is paired from its first round on, with no credit for those before."""
        return True

    def pair(self, field: Field) -> Next:
        """Return the next round (`Format.pair`). It waits for every result of those before."""
        field.results()
        number = field.next_number
        if number > self.rounds:
            return Over("complete")
        ranking = _Ranking(field, self.scoring)
        # After the last round there is nothing to look ahead to.
        pairs, balances = ranking.cheapest() if number == self.rounds else ranking.foreseen()
        return ranking.named(number, pairs, balances)


class _Ranking:
    """Those present by score, then by seed, and what it costs to pair any two of them.

    With an odd number there is one place more, after the last: whoever is paired with it has a bye.
    """

    def __init__(self, field: Field, scoring: Scoring) -> None:
        self.score = scores(field.records, scoring)
        here = [each.id for each in field.by_seed if each.id in field.present]
        self.ids = tuple(sorted(here, key=lambda each: -self.score.get(each, 0)))
        self.size = len(self.ids) + len(self.ids) % 2
        self._deals = FirstDeals(field.pairings)
        self._met = Counter(frozenset((each.first, each.second)) for each in field.pairings)
        self._byes = Counter(bye.entrant for each in field.rounds for bye in each.byes)
        self._groups = Counter(self.score.get(each, 0) for each in self.ids)
        self._rising = sorted(self._groups)

    def cheapest(self) -> tuple[list[Pair], Mapping[int, int]]:
        """Return the cheapest round, and who is above even and below by its open first deals."""
        pairs = next(in_order_of_cost(self.size, self._costs()))
        return pairs, self._wished(pairs)

    def foreseen(self) -> tuple[list[Pair], Mapping[int, int]]:
        """Return the cheapest round of those with the best outlook, and the balances after it."""
        best: tuple[list[Pair], Outlook] | None = None
        here = self._here()
        for pairs in self._equals():
            found = outlook(here, pairs, self._wished(pairs))
            if best is None or found.strain < best[1].strain:
                best = pairs, found
            if not best[1].strain:
                break
        assert best is not None
        return best[0], best[1].balances

    def named(self, number: int, pairs: list[Pair], balances: Mapping[int, int]) -> Round:
        """Return a round with its entrants by their ids."""
        count = len(self.ids)
        matches = [pair for pair in pairs if pair[1] < count]
        tables: list[Pairing] = []
        for table, (i, j) in enumerate(matches, start=1):
            one, another = self.ids[i], self.ids[j]
            order = self._deals.order(one, another, table)
            if self._is_open(i, j):
                order = (one, another) if balances[i] > 0 else (another, one)
            by_lot = self._deals.by_lot(one, another)
            tables.append(Pairing(number, table, *order, dealt_by_lot=by_lot))
        byes = tuple(Bye(number, self.ids[i]) for i, j in pairs if j == count)
        return Round(number, tuple(tables), byes)

    def _equals(self) -> Iterator[list[Pair]]:
        """Yield the rounds that are as cheap as any at the gravest levels, the cheapest first."""
        costs = self._costs()
        rounds = in_order_of_cost(self.size, costs)

        def gravest(pairs: list[Pair]) -> list[int]:
            return [sum(costs[pair][level] for pair in pairs) for level in range(_GRAVEST)]

        cheapest = next(rounds)
        least = gravest(cheapest)
        equals = takewhile(lambda pairs: gravest(pairs) == least, rounds)
        return chain([cheapest], islice(equals, max(0, _LOOKED_AT // self.size**4 - 1)))

    def _here(self) -> Here:
        place = {each: place for place, each in enumerate(self.ids)}
        return Here(
            frozenset(
                (min(pair), max(pair))
                for pair in ([place[each] for each in met if each in place] for met in self._met)
                if len(pair) == 2
            ),
            tuple(self._deals.balance(each) for each in self.ids),
            tuple(self._byes[each] for each in self.ids),
        )

    def _is_open(self, i: int, j: int) -> bool:
        """Say whether either of two could deal first."""
        return self._deals.balance(self.ids[i]) == self._deals.balance(self.ids[j]) == 0

    def _wished(self, pairs: list[Pair]) -> dict[int, int]:
        """Return the balances after the open matches of a round, by that round alone."""
        wished: dict[int, int] = {}
        matches = [pair for pair in pairs if pair[1] < len(self.ids)]
        for table, (i, j) in enumerate(matches, start=1):
            if self._is_open(i, j):
                first = self._deals.order(self.ids[i], self.ids[j], table)[0]
                wished |= {i: 1, j: -1} if first == self.ids[i] else {i: -1, j: 1}
        return wished

    def _costs(self) -> dict[Pair, Cost]:
        """Return the cost of every pair that is allowed, and of every bye."""
        count = len(self.ids)
        costs = {(i, j): self._meeting(i, j) for j in range(count) for i in range(j)}
        if self.size > count:
            # Nobody has a second bye while somebody who is there has had none.
            fewest = min(self._byes[each] for each in self.ids)
            for i, each in enumerate(self.ids):
                if self._byes[each] == fewest:
                    costs[i, count] = self._bye(i)
        return costs

    def _bye(self, place: int) -> Cost:
        """Return the cost of sitting out: by score, and within a score by place from the last."""
        above = self._rising.index(self.score.get(self.ids[place], 0))
        return (0, 0, above, 0, len(self.ids) - 1 - place, 0, 0)

    def _meeting(self, i: int, j: int) -> Cost:
        """Return the cost of a match, the gravest level first."""
        one, another = self.ids[i], self.ids[j]
        met = self._met[frozenset((one, another))]
        mine, theirs = self.score.get(one, 0), self.score.get(another, 0)
        half = self._groups[mine] // 2
        return (
            int(met > 0),
            met,
            0,
            int(self._deals.by_lot(one, another)),
            0,
            (mine - theirs) ** 2,
            (j - i - half) ** 2 if mine == theirs else 0,
        )

"""Swiss: everybody meets somebody of about the same score, and nobody twice if it can be helped.

A round is the cheapest perfect matching of those who are present, by costs that are compared one
after the other (docs/tournaments.md, *Swiss*).
"""

from collections import Counter

import msgspec

from ginrummy.tournaments.entrants import Bye, Pairing, Round
from ginrummy.tournaments.errors import InvalidTermsError
from ginrummy.tournaments.pairing.first_deals import FirstDeals
from ginrummy.tournaments.pairing.formats import Field, Next, Over
from ginrummy.tournaments.pairing.matching import Cost, cheapest_pairs
from ginrummy.tournaments.scoring import Scoring, scores

__all__ = ["Swiss"]


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
        if field.next_number > self.rounds:
            return Over("complete")
        ranking = _Ranking(field, self.scoring)
        pairs = cheapest_pairs(ranking.size, ranking.costs())
        byes = [ranking.ids[i] for i, j in pairs if j == len(ranking.ids)]
        matches = [(i, j) for i, j in pairs if j < len(ranking.ids)]
        number = field.next_number
        tables = (
            Pairing(number, table, *ranking.deals.order(ranking.ids[i], ranking.ids[j], table))
            for table, (i, j) in enumerate(matches, start=1)
        )
        return Round(number, tuple(tables), tuple(Bye(number, each) for each in byes))


class _Ranking:
    """Those present by score, then by seed, and what it costs to pair any two of them.

    With an odd number there is one place more, after the last: whoever is paired with it has a bye.
    """

    def __init__(self, field: Field, scoring: Scoring) -> None:
        self.score = scores(field.records, scoring)
        here = [each.id for each in field.by_seed if each.id in field.present]
        self.ids = tuple(sorted(here, key=lambda each: -self.score.get(each, 0)))
        self.size = len(self.ids) + len(self.ids) % 2
        self.deals = FirstDeals(field.pairings)
        self._met = Counter(frozenset((each.first, each.second)) for each in field.pairings)
        self._byes = Counter(bye.entrant for each in field.rounds for bye in each.byes)
        self._groups = Counter(self.score.get(each, 0) for each in self.ids)

    def costs(self) -> dict[tuple[int, int], Cost]:
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
        """Return the cost of sitting out: the least for the last of the ranking."""
        return (0, 0, 0, len(self.ids) - 1 - place, 0, 0)

    def _meeting(self, i: int, j: int) -> Cost:
        """Return the cost of a match, the gravest level first."""
        one, another = self.ids[i], self.ids[j]
        met = self._met[frozenset((one, another))]
        mine, theirs = self.score.get(one, 0), self.score.get(another, 0)
        half = self._groups[mine] // 2
        return (
            int(met > 0),
            met,
            self.deals.excess(one, another),
            0,
            (mine - theirs) ** 2,
            (j - i - half) ** 2 if mine == theirs else 0,
        )

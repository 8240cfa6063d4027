"""Who deals first, where the format's schedule does not say it."""

from collections.abc import Iterable

from ginrummy.tournaments.entrants import Pairing

__all__ = ["FirstDeals"]


class FirstDeals:
    """How often each entrant has dealt first, and who is to do so next."""

    __slots__ = ("_balance", "_last")

    def __init__(self, pairings: Iterable[Pairing]) -> None:
        """Count the pairings made so far, in their order, whether or not they were played."""
        self._balance: dict[str, int] = {}
        self._last: dict[str, tuple[int, bool]] = {}
        for each in pairings:
            self._balance[each.first] = self.balance(each.first) + 1
            self._balance[each.second] = self.balance(each.second) - 1
            self._last[each.first] = (each.round, True)
            self._last[each.second] = (each.round, False)

    def balance(self, entrant: str) -> int:
        """Return how many more matches an entrant has dealt first in than not."""
        return self._balance.get(entrant, 0)

    def excess(self, one: str, another: str) -> int:
        """Return by how much a match of these two would bring either further apart than by one.

        Balances that differ even each other out. Two that both have dealt first more often, or
        both less often, cannot both be brought nearer to nothing.
        """
        first, second = sorted((self.balance(one), self.balance(another)))
        return max(0, abs(first + 1) - 1) + max(0, abs(second - 1) - 1)

    def order(self, stronger: str, weaker: str, table: int) -> tuple[str, str]:
        """Return the two with the one that deals first in front.

        It is the one with fewer first deals than others; then the one that did not deal first when
        last they differed; then the stronger one at odd tables and the weaker one at even tables.
        """
        difference = self.balance(stronger) - self.balance(weaker)
        if difference:
            return (stronger, weaker) if difference < 0 else (weaker, stronger)
        mine, theirs = self._last.get(stronger, (0, False)), self._last.get(weaker, (0, False))
        if mine[1] != theirs[1]:
            return (weaker, stronger) if mine[1] else (stronger, weaker)
        return (stronger, weaker) if table % 2 else (weaker, stronger)

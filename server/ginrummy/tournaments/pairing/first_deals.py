"""Who deals first, where the format's schedule does not say it."""

from collections.abc import Iterable

from ginrummy.tournaments.entrants import Pairing

__all__ = ["FirstDeals"]


class FirstDeals:
    """How often each entrant was given the first deal, and who is to have it next.

    As long as every match that `by_lot` names is dealt by lot, and `order` is kept to in all
    others, nobody has been given the first deal more than once more, or once less, than not.
    """

    __slots__ = ("_balance", "_last")

    def __init__(self, pairings: Iterable[Pairing]) -> None:
        """Count the pairings made so far, in their order, whether or not they were played.

        A match that is dealt by lot counts for neither of its two.
        """
        self._balance: dict[str, int] = {}
        self._last: dict[str, tuple[int, bool]] = {}
        for each in pairings:
            if each.dealt_by_lot:
                continue
            self._balance[each.first] = self.balance(each.first) + 1
            self._balance[each.second] = self.balance(each.second) - 1
            self._last[each.first] = (each.round, True)
            self._last[each.second] = (each.round, False)

    def balance(self, entrant: str) -> int:
        """Return how many more matches an entrant was given the first deal in than not."""
        return self._balance.get(entrant, 0)

    def by_lot(self, one: str, another: str) -> bool:
        """Say whether a match of these two would bring either further apart than by one.

        Both have dealt first more often than not, or both less often, so that whoever deals first
        one of them gets still further. The deck is to decide instead (rule D3).
        """
        return self.balance(one) * self.balance(another) > 0

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

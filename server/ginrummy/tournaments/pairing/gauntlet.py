"""Gauntlet: the challengers meet everybody else, and nobody else meets."""

from collections.abc import Iterator

import msgspec

from ginrummy.tournaments.entrants import Pairing, Round
from ginrummy.tournaments.errors import InvalidTermsError
from ginrummy.tournaments.pairing.formats import Field, Next, Over

__all__ = ["Gauntlet"]


class Gauntlet(msgspec.Struct, frozen=True, tag="gauntlet"):
    """The best seeds against the rest, once or twice. There are no byes.

    The schedule is fixed by who is there at the start; a match of somebody who has left falls
    away. No later round waits for an earlier one's results. Raises InvalidTermsError without a
    challenger.
    """

    challengers: int = 1
    """How many of the best seeds challenge the rest."""
    double: bool = False
    """Each pair meets twice, with the first deal once each way."""

    def __post_init__(self) -> None:
        if self.challengers < 1:
            raise InvalidTermsError("a gauntlet needs a challenger")

    @property
    def late_entry(self) -> bool:
        """The schedule has no place for a late entry."""
        return False

    def pair(self, field: Field) -> Next:
        """Return the schedule's next round in which a pair is there to play (`Format.pair`)."""
        starters = field.starters
        challengers, others = starters[: self.challengers], starters[self.challengers :]
        single = max(len(challengers), len(others)) if others else 0
        for number in range(field.next_number, (2 if self.double else 1) * single + 1):
            tables: list[Pairing] = []
            for i, j, challenger_first in _meetings(len(challengers), len(others), number):
                one, another = challengers[i], others[j]
                if not field.present.issuperset((one, another)):
                    continue
                pair = (one, another) if challenger_first else (another, one)
                tables.append(Pairing(number, len(tables) + 1, *pair))
            if tables:
                return Round(number, tuple(tables))
        return Over("complete")


def _meetings(challengers: int, others: int, number: int) -> Iterator[tuple[int, int, bool]]:
    """Yield who meets whom in a round: challenger, other, and whether the challenger deals first.

    First deals lie as the colours on a chessboard of challengers by others, so that no row and no
    column has more than one more of either.
    """
    circle = max(challengers, others)
    again = (number - 1) // circle % 2 == 1
    for challenger in range(challengers):
        other = (challenger + number - 1) % circle
        if other < others:
            yield challenger, other, ((challenger + other) % 2 == 0) != again

"""Round robin: everybody meets everybody, once or twice, by Berger's tables.

With the entrants numbered 1 to n by seed and n even, i and j meet in the round r for which
i + j = r + 1 modulo n - 1, and n meets whoever is left over. Of i < j, the first deal is i's where
i + j is odd and j's where it is even; of i and n it is i's in the upper half of the seeds. So each
entrant deals first in half of its matches, or half a match more or less. With n odd the number
n + 1 is nobody, and whoever would meet it has a bye: one each.
"""

from collections.abc import Iterator

import msgspec

from ginrummy.tournaments.entrants import Bye, Pairing, Round
from ginrummy.tournaments.pairing.formats import Field, Next, Over

__all__ = ["RoundRobin"]


class RoundRobin(msgspec.Struct, frozen=True, tag="round_robin"):
    """Everybody meets everybody. The schedule is fixed by who is there at the start.

    When somebody has left, whoever would have met them has a bye instead; what they played before
    stands. No later round waits for an earlier one's results.
    """

    double: bool = False
    """Everybody meets everybody twice, with the first deal once each way."""

    @property
    def late_entry(self) -> bool:
        """The schedule has no place for a late entry."""
        return False

    def pair(self, field: Field) -> Next:
        """Return the schedule's next round in which a pair is there to play (`Format.pair`)."""
        starters = field.starters
        for number in range(field.next_number, rounds_of(len(starters), double=self.double) + 1):
            tables: list[Pairing] = []
            byes: list[Bye] = []
            for meeting in meetings(len(starters), number):
                first, second = (starters[i] if i < len(starters) else None for i in meeting)
                here = [each for each in (first, second) if each in field.present]
                match here:
                    case [str(one), str(another)]:
                        tables.append(Pairing(number, len(tables) + 1, one, another))
                    case [str(one)]:
                        byes.append(Bye(number, one))
            if tables:
                return Round(number, tuple(tables), tuple(byes))
        return Over("complete")


def rounds_of(entrants: int, *, double: bool) -> int:
    """Return how many rounds a round robin of so many entrants has."""
    single = entrants - 1 if entrants % 2 == 0 else entrants
    return 2 * single if double else single


def meetings(entrants: int, number: int) -> Iterator[tuple[int, int]]:
    """Yield who meets whom in a round, as places from 0, the one that deals first in front.

    With an odd number of entrants the place after the last stands for a bye. Rounds beyond the
    single round robin repeat it with the first deals the other way.
    """
    last = entrants + entrants % 2
    circle = last - 1
    for lower in range(1, circle + 1):
        higher = (number + 1 - lower) % circle or circle
        if lower > higher:
            continue
        if lower == higher:
            pair = (lower, last) if lower <= last // 2 else (last, lower)
        else:
            pair = (lower, higher) if (lower + higher) % 2 else (higher, lower)
        one, another = pair if (number - 1) // circle % 2 == 0 else pair[::-1]
        yield one - 1, another - 1

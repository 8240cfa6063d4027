"""What every format is given and what it answers: one small protocol for all of them."""

from typing import Literal, Protocol, TypeAlias

import msgspec

from ginrummy.tournaments.entrants import Entrant, Pairing, Round
from ginrummy.tournaments.errors import InvalidEntryError, RoundNotOverError
from ginrummy.tournaments.results import MatchKey, Record, Result, last_words

__all__ = ["Field", "Format", "Next", "Over", "next_round"]


class Field(msgspec.Struct, frozen=True):
    """The entrants and the history: all that pairings depend on.

    Raises InvalidEntryError where an id or a seed is there twice, or somebody is present who has
    not entered.
    """

    entrants: tuple[Entrant, ...]
    """Everybody who was there when the first round was paired or who entered later, also those
    who have withdrawn since."""
    present: frozenset[str]
    """The ids of those who can play in the next round."""
    rounds: tuple[Round, ...] = ()
    """The rounds paired so far, in order."""
    records: tuple[Record, ...] = ()
    """The results and byes so far, in the order in which they were recorded."""

    def __post_init__(self) -> None:
        if len({each.id for each in self.entrants}) < len(self.entrants):
            raise InvalidEntryError("an entrant is entered twice")
        if len({each.seed for each in self.entrants}) < len(self.entrants):
            raise InvalidEntryError("two entrants have the same seed")
        strangers = self.present - {each.id for each in self.entrants}
        if strangers:
            raise InvalidEntryError(
                f"present without having entered: {', '.join(sorted(strangers))}"
            )

    @property
    def by_seed(self) -> tuple[Entrant, ...]:
        """All entrants, the strongest first."""
        return tuple(sorted(self.entrants, key=lambda each: each.seed))

    @property
    def starters(self) -> tuple[str, ...]:
        """The ids of those who entered before the first round, the strongest first."""
        return tuple(each.id for each in self.by_seed if each.entered == 1)

    @property
    def next_number(self) -> int:
        """The number that the next round has at least."""
        return self.rounds[-1].number + 1 if self.rounds else 1

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Every pairing so far, in order."""
        return tuple(pairing for each in self.rounds for pairing in each.pairings)

    def results(self) -> dict[MatchKey, Result]:
        """Return the result of every match. Raises RoundNotOverError where one is missing."""
        results = last_words(self.records)[0]
        for pairing in self.pairings:
            if (pairing.round, pairing.table) not in results:
                raise RoundNotOverError(pairing.round, pairing.table)
        return results


class Over(msgspec.Struct, frozen=True):
    """There is no further round."""

    reason: Literal["complete", "too_few"]
    """The format has been played to its end, or fewer than two entrants are present."""


Next: TypeAlias = Round | Over


class Format(Protocol):
    """A way of pairing. It is a frozen value: the same format and field give the same round."""

    @property
    def late_entry(self) -> bool:
        """Whether entrants may come in after the first round has been paired."""

    def pair(self, field: Field) -> Next:
        """Return the next round, or that the event is over.

        At least two entrants are present. A round has at least one pairing, and names nobody who
        is not present. Raises RoundNotOverError where a result is missing that the pairings
        depend on.
        """


def next_round(event: Format, field: Field) -> Next:
    """Return the next round, or that the event is over: alone there is nobody to meet."""
    return event.pair(field) if len(field.present) > 1 else Over("too_few")

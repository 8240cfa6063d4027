"""Who takes part, and who is to meet whom."""

import msgspec

from ginrummy.tournaments.errors import InvalidEntryError, InvalidPairingError

__all__ = ["Absence", "Bye", "Entrant", "Pairing", "Round"]


class Entrant(msgspec.Struct, frozen=True):
    """A person or a bot that takes part.

    Raises InvalidEntryError without an id, or with a seed or a first round below 1.
    """

    id: str
    name: str
    seed: int
    """The place in the order of strength that the director expects: 1 is the strongest."""
    entered: int = 1
    """The first round that it could be paired in; above 1 for a late entry."""

    def __post_init__(self) -> None:
        if not self.id:
            raise InvalidEntryError(f"an entrant needs an id: {self.name!r} has none")
        if self.seed < 1 or self.entered < 1:
            raise InvalidEntryError(f"{self.id}: seeds and rounds are numbers from 1")


class Pairing(msgspec.Struct, frozen=True):
    """A match of a round: two entrants at a table.

    Raises InvalidPairingError for an entrant against itself, or a round or table below 1.
    """

    round: int
    table: int
    """Tables are numbered from 1 in each round; (round, table) names the match."""
    first: str
    """The entrant that deals first, unless the match is dealt by lot."""
    second: str
    label: str = ""
    """The place in the bracket that is played for, such as `W2.1`; empty without a bracket."""
    dealt_by_lot: bool = False
    """The deck decides who deals first, as in any match outside an event (rule D3). Neither of the
    two has been given the first deal; `first` is only the one named first."""

    def __post_init__(self) -> None:
        if self.first == self.second:
            raise InvalidPairingError(f"{self.first} cannot meet itself")
        if self.round < 1 or self.table < 1:
            raise InvalidPairingError("rounds and tables are numbers from 1")


class Bye(msgspec.Struct, frozen=True):
    """A round that an entrant goes through without a match, through no doing of its own."""

    round: int
    entrant: str
    label: str = ""
    """The place in the bracket that is won without a match; empty without a bracket."""


class Absence(msgspec.Struct, frozen=True):
    """A place in a bracket that an entrant loses by not being there."""

    round: int
    entrant: str
    label: str


class Round(msgspec.Struct, frozen=True):
    """What is to be played next, as it was paired."""

    number: int
    pairings: tuple[Pairing, ...]
    byes: tuple[Bye, ...] = ()
    absences: tuple[Absence, ...] = ()

    @property
    def named(self) -> frozenset[str]:
        """The entrants that have a match or a bye."""
        met = {entrant for each in self.pairings for entrant in (each.first, each.second)}
        return frozenset(met | {each.entrant for each in self.byes})

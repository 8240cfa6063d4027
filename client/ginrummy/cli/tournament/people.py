"""The people of a database's tournaments, and what their results against each other say."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from ginrummy.log.errors import LineError
from ginrummy.rules.match import Instant
from ginrummy.store import Store
from ginrummy.tournaments.event import Tournament, TournamentFold, read_tournament_line
from ginrummy.tournaments.event.events import ResultRecorded, ResultRuled
from ginrummy.tournaments.results import MatchKey
from ginrummy.tournaments.statistics.people import Encounter, rate_people

__all__ = ["Person", "people"]


class Person(msgspec.Struct, frozen=True):
    """A person with a rating, and the matches that it rests on."""

    id: str
    name: str
    mu: float
    sigma: float
    matches: int
    wins: int
    draws: int
    losses: int

    @property
    def floor(self) -> float:
        """The strength that is as good as certain: to rank by."""
        return self.mu - 3 * self.sigma


class _Met(NamedTuple):
    """A match of two people, with when it was first decided."""

    at: Instant
    stream: str
    key: MatchKey
    encounter: Encounter


def people(store: Store) -> list[Person]:
    """Return everybody who has met another person in a tournament, the best first."""
    names: dict[str, str] = {}
    met: list[_Met] = []
    for stream in store.streams("t_"):
        told = _told(store, stream)
        if told is not None:
            tournament, decided = told
            names |= {each.id: each.entrant.name for each in tournament.entries}
            met += _meetings(tournament, decided)
    encounters = [each.encounter for each in sorted(met, key=lambda each: each[:3])]
    rated = [
        Person(player, names[player], skill.mu, skill.sigma, *_counts(player, encounters))
        for player, skill in rate_people(encounters).items()
    ]
    return sorted(rated, key=lambda each: -each.floor)


def _told(store: Store, stream: str) -> tuple[Tournament, dict[MatchKey, Instant]] | None:
    """Return a tournament and when each of its pairings was decided; None for a damaged one."""
    fold, decided = TournamentFold(), dict[MatchKey, Instant]()
    try:
        for raw in store.read(stream):
            line = read_tournament_line(raw)
            fold.add(line)
            if isinstance(line.event, ResultRecorded | ResultRuled):
                decided.setdefault((line.event.round, line.event.table), line.at)
    except (LineError, ValueError):
        return None
    return None if fold.tournament is None else (fold.tournament, decided)


_CREDITS = {"first": (1.0, 0.0), "second": (0.0, 1.0), "draw": (0.5, 0.5)}


def _meetings(tournament: Tournament, decided: dict[MatchKey, Instant]) -> Iterator[_Met]:
    persons = {each.id for each in tournament.entries if each.kind == "person"}
    for key, result in tournament.results.items():
        two = (result.pairing.first, result.pairing.second)
        if persons.issuperset(two) and result.outcome in _CREDITS:
            encounter = Encounter(*two, *_CREDITS[result.outcome])
            yield _Met(decided[key], tournament.id, key, encounter)


def _counts(player: str, encounters: list[Encounter]) -> tuple[int, int, int, int]:
    own = [
        each.points_one if each.one == player else each.points_two
        for each in encounters
        if player in (each.one, each.two)
    ]
    return len(own), own.count(1.0), own.count(0.5), own.count(0.0)

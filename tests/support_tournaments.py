"""Fields of entrants for tests, and events that play themselves with results drawn at random."""

import random
from collections.abc import Callable, Iterator

from ginrummy.rules.cards import BySeat
from ginrummy.tournaments.entrants import Entrant, Pairing, Round
from ginrummy.tournaments.pairing.formats import Field, Format, next_round
from ginrummy.tournaments.results import Outcome, Record, Result

OUTCOMES: tuple[Outcome, ...] = ("first", "second", "draw")

Leave = Callable[[Field], frozenset[str]]
"""Says who is present in the next round."""


def entrants(count: int) -> tuple[Entrant, ...]:
    """Return so many entrants, `a` the strongest; from the 27th on `e27` and so on."""
    return tuple(
        Entrant(chr(96 + seed) if seed <= 26 else f"e{seed}", f"No. {seed}", seed)
        for seed in range(1, count + 1)
    )


def field_of(count: int) -> Field:
    """Return a field before its first round, with everybody present."""
    entered = entrants(count)
    return Field(entered, frozenset(each.id for each in entered))


def field_after(field: Field, played: Round, *results: Result) -> Field:
    """Return the field after a round has been paired and played."""
    records: tuple[Record, ...] = (*field.records, *played.byes, *results)
    return Field(field.entrants, field.present, (*field.rounds, played), records)


def with_present(field: Field, present: frozenset[str]) -> Field:
    """Return the field with others present."""
    return Field(field.entrants, present, field.rounds, field.records)


def won_by(pairing: Pairing, winner: str, points: int = 10) -> Result:
    """Return a match that one of its two has won by so many points."""
    if winner == pairing.first:
        return Result(pairing, "first", "played", BySeat(points, 0))
    assert winner == pairing.second
    return Result(pairing, "second", "played", BySeat(0, points))


def stronger_wins(field: Field, played: Round) -> Field:
    """Return the field after a round in which the better seed won every match."""
    seeds = {each.id: each.seed for each in field.entrants}
    results = (
        won_by(each, min(each.first, each.second, key=seeds.__getitem__))
        for each in played.pairings
    )
    return field_after(field, played, *results)


def at_random(field: Field, played: Round, rng: random.Random) -> Field:
    """Return the field after a round of random outcomes."""
    results = (Result(each, rng.choice(OUTCOMES), "played") for each in played.pairings)
    return field_after(field, played, *results)


def course(
    event: Format, field: Field, rng: random.Random, leave: Leave | None = None
) -> Iterator[tuple[Field, Round]]:
    """Play an event with random outcomes: yield each round with the field it was paired for."""
    while isinstance(played := next_round(event, field), Round):
        yield field, played
        field = at_random(field, played, rng)
        if leave is not None:
            field = with_present(field, leave(field))

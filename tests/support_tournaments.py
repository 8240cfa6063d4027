"""Fields of entrants for tests, and events that play themselves with results drawn at random."""

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ginrummy.rules.cards import BySeat
from ginrummy.tournaments.entrants import Entrant, Pairing, Round
from ginrummy.tournaments.pairing.formats import Field, Format, next_round
from ginrummy.tournaments.pairing.swiss import Swiss
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


class Moment(NamedTuple):
    """A round of an event, as it was paired."""

    field: Field
    """The field that it was paired for."""
    played: Round
    is_last: bool
    all_stay: bool
    """Whether nobody leaves this event or enters it late."""


def eventful(seed: int) -> Iterator[Moment]:
    """Play a Swiss event: 5 to 33 enter, for 3 to 9 rounds, with random outcomes.

    In three of four events some leave between rounds, come back, or enter late. The event may end
    early, with one of them left.
    """
    rng = random.Random(seed)
    field = field_of(rng.randint(5, 33))
    event = Swiss(rng.randint(3, 9))
    restless = rng.choice((0, 0.03, 0.1, 0.25))
    while isinstance(played := next_round(event, field), Round):
        yield Moment(field, played, played.number == event.rounds, not restless)
        field = _come_and_gone(at_random(field, played, rng), rng, restless)


def _come_and_gone(field: Field, rng: random.Random, restless: float) -> Field:
    """Return the field after some of those present have left, and some of the others come."""
    present = {
        each.id
        for each in field.entrants
        if rng.random() >= (restless if each.id in field.present else 1 - 2 * restless)
    }
    entered = field.entrants
    if rng.random() < restless:
        seed = len(entered) + 1
        entered += (Entrant(f"late{seed}", f"No. {seed}", seed, entered=field.next_number),)
        present.add(entered[-1].id)
    return Field(entered, frozenset(present), field.rounds, field.records)

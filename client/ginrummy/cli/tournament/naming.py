"""Entrants, pairs and results as a director names them."""

import click

from ginrummy.tournaments.entrants import Pairing
from ginrummy.tournaments.event import Tournament
from ginrummy.tournaments.results import Outcome

__all__ = ["UnknownNameError", "entrant_of", "outcome_of", "pair_of", "pairing_of"]

_OUTCOMES: tuple[Outcome, ...] = ("first", "second", "draw", "neither", "void")


class UnknownNameError(click.ClickException):
    """A name that stands for nobody, or for several; the message says who there is."""

    exit_code = 2


def entrant_of(tournament: Tournament, text: str) -> str:
    """Return the id of an entrant that is named by id, or by a name that only one has."""
    found = _found(tournament, text)
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownNameError(
            f"{text!r} is the name of {len(found)}: use an id, {', '.join(found)}"
        )
    raise UnknownNameError(f"{text!r} has not entered; there are {_everybody(tournament)}")


def _found(tournament: Tournament, text: str) -> list[str]:
    wanted = text.strip()
    for fold in (str, str.casefold):
        found = [
            each.id
            for each in tournament.by_seed
            if wanted == each.id or fold(each.entrant.name) == fold(wanted)
        ]
        if found:
            return found
    return []


def _everybody(tournament: Tournament) -> str:
    names = [each.entrant.name for each in tournament.by_seed]
    return ", ".join(names) if names else "no entrants yet"


def pair_of(tournament: Tournament, text: str) -> tuple[str, str]:
    """Return the two entrants of `Ann-Ben`, whoever deals first in front.

    A name may have a hyphen of its own.
    """
    cuts = [place for place, character in enumerate(text) if character == "-"]
    pairs = [(text[:cut], text[cut + 1 :]) for cut in cuts]
    known = [pair for pair in pairs if all(_found(tournament, each) for each in pair)]
    if len(known) == 1:
        return entrant_of(tournament, known[0][0]), entrant_of(tournament, known[0][1])
    if known:
        raise UnknownNameError(f"{text!r} can be read in two ways: use ids")
    if len(pairs) == 1:
        # One of the two is unknown, and is named.
        return entrant_of(tournament, pairs[0][0]), entrant_of(tournament, pairs[0][1])
    raise UnknownNameError(
        f"{text!r} is not two entrants as in Ann-Ben; there are {_everybody(tournament)}"
    )


def pairing_of(tournament: Tournament, round_number: int, table: int) -> Pairing:
    """Return the pairing of a round's table."""
    pairing = tournament.pairing(round_number, table)
    if pairing is not None:
        return pairing
    for each in tournament.rounds:
        if each.number == round_number:
            tables = len(each.pairings)
            raise UnknownNameError(
                f"round {round_number} has the tables 1 to {tables}, not {table}"
            )
    numbers = [each.number for each in tournament.rounds]
    there = (
        f"the rounds so far are {numbers[0]} to {numbers[-1]}" if numbers else "no round is paired"
    )
    raise UnknownNameError(f"there is no round {round_number}: {there}")


def outcome_of(tournament: Tournament, pairing: Pairing, text: str) -> Outcome:
    """Return how a pairing came out: `first`, `second`, `draw`, `neither`, `void`, or who won."""
    for outcome in _OUTCOMES:
        if text == outcome:
            return outcome
    names = {each.id: each.entrant.name for each in tournament.entries}
    two = {"first": pairing.first, "second": pairing.second}
    if _found(tournament, text):
        winner = entrant_of(tournament, text)
        for outcome in _OUTCOMES:
            if two.get(outcome) == winner:
                return outcome
    winners = " or ".join(names[each] for each in two.values())
    raise UnknownNameError(
        f"{text!r} is no result of round {pairing.round} table {pairing.table}: say"
        f" {', '.join(_OUTCOMES)}, or who has won, {winners}"
    )

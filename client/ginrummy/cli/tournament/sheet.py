"""The pairing sheet of a round, to be printed and hung up: plain text, one page."""

from collections.abc import Iterator

from ginrummy.cli.tournament.columns import PAGE, Column, columns
from ginrummy.cli.tournament.results import how_it_stands, named, standings_table
from ginrummy.tournaments.entrants import Pairing, Round
from ginrummy.tournaments.event import Tournament
from ginrummy.tournaments.event.summary import Summary
from ginrummy.tournaments.results import Result

__all__ = ["result_text", "round_table", "sheet"]

_ROOM = "_____ : _____"
"""Where a result is written by hand."""


def sheet(tournament: Tournament, paired: Round, results: Summary) -> str:
    """Return a round's pairings with room for the results, and the standings."""
    title = f"{tournament.terms.name}, round {paired.number}"
    parts = [
        [title, "=" * len(title)],
        round_table(tournament, paired, room=_ROOM),
        list(_notes(tournament, paired)),
        [f"Standings: {how_it_stands(tournament)}"],
        standings_table(tournament, results),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def round_table(tournament: Tournament, paired: Round, room: str = "") -> list[str]:
    """Return the lines of a round's tables, with `room` in place of results that are not there."""
    names, results = named(tournament), tournament.results
    tables = paired.pairings

    def result(each: Pairing) -> str:
        found = results.get((each.round, each.table))
        return room if found is None else result_text(found, names)

    columns_ = [
        Column("table", [str(each.table) for each in tables]),
        Column("", [each.label for each in tables], left=True),
        Column("first", [names[each.first] for each in tables], left=True, gives_way=True),
        Column("second", [names[each.second] for each in tables], left=True, gives_way=True),
        Column("result", [result(each) for each in tables], left=True, gives_way=True),
    ]
    return columns([each for each in columns_ if each.heading or any(each.cells)], PAGE)


def result_text(result: Result, names: dict[str, str]) -> str:
    """Return how a pairing came out: the points, the winner, and why where it was not played."""
    points = f"{result.points[0]}:{result.points[1]}"
    words = {"draw": "drawn", "neither": "lost by both", "void": "void"}
    said = words.get(result.outcome) or names[result.winner or ""]
    why = "" if result.reason == "played" else f" ({result.reason.replace('_', ' ')})"
    return f"{points}  {said}{why}"


def _notes(tournament: Tournament, paired: Round) -> Iterator[str]:
    names = named(tournament)
    if paired.byes:
        yield f"Bye: {', '.join(names[each.entrant] for each in paired.byes)}"
    if paired.absences:
        yield f"Not there: {', '.join(names[each.entrant] for each in paired.absences)}"
    if any(each.dealt_by_lot for each in paired.pairings):
        yield "The deck decides who deals first."
    elif not tournament.terms.boards:
        yield "The first deals first."

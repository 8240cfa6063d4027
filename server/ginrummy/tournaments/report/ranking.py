"""The standings as the pages show them."""

import msgspec

from ginrummy.tournaments.event import Tournament
from ginrummy.tournaments.event.summary import EntrantSummary, Summary
from ginrummy.tournaments.report.figures import MINUS, TO, against, margin, sign_of, signed
from ginrummy.tournaments.report.naming import Names
from ginrummy.tournaments.report.words import LEAVES, TIE_BREAKS, TieBreakText
from ginrummy.tournaments.standings import Standing
from ginrummy.tournaments.statistics.intervals import Estimate

__all__ = [
    "Figure",
    "StandingRow",
    "places",
    "standing_rows",
    "standings_title",
    "tie_breaks",
    "tie_breaks_used",
]


class Figure(msgspec.Struct, frozen=True):
    """A figure with its interval."""

    text: str
    margin: str
    sign: str


class StandingRow(msgspec.Struct, frozen=True):
    """One line of the standings."""

    place: int
    name: str
    about: str
    """The seed, the kind where not all are of one, and why they are not there any more."""
    score: int
    counts: str
    """Won, drawn and lost pairings."""
    byes: int
    points: Figure | None
    """Points a board; None without a complete board, or where none are played."""
    boards: int
    game: str
    """Points of the game, own and the opponents'."""
    rating: Figure | None
    tie_breaks: tuple[str, ...]
    """Of those that have a value for anybody; empty where it has none for this entrant."""


def standing_rows(
    tournament: Tournament, results: Summary, names: Names
) -> tuple[StandingRow, ...]:
    """Return the standings' lines, the best first."""
    used = _used(tournament, results)
    return tuple(
        _standing(tournament, row, results.entrant(row.entrant), names, used)
        for row in results.standings.rows
    )


def _used(tournament: Tournament, results: Summary) -> tuple[int, ...]:
    """Return which of the director's tie-breaks have a value for anybody."""
    return tuple(
        place
        for place in range(len(tournament.terms.standings.tie_breaks))
        if any(row.tie_breaks[place] is not None for row in results.standings.rows)
    )


def _standing(
    tournament: Tournament,
    row: Standing,
    own: EntrantSummary,
    names: Names,
    told_apart: tuple[int, ...],
) -> StandingRow:
    entry = tournament.entry(row.entrant)
    about = [f"seed {entry.entrant.seed}"]
    if len({each.kind for each in tournament.entries}) > 1:
        about.append(entry.kind)
    if entry.left is not None:
        about.append(LEAVES[entry.left])
    return StandingRow(
        place=row.place,
        name=names[row.entrant],
        about=", ".join(about),
        score=row.score,
        counts=TO.join(map(str, (row.wins, row.draws, row.losses))),
        byes=row.byes,
        points=_figure(own.points_a_board, 1),
        boards=own.boards,
        game=against(row.points, row.points_against),
        rating=_figure(own.rating, 0),
        tie_breaks=tuple(_tie_break(row.tie_breaks[place]) for place in told_apart),
    )


def _figure(estimate: Estimate | None, places: int) -> Figure | None:
    if estimate is None:
        return None
    return Figure(
        signed(estimate.value, places), margin(estimate, places), sign_of(estimate.value, places)
    )


def _tie_break(value: int | None) -> str:
    return "" if value is None else f"{value:,}".replace("-", MINUS)


def tie_breaks(tournament: Tournament) -> tuple[TieBreakText, ...]:
    """Return the tie-breaks in the director's order."""
    return tuple(TIE_BREAKS[each] for each in tournament.terms.standings.tie_breaks)


def tie_breaks_used(tournament: Tournament, results: Summary) -> tuple[TieBreakText, ...]:
    """Return those of them that have a value for anybody."""
    all_of_them = tie_breaks(tournament)
    return tuple(all_of_them[place] for place in _used(tournament, results))


def standings_title(tournament: Tournament) -> str:
    """Return what the standings are: final, or after so many rounds."""
    if tournament.stage == "ended":
        return "Standings as given up" if tournament.aborted else "Final standings"
    rounds = len(tournament.rounds)
    if not rounds:
        return "Entrants"
    if tournament.undecided:
        return f"Standings during round {rounds}"
    return f"Standings after round {rounds}"


def places(results: Summary, names: Names) -> tuple[tuple[str, str], ...]:
    """Return the bracket's places with who has them: `3` to `4` for two who share."""
    found, first = [], 1
    for group in results.placings:
        last = first + len(group) - 1
        which = f"{first}" if first == last else f"{first}{TO}{last}"
        found.append((which, ", ".join(names[each] for each in group)))
        first = last + 1
    return tuple(found)

"""The crosstable: what everybody scored against everybody."""

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from ginrummy.tournaments.event import Tournament
from ginrummy.tournaments.event.summary import Encounter, Summary
from ginrummy.tournaments.report.chronicle import Chronicle
from ginrummy.tournaments.report.figures import TO, chance, margin, opposite, sign_of, signed
from ginrummy.tournaments.report.naming import Names, pairing_page, round_page

__all__ = ["Cell", "CrossRow", "PairLine", "cross_rows", "pair_lines"]


class Cell(msgspec.Struct, frozen=True):
    """What one scored against another."""

    sign: str
    """`plus`, `minus` or `even`; empty where they have not met."""
    text: str
    small: str
    """The interval, or how many were won, drawn and lost."""
    links: tuple[tuple[str, str], ...]
    """The pages of their pairings, with the rounds' numbers."""


class CrossRow(msgspec.Struct, frozen=True):
    """One entrant's line."""

    place: int
    name: str
    cells: tuple[Cell | None, ...]
    """In the order of the standings; None against oneself."""


class PairLine(msgspec.Struct, frozen=True):
    """Two entrants in figures, from the better seed's side."""

    one: str
    two: str
    sign: str
    boards: int
    """0 where no boards are played, or no pair of hands is complete."""
    points: str
    """Points a board with the interval; empty without a complete board."""
    counts: str
    chance: str


_NOT_MET = Cell("", "", "", ())


def cross_rows(told: Chronicle, results: Summary, names: Names) -> tuple[CrossRow, ...]:
    """Return the lines of the crosstable, in the order of the standings."""
    links = _links(told.tournament)
    cells: dict[tuple[str, str], Cell] = {}
    for each in results.crosstable:
        found = tuple(links[frozenset((each.one, each.two))])
        cells[each.one, each.two] = _cell(each, found, turned=False)
        cells[each.two, each.one] = _cell(each, found, turned=True)
    order = [row.entrant for row in results.standings.rows]
    return tuple(
        CrossRow(
            row.place,
            names[row.entrant],
            tuple(
                None if other == row.entrant else cells.get((row.entrant, other), _NOT_MET)
                for other in order
            ),
        )
        for row in results.standings.rows
    )


def _links(tournament: Tournament) -> defaultdict[frozenset[str], list[tuple[str, str]]]:
    played = {(each.round, each.table) for each in tournament.sittings}
    links: defaultdict[frozenset[str], list[tuple[str, str]]] = defaultdict(list)
    for paired in tournament.rounds:
        for each in paired.pairings:
            has_page = (each.round, each.table) in played
            page = pairing_page(tournament, each) if has_page else round_page(each.round)
            links[frozenset((each.first, each.second))].append((page, str(each.round)))
    return links


def _cell(met: Encounter, links: tuple[tuple[str, str], ...], *, turned: bool) -> Cell:
    counts = (met.losses, met.draws, met.wins) if turned else (met.wins, met.draws, met.losses)
    if met.boards is None:
        lead = counts[0] - counts[2]
        return Cell(sign_of(lead, 0), _counts(counts), "", links)
    if met.points_a_board is None:
        return Cell("even", "0 boards", "", links)
    points = opposite(met.points_a_board) if turned else met.points_a_board
    return Cell(sign_of(points.value), signed(points.value), margin(points), links)


def _counts(counts: Sequence[int]) -> str:
    return TO.join(map(str, counts))


def pair_lines(results: Summary, names: Names) -> tuple[PairLine, ...]:
    """Return every two that have met, in the order of the seeds."""
    return tuple(_line(each, names) for each in results.crosstable)


def _line(met: Encounter, names: Names) -> PairLine:
    points = met.points_a_board
    lead = met.wins - met.losses if points is None else points.value
    return PairLine(
        one=names[met.one],
        two=names[met.two],
        sign=sign_of(lead),
        boards=met.boards.boards if met.boards else 0,
        points="" if points is None else f"{signed(points.value)} {margin(points)}",
        counts=_counts((met.wins, met.draws, met.losses)),
        chance=chance(met.chance),
    )

"""A tournament's results as a director reads them: the standings, and what is behind them."""

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

import click

from ginrummy.api.tournament_terms_messages import sprt_text
from ginrummy.cli.tournament.columns import PAGE, Column, columns
from ginrummy.tournaments.event import Tournament
from ginrummy.tournaments.event.schedule import sittings_of
from ginrummy.tournaments.event.summary import Summary
from ginrummy.tournaments.results import END_REASONS
from ginrummy.tournaments.standings import Standing
from ginrummy.tournaments.statistics.intervals import Estimate
from ginrummy.tournaments.statistics.sprt import Course
from ginrummy.tournaments.tie_breaks import TieBreak

__all__ = [
    "heading",
    "how_it_stands",
    "named",
    "results_text",
    "show",
    "spelled",
    "standings_table",
    "verdict",
]

_TIE_BREAKS: dict[TieBreak, str] = {
    "head_to_head": "met",
    "buchholz": "Buch",
    "sonneborn_berger": "SB",
    "point_difference": "diff",
    "lot": "lot",
}
"""The headings of the tie-breaks' columns."""


def show(text: str) -> None:
    """Print text. Names are anybody's to choose: none steers a terminal."""
    text = "".join(char if char.isprintable() or char == "\n" else "?" for char in text)
    click.echo(spelled(text, sys.stdout.encoding))


def spelled(text: str, encoding: str | None) -> str:
    """Return text as it can be written where not every character can."""
    encoding = encoding or "ascii"
    if "utf" in encoding.lower():
        return text
    text = text.replace("±", "+-").replace("…", "~")
    return text.encode(encoding, "replace").decode(encoding)


def named(tournament: Tournament) -> dict[str, str]:
    """Return the entrants' names by their ids."""
    return {each.id: each.entrant.name for each in tournament.entries}


def results_text(tournament: Tournament, results: Summary, width: int = PAGE) -> str:
    """Return the standings and what is behind them, in lines of at most `width` characters."""
    notes = [*wrapped(_notes(tournament, results), width), f"Tournament {tournament.id}"]
    return "\n".join(
        [heading(tournament), "", *standings_table(tournament, results, width), "", *notes]
    )


def wrapped(sentences: Sequence[str], width: int) -> Iterator[str]:
    """Yield sentences as lines; what runs over is indented."""
    for each in sentences:
        yield from wrap(each, width, subsequent_indent="  ", break_long_words=False)


def heading(tournament: Tournament) -> str:
    """Return what the tournament is called and how far it has come, in a line."""
    return f"{tournament.terms.name}: {how_it_stands(tournament)}"


def how_it_stands(tournament: Tournament) -> str:
    """Return how far a tournament has come, in words."""
    rounds = len(tournament.rounds)
    count = f"{rounds} round{'s' if rounds != 1 else ''}"
    match tournament.stage:
        case "registration":
            here = sum(each.here for each in tournament.entries)
            return f"registration is open, {here} entered"
        case "nonces":
            return "about to start"
        case "playing":
            open_ = len(tournament.undecided)
            tables = f"{open_ or 'no'} table{'s' if open_ != 1 else ''} open"
            said = f"round {rounds}, {tables}" if rounds else "started, no round is paired yet"
            return f"{said}, paused" if tournament.paused else said
        case "ended":
            return f"over after {count}{_ENDS.get(tournament.end_reason or '', '')}"


_ENDS = {
    "aborted": ", given up",
    "too_few": ", too few were left",
    "decided": ", decided by the test",
}


# --- the table ----------------------------------------------------------------------------------


def standings_table(tournament: Tournament, results: Summary, width: int = PAGE) -> list[str]:
    """Return the lines of the standings; only columns in which there is something to read."""
    rows = results.standings.rows
    names = named(tournament)

    def column(heading: str, cell: Callable[[Standing], str]) -> Column:
        return Column(heading, [cell(row) for row in rows])

    table = [
        column("", lambda row: str(row.place)),
        Column("entrant", [names[row.entrant] for row in rows], left=True, gives_way=True),
        column("score", lambda row: str(row.score)),
        column("W-D-L", lambda row: f"{row.wins}-{row.draws}-{row.losses}"),
    ]
    if any(row.byes for row in rows):
        table.append(column("byes", lambda row: str(row.byes or "")))
    if tournament.terms.boards:
        own = results.entrants
        table.append(Column("points a board", _figures([each.points_a_board for each in own], 1)))
        table.append(Column("rating", _figures([each.rating for each in own], 0)))
    else:
        table.append(column("points", lambda row: f"{row.points}-{row.points_against}"))
    table += _tie_break_columns(tournament, rows)
    if any(row.forfeits for row in rows):
        table.append(column("forf", lambda row: str(row.forfeits or "")))
    return columns(table, width)


def _tie_break_columns(tournament: Tournament, rows: Sequence[Standing]) -> Iterator[Column]:
    """Yield the tie-breaks that told anybody apart; one asked in vain tells nothing."""
    for place, name in enumerate(tournament.terms.standings.tie_breaks):
        values = [row.tie_breaks[place] for row in rows]
        if len({value for value in values if value is not None}) > 1:
            cells = ["" if value is None else str(value) for value in values]
            yield Column(_TIE_BREAKS[name], cells)


def _figures(estimates: Sequence[Estimate | None], digits: int) -> list[str]:
    """Return figures with their margins, one under the other."""
    values = ["" if each is None else f"{each.value:+.{digits}f}" for each in estimates]
    margins = [_margin(each, digits) for each in estimates]
    wide = max((len(each) for each in margins), default=0)
    return [
        f"{value} ± {margin.rjust(wide)}" if value else "-".rjust(wide)
        for value, margin in zip(values, margins, strict=True)
    ]


def _margin(estimate: Estimate | None, digits: int) -> str:
    if estimate is None:
        return ""
    return f"{estimate.margin:.{digits}f}" if math.isfinite(estimate.margin) else "?"


# --- what is behind it --------------------------------------------------------------------------


def _notes(tournament: Tournament, results: Summary) -> list[str]:
    notes = [_placings(tournament, results), _endings(tournament, results), _narrowing(results)]
    if results.test is not None:
        notes.append(verdict(tournament, results.test))
    return [each for each in notes if each]


def _placings(tournament: Tournament, results: Summary) -> str:
    """Return the order of a bracket, which is not that of the scores."""
    names = named(tournament)
    places, next_place = [], 1
    for group in results.placings:
        places.append(f"{next_place} {', '.join(names[each] for each in group)}")
        next_place += len(group)
    return f"Places in the bracket: {'; '.join(places)}." if places else ""


def _endings(tournament: Tournament, results: Summary) -> str:
    counts, what = results.sittings, "sittings"
    if not any(counts.values()):
        counts, what = results.standings.reasons, "results"
    said = [f"{each} {counts[each]}" for each in END_REASONS if counts.get(each)]
    if not said:
        return ""
    whole = sum(counts.values())
    planned = sum(
        len(sittings_of(tournament, pairing))
        for each in tournament.rounds
        for pairing in each.pairings
    )
    of = f" of {planned}" if what == "sittings" and planned > whole else ""
    return f"How {whole}{of} {what} ended: {', '.join(said)}."


def _narrowing(results: Summary) -> str:
    if results.narrowing is None:
        return ""
    ratio = results.narrowing.width_ratio
    if not math.isfinite(ratio.high):
        return ""
    return (
        f"The boards made the intervals {ratio.value:.2f} times as wide as unrelated hands would"
        f" have ({ratio.low:.2f} to {ratio.high:.2f})."
    )


def verdict(tournament: Tournament, course: Course) -> str:
    """Return how far a sequential test has come, and what that means."""
    test = course.test
    better, other = (each.entrant.name for each in tournament.playing[:2])
    low, high = f"{test.h0:g}", f"{test.h1:g} {test.scale}"
    said = {
        "accept_h1": f"{better} leads {other} as by {high} rather than {low}",
        "accept_h0": f"{better} leads {other} by {low} or less rather than {high}",
        "no_decision": "no decision",
        "running": "not decided yet",
    }[course.status]
    return (
        f"Test {sprt_text(test)}: {said}; {course.counted.boards} boards, llr {course.llr:+.2f}"
        f" between {test.lower:+.2f} and {test.upper:+.2f}."
    )

"""The whole report: the logs, and a page for everything that is worth one.

the tournament's lines -> chronicle, summary -> index, standings, crosstable, rounds, audit
the matches' lines, one pairing at a time -> logs/, the pairing's page
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ginrummy.reporting.pages import HOUSE_STYLE
from ginrummy.tournaments.entrants import Pairing
from ginrummy.tournaments.event.events import SittingEnded
from ginrummy.tournaments.event.summary import Summary, summary
from ginrummy.tournaments.report import overview, ranking
from ginrummy.tournaments.report.chronicle import Chronicle, read_chronicle
from ginrummy.tournaments.report.crosstable import cross_rows, pair_lines
from ginrummy.tournaments.report.errors import ReportError
from ginrummy.tournaments.report.figures import TO, day
from ginrummy.tournaments.report.graphs import course_plots, points_plots
from ginrummy.tournaments.report.logs import (
    LOGS,
    SUMS,
    LogFile,
    ReadLines,
    copy_log,
    copy_sitting,
    write_sums,
)
from ginrummy.tournaments.report.matches import MatchReader
from ginrummy.tournaments.report.naming import Names
from ginrummy.tournaments.report.pages import Pages
from ginrummy.tournaments.report.rounds import (
    PairingRow,
    RoundSheet,
    by_pairing,
    round_sheets,
)
from ginrummy.tournaments.report.sheets import Played, board_rows, match_sheets
from ginrummy.tournaments.results import MatchKey

__all__ = ["write_report"]

STYLE = "style.css"


def write_report(lines: Iterable[bytes], match: ReadLines, directory: Path) -> Path:
    """Write a tournament's report and return its first page.

    `lines` are the tournament's own, gone through twice; `match` gives those of a match by its id.
    The directory is made where it is not there. An earlier report of the same tournament in it is
    written anew: a log only grows, so no page of it is left over. The same logs give the same
    bytes. Raises ReportError for a log that is missing or damaged, and for a directory that holds
    anything else.
    """
    told = read_chronicle(lines)
    tournament = told.tournament
    _claim(directory, tournament.id)
    own = copy_log(directory, tournament.id, lines, lambda _number, _raw: None)
    results, names = summary(tournament), Names(tournament)
    sittings = by_pairing(tournament)
    sheets = round_sheets(told, names, sittings)
    pages = Pages(
        directory,
        event=tournament.terms.name,
        tournament=tournament,
        told=told,
        own=own,
        dates=_dates(told),
        stage=overview.stage_text(tournament),
        last_round=sheets[-1].page if sheets else None,
    )
    _write_style(directory)
    logs = [own]
    for sheet in sheets:
        logs += _write_pairings(directory, pages, told, names, sheet, sittings, match)
    write_sums(directory, logs)
    _write_rounds(pages, sheets)
    _write_results(pages, told, results, names)
    pages.write("audit.html", "audit.html", logs=len(logs), sums=f"{LOGS}/{SUMS}", names=names)
    return directory / "index.html"


def _claim(directory: Path, tournament: str) -> None:
    """Make the directory ready, or refuse it."""
    if directory.exists() and not directory.is_dir():
        raise ReportError(f"{directory} is a file: name a directory")
    earlier = (directory / LOGS / f"{tournament}.jsonl").is_file()
    if directory.exists() and any(directory.iterdir()) and not earlier:
        raise ReportError(
            f"{directory} holds something else: name a new directory, an empty one, or an earlier"
            f" report of {tournament}"
        )
    (directory / LOGS).mkdir(parents=True, exist_ok=True)


def _write_style(directory: Path) -> None:
    own = Path(__file__).with_name(STYLE).read_text(encoding="utf-8")
    (directory / STYLE).write_bytes(f"{HOUSE_STYLE}\n{own}".encode())


def _dates(told: Chronicle) -> str:
    """Return the days of the event: one, or the first and the last."""
    first = day(told.started_at or told.tournament.created_at)
    last = day(told.ended_at or told.at)
    return first if first == last else f"{first} {TO} {last}"


# --- the pages ----------------------------------------------------------------------------------


def _write_results(pages: Pages, told: Chronicle, results: Summary, names: Names) -> None:
    tournament = told.tournament
    rows = ranking.standing_rows(tournament, results, names)
    shown = {
        "title": ranking.standings_title(tournament),
        "rows": rows,
        "places": ranking.places(results, names),
        "tie_breaks": ranking.tie_breaks(tournament),
        "used": ranking.tie_breaks_used(tournament, results),
    }
    pairs = pair_lines(results, names)
    seeds = tournament.playing
    course = results.test
    verdict = None
    if course is not None and len(seeds) > 1:
        one, other = names[seeds[0].id], names[seeds[1].id]
        verdict = overview.verdict_text(course, one, other)
    pages.write(
        "index.html",
        "index.html",
        facts=overview.facts(told, names),
        plots=points_plots(tournament, results, names),
        course=course,
        verdict=verdict,
        course_plots=course_plots(tournament, results),
        reasons=overview.reason_rows(results),
        sittings=sum(results.sittings.values()),
        pairings=results.standings.matches,
        narrowing=None if results.narrowing is None else overview.narrowing_text(results.narrowing),
        notes=overview.notes(told, names),
        names=names,
        **shown,
    )
    pages.write("standings.html", "standings.html", **shown)
    pages.write(
        "crosstable.html", "crosstable.html", rows=cross_rows(told, results, names), pairs=pairs
    )


def _write_rounds(pages: Pages, sheets: Sequence[RoundSheet]) -> None:
    pages.write("rounds.html", "rounds.html", rounds=sheets)
    for index, sheet in enumerate(sheets):
        before = sheets[index - 1] if index else None
        after = sheets[index + 1] if index + 1 < len(sheets) else None
        pages.write("round.html", sheet.page, sheet=sheet, before=before, after=after)


def _write_pairings(
    directory: Path,
    pages: Pages,
    told: Chronicle,
    names: Names,
    sheet: RoundSheet,
    sittings: Mapping[MatchKey, Sequence[SittingEnded]],
    match: ReadLines,
) -> list[LogFile]:
    """Write the logs and the pages of a round's pairings; return the logs."""
    logs = []
    for row in sheet.rows:
        pairing = told.tournament.pairing(sheet.number, row.table)
        assert pairing is not None
        played = [
            _played(directory, each, match) for each in sittings.get((sheet.number, row.table), ())
        ]
        logs += [each.log for each in played if each.log is not None]
        _write_pairing(pages, names, sheet, row, pairing, played)
    return logs


def _played(directory: Path, ended: SittingEnded, match: ReadLines) -> Played:
    """Copy a sitting's log, and note on the way what it tells."""
    if not ended.match:
        return Played(ended, None, None)
    reader = MatchReader()
    log = copy_sitting(directory, ended, match, reader.add)
    return Played(ended, log, reader.record())


def _write_pairing(
    pages: Pages,
    names: Names,
    sheet: RoundSheet,
    row: PairingRow,
    pairing: Pairing,
    played: Sequence[Played],
) -> None:
    if row.page is None:
        return
    told = {
        "sheet": sheet,
        "row": row,
        "logs": [each.log for each in played if each.log is not None],
    }
    if row.page.startswith("boards"):
        boards = board_rows(pairing, played, names)
        pages.write("boards.html", row.page, boards=boards, **told)
    else:
        matches = match_sheets(pairing, played, names)
        pages.write("match.html", row.page, matches=matches, **told)

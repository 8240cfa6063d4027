"""`gin log`, `gin export`: a match's stored lines, to be read, kept, and checked elsewhere."""

import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ginrummy.audit.audit import stream_of
from ginrummy.cli.exports import hand_history, openspiel_lines
from ginrummy.cli.lazy import examples
from ginrummy.cli.output import write_new
from ginrummy.cli.source import Log, UnusableSourceError, open_log, source_options

if TYPE_CHECKING:
    from ginrummy.cli.pages import AnalysisWanted

__all__ = ["export", "log"]


@click.command(
    epilog=examples(
        "gin log m_7vk2c8w0r6ht9zq3nx5b7jd1ge",
        "gin log m_7vk2c8w0r6ht9zq3nx5b7jd1ge | jq -r .type | sort | uniq -c",
        "gin log m_7vk2c8w0r6ht9zq3nx5b7jd1ge | tail -1 | tr -d '\\n' | sha256sum",
    )
)
@click.argument("match", metavar="MATCH|FILE|-")
@source_options
def log(*, match: str, db: str, server: str | None, token: str) -> None:
    """Print a match's stored lines.

    They come byte for byte as they are stored and hashed, one event a line.
    """
    with open_log(match, db, server, token) as found:
        for line in _of_a_log(found):
            sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()


@click.command(
    epilog=examples(
        "gin export m_7vk2c8w0r6ht9zq3nx5b7jd1ge -o final.log",
        "gin export m_7vk2c8w0r6ht9zq3nx5b7jd1ge -o final.txt --format text --times",
        "gin export m_7vk2c8w0r6ht9zq3nx5b7jd1ge -o final.html --format html",
        "gin export final.log -o final.html --format html --analysis",
    )
)
@click.argument("match", metavar="MATCH|FILE|-")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write; one that exists is not overwritten.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["log", "text", "html", "openspiel"]),
    default="log",
    show_default=True,
    help="The stored lines, a hand history, a page to step through, or actions for OpenSpiel.",
)
@click.option("--times", is_flag=True, help="text: when each event happened as well.")
@click.option("--check", "checked", is_flag=True, help="text: read back what is written, first.")
@click.option(
    "--seat",
    type=click.Choice(["0", "1", "public", "all"]),
    help="html: whose eyes alone, with nothing in the file that they may not see.",
)
@click.option(
    "--notes",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help='html: notes on events, lines such as {"seq": 57, "text": "Why not the 8?"}.',
)
@click.option(
    "--analysis",
    "analysed",
    is_flag=True,
    help="html: judge the decisions as well; a hand takes some seconds.",
)
@click.option(
    "--analysis-from",
    "analysis",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="html: the analysis that gin analyse --json has written.",
)
@click.option(
    "--worlds",
    type=click.IntRange(min=4, max=100_000),
    metavar="N",
    help="html: how many worlds --analysis judges a decision in; 200 unless given.",
)
@source_options
def export(  # noqa: PLR0913 -- an argument an option
    *,
    match: str,
    output: Path,
    form: str,
    times: bool,
    checked: bool,
    seat: str | None,
    notes: Path | None,
    analysed: bool,
    analysis: Path | None,
    worlds: int | None,
    db: str,
    server: str | None,
    token: str,
) -> None:
    """Write a match to a file.

    A file in the form log holds all that an audit needs: gin audit FILE, or the checks that
    docs/log-format.md describes for whoever does not have this program.

    A file in the form text is a hand history for people, and one in the form openspiel has the
    actions of each hand for OpenSpiel's gin_rummy; docs/hand-history.md describes both.

    A file in the form html is a page that a browser opens from disk, without a network: the match
    step by step, whose eyes you like, with the log in it and the check of the log. It shows what
    the log gives away by itself. With --seat, it shows one perspective alone and holds nothing
    else; from the database of your own server also that of a match that is not over. With
    --analysis it also says what the decisions were worth, as gin analyse does.
    """
    if form != "html" and any((seat, notes, analysed, analysis, worlds)):
        raise click.UsageError(
            "--seat, --notes, --analysis, --analysis-from and --worlds are for --format html"
        )
    if output.exists():
        # To find that out after an analysis would be late.
        raise UnusableSourceError(f"{output} is there already: name a new file")
    wanted = _wanted(seat, analysis, worlds, analysed=analysed)
    if form != "text" and (times or checked):
        raise click.UsageError("--times and --check are for --format text")
    with open_log(match, db, server, token) as found:
        match form:
            case "html":
                pieces = _page(found, seat, notes, wanted)
            case "text":
                pieces = hand_history(found, times=times, checked=checked)
            case "openspiel":
                _of_a_log(found)
                pieces = openspiel_lines(found)
            case _:
                pieces = (line + b"\n" for line in _of_a_log(found))
        # What cannot be written is refused before there is a file.
        first = next(pieces, b"")
        write_new(output, chain([first], pieces))


def _of_a_log(found: Log) -> Iterable[bytes]:
    """Return the lines, damaged ones too. Raises UnusableLogError where none is of a match."""
    stream_of(found.lines)
    return found.lines


def _wanted(
    seat: str | None, file: Path | None, worlds: int | None, *, analysed: bool
) -> "AnalysisWanted | None":
    """Return what analysis the options ask for. Raises UsageError where they contradict."""
    if worlds is not None and not analysed:
        raise click.UsageError("--worlds is for --analysis")
    if not analysed and file is None:
        return None
    if analysed and file is not None:
        raise click.UsageError("choose one of --analysis and --analysis-from")
    if seat == "public":
        raise click.UsageError(
            "an analysis is of cards that not everybody has seen: with --seat public there is none"
        )
    from ginrummy.cli.pages import DEFAULT_WORLDS, AnalysisWanted  # noqa: PLC0415 -- seldom needed

    number = worlds or DEFAULT_WORLDS
    return AnalysisWanted(file, number + number % 2)


def _page(
    found: Log, seat: str | None, notes: Path | None, wanted: "AnalysisWanted | None"
) -> Iterator[bytes]:
    from ginrummy.cli.pages import html_page  # noqa: PLC0415 -- seldom needed

    yield html_page(found, seat, notes, wanted)

"""`gin tournament report`: a tournament as pages to read, beside the logs that they follow from."""

from pathlib import Path

import click

from ginrummy.cli.lazy import examples
from ginrummy.cli.source import UnusableSourceError, source_options
from ginrummy.cli.tournament.source import open_tournament
from ginrummy.tournaments.report import ReportError, write_report

__all__ = ["report"]


@click.command(
    epilog=examples(
        "gin tournament report t_7vk2c8w0r6ht9zq3nx5b7jd1ge -o cup",
        "gin tournament report cup.jsonl -o cup",
    )
)
@click.argument("tournament", metavar="TOURNAMENT|FILE|-")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The directory to write: a new one, an empty one, or an earlier report of the same.",
)
@source_options
def report(*, tournament: str, output: Path, db: str, server: str | None, token: str) -> None:
    """Write a tournament's report.

    A directory of pages that need no server and no script: standings, crosstable, rounds, every
    pairing board by board or hand by hand, and every log byte for byte, so that whoever reads it
    can audit it. It can be written while the tournament runs, and again later into the same place.
    """
    with open_tournament(tournament, db, server, token) as log:
        try:
            first_page = write_report(log.lines, log.match, output)
        except ReportError as error:
            raise UnusableSourceError(f"{log.name}: {error}") from error
        except OSError as error:
            raise UnusableSourceError(f"{output}: {error.strerror or error}") from error
    click.echo(first_page)

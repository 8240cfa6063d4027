"""`gin log`, `gin export`: a match's stored lines, to be read, kept, and checked elsewhere."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from ginrummy.cli.lazy import examples
from ginrummy.cli.source import Log, UnusableSourceError, open_log, source_options
from ginrummy.replay.history import tell
from ginrummy.replay.stepping import Replay, ReplayError

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
        for line in found.lines:
            sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()


@click.command(
    epilog=examples(
        "gin export m_7vk2c8w0r6ht9zq3nx5b7jd1ge -o final.log",
        "gin export m_7vk2c8w0r6ht9zq3nx5b7jd1ge -o final.txt --format text",
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
    type=click.Choice(["log", "text"]),
    default="log",
    show_default=True,
    help="The stored lines, or the match told line by line.",
)
@source_options
def export(*, match: str, output: Path, form: str, db: str, server: str | None, token: str) -> None:
    """Write a match to a file.

    A file in the form log holds all that an audit needs: gin audit FILE, or the checks that
    docs/log-format.md describes for whoever does not have this program.
    """
    with open_log(match, db, server, token) as found:
        lines = found.lines if form == "log" else _told(found)
        try:
            with output.open("xb") as file:
                for line in lines:
                    file.write(line + b"\n")
        except FileExistsError as error:
            raise UnusableSourceError(f"{output} is there already: name a new file") from error


def _told(found: Log) -> Iterator[bytes]:
    try:
        recorded = Replay(found.lines)
    except ReplayError as error:
        raise UnusableSourceError(f"{found.name}: {error}; gin audit says more") from error
    for line in tell(recorded.between(1, recorded.last), "full"):
        yield line.encode()

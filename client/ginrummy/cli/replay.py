"""`gin replay`: a match again, position by position, for people and for programs."""

import os
import sys
from pathlib import Path

import click

from ginrummy.cli.lazy import examples
from ginrummy.cli.notes import notes_from
from ginrummy.cli.source import Log, UnusableSourceError, open_log, source_options
from ginrummy.cli.stepping import is_terminal, step_through
from ginrummy.replay.history import tell
from ginrummy.replay.ink import Ink
from ginrummy.replay.render import draw
from ginrummy.replay.shape import write_position
from ginrummy.replay.stepping import NoSuchPositionError, Replay, ReplayError
from ginrummy.rules.view import Perspective

__all__ = ["replay"]

_PERSPECTIVES: dict[str | None, Perspective] = {
    None: "full",
    "0": 0,
    "1": 1,
    "public": "public",
    "all": "full",
}


@click.command(
    epilog=examples(
        "gin replay m_7vk2c8w0r6ht9zq3nx5b7jd1ge",
        "gin replay final.log --hand 3 --seat 0",
        "gin replay final.log --at 57 --json | jq .view.hand.pile",
    )
)
@click.argument("match", metavar="MATCH|FILE|-")
@click.option("--hand", type=click.IntRange(min=1), metavar="N", help="Only this hand.")
@click.option(
    "--at", type=click.IntRange(min=1), metavar="SEQ", help="Only the position after this event."
)
@click.option(
    "--seat",
    type=click.Choice(["0", "1", "public", "all"]),
    help="Whose eyes: a seat's, everybody's or all; without it, all that the log gives away.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a position and line.")
@click.option(
    "--notes",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help='Notes on events, lines such as {"seq": 57, "text": "Why not the 8?"}.',
)
@click.option("--plain", is_flag=True, help="On a terminal: lines of text, no table.")
@click.option("--letters", is_flag=True, help="Suits as the letters S H D C, all in ASCII.")
@click.option("--four-colours", is_flag=True, help="On a terminal: a colour for each suit.")
@source_options
def replay(  # noqa: PLR0913 -- one for each option
    *,
    match: str,
    hand: int | None,
    at: int | None,
    seat: str | None,
    as_json: bool,
    notes: Path | None,
    plain: bool,
    letters: bool,
    four_colours: bool,
    db: str,
    server: str | None,
    token: str,
) -> None:
    """Replay a match from its log.

    On a terminal you step through it with the arrow keys; space plays on, n and p go to the next
    and the previous hand, k to the next knock, v changes whose eyes you see with, ? shows all keys,
    q leaves. Written to a file or a pipe it is told a line an event. With --at the table is drawn
    as it stood after that event.

    Cards that a log does not give away yet are shown as ??. From the database of your own server
    they can be seen with --seat.
    """
    if notes is not None and (as_json or at is not None):
        raise click.UsageError("--notes are for stepping, and for the history of a match")
    with open_log(match, db, server, token) as log:
        recorded = _recorded(log, open_hidden=seat is not None)
        perspective = _PERSPECTIVES[seat]
        try:
            first, last = _range(recorded, hand, at)
        except NoSuchPositionError as error:
            raise UnusableSourceError(f"{log.name}: {error}") from error
        said = notes_from(notes, recorded.last)
        ink = _ink(letters=letters, four_colours=four_colours)
        if as_json:
            for position in recorded.between(first, last):
                click.echo(write_position(position, perspective))
        elif at is not None:
            click.echo(draw(recorded.at(at), perspective, last=recorded.last, ink=ink), nl=False)
        elif is_terminal():
            secrets = log.secrets if seat is not None else None
            step_through(recorded, first, perspective, ink, said, secrets, plain=plain)
        else:
            for line in tell(recorded.between(first, last), perspective, ink, said):
                click.echo(line)
        if recorded.broken is not None and last == recorded.last and at is None:
            raise UnusableSourceError(f"{log.name}: {recorded.broken}; gin audit says more")


def _recorded(log: Log, *, open_hidden: bool) -> Replay:
    try:
        # An operator who has not asked for them gets no cards that are still hidden.
        return Replay(log.lines, log.secrets if open_hidden else None)
    except ReplayError as error:
        raise UnusableSourceError(f"{log.name}: {error}; gin audit says more") from error


def _range(recorded: Replay, hand: int | None, at: int | None) -> tuple[int, int]:
    """Return the first and the last event that are asked for. Raises NoSuchPositionError."""
    first, last = 1, recorded.last
    if hand is not None:
        span = recorded.hand(hand)
        first, last = span.first, span.last
    if at is not None:
        recorded.at(at)
        if not first <= at <= last:
            raise NoSuchPositionError(f"event {at} is not in hand {hand}: {first} to {last} are")
        first = last = at
    return first, last


def _ink(*, letters: bool, four_colours: bool) -> Ink:
    """Return what standard output can be drawn with."""
    symbols = not letters and (sys.stdout.encoding or "").lower().startswith("utf")
    colour = (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )
    return Ink(symbols=symbols, colour=colour, four_colours=four_colours)

"""`gin export --format text` and `openspiel`: a match for people, and for another engine."""

from collections.abc import Iterator

import click
import msgspec

from ginrummy.cli.source import Log, UnusableSourceError
from ginrummy.log.reveals import revealed_secrets
from ginrummy.replay.openspiel import RefusedHand, openspiel_hands
from ginrummy.replay.stepping import ReplayError, positions
from ginrummy.replay.text import HistoryError, check, parse, recorded, write

__all__ = ["hand_history", "openspiel_lines"]


def hand_history(log: Log, *, times: bool, checked: bool) -> Iterator[bytes]:
    """Yield the lines of a match's hand history.

    `checked` reads the text back before the first line is given: the same events have to come out
    of it, and all that it shows has to follow from them. Raises UnusableSourceError for a log that
    cannot be followed to its end.
    """
    try:
        history = recorded(log.lines)
    except ReplayError as error:
        raise UnusableSourceError(f"{log.name}: {error}; gin audit says more") from error
    if not times:
        history = history.without_times()
    written = list(write(history))
    if checked:
        try:
            read = parse("\n".join(written))
            check(read)
        except HistoryError as error:
            raise click.ClickException(f"the text cannot be read back: {error}") from error
        if read != history:
            raise click.ClickException("the text reads back as another match")
    for line in written:
        yield line.encode() + b"\n"


def openspiel_lines(log: Log) -> Iterator[bytes]:
    """Yield a line of JSON for each hand: its actions, or why there are none.

    How many there are not is said on standard error. Raises UnusableSourceError for a log that
    cannot be followed to its end.
    """
    try:
        hands = list(openspiel_hands(positions(log.lines, revealed_secrets(log.lines))))
    except ReplayError as error:
        raise UnusableSourceError(f"{log.name}: {error}; gin audit says more") from error
    refused = sum(isinstance(hand, RefusedHand) for hand in hands)
    if refused:
        click.echo(
            f"{refused} of {len(hands)} hands cannot be played by OpenSpiel; their lines say why",
            err=True,
        )
    for hand in hands:
        yield msgspec.json.encode(hand) + b"\n"

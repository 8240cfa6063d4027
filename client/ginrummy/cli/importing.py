"""`gin import`: hands out of other programs' texts, as scripts that the rules play again."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from ginrummy.cli.lazy import examples
from ginrummy.cli.output import write_new
from ginrummy.cli.source import UnusableSourceError
from ginrummy.replay.eaai import EaaiError, EaaiHand, read_hands

__all__ = ["import_"]


@click.command(
    "import",
    epilog=examples(
        "gin import games.txt -o hands.jsonl",
        "java -cp . ginrummy.GinRummyGame | gin import - -o hands.jsonl",
        "gin script - < hands.jsonl",
    ),
)
@click.argument("file", metavar="FILE|-")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write; one that exists is not overwritten.",
)
def import_(*, file: str, output: Path) -> None:
    """Turn an EAAI text into scripted hands.

    Takes what the program of the EAAI gin rummy challenge prints of its games, and writes each hand
    as a line that gin script takes. Every hand is played again by the rules, under the preset eaai,
    and has to come to the score that the text says. A hand from elsewhere has no commitment and no
    chain, so it becomes no log, and nothing that gin audit could vouch for.
    """
    try:
        hands = list(read_hands(_lines(file)))
    except EaaiError as error:
        raise UnusableSourceError(f"{file}, {error}") from error
    except OSError as error:
        raise UnusableSourceError(f"{file}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UnusableSourceError(f"{file} is not a text: {error}") from error
    if not hands:
        raise UnusableSourceError(f"{file}: there is no hand in it")
    _write(hands, output)
    click.echo(_summary(hands), err=True)


def _lines(file: str) -> Iterator[str]:
    if file == "-":
        yield from sys.stdin
        return
    with Path(file).open(encoding="utf-8") as text:
        yield from text


def _write(hands: list[EaaiHand], output: Path) -> None:
    write_new(output, (hand.script + b"\n" for hand in hands))


def _summary(hands: list[EaaiHand]) -> str:
    over = sum(hand.result.kind != "open" for hand in hands)
    broken_off = f", {len(hands) - over} broken off" if over < len(hands) else ""
    return (
        f"hands: {len(hands)}, games: {hands[-1].game}; {over} played to the same end{broken_off}"
    )

"""Commands that answer standard input line by line, so that they fit in a shell's pipe."""

import sys
from collections.abc import Callable

import click

from ginrummy.rules.cards import UnreadableCardError
from ginrummy.rules.errors import RulesError

__all__ = ["UnusableInputError", "UnusableLineError", "answer_lines", "standard_input"]


def _only_a_dash(_context: click.Context, _parameter: click.Parameter, value: str) -> None:
    if value != "-":
        raise click.BadParameter(f"{value!r} is not -: this command reads standard input alone")


standard_input = click.argument("source", metavar="-", expose_value=False, callback=_only_a_dash)
"""The argument `-` of a command that takes nothing but standard input."""


class UnusableLineError(ValueError):
    """A line of input that is not in the form that the command takes."""


class UnusableInputError(click.ClickException):
    """Standard input that a command cannot go on with."""

    exit_code = 2


def answer_lines(answer: Callable[[str], str]) -> None:
    """Write one line of output for each line of standard input; blank ones are passed over.

    Each answer is out before the next line is read, so that a program can ask and read in turn.
    The first line that cannot be used ends the command with exit code 2 and a message with its
    number.
    """
    for number, line in enumerate(sys.stdin.buffer, start=1):
        try:
            text = line.decode().strip("\r\n")
            if not text.strip():
                continue
            answered = answer(text)
        except UnicodeDecodeError:
            raise UnusableInputError(f"line {number}: this is not UTF-8 text") from None
        except (UnusableLineError, UnreadableCardError, RulesError) as error:
            raise UnusableInputError(f"line {number}: {error}") from error
        click.echo(answered)

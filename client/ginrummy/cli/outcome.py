"""What is said of a match that has ended, or of a bot that could not end it."""

import click

from ginrummy.client import Result

__all__ = ["BotFailedError", "result_row", "say_what_is_proved"]


class BotFailedError(click.ClickException):
    """A bot that could not go on."""

    exit_code = 1


def result_row(result: Result) -> tuple[str, int, int, int, int]:
    """Return how a match ended for a seat: the word, both totals, hands checked and unchecked."""
    outcome, you = result.outcome, result.seat
    how = "drawn"
    if outcome.HasField("winner"):
        how = "won" if outcome.winner == you else "lost"
    totals = outcome.totals
    return how, totals[you], totals[1 - you], result.checked, result.unchecked


def say_what_is_proved(result: Result) -> None:
    """Tell a person how many hands were checked against their committed decks."""
    if result.checked:
        click.echo(f"Hands checked against their committed decks: {result.checked}", err=True)
    if result.unchecked:
        click.secho(
            f"Hands whose secret is not out, so not checked: {result.unchecked}",
            fg="yellow",
            err=True,
        )

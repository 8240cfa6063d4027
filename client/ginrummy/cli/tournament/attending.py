"""`gin tournament attend`: a bot at every table that it is called to."""

import traceback
from collections.abc import Callable
from typing import NamedTuple

import click

from ginrummy.bots import Bot, BotSpecError, bot_maker
from ginrummy.cli.lazy import examples
from ginrummy.cli.narrator import Narrated
from ginrummy.cli.outcome import BotFailedError, result_row
from ginrummy.cli.tournament.entering import enter_once
from ginrummy.cli.tournament.person import called_to
from ginrummy.cli.wire import Access, access_options, run
from ginrummy.client import (
    Attended,
    Client,
    GinRummyError,
    InvalidRequestError,
    RefusedError,
)
from ginrummy.v1.tournament_pb2 import ENTRANT_KIND_BOT
from ginrummy.v1.tournament_service_pb2 import TableCall

__all__ = ["attend"]


@click.command(
    epilog=examples(
        "gin tournament attend t_5rmrk0w2nxs39vg2mba0c1fchm --bot expert --enter",
        "gin tournament attend t_5rmrk0w2nxs39vg2mba0c1fchm --bot ./mybot.py:MyBot --tables 4",
    )
)
@click.argument("tournament")
@click.option("--bot", "spec", required=True, metavar="SPEC", help="The bot that plays.")
@click.option(
    "--tables",
    type=click.IntRange(1, 100),
    default=1,
    show_default=True,
    help="Sit at so many tables at once.",
)
@click.option("--enter", is_flag=True, help="Enter the tournament first, unless that is done.")
@click.option("--seed", type=int, help="For a bot that plays by chance, to play the same again.")
@click.option(
    "--session",
    envvar="GINRUMMY_SESSION",
    default="",
    metavar="ID",
    help="The name of this run, for whoever starts it; also GINRUMMY_SESSION.",
)
@click.option(
    "--no-receipts",
    is_flag=True,
    help="Keep nothing of what the server has told, to hold it to that later.",
)
@click.option("--quiet", is_flag=True, help="Only print the results.")
@access_options
def attend(  # noqa: PLR0913 -- its options
    access: Access,
    tournament: str,
    spec: str,
    tables: int,
    seed: int | None,
    session: str,
    *,
    enter: bool,
    no_receipts: bool,
    quiet: bool,
) -> None:
    """Let a bot play a tournament.

    SPEC is simple, expert, ./mybot.py:MyBot or package.module:MyBot. A bot of its own sits down at
    every table that the player is called to, until the tournament is over. Prints one line a table
    then: the match, the round, the table, the board or 0, won, lost or drawn, both totals, and how
    many hands were checked against their committed decks and how many could not be, separated by
    tabs. A bot that fails loses what it is at, and the command exits with 1.
    """
    if not access.token and not enter:
        raise click.UsageError(
            "whose place is it? give --token or GINRUMMY_TOKEN, or --enter to take one"
        )
    try:
        maker = bot_maker(spec, seed)
        # What cannot be made at all is said before anybody waits for it at a table.
        maker()
    except BotSpecError as error:
        raise click.UsageError(str(error)) from error
    player = access._replace(name=access.name or spec, keeps_receipts=not no_receipts)
    attendance = _Attendance(tournament, spec, maker, tables, session)
    run(_attend(player, attendance, enter=enter, quiet=quiet))


class _Attendance(NamedTuple):
    """What the options say of the attendance."""

    tournament: str
    spec: str
    maker: Callable[[], Bot]
    tables: int
    session: str


async def _attend(access: Access, wanted: _Attendance, *, enter: bool, quiet: bool) -> None:
    async with access.client() as client:
        token = await access.sign_in(client)
        if enter:
            await enter_once(client, wanted.tournament, ENTRANT_KIND_BOT, wanted.spec)
        if not access.token:
            again = f"gin tournament attend {wanted.tournament} --bot {wanted.spec}"
            click.echo(f"To come back: GINRUMMY_TOKEN={token} {again}", err=True)
        me = (await client.me()).id

        def make_bot(call: TableCall) -> Bot:
            if quiet:
                return wanted.maker()
            click.echo(called_to(call), err=True)
            return Narrated(wanted.maker(), me)

        attended = await _until_over(client, wanted, make_bot)
    if not quiet:
        click.echo(f"The tournament is over: {attended.reason}.", err=True)
    for played in attended.played:
        call = played.call
        place = (call.match_id, call.round, call.table, call.board)
        click.echo("\t".join(map(str, (*place, *result_row(played.result)))))


async def _until_over(
    client: Client, wanted: _Attendance, make_bot: Callable[[TableCall], Bot]
) -> Attended:
    """Attend to the end; the bot's own fault is shown to its author, and ends the command."""
    try:
        return await client.tournaments.attend(
            wanted.tournament, make_bot, tables=wanted.tables, session_id=wanted.session
        )
    except (RefusedError, InvalidRequestError) as error:
        raise BotFailedError(f"the bot's move was refused{_where(error)}: {error}") from error
    except GinRummyError:
        raise
    except Exception as error:
        traceback.print_exception(error)
        raise BotFailedError(f"the bot has failed{_where(error)}: {error!r}") from error


def _where(error: Exception) -> str:
    return "".join(f" {note}" for note in getattr(error, "__notes__", ()))

"""`gin play`, `gin bot`, `gin watch`: a person, a bot and a spectator at a table."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import click

from ginrummy.bots import Bot
from ginrummy.bots.paint import Paint
from ginrummy.bots.person import LeftTableError, Person
from ginrummy.bots.telling import Teller
from ginrummy.cli.lazy import examples
from ginrummy.cli.letting_play import let_play, loaded
from ginrummy.cli.narrator import Narrated
from ginrummy.cli.outcome import result_row, say_what_is_proved
from ginrummy.cli.tables import Wanted, table_options
from ginrummy.cli.terminal import Keyboard, paint_for
from ginrummy.cli.tournament.person import play_tournament
from ginrummy.cli.wire import Access, access_options, player_options, run, say_who_signs
from ginrummy.client import Client

__all__ = ["bot", "play", "watch"]


# --- a person -----------------------------------------------------------------------------------


@click.command(
    epilog=examples(
        "gin play --against simple",
        "gin play --seek --name Ann",
        "gin play --match m_scyr0fbpvntbbqq3d6c9xj9gar",
        "gin play --against expert --signing required",
        "gin play --tournament t_5rmrk0w2nxs39vg2mba0c1fchm",
    )
)
@table_options
@click.option("--against", metavar="SPEC", help="Play a new match against this bot.")
@click.option("--tournament", metavar="ID", help="Play at every table of this tournament.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Write 7H, without symbols.")
@player_options
def play(
    access: Access, wanted: Wanted, against: str | None, tournament: str | None, *, ascii_only: bool
) -> None:
    """Sit down at a table and play.

    Without --match, --seek, --against or --tournament it opens a match and waits for somebody to
    join. The table is drawn whenever it is your turn; type ? to see what can be answered. Whoever
    leaves can come back: the match waits. A tournament is entered first, unless that is done.
    """
    if tournament:
        if against or not wanted.is_new:
            raise click.UsageError("a tournament calls to its tables: give --tournament alone")
        run(play_tournament(access, tournament, paint_for(ascii_only=ascii_only)))
        return
    if against and not wanted.is_new:
        raise click.UsageError("--against makes a new match: leave --match and --seek out")
    opponent = loaded(against, None) if against else None
    paint = paint_for(ascii_only=ascii_only)
    if opponent is None:
        run(_play(access, wanted, paint))
    else:
        other = access._replace(token="", name=str(against), key_file="")
        run(_play_against(access, wanted, paint, other, opponent))


async def _play(access: Access, wanted: Wanted, paint: Paint) -> None:
    """Play at a table with whoever comes."""
    keyboard = Keyboard()
    async with access.client() as client:
        token = await access.sign_in(client)
        match_id = await wanted.find(client)
        if wanted.is_new:
            keyboard.say(
                f"Waiting for somebody to join, as by:\n  gin bot simple --match {match_id}"
            )
        await say_who_signs(client, match_id)
        person = Person(keyboard, paint, (await client.me()).id)
        try:
            say_what_is_proved(await client.play(match_id, person))
        except (LeftTableError, asyncio.CancelledError):
            again = f"gin play --server {access.server} --match {match_id}"
            # Whoever came with a token has it, and it need not stand on the screen.
            new = "" if access.token else f"GINRUMMY_TOKEN={token} "
            click.echo(f"\nTo come back: {new}{again}", err=True)


async def _play_against(
    access: Access, wanted: Wanted, paint: Paint, other: Access, opponent: Bot
) -> None:
    """Play at a table against a bot that is started here."""
    async with access.client() as client, other.client() as other_client:
        await access.sign_in(client)
        await other.sign_in(other_client)
        me, it = await client.me(), await other_client.me()
        match_id = await wanted.find(client, (me.id, it.id))
        await say_who_signs(client, match_id)
        async with _playing(other_client, match_id, opponent), client.sit(match_id) as seat:
            try:
                result = await seat.play(Person(Keyboard(), paint, me.id))
            except LeftTableError:
                # The bot goes as well, and nobody is to wait for either.
                await seat.resign()
                click.echo("\nYou have given up the match.", err=True)
            else:
                say_what_is_proved(result)


@asynccontextmanager
async def _playing(client: Client, match_id: str, player: Bot) -> AsyncIterator[None]:
    """Let a bot play while the context is open."""
    task = asyncio.create_task(let_play(client, match_id, player))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


# --- a bot --------------------------------------------------------------------------------------


@click.command(
    epilog=examples(
        "gin bot simple --seek",
        "gin bot ./mybot.py:MyBot --match m_scyr0fbpvntbbqq3d6c9xj9gar",
        "gin bot random --seed 7 --new --target 50",
    )
)
@click.argument("spec")
@table_options
@click.option("--new", is_flag=True, help="Open a match and wait for somebody to join.")
@click.option("--seed", type=int, help="For a bot that plays by chance, to play the same again.")
@click.option("--quiet", is_flag=True, help="Only print the result.")
@player_options
def bot(
    access: Access, wanted: Wanted, spec: str, seed: int | None, *, new: bool, quiet: bool
) -> None:
    """Let a bot play a match.

    SPEC is random, simple, expert, ./mybot.py:MyBot or package.module:MyBot. Prints one line at
    the end: the match, won, lost or drawn, both totals, and how many hands were checked against
    their committed decks and how many could not be, separated by tabs. A bot that fails gives up
    the match, and the command exits with 1; so it does where the server has cheated.
    """
    if wanted.is_new != new or (wanted.match and wanted.seek):
        raise click.UsageError("give one of --match, --seek and --new")
    player = loaded(spec, seed)
    run(_bot(access._replace(name=access.name or spec), wanted, player, quiet=quiet))


async def _bot(access: Access, wanted: Wanted, player: Bot, *, quiet: bool) -> None:
    async with access.client() as client:
        await access.sign_in(client)
        match_id = await wanted.find(client)
        if not quiet:
            click.echo(f"match {match_id}", err=True)
            await say_who_signs(client, match_id)
            player = Narrated(player, (await client.me()).id)
        result = await let_play(client, match_id, player)
    click.echo("\t".join(map(str, (match_id, *result_row(result)))))


# --- a spectator --------------------------------------------------------------------------------


@click.command(
    epilog=examples(
        "gin watch m_scyr0fbpvntbbqq3d6c9xj9gar",
        "gin watch m_scyr0fbpvntbbqq3d6c9xj9gar --json | jq -r .type",
    )
)
@click.argument("match")
@click.option("--after", type=click.IntRange(0), default=0, help="Begin after this event.")
@click.option("--json", "as_lines", is_flag=True, help="Print the stored lines.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Write 7H, without symbols.")
@access_options
def watch(access: Access, match: str, after: int, *, as_lines: bool, ascii_only: bool) -> None:
    """Watch a match, one line an event.

    What has happened comes first, then what happens; it ends with the match. With --json the lines
    are those of the log, byte for byte, and only what is a chain is printed.
    """
    run(_watch(access, match, after, None if as_lines else paint_for(ascii_only=ascii_only)))


async def _watch(access: Access, match_id: str, after: int, paint: Paint | None) -> None:
    async with access.client() as client:
        await access.sign_in(client)
        seats = (await client.match(match_id)).seats
        teller = Teller(paint or Paint(), [seat.name for seat in seats])
        async for update in client.watch(match_id, after):
            if not update.HasField("event"):
                continue
            event = update.event
            if paint is None:
                click.echo(event.line)
                continue
            at = event.at.ToDatetime().strftime("%H:%M:%S")
            place = paint.faint(f"{event.seq:>5}  {at}  ")
            for told in teller.tell(event).splitlines():
                click.echo(place + told)

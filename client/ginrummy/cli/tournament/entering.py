"""`gin tournament enter`: a place in a tournament, and the nonce that goes with it."""

import click

from ginrummy.cli.lazy import examples
from ginrummy.cli.wire import Access, access_options, run
from ginrummy.client import Client
from ginrummy.v1.tournament_pb2 import ENTRANT_KIND_BOT, ENTRANT_KIND_PERSON, EntrantKind

__all__ = ["enter", "enter_once"]


@click.command(
    epilog=examples(
        "gin tournament enter t_5rmrk0w2nxs39vg2mba0c1fchm --name Ann --person",
        "gin tournament enter t_5rmrk0w2nxs39vg2mba0c1fchm --spec 'node bot.js'",
    )
)
@click.argument("tournament")
@click.option("--person", is_flag=True, help="A person plays, not a program.")
@click.option("--spec", default="", help="How the program is started, for the record.")
@click.option("--player", default="", metavar="ID", help="Enter this player; for directors.")
@access_options
def enter(access: Access, tournament: str, spec: str, player: str, *, person: bool) -> None:
    """Enter a tournament.

    Prints the id of the player who takes part, and says on standard error how to attend. The nonce
    that goes into the boards is kept where gin tournament attend and gin play find it, and has to
    be there when registration closes.
    """
    run(_enter(access, tournament, spec, player, person=person))


async def _enter(
    access: Access, tournament_id: str, spec: str, player: str, *, person: bool
) -> None:
    kind = ENTRANT_KIND_PERSON if person else ENTRANT_KIND_BOT
    async with access.client() as client:
        token = await access.sign_in(client)
        await client.tournaments.enter(tournament_id, player_id=player, kind=kind, spec=spec)
        me = (await client.me()).id
    if player in ("", me):
        play, attend = "play --tournament", "tournament attend --bot SPEC"
        gin = f"gin {play if person else attend} {tournament_id} --server {access.server}"
        click.echo(f"To attend: GINRUMMY_TOKEN={token} {gin}", err=True)
    click.echo(player or me)


async def enter_once(
    client: Client, tournament_id: str, kind: EntrantKind.ValueType, spec: str = ""
) -> None:
    """Enter a tournament, unless the client's player has."""
    me = (await client.me()).id
    tournament = await client.tournaments.get(tournament_id)
    if me not in (entrant.player_id for entrant in tournament.entrants):
        await client.tournaments.enter(tournament_id, kind=kind, spec=spec)

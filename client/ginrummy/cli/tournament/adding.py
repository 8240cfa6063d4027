"""`gin tournament add`: entrants whom the director enters, people at a club's tables above all."""

import asyncio
import re
from collections.abc import Sequence

import click

from ginrummy.api.errors import InvalidFieldError
from ginrummy.api.fields import player_name_from
from ginrummy.cli.lazy import examples
from ginrummy.cli.source import source_options
from ginrummy.cli.tournament.directing import Direction, RefusedActError, at_desk
from ginrummy.cli.tournament.keeping import InVault
from ginrummy.cli.tournament.results import heading
from ginrummy.cli.tournament.source import database
from ginrummy.cli.wire import run
from ginrummy.client import connect
from ginrummy.store import Store
from ginrummy.tournaments.event.events import EntrantKind
from ginrummy.tournaments.running.hall import Entering
from ginrummy.v1.tournament_pb2 import ENTRANT_KIND_BOT, ENTRANT_KIND_PERSON

__all__ = ["add"]

_is_player = re.compile("p_[0-9a-hjkmnp-tv-z]{26}").fullmatch


@click.command(
    epilog=examples(
        "gin tournament add t_7vk2c8w0r6ht9zq3nx5b7jd1ge Ann Ben Cyd --db club.db",
        "gin tournament add t_7vk2c8w0r6ht9zq3nx5b7jd1ge p_5h1n9zwsbpmwfqj5hkp466sfqd",
    )
)
@click.argument("tournament", metavar="TOURNAMENT")
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@click.option("--bot", "is_bot", is_flag=True, help="They are programs, not people.")
@source_options
def add(
    tournament: str,
    players: Sequence[str],
    *,
    is_bot: bool,
    db: str,
    server: str | None,
    token: str,
) -> None:
    """Enter people by name.

    A PLAYER is an id, or a name: in a database that of a player who is there already, so that
    ratings know people again, and otherwise that of a new one. They enter in the order of seeds.
    """
    for each in players:
        try:
            player_name_from(each)
        except InvalidFieldError as error:
            raise click.UsageError(str(error)) from error
    at = Direction(tournament, db, server, token)
    if server is not None:
        run(_add_over_the_network(at, server, players, is_bot=is_bot))
    else:
        with database(db) as store:
            asyncio.run(_add_at_the_desk(store, tournament, players, "bot" if is_bot else "person"))
    click.echo(heading(at.tournament()))


async def _add_over_the_network(
    at: Direction, server: str, players: Sequence[str], *, is_bot: bool
) -> None:
    async with connect(server, token=at.token) as client:
        for each in players:
            player = each
            if _is_player(each) is None:
                made = await client.create_player(each)
                player = made.player.id
                click.echo(f"{each} is {player}, with the token {made.token}", err=True)
            kind = ENTRANT_KIND_BOT if is_bot else ENTRANT_KIND_PERSON
            await client.tournaments.enter(at.id, player_id=player, kind=kind)


async def _add_at_the_desk(
    store: Store, tournament: str, players: Sequence[str], kind: EntrantKind
) -> None:
    async with at_desk(store, tournament) as (hall, desk):
        for each in players:
            player, name = await _known(store, tournament, each)
            await hall.enter(desk, desk.tournament.director, Entering(player, name, kind))


async def _known(store: Store, tournament: str, text: str) -> tuple[str, str]:
    """Return the id and the name of a player who is there, or of one made now."""
    if _is_player(text):
        credential = store.player(text)
        if credential is None:
            raise RefusedActError(f"there is no player {text}")
        return credential.player, credential.name
    found = [each for each in store.players() if each.name == text and each.role == "player"]
    if len(found) > 1:
        ids = ", ".join(each.player for each in found)
        raise RefusedActError(f"{text!r} is the name of {len(found)} players: use an id, {ids}")
    if found:
        return found[0].player, text
    made = await InVault(store).player(tournament, text)
    return made.id, text

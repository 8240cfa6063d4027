"""A person at a tournament: the table is drawn for each match that they are called to."""

import asyncio

import click

from ginrummy.bots import Bot
from ginrummy.bots.paint import Paint
from ginrummy.bots.person import LeftTableError, Person
from ginrummy.cli.terminal import Keyboard
from ginrummy.cli.tournament.entering import enter_once
from ginrummy.cli.wire import Access
from ginrummy.v1.tournament_pb2 import ENTRANT_KIND_PERSON
from ginrummy.v1.tournament_service_pb2 import TableCall

__all__ = ["called_to", "play_tournament"]


async def play_tournament(access: Access, tournament_id: str, paint: Paint) -> None:
    """Enter a tournament unless that is done, and play at its tables, one at a time."""
    keyboard = Keyboard()
    async with access.client() as client:
        token = await access.sign_in(client)
        await enter_once(client, tournament_id, ENTRANT_KIND_PERSON)
        me = await client.me()

        def sit_down(call: TableCall) -> Bot:
            keyboard.say(f"\n{called_to(call)}")
            return Person(keyboard, paint, me.id)

        keyboard.say("Waiting to be called to a table.")
        try:
            attended = await client.tournaments.attend(tournament_id, sit_down)
        except (LeftTableError, asyncio.CancelledError):
            again = f"gin play --server {access.server} --tournament {tournament_id}"
            click.echo(f"\nTo come back: GINRUMMY_TOKEN={token} {again}", err=True)
        else:
            keyboard.say(f"The tournament is over: {attended.reason}.")


def called_to(call: TableCall) -> str:
    """Return a call to a table in words."""
    board = f", board {call.board}" if call.board else ""
    return (
        f"Round {call.round}, table {call.table}{board}, against {call.opponent}: {call.match_id}"
    )

"""`gin dispute open` and `appeal`: what players claim."""

from typing import get_args

import click

from ginrummy.cli.dispute.case import seat_of
from ginrummy.cli.dispute.looking import json_option, say
from ginrummy.cli.dispute.place import Claim, Place, Where, place_options
from ginrummy.cli.lazy import examples
from ginrummy.rules.disputes.events import DisputeReason

__all__ = ["appeal", "open_"]

_MATCH = "m_7vk2c8w0r6ht9zq3nx5b7jd1ge"

_player_option = click.option(
    "--player",
    default="",
    metavar="SEAT|NAME|ID",
    help="With --db: which of the two players claims it. At a server your token says so.",
)


@click.command(
    "open",
    epilog=examples(
        f"gin dispute open {_MATCH} --server 127.0.0.1:50051 \\",
        "    --hand 3 --reason score_wrong --text 'It was 14, not 24.'",
        f"gin dispute open {_MATCH} --db club.db --player Ann \\",
        "    --reason conduct --text 'He shouted.'",
    ),
)
@click.argument("match")
@click.option(
    "--reason",
    type=click.Choice(get_args(DisputeReason)),
    required=True,
    metavar="REASON",
    help=f"What is claimed: {', '.join(get_args(DisputeReason))}.",
)
@click.option("--text", required=True, metavar="TEXT", help="The claim, 1 to 1000 characters.")
@click.option(
    "--hand",
    type=click.IntRange(min=1),
    metavar="N",
    help="The hand; else the one that --event is of, or the match as a whole.",
)
@click.option(
    "--event",
    type=click.IntRange(min=1),
    metavar="SEQ",
    help="The event that it is about; else the last one of what is disputed.",
)
@_player_option
@json_option
@place_options
def open_(
    *,
    match: str,
    reason: DisputeReason,
    text: str,
    hand: int | None,
    event: int | None,
    player: str,
    as_json: bool,
    where: Where,
) -> None:
    """Dispute a hand of a match, or the match as a whole.

    For who has played it, when it is over and within the time that its terms give. Says how the
    dispute stands then, as gin dispute show does.
    """
    _check_player(where, player)

    async def opened(place: Place) -> None:
        by = await _player(place, where, match, player)
        number = await place.open(match, by, Claim(reason, text, hand, event))
        say(await place.case(match, number), where, as_json=as_json)

    where.ask(opened)


@click.command(
    epilog=examples(
        f"gin dispute appeal {_MATCH} 1 --text 'The log has 24.' \\",
        "    --server 127.0.0.1:50051",
        f"gin dispute appeal {_MATCH} 1 --text 'The log has 24.' \\",
        "    --db club.db --player Ben",
    )
)
@click.argument("match")
@click.argument("number", metavar="DISPUTE", type=click.IntRange(min=1))
@click.option("--text", required=True, metavar="TEXT", help="Why, 1 to 1000 characters.")
@_player_option
@json_option
@place_options
def appeal(
    *,
    match: str,
    number: int,
    text: str,
    player: str,
    as_json: bool,
    where: Where,
) -> None:
    """Have a ruling looked at by another director.

    For either player, once in a dispute, as long after the ruling as the match could be disputed
    after its end. Says how the dispute stands then, as gin dispute show does.
    """
    _check_player(where, player)

    async def appealed(place: Place) -> None:
        by = await _player(place, where, match, player)
        await place.appeal(match, by, number, text)
        say(await place.case(match, number), where, as_json=as_json)

    where.ask(appealed)


def _check_player(where: Where, player: str) -> None:
    """Refuse options that do not say who claims something, or say it twice."""
    if where.server is not None and player:
        raise click.UsageError("at a server your token says who you are: leave --player out")
    if where.server is None and not player:
        raise click.UsageError("say which of the two players claims it: --player NAME")


async def _player(place: Place, where: Where, match_id: str, player: str) -> str:
    """Return the id of the player that is named; empty where a token says it."""
    if where.server is not None:
        return ""
    match = await place.match(match_id)
    return match.seats[seat_of(match, player)].player_id

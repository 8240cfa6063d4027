"""`gin dispute rule`: what a director rules."""

import re
from collections.abc import Sequence
from typing import NamedTuple, get_args

import click

from ginrummy.cli.dispute.case import seat_of
from ginrummy.cli.dispute.looking import json_option, say
from ginrummy.cli.dispute.place import Judgement, Place, Where, place_options
from ginrummy.cli.lazy import examples
from ginrummy.rules.cards import BySeat
from ginrummy.rules.disputes.events import Ruling

__all__ = ["rule"]

_MATCH = "m_7vk2c8w0r6ht9zq3nx5b7jd1ge"

_GAIN = re.compile(r"(.+)=([+-]?\d{1,7})")


class _Gain(NamedTuple):
    """What a ruling adds to somebody's points."""

    seat: str
    points: int


def _read_gains(
    ctx: click.Context, param: click.Parameter, values: Sequence[str]
) -> tuple[_Gain, ...]:
    """Read `Ann=-10`: whose points change, and by how much."""
    gains = []
    for value in values:
        found = _GAIN.fullmatch(value)
        if found is None:
            raise click.BadParameter(f"{value!r} is not of the form Ann=-10 or 0=-10", ctx, param)
        gains.append(_Gain(found[1], int(found[2])))
    return tuple(gains)


@click.command(
    epilog=examples(
        f"gin dispute rule {_MATCH} 1 dismiss \\",
        "    --rule S1 --why 'The log has 24.' --server 127.0.0.1:50051",
        f"gin dispute rule {_MATCH} 1 adjust --points Ann=-10 \\",
        "    --rule S2 --why 'It was no gin.' --db club.db --director Dee",
        f"gin dispute rule {_MATCH} 1 replay \\",
        "    --rule C1 --why 'Nobody can say.' --db club.db --director Dee",
        f"gin dispute rule {_MATCH} 1 forfeit --loser Ben \\",
        "    --rule R2 --why 'A camera shows it.' --db club.db --director Dan",
    )
)
@click.argument("match")
@click.argument("number", metavar="DISPUTE", type=click.IntRange(min=1))
@click.argument("ruling", metavar="RULING", type=click.Choice(get_args(Ruling)))
@click.option(
    "--rule",
    "rule_number",
    required=True,
    metavar="RULE",
    help="The number of the rule that it rests on, such as S1; docs/rules.md has them.",
)
@click.option(
    "--why", required=True, metavar="TEXT", help="The reason, 1 to 1000 characters, for all."
)
@click.option(
    "--points",
    "gains",
    multiple=True,
    callback=_read_gains,
    metavar="PLAYER=N",
    help="With adjust: what a player gains, or loses as in Ann=-10; may be given for both.",
)
@click.option(
    "--loser", default="", metavar="PLAYER", help="With forfeit: who loses the match by it."
)
@click.option(
    "--director",
    default="",
    metavar="NAME|ID",
    help="With --db: which director rules. At a server your token says so.",
)
@json_option
@place_options
def rule(  # noqa: PLR0913 -- its options
    *,
    match: str,
    number: int,
    ruling: Ruling,
    rule_number: str,
    why: str,
    gains: tuple[_Gain, ...],
    loser: str,
    director: str,
    as_json: bool,
    where: Where,
) -> None:
    """Rule on a dispute, first or on appeal.

    RULING is dismiss, which finds against the claim, or one of those that find for it: uphold
    changes nothing of the result, adjust the points; void makes the hand count for nobody, replay
    does so and has it played again, forfeit makes a player lose the match. A PLAYER is a seat, a
    name or an id. It has effect at once, and nothing that was recorded is altered: the result
    follows by a further event, and with it the standings of its tournament.

    For directors who have not played in the match, and on appeal for another than the first one.
    Says how the dispute stands then, as gin dispute show does.
    """
    _check_options(where, ruling, gains, loser, director)

    async def ruled(place: Place) -> None:
        seats = await place.match(match)
        points = BySeat(0, 0)
        for gain in gains:
            seat = seat_of(seats, gain.seat)
            points = points.put(seat, points[seat] + gain.points)
        judgement = Judgement(
            dispute=number,
            ruling=ruling,
            rule=rule_number.upper(),
            why=why,
            points=points,
            seat=seat_of(seats, loser) if loser else None,
        )
        await place.rule(match, director, judgement)
        say(await place.case(match, number), where, as_json=as_json)

    where.ask(ruled)


def _check_options(
    where: Where, ruling: Ruling, gains: tuple[_Gain, ...], loser: str, director: str
) -> None:
    """Refuse options that say too little, or what has no place in the ruling."""
    if (ruling == "adjust") != bool(gains):
        raise click.UsageError("adjust says what it adds by --points, and nothing else does")
    if (ruling == "forfeit") != bool(loser):
        raise click.UsageError("forfeit says who loses the match by --loser, and nothing else does")
    if where.server is not None and director:
        raise click.UsageError("at a server your token says who you are: leave --director out")
    if where.server is None and not director:
        raise click.UsageError("say which director rules: --director NAME")

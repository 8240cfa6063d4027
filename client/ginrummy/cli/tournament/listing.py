"""`gin tournament list`, `ratings`: what is in a database, over all tournaments."""

import click
import msgspec

from ginrummy.api.tournament_messages import STAGES
from ginrummy.cli.lazy import examples
from ginrummy.cli.records import db_option
from ginrummy.cli.source import source_options
from ginrummy.cli.tournament.columns import Column, columns
from ginrummy.cli.tournament.people import Person, people
from ginrummy.cli.tournament.results import show
from ginrummy.cli.tournament.source import all_tournaments, database
from ginrummy.cli.wire import run
from ginrummy.client import connect
from ginrummy.log.instants import write_instant
from ginrummy.tournaments.event.states import Stage

__all__ = ["list_", "ratings"]


class _Listed(msgspec.Struct, frozen=True):
    """A tournament as it is listed."""

    id: str
    stage: Stage
    entrants: int
    rounds: int
    created: str
    name: str


@click.command(
    "list",
    epilog=examples(
        "gin tournament list --db club.db",
        "gin tournament list --stage registration --server 127.0.0.1:50051",
    ),
)
@click.option(
    "--stage",
    type=click.Choice(list(STAGES)),
    help="Only tournaments at this stage.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@source_options
def list_(stage: Stage | None, *, as_json: bool, db: str, server: str | None, token: str) -> None:
    """List tournaments, the newest first.

    Writes a line for each: its id, stage, how many have entered, how many rounds are paired, when
    it was announced, and what it is called, with tabs between.
    """
    rows = _stored(db) if server is None else run(_asked(server, token))
    for row in rows:
        if stage in (None, row.stage):
            fields = msgspec.structs.astuple(row)
            click.echo(msgspec.json.encode(row) if as_json else "\t".join(map(str, fields)))


def _stored(db: str) -> list[_Listed]:
    with database(db) as store:
        found = sorted(all_tournaments(store), key=lambda each: each.created_at, reverse=True)
    return [
        _Listed(
            each.id,
            each.stage,
            sum(entry.here for entry in each.entries),
            len(each.rounds),
            write_instant(each.created_at),
            each.terms.name,
        )
        for each in found
    ]


async def _asked(server: str, token: str) -> list[_Listed]:
    names = {value: stage for stage, value in STAGES.items()}
    async with connect(server, token=token) as client:
        return [
            _Listed(
                each.id,
                names[each.stage],
                each.entrants,
                each.rounds,
                write_instant(each.created_at.ToMicroseconds()),
                each.name,
            )
            for each in await client.tournaments.all()
        ]


@click.command(
    epilog=examples(
        "gin tournament ratings --db club.db",
        "gin tournament ratings --db club.db --json | jq -r '[.name, .floor] | @tsv'",
    )
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@db_option
def ratings(*, as_json: bool, db: str) -> None:
    """Rate the people of all tournaments.

    Every match between two people that was won, lost or drawn counts, in the order in which they
    ended, by OpenSkill's Plackett-Luce model. The order is by what is as good as certain of their
    strength: three deviations below the mean. Bots are rated within a tournament alone.
    """
    with database(db) as store:
        rated = people(store)
    if as_json:
        for each in rated:
            click.echo(msgspec.json.encode({**msgspec.structs.asdict(each), "floor": each.floor}))
    elif rated:
        show("\n".join(_table(rated)))
    else:
        click.echo(f"{db}: no two people have met in a tournament yet", err=True)


def _table(rated: list[Person]) -> list[str]:
    return columns(
        [
            Column("", [str(place) for place in range(1, len(rated) + 1)]),
            Column("player", [each.name for each in rated], left=True, gives_way=True),
            Column("at least", [f"{each.floor:.1f}" for each in rated]),
            Column("rating", [f"{each.mu:.1f} ± {each.sigma:.1f}" for each in rated]),
            Column("matches", [str(each.matches) for each in rated]),
            Column("W-D-L", [f"{each.wins}-{each.draws}-{each.losses}" for each in rated]),
        ]
    )

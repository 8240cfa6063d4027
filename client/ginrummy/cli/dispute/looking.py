"""`gin dispute list` and `show`: disputes as they stand."""

import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import get_args

import click
import msgspec

from ginrummy.cli.dispute.case import Case, told
from ginrummy.cli.dispute.place import Place, Where, place_options
from ginrummy.cli.dispute.sheet import COLUMNS, write_sheet
from ginrummy.cli.lazy import examples
from ginrummy.cli.tournament.columns import Column, columns
from ginrummy.log.instants import write_instant
from ginrummy.rules.disputes.states import DisputeStatus

__all__ = ["json_option", "list_", "say", "show"]

json_option = click.option(
    "--json", "as_json", is_flag=True, help="The dispute as one line of JSON."
)


def say(case: Case, where: Where, *, as_json: bool) -> None:
    """Print a dispute as it stands."""
    if as_json:
        click.echo(msgspec.json.encode(told(case)).decode())
    else:
        click.echo(write_sheet(case, datetime.now(UTC), where))


@click.command(
    epilog=examples(
        "gin dispute show m_7vk2c8w0r6ht9zq3nx5b7jd1ge 1 --server 127.0.0.1:50051",
        "gin dispute show m_7vk2c8w0r6ht9zq3nx5b7jd1ge 1 --json | jq .rulings",
    )
)
@click.argument("match")
@click.argument("number", metavar="DISPUTE", type=click.IntRange(min=1))
@json_option
@place_options
def show(*, match: str, number: int, as_json: bool, where: Where) -> None:
    """Show a dispute as it stands.

    The claim, what was ruled on it and why, an appeal, the result before and after, and what can
    be done next, until when.
    """

    async def found(place: Place) -> Case:
        return await place.case(match, number)

    say(where.ask(found), where, as_json=as_json)


@click.command(
    "list",
    epilog=examples(
        "gin dispute list --status open",
        "gin dispute list m_7vk2c8w0r6ht9zq3nx5b7jd1ge --server 127.0.0.1:50051",
        "gin dispute list --db club.db --json | jq -r '[.match, .text] | @tsv'",
    ),
)
@click.argument("match", required=False, default="")
@click.option(
    "--status",
    type=click.Choice(get_args(DisputeStatus)),
    help="Only those that wait for a ruling, are ruled, are appealed, or are closed.",
)
@click.option("--player", metavar="ID", default="", help="Only over matches of this player.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@place_options
def list_(
    *,
    match: str,
    status: DisputeStatus | None,
    player: str,
    as_json: bool,
    where: Where,
) -> None:
    """List disputes, those over the newest matches first.

    Writes a line for each: the match, the dispute's number, its status, the hand or -, the event,
    the reason, who has opened it, when, and the ruling that stands or -, with tabs between. On a
    terminal they stand in columns under their matches.
    """

    async def found(place: Place) -> list[Case]:
        return [case async for case in place.cases(match, player, status)]

    cases = where.ask(found)
    if as_json:
        lines = [msgspec.json.encode(told(case)).decode() for case in cases]
    elif sys.stdout.isatty():
        lines = list(_table(cases))
    else:
        lines = ["\t".join(_fields(case)) for case in cases]
    for line in lines:
        click.echo(line)
    if not cases:
        click.echo("There are no such disputes.", err=True)


def _fields(case: Case) -> tuple[str, ...]:
    opened = case.dispute.opened
    return (
        case.dispute.match_id,
        str(opened.dispute),
        case.status,
        str(opened.hand) if opened.HasField("hand") else "-",
        str(opened.event),
        case.reason,
        case.names[opened.seat],
        write_instant(case.dispute.opened_at.ToMicroseconds()),
        case.rulings[-1] if case.rulings else "-",
    )


def _table(cases: Sequence[Case]) -> Iterator[str]:
    """Yield the disputes in columns, each match's under its name."""
    rows = [_fields(case) for case in cases]
    lines = columns(
        [
            Column("", [row[1] for row in rows]),
            Column("", [row[2] for row in rows], left=True),
            Column("", ["match" if row[3] == "-" else f"hand {row[3]}" for row in rows], left=True),
            Column("", [row[5] for row in rows], left=True),
            Column("", [row[6] for row in rows], left=True, gives_way=True),
            Column("", [row[7][:10] for row in rows]),
            Column("", ["" if row[8] == "-" else row[8] for row in rows], left=True),
        ],
        COLUMNS - 2,
    )[1:]
    placed = zip(cases, lines, strict=True)
    for number, (match_id, own) in enumerate(
        groupby(placed, lambda each: each[0].dispute.match_id)
    ):
        disputes = list(own)
        if number:
            yield ""
        first, second = (name or "nobody" for name in disputes[0][0].names)
        yield f"{match_id}  {first} against {second}"[:COLUMNS]
        for _, line in disputes:
            yield f"  {line}"

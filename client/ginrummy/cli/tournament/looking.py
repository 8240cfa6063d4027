"""`gin tournament show`, `standings`, `sheet`, `log`, `export`: how a tournament stands."""

import sys
from itertools import chain
from pathlib import Path

import click

from ginrummy.cli.lazy import examples
from ginrummy.cli.output import write_new
from ginrummy.cli.source import UnusableSourceError, source_options
from ginrummy.cli.tournament.columns import Column, columns
from ginrummy.cli.tournament.results import heading, results_text, show, wrapped
from ginrummy.cli.tournament.sheet import round_table, sheet
from ginrummy.cli.tournament.source import (
    TournamentLog,
    folded,
    open_tournament,
    tournament_as_of,
)
from ginrummy.cli.tournament.terms_text import terms_text
from ginrummy.cli.tournament.told import say, standings_told
from ginrummy.log.instants import write_instant
from ginrummy.tournaments.event import Tournament
from ginrummy.tournaments.event.states import Entry
from ginrummy.tournaments.event.summary import summary

__all__ = ["export", "log", "sheet_", "show_", "standings"]

_EVENT = "t_7vk2c8w0r6ht9zq3nx5b7jd1ge"

_named = click.argument("tournament", metavar="TOURNAMENT|FILE|-")


@click.command("show", epilog=examples(f"gin tournament show {_EVENT}"))
@_named
@source_options
def show_(*, tournament: str, db: str, server: str | None, token: str) -> None:
    """Show what was agreed, who takes part, and every round."""
    with open_tournament(tournament, db, server, token) as log:
        found = tournament_as_of(log)
    show(heading(found))
    show(f"{found.id}, announced {write_instant(found.created_at)[:16].replace('T', ' ')} UTC\n")
    show("\n".join(wrapped(terms_text(found.terms), 80)))
    if found.entries:
        show("\n" + "\n".join(_entrants(found)))
    for each in found.rounds:
        show(f"\nRound {each.number}")
        show("\n".join(round_table(found, each, room="-")))
        if each.byes:
            show(f"Bye: {', '.join(found.entry(bye.entrant).entrant.name for bye in each.byes)}")


def _entrants(tournament: Tournament) -> list[str]:
    entries = tournament.by_seed
    return columns(
        [
            Column("seed", [str(each.entrant.seed) for each in entries]),
            Column("entrant", [each.entrant.name for each in entries], left=True, gives_way=True),
            Column("", [_standing_of(each) for each in entries], left=True),
            Column("id", [each.id for each in entries], left=True),
        ]
    )


def _standing_of(entry: Entry) -> str:
    said: list[str] = [entry.kind]
    if entry.left is not None:
        said.append(entry.left)
    elif entry.checked_in:
        said.append("checked in")
    if entry.entrant.entered > 1:
        said.append(f"from round {entry.entrant.entered}")
    return ", ".join(said)


@click.command(
    epilog=examples(
        f"gin tournament standings {_EVENT}",
        f"gin tournament standings {_EVENT} --as-of 812 --json | jq '.standings[0].name'",
    )
)
@_named
@click.option(
    "--as-of", type=click.IntRange(1), metavar="SEQ", help="As they were after this event."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@source_options
def standings(
    *, tournament: str, as_of: int | None, as_json: bool, db: str, server: str | None, token: str
) -> None:
    """Print the standings, and what is behind them."""
    with open_tournament(tournament, db, server, token) as log:
        found = tournament_as_of(log, as_of or 0)
        fold = folded(log, as_of or 0)
    if as_json:
        say(standings_told(found, summary(found), seq=fold.seq, head_hash=fold.hash))
    else:
        show(results_text(found, summary(found)))


@click.command("sheet", epilog=examples(f"gin tournament sheet {_EVENT} --round 2 | lpr"))
@_named
@click.option("--round", "number", type=click.IntRange(1), metavar="N", help="Instead of the last.")
@source_options
def sheet_(*, tournament: str, number: int | None, db: str, server: str | None, token: str) -> None:
    """Print a round's pairing sheet.

    Tables, byes, room to write the results, and the standings: one page, to be hung up.
    """
    with open_tournament(tournament, db, server, token) as log:
        found = tournament_as_of(log)
    if not found.rounds:
        raise UnusableSourceError(f"{heading(found)}; no round is paired yet")
    rounds = {each.number: each for each in found.rounds}
    paired = rounds.get(number or found.rounds[-1].number)
    if paired is None:
        raise UnusableSourceError(f"there is no round {number}: there are {len(rounds)}")
    show(sheet(found, paired, summary(found)))


# --- the log ------------------------------------------------------------------------------------


@click.command(
    epilog=examples(
        f"gin tournament log {_EVENT}",
        f"gin tournament log {_EVENT} | jq -r .type | sort | uniq -c",
    )
)
@_named
@source_options
def log(*, tournament: str, db: str, server: str | None, token: str) -> None:
    """Print a tournament's stored lines.

    They come byte for byte as they are stored and hashed, one event a line. Its matches have logs
    of their own: gin log.
    """
    with open_tournament(tournament, db, server, token) as found:
        for line in found.lines:
            sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()


@click.command(
    epilog=examples(
        f"gin tournament export {_EVENT} -o evening.log",
        f"gin tournament export {_EVENT} -o evening.log --matches",
    )
)
@_named
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write; one that exists is not overwritten.",
)
@click.option("--matches", is_flag=True, help="With the lines of all its matches.")
@source_options
def export(
    *, tournament: str, output: Path, matches: bool, db: str, server: str | None, token: str
) -> None:
    """Write a tournament to a file.

    With --matches the file holds all that an audit needs: gin tournament audit FILE.
    """
    with open_tournament(tournament, db, server, token) as found:
        each = map(found.match, _matches(found) if matches else ())
        lines = chain(found.lines, chain.from_iterable(each))
        write_new(output, (line + b"\n" for line in lines))


def _matches(log: TournamentLog) -> list[str]:
    return [each.match for each in tournament_as_of(log).sittings if each.match]

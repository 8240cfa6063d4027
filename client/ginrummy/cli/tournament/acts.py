"""`gin tournament start`, `pause`, `rule` and the other acts of a director: one event each."""

import functools
import re
from collections.abc import Callable

import click

from ginrummy.cli.lazy import examples
from ginrummy.cli.source import source_options
from ginrummy.cli.tournament.directing import Direction, announced
from ginrummy.cli.tournament.naming import entrant_of, outcome_of, pair_of, pairing_of
from ginrummy.cli.tournament.terms import TermsWanted
from ginrummy.cli.tournament.terms_options import terms_options
from ginrummy.rules.cards import BySeat
from ginrummy.tournaments.event.commands import (
    Abort,
    CheckIn,
    CloseRegistration,
    EndByHand,
    Leave,
    PairByHand,
    Pause,
    Resume,
    Return,
    Rule,
    Seed,
)

__all__ = [
    "abort",
    "check_in",
    "end",
    "new",
    "pair",
    "pause",
    "remove",
    "resume",
    "return_",
    "rule",
    "seed",
    "start",
]

_EVENT = "t_7vk2c8w0r6ht9zq3nx5b7jd1ge"


def _directed(command: Callable[..., None]) -> Callable[..., None]:
    """Add the tournament and where it is, as the argument `at`."""

    @functools.wraps(command)
    def gathered(
        *, tournament: str, db: str, server: str | None, token: str, **rest: object
    ) -> None:
        command(at=Direction(tournament, db, server, token), **rest)

    placed = click.argument("tournament", metavar="TOURNAMENT")(source_options(gathered))
    # Its place is before every other argument's.
    params: list[click.Parameter] = vars(placed)["__click_params__"]
    params.append(params.pop())
    return placed


@click.command(
    epilog=examples(
        "gin tournament new --name 'Club evening' --format swiss --rounds 5 --target 100",
        "gin tournament new --format manual --elsewhere --db club.db",
    )
)
@terms_options
@click.option("--closed", is_flag=True, help="Only you enter entrants.")
@source_options
def new(wanted: TermsWanted, *, closed: bool, db: str, server: str | None, token: str) -> None:
    """Announce a tournament.

    Prints its id. On a running server it takes a director's token; without --server it is made in
    the database, whose own director it is then.
    """
    terms = wanted.terms(open_entry=not closed)
    click.echo(announced(terms, db, server, token))


@click.command(epilog=examples(f"gin tournament start {_EVENT} --db club.db"))
@_directed
def start(at: Direction) -> None:
    """Close registration and start.

    The first round is paired as soon as the entrants' nonces are out.
    """
    at.act(CloseRegistration())


@click.command(epilog=examples(f"gin tournament pause {_EVENT}"))
@_directed
def pause(at: Direction) -> None:
    """Halt the play and all clocks."""
    at.act(Pause())


@click.command(epilog=examples(f"gin tournament resume {_EVENT}"))
@_directed
def resume(at: Direction) -> None:
    """Let the play go on."""
    at.act(Resume())


@click.command(epilog=examples(f"gin tournament abort {_EVENT} --why 'The hall is closed'"))
@_directed
@click.option("--why", required=True, metavar="TEXT", help="Why, for everybody to read.")
def abort(at: Direction, why: str) -> None:
    """Give a tournament up.

    Results stand; what is not decided counts for nobody.
    """
    at.act(Abort(why))


@click.command(epilog=examples(f"gin tournament end {_EVENT}"))
@_directed
def end(at: Direction) -> None:
    """End a tournament after its last round.

    Where the director pairs, only the director knows which round is the last.
    """
    at.act(EndByHand())


# --- entrants -----------------------------------------------------------------------------------


@click.command(epilog=examples(f"gin tournament remove {_EVENT} Ann --why 'She had to go'"))
@_directed
@click.argument("entrant")
@click.option("--why", default="", metavar="TEXT", help="Why, for everybody to read.")
def remove(at: Direction, entrant: str, why: str) -> None:
    """Take an entrant out.

    What is open of theirs is lost, what was played stands. They may come back by gin tournament
    return.
    """
    at.act(Leave(entrant_of(at.tournament(), entrant), "removed", why))


@click.command("return", epilog=examples(f"gin tournament return {_EVENT} Ann"))
@_directed
@click.argument("entrant")
def return_(at: Direction, entrant: str) -> None:
    """Let an entrant come back, from the next round on."""
    at.act(Return(entrant_of(at.tournament(), entrant)))


@click.command("check-in", epilog=examples(f"gin tournament check-in {_EVENT} Ann"))
@_directed
@click.argument("entrant")
def check_in(at: Direction, entrant: str) -> None:
    """Note that an entrant is there."""
    at.act(CheckIn(entrant_of(at.tournament(), entrant)))


@click.command(epilog=examples(f"gin tournament seed {_EVENT} Ann Ben Cyd"))
@_directed
@click.argument("entrants", nargs=-1, required=True, metavar="ENTRANT...")
def seed(at: Direction, entrants: tuple[str, ...]) -> None:
    """Set the order of strength, before the start.

    The strongest comes first. Whoever is not named comes after them, in the order of before.
    """
    tournament = at.tournament()
    named = [entrant_of(tournament, each) for each in entrants]
    rest = [each.id for each in tournament.by_seed if each.id not in named]
    at.act(Seed((*named, *rest)))


# --- rounds -------------------------------------------------------------------------------------


@click.command(epilog=examples(f"gin tournament pair {_EVENT} Ann-Ben Cyd-Dan"))
@_directed
@click.argument("pairs", nargs=-1, required=True, metavar="FIRST-SECOND...")
def pair(at: Direction, pairs: tuple[str, ...]) -> None:
    """Pair the next round by hand.

    A pair is two names or ids with a hyphen between, whoever deals first in front. Whoever is there
    and not named has a bye. For a manual tournament, and for a swiss.
    """
    tournament = at.tournament()
    at.act(PairByHand(tuple(pair_of(tournament, each) for each in pairs)))


_POINTS = re.compile(r"(\d{1,7})\s*[-:]\s*(\d{1,7})")


def _read_points(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> BySeat[int] | None:
    """Read `5-3`: what the first and the second have scored."""
    if value is None:
        return None
    found = _POINTS.fullmatch(value.strip())
    if found is None:
        raise click.BadParameter(f"{value!r} is not of the form 5-3", ctx, param)
    return BySeat(int(found[1]), int(found[2]))


@click.command(
    epilog=examples(
        f"gin tournament rule {_EVENT} 2 1 Ann --points 100-62 --why 'played at table 1'",
        f"gin tournament rule {_EVENT} 3 2 void --why 'wrong deck' --rule T4",
    )
)
@_directed
@click.argument("round_number", metavar="ROUND", type=click.IntRange(1))
@click.argument("table", type=click.IntRange(1))
@click.argument("result")
@click.option(
    "--points",
    callback=_read_points,
    metavar="5-3",
    help="What the first and the second scored; as it stands unless given.",
)
@click.option("--why", required=True, metavar="TEXT", help="Why, for everybody to read.")
@click.option("--rule", "number", default="", metavar="RULE", help="The rule that it rests on.")
def rule(
    at: Direction,
    round_number: int,
    table: int,
    result: str,
    points: BySeat[int] | None,
    why: str,
    number: str,
) -> None:
    """Enter or change a result.

    RESULT is first, second, draw, neither, void, or the winner's name. Nothing is overwritten: a
    ruling is a further event, and the last one counts.
    """
    tournament = at.tournament()
    outcome = outcome_of(tournament, pairing_of(tournament, round_number, table), result)
    at.act(Rule(round_number, table, outcome, points, why, number))

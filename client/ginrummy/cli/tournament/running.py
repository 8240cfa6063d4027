"""`gin tournament run`: a whole tournament in one command, which can be killed and given again."""

import math
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import click

from ginrummy.api.journal import configure
from ginrummy.bots import BotSpecError, load_bot
from ginrummy.cli.lazy import examples
from ginrummy.cli.tournament.bots import wishes_of
from ginrummy.cli.tournament.commands import command_of, is_python
from ginrummy.cli.tournament.conducting import Conductor, Local, NothingToConductError, Plan
from ginrummy.cli.tournament.ground import Ground, ground_options
from ginrummy.cli.tournament.hosting import BotHost, LocalBot
from ginrummy.cli.tournament.progress import Ticker
from ginrummy.cli.tournament.results import results_text, show
from ginrummy.cli.tournament.terms import TermsWanted
from ginrummy.cli.tournament.terms_options import terms_options
from ginrummy.cli.tournament.told import event_told, say, standings_told
from ginrummy.cli.wire import kept_keys
from ginrummy.cli.wire import run as answered
from ginrummy.client.signing import is_signed
from ginrummy.tournaments.event import TournamentFold
from ginrummy.tournaments.event.fold import TournamentLine
from ginrummy.tournaments.event.summary import summary
from ginrummy.v1 import tournament_pb2 as pb

__all__ = ["run"]

_INTERRUPTED = 130

_MOST_PROCESSES = 16
"""Of one entrant at one time."""


@click.command(
    epilog=examples(
        "gin tournament run --bot expert --bot simple",
        "gin tournament run --format swiss --rounds 5 --boards 20 --bot expert"
        " --bot New=./mybot.py:MyBot --bot 'Node=node bot.js' --bot simple",
        "gin tournament run --bot New=./mybot.py:MyBot --bot Old=./old.py:MyBot"
        " --boards 5000 --sprt elo0=0,elo1=20",
        "gin tournament run --bot simple --remote 3 --listen 0.0.0.0:50051 --clock /2s",
        "gin tournament run t_7vk2c8w0r6ht9zq3nx5b7jd1ge --db league.db",
    )
)
@click.argument("tournament", metavar="[TOURNAMENT]", required=False, default="")
@terms_options
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="[NAME=]SPEC",
    help="A bot that is started here: simple, expert, ./mybot.py:MyBot, 'node bot.js'.",
)
@click.option(
    "--remote",
    type=click.IntRange(0, 10_000),
    default=0,
    metavar="N",
    help="Wait for so many more, who enter and come over the network.",
)
@click.option(
    "--new", "anew", is_flag=True, help="Begin another one, even if this one is not over."
)
@ground_options
@click.option("--json", "as_json", is_flag=True, help="Every event and the standings as JSON.")
@click.option("--quiet", is_flag=True, help="Only the standings, and what goes wrong.")
@click.pass_context
def run(  # noqa: PLR0913 -- its options
    ctx: click.Context,
    wanted: TermsWanted,
    ground: Ground,
    tournament: str,
    bots: Sequence[str],
    remote: int,
    *,
    anew: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run a whole tournament.

    Starts a server and the bots, plays, and prints the standings. Whatever ends it, a power cut
    too, the same command goes on where it was; so does gin tournament run TOURNAMENT. One that is
    over is never gone on with: the same command begins another.
    """
    plan = _plan(tournament, wanted, bots, remote, anew=anew)
    configure("console", "error")
    ticker = Ticker(quiet=quiet)
    conduct = _Run(ground, plan, ticker, as_json=as_json)
    try:
        fold = answered(conduct.run())
    except KeyboardInterrupt:
        ticker.clear()
        if conduct.id:
            click.echo(f"\nStopped. To go on:\n  {conduct.again}", err=True)
        ctx.exit(_INTERRUPTED)
    _print(fold, as_json=as_json)
    if not quiet:
        click.echo(conduct.what_next, err=True)


def _plan(
    tournament: str, wanted: TermsWanted, bots: Sequence[str], remote: int, *, anew: bool
) -> Plan:
    """Return what is to be run; refuse what cannot be before anything is made."""
    wishes = wishes_of(bots)
    try:
        for each in wishes:
            command_of(each.spec, "")
            if is_python(each.spec):
                load_bot(each.spec)
    except BotSpecError as error:
        raise click.UsageError(f"--bot: {error}") from error
    if tournament:
        if wanted.is_said or anew:
            raise click.UsageError("a tournament that is named has its terms: leave the rest out")
        return Plan(None, wishes, remote, tournament)
    if len(wishes) + remote < 2:
        raise click.UsageError(
            "a tournament takes two at least: name them by --bot, or wait for them by --remote"
        )
    terms = wanted.terms(tables=os.cpu_count() or 1, open_entry=remote > 0)
    if terms.sprt is not None and len(wishes) + remote != 2:
        raise click.UsageError("--sprt: a test is between two entrants")
    return Plan(terms, wishes, remote, anew=anew)


class _Run:
    """One run of the command."""

    def __init__(self, ground: Ground, plan: Plan, ticker: Ticker, *, as_json: bool) -> None:
        self.id = plan.id
        self._ground = ground
        self._plan = plan
        self._ticker = ticker
        self._as_json = as_json

    @property
    def again(self) -> str:
        """The command that goes on with it."""
        return f"gin tournament run {self.id} {self._ground.where}"

    @property
    def what_next(self) -> str:
        """What can be done with a tournament that is over."""
        return (
            f"\nThe report: gin tournament report {self.id} {self._ground.where} -o DIRECTORY"
            f"\nThe audit:  gin tournament audit {self.id} {self._ground.where}"
        )

    async def run(self) -> TournamentFold:
        """Run it to its end."""
        async with self._ground.opened() as (client, players):
            conductor = Conductor(client, players, self._plan, self._ticker)

            @asynccontextmanager
            async def host(
                tournament: pb.Tournament, roster: Sequence[Local]
            ) -> AsyncIterator[None]:
                self.id = tournament.id
                self._say_how_to_join(tournament, client.target)
                async with self._hosted(tournament, roster, client.target):
                    yield

            fold = await conductor.run(host, self._tell)
            self.id = conductor.id
            return fold

    @asynccontextmanager
    async def _hosted(
        self, tournament: pb.Tournament, roster: Sequence[Local], address: str
    ) -> AsyncIterator[None]:
        """Start the programs, end them, and say which of them died how often."""
        entrants = max(len(roster), len(tournament.entrants)) + self._plan.remote
        processes = _processes(tournament, entrants)
        bots = [
            LocalBot(
                player_id=each.player.id,
                name=each.wish.name,
                spec=each.wish.spec,
                token=each.player.token,
                processes=processes,
                key_file=_key_file(tournament, each.player.id),
            )
            for each in roster
        ]
        try:
            host = BotHost(address, tournament.id, bots, say=self._mourn)
        except BotSpecError as error:
            raise NothingToConductError(str(error)) from error
        async with host:
            yield
            await host.wait()
        for bot in bots:
            record = host.records[bot.player_id]
            deaths = [f"{how} {count}" for how, count in record.exits.items() if how != "0"]
            if deaths:
                self._ticker.say(f"{bot.name}'s program died: {', '.join(deaths)}", always=True)

    def _mourn(self, text: str) -> None:
        self._ticker.say(text, always=True)

    def _say_how_to_join(self, tournament: pb.Tournament, address: str) -> None:
        if self._plan.remote and tournament.stage == pb.TOURNAMENT_STAGE_REGISTRATION:
            self._ticker.say(
                "To take part:\n"
                f"  gin tournament attend {tournament.id} --bot SPEC --enter --server {address}",
                always=True,
            )

    def _tell(self, line: TournamentLine) -> None:
        if self._as_json:
            told = event_told(line)
            if told is not None:
                say(told)


def _key_file(tournament: pb.Tournament, player: str) -> str:
    """Return the file of the key that a bot started here signs by; empty where it signs none."""
    keys = kept_keys()
    if keys is None or not is_signed(tournament.terms.signing):
        return ""
    return str(keys.file(player))


def _processes(tournament: pb.Tournament, entrants: int) -> int:
    """Return how many tables an entrant is likely to sit at at once."""
    terms = tournament.terms
    pairings = max(1, entrants // 2)
    if terms.HasField("gauntlet"):
        pairings = max(1, terms.gauntlet.challengers)
    if not terms.HasField("boards"):
        return 1
    tables = terms.tables or os.cpu_count() or 1
    return max(1, min(_MOST_PROCESSES, math.ceil(tables / pairings)))


def _print(fold: TournamentFold, *, as_json: bool) -> None:
    tournament = fold.tournament
    assert tournament is not None
    results = summary(tournament)
    if as_json:
        say(standings_told(tournament, results, seq=fold.seq, head_hash=fold.hash))
    else:
        show(results_text(tournament, results))

"""`gin fork`: what if; a practice match that goes on from any event of another one."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import NamedTuple

import click

from ginrummy.bots import Bot
from ginrummy.cli.lazy import examples
from ginrummy.cli.letting_play import let_play, loaded
from ginrummy.cli.lone_table import lone_room
from ginrummy.cli.narrator import Narrated
from ginrummy.cli.source import UnusableSourceError, is_file, open_log, source_options
from ginrummy.cli.wire import Access, run
from ginrummy.client import Client, RefusedError, Result, connect
from ginrummy.log.branching import Branch, BranchError, HiddenCardsError, Kept, branch
from ginrummy.log.errors import LineError
from ginrummy.log.ids import is_match
from ginrummy.log.reveals import revealed_secrets
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.store import Store, StoreError, open_store
from ginrummy.tables.errors import LogDamagedError, NoSuchMatchError
from ginrummy.tables.forks import NewFork, branch_of
from ginrummy.tables.table import SERVER
from ginrummy.v1.events_pb2 import (
    UNSEEN_CARDS_RESHUFFLED,
    UNSEEN_CARDS_SAME,
    EndReason,
    UnseenCards,
)
from ginrummy.v1.match_pb2 import Match

__all__ = ["fork"]

_SEATS: tuple[Seat, Seat] = (0, 1)

_UNSEEN: Mapping[Kept, UnseenCards.ValueType] = {
    "same": UNSEEN_CARDS_SAME,
    "reshuffled": UNSEEN_CARDS_RESHUFFLED,
}


_HOW_OF_HIDDEN = " (--unseen reshuffled, without --seat)"
"""What is asked for where the cards are not out."""


class _Player(NamedTuple):
    """A bot that is to play on."""

    seat: Seat
    spec: str
    bot: Bot


class _Wanted(NamedTuple):
    """What is to go on, from where, and who plays on."""

    source: str
    """The match's id, or the file with its log."""
    seq: int
    kept: Kept
    seat: Seat | None
    name: str
    bots: Sequence[_Player]
    quiet: bool


def _read_bots(
    ctx: click.Context, param: click.Parameter, specs: tuple[str, ...]
) -> Sequence[tuple[Seat, str]]:
    """Read up to two bots, each with its seat: `simple`, or `1=simple`."""
    named: dict[Seat, str] = {}
    for spec in specs:
        number, is_named, name = spec.partition("=")
        free = [seat for seat in _SEATS if seat not in named]
        if not is_named or number not in ("0", "1"):
            number, name = (str(free[0]) if free else "2"), spec
        seat: Seat = 1 if number == "1" else 0
        if number == "2" or seat in named:
            raise click.BadParameter(
                "a match has two seats, and a bot for each at most", ctx, param
            )
        named[seat] = name
    return tuple(sorted(named.items()))


@click.command(
    epilog=examples(
        "gin fork m_7vk2c8w0r6ht9zq3nx5b7jd1ge --at 57",
        "gin fork final.log --at 57 --bot simple --bot expert --db practice.db",
        "gin fork m_7vk2c8w0r6ht9zq3nx5b7jd1ge --at 57 --unseen reshuffled --seat 0 --bot 1=expert",
    )
)
@click.argument("match", metavar="MATCH|FILE|-")
@click.option(
    "--at", required=True, type=click.IntRange(min=1), metavar="SEQ", help="Go on after this event."
)
@click.option(
    "--unseen",
    type=click.Choice(["same", "reshuffled"]),
    default="same",
    show_default=True,
    help="The cards that were not seen there lie as they lay, or are dealt anew.",
)
@click.option(
    "--seat",
    type=click.Choice(["0", "1"]),
    help="reshuffled: whose cards stay, beside those that everybody has seen.",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    callback=_read_bots,
    metavar="[SEAT=]SPEC",
    help="Let a bot play on; twice for both seats.",
)
@click.option("--seed", type=int, help="For bots that play by chance, to play the same again.")
@click.option("--name", default="", help="What the new match is called in lists.")
@click.option("--quiet", is_flag=True, help="Print the new match, or the result, and no more.")
@source_options
def fork(  # noqa: PLR0913 -- one for each option
    *,
    match: str,
    at: int,
    unseen: Kept,
    seat: str | None,
    bots: Sequence[tuple[Seat, str]],
    seed: int | None,
    name: str,
    quiet: bool,
    db: str,
    server: str | None,
    token: str,
) -> None:
    """Go on from any event of a match, in a practice match.

    The score, the deal and the moves up to the event are taken over; then bots or people play on.
    With two bots it is played to its end at once. Without, the command says how to join. A
    practice match counts in no record, and is marked as one wherever it is shown.

    Of a hand whose secret is not out, and so of every match that is being played, only the cards
    that everybody has seen can be kept: --unseen reshuffled.

    Writes the new match's id; after two bots, with tabs between, also seat 0's total, seat 1's,
    the winner's seat or -, and why the match ended.
    """
    if seat is not None and unseen == "same":
        raise click.UsageError("--seat says whose cards stay with --unseen reshuffled")
    wanted = _Wanted(
        source=match,
        seq=at,
        kept=unseen,
        seat=None if seat is None else _SEATS[int(seat)],
        name=name,
        bots=[_Player(number, spec, loaded(spec, seed)) for number, spec in bots],
        quiet=quiet,
    )
    if not is_file(match) and not is_match(match):
        why = "there is no such file, and a match's id looks otherwise"
        raise UnusableSourceError(f"{match}: {why}")
    if server is None:
        _fork_here(wanted, db)
    elif is_file(match):
        raise click.UsageError("a server forks its own matches: name one, or give a --db instead")
    else:
        run(_fork_there(wanted, Access(server, token, "")))


# --- at a server --------------------------------------------------------------------------------


async def _fork_there(wanted: _Wanted, access: Access) -> None:
    async with access.client() as client:
        await access.sign_in(client)
        players = [await client.create_player(player.spec) for player in wanted.bots]
        try:
            made = await client.fork_match(
                wanted.source,
                wanted.seq,
                unseen=_UNSEEN[wanted.kept],
                seat=wanted.seat,
                seats=_kept_for(wanted, [player.player.id for player in players]),
                name=wanted.name,
            )
        except RefusedError as error:
            if error.reason != "CARDS_HIDDEN":
                raise
            raise UnusableSourceError(f"{error}{_HOW_OF_HIDDEN}") from error
        _say_from_where(wanted, made.origin.match_id, made.origin.seq, made.origin.moves)
        await _play_on(wanted, made.id, access.server, [player.token for player in players])


# --- in a database ------------------------------------------------------------------------------


def _fork_here(wanted: _Wanted, db: str) -> None:
    try:
        store = open_store(db, create=is_file(wanted.source))
    except StoreError as error:
        raise UnusableSourceError(str(error)) from error
    try:
        at = _branch(wanted, store, db)
        run(_fork_stored(wanted, at, store, db))
    except HiddenCardsError as error:
        raise UnusableSourceError(f"{error}{_HOW_OF_HIDDEN}") from error
    finally:
        store.close()


def _branch(wanted: _Wanted, store: Store, db: str) -> Branch:
    """Return how the match stood, from the database or from a file with its log."""
    source = wanted.source
    try:
        if not is_file(source):
            # Whoever has the database has its secrets; of a match that runs a fork uses none.
            return branch_of(store, source, wanted.seq, may_open=True)
        with open_log(source, db, None) as log:
            return branch(log.lines, wanted.seq, revealed_secrets(log.lines))
    except NoSuchMatchError as error:
        raise UnusableSourceError(f"there is no match {source} in {db}") from error
    except BranchError as error:
        raise UnusableSourceError(f"{source}: {error}") from error
    except (LineError, ValueError, LogDamagedError) as error:
        raise UnusableSourceError(f"{source}: {error}; gin audit says more") from error


async def _fork_stored(wanted: _Wanted, at: Branch, store: Store, db: str) -> None:
    async with lone_room(store) as here:
        players = [here.let_in(player.spec) for player in wanted.bots]
        seats = _kept_for(wanted, [player for player, _ in players])
        wish = NewFork(
            kept=wanted.kept,
            seat=wanted.seat,
            seats=BySeat(*(each or None for each in seats)) if seats else BySeat(None, None),
            name=wanted.name,
        )
        table = await here.room.fork(SERVER, at, wish)
        origin = table.match.terms.origin
        assert origin is not None
        _say_from_where(wanted, origin.match, origin.seq, origin.moves)
        if not wanted.bots:
            _say_how_to_join(table.match_id, f"gin serve --db {db}", "")
            click.echo(table.match_id)
            return
        await _play_on(wanted, table.match_id, here.address, [token for _, token in players])


# --- playing on ---------------------------------------------------------------------------------


def _kept_for(wanted: _Wanted, players: Sequence[str]) -> Sequence[str]:
    """Return for whom the seats are kept: for the bots."""
    if not players:
        return ()
    of = {player.seat: number for player, number in zip(wanted.bots, players, strict=True)}
    return [of.get(seat, "") for seat in _SEATS]


async def _play_on(wanted: _Wanted, match: str, server: str, tokens: Sequence[str]) -> None:
    """Let the bots play the match, and say how it ended; with a free seat, how to join as well."""
    if len(tokens) < len(_SEATS):
        _say_how_to_join(match, "", f" --server {server}")
        click.echo(match)
    if not tokens:
        return
    async with AsyncExitStack() as ending:
        clients = [await ending.enter_async_context(connect(server, token=each)) for each in tokens]
        games = (
            _game(client, match, player, is_told=not wanted.quiet and place == 0)
            for place, (client, player) in enumerate(zip(clients, wanted.bots, strict=True))
        )
        await asyncio.gather(*games)
        over = await clients[0].match(match)
    if len(tokens) == len(_SEATS):
        click.echo("\t".join((match, *_result(over))))


async def _game(client: Client, match: str, player: _Player, *, is_told: bool) -> Result:
    bot = Narrated(player.bot, "") if is_told else player.bot
    return await let_play(client, match, bot, player.seat)


def _result(over: Match) -> tuple[str, str, str, str]:
    outcome = over.outcome
    winner = str(outcome.winner) if outcome.HasField("winner") else "-"
    reason = EndReason.Name(outcome.reason).removeprefix("END_REASON_").lower()
    return str(outcome.totals[0]), str(outcome.totals[1]), winner, reason


def _say_from_where(wanted: _Wanted, match: str, seq: int, moves: int) -> None:
    if wanted.quiet:
        return
    later = f" (event {wanted.seq} brings that about at once)" if seq > wanted.seq else ""
    taken = {0: "no move is", 1: "1 move is"}.get(moves, f"{moves} moves are") + " taken over"
    click.echo(f"A practice match goes on from event {seq} of {match}{later}; {taken}.", err=True)


def _say_how_to_join(match: str, first: str, at: str) -> None:
    click.echo("To play on in it:", err=True)
    for command in (first, f"gin play --match {match}{at}", f"gin bot simple --match {match}{at}"):
        if command:
            click.echo(f"  {command}", err=True)

"""`gin matches`, `player`, `prepare`, `backup` and `rebuild`: what an operator keeps in order."""

import asyncio
import secrets
import time
from collections.abc import Iterator

import click
import msgspec

from ginrummy.api.auth import new_token
from ginrummy.cli.lazy import examples
from ginrummy.cli.refusals import refusal
from ginrummy.client import GinRummyError, connect
from ginrummy.log.ids import ID_ENTROPY, player_id
from ginrummy.log.instants import write_instant
from ginrummy.store import (
    BackupRefusedError,
    Credential,
    MatchQuery,
    MatchRow,
    Role,
    SqliteStore,
    Stage,
    Store,
    UnusableDatabaseError,
    hash_token,
    open_store,
    shown_db,
)
from ginrummy.v1 import events_pb2, match_pb2

__all__ = ["backup", "matches", "player", "prepare", "rebuild"]

_PAGE = 500

db_option = click.option(
    "--db",
    default="gin.db",
    show_default=True,
    metavar="DATABASE",
    help="The server's SQLite file, or postgresql://….",
)


class UnusableStoreError(click.ClickException):
    """A database, or a server, that the command cannot work with."""

    exit_code = 2


def open_db(db: str) -> Store:
    """Return the store in a database that has to be there."""
    try:
        return open_store(db, create=False)
    except UnusableDatabaseError as error:
        raise UnusableStoreError(str(error)) from error


@click.command(
    epilog=examples(
        "gin matches",
        "gin matches --stage playing --server 127.0.0.1:50051",
        "gin matches --db league.db --json | jq -r .id",
    )
)
@db_option
@click.option("--server", metavar="ADDRESS", help="Ask a running server instead of the file.")
@click.option(
    "--token", envvar="GINRUMMY_TOKEN", default="", help="Your token; also GINRUMMY_TOKEN."
)
@click.option(
    "--stage",
    type=click.Choice(["gathering", "playing", "ended"]),
    help="Only matches at this stage.",
)
@click.option("--player", metavar="ID", help="Only matches in which this player sits.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def matches(
    db: str,
    server: str | None,
    token: str,
    stage: Stage | None,
    player: str | None,
    as_json: bool,  # noqa: FBT001 -- click passes it by name
) -> None:
    """List matches, the newest first.

    Writes a line for each: its id, stage, players, points, hands, when it was created, why it
    ended, what marks it, and what it is called, with tabs between. Marks are practice, replay (of
    a hand, by a ruling), disputed, replaying (a hand that has not come back) and adjusted.
    """
    rows = _stored(db, stage, player) if server is None else _asked(server, token, stage, player)
    for row in rows:
        click.echo(msgspec.json.encode(row).decode() if as_json else "\t".join(_fields(row)))


class _Listed(msgspec.Struct, frozen=True):
    """A match as it is listed."""

    id: str
    stage: str
    players: tuple[str, ...]
    """Their names; empty for a free seat."""
    points: tuple[int, ...]
    """Hand points while it is played, totals once it has ended."""
    hands: int
    created: str
    reason: str
    winner: int | None
    practice: bool
    """It goes on from another match, and counts for nobody."""
    replay_of: str
    """The match of which a hand is played again here; empty for most."""
    disputes: int
    """How many were opened over it."""
    open_disputes: int
    """How many of these wait for a ruling."""
    replaying: bool
    """A ruling has a hand played again that has not come back yet."""
    adjusted: bool
    """Rulings have changed its result, perhaps back again."""
    name: str

    @property
    def marks(self) -> str:
        """What is to be known of it before its result is relied on, in words with commas."""
        marks = {
            "practice": self.practice,
            "replay": bool(self.replay_of),
            "disputed": self.open_disputes > 0,
            "replaying": self.replaying,
            "adjusted": self.adjusted,
        }
        return ",".join(mark for mark, is_so in marks.items() if is_so)


def _fields(row: _Listed) -> tuple[str, ...]:
    first, second = (name or "-" for name in row.players)
    return (
        row.id,
        row.stage,
        f"{first} - {second}",
        f"{row.points[0]} - {row.points[1]}",
        str(row.hands),
        row.created,
        row.reason or "-",
        row.marks or "-",
        row.name,
    )


def _stored(db: str, stage: Stage | None, player: str | None) -> Iterator[_Listed]:
    store = open_db(db)
    try:
        query = MatchQuery(stage=stage, player=player, size=_PAGE)
        while True:
            page = store.matches(query)
            yield from map(_listed, page.matches)
            if not page.next_token:
                return
            query = msgspec.structs.replace(query, token=page.next_token)
    finally:
        store.close()


def _listed(row: MatchRow) -> _Listed:
    first, second = row.names
    return _Listed(
        id=row.id,
        stage=row.stage,
        players=(first or "", second or ""),
        points=tuple(row.totals if row.stage == "ended" else row.points),
        hands=row.hands,
        created=write_instant(row.created),
        reason=row.reason or "",
        winner=row.winner,
        practice=row.practice,
        replay_of=row.replay_of or "",
        disputes=row.disputes,
        open_disputes=row.open_disputes,
        replaying=row.replaying > 0,
        adjusted=row.adjusted > 0,
        name=row.name,
    )


def _asked(server: str, token: str, stage: Stage | None, player: str | None) -> list[_Listed]:
    async def ask() -> list[_Listed]:
        async with connect(server, token=token) as client:
            wanted = match_pb2.Stage.Value(f"STAGE_{stage.upper() if stage else 'UNSPECIFIED'}")
            found = client.matches(stage=wanted, player_id=player or "")
            return [_heard(row) async for row in found]

    try:
        return asyncio.run(ask())
    except GinRummyError as error:
        raise UnusableStoreError(refusal(error)) from error


def _heard(row: match_pb2.MatchSummary) -> _Listed:
    created = row.created_at.ToMicroseconds()
    stage = match_pb2.Stage.Name(row.stage).removeprefix("STAGE_").lower()
    return _Listed(
        id=row.id,
        stage=stage,
        players=tuple(seat.name for seat in row.seats),
        points=tuple(row.points),
        hands=row.hands,
        created=write_instant(created),
        reason=_end_reason(row),
        winner=row.winner if row.HasField("winner") else None,
        practice=row.practice,
        replay_of=row.replay_of,
        disputes=row.disputes,
        open_disputes=row.open_disputes,
        replaying=row.replaying,
        adjusted=row.adjusted,
        name=row.name,
    )


def _end_reason(row: match_pb2.MatchSummary) -> str:
    if not row.reason:
        return ""
    return events_pb2.EndReason.Name(row.reason).removeprefix("END_REASON_").lower()


@click.command(
    epilog=examples(
        "gin player Ada --db league.db",
        "export GINRUMMY_TOKEN=$(gin player 'The director' --role director)",
    )
)
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(["player", "director", "auditor"]),
    default="player",
    show_default=True,
    help="What the token lets its bearer do.",
)
@db_option
def player(name: str, role: Role, db: str) -> None:
    """Make a player, and print the token.

    The player is made in the database; the server may be running. Its first director is made so;
    a director can make further players of every role over the network. The id goes to standard
    error. The token is shown this once.
    """
    if not 1 <= len(name) <= 64 or not name.isprintable():
        raise click.UsageError("a name has 1 to 64 printable characters")
    store = open_db(db)
    try:
        token = new_token(secrets.token_bytes)
        credential = Credential(
            player=player_id(secrets.token_bytes(ID_ENTROPY)),
            name=name,
            role=role,
            token_hash=hash_token(token),
            created=time.time_ns() // 1000,
        )
        store.add_player(credential)
    finally:
        store.close()
    click.echo(f"{role} {name} is {credential.player}", err=True)
    click.echo(token)


@click.command(
    epilog=examples("gin prepare", "gin prepare --db postgresql://gin_owner@db.example.org/gin")
)
@db_option
def prepare(db: str) -> None:
    """Make a database's tables, or bring them up to date.

    The servers of a PostgreSQL database need no right to do it then: run it as the owner of the
    schema, before the first server starts and again with each new version. Where nothing is to be
    done it does nothing, and any number may be run at once.
    """
    try:
        store = open_store(db)
    except UnusableDatabaseError as error:
        raise UnusableStoreError(str(error)) from error
    try:
        click.echo(f"{shown_db(db)}: ready, {store.last_position()} events")
    finally:
        store.close()


@click.command(epilog=examples("gin backup saved.db", "gin backup --db league.db saved.db"))
@click.argument("target", type=click.Path(dir_okay=False))
@db_option
def backup(target: str, db: str) -> None:
    """Copy the database, also while the server runs.

    The copy is the database as it stood at one moment. It holds the secrets of matches that are
    not over, so keep it as safe as the database itself. An existing file is not overwritten.
    """
    store = open_db(db)
    if not isinstance(store, SqliteStore):
        store.close()
        raise UnusableStoreError(
            f"{shown_db(db)} is no SQLite file: PostgreSQL's own pg_dump makes the copy, or"
            " gin migrate into a SQLite file"
        )
    try:
        position = store.backup(target)
    except BackupRefusedError as error:
        raise UnusableStoreError(str(error)) from error
    finally:
        store.close()
    click.echo(f"{target}: {position} events")


@click.command(epilog=examples("gin rebuild", "gin rebuild --db league.db"))
@db_option
def rebuild(db: str) -> None:
    """Make the lists again from the log.

    These are the lists of players, matches and results.
    """
    store = open_db(db)
    try:
        store.rebuild()
        click.echo(f"{shown_db(db)}: rebuilt from {store.last_position()} events")
    finally:
        store.close()

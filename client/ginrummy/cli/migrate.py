"""`gin migrate`: a log from one kind of database into another."""

from pathlib import Path

import click
import msgspec

from ginrummy.cli.lazy import examples
from ginrummy.log.errors import MalformedLineError
from ginrummy.log.ids import is_tournament
from ginrummy.log.lines import AnyLine, read_line
from ginrummy.store import Store, StoreError, UnusableDatabaseError, open_store, shown_db
from ginrummy.store.migration import LogContradictedError, copy_store
from ginrummy.store.opening import MEMORY, is_postgres
from ginrummy.tournaments.event import read_tournament_line

__all__ = ["migrate"]


class NotMigratedError(click.ClickException):
    """Databases between which nothing can be copied."""

    exit_code = 2


class ContradictedError(click.ClickException):
    """A log that is not what it says to be."""

    exit_code = 1


@click.command(
    epilog=examples(
        "gin migrate gin.db postgresql://gin@db.example.org/gin",
        "gin migrate postgresql://gin@db.example.org/gin saved.db",
    )
)
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def migrate(source: str, target: str) -> None:
    """Copy a log into an empty database of another kind.

    FROM and TO are SQLite files or postgresql://… addresses. Lines, secrets, players, the signed
    tree and its checkpoints are copied; every line is checked to follow the one before it, and the
    copy to be what was signed. Stop the server first: what it stores meanwhile is not copied.
    """
    if MEMORY in (source, target):
        raise NotMigratedError(f"{MEMORY} ends with its process: name a database that stays")
    is_new = not is_postgres(target) and not Path(target).exists()
    try:
        _copy(source, target)
    except LogContradictedError as error:
        _leave_nothing(target, is_new=is_new)
        raise ContradictedError(f"{shown_db(source)}: {error}; nothing of {shown_db(target)} is to"
                                " be used; gin audit --all says more") from error  # fmt: skip
    except UnusableDatabaseError as error:
        # It names the database itself.
        _leave_nothing(target, is_new=is_new)
        raise NotMigratedError(str(error)) from error
    except StoreError as error:
        _leave_nothing(target, is_new=is_new)
        raise NotMigratedError(f"{shown_db(target)}: {error}") from error


def _copy(source: str, target: str) -> None:
    try:
        old = open_store(source, create=False)
    except UnusableDatabaseError as error:
        raise NotMigratedError(str(error)) from error
    try:
        new = open_store(target)
        try:
            _copy_store(old, new, target)
        finally:
            new.close()
    finally:
        old.close()


def _copy_store(old: Store, new: Store, target: str) -> None:
    tenths = 0

    def told(done: int, of: int) -> None:
        nonlocal tenths
        if of >= _TOLD_FROM and done * 10 // of > tenths:
            tenths = done * 10 // of
            click.echo(f"{done} of {of} events", err=True)

    copied = copy_store(old, new, _read, told)
    click.echo(
        f"{shown_db(target)}: {copied.lines} events of {copied.streams} matches and tournaments,"
        f" {copied.checkpoints} checkpoints, {copied.players} players, {copied.secrets} secrets"
    )


_TOLD_FROM = 10_000
"""Events from which on it takes long enough to be told of."""


def _leave_nothing(target: str, *, is_new: bool) -> None:
    if is_new:
        for file in Path(target).parent.glob(f"{Path(target).name}*"):
            if file.name.removeprefix(Path(target).name) in ("", "-wal", "-shm"):
                file.unlink()


class _Stream(msgspec.Struct):
    stream: str


_stream_of = msgspec.json.Decoder(_Stream).decode


def _read(raw: bytes) -> AnyLine:
    try:
        stream = _stream_of(raw).stream
    except msgspec.DecodeError as error:
        raise MalformedLineError(str(error), None, None) from error
    return read_tournament_line(raw) if is_tournament(stream) else read_line(raw)

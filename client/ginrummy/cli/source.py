"""Where a command gets a match's log from: a file, the database, or a server."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from ginrummy.audit.beginning import OriginLog
from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.replays import ReplayLogs
from ginrummy.audit.sources import LogFile, split_lines, spooled
from ginrummy.log.errors import LineError
from ginrummy.log.fold import Secrets
from ginrummy.log.lines import read_line
from ginrummy.rules.events import MatchCreated

if TYPE_CHECKING:
    from ginrummy.store import Store

__all__ = [
    "Log",
    "UnusableSourceError",
    "all_logs",
    "is_file",
    "open_database",
    "open_log",
    "source_options",
]

_MATCH_ID = re.compile("m_[0-9a-hjkmnp-tv-z]{26}")

F = TypeVar("F", bound=Callable[..., Any])


class UnusableSourceError(click.ClickException):
    """A log that is not there, or that nothing can be done with."""

    exit_code = 2


class Log(NamedTuple):
    """A match's log, to be gone through as often as wanted."""

    name: str
    """What it was asked for by: a file's name or a match's id."""
    lines: Iterable[bytes]
    secrets: Secrets | None
    """The operator's own, where the log comes from their database."""
    origin: OriginLog | None = None
    """The log of the match from which this one branches off, where it is in the same database."""
    replays: ReplayLogs | None = None
    """Finds the logs of hands of it that were played again, in the same database."""


def source_options(command: F) -> F:
    """Add the options that say where a match's log is: `db`, `server` and `token`."""
    for option in (
        click.option(
            "--token", envvar="GINRUMMY_TOKEN", default="", help="Your token; also GINRUMMY_TOKEN."
        ),
        click.option(
            "--server", metavar="ADDRESS", help="Read a match from a running server instead."
        ),
        click.option(
            "--db",
            default="gin.db",
            show_default=True,
            metavar="FILE",
            help="The database that a match is read from.",
        ),
    ):
        command = option(command)
    return command


@contextmanager
def open_log(match_or_file: str, db: str, server: str | None, token: str = "") -> Iterator[Log]:
    """Open the log of a match that is named by its id, or by its file; `-` is standard input.

    What is neither a file nor the id of a match is refused with exit code 2, as is everything that
    cannot be read.
    """
    with _usable(match_or_file):
        if match_or_file == "-":
            with spooled(split_lines(sys.stdin.buffer)) as lines:
                yield Log("standard input", lines, None)
        elif is_file(match_or_file):
            yield Log(match_or_file, LogFile(match_or_file), None)
        elif _MATCH_ID.fullmatch(match_or_file) is None:
            raise UnusableSourceError(
                f"{match_or_file}: there is no such file, and a match's id looks otherwise"
            )
        elif server is not None:
            with _served(match_or_file, server, token) as lines:
                yield Log(match_or_file, lines, None)
        else:
            with open_database(db) as store:
                yield _stored(store, match_or_file, db)


def is_file(match_or_file: str) -> bool:
    """Say whether a log is named by its file; `-` is standard input, which is one too."""
    return match_or_file == "-" or os.path.sep in match_or_file or Path(match_or_file).is_file()


@contextmanager
def all_logs(db: str) -> Iterator[Iterator[Log]]:
    """Open the logs of all matches in a database, one after the other."""
    with _usable(db), open_database(db) as store:
        yield (_stored(store, stream, db) for stream in store.streams("m_"))


@contextmanager
def _usable(name: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        # Nobody reads what is printed of it.
        raise
    except OSError as error:
        raise UnusableSourceError(f"{name}: {error.strerror or error}") from error
    except UnusableLogError as error:
        raise UnusableSourceError(f"{name} is no log that can be used: {error}") from error


# --- a server -----------------------------------------------------------------------------------


@contextmanager
def _served(match: str, server: str, token: str) -> Iterator[Iterable[bytes]]:
    """Fetch a match's lines once, and keep them."""
    from ginrummy.cli.refusals import refusal  # noqa: PLC0415 -- a file needs no server
    from ginrummy.client import GinRummyError  # noqa: PLC0415 -- likewise
    from ginrummy.client.sync import connect  # noqa: PLC0415 -- likewise

    with ExitStack() as kept:
        try:
            with connect(server, token=token) as client:
                lines = kept.enter_context(spooled(client.log(match)))
        except GinRummyError as error:
            raise UnusableSourceError(f"{match}: {refusal(error)}") from error
        yield lines


# --- a database ---------------------------------------------------------------------------------


class _StoredLines:
    """A stream's lines, read anew each time."""

    def __init__(self, store: "Store", stream: str) -> None:
        self._store = store
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        return self._store.read(self._stream)


@contextmanager
def open_database(db: str) -> Iterator["Store"]:
    """Open a database that is there. Raises UnusableSourceError where it cannot be used."""
    from ginrummy.store import StoreError, open_store  # noqa: PLC0415 -- a file needs no database

    try:
        store = open_store(db, create=False)
        try:
            yield store
        finally:
            store.close()
    except StoreError as error:
        raise UnusableSourceError(str(error)) from error


def _stored(store: "Store", match: str, db: str) -> Log:
    lines = _StoredLines(store, match)
    first = next(iter(lines), None)
    if first is None:
        raise UnusableSourceError(f"there is no match {match} in {db}")
    created = _created(first)
    return Log(
        match,
        lines,
        _own_secrets(store, match, created),
        _stored_origin(store, created),
        lambda replay: _stored_lines(store, replay),
    )


def _stored_lines(store: "Store", match: str) -> Iterable[bytes] | None:
    """Return a match's lines; None where there are none."""
    lines = _StoredLines(store, match)
    return None if next(iter(lines), None) is None else lines


def _created(first: bytes) -> MatchCreated | None:
    """Return what a match's first line says; None where it cannot be read."""
    try:
        created = read_line(first).event
    except LineError:
        return None
    return created if isinstance(created, MatchCreated) else None


def _own_secrets(store: "Store", match: str, created: MatchCreated | None) -> Secrets | None:
    """Return the operator's own secrets of a match; None where they are not kept here."""
    from ginrummy.store import kept_chain  # noqa: PLC0415 -- a file needs no database

    try:
        return None if created is None else kept_chain(store, match, created)
    except ValueError:
        # What is kept of a fork's position is damaged, and opens nothing.
        return None


def _stored_origin(store: "Store", created: MatchCreated | None) -> OriginLog | None:
    """Return the log from which a match branches off; None where it is not in this database."""
    if created is None or created.origin is None:
        return None
    match = created.origin.match
    lines = _StoredLines(store, match)
    first = next(iter(lines), None)
    if first is None:
        return None
    return OriginLog(lines, _own_secrets(store, match, _created(first)))

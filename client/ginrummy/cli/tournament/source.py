"""Where a command gets a tournament's log from: the database, a running server, or a file."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.sources import LogFile, split_lines, spooled
from ginrummy.cli.refusals import refusal
from ginrummy.cli.source import UnusableSourceError
from ginrummy.cli.wire import RefusedCallError
from ginrummy.client import GinRummyError
from ginrummy.client.sync import connect
from ginrummy.log.errors import LineError
from ginrummy.store import Store, StoreError, open_store
from ginrummy.tournaments.event import Tournament, TournamentFold, read_tournament_line

__all__ = [
    "TournamentLog",
    "all_tournaments",
    "database",
    "folded",
    "open_tournament",
    "tournament_as_of",
]

_is_tournament = re.compile("t_[0-9a-hjkmnp-tv-z]{26}").fullmatch


class TournamentLog(NamedTuple):
    """A tournament's log, to be gone through as often as wanted."""

    name: str
    """What it was asked for by: a file's name or a tournament's id."""
    lines: Iterable[bytes]
    match: Callable[[str], Iterable[bytes]]
    """The stored lines of one of its matches, empty where they are not there."""
    store: Store | None
    """The operator's own database, where it comes from there."""


@contextmanager
def open_tournament(
    wanted: str, db: str, server: str | None, token: str = ""
) -> Iterator[TournamentLog]:
    """Open the log of a tournament that is named by its id, or by its file; `-` is standard input.

    A file can hold the matches' logs as well. What cannot be read is refused with exit code 2.
    """
    try:
        if wanted == "-":
            with spooled(split_lines(sys.stdin.buffer)) as lines:
                yield _of_file("standard input", lines)
        elif os.path.sep in wanted or Path(wanted).is_file():
            yield _of_file(wanted, LogFile(wanted))
        elif _is_tournament(wanted) is None:
            raise UnusableSourceError(
                f"{wanted}: there is no such file, and a tournament's id looks otherwise"
            )
        elif server is not None:
            with _served(wanted, server, token) as log:
                yield log
        else:
            with database(db) as store:
                yield _stored(store, wanted, db)
    except BrokenPipeError:
        # Nobody reads what is printed of it.
        raise
    except OSError as error:
        raise UnusableSourceError(f"{wanted}: {error.strerror or error}") from error
    except UnusableLogError as error:
        raise UnusableSourceError(f"{wanted} is no log that can be used: {error}") from error


# --- a file -------------------------------------------------------------------------------------


class _Placed(msgspec.Struct, frozen=True):
    """A line of which only its stream matters."""

    stream: str


_decode = msgspec.json.Decoder(_Placed).decode


class _OfStream:
    """The lines of one stream among those of several; what is no line is everybody's."""

    def __init__(self, lines: Iterable[bytes], stream: str) -> None:
        self._lines = lines
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        return (raw for raw in self._lines if self._stream in ("", _stream_of(raw)))


def _stream_of(raw: bytes) -> str:
    try:
        return _decode(raw).stream
    except msgspec.DecodeError:
        return ""


def _of_file(name: str, lines: Iterable[bytes]) -> TournamentLog:
    """Return the tournament's own lines of a file, and by their ids those of its matches."""
    streams = {_stream_of(raw) for raw in lines}
    own = [each for each in streams if each.startswith("t_")]
    if len(own) != 1:
        has = "those of several tournaments" if own else "no line of a tournament"
        raise UnusableSourceError(f"{name} is no tournament's log: it has {has}")
    matches: dict[str, list[bytes]] = {}
    if len(streams) > 1:
        for raw in lines:
            stream = _stream_of(raw)
            if stream.startswith("m_"):
                matches.setdefault(stream, []).append(raw)
    return TournamentLog(name, _OfStream(lines, own[0]), lambda each: matches.get(each, ()), None)


# --- a server -----------------------------------------------------------------------------------


@contextmanager
def _served(tournament: str, server: str, token: str) -> Iterator[TournamentLog]:
    with ExitStack() as kept:
        try:
            client = kept.enter_context(connect(server, token=token))
            lines = kept.enter_context(spooled(client.tournaments.log(tournament)))
        except GinRummyError as error:
            raise UnusableSourceError(f"{tournament}: {refusal(error)}") from error

        def match(match_id: str) -> Iterable[bytes]:
            try:
                return list(client.log(match_id))
            except GinRummyError as error:
                raise RefusedCallError(f"{match_id}: {refusal(error)}") from error

        yield TournamentLog(tournament, lines, match, None)


# --- a database ---------------------------------------------------------------------------------


class _StoredLines:
    """A stream's lines, read anew each time."""

    def __init__(self, store: Store, stream: str) -> None:
        self._store = store
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        return self._store.read(self._stream)


@contextmanager
def database(db: str) -> Iterator[Store]:
    """Open a database that has to be there; what it refuses is one line and exit code 2."""
    try:
        store = open_store(db, create=False)
        try:
            yield store
        finally:
            store.close()
    except StoreError as error:
        raise UnusableSourceError(str(error)) from error


def _stored(store: Store, tournament: str, db: str) -> TournamentLog:
    lines = _StoredLines(store, tournament)
    if next(iter(lines), None) is None:
        raise UnusableSourceError(f"there is no tournament {tournament} in {db}")
    return TournamentLog(tournament, lines, lambda each: _StoredLines(store, each), store)


def all_tournaments(store: Store) -> Iterator[Tournament]:
    """Yield every tournament of a database as it stands, in no order; damaged ones are left out."""
    for stream in store.streams("t_"):
        fold = TournamentFold()
        try:
            for raw in store.read(stream):
                fold.add(read_tournament_line(raw))
        except (LineError, ValueError):
            continue
        if fold.tournament is not None:
            yield fold.tournament


# --- what it tells ------------------------------------------------------------------------------


def folded(log: TournamentLog, as_of: int = 0) -> TournamentFold:
    """Return the tournament as it stands, or as it stood after event `as_of`.

    Raises UnusableSourceError where the lines tell no tournament, or it has not come that far.
    """
    fold = TournamentFold()
    for raw in log.lines:
        try:
            fold.add(read_tournament_line(raw))
        except (LineError, ValueError) as error:
            raise UnusableSourceError(
                f"{log.name}, event {fold.seq + 1}: {error}; gin tournament audit says more"
            ) from error
        if fold.seq == as_of:
            break
    if as_of > fold.seq:
        raise UnusableSourceError(f"there is no event {as_of}: the last one is {fold.seq}")
    return fold


def tournament_as_of(log: TournamentLog, as_of: int = 0) -> Tournament:
    """Return the tournament alone, as `folded` does."""
    tournament = folded(log, as_of).tournament
    if tournament is None:
        raise UnusableSourceError(f"{log.name} holds no event of a tournament")
    return tournament

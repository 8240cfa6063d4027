"""How a match is opened: from the last snapshot of it, and what came after.

    a snapshot ── the log's line there has its hash ──> the match at that line ──┐
    none that is good ──> nothing ──> the match at its first line ───────────────┴─ later lines ──>

So a match opens in the time that its last lines take, however many hands it has had. Snapshots are
taken of matches as they go on (`shelf`); the log decides whether one is good, and without any the
same match comes out.
"""

import struct
from collections import deque
from collections.abc import Iterator
from hashlib import sha256
from itertools import chain
from typing import NamedTuple

import msgspec
import structlog

from ginrummy.log.deck import SecretChain
from ginrummy.log.errors import LineError
from ginrummy.log.fold import Decks, Fold, shuffle_for
from ginrummy.log.ids import is_match
from ginrummy.log.lines import MatchLine, line_hash, read_line
from ginrummy.log.snapshots import code_digest, read_match, write_match
from ginrummy.rules.events import MatchCreated
from ginrummy.rules.match import Instant, Match
from ginrummy.store import Store, StoredSnapshot, kept_chain
from ginrummy.tables.answered import Answered
from ginrummy.tables.errors import LogDamagedError, NoSuchMatchError

__all__ = ["Opening", "Snapshot", "folded", "history", "open_match", "write_snapshot"]

_log = structlog.get_logger()

_RECENT = 8
"""Lines, at most, that an opened match comes with."""

_SUM = 32
_BEGIN = struct.Struct(">QI")
"""When the match was created, and the length of what follows."""


class Snapshot(NamedTuple):
    """A match as it stood after a line, and what else its table knows by then."""

    seq: int
    hash: str
    match: Match
    created_at: Instant
    answered: bytes
    """As `Answered.written` returns it."""


class Opening(NamedTuple):
    """A match as it is opened."""

    secrets: SecretChain
    fold: Fold
    recent: list[tuple[MatchLine, Match]]
    """Its last lines, each with the match after it; at least one."""
    answered: Answered
    created_at: Instant
    kept: int
    """The number of the line up to which a snapshot is kept; 0 for none."""


class _Start(NamedTuple):
    """A snapshot that is good, with the line that it is of."""

    line: MatchLine
    snapshot: Snapshot


def open_match(store: Store, match_id: str, decks: Decks = shuffle_for) -> Opening:
    """Return a match as the store holds it. It takes its time, and is for a thread.

    Raises NoSuchMatchError, and LogDamagedError for a log that cannot be folded.
    """
    start, lines = _started(store, match_id, decks, None)
    if start is None:
        first = next(lines, None) if is_match(match_id) else None
        if first is None:
            raise NoSuchMatchError(match_id)
        secrets = _secrets(store, match_id, _terms(match_id, first))
        fold, answered, created_at = Fold(secrets, decks), Answered(), None
        lines = chain((first,), lines)
        recent: deque[tuple[MatchLine, Match]] = deque(maxlen=_RECENT)
    else:
        line, snapshot = start
        secrets = _secrets(store, match_id, snapshot.match.terms)
        fold, answered = Fold(secrets, decks), Answered.read(snapshot.answered)
        fold.adopt(line, snapshot.match)
        recent, created_at = deque([(line, snapshot.match)], _RECENT), snapshot.created_at
    for line, match in folded(match_id, fold, lines):
        answered.add_line(line)
        recent.append((line, match))
        if created_at is None:
            created_at = line.at
    assert created_at is not None
    kept = 0 if start is None else start.snapshot.seq
    return Opening(secrets, fold, list(recent), answered, created_at, kept)


def history(
    store: Store, match_id: str, secrets: SecretChain, decks: Decks, first: int
) -> Iterator[tuple[MatchLine, Match]]:
    """Yield the lines of a match, each with the match after it, from line `first` on or before it.

    Raises LogDamagedError.
    """
    start, lines = _started(store, match_id, decks, first)
    fold = Fold(secrets, decks)
    if start is not None:
        fold.adopt(start.line, start.snapshot.match)
        yield start.line, start.snapshot.match
    yield from folded(match_id, fold, lines)


def folded(match_id: str, fold: Fold, lines: Iterator[bytes]) -> Iterator[tuple[MatchLine, Match]]:
    """Add lines to a fold and yield each with the match after it. Raises LogDamagedError."""
    for raw in lines:
        try:
            line = read_line(raw)
            match = fold.add(line)
        except (LineError, ValueError) as error:
            raise LogDamagedError(match_id, str(error)) from error
        yield line, match


def _terms(match_id: str, first: bytes) -> MatchCreated:
    try:
        created = read_line(first).event
    except LineError as error:
        raise LogDamagedError(match_id, str(error)) from error
    if not isinstance(created, MatchCreated):
        raise LogDamagedError(match_id, "its first event does not create a match")
    return created


def _secrets(store: Store, match_id: str, terms: MatchCreated) -> SecretChain:
    """Return the chain of a match's secrets, as long as its terms say."""
    try:
        secrets = kept_chain(store, match_id, terms)
    except ValueError as error:
        raise LogDamagedError(match_id, str(error)) from error
    if secrets is None:
        raise LogDamagedError(match_id, "the secrets of its decks are lost")
    return secrets


# --- snapshots ----------------------------------------------------------------------------------


def write_snapshot(match_id: str, snapshot: Snapshot) -> StoredSnapshot:
    """Return a snapshot as the store keeps it."""
    state = write_match(snapshot.match)
    rest = _BEGIN.pack(snapshot.created_at, len(state)) + state + snapshot.answered
    stored = StoredSnapshot(match_id, snapshot.seq, snapshot.hash, _code(), rest)
    return msgspec.structs.replace(stored, body=_sum(stored, rest) + rest)


def _code() -> str:
    """Return a digest of the code that makes snapshots: no other is to read them."""
    return code_digest("ginrummy.tables")


def _sum(stored: StoredSnapshot, rest: bytes) -> bytes:
    """Return what shows that nothing of a snapshot was changed by accident."""
    told = f"{stored.stream}\n{stored.seq}\n{stored.hash}\n{stored.code}\n"
    return sha256(told.encode() + rest).digest()


def _started(
    store: Store, match_id: str, decks: Decks, first: int | None
) -> tuple[_Start | None, Iterator[bytes]]:
    """Return the snapshot to start from, at line `first` at the latest, and the lines after it.

    None, with all lines, where there is none that is good.
    """
    # What is rehearsed with decks of its own is nobody else's.
    stored = store.snapshot(match_id) if decks is shuffle_for else None
    if stored is None or stored.code != _code() or (first is not None and stored.seq > first):
        return None, store.read(match_id)
    try:
        snapshot = _read(stored)
        lines = store.read(match_id, stored.seq - 1)
        line = _line_of(stored, lines)
    except (LineError, ValueError) as error:
        _log.warning("damaged snapshot", match=match_id, seq=stored.seq, why=str(error))
        return None, store.read(match_id)
    return _Start(line, snapshot), lines


def _line_of(stored: StoredSnapshot, lines: Iterator[bytes]) -> MatchLine:
    """Return the line that a snapshot is of. Raises ValueError where the log has another there."""
    raw = next(lines, None)
    if raw is None or line_hash(raw) != stored.hash:
        raise ValueError("the log has another line there")
    return read_line(raw)


def _read(stored: StoredSnapshot) -> Snapshot:
    """Return the snapshot that is stored. Raises ValueError for one that is damaged."""
    rest = stored.body[_SUM:]
    if stored.body[:_SUM] != _sum(stored, rest):
        raise ValueError("it is not as it was written")
    created_at, length = _BEGIN.unpack_from(rest)
    state, answered = rest[_BEGIN.size : _BEGIN.size + length], rest[_BEGIN.size + length :]
    Answered.read(answered)
    return Snapshot(stored.seq, stored.hash, read_match(state), created_at, answered)

"""One event as one line: the bytes that are stored, hashed and linked, for ever.

    event -> write_line -> Line -> store -> the same bytes -> read_line -> the same Line

A line is JSON in one canonical spelling, so that one event has one hash: the fields in their
order, no spaces, UTF-8, no newline. Each line holds the hash of the one before. The format is
described for readers without this code in docs/log-format.md.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from typing import Annotated, Any, Generic, TypeAlias, TypeVar, overload

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ginrummy.log.errors import MalformedLineError, UnknownEventError
from ginrummy.log.instants import Instant, InvalidInstantError, read_instant, write_instant
from ginrummy.log.upcast import OLD_FORMS, Forms
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeOpened,
    DisputeRuled,
    HandReplayed,
    ResultAdjusted,
)
from ginrummy.rules.errors import InvalidRulesetError
from ginrummy.rules.events import (
    ClockExpired,
    ClockPaused,
    ClockResumed,
    Discarded,
    DiscardTaken,
    Event,
    Forfeited,
    HandDealt,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    MatchCreated,
    MatchEnded,
    NonceRevealed,
    PlayerJoined,
    PositionRevealed,
    Resigned,
    SecretRevealed,
    StockDrawn,
    UpcardPassed,
)

__all__ = [
    "EVENT_TYPES",
    "FORMS",
    "GENESIS",
    "AnyLine",
    "Line",
    "MatchLine",
    "line_hash",
    "read_line",
    "write_line",
]

E = TypeVar("E", bound=msgspec.Struct)
E_co = TypeVar("E_co", bound=msgspec.Struct, covariant=True)
_Data = TypeVar("_Data")

GENESIS = "0" * 64
"""What a stream's first line holds for the hash of the one before."""

EVENT_TYPES: Mapping[str, type[Event]] = {
    "match_created": MatchCreated,
    "player_joined": PlayerJoined,
    "nonce_revealed": NonceRevealed,
    "hand_dealt": HandDealt,
    "upcard_passed": UpcardPassed,
    "stock_drawn": StockDrawn,
    "discard_taken": DiscardTaken,
    "discarded": Discarded,
    "knocked": Knocked,
    "laid_off": LaidOff,
    "hand_scored": HandScored,
    "hand_voided": HandVoided,
    "secret_revealed": SecretRevealed,
    "position_revealed": PositionRevealed,
    "clock_paused": ClockPaused,
    "clock_resumed": ClockResumed,
    "clock_expired": ClockExpired,
    "resigned": Resigned,
    "forfeited": Forfeited,
    "match_ended": MatchEnded,
    "dispute_opened": DisputeOpened,
    "dispute_ruled": DisputeRuled,
    "dispute_appealed": DisputeAppealed,
    "hand_replayed": HandReplayed,
    "result_adjusted": ResultAdjusted,
}
"""Every event by its stored name. A class may be renamed; the names are the format and may not."""

FORMS: Forms[Event] = Forms(EVENT_TYPES, OLD_FORMS)
"""Every form of a match's events that this program reads and writes."""


# A line and its parts refer to nothing that could refer back, so the garbage collector
# need not look at the millions of them that an audit makes.
class Line(msgspec.Struct, Generic[E_co], frozen=True, gc=False):
    """A stored line of a stream whose events are `E_co`: its bytes, and what they say."""

    raw: bytes
    """The line itself, without a newline."""
    hash: str
    """SHA-256 of `raw`, in hex: what the next line's `prev` is."""
    stream: str
    """What it happened to: a match's id, or a tournament's."""
    seq: int
    """Its number in the stream, from 1."""
    at: Instant
    by: str
    """Who caused it: a player's id, `server`, or a director."""
    cmd: str
    """The request id of the command it came from; empty where the server acted by itself."""
    type: str
    """The event's stored name."""
    v: int
    """The version of the form that the line is in; `event` is of the newest one all the same."""
    event: E_co
    prev: str
    """The hash of the line before; GENESIS in the first."""
    sig: str | None
    """The player's signature over the move, in hex, where they sign."""


MatchLine: TypeAlias = Line[Event]
"""A line of a match."""

AnyLine: TypeAlias = Line[msgspec.Struct]
"""A line of any stream."""


class _Envelope(msgspec.Struct, Generic[_Data], kw_only=True, forbid_unknown_fields=True, gc=False):
    """A line's fields, in their stored order."""

    v: Annotated[int, Meta(ge=1)]
    stream: Annotated[str, Meta(min_length=1)]
    seq: Annotated[int, Meta(ge=1)]
    at: str
    by: Annotated[str, Meta(min_length=1)]
    cmd: str
    type: str
    data: _Data
    sig: Annotated[str, Meta(pattern=r"^[0-9a-f]{128}\Z")] | UnsetType = UNSET
    prev: str


# A line names its data's type after it is open, so the data stays bytes until then.
_decode_envelope: Callable[[bytes], _Envelope[Any]]
_decode_envelope = msgspec.json.Decoder(_Envelope[msgspec.Raw]).decode
_encode = msgspec.json.Encoder().encode

_is_hash = re.compile("[0-9a-f]{64}").fullmatch

_UNREADABLE = (
    msgspec.DecodeError,
    InvalidInstantError,
    InvalidRulesetError,
    RecursionError,  # JSON nested without end
)


def line_hash(raw: bytes) -> str:
    """Return the hash of a line's bytes, in hex."""
    return sha256(raw).hexdigest()


@overload
def write_line(
    stream: str,
    seq: int,
    at: Instant,
    by: str,
    cmd: str,
    event: Event,
    prev: str,
    *,
    sig: str | None = None,
) -> MatchLine: ...
@overload
def write_line(
    stream: str,
    seq: int,
    at: Instant,
    by: str,
    cmd: str,
    event: E,
    prev: str,
    *,
    sig: str | None = None,
    forms: Forms[E],
) -> Line[E]: ...
def write_line(  # noqa: PLR0913 -- the fields of a line
    stream: str,
    seq: int,
    at: Instant,
    by: str,
    cmd: str,
    event: msgspec.Struct,
    prev: str,
    *,
    sig: str | None = None,
    forms: Forms[Any] = FORMS,
) -> Line[Any]:
    """Return the line that records `event` after the line whose hash is `prev`.

    `forms` are those of the stream's events; a match's unless given. The line is read back before
    it is returned, so what could not be read later is never stored: raises MalformedLineError for
    it, and InvalidInstantError for an `at` that has no text.
    """
    # What reads back as the same fields would be written again as the same bytes, and so is in the
    # canonical spelling: it need not be written a second time, as what others wrote has to be.
    name, version = forms.newest(event)
    envelope = _Envelope(
        v=version,
        stream=stream,
        seq=seq,
        at=write_instant(at),
        by=by,
        cmd=cmd,
        type=name,
        data=event,
        sig=UNSET if sig is None else sig,
        prev=prev,
    )
    raw = _encode(envelope)
    try:
        read = _envelope_decoder(type(event))(raw)
    except _UNREADABLE as error:
        raise _malformed(raw, str(error)) from error
    if read != envelope or not _is_hash(prev):
        raise _malformed(raw, "it does not read back as what was to be written")
    return Line(
        raw, sha256(raw).hexdigest(), stream, seq, at, by, cmd, name, version, event, prev, sig
    )


@cache
def _envelope_decoder(event: type[msgspec.Struct]) -> Callable[[bytes], _Envelope[Any]]:
    """Return what reads a line of which the event's type is known before."""
    decode: Callable[[bytes], _Envelope[Any]] = msgspec.json.Decoder(
        _Envelope[event]  # type: ignore[valid-type]  # known only now
    ).decode
    return decode


@overload
def read_line(raw: bytes) -> MatchLine: ...
@overload
def read_line(raw: bytes, forms: Forms[E]) -> Line[E]: ...
def read_line(raw: bytes, forms: Forms[Any] = FORMS) -> Line[Any]:
    """Return the line that `raw`, without its newline, stores.

    `forms` are those of the stream's events; a match's unless given.

    Raises MalformedLineError for everything but the canonical spelling: what was read is written
    again, in the line's own version, and must come out as the same bytes. So other field orders,
    spaces, escapes, number forms, doubled or missing fields are refused, in old forms too.
    Raises UnknownEventError for an event whose type or version `forms` does not hold.
    """
    try:
        envelope = _decode_envelope(raw)
        at = read_instant(envelope.at)
    except _UNREADABLE as error:
        raise _malformed(raw, str(error)) from error
    if not _is_hash(envelope.prev):
        raise _malformed(raw, f"prev {envelope.prev!r} is not 64 lower-case hex digits")
    form = forms.find(envelope.type, envelope.v)
    if form is None:
        raise UnknownEventError(envelope.type, envelope.v, envelope.stream, envelope.seq)
    try:
        data = form.decode(envelope.data)
    except _UNREADABLE as error:
        raise _malformed(raw, f"data of {envelope.type}: {error}") from error
    envelope.data = data
    canonical = _encode(envelope)
    if canonical != raw:
        raise _malformed(raw, _difference(canonical, raw))
    return Line(
        raw,
        sha256(raw).hexdigest(),
        envelope.stream,
        envelope.seq,
        at,
        envelope.by,
        envelope.cmd,
        envelope.type,
        envelope.v,
        form.event(data),
        envelope.prev,
        None if envelope.sig is UNSET else envelope.sig,
    )


class _Place(msgspec.Struct):
    """As much of a malformed line as says which it is."""

    stream: str | None = None
    seq: int | None = None


def _malformed(raw: bytes, what: str) -> MalformedLineError:
    try:
        place = msgspec.json.decode(raw, type=_Place)
    except _UNREADABLE:
        place = _Place()
    return MalformedLineError(what, place.stream, place.seq)


def _difference(canonical: bytes, raw: bytes) -> str:
    """Say where a line leaves the canonical form."""
    shorter = min(len(canonical), len(raw))
    at = next((i for i in range(shorter) if canonical[i] != raw[i]), shorter)
    return (
        f"not in canonical form from byte {at} on: {_excerpt(raw, at)}"
        f" where {_excerpt(canonical, at)} should stand"
    )


def _excerpt(line: bytes, at: int) -> str:
    return repr(line[at : at + 24].decode(errors="backslashreplace")) if line[at:] else "its end"

"""Head hashes that somebody was told and keeps: a small file, one line of JSON for each.

With it they can show later that a log is not the one that they were shown at the time.
"""

from collections.abc import Mapping

import msgspec

from ginrummy.log.instants import Instant, InvalidInstantError, read_instant, write_instant

__all__ = ["MalformedHeadsError", "read_heads", "write_head"]


class MalformedHeadsError(ValueError):
    """Bytes that are no file of head hashes."""


class _Head(msgspec.Struct, forbid_unknown_fields=True):
    """One line: the number of an event, the hash of its line, and when it was recorded."""

    seq: int
    hash: str
    at: str


_decode = msgspec.json.Decoder(_Head).decode
_encode = msgspec.json.Encoder().encode


def write_head(seq: int, head_hash: str, at: Instant) -> bytes:
    """Return the line that keeps a head, with its newline."""
    return _encode(_Head(seq, head_hash, write_instant(at))) + b"\n"


def read_heads(raw: bytes) -> Mapping[int, str]:
    """Return the hashes by their event's number.

    What was being written when a program was killed is left out: an unfinished last line. Raises
    MalformedHeadsError for every other line that keeps no head, and where one event has two hashes.
    """
    heads: dict[int, str] = {}
    *lines, _unfinished = raw.split(b"\n")
    for number, line in enumerate(lines, 1):
        try:
            head = _decode(line)
            read_instant(head.at)
        except (msgspec.DecodeError, InvalidInstantError) as error:
            raise MalformedHeadsError(f"line {number} keeps no head: {error}") from error
        if head.seq < 1 or len(head.hash) != 64:
            raise MalformedHeadsError(f"line {number} keeps no head: event and hash cannot be")
        if heads.setdefault(head.seq, head.hash) != head.hash:
            raise MalformedHeadsError(f"event {head.seq} was told with two hashes: both are kept")
    if not heads:
        raise MalformedHeadsError("there is no head in it")
    return heads

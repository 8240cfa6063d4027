"""What a log has of one dispute: the claim, the rulings, and the results before and after them.

It is what the lines say, in their own words and with their numbers, and nothing is worked out.
"""

from collections.abc import Iterable, Iterator

import msgspec

from ginrummy.log.errors import LineError
from ginrummy.log.instants import write_instant
from ginrummy.log.lines import MatchLine, read_line
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeOpened,
    DisputeRuled,
    HandReplayed,
    ResultAdjusted,
)
from ginrummy.rules.events import Event, MatchEnded

__all__ = ["Claim", "Said", "claim_of"]


class Said(msgspec.Struct, frozen=True):
    """A line, as far as it is about the dispute."""

    seq: int
    at: str
    by: str
    data: Event


class Claim(msgspec.Struct, frozen=True):
    """A dispute as the log has it."""

    match: str
    dispute: int
    opened: Said
    rulings: tuple[Said, ...]
    appeal: Said | None
    replays: tuple[Said, ...]
    adjustments: tuple[Said, ...]
    """The results that followed from what was ruled on it."""
    as_played: Said | None
    """The match's end."""
    stands: Said | None
    """The result as it stands at the log's end."""


def claim_of(lines: Iterable[bytes], dispute: int) -> Claim | None:
    """Return what the lines have of a dispute; None where they have none of that number."""
    own: dict[type[Event], list[Said]] = {}
    ended: Said | None = None
    stands: Said | None = None
    stream = ""
    for line in _readable(lines):
        event = line.event
        said = Said(line.seq, write_instant(line.at), line.by, event)
        if isinstance(event, MatchEnded | ResultAdjusted):
            stream, stands = line.stream, said
            ended = said if isinstance(event, MatchEnded) else ended
        if getattr(event, "dispute", None) == dispute:
            own.setdefault(type(event), []).append(said)
    opened = own.get(DisputeOpened)
    if not opened:
        return None
    appeals = own.get(DisputeAppealed, [])
    return Claim(
        match=stream,
        dispute=dispute,
        opened=opened[0],
        rulings=tuple(own.get(DisputeRuled, ())),
        appeal=appeals[0] if appeals else None,
        replays=tuple(own.get(HandReplayed, ())),
        adjustments=tuple(own.get(ResultAdjusted, ())),
        as_played=ended,
        stands=stands,
    )


_OF_DISPUTES = (b'"type":"match_ended"', b'"type":"result_adjusted"', b'"dispute":')


def _readable(lines: Iterable[bytes]) -> Iterator[MatchLine]:
    """Yield the lines that may be about disputes, those that cannot be read left out."""
    for raw in lines:
        if any(mark in raw for mark in _OF_DISPUTES):
            try:
                yield read_line(raw)
            except LineError:
                continue

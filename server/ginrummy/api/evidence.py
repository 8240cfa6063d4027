"""Evidence bundles over the network: who may have one, of what, and in what pieces."""

import re
from collections.abc import Iterator, Sequence

import msgspec

from ginrummy.api.auth import Caller
from ginrummy.api.errors import InvalidFieldError, NotPermittedError
from ginrummy.evidence.bundle.archive import LARGEST_MEMBER
from ginrummy.evidence.bundle.errors import BundleTooLargeError, NothingToBundleError
from ginrummy.evidence.bundle.inputs import KeptHeads
from ginrummy.evidence.bundle.making import make_bundle
from ginrummy.evidence.bundle.replaying import replayed_matches
from ginrummy.log.errors import LineError
from ginrummy.log.heads import MalformedHeadsError, read_heads
from ginrummy.log.lines import read_line
from ginrummy.log.notes import VerifierKey
from ginrummy.rules.events import PlayerJoined
from ginrummy.store import Store
from ginrummy.tables.errors import LimitReachedError
from ginrummy.v1 import log_service_pb2 as pb

__all__ = ["EvidenceWish", "check_may_have", "evidence", "pieces", "wish_from"]

_PIECE = 1 << 20
"""Bytes of a message, far below gRPC's default of 4 MiB."""

_is_holder = re.compile(r"seat-[01]|other-[1-9][0-9]?").fullmatch

_JUDGES = ("director", "auditor")


class EvidenceWish(msgspec.Struct, frozen=True):
    """What a bundle is to be about, and what somebody has kept."""

    dispute: int | None
    event: int | None
    heads: tuple[KeptHeads, ...]


def wish_from(request: pb.GetEvidenceRequest) -> EvidenceWish:
    """Return what is asked for. Raises InvalidFieldError."""
    if request.dispute < 0 or request.event < 0:
        field = "dispute" if request.dispute < 0 else "event"
        raise InvalidFieldError(field, "it is no number of one: they go from 1")
    if request.dispute and request.event:
        raise InvalidFieldError("event", "a dispute says by itself which event it is about")
    heads = tuple(map(_heads_from, request.heads))
    if len({each.holder for each in heads}) < len(heads):
        raise InvalidFieldError("heads", "each holder's hashes come once")
    return EvidenceWish(request.dispute or None, request.event or None, heads)


def _heads_from(kept: pb.KeptHeads) -> KeptHeads:
    if _is_holder(kept.holder) is None:
        raise InvalidFieldError("heads.holder", f"{kept.holder!r} is not seat-0, seat-1 or other-1")
    try:
        read_heads(kept.heads)
    except MalformedHeadsError as error:
        raise InvalidFieldError("heads.heads", str(error)) from error
    return KeptHeads(kept.holder, kept.heads)


def check_may_have(caller: Caller, lines: Sequence[bytes]) -> None:
    """Check that a caller may have the evidence of a match. Raises NotPermittedError.

    A match is disputed by who has played it and judged by directors and auditors.
    """
    if caller.role in _JUDGES or caller.player in _players(lines):
        return
    raise NotPermittedError("evidence is for whoever has played the match, directors and auditors")


def _players(lines: Sequence[bytes]) -> Iterator[str]:
    for raw in lines:
        if b'"type":"player_joined"' in raw:
            try:
                event = read_line(raw).event
            except LineError:
                continue
            if isinstance(event, PlayerJoined):
                yield event.player


def evidence(
    store: Store, lines: Sequence[bytes], wish: EvidenceWish, receipt: bytes, key: VerifierKey
) -> bytes:
    """Return a match's evidence bundle. Raises InvalidFieldError and LimitReachedError."""
    try:
        replays = replayed_matches(lines, wish.dispute)
        return make_bundle(
            lines,
            dispute=wish.dispute,
            event=wish.event,
            receipt=receipt,
            key=key,
            heads=wish.heads,
            replays={match: list(store.read(match)) for match in replays},
        )
    except NothingToBundleError as error:
        raise InvalidFieldError("dispute" if wish.dispute else "event", str(error)) from error
    except BundleTooLargeError as error:
        raise LimitReachedError("bytes of one match", LARGEST_MEMBER) from error


def pieces(bundle: bytes) -> Iterator[bytes]:
    """Yield a bundle in pieces that a message takes."""
    return (bundle[at : at + _PIECE] for at in range(0, len(bundle), _PIECE))

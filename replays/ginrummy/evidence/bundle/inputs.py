"""What a bundle is made of: what was stored, signed and kept, and nothing that follows from it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from ginrummy.audit.receipts import Kept
from ginrummy.evidence.bundle.build import Build
from ginrummy.evidence.bundle.errors import NothingToBundleError
from ginrummy.evidence.bundle.manifest import Subject
from ginrummy.log.errors import LineError
from ginrummy.log.heads import MalformedHeadsError, read_heads
from ginrummy.log.lines import MatchLine, line_hash, read_line
from ginrummy.log.notes import VerifierKey
from ginrummy.log.receipts import read_receipt
from ginrummy.log.record import Record
from ginrummy.rules.disputes.events import DisputeOpened

__all__ = ["Inputs", "KeptHeads", "kept_of", "subject_of"]


class KeptHeads(msgspec.Struct, frozen=True):
    """The hashes that somebody was told, as their program keeps them."""

    holder: str
    """`seat-0`, `seat-1`, or `other-1` and so on for whoever else has them."""
    raw: bytes


class Inputs(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a bundle is made of."""

    subject: Subject
    lines: tuple[bytes, ...]
    """The match's stored lines."""
    receipt: bytes | None
    """The receipt of the log's last line, with its checkpoint."""
    key: VerifierKey | None
    """The key of the server that signed it."""
    heads: tuple[KeptHeads, ...]
    replays: dict[str, tuple[bytes, ...]]
    """The logs of the matches in which the disputed hand was played again, by their ids."""
    build: Build

    @property
    def read(self) -> Iterator[MatchLine]:
        """The lines that can be read, one after the other."""
        return _readable(self.lines)

    @property
    def record(self) -> Record:
        """Where the hands lie in the log."""
        record = Record()
        for line in self.read:
            record.add(line.seq, line.event)
        return record


def subject_of(
    lines: Sequence[bytes], *, dispute: int | None = None, event: int | None = None
) -> Subject:
    """Return what a bundle is about: a dispute, an event, or without either the match's end.

    Lines that cannot be read are passed over: that they cannot is evidence as well. Raises
    NothingToBundleError where the log has no such dispute or event.
    """
    read = list(_readable(lines))
    if not read:
        raise NothingToBundleError("none of the lines is an event of a match")
    stream, record = read[0].stream, Record()
    for line in read:
        record.add(line.seq, line.event)
    if dispute is not None:
        opened = [line.event for line in read if isinstance(line.event, DisputeOpened)]
        found = next((each for each in opened if each.dispute == dispute), None)
        if found is None:
            there = f"the last one is {opened[-1].dispute}" if opened else "there is none"
            raise NothingToBundleError(f"there is no dispute {dispute} over {stream}: {there}")
        return Subject(stream, dispute, found.hand, found.event)
    if event is None:
        return Subject(stream, None, None, record.end or len(lines))
    if event > len(lines):
        raise NothingToBundleError(f"there is no event {event} in {stream}: {len(lines)} are there")
    return Subject(stream, None, record.hand_at(event), event)


def _readable(lines: Iterable[bytes]) -> Iterator[MatchLine]:
    for raw in lines:
        try:
            yield read_line(raw)
        except LineError:
            continue


def _heads(kept: KeptHeads) -> Mapping[int, str]:
    try:
        return read_heads(kept.raw)
    except MalformedHeadsError as error:
        raise MalformedHeadsError(f"heads of {kept.holder}: {error}") from error


def kept_of(inputs: Inputs) -> Kept | None:
    """Return all that is held of the log, for its audit; None where nothing is.

    Where two hold different hashes of one event, the one counts that is not the log's. Raises
    MalformedHeadsError and MalformedReceiptError.
    """
    if not inputs.heads and inputs.receipt is None:
        return None
    heads: dict[int, str] = {}
    own = dict(enumerate(map(line_hash, inputs.lines), start=1)) if inputs.heads else {}
    for each in inputs.heads:
        for seq, head in _heads(each).items():
            if heads.setdefault(seq, head) == own.get(seq):
                heads[seq] = head
    receipt = None if inputs.receipt is None else read_receipt(inputs.receipt)
    return Kept(heads, receipt, inputs.key)

"""The audit of a whole log: the lines of all streams, against what was signed of them earlier.

    lines in commit order ──> their tree, grown anew ──> its root at each size that was signed

Nothing that was stored of the tree is taken on trust. A line that was changed, left out, added,
doubled or moved before a checkpoint gives another root at its size; a log that was cut is smaller.
"""

from collections.abc import Iterable, Sequence

import msgspec

from ginrummy.log.checkpoints import Checkpoint
from ginrummy.log.lines import GENESIS, line_hash
from ginrummy.log.merkle import EMPTY_ROOT, GrowingRoot, leaf_hash
from ginrummy.log.notes import VerifierKey
from ginrummy.log.signing import UnsignedNoteError, check_signed

__all__ = ["WholeFault", "WholeReport", "audit_whole", "signature_fault", "whole_text"]

_SHOWN = 100
"""Faults that a report lists."""


class WholeFault(msgspec.Struct, frozen=True):
    """Something that is not as it has to be."""

    check: str
    """`checkpoint`, `signature` or `chain`."""
    line: int
    """The size of the checkpoint at fault, or the number of the line among all, from 1."""
    message: str


class WholeReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was found of a whole log."""

    lines: int
    """How many lines it has."""
    root: str
    """The root of the tree over them, in hex; empty where the lines themselves were not read."""
    checkpoints: tuple[int, ...]
    """The sizes of the checkpoints that were compared, the smallest first."""
    clean: bool
    faults: tuple[WholeFault, ...]


class _Place(msgspec.Struct, gc=False):
    """As much of a line as says where it stands."""

    stream: str
    seq: int
    prev: str


_decode = msgspec.json.Decoder(_Place).decode


def audit_whole(
    lines: Iterable[bytes], checkpoints: Sequence[Checkpoint], key: VerifierKey
) -> WholeReport:
    """Return what the lines of a whole log, in commit order, are against its checkpoints.

    `key` is the log's own: what it has not signed proves nothing and is a fault. No more than a
    hash a stream is held, whatever the log's length.
    """
    faults = [fault for each in checkpoints if (fault := signature_fault(each, key)) is not None]
    waiting = sorted(checkpoints, key=lambda each: each.size, reverse=True)
    tree, heads = GrowingRoot(), dict[str, tuple[int, str]]()
    while waiting and waiting[-1].size == 0:
        _compare(waiting.pop(), EMPTY_ROOT, faults)
    for raw in lines:
        tree.add(leaf_hash(raw))
        _follow(raw, tree.size, heads, faults)
        while waiting and waiting[-1].size == tree.size:
            _compare(waiting.pop(), tree.root(), faults)
    for each in reversed(waiting):
        message = f"{each.size} lines were signed, and {tree.size} are there: its end was cut off"
        faults.append(WholeFault("checkpoint", each.size, message))
    return WholeReport(
        lines=tree.size,
        root=tree.root().hex(),
        checkpoints=tuple(sorted({each.size for each in checkpoints})),
        clean=not faults,
        faults=tuple(faults[:_SHOWN]),
    )


def signature_fault(checkpoint: Checkpoint, key: VerifierKey) -> WholeFault | None:
    """Return what is wrong with a checkpoint's signature; None where it is the key's own."""
    try:
        check_signed(checkpoint.note, key)
    except UnsignedNoteError as error:
        return WholeFault("signature", checkpoint.size, f"the checkpoint proves nothing: {error}")
    if checkpoint.origin != key.name:
        message = f"the checkpoint is of the log {checkpoint.origin}, not of {key.name}"
        return WholeFault("signature", checkpoint.size, message)
    return None


def whole_text(report: WholeReport) -> str:
    """Return the report as plain text for people, with a newline at its end."""
    compared = ", ".join(map(str, report.checkpoints))
    said = [f"{report.lines} lines, compared with the checkpoints of {compared} lines"]
    if report.root:
        said.append(f"root {report.root}")
    said += [f"{fault.check} at {fault.line}: {fault.message}" for fault in report.faults]
    number = len(report.faults)
    said.append(
        "Clean: the log has only grown since."
        if report.clean
        else f"NOT CLEAN: {number} fault{'s' if number > 1 else ''} found."
    )
    text = "\n".join([*said, ""])
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in text)


def _compare(checkpoint: Checkpoint, root: bytes, faults: list[WholeFault]) -> None:
    if checkpoint.root != root:
        message = (
            f"the first {checkpoint.size} lines are not those that were signed: one was changed,"
            " left out, added or moved since"
        )
        faults.append(WholeFault("checkpoint", checkpoint.size, message))


def _follow(
    raw: bytes, number: int, heads: dict[str, tuple[int, str]], faults: list[WholeFault]
) -> None:
    """Check that a line continues its stream."""
    try:
        place = _decode(raw)
    except msgspec.DecodeError as error:
        if len(faults) < _SHOWN:
            faults.append(WholeFault("chain", number, f"this line cannot be read: {error}"))
        return
    seq, prev = heads.get(place.stream, (0, GENESIS))
    if (place.seq, place.prev) != (seq + 1, prev) and len(faults) < _SHOWN:
        message = f"event {place.seq} of {place.stream} does not continue its event {seq}"
        faults.append(WholeFault("chain", number, message))
    heads[place.stream] = (place.seq, line_hash(raw))

"""Receipts (c2sp.org/tlog-proof): that one line was in the tree that a checkpoint signs.

A receipt is for a stream's last line, and so, by the chain, for the whole log before it. Its extra
data names the stream and the line's number; nobody has to trust that, since the proof is of the
line itself.
"""

import re
from base64 import b64encode

import msgspec

from ginrummy.log.checkpoints import Checkpoint, read_checkpoint
from ginrummy.log.merkle import HASH_BYTES, check_inclusion
from ginrummy.log.notes import MalformedNoteError, read_base64

__all__ = ["RECEIPT_HEADER", "MalformedReceiptError", "Receipt", "read_receipt", "write_receipt"]

RECEIPT_HEADER = "c2sp.org/tlog-proof@v1"
"""The first line, by which a receipt is told from every other file."""

_LEVELS = 64
"""A tree has no more of them: its size is a number of 63 bits."""

_EXTRA = "extra "

_is_index = re.compile("index (0|[1-9][0-9]{0,18})", re.ASCII).fullmatch
_is_named = re.compile(r"(\w{1,64}) ([1-9][0-9]{0,18})", re.ASCII).fullmatch


class MalformedReceiptError(ValueError):
    """Bytes that are no receipt."""


class Receipt(msgspec.Struct, frozen=True):
    """A line's place in a log, with what proves it."""

    stream: str
    """The stream that the line is of, as the receipt says; empty where it does not say."""
    seq: int
    """The line's number there; 0 where it does not say."""
    index: int
    """The line's number among all lines of the log, from 0."""
    proof: tuple[bytes, ...]
    checkpoint: Checkpoint

    def check(self, leaf: bytes) -> None:
        """Check that the line of that leaf hash is in the tree. Raises InvalidProofError.

        The checkpoint's own signature is not looked at.
        """
        then = self.checkpoint
        check_inclusion(self.index, then.size, leaf, self.proof, then.root)


def write_receipt(
    stream: str, seq: int, index: int, proof: list[bytes], checkpoint: bytes
) -> bytes:
    """Return the receipt of a line, as it is kept in a file; `checkpoint` is the signed note."""
    extra = b64encode(f"{stream} {seq}".encode()).decode()
    head = [RECEIPT_HEADER, f"extra {extra}", f"index {index}"]
    hashes = [b64encode(each).decode() for each in proof]
    return "\n".join([*head, *hashes, "", ""]).encode() + checkpoint


def read_receipt(raw: bytes) -> Receipt:
    """Return what a receipt says. Raises MalformedReceiptError; nothing is checked yet."""
    head, _, note = raw.partition(b"\n\n")
    header, *lines = head.decode("ascii", errors="replace").split("\n")
    if header != RECEIPT_HEADER:
        raise MalformedReceiptError(f"a receipt begins with {RECEIPT_HEADER}")
    try:
        checkpoint = read_checkpoint(note)
        stream, seq = "", 0
        if lines and lines[0].startswith(_EXTRA):
            stream, seq = _read_extra(lines.pop(0).removeprefix(_EXTRA))
        index = _is_index(lines.pop(0)) if lines else None
        proof = tuple(map(read_base64, lines))
    except MalformedNoteError as error:
        raise MalformedReceiptError(f"its checkpoint: {error}") from error
    except ValueError as error:
        raise MalformedReceiptError(str(error)) from error
    if index is None:
        raise MalformedReceiptError("it does not say which line of the log it is for")
    if len(proof) > _LEVELS or any(len(each) != HASH_BYTES for each in proof):
        raise MalformedReceiptError(f"a proof is some hashes of {HASH_BYTES} bytes, one a line")
    return Receipt(stream, seq, int(index[1]), proof, checkpoint)


def _read_extra(text: str) -> tuple[str, int]:
    """Return the stream and the number that the extra data name; other data name nothing."""
    found = _is_named(read_base64(text).decode(errors="replace"))
    return (found[1], int(found[2])) if found else ("", 0)

"""Checkpoints (c2sp.org/tlog-checkpoint): what a log was at one size, signed by who keeps it."""

import re
from base64 import b64encode

import msgspec

from ginrummy.log.merkle import HASH_BYTES
from ginrummy.log.notes import MalformedNoteError, Note, read_base64, read_note

__all__ = ["Checkpoint", "checkpoint_text", "read_checkpoint"]

_is_size = re.compile("0|[1-9][0-9]{0,18}", re.ASCII).fullmatch


class Checkpoint(msgspec.Struct, frozen=True):
    """A log's size and root. It counts once its note's signature was checked."""

    origin: str
    """Which log."""
    size: int
    """How many leaves the tree has."""
    root: bytes
    note: Note
    """What it was read from, for its signatures."""


def checkpoint_text(origin: str, size: int, root: bytes) -> str:
    """Return the text to be signed that says how large the log is, and what its root is."""
    return f"{origin}\n{size}\n{b64encode(root).decode()}\n"


def read_checkpoint(raw: bytes) -> Checkpoint:
    """Return what a checkpoint says. Raises MalformedNoteError; no signature is checked."""
    note = read_note(raw)
    lines = note.text[:-1].split("\n")
    if len(lines) < 3 or not all(lines):
        raise MalformedNoteError("a checkpoint is three lines: origin, size and root")
    origin, size, encoded = lines[:3]
    if _is_size(size) is None:
        raise MalformedNoteError(f"{size!r} is not the size of a log")
    try:
        root = read_base64(encoded)
    except ValueError:
        root = b""
    if len(root) != HASH_BYTES:
        raise MalformedNoteError(f"{encoded!r} is not a root: {HASH_BYTES} bytes in base64")
    return Checkpoint(origin, int(size), root, note)

"""Signed notes (c2sp.org/signed-note): a text, and the signatures of whoever stands by it.

    text, signature ──> write_note ──> the note's bytes ──> read_note ──> Note

A key that checks is one line of text, `name+key id+base64`, to be kept and passed on (VerifierKey).
What signs and checks is in `signing`; whoever only reads a note needs no cryptography.
"""

import re
from base64 import b64decode, b64encode
from hashlib import sha256
from typing import Self

import msgspec

__all__ = [
    "PUBLIC_BYTES",
    "InvalidKeyError",
    "MalformedNoteError",
    "Note",
    "NoteSignature",
    "VerifierKey",
    "read_base64",
    "read_note",
    "write_note",
]

PUBLIC_BYTES = 32
"""How long an Ed25519 key's public half is."""

_ED25519 = b"\x01"
"""The byte that says which kind of signature a key makes."""

_ID_BYTES = 4

_LONGEST = 1 << 20
"""In bytes. Far more than 16 signatures of any kind take."""

_is_name = re.compile(r"[^\s+]+").fullmatch
_SIGNATURE = re.compile(r"\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})")
_has_controls = re.compile(r"[\x00-\x09\x0b-\x1f]").search


class MalformedNoteError(ValueError):
    """Bytes that are no signed note, or not of the kind that is wanted."""


class InvalidKeyError(ValueError):
    """A text that is no verifier key."""


class NoteSignature(msgspec.Struct, frozen=True):
    """One line under a note."""

    name: str
    """Whose it says it is."""
    key_id: bytes
    """Four bytes that tell keys of one name apart."""
    signature: bytes


class Note(msgspec.Struct, frozen=True):
    """A note as it was read. Nothing of it counts before a signature was checked."""

    text: str
    """What is signed, with its last newline."""
    signatures: tuple[NoteSignature, ...]


class VerifierKey(msgspec.Struct, frozen=True):
    """The public half of an Ed25519 key, by which signatures are checked."""

    name: str
    """Whose it is: no white space, no plus."""
    public: bytes

    def __post_init__(self) -> None:
        if _is_name(self.name) is None:
            raise InvalidKeyError(f"{self.name!r} is no key's name: it is empty, or has + or space")
        if len(self.public) != PUBLIC_BYTES:
            raise InvalidKeyError(f"{self.name}: a public key has {PUBLIC_BYTES} bytes")

    @classmethod
    def read(cls, text: str) -> Self:
        """Read `name+key id+base64`. Raises InvalidKeyError."""
        name, _, rest = text.partition("+")
        key_id, _, encoded = rest.partition("+")
        try:
            material = read_base64(encoded)
        except ValueError:
            material = b""
        if material[:1] != _ED25519 or len(material) != 1 + PUBLIC_BYTES:
            raise InvalidKeyError(f"{text!r} is no Ed25519 verifier key: name+key id+base64")
        key = cls(name, material[1:])
        if key_id != key.key_id.hex():
            raise InvalidKeyError(f"{text!r} has another key id than its name and key make")
        return key

    @property
    def key_id(self) -> bytes:
        """What its signatures begin with."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.public).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        encoded = b64encode(_ED25519 + self.public).decode()
        return f"{self.name}+{self.key_id.hex()}+{encoded}"


def write_note(text: str, signature: NoteSignature) -> bytes:
    """Return the note of a text, which ends with a newline, with one signature below."""
    if not text.endswith("\n") or _has_controls(text) is not None:
        raise ValueError("a note's text ends with a newline and has no other control character")
    encoded = b64encode(signature.key_id + signature.signature).decode()
    return f"{text}\n\u2014 {signature.name} {encoded}\n".encode()


def read_note(raw: bytes) -> Note:
    """Return what a signed note says. Raises MalformedNoteError; no signature is checked."""
    try:
        whole = raw.decode()
    except UnicodeDecodeError:
        raise MalformedNoteError("a note is UTF-8 text") from None
    if len(raw) > _LONGEST or _has_controls(whole) is not None:
        raise MalformedNoteError("a note is of a few lines, without control characters")
    text, blank, below = whole.rpartition("\n\n")
    if not (blank and below.endswith("\n")):
        raise MalformedNoteError("a note is a text, an empty line, and lines with signatures")
    return Note(f"{text}\n", tuple(map(_read_signature, below[:-1].split("\n"))))


def read_base64(text: str) -> bytes:
    """Return what a base64 text holds, in its one spelling. Raises ValueError for any other."""
    data = b64decode(text, validate=True)
    if b64encode(data).decode() != text:
        raise ValueError(f"{text!r} is not in base64's one spelling")
    return data


def _read_signature(line: str) -> NoteSignature:
    found = _SIGNATURE.fullmatch(line)
    try:
        data = read_base64(found[2]) if found else b""
    except ValueError:
        data = b""
    if found is None or len(data) <= _ID_BYTES:
        raise MalformedNoteError(f"{line[:80]!r} is no signature of a note")
    return NoteSignature(found[1], data[:_ID_BYTES], data[_ID_BYTES:])

"""The manifest of a bundle: what it is about, and the SHA-256 of every member."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Literal

import msgspec

__all__ = [
    "MANIFEST",
    "SUMS",
    "Manifest",
    "MemberHash",
    "Subject",
    "read_manifest",
    "write_manifest",
    "write_sums",
]

MANIFEST = "manifest.json"
SUMS = "SHA256SUMS"
"""The same hashes as `sha256sum --check` takes them."""

_Number = Annotated[int, msgspec.Meta(ge=1)]


class Subject(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bundle is about."""

    match: str
    """The match's id."""
    dispute: _Number | None
    """The number of the dispute; null where it is about none."""
    hand: _Number | None
    """The disputed hand, or the one that the event is of; null for the match as a whole."""
    event: _Number
    """The event that it is about."""


class MemberHash(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One member."""

    name: str
    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is in a bundle."""

    format: Literal["ginrummy/evidence/v1"]
    subject: Subject
    members: tuple[MemberHash, ...]
    """All members but the manifest, in their order."""


def write_manifest(subject: Subject, members: Mapping[str, bytes]) -> bytes:
    """Return the manifest of these members, for people to read as well."""
    hashes = tuple(
        MemberHash(name, len(data), sha256(data).hexdigest()) for name, data in members.items()
    )
    manifest = Manifest("ginrummy/evidence/v1", subject, hashes)
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"


def write_sums(members: Mapping[str, bytes]) -> bytes:
    """Return the hashes of these members in the form of `sha256sum`."""
    lines = (f"{sha256(data).hexdigest()}  {name}\n" for name, data in members.items())
    return "".join(lines).encode()


def read_manifest(raw: bytes) -> Manifest:
    """Return what a manifest says. Raises msgspec.DecodeError or UnicodeDecodeError."""
    return msgspec.json.decode(raw, type=Manifest)

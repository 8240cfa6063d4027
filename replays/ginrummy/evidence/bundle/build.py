"""Which program made a bundle, and by which rules the match was played."""

from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

import ginrummy

__all__ = ["Build", "own_build", "ruleset_hash"]


class _Created(msgspec.Struct):
    """As much of a match's first line as has its rules, in its own bytes."""

    data: dict[str, msgspec.Raw]


class Build(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A program by its version and its code."""

    version: str
    code: str
    """SHA-256 over all of its Python modules, each by its path and its bytes, in hex."""


@cache
def own_build() -> Build:
    """Return which program this is."""
    digest = sha256()
    found = {
        path.relative_to(root).as_posix(): path
        for root in map(Path, ginrummy.__path__)
        for path in root.rglob("*.py")
    }
    for name in sorted(found):
        data = found[name].read_bytes()
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
    try:
        number = version("ginrummy")
    except PackageNotFoundError:
        number = "unknown"
    return Build(number, digest.hexdigest())


def ruleset_hash(created: bytes) -> str:
    """Return the SHA-256 of the ruleset as a match's first line spells it, in hex.

    Raises ValueError where that line cannot be read.
    """
    try:
        rules = msgspec.json.decode(created, type=_Created).data["rules"]
    except (msgspec.DecodeError, KeyError, UnicodeDecodeError) as error:
        raise ValueError("the first line of the log does not say its rules") from error
    return sha256(rules).hexdigest()

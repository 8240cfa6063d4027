"""A folded match, written down so that its lines need not be folded again.

    match -> write_match -> bytes -> read_match -> the same match

It is a cache and never the truth. What is written is good for the code that wrote it and for no
other (`code_digest`), and whoever audits or replays a log reads the lines.

A match is written as JSON. Where a value may be one of several structs (a match in any state, a
hand in any phase), the events and the states do not say which one they are, so each is written in a
form of the same fields that bears its name.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from os import urandom
from types import UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin

import msgspec
from msgspec.structs import fields

from ginrummy.rules.errors import InvalidRulesetError
from ginrummy.rules.match import Match

__all__ = ["DamagedSnapshotError", "code_digest", "read_match", "write_match"]


class DamagedSnapshotError(ValueError):
    """What was kept of a match is no match."""


def write_match(match: Match) -> bytes:
    """Return a match as `read_match` reads it, all cards included that are known in it."""
    return _encode(_changed(match, _FORMS.named))


def read_match(raw: bytes) -> Match:
    """Return the match that was written. Raises DamagedSnapshotError for what is no match."""
    try:
        match: Match = _changed(_decode(raw), _STRUCTS)
    except (msgspec.DecodeError, InvalidRulesetError, RecursionError, ValueError) as error:
        raise DamagedSnapshotError(str(error)) from error
    return match


@cache
def code_digest(*more: str) -> str:
    """Return a digest of the code by which a match is folded and written, in hex.

    That is all of the rooms `rules` and `log`, and of `more`, packages by their names. Where they
    are installed without their source, the digest is of this process alone.
    """
    digest = sha256(msgspec.__version__.encode())
    rooms = ("ginrummy.rules", "ginrummy.log", *more)
    sources = [source for room in rooms for source in _sources(files(room))]
    for source in sources or [urandom(32)]:
        digest.update(sha256(source).digest())
    return digest.hexdigest()


def _sources(folder: Traversable) -> Iterator[bytes]:
    """Yield the Python files in and below a folder, in the order of their names."""
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            yield from _sources(each)
        elif each.name.endswith(".py"):
            yield each.name.encode() + b"\0" + each.read_bytes()


# --- the forms that bear a name -----------------------------------------------------------------

_Struct: TypeAlias = type[msgspec.Struct]


def _structs_in(kind: Any) -> list[_Struct]:  # noqa: ANN401 -- types are values here
    """Return the structs that a value may be where `kind` is a union, or a struct by itself."""
    choices = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return [each for each in choices if isinstance(each, type) and issubclass(each, msgspec.Struct)]


def _choices(kind: Any, found: set[_Struct], seen: set[Any]) -> set[_Struct]:  # noqa: ANN401
    """Return the structs of which, anywhere in a value of `kind`, one of several may stand."""
    if kind not in seen:
        seen.add(kind)
        structs = _structs_in(kind)
        if len(structs) > 1:
            found.update(structs)
        for part in (*get_args(kind), *(each.type for one in structs for each in fields(one))):
            _choices(part, found, seen)
    return found


class _Forms:
    """The forms in which the structs of a type are written."""

    def __init__(self, kind: Any) -> None:  # noqa: ANN401
        self._choices = _choices(kind, set(), set())
        self.named: dict[_Struct, _Struct] = {}
        """Each struct's form, where it has one of its own."""
        self.written: Any = self._form(kind)
        """What a value of the type is written as."""

    def _form(self, kind: Any) -> Any:  # noqa: ANN401
        structs = _structs_in(kind)
        if get_origin(kind) in (Union, UnionType):
            return Union[tuple(map(self._form, get_args(kind)))]  # noqa: UP007 -- made here
        if structs:
            return self._form_of_struct(kind)
        if any(self._form(part) != part for part in get_args(kind)):
            raise TypeError(f"a snapshot cannot hold {kind}")
        return kind

    def _form_of_struct(self, struct: _Struct) -> _Struct:
        parts = [(each.name, each.type, self._form(each.type)) for each in fields(struct)]
        if struct not in self._choices and all(form == kind for _, kind, form in parts):
            return struct
        if struct not in self.named:
            self.named[struct] = msgspec.defstruct(
                struct.__name__,
                [(name, form) for name, _, form in parts],
                tag=True,
                tag_field="is",
                frozen=True,
                forbid_unknown_fields=True,
            )
        return self.named[struct]


_FORMS = _Forms(Match)
_STRUCTS = {form: struct for struct, form in _FORMS.named.items()}

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_FORMS.written).decode


def _changed(value: Any, into: Mapping[_Struct, _Struct]) -> Any:  # noqa: ANN401
    """Return a value with the structs that have another form in it."""
    other = into.get(type(value))
    if other is None:
        return value
    return other(*(_changed(getattr(value, each), into) for each in value.__struct_fields__))

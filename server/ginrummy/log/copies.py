"""The moves that a fork takes over from its origin, as they are kept until its first deal.

They are public, and kept beside the secrets only because the log from which they come may not be
where the fork is played.
"""

from collections.abc import Iterable
from typing import cast

import msgspec

from ginrummy.log.lines import FORMS
from ginrummy.rules.events import HandEvent

__all__ = ["read_copy", "write_copies"]


class _Copied(msgspec.Struct, frozen=True, array_like=True):
    """A move: its stored name, the version of its form, and its data."""

    type: str
    v: int
    data: msgspec.Raw


def write_copies(moves: Iterable[HandEvent]) -> bytes:
    """Return moves as they are kept: a line of JSON each."""
    return b"\n".join(
        msgspec.json.encode(_Copied(*FORMS.newest(move), msgspec.Raw(msgspec.json.encode(move))))
        for move in moves
    )


def read_copy(kept: bytes, number: int) -> HandEvent:
    """Return the move of a number, from 0. Raises ValueError where there is none."""
    lines = kept.split(b"\n")
    if not 0 <= number < len(lines):
        raise ValueError(f"there is no move {number}: {len(lines)} are kept")
    copied = msgspec.json.decode(lines[number], type=_Copied)
    form = FORMS.find(copied.type, copied.v)
    if form is None:
        raise ValueError(f"nothing is known of {copied.type} in version {copied.v}")
    return cast("HandEvent", form.event(form.decode(copied.data)))

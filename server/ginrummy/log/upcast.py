"""The forms that events have had, and the way from each old one to the next.

A stored form never changes its meaning, and a line keeps the bytes and the hash it was written
with. When an event's fields must change, its newest form gets the next version. The old one stays
here as an `OldForm`: its fields as they were, so that old lines are still checked to the byte, and
a pure function to the next version's fields. Reading climbs from version to version, so whatever
folds events sees the newest form alone.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeAlias, TypeVar, cast

import msgspec

from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.events import (
    Board,
    Hex32,
    Limits,
    MatchCreated,
    NonceSource,
    PlayerJoined,
    RevealPolicy,
    TimeControl,
)
from ginrummy.rules.ruleset import Ruleset

__all__ = ["OLD_FORMS", "Form", "Forms", "OldForm", "Upcaster"]

E = TypeVar("E", bound=msgspec.Struct)
"""Whatever a kind of stream records: a match's events, or a tournament's."""

Upcaster: TypeAlias = Callable[[Any], msgspec.Struct]
"""One version's data in, the next version's out. Pure, and total over what could be stored."""


class OldForm(msgspec.Struct, frozen=True):
    """A form that is still read but no longer written."""

    fields: type[msgspec.Struct]
    """The data's fields in that version. Frozen and forbidding unknown fields, as events are."""
    upcast: Upcaster
    """Turns a value of `fields` into one of the next version's."""


class _MatchCreatedV1(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Before there were boards, and a first dealer that was agreed."""

    rules: Ruleset
    clock: TimeControl | None
    limits: Limits
    reveal: RevealPolicy
    commitment: Hex32
    chain: int
    seats: BySeat[str | None]
    name: str = ""


class _MatchCreatedV2(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Before moves were signed, results disputed, and matches branched off from others."""

    rules: Ruleset
    clock: TimeControl | None
    limits: Limits
    reveal: RevealPolicy
    commitment: Hex32
    chain: int
    board: Board | None
    first_dealer: Seat | None
    seats: BySeat[str | None]
    name: str = ""


class _PlayerJoinedV1(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """While every seat had a nonce."""

    seat: Seat
    player: str
    name: str
    nonce_commitment: Hex32
    nonce_by: NonceSource
    key: Hex32 | None = None


def _match_created_from_v1(old: _MatchCreatedV1) -> _MatchCreatedV2:
    return _MatchCreatedV2(
        rules=old.rules,
        clock=old.clock,
        limits=old.limits,
        reveal=old.reveal,
        commitment=old.commitment,
        chain=old.chain,
        board=None,
        first_dealer=None,
        seats=old.seats,
        name=old.name,
    )


def _match_created_from_v2(old: _MatchCreatedV2) -> MatchCreated:
    return MatchCreated(
        rules=old.rules,
        clock=old.clock,
        limits=old.limits,
        reveal=old.reveal,
        commitment=old.commitment,
        chain=old.chain,
        board=old.board,
        first_dealer=old.first_dealer,
        seats=old.seats,
        name=old.name,
        signing="off",
        dispute_ms=0,
        origin=None,
    )


def _player_joined_from_v1(old: _PlayerJoinedV1) -> PlayerJoined:
    return PlayerJoined(
        seat=old.seat,
        player=old.player,
        name=old.name,
        nonce_commitment=old.nonce_commitment,
        nonce_by=old.nonce_by,
        key=old.key,
    )


OLD_FORMS: Mapping[tuple[str, int], OldForm] = {
    ("match_created", 1): OldForm(_MatchCreatedV1, _match_created_from_v1),
    ("match_created", 2): OldForm(_MatchCreatedV2, _match_created_from_v2),
    ("player_joined", 1): OldForm(_PlayerJoinedV1, _player_joined_from_v1),
}
"""Every form of a match's events that shipped and is not the newest, by name and version."""


class Form(msgspec.Struct, Generic[E], frozen=True):
    """How lines of one type and version are read."""

    decode: Callable[[bytes | msgspec.Raw], msgspec.Struct]
    """Read the data in its own version's form; raises as msgspec does."""
    upcasts: tuple[Upcaster, ...]
    """The steps from there to the newest form; none for the newest itself."""

    def event(self, data: msgspec.Struct) -> E:
        """Return the event that `data`, a value of this form, stands for today."""
        for upcast in self.upcasts:
            data = upcast(data)
        return cast("E", data)


class Forms(Generic[E]):
    """Every form that can be read: of each type the newest, which is written, and the old ones."""

    def __init__(
        self,
        events: Mapping[str, type[E]],
        old: Mapping[tuple[str, int], OldForm] = MappingProxyType({}),
    ) -> None:
        """Take the newest forms by name, and the old ones, if any, by name and version.

        The old versions of a type are numbered from 1 without a hole; its newest form has the
        number after them. Raises ValueError where they are not.
        """
        self._newest: dict[type[msgspec.Struct], tuple[str, int]] = {}
        self._forms: dict[tuple[str, int], Form[E]] = {}
        for name, event in events.items():
            versions = sorted(version for old_name, version in old if old_name == name)
            if versions != list(range(1, len(versions) + 1)):
                raise ValueError(f"the old versions of {name} are {versions}: a hole in the way up")
            before = [old[name, version] for version in versions]
            upcasts = tuple(form.upcast for form in before)
            self._newest[event] = (name, len(before) + 1)
            every: list[type[msgspec.Struct]] = [*(form.fields for form in before), event]
            for steps, fields in enumerate(every):
                decode = msgspec.json.Decoder(fields).decode
                self._forms[name, steps + 1] = Form(decode, upcasts[steps:])
        nameless = {name for name, _ in old} - events.keys()
        if nameless:
            raise ValueError(f"old forms of no event: {', '.join(sorted(nameless))}")

    def newest(self, event: E) -> tuple[str, int]:
        """Return the name and the version under which `event` is written."""
        return self._newest[type(event)]

    def find(self, name: str, version: int) -> Form[E] | None:
        """Return how lines of that type and version are read; None where nobody here knows."""
        return self._forms.get((name, version))

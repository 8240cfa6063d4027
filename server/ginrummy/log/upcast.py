"""The forms that events have had, and the way from each old one to the next.

A stored form never changes its meaning, and a line keeps the bytes and the hash it was written
with. When an event's fields must change, its newest form gets the next version. The old one stays
here as an `OldForm`: its fields as they were, so that old lines are still checked to the byte, and
a pure function to the next version's fields. Reading climbs from version to version, so whatever
folds events sees the newest form alone.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

import msgspec

from ginrummy.rules.events import Event

__all__ = ["OLD_FORMS", "Form", "Forms", "OldForm", "Upcaster"]

Upcaster: TypeAlias = Callable[[Any], msgspec.Struct]
"""One version's data in, the next version's out. Pure, and total over what could be stored."""


class OldForm(msgspec.Struct, frozen=True):
    """A form that is still read but no longer written."""

    fields: type[msgspec.Struct]
    """The data's fields in that version. Frozen and forbidding unknown fields, as events are."""
    upcast: Upcaster
    """Turns a value of `fields` into one of the next version's."""


OLD_FORMS: Mapping[tuple[str, int], OldForm] = {}
"""Every form that was ever shipped and is not the newest, by the event's name and version."""


class Form(msgspec.Struct, frozen=True):
    """How lines of one type and version are read."""

    decode: Callable[[bytes | msgspec.Raw], msgspec.Struct]
    """Read the data in its own version's form; raises as msgspec does."""
    upcasts: tuple[Upcaster, ...]
    """The steps from there to the newest form; none for the newest itself."""

    def event(self, data: msgspec.Struct) -> Event:
        """Return the event that `data`, a value of this form, stands for today."""
        for upcast in self.upcasts:
            data = upcast(data)
        return cast("Event", data)


class Forms:
    """Every form that can be read: of each type the newest, which is written, and the old ones."""

    def __init__(
        self,
        events: Mapping[str, type[Event]],
        old: Mapping[tuple[str, int], OldForm] = OLD_FORMS,
    ) -> None:
        """Take the newest forms by name, and the old ones by name and version.

        The old versions of a type are numbered from 1 without a hole; its newest form has the
        number after them. Raises ValueError where they are not.
        """
        self._newest: dict[type[msgspec.Struct], tuple[str, int]] = {}
        self._forms: dict[tuple[str, int], Form] = {}
        for name, event in events.items():
            versions = sorted(version for old_name, version in old if old_name == name)
            if versions != list(range(1, len(versions) + 1)):
                raise ValueError(f"the old versions of {name} are {versions}: a hole in the way up")
            before = [old[name, version] for version in versions]
            upcasts = tuple(form.upcast for form in before)
            self._newest[event] = (name, len(before) + 1)
            for steps, fields in enumerate([*(form.fields for form in before), event]):
                decode = msgspec.json.Decoder(fields).decode
                self._forms[name, steps + 1] = Form(decode, upcasts[steps:])
        nameless = {name for name, _ in old} - events.keys()
        if nameless:
            raise ValueError(f"old forms of no event: {', '.join(sorted(nameless))}")

    def newest(self, event: Event) -> tuple[str, int]:
        """Return the name and the version under which `event` is written."""
        return self._newest[type(event)]

    def find(self, name: str, version: int) -> Form | None:
        """Return how lines of that type and version are read; None where nobody here knows."""
        return self._forms.get((name, version))

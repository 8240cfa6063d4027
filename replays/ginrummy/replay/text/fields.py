"""From the words of a line to the fields of the event that it tells, as a log stores them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from ginrummy.log.lines import FORMS
from ginrummy.replay.text.grammar import CHANGE, LAID_OFF, LAID_PART, SCORE
from ginrummy.replay.text.phrases import count
from ginrummy.rules.cards import BySeat, Card, Seat
from ginrummy.rules.events import Event
from ginrummy.rules.ruleset import PRESETS, make_ruleset

__all__ = ["Fields", "UnreadableError", "done", "event_of", "fields_below", "json", "pair", "said"]

Fields: TypeAlias = dict[str, Any]
"""An event's fields by their names, with their values as JSON has them."""


class UnreadableError(ValueError):
    """What is wrong with a line, for whoever wrote it."""


def event_of(name: str, version: int, fields: Fields) -> Event:
    """Return the event of a stored name, with these fields in the form of that version.

    Raises UnreadableError for a form that is not known, and as msgspec does for other fields.
    """
    form = FORMS.find(name, version)
    if form is None:
        raise UnreadableError(f"there is no form {version} of an event {name!r}")
    return form.event(form.decode(msgspec.json.encode(fields)))


def said(groups: Mapping[str, str | None], seat: Callable[[str], Seat]) -> Fields:
    """Return the fields that a line says which does not begin with a player.

    `seat` finds the seat of whoever is named in it.
    """
    fields: Fields = {}
    for group, text in groups.items():
        match group:
            case "form":
                pass
            case "dealer" | "winner":
                fields[group] = None if text is None else seat(text)
            case "player":
                fields["seat"] = seat(text or "")
            case "doubled" | "practice":
                fields[group] = text is not None
            case "deadwood":
                fields[group] = pair(text or "")
            case "name":
                fields[group] = json(text or "")
            case "hand" | "points" | "difference" | "bonus" | "seat" | "dispute":
                fields[group] = int(text or "")
            case _:
                fields[group] = text
    return fields


def done(name: str, groups: Mapping[str, str | None]) -> Fields:
    """Return the fields of what a player did, but for the seat; `name` is the event's."""
    if name not in ("knocked", "laid_off"):
        return dict(groups)
    melds, deadwood = _laid(groups["laid"] or "")
    if groups["count"] is not None and int(groups["count"]) != count(deadwood):
        raise UnreadableError(f"{groups['count']} is not what the cards in no meld count")
    fields: Fields = {"melds": melds, "deadwood": deadwood}
    if name == "knocked":
        return {**fields, "gin": groups["gin"] is not None}
    return {**fields, "layoffs": _laid_off(groups["layoffs"] or "")}


def _laid(text: str) -> tuple[list[list[Card]], tuple[Card, ...]]:
    if LAID_PART.sub("", text).strip(" "):
        raise UnreadableError(f"{text!r} is not cards with the melds in brackets")
    melds: list[list[Card]] = []
    deadwood: list[Card] = []
    for part in LAID_PART.finditer(text):
        if part["card"] is None:
            melds.append([Card(word) for word in part["meld"].split()])
        else:
            deadwood.append(Card(part["card"]))
    return melds, tuple(deadwood)


def _laid_off(text: str) -> list[Fields]:
    layoffs: list[Fields] = []
    for part in text.split(", ") if text else ():
        found = LAID_OFF.fullmatch(part)
        if found is None:
            raise UnreadableError(f"{part!r} does not say which card was laid off on which meld")
        layoffs.append({"card": found["card"], "meld": int(found["meld"]) - 1})
    return layoffs


def pair(text: str) -> BySeat[int]:
    """Read a number for each seat: `25 and 0`."""
    found = SCORE.fullmatch(text)
    if found is None:
        raise UnreadableError(f"{text!r} is not a number for each seat, as in 25 and 0")
    return BySeat(int(found[1]), int(found[2]))


def fields_below(details: Sequence[tuple[str, str]]) -> Fields:
    """Return the fields that stand below a line, one a line."""
    fields: Fields = {}
    for name, value in details:
        if name in fields:
            raise UnreadableError(f"{name} stands below it twice")
        fields[name] = _rules(value) if name == "rules" else json(value)
    return fields


def _rules(text: str) -> Fields:
    preset, _, but = text.partition(", but ")
    if preset not in PRESETS:
        raise UnreadableError(f"{preset!r} is none of {', '.join(PRESETS)}")
    changes: Fields = {}
    for part in but.split(", ") if but else ():
        found = CHANGE.fullmatch(part)
        if found is None:
            raise UnreadableError(f"{part!r} is no field of a ruleset with its value")
        changes[found["name"]] = json(found["value"])
    return msgspec.structs.asdict(make_ruleset(preset, changes))


def json(text: str) -> Any:  # noqa: ANN401 -- whatever stands there
    """Read JSON. Raises msgspec.DecodeError, which is a ValueError."""
    return msgspec.json.decode(text)

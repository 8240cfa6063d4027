"""docs/log-format.md names every event and field of a tournament's stream, in their order."""

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec import inspect

from ginrummy.log.ids import ID_ENTROPY, match_id
from ginrummy.tables.room import match_id_for
from ginrummy.tournaments.event.events import EVENT_TYPES, TournamentEvent

PAGE = (Path(__file__).parents[2] / "docs" / "log-format.md").read_text()

ELSEWHERE = ("terms.rules", "terms.clock", "terms.limits", "terms.format.scoring")
"""Objects that the page describes where they come from."""


def fields_of(kind: inspect.Type, name: str = "") -> Iterator[str]:
    """Yield the names of a value's fields as the page writes them: `terms.play.boards`."""
    match kind:
        case inspect.StructType(fields=fields) if name not in ELSEWHERE:
            for field in fields:
                yield from fields_of(field.type, f"{name}.{field.name}".lstrip("."))
        case inspect.VarTupleType(item_type=inspect.StructType() as item):
            yield name
            yield from fields_of(item, f"{name}[]")
        case inspect.UnionType(types=kinds) if name not in ELSEWHERE:
            yield name
            structs = [each for each in kinds if isinstance(each, inspect.StructType)]
            if any(each.tag is not None for each in structs):
                yield f"{name}.type"
            for each in structs:
                yield from fields_of(each, name)
        case _:
            yield name


def section(title: str) -> str:
    """Return the text under a heading, up to the next one of any level."""
    return re.split(r"\n#", PAGE.split(f"\n{title}\n", 1)[1], maxsplit=1)[0]


@pytest.mark.parametrize(("name", "event"), EVENT_TYPES.items(), ids=list(EVENT_TYPES))
def test_every_field_of_every_event_is_described(name: str, event: type[TournamentEvent]) -> None:
    described = re.findall(r"^\| `([^`]+)` \|", section(f"#### `{name}`"), re.MULTILINE)
    fields = list(dict.fromkeys(fields_of(inspect.type_info(event))))
    assert sorted(described) == sorted(fields)
    # A field of one format alone stands where the page finds it best.
    own = "terms.format."
    assert [each for each in described if not each.startswith(own)] == [
        each for each in fields if not each.startswith(own)
    ]


@pytest.mark.parametrize("type_", ["round_robin", "gauntlet", "swiss", "elimination"])
def test_a_formats_own_fields_stand_in_their_order(type_: str) -> None:
    rows = re.findall(
        r"^\| `terms\.format\.(\w+)` \| .* \| (.*) \|$",
        section("#### `tournament_created`"),
        re.MULTILINE,
    )
    kind = inspect.type_info(EVENT_TYPES["tournament_created"])
    assert isinstance(kind, inspect.StructType)
    terms = kind.fields[0].type
    assert isinstance(terms, inspect.StructType)
    formats = next(each.type for each in terms.fields if each.name == "format")
    assert isinstance(formats, inspect.UnionType)
    (struct,) = (
        each for each in formats.types if isinstance(each, inspect.StructType) and each.tag == type_
    )
    assert [name for name, what in rows if f"`{type_}`" in what] == [
        each.name for each in struct.fields
    ]


def test_no_other_event_is_described() -> None:
    described = re.findall(r"^#### `([a-z_]+)`$", PAGE, re.MULTILINE)
    assert sorted(described) == sorted(EVENT_TYPES)


def test_a_matchs_id_follows_from_its_sitting_as_the_page_says() -> None:
    assert "SHA-256(`server` 0x00 `R`)" in section("#### `sitting_ended`")
    request = "t_3d8zq1h5w9n4kx7vr2cm6yj0gb/1/4/7/2"
    digest = sha256(b"server\0" + request.encode()).digest()
    assert match_id_for("server", request) == match_id(digest[:ID_ENTROPY])

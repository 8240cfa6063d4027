"""docs/log-format.md names every event and field there is, and its example is right.

Whoever writes a verifier from that page has nothing else to go by.
"""

import hmac
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec import inspect

from ginrummy.log.boards import board_deck, mix_of, sitting_deck
from ginrummy.log.deck import hash_down, nonce_commitment, shuffle
from ginrummy.log.lines import EVENT_TYPES, read_line
from ginrummy.rules.cards import BySeat, parse_cards, write_cards
from ginrummy.rules.events import Board, Event

PAGE = (Path(__file__).parents[2] / "docs" / "log-format.md").read_text()
GOLDEN = Path(__file__).parents[1] / "golden" / "forms_v1.jsonl"


def fields_of(kind: inspect.Type, name: str = "") -> Iterator[str]:
    """Yield the names of a value's fields as the page writes them: `clock.bank_ms`."""
    match kind:
        case inspect.StructType(fields=fields):
            for field in fields:
                yield from fields_of(field.type, f"{name}.{field.name}".lstrip("."))
        case inspect.VarTupleType(item_type=inspect.StructType() as item):
            yield name
            yield from fields_of(item, f"{name}[]")
        case inspect.UnionType(types=kinds):
            yield name
            for inner in kinds:
                if isinstance(inner, inspect.StructType):
                    yield from fields_of(inner, name)
        case _:
            yield name


def section(title: str) -> str:
    """Return the text under a heading, up to the next one of any level."""
    return re.split(r"\n#", PAGE.split(f"\n{title}\n", 1)[1], maxsplit=1)[0]


@pytest.mark.parametrize(("name", "event"), EVENT_TYPES.items(), ids=list(EVENT_TYPES))
def test_every_field_of_every_event_is_described(name: str, event: type[Event]) -> None:
    described = re.findall(r"^\| `([^`]+)` \|", section(f"### `{name}`"), re.MULTILINE)
    assert described == list(fields_of(inspect.type_info(event)))


def test_no_other_event_is_described() -> None:
    described = re.findall(r"^### `([a-z_]+)`$", PAGE, re.MULTILINE)
    assert sorted(described) == sorted(EVENT_TYPES)


def test_the_line_shown_is_a_line() -> None:
    (shown,) = re.findall(r"```json\n(.*)\n```", PAGE)
    assert read_line(shown.encode()).raw in GOLDEN.read_bytes().splitlines()
    fields = re.findall(r"^\| `([^`]+)` \|", section("## A line"), re.MULTILINE)
    assert [field for field in fields if field != "sig"] == list(msgspec.json.decode(shown))


def test_the_worked_example_is_right() -> None:
    example = section("### A worked example")
    commitment, secret, nonce0, commitment0, nonce1, commitment1 = (
        bytes.fromhex(text)
        for text in re.findall(r"^\|.*\| `([0-9a-f]+)` \|$", example, re.MULTILINE)[:6]
    )
    match = re.findall(r"`(m_[0-9a-z]{26})`", example)[0]
    deck = parse_cards(" ".join(re.findall(r"^    (.*)$", example, re.MULTILINE)))
    hands = [write_cards(parse_cards(text)) for text in re.findall(r"`((?:.. ){9}..)`", example)]

    assert hash_down(secret, 1) == commitment
    assert nonce_commitment(nonce0) == commitment0.hex()
    assert nonce_commitment(nonce1) == commitment1.hex()
    assert shuffle(secret, match, 1, BySeat(nonce0, nonce1)) == (deck, 1)
    assert hands == [write_cards(deck[0:20:2]), write_cards(deck[1:20:2])]
    assert f"the upcard is `{deck[20]}`, and the first card of the stock is `{deck[21]}`" in example


def test_the_board_worked_out_is_right() -> None:
    example = section("### A board worked out")
    hexes = re.findall(r"^\|.*\| `([0-9a-f]+)` \|$", example, re.MULTILINE)
    commitment, secret, nonce0, nonce1, mix = map(bytes.fromhex, hexes[:5])
    (tournament,) = re.findall(r"`(t_[0-9a-z]{26})`", example)
    (match,) = re.findall(r"`(m_[0-9a-z]{26})`", example)
    entrants = re.findall(r"`(p_[0-9a-z]{26})`", example)
    board = Board(tournament, 7, mix.hex())
    lines = re.findall(r"^    (.*)$", example, re.MULTILINE)

    assert hash_down(secret, 7) == commitment
    assert mix_of(dict(zip(entrants, (nonce0, nonce1), strict=True))) == mix.hex()
    assert board_deck(secret, board) == (parse_cards(" ".join(lines[:2])), 1)
    assert sitting_deck(secret, board, match) == (parse_cards(" ".join(lines[2:])), 1)
    for domain, place, key in (
        ("board", f"{tournament}\0".encode() + bytes([0, 0, 0, 7]) + mix, hexes[5]),
        ("suits", match.encode(), hexes[6]),
    ):
        assert (
            hmac.digest(secret, f"ginrummy/v1/{domain}\0".encode() + place, "sha256").hex() == key
        )

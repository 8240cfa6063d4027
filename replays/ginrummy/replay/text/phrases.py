"""The words of the hand history's grammar, for the writer and the reader alike."""

import json
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from ginrummy.log.lines import EVENT_TYPES
from ginrummy.rules.cards import Card, Seat, write_cards
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeOpened,
    DisputeRuled,
    HandReplayed,
    ResultAdjusted,
)
from ginrummy.rules.events import (
    ClockExpired,
    Event,
    MatchCreated,
    MatchEnded,
    Meld,
    PlayerJoined,
    Resigned,
    UpcardPassed,
)

__all__ = [
    "FIRST_LINE",
    "HEADED",
    "QUOTED",
    "SAID_ALONE",
    "WORDS_ARE_OF",
    "Names",
    "count",
    "quoted",
    "spread_out",
    "stored_name",
    "without_surprises",
]

FIRST_LINE = "gin rummy hand history, form 1"
"""What the text begins with. Another grammar, or other presets, would be another form."""

WORDS_ARE_OF = 1
"""The version of the stored forms that words tell; where another is meant, the line says so."""

QUOTED = r'"(?:[^"\\]|\\.)*"'
"""A pattern for a text in quotes: a JSON string."""

SAID_ALONE: Mapping[type[Event], str] = MappingProxyType(
    {
        UpcardPassed: "passes",
        ClockExpired: "is out of time",
        Resigned: "resigns",
    }
)
"""What a seat does that needs no more words."""

HEADED: Mapping[type[Event], tuple[str, ...]] = MappingProxyType(
    {
        MatchCreated: ("name",),
        PlayerJoined: ("seat", "name"),
        MatchEnded: ("winner",),
        DisputeOpened: ("dispute", "seat", "reason"),
        DisputeRuled: ("dispute", "ruling"),
        DisputeAppealed: ("dispute", "seat"),
        HandReplayed: ("dispute", "reason"),
        ResultAdjusted: ("winner",),
    }
)
"""Events whose fields stand below them, one a line, but for these, which their own line says."""

_NAMES = {event: name for name, event in EVENT_TYPES.items()}


def stored_name(event: type[Event]) -> str:
    """Return the name under which events of this class are stored."""
    return _NAMES[event]


def count(cards: Iterable[Card]) -> int:
    """Return what cards count in points, each as often as it stands there."""
    return sum(card.points for card in cards)


def spread_out(melds: tuple[Meld, ...], deadwood: tuple[Card, ...]) -> str:
    """Write cards that are laid down: the melds in brackets, the deadwood after them."""
    groups = [f"[{write_cards(meld)}]" for meld in melds]
    return " ".join((*groups, *map(str, deadwood)))


def quoted(text: str) -> str:
    """Write a text in quotes, so that nothing in it ends a line or turns the reading direction."""
    return without_surprises(json.dumps(text, ensure_ascii=False))


def without_surprises(written: str) -> str:
    """Return JSON with whatever does not print escaped; it stays the same JSON."""
    return "".join(one if one.isprintable() else _escaped(one) for one in written)


def _escaped(one: str) -> str:
    units = one.encode("utf-16-be").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))


_WHO = re.compile(rf"(?:seat (?P<seat>[01])|(?P<name>{QUOTED}))(?P<rest>.*)")


class Names:
    """What the players at a table are called in a history, as far as they have sat down.

    By their names, where both have one and the two differ; else by their seats, which no name in
    quotes can be mistaken for.
    """

    def __init__(self) -> None:
        self._names: list[str] = ["", ""]

    def sit(self, seat: Seat, name: str) -> None:
        """Note who sits down."""
        self._names[seat] = name

    def call(self, seat: Seat) -> str:
        """Return what stands in a line for the player at a seat."""
        first, second = self._names
        if first == second or not self._names[seat]:
            return f"seat {seat}"
        return quoted(self._names[seat])

    def split(self, text: str) -> tuple[Seat, str] | None:
        """Return the seat that a text begins with and the rest of it, or None for no seat."""
        found = _WHO.fullmatch(text)
        if found is None:
            return None
        if found["seat"]:
            return (0 if found["seat"] == "0" else 1), found["rest"]
        try:
            name = json.loads(found["name"])
        except ValueError:
            return None
        if self._names.count(name) != 1:
            return None
        return (0 if self._names[0] == name else 1), found["rest"]

"""The lines of the EAAI challenge's text, and what each of them says."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ginrummy.rules.cards import Card

__all__ = ["EaaiError", "Said", "read_cards", "read_lines", "read_melds"]


class EaaiError(Exception):
    """A text that is not the challenge's, or a hand that the rules do not play as it says."""

    def __init__(self, number: int, what: str) -> None:
        super().__init__(f"line {number}: {what}")
        self.number = number
        """The line, from 1."""


class Said(NamedTuple):
    """What a line says."""

    number: int
    what: str
    """The name of its form."""
    seat: int
    """The player it is about; 0 where it is about none."""
    words: tuple[str, ...]
    """What stands in its open places, in their order."""


_PLAYER = r"Player ([01]) "
_CARD = r"(\S\S)"
_MELDS = r"(\[(?:\[[^\[\]]*\](?:, )?)*\])"
_CARDS = r"\[([^\[\]]*)\]"
_FORMS = tuple(
    (what, re.compile(pattern))
    for what, pattern in {
        "dealt": rf"{_PLAYER}is dealt {_CARDS}\.",
        "starts": rf"{_PLAYER}starts\.",
        "upcard": rf"()The initial face up card is {_CARD}\.",
        "declines": rf"{_PLAYER}declines {_CARD}\.",
        "draws": rf"{_PLAYER}draws {_CARD}\.",
        "discards": rf"{_PLAYER}discards {_CARD}\.",
        "has": rf"{_PLAYER}has .*deadwood.*",
        "knocks": rf"{_PLAYER}melds {_MELDS} with \d+ deadwood from {_CARDS}\.",
        "gin": rf"{_PLAYER}goes gin with melds {_MELDS}\.",
        "melds": rf"{_PLAYER}melds {_MELDS}\.",
        "lays_off": rf"{_PLAYER}lays off {_CARD} on {_CARDS}\.",
        "scores": rf"{_PLAYER}(?:undercuts and )?scores the .*\.",
        "void": r"()The draw pile was reduced to two cards without knocking, .*",
        "table": r"()Player\tScore",
        "score": r"([01])\t(\d+)",
        "wins": rf"{_PLAYER}wins\.",
        "forfeits": rf"{_PLAYER}(.* and forfeits)\.",
        "summary": r"()(?:\d+ games played in \d+ ms\.|Games Won: P0:\d+, P1:\d+\.)",
    }.items()
)


def read_lines(lines: Iterable[str]) -> Iterator[Said]:
    """Yield what each line says; empty ones say nothing. Raises EaaiError for any other."""
    for number, line in enumerate(lines, start=1):
        text = line.rstrip("\r\n")
        if not text.strip():
            continue
        for what, pattern in _FORMS:
            found = pattern.fullmatch(text)
            if found is not None:
                seat, *words = found.groups()
                yield Said(number, what, int(seat or 0), tuple(words))
                break
        else:
            raise EaaiError(number, f"{text[:60]!r} is no line of the challenge's games")


def read_cards(said: Said, text: str) -> tuple[Card, ...]:
    """Read cards with commas between them. Raises EaaiError."""
    try:
        return tuple(Card(word) for word in text.split(", ") if word)
    except ValueError as error:
        raise EaaiError(said.number, str(error)) from error


def read_melds(said: Said, text: str) -> tuple[tuple[Card, ...], ...]:
    """Read melds in brackets, in brackets. Raises EaaiError."""
    return tuple(read_cards(said, meld) for meld in re.findall(_CARDS, text[1:-1]))

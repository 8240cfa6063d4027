"""How text is put on a terminal or on paper: suits, colours, and lines of eighty columns."""

import re
import unicodedata
from collections.abc import Iterable

import msgspec

from ginrummy.rules.cards import RANKS, Card

__all__ = ["BACK", "PLAIN", "WIDTH", "Ink", "clean", "clip", "cut", "spread", "width"]

WIDTH = 80
"""Columns of everything that is drawn."""

BACK = "??"
"""A card that the viewer does not know."""

_SYMBOLS = "♠♥♦♣"
_RED = (1, 2)
"""The suits, hearts and diamonds, that are printed in red."""

_ESCAPE = re.compile("\x1b\\[[0-9;]*m")
_PIECES = re.compile(f"{_ESCAPE.pattern}|.", re.DOTALL)


class Ink(msgspec.Struct, frozen=True):
    """What may be used to draw with."""

    symbols: bool = True
    """Suits as symbols, `7♥`, and lines as lines; else all is ASCII."""
    colour: bool = False
    """ANSI colours, as a terminal understands them."""

    def card(self, card: Card) -> str:
        """Return a card, two columns wide."""
        text = RANKS[card.rank] + _SYMBOLS[card.suit] if self.symbols else str(card)
        return self._escape("31", text) if card.suit in _RED else text

    def cards(self, cards: Iterable[Card]) -> str:
        """Return cards with a space between."""
        return " ".join(map(self.card, cards))

    def strong(self, text: str) -> str:
        """Return text that is to be seen first."""
        return self._escape("1", text)

    def faint(self, text: str) -> str:
        """Return text that is to be seen last."""
        return self._escape("2", text)

    @property
    def rule(self) -> str:
        """A line across."""
        return self.faint(("─" if self.symbols else "-") * WIDTH)

    def _escape(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text


PLAIN = Ink(symbols=False)
"""ASCII without colours."""


def clean(text: str) -> str:
    """Return text that somebody else has chosen, without what could steer a terminal."""
    return "".join(char if char.isprintable() else "?" for char in text)


def width(text: str) -> int:
    """Return how many columns a text takes; colours take none."""
    return sum(map(_columns, _ESCAPE.sub("", text)))


def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cut(text: str, most: int) -> str:
    """Return a text, without colours, cut to at most so many columns."""
    if width(text) <= most:
        return text
    kept, columns = "", 0
    for char in text:
        columns += _columns(char)
        if columns > most - 1:
            break
        kept += char
    return kept.rstrip() + "~"


def clip(text: str, most: int) -> str:
    """Return a text with its colours, ended where its columns are more than `most`."""
    if width(text) <= most:
        return text
    kept, left = "", most
    for piece in _PIECES.findall(text):
        left -= width(piece)
        if left < 0:
            # What is still on is turned off.
            return kept + ("\x1b[0m" if "\x1b" in kept else "")
        kept += piece
    return kept


def spread(left: str, right: str) -> str:
    """Return a line with one text at its left end and one at its right."""
    gap = max(1, WIDTH - width(left) - width(right))
    return f"{left}{' ' * gap}{right}".rstrip()

"""How text is put on a terminal or on paper: suits, colours, and lines of eighty columns."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import msgspec

from ginrummy.rules.cards import RANKS, Card

__all__ = ["BACK", "PLAIN", "WIDTH", "Ink", "clean", "clip", "cut", "spread", "width"]

WIDTH = 80
"""Columns of everything that is drawn."""

BACK = "??"
"""A card that the viewer does not know."""

_SYMBOLS = "♠♥♦♣"
_RED = {1: "31", 2: "31"}
"""Hearts and diamonds are printed in red."""

_FOUR = {1: "31", 2: "34", 3: "32"}
"""Hearts in red, diamonds in blue, clubs in green."""

_RESET = "\x1b[0m"
_ESCAPE = re.compile("\x1b\\[[0-9;]*m")
_PIECES = re.compile(f"{_ESCAPE.pattern}|.", re.DOTALL)


class Ink(msgspec.Struct, frozen=True):
    """What may be used to draw with."""

    symbols: bool = True
    """Suits as symbols, `7♥`, and lines as lines; else all is ASCII."""
    colour: bool = False
    """ANSI colours, as a terminal understands them."""
    four_colours: bool = False
    """Each suit has a colour of its own, not hearts and diamonds one."""

    def card(self, card: Card) -> str:
        """Return a card, two columns wide."""
        code = self._suit(card)
        return self._index(card) if code is None else self._escape(code, self._index(card))

    def gone(self, card: Card) -> str:
        """Return a card that was there and is not any more, two columns wide."""
        return self._escape(f"2;9;{self._suit(card) or '39'}", self._index(card))

    def on_paper(self, card: Card) -> str:
        """Return a card as it is printed on one, two columns wide."""
        return self._escape(f"{self._suit(card) or '30'};47", self._index(card))

    def paper(self, text: str) -> str:
        """Return text that is part of a card's white."""
        return self._escape("90;47", text) if text else ""

    def printed(self, text: str) -> str:
        """Return text that is to be seen on a card."""
        return self._escape("1;30;47", text)

    def back(self, text: str) -> str:
        """Return text that is part of a card's back."""
        return self._escape("37;44", text)

    def cards(self, cards: Iterable[Card]) -> str:
        """Return cards with a space between."""
        return " ".join(map(self.card, cards))

    def strong(self, text: str) -> str:
        """Return text that is to be seen first."""
        return self._escape("1", text)

    def faint(self, text: str) -> str:
        """Return text that is to be seen last."""
        return self._escape("2", text)

    def alarm(self, text: str) -> str:
        """Return text that says that something is wrong."""
        return self._escape("1;91", text)

    def chosen(self, text: str) -> str:
        """Return text that is the one of several that is chosen."""
        return self._escape("7", text)

    @property
    def rule(self) -> str:
        """A line across."""
        return self.faint(("─" if self.symbols else "-") * WIDTH)

    def _index(self, card: Card) -> str:
        return RANKS[card.rank] + _SYMBOLS[card.suit] if self.symbols else str(card)

    def _suit(self, card: Card) -> str | None:
        return (_FOUR if self.four_colours else _RED).get(card.suit)

    def _escape(self, code: str, text: str) -> str:
        if not self.colour:
            return text
        # What stands inside may have colours of its own, and ends them.
        start = f"\x1b[{code}m"
        return f"{start}{text.replace(_RESET, _RESET + start)}{_RESET}"


PLAIN = Ink(symbols=False)
"""ASCII without colours."""


def clean(text: str) -> str:
    """Return text that somebody else has chosen, without what could steer a terminal."""
    return "".join(char if char.isprintable() else "?" for char in text)


def width(text: str) -> int:
    """Return how many columns a text takes; colours take none."""
    plain = _ESCAPE.sub("", text)
    return len(plain) if plain.isascii() else sum(map(_columns, plain))


@lru_cache(4096)
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


def spread(left: str, right: str, columns: int = WIDTH) -> str:
    """Return a line of so many columns with one text at its left end and one at its right."""
    gap = max(1, columns - width(left) - width(right))
    return f"{left}{' ' * gap}{right}".rstrip()

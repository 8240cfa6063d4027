"""Cards as people like to see them: suit symbols, the red suits red, melds together."""

from collections.abc import Iterable
from typing import NamedTuple

import click

from ginrummy.rules.cards import Card, parse_card

__all__ = ["Paint", "by_rank"]

_SYMBOLS = dict(zip("SHDC", "♠♥♦♣", strict=True))
_RED = "HD"


class Paint(NamedTuple):
    """How much a terminal can show."""

    colour: bool = True
    symbols: bool = True

    def card(self, card: Card | str, *, fresh: bool = False) -> str:
        """Return one card: `7♥`, or `7H` where there are no symbols; a fresh one underlined."""
        name = str(card)
        text = name[0] + _SYMBOLS[name[1]] if self.symbols else name
        colour = "red" if name[1] in _RED else None
        return self.styled(text, fg=colour, underline=fresh or None) if colour or fresh else text

    def cards(self, cards: Iterable[Card | str], fresh: str = "") -> str:
        """Return some cards in their order, the one that has just been drawn marked."""
        return " ".join(self.card(card, fresh=str(card) == fresh) for card in cards)

    def melds(self, melds: Iterable[Iterable[Card | str]]) -> str:
        """Return some melds, told apart by the space between them."""
        return "  ".join(map(self.cards, melds))

    def backs(self, number: int) -> str:
        """Return cards that lie face down."""
        return self.faint(" ".join(["▒▒" if self.symbols else "??"] * number))

    def faint(self, text: str) -> str:
        """Return text that is there for whoever looks for it."""
        return self.styled(text, dim=True)

    def strong(self, text: str) -> str:
        """Return text that is to be seen first."""
        return self.styled(text, bold=True)

    def styled(self, text: str, **style: object) -> str:
        """Return text in a style of `click.style`, where there is colour."""
        return click.style(text, **style) if self.colour else text  # type: ignore[arg-type]  # click's own arguments, handed on


def by_rank(cards: Iterable[str]) -> list[Card]:
    """Return cards as they are held in a hand: low ones first."""
    return sorted(map(parse_card, cards), key=lambda card: (card.rank, card.suit))

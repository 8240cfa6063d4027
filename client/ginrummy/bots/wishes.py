"""What a person types at the table, read as a move."""

import re

from ginrummy.rules.cards import UnreadableCardError, parse_card, parse_cards
from ginrummy.rules.commands import (
    BigGin,
    Discard,
    Draw,
    Knock,
    LayOff,
    Move,
    Pass,
    Resign,
    Take,
)
from ginrummy.rules.events import LayOffCard, Meld

__all__ = ["WISHES", "UnreadableWishError", "read_wish"]

WISHES = """\
  d                 draw from the stock
  t                 take the upcard, or the discard pile's top
  p                 pass the upcard
  7H                throw a card
  k 7H              knock: throw a card face down and lay down the rest
  k 7H 2D3D4D ...   knock with melds of your own choice
  g                 big gin: lay down all eleven cards
  l                 lay off as well as can be
  l 2D3D4D + 7H@1   melds of your own, then 7H on the knocker's first
  resign            give up the match"""
"""What can be typed, for whoever asks."""


class UnreadableWishError(ValueError):
    """A line that is no move; the message says what would be."""


_WITHOUT_CARDS: dict[str, type[Pass | Take | Draw | Resign]] = {
    "p": Pass,
    "pass": Pass,
    "t": Take,
    "take": Take,
    "d": Draw,
    "draw": Draw,
    "resign": Resign,
}


def read_wish(line: str) -> Move:
    """Return the move that a line asks for. Raises UnreadableWishError."""
    word, _, rest = line.strip().partition(" ")
    word, rest = word.lower(), rest.strip()
    try:
        if word in _WITHOUT_CARDS:
            if rest:
                raise UnreadableWishError(f"{word} takes no card")
            return _WITHOUT_CARDS[word]()
        return _with_cards(word, rest, line)
    except UnreadableCardError as error:
        raise UnreadableWishError(str(error)) from error


def _with_cards(word: str, rest: str, line: str) -> Move:
    match word:
        case "x" | "throw" | "discard":
            return Discard(parse_card(rest))
        case "k" | "knock":
            card, _, melds = rest.partition(" ")
            if not card:
                raise UnreadableWishError("a knock throws a card face down: k 7H")
            return Knock(parse_card(card), _melds(melds))
        case "g" | "gin":
            return BigGin(_melds(rest))
        case "l" | "lay":
            return _lay_off(rest)
        case _:
            return _bare_card(line)


def _bare_card(line: str) -> Move:
    try:
        return Discard(parse_card(line))
    except UnreadableCardError:
        raise UnreadableWishError(f"{line.strip()!r} is no move; ? says what there is") from None


def _lay_off(rest: str) -> LayOff:
    if not rest:
        return LayOff()
    own, _, others = rest.partition("+")
    return LayOff(_melds(own) or (), tuple(map(_layoff, others.split())))


def _layoff(text: str) -> LayOffCard:
    card, at, number = text.partition("@")
    if not at or not number.isdecimal() or number == "0":
        raise UnreadableWishError(f"{text!r} is no lay-off: write 7H@1 for 7H on the first meld")
    return LayOffCard(parse_card(card), int(number) - 1)


def _melds(text: str) -> tuple[Meld, ...] | None:
    """Return melds, written one a word; None where there are none."""
    words = text.replace(",", " ").split()
    if not words:
        return None
    # A rank is never one of the letters of a suit, so a card ends where a suit stands.
    return tuple(parse_cards(re.sub("(?<=[SHDCshdc♠♥♦♣])", " ", word)) for word in words)

"""The 52 cards, and sets of them as bit masks (rules C1, C2).

Everything else in the rules is built on two values: a `Card`, and a `CardSet`, an int in which
the card with index i has bit i. Set algebra is then the language's own: `hand | card.bit`,
`hand & ~card.bit`. A suit's thirteen ranks are the bits from `13 * suit` on, so a suit can be
looked up in a table of 8,192 entries, and no sum of card numbers ever carries a king into the
next suit's ace.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Generic, Literal, NamedTuple, TypeAlias, TypeVar

__all__ = [
    "DECK",
    "RANKS",
    "SUITS",
    "BySeat",
    "Card",
    "CardSet",
    "Deck",
    "Seat",
    "UnreadableCardError",
    "card_set",
    "cards_in",
    "other",
    "parse_card",
    "parse_cards",
    "points",
    "write_cards",
]

RANKS = "A23456789TJQK"
SUITS = "SHDC"

Seat: TypeAlias = Literal[0, 1]
"""A place at the table. Who sits where never changes during a match; who deals does."""

CardSet: TypeAlias = int
"""A set of cards: bit `card.index` is set for every card in it."""

T = TypeVar("T")


class UnreadableCardError(ValueError):
    """A text that names no card, or names one card twice where that cannot be."""


class Card(Enum):
    """One card, written rank then suit: `Card("7H")` (rule C1)."""

    index: int
    """0 to 51: the place in the unshuffled deck, A to K of S, then H, D, C."""
    rank: int
    """0 (ace, low only, rule C2) to 12 (king)."""
    suit: int
    """0 to 3, in the order S H D C."""
    bit: CardSet
    """The set that holds this card alone."""
    points: int
    """The card's deadwood in points: A 1, 2 to 10 their number, J Q K 10 (rule C2)."""

    def __init__(self, text: str) -> None:
        self.rank = RANKS.index(text[0])
        self.suit = SUITS.index(text[1])
        self.index = 13 * self.suit + self.rank
        self.bit = 1 << self.index
        self.points = min(self.rank + 1, 10)

    # The loop names the members as the enum documentation's own dynamic example does.
    _ignore_ = ["members", "suit_name", "rank_name"]  # noqa: RUF012
    members = vars()
    for suit_name in SUITS:
        for rank_name in RANKS:
            members[rank_name + suit_name] = rank_name + suit_name

    def __str__(self) -> str:
        return str(self._value_)

    def __repr__(self) -> str:
        return str(self._value_)


DECK: tuple[Card, ...] = tuple(Card)
"""The unshuffled deck: A to K of S, then H, D, C."""

Deck: TypeAlias = tuple[Card, ...]
"""All 52 cards in an order; index 0 is dealt first."""


class BySeat(NamedTuple, Generic[T]):
    """A value for each seat: `points[seat]`, and `points.put(seat, 25)` for a changed copy."""

    first: T
    second: T

    def put(self, seat: int, value: T) -> "BySeat[T]":
        """Return the pair with `value` at `seat`."""
        # Hands change with every event, and this takes half the time of a named tuple's own way.
        return tuple.__new__(BySeat, (value, self[1]) if seat == 0 else (self[0], value))


def other(seat: Seat) -> Seat:
    """Return the seat across the table."""
    return 1 if seat == 0 else 0


def card_set(cards: Iterable[Card]) -> CardSet:
    """Return the set of `cards`; order and repetition are lost."""
    bits = 0
    for card in cards:
        bits |= card.bit
    return bits


def cards_in(cards: CardSet) -> tuple[Card, ...]:
    """Return the cards of a set in the unshuffled deck's order."""
    return (
        _SPADES[cards & 8191]
        + _HEARTS[cards >> 13 & 8191]
        + _DIAMONDS[cards >> 26 & 8191]
        + _CLUBS[cards >> 39]
    )


def _by_ranks(suit: int) -> tuple[tuple[Card, ...], ...]:
    """Return the cards of every set of one suit's ranks, in the order of the masks."""
    sets: list[tuple[Card, ...]] = [()]
    for card in DECK[13 * suit : 13 * suit + 13]:
        sets += [(*lower, card) for lower in sets]
    return tuple(sets)


_SPADES, _HEARTS, _DIAMONDS, _CLUBS = map(_by_ranks, range(4))

_SUIT_POINTS = tuple(
    sum(min(rank + 1, 10) for rank in range(13) if ranks >> rank & 1) for ranks in range(8192)
)


def points(cards: CardSet) -> int:
    """Return the sum of the cards' values in points (rule C2)."""
    return (
        _SUIT_POINTS[cards & 8191]
        + _SUIT_POINTS[cards >> 13 & 8191]
        + _SUIT_POINTS[cards >> 26 & 8191]
        + _SUIT_POINTS[cards >> 39]
    )


_SYMBOLS = str.maketrans("♠♥♦♣♤♡♢♧", "SHDCSHDC")
_BY_NAME = {str(card): card for card in DECK}


def parse_card(text: str) -> Card:
    """Read one card: `7H`, and also `10S`, lower case and suit symbols (rule C1).

    Raises UnreadableCardError with the offending text.
    """
    name = text.strip().translate(_SYMBOLS).upper()
    if name.startswith("10"):
        name = "T" + name[2:]
    card = _BY_NAME.get(name)
    if card is None:
        raise UnreadableCardError(
            f"{text!r} is not a card: write a rank of {RANKS} and a suit of {SUITS}, as in 7H (C1)"
        )
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by white space or commas, in their order.

    Raises UnreadableCardError for an unreadable card or one named twice.
    """
    cards = tuple(parse_card(word) for word in text.replace(",", " ").split())
    seen = 0
    for card in cards:
        if seen & card.bit:
            raise UnreadableCardError(f"{card} is named twice in {text!r}")
        seen |= card.bit
    return cards


def write_cards(cards: Iterable[Card]) -> str:
    """Write cards as `parse_cards` reads them: `2D 3D 4D`."""
    return " ".join(map(str, cards))

"""The position that a fork begins in: a deck of which places are fixed, committed to beforehand.

    places fixed by the position ──┐
                                   ├──> the deck of the fork's first hand
    the match's own deck of hand 1 ┘    (fills the open places, in its own order)

A fork that keeps all cards fixes all 52 places. One that deals the unseen cards anew fixes those
that were seen, and leaves the others open: the match's own committed deck, which nobody chooses,
says which cards come there. The construction is described in docs/log-format.md, *Forks*.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

from ginrummy.rules.cards import DECK, Card, CardSet, Deck, Seat, card_set, other
from ginrummy.rules.events import Discarded, DiscardTaken, HandEvent, Knocked, StockDrawn

__all__ = [
    "DEALT_CARDS",
    "SALT_BYTES",
    "Exposure",
    "Places",
    "Position",
    "exposures",
    "owners",
    "position_of",
]

Places = tuple[Card | None, ...]
"""The 52 places of a deck from index 0, each with its card; None for one that is open."""

SALT_BYTES = 16

DEALT_CARDS = 21
"""Places ahead of the stock: ten cards to each seat and the upcard (D1)."""

_OPEN = "--"
_DECK_SIZE = len(DECK)


class Position(NamedTuple):
    """A position with the salt that hides it. No message or repr of a server's shows one."""

    salt: bytes
    """16 random bytes, so that a commitment to a position cannot be searched."""
    places: Places

    @property
    def commitment(self) -> str:
        """What is published of it beforehand: SHA-256 of the salt and the places, in hex."""
        return sha256(self.written).hexdigest()

    @property
    def written(self) -> bytes:
        """The salt, then two characters a place: the card, or `--` for an open one."""
        spelled = "".join(_OPEN if card is None else str(card) for card in self.places)
        return self.salt + spelled.encode()

    @property
    def is_whole(self) -> bool:
        """Whether every place is fixed."""
        return None not in self.places

    @property
    def is_possible(self) -> bool:
        """Whether these are 52 places, and no card is in two of them."""
        fixed = [card for card in self.places if card is not None]
        return len(self.places) == _DECK_SIZE and len(set(fixed)) == len(fixed)

    def filled(self, own: Deck) -> Deck:
        """Return the deck, its open places filled with the other cards in the order of `own`."""
        fixed = card_set(card for card in self.places if card is not None)
        more = (card for card in own if not card.bit & fixed)
        return tuple(next(more) if card is None else card for card in self.places)


def position_of(written: bytes) -> Position:
    """Return the position that was written. Raises ValueError for what is none."""
    salt, spelled = written[:SALT_BYTES], written[SALT_BYTES:].decode()
    places = tuple(
        None if word == _OPEN else Card(word)
        for word in (spelled[at : at + 2] for at in range(0, len(spelled), 2))
    )
    position = Position(salt, places)
    if len(salt) != SALT_BYTES or not position.is_possible:
        # What it is stays out of the message: it may be of a hand that is still played.
        raise ValueError("what is kept of the position is damaged")
    return position


# --- whose a place is, and what was seen of it --------------------------------------------------


def owners(dealer: Seat, events: Iterable[HandEvent]) -> list[Seat | None]:
    """Return, for each place of the deck, the seat that its card went to; None for no seat.

    The upcard's place, and the stock as far as it was not drawn from, are nobody's.
    """
    found: list[Seat | None] = [other(dealer) if at % 2 == 0 else dealer for at in range(20)]
    found.append(None)
    found += [event.seat for event in events if isinstance(event, StockDrawn)]
    return found + [None] * (_DECK_SIZE - len(found))


class Exposure(NamedTuple):
    """A card that came from the deck to a hand unseen, and was then shown by that seat."""

    seat: Seat
    card: Card
    drawn: int
    """How many cards had been drawn from the stock by then, by either seat."""


def exposures(events: Iterable[HandEvent]) -> Iterator[Exposure]:
    """Yield, in order, the cards that the seats showed of what they had been dealt or had drawn.

    What was taken from the discard pile everybody has seen before.
    """
    taken: list[CardSet] = [0, 0]
    drawn = 0
    for event in events:
        match event:
            case StockDrawn():
                drawn += 1
            case DiscardTaken(seat=seat, card=card):
                taken[seat] |= card.bit
            case Discarded(seat=seat, card=card):
                if not taken[seat] & card.bit:
                    yield Exposure(seat, card, drawn)
                taken[seat] &= ~card.bit
            case Knocked(seat=seat, melds=melds, deadwood=deadwood):
                for card in (*(card for meld in melds for card in meld), *deadwood):
                    if not taken[seat] & card.bit:
                        yield Exposure(seat, card, drawn)
            case _:
                pass

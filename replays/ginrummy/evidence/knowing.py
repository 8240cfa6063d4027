"""Who could know which cards at a moment: each seat, and a spectator.

All of it comes from views of the match, the one place that withholds cards. Whoever remembers
knows the whole discard pile, so everything that lay there counts as known.
"""

import msgspec

from ginrummy.rules.cards import DECK, BySeat, Card, Seat
from ginrummy.rules.match import Playing
from ginrummy.rules.view import HandView, Perspective, view

__all__ = ["Held", "Knowing", "Sight", "knowing"]


class Held(msgspec.Struct, frozen=True):
    """The cards of a hand that somebody could name, and how many more there were."""

    cards: tuple[Card, ...]
    hidden: int


class Sight(msgspec.Struct, frozen=True):
    """What one seat, or a spectator, could know."""

    hands: BySeat[Held]
    """Of each seat's hand. Where cards of a seat's own are hidden, the seat knew them, and the
    reader of this may not."""
    unseen: int
    """Of how many cards they could not know where they were."""


class Knowing(msgspec.Struct, frozen=True):
    """What everybody could know ahead of a decision."""

    seats: BySeat[Sight]
    spectator: Sight
    drawn: Card | None
    """The card that the seat to decide had just drawn, where the reader may know it."""
    pile: tuple[Card, ...]
    """The discard pile, its top last, which all could see."""
    stock: int
    """How many cards the stock held."""


def knowing(match: Playing, reader: Perspective) -> Knowing:
    """Return what everybody could know of the cards in `match`, as far as `reader` may be told."""
    public = _hand(match, "public")
    seen: list[tuple[Seat, HandView]] = [
        (seat, _hand(match, seat) if reader in ("full", seat) else public) for seat in _SEATS
    ]
    drawn = next((hand.drawn for _, hand in seen if hand.drawn is not None), None)
    return Knowing(
        seats=BySeat(*(_sight(hand, seat) for seat, hand in seen)),
        spectator=_sight(public, None),
        drawn=drawn,
        pile=public.pile,
        stock=public.stock,
    )


_SEATS: tuple[Seat, Seat] = (0, 1)


def _hand(match: Playing, perspective: Perspective) -> HandView:
    hand = view(match, perspective).hand
    assert hand is not None
    return hand


def _sight(hand: HandView, seat: Seat | None) -> Sight:
    held = BySeat(*(Held(each.cards, max(0, each.hidden)) for each in hand.hands))
    known = len(hand.pile) + (hand.face_down is not None)
    for each, cards in enumerate(held):
        # A seat knew its own cards, also where the reader may not.
        known += len(cards.cards) + (cards.hidden if each == seat else 0)
    return Sight(held, max(0, len(DECK) - known))

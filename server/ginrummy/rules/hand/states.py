"""The shapes that a hand has, one for each phase, and how the first of them comes about."""

from typing import TypeAlias, assert_never

import msgspec

from ginrummy.rules.cards import DECK, BySeat, Card, CardSet, Deck, Seat, card_set, other
from ginrummy.rules.events import (
    HandDealt,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
)
from ginrummy.rules.ruleset import Ruleset

__all__ = [
    "DEALT",
    "Counting",
    "Dealt",
    "Discarding",
    "Drawing",
    "Finished",
    "Hand",
    "LayingOff",
    "Layout",
    "Offering",
    "start",
    "to_move",
    "with_deck",
]

DEALT = 21
"""Cards that leave the deck before the stock: ten to each seat and the upcard (D1)."""


class Dealt(msgspec.Struct, frozen=True, gc=False):
    """What stays the same from the deal to the end of a hand."""

    rules: Ruleset
    number: int
    dealer: Seat
    upcard: Card
    limit: int
    """Most deadwood in points that a knock may leave in this hand (K1, K6)."""
    gin_only: bool
    """Only gin ends this hand (K6)."""
    deck: Deck | None
    """None where the hand is folded from a log whose secret is not out."""


class Layout(msgspec.Struct, frozen=True, gc=False):
    """Where the cards lie."""

    dealt: Dealt
    hands: BySeat[CardSet]
    """The cards in each hand; without a deck, only those that everybody has seen."""
    shown: BySeat[CardSet]
    """The cards in each hand that everybody has seen go there or lie on the table."""
    pile: tuple[Card, ...]
    """The discard pile, its top last."""
    stock: int
    """How many cards the stock holds."""
    discard_draws: int = 0
    """How many cards were drawn from the discard pile in this hand (T4)."""
    face_down: CardSet = 0
    """The knocker's face-down discard, where known (K3)."""


class Offering(msgspec.Struct, frozen=True, gc=False):
    """The upcard is offered to `seat`: the non-dealer first, then the dealer (D2)."""

    layout: Layout
    seat: Seat


class Drawing(msgspec.Struct, frozen=True, gc=False):
    """`seat` is to draw a card (T1)."""

    layout: Layout
    seat: Seat
    upcard_passed: bool = False
    """Both have passed the upcard, so only the stock is left to draw from (D2)."""


class Discarding(msgspec.Struct, frozen=True, gc=False):
    """`seat` has drawn, and is to discard or to knock (T1, K1)."""

    layout: Layout
    seat: Seat
    drawn: Card | None
    """The card just drawn; None for one from the stock that is not known here."""
    taken: bool
    """It came from the discard pile."""


class LayingOff(msgspec.Struct, frozen=True, gc=False):
    """The knocker has laid down; the opponent is to lay off (L1), or, after gin, to be counted."""

    layout: Layout
    knocked: Knocked


class Counting(msgspec.Struct, frozen=True, gc=False):
    """Both have laid down; the score follows."""

    layout: Layout
    knocked: Knocked
    laid_off: LaidOff


class Finished(msgspec.Struct, frozen=True, gc=False):
    """The hand is over."""

    layout: Layout
    knocked: Knocked | None
    laid_off: LaidOff | None
    result: HandScored | HandVoided


Hand: TypeAlias = Offering | Drawing | Discarding | LayingOff | Counting | Finished
"""A hand in any phase."""


def to_move(hand: Hand) -> Seat | None:
    """Return the seat that is to decide, or None where nobody is."""
    match hand:
        case Discarding(seat=seat) | Drawing(seat=seat) | Offering(seat=seat):
            return seat
        case LayingOff(knocked=knocked):
            return None if knocked.gin else other(knocked.seat)
        case Counting() | Finished():
            return None
        case _:
            assert_never(hand)


def start(rules: Ruleset, event: HandDealt, deck: Deck | None = None) -> Offering:
    """Return the hand that `event` begins, with every card known if the deck is."""
    limit, gin_only = rules.knock_limit, rules.gin_only
    if rules.oklahoma:
        limit, gin_only = event.upcard.points, event.upcard.rank == 0
    dealt = Dealt(
        rules=rules,
        number=event.hand,
        dealer=event.dealer,
        upcard=event.upcard,
        limit=0 if gin_only else limit,
        gin_only=gin_only,
        deck=deck,
    )
    layout = Layout(
        dealt=dealt,
        hands=_dealt_hands(event.dealer, deck),
        shown=BySeat(0, 0),
        pile=(event.upcard,),
        stock=len(DECK) - DEALT,
    )
    return Offering(layout=layout, seat=other(event.dealer))


def with_deck(hand: Offering, deck: Deck) -> Offering:
    """Return a hand that has just been dealt with its deck put under it.

    Raises ValueError for a deck that does not turn that upcard.
    """
    dealt = hand.layout.dealt
    if deck[DEALT - 1] is not dealt.upcard:
        raise ValueError(f"the deck turns {deck[DEALT - 1]}, but {dealt.upcard} was turned")
    event = HandDealt(hand=dealt.number, dealer=dealt.dealer, upcard=dealt.upcard)
    return start(dealt.rules, event, deck)


def _dealt_hands(dealer: Seat, deck: Deck | None) -> BySeat[CardSet]:
    if deck is None:
        return BySeat(0, 0)
    first, second = card_set(deck[0:20:2]), card_set(deck[1:20:2])
    return BySeat(second, first) if dealer == 0 else BySeat(first, second)

"""How a seat's cards lie: in melds as they form in the hand, or as they were laid down."""

from typing import TypeAlias

import msgspec

from ginrummy.rules.cards import Card, Seat, card_set, points
from ginrummy.rules.events import Meld
from ginrummy.rules.melds import arrange
from ginrummy.rules.view import HandView

__all__ = ["Lying", "lying"]

_Laid: TypeAlias = tuple[tuple[Meld, ...], tuple[Card, ...]]
"""Melds and deadwood."""


class Lying(msgspec.Struct, frozen=True):
    """A seat's cards, as far as the viewer may know them, in the order in which they are shown."""

    melds: tuple[Meld, ...]
    """As laid down, or those of least deadwood; none while there are cards that are hidden."""
    added: tuple[tuple[Card, ...], ...]
    """What was laid off on each meld."""
    deadwood: tuple[Card, ...]
    """What is in no meld; of a hand that is partly hidden, what is known of it."""
    hidden: int
    """How many cards more there are."""
    is_laid: bool
    """They lie on the table."""
    count: int | None
    """What the deadwood counts in points; None where cards are hidden."""


def lying(hand: HandView, seat: Seat, run_max: int | None) -> Lying:
    """Return how a seat's cards lie; `run_max` is the ruleset's cap on laid-down runs (M2)."""
    laid, held = _laid_down_by(hand, seat), hand.hands[seat]
    if laid is not None:
        melds, deadwood = laid
        ordered = tuple(map(_in_order, melds))
        count = points(card_set(deadwood))
        return Lying(
            ordered, _added(hand, seat, len(melds)), deadwood, 0, is_laid=True, count=count
        )
    if held.hidden:
        return Lying((), (), held.cards, held.hidden, is_laid=False, count=None)
    best = arrange(card_set(held.cards), run_max)
    nothing: tuple[Card, ...] = ()
    added = (nothing,) * len(best.melds)
    return Lying(best.melds, added, best.deadwood, 0, is_laid=False, count=best.points)


def _in_order(meld: Meld) -> Meld:
    # A player may name a run's cards in any order.
    return tuple(sorted(meld, key=lambda card: card.index))


def _laid_down_by(hand: HandView, seat: Seat) -> _Laid | None:
    """Return what a seat has laid down, or None where it has not."""
    for event in (hand.knocked, hand.laid_off):
        if event is not None and event.seat == seat:
            return event.melds, event.deadwood
    return None


def _added(hand: HandView, seat: Seat, number: int) -> tuple[tuple[Card, ...], ...]:
    """Return what was laid off on each of a seat's melds."""
    on: list[tuple[Card, ...]] = [()] * number
    if hand.laid_off is not None and hand.laid_off.seat != seat:
        for layoff in hand.laid_off.layoffs:
            on[layoff.meld] += (layoff.card,)
    return tuple(on)

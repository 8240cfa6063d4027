"""What an event makes of a hand. No rule is here: an event says what was decided."""

from msgspec.structs import replace

from ginrummy.rules.cards import DECK, Card, Seat, card_set, other
from ginrummy.rules.events import (
    Discarded,
    DiscardTaken,
    HandEvent,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    StockDrawn,
    UpcardPassed,
)
from ginrummy.rules.hand.states import (
    Counting,
    Discarding,
    Drawing,
    Finished,
    Hand,
    LayingOff,
    Layout,
    Offering,
)

__all__ = ["evolve"]


def evolve(hand: Hand, event: HandEvent) -> Hand:
    """Return the hand after `event`; it trusts the event, which was decided before.

    Raises ValueError for an event that has no place in the hand's phase, as only a damaged log
    can hold.
    """
    layout = hand.layout
    match event, hand:
        case Discarded(seat=seat, card=card), Discarding():
            return Drawing(layout=_thrown(layout, seat, card), seat=other(seat))
        case StockDrawn(seat=seat), Drawing():
            return _stock_drawn(layout, seat)
        case DiscardTaken(seat=seat, card=card), Drawing() | Offering():
            return Discarding(
                layout=replace(
                    layout,
                    hands=layout.hands.put(seat, layout.hands[seat] | card.bit),
                    shown=layout.shown.put(seat, layout.shown[seat] | card.bit),
                    pile=layout.pile[:-1],
                    discard_draws=layout.discard_draws + 1,
                ),
                seat=seat,
                drawn=card,
                taken=True,
            )
        case UpcardPassed(seat=seat), Offering():
            if seat == layout.dealt.dealer:
                return Drawing(layout=layout, seat=other(seat), upcard_passed=True)
            return Offering(layout=layout, seat=other(seat))
        case Knocked(), Discarding():
            return LayingOff(layout=_laid(layout, event), knocked=event)
        case LaidOff(seat=seat), LayingOff(knocked=knocked):
            return Counting(layout=_laid(layout, event), knocked=knocked, laid_off=event)
        case HandScored(), Counting(knocked=knocked, laid_off=laid_off):
            return Finished(layout=layout, knocked=knocked, laid_off=laid_off, result=event)
        case HandVoided(), Drawing() | Offering():
            return Finished(layout=layout, knocked=None, laid_off=None, result=event)
        case _:
            raise ValueError(
                f"{type(event).__name__} cannot follow while the hand is {type(hand).__name__}"
            )


def _thrown(layout: Layout, seat: Seat, card: Card) -> Layout:
    hands, shown, bit = layout.hands, layout.shown, card.bit
    if shown[seat] & bit:
        shown = shown.put(seat, shown[seat] ^ bit)
    hands = hands.put(seat, hands[seat] & ~bit)
    return replace(layout, hands=hands, shown=shown, pile=(*layout.pile, card))


def _stock_drawn(layout: Layout, seat: Seat) -> Discarding:
    if not layout.stock:
        raise ValueError("a card is drawn from the stock, which holds none any more")
    deck, hands = layout.dealt.deck, layout.hands
    card = None
    if deck is not None:
        card = deck[len(DECK) - layout.stock]
        hands = hands.put(seat, hands[seat] | card.bit)
    return Discarding(
        layout=replace(layout, hands=hands, stock=layout.stock - 1),
        seat=seat,
        drawn=card,
        taken=False,
    )


def _laid(layout: Layout, event: Knocked | LaidOff) -> Layout:
    """Return the layout with the cards that a seat has laid down open to all."""
    seat = event.seat
    laid = card_set(event.deadwood)
    for meld in event.melds:
        laid |= card_set(meld)
    if isinstance(event, LaidOff):
        laid |= card_set(laid_off.card for laid_off in event.layoffs)
    known = layout.dealt.deck is not None and isinstance(event, Knocked)
    return replace(
        layout,
        hands=layout.hands.put(seat, laid),
        shown=layout.shown.put(seat, laid),
        face_down=layout.hands[seat] & ~laid if known else layout.face_down,
    )

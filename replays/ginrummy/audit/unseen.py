"""Hands that are not known, supposed to be what the players showed of them.

While a hand's secret is not out, an auditor knows the cards that everybody has seen. When a seat
throws or lays down others, it must have held them. So such a move is judged in a hand that holds
them, by the same rules as every other one, unless the cards are known to lie elsewhere.
"""

from msgspec.structs import replace

from ginrummy.rules.cards import DECK, Card, CardSet, Deck, Seat, card_set, cards_in, write_cards
from ginrummy.rules.events import Discarded, Event, Knocked, LaidOff
from ginrummy.rules.hand import Discarding, LayingOff, Layout
from ginrummy.rules.match import Playing

__all__ = [
    "ImpossibleCardsError",
    "deck_turning",
    "laid_down",
    "supposing",
    "with_face_down",
    "with_laid_off",
]

_ALL = card_set(DECK)


class ImpossibleCardsError(Exception):
    """Cards that a seat cannot have held, as everybody could see."""


def supposing(match: Playing, event: Event) -> Playing:
    """Return the match with the cards in hand that `event` shows to have been there.

    For an event that shows none it is the match itself. Raises ImpossibleCardsError.
    """
    match event, match.hand:
        case Discarded(seat=seat, card=card), Discarding():
            return _holding(match, seat, card.bit)
        case Knocked(seat=seat), Discarding(layout=layout):
            laid = laid_down(event)
            if laid.bit_count() == 11:
                return _holding(match, seat, laid, 11)
            return _holding(match, seat, laid | _face_down(layout, seat, laid), 11)
        case LaidOff(), LayingOff():
            return with_laid_off(match, event)
        case _:
            return match


def with_laid_off(match: Playing, event: LaidOff) -> Playing:
    """Return the match with the hand of whoever lays off being what they lay down.

    Raises ImpossibleCardsError.
    """
    return _holding(match, event.seat, laid_down(event), 10)


def with_face_down(match: Playing, kept: CardSet) -> Playing:
    """Return the match after a knock with the face-down discard, if it is a card seen before.

    `kept` is what everybody saw go to the knocker's hand and does not lie on the table (K3).
    """
    layout = replace(match.hand.layout, face_down=kept)
    return replace(match, hand=replace(match.hand, layout=layout))


def deck_turning(upcard: Card) -> Deck:
    """Return a deck that turns this upcard, for a hand whose own deck is not known."""
    others = [card for card in DECK if card is not upcard]
    return (*others[:20], upcard, *others[20:])


def laid_down(event: Knocked | LaidOff) -> CardSet:
    """Return the cards that a seat has laid down or laid off."""
    cards = card_set(event.deadwood)
    for meld in event.melds:
        cards |= card_set(meld)
    if isinstance(event, LaidOff):
        cards |= card_set(layoff.card for layoff in event.layoffs)
    return cards


def _face_down(layout: Layout, seat: Seat, laid: CardSet) -> CardSet:
    """Return what was discarded face down (K3): a shown card that is not laid down, or any."""
    kept = layout.shown[seat] & ~laid
    unseen = _ALL & ~_seen(layout) & ~laid
    return kept or unseen & -unseen


def _holding(match: Playing, seat: Seat, cards: CardSet, size: int | None = None) -> Playing:
    """Return the match with `cards` in a hand; with a size, it is to have no others."""
    layout = match.hand.layout
    shown = layout.shown[seat]
    elsewhere = cards & ~shown & _seen(layout)
    if elsewhere:
        raise ImpossibleCardsError(f"{write_cards(cards_in(elsewhere))} is known to be elsewhere")
    held = shown | cards
    if held.bit_count() > (size or 11):
        kept = write_cards(cards_in(shown & ~cards))
        raise ImpossibleCardsError(f"the hand also holds {kept}, which everybody has seen")
    if size is not None and held.bit_count() < size:
        raise ImpossibleCardsError(
            f"{size - held.bit_count()} cards of the hand are not accounted for"
        )
    return replace(
        match, hand=replace(match.hand, layout=replace(layout, hands=layout.hands.put(seat, held)))
    )


def _seen(layout: Layout) -> CardSet:
    """Return the cards of which everybody knows where they are."""
    return card_set(layout.pile) | layout.shown[0] | layout.shown[1] | layout.face_down

"""What a seat could know when it decided: its own cards, what was open, and what the other did."""

import msgspec
from msgspec.structs import replace

from ginrummy.rules.cards import DECK, BySeat, CardSet, Seat, card_set, other
from ginrummy.rules.events import Discarded, DiscardTaken, Event, StockDrawn, UpcardPassed
from ginrummy.rules.hand import Drawing, Hand, Offering

__all__ = ["Heard", "Knowledge", "knowledge_at"]

_ALL = card_set(DECK)


class Knowledge(msgspec.Struct, frozen=True):
    """A seat's knowledge of the cards, and nothing else of them."""

    seat: Seat
    own: CardSet
    pile: tuple[CardSet, ...]
    """The discard pile, its top last, each card as a set: whoever remembers knows all of it."""
    held: CardSet
    """What the opponent took openly and holds."""
    hidden: int
    """How many of the opponent's cards are not known."""
    stock: int
    refused: CardSet
    """The cards that the opponent let lie or threw, and does not hold."""

    @property
    def unseen(self) -> CardSet:
        """The cards that are in the stock or among the opponent's hidden ones."""
        return _ALL & ~self.own & ~self.held & ~sum(self.pile)


class Heard(msgspec.Struct, frozen=True):
    """What each seat has let lie or thrown in a hand so far."""

    refused: BySeat[CardSet] = BySeat(0, 0)

    def after(self, hand: Hand, event: Event) -> "Heard":
        """Return what is heard once `event` has followed in `hand`."""
        match event:
            case StockDrawn(seat=seat) if isinstance(hand, Drawing) and not hand.upcard_passed:
                return self._more(seat, hand.layout.pile[-1].bit)
            case UpcardPassed(seat=seat) if isinstance(hand, Offering):
                return self._more(seat, hand.layout.pile[-1].bit)
            case Discarded(seat=seat, card=card):
                return self._more(seat, card.bit)
            case DiscardTaken(seat=seat, card=card):
                rest = self.refused[seat] & ~card.bit
                return replace(self, refused=self.refused.put(seat, rest))
            case _:
                return self

    def _more(self, seat: Seat, card: CardSet) -> "Heard":
        return replace(self, refused=self.refused.put(seat, self.refused[seat] | card))


def knowledge_at(hand: Hand, seat: Seat, heard: Heard) -> Knowledge:
    """Return what `seat` knows of the cards in `hand`, before its opponent has laid down."""
    layout, opponent = hand.layout, other(seat)
    held = layout.shown[opponent]
    return Knowledge(
        seat=seat,
        own=layout.hands[seat],
        pile=tuple(card.bit for card in layout.pile),
        held=held,
        hidden=max(0, layout.hands[opponent].bit_count() - held.bit_count()),
        stock=layout.stock,
        refused=heard.refused[opponent],
    )

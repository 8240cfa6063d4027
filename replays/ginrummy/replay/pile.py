"""The discard pile with its history: every card thrown in a hand, by whom, and who took it."""

import msgspec
from msgspec.structs import replace

from ginrummy.rules.cards import Card, Seat
from ginrummy.rules.events import Discarded, DiscardTaken, Event, HandDealt

__all__ = ["Pile", "Thrown"]


class Thrown(msgspec.Struct, frozen=True):
    """A card that was thrown, or turned up at the deal."""

    card: Card
    by: Seat | None
    """Who threw it; None for the upcard."""
    taker: Seat | None
    """Who took it; None while nobody has, and it lies there."""


class Pile:
    """The cards thrown in one hand, the oldest first."""

    def __init__(self) -> None:
        """Begin with no hand dealt."""
        self._thrown: list[Thrown] = []

    def add(self, event: Event) -> tuple[Thrown, ...]:
        """Add an event of the match, and return the history after it."""
        match event:
            case HandDealt(upcard=card):
                self._thrown = [Thrown(card, None, None)]
            case Discarded(seat=seat, card=card):
                self._thrown.append(Thrown(card, seat, None))
            case DiscardTaken(seat=seat):
                # What lies on top is what nobody has taken yet.
                lying = (at for at in reversed(range(len(self._thrown))))
                top = next(at for at in lying if self._thrown[at].taker is None)
                self._thrown[top] = replace(self._thrown[top], taker=seat)
        return tuple(self._thrown)

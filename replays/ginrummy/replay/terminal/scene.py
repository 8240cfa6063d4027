"""What is to be seen at a place: the view of its perspective, and what was thrown so far."""

import msgspec

from ginrummy.replay.jumps import hand_at
from ginrummy.replay.laying import Lying, lying
from ginrummy.replay.pile import Pile, Thrown
from ginrummy.replay.stepping import Replay
from ginrummy.replay.stock import stock_order
from ginrummy.replay.terminal.course import Place
from ginrummy.rules.cards import Card, Seat
from ginrummy.rules.view import HandView, MatchView, view

__all__ = ["Scene", "scene_at"]


class Scene(msgspec.Struct, frozen=True):
    """A position as a viewer may know it."""

    seq: int
    seen: MatchView
    thrown: tuple[Thrown, ...]
    """The discard pile's history, the oldest card first."""
    order: tuple[Card, ...] | None
    """The stock, next card first; None for whoever may not know it."""

    @property
    def near(self) -> Seat:
        """The seat at the lower edge: whoever looks sits there."""
        return 1 if self.seen.perspective == 1 else 0

    def lying(self, hand: HandView, seat: Seat) -> Lying:
        """Return how a seat's cards lie."""
        return lying(hand, seat, self.seen.terms.rules.run_max)


def scene_at(replay: Replay, place: Place) -> Scene:
    """Return what is to be seen after an event, with whose eyes it is seen."""
    match = replay.at(place.seq).match
    order = stock_order(match) if place.perspective == "full" else None
    return Scene(place.seq, view(match, place.perspective), _thrown(replay, place.seq), order)


def _thrown(replay: Replay, seq: int) -> tuple[Thrown, ...]:
    span, pile = hand_at(replay, seq), Pile()
    if span is None:
        return ()
    # What is thrown lies open before everybody.
    return [pile.add(each.line.event) for each in replay.between(span.first, seq)][-1]

"""The bot: each decision as the best of what its parts say the moves are worth."""

from typing import NamedTuple

from ginrummy.bots.expert.knocking import best_spread, spreads
from ginrummy.bots.expert.memory import Memory
from ginrummy.bots.expert.outs import can_meld, is_highest, outs
from ginrummy.bots.expert.reading import Reading, read
from ginrummy.bots.expert.throwing import best_throw
from ginrummy.bots.expert.weights import DRAWING
from ginrummy.bots.expert.worth import Stand, worth
from ginrummy.bots.sight import cards_of, held, just_taken, opponent_known, pile, top
from ginrummy.rules.cards import DECK, CardSet, card_set, cards_in
from ginrummy.rules.commands import BigGin, Discard, Draw, LayOff, Move, Pass, Take
from ginrummy.v1.events_pb2 import Event
from ginrummy.v1.match_pb2 import View

__all__ = ["ExpertBot"]

_DECK = card_set(DECK)


class _Sight(NamedTuple):
    """What a decision is made from."""

    own: CardSet
    reading: Reading
    stand: Stand


class ExpertBot:
    """It reads the opponent from what they took, left and threw, counts outs, and times its knock.

    There is no chance in it and no clock: the same events and view give the same move. It plays
    one match; told its events from the first on, it can begin anywhere in it.
    """

    def __init__(self) -> None:
        """Begin before the match."""
        self._memory = Memory()

    def saw(self, event: Event) -> None:
        """Remember an event."""
        self._memory.saw(event)

    def offer(self, view: View) -> Move:
        """Take the upcard if that is worth more than the next card from the stock."""
        return Take() if view.hand.legal.take and self._takes(view) else Pass()

    def draw(self, view: View) -> Move:
        """Take the discard pile's top if that is worth more than a card from the stock."""
        return Take() if view.hand.legal.take and self._takes(view) else Draw()

    def discard(self, view: View) -> Move:
        """Knock if that is worth more than to go on, or else throw the card best to be without."""
        legal = view.hand.legal
        if legal.big_gin:
            return BigGin()
        sight, taken = self._look(view), just_taken(view)
        throws = [card for card in cards_of(legal.discards) if card is not taken]
        throw = best_throw(sight.own, throws, sight.reading, sight.stand)
        if legal.knocks:
            terms, limit = self._memory.terms, view.hand.knock_limit
            choices = spreads(sight.own, cards_of(legal.knocks), terms, limit)
            brings, spread = best_spread(choices, sight.reading.hands, terms, self._lacking(view))
            if not spread.deadwood or brings >= throw.worth:
                return spread.knock
        return Discard(throw.card)

    def lay_off(self, view: View) -> Move:  # noqa: ARG002 -- nothing is hidden any more
        """Let the server find the melds and lay-offs that leave least: no choice scores better."""
        return LayOff()

    def _takes(self, view: View) -> bool:
        own, card = held(view), top(view)
        if not can_meld(card, own) and is_highest(card, own):
            return False  # It would only go back.
        _, reading, stand = self._look(view)
        with_it = best_throw(own | card.bit, cards_in(own), reading, stand)
        held_now = outs(own, reading.stock, stand.limit)
        without = worth(held_now, stand) + DRAWING.drop * held_now.drop
        return with_it.worth > without + DRAWING.margin

    def _look(self, view: View) -> _Sight:
        """Read the table; the opponent is to move next, so what is left is counted for them."""
        own, known = held(view), opponent_known(view)
        hand, terms = view.hand, self._memory.terms
        opponent = 1 - view.seat
        reading = read(
            _DECK & ~(own | known | card_set(pile(view))),
            known,
            hand.hands[opponent].hidden,
            self._memory.course(view, opponent),
        )
        left = hand.stock - terms.stock_floor
        if hand.discard_draws >= terms.max_discard_draws:
            left = 0
        stand = Stand(hand.knock_limit, reading.turns, reading.deadwood, max(0, left))
        return _Sight(own, reading, stand)

    def _lacking(self, view: View) -> tuple[int, int] | None:
        target = self._memory.terms.target
        if target is None:
            return None
        return target - view.points[view.seat], target - view.points[1 - view.seat]

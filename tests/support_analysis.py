"""Players with and without a look at hidden cards, and their hands as the analysis reads them."""

import random

from support_logs import Table
from support_play import Policy, simple_move

from ginrummy.analysis.deciding import DecidedHand, decided_hand
from ginrummy.analysis.policy import count_after_throw, idle, wants
from ginrummy.analysis.recording import read_match
from ginrummy.rules.cards import cards_in, other
from ginrummy.rules.commands import Discard, Draw, Move, Take
from ginrummy.rules.hand import Discarding, Drawing, Hand, to_move


def sees_the_stock(hand: Hand, rng: random.Random) -> Move:
    """Draw or take whichever leaves less deadwood, with a look at the stock's top."""
    if not isinstance(hand, Drawing) or hand.upcard_passed:
        return simple_move(hand, rng)
    layout = hand.layout
    assert layout.dealt.deck is not None
    held = layout.hands[hand.seat]
    drawn = count_after_throw(held | layout.dealt.deck[-layout.stock].bit)
    return Draw() if drawn <= count_after_throw(held | layout.pile[-1].bit) else Take()


def sees_the_hand(hand: Hand, rng: random.Random) -> Move:
    """Throw the highest deadwood that the opponent cannot meld, with a look at their hand."""
    move = simple_move(hand, rng)
    if not isinstance(hand, Discarding) or not isinstance(move, Discard):
        return move
    layout = hand.layout
    opposing = layout.hands[other(hand.seat)]
    safe = [
        card
        for card in cards_in(idle(layout.hands[hand.seat]))
        if not wants(opposing, card.bit) and not (hand.taken and card is hand.drawn)
    ]
    return Discard(max(safe, key=lambda card: card.points)) if safe else move


def hands_between(first: Policy, second: Policy, number: int, seed: int) -> list[DecidedHand]:
    """Return hands that two policies have played, `first` at seat 0."""

    def both(hand: Hand, rng: random.Random) -> Move:
        return (first if to_move(hand) == 0 else second)(hand, rng)

    table = Table(seed, hands=number, chain=2 * number).seated().play(both)
    return [decided_hand(logged) for logged in read_match(table.log).hands][:number]

"""Did a seat play as if it saw hidden cards? What its choices came to beyond what it could know.

A choice is looked at twice: with the cards as they really lay, and on average over worlds that fit
what the seat knew. The difference is luck. Whoever does not see the hidden cards has as much luck
with what they choose as with what they leave; whoever sees them has more.

- A *draw*: by how many points the stock's top card would lower the deadwood. A seat that sees it
  draws where it helps and takes the discard where it does not.
- A *discard*: by how many points a card would lower the opponent's deadwood. A seat that sees the
  opponent's hand throws what does not help there.

What many of them say of a player is worked out in `verdict`.
"""

from collections.abc import Iterable, Sequence

import msgspec

from ginrummy.analysis.deciding import DecidedHand, Decision
from ginrummy.analysis.policy import count_after_throw, idle, wants
from ginrummy.analysis.worlds import draw_worlds, seeded
from ginrummy.rules.cards import CardSet, Seat, cards_in, other
from ginrummy.rules.commands import Discard, Draw
from ginrummy.rules.hand import Discarding, Drawing, legal_moves
from ginrummy.rules.melds import deadwood

__all__ = ["DrawLuck", "HandLuck", "ThrowLuck", "luck_of"]


class DrawLuck(msgspec.Struct, frozen=True):
    """A choice between the stock and the discard."""

    seq: int
    chosen: bool
    """The seat drew from the stock."""
    expected: float
    """By how many points a card not seen would lower the deadwood, on average."""
    real: int
    """By how many the stock's top would."""
    stock: int


class ThrowLuck(msgspec.Struct, frozen=True):
    """A card that was or could have been thrown."""

    seq: int
    chosen: bool
    """The seat threw it."""
    value: int
    """The card's points."""
    expected: float
    """By how many points it would lower the deadwood of likely opposing hands, on average."""
    real: int
    """By how many that of the real one."""
    stock: int


class HandLuck(msgspec.Struct, frozen=True):
    """One seat's luck in one hand."""

    draws: tuple[DrawLuck, ...]
    throws: tuple[ThrowLuck, ...]


def luck_of(hand: DecidedHand, seat: Seat, worlds: int, seed: int) -> HandLuck:
    """Return what a seat's choices in a hand came to beyond what it could know."""
    draws: list[DrawLuck] = []
    throws: list[ThrowLuck] = []
    for decision in hand.decisions:
        if decision.seat != seat:
            continue
        if isinstance(decision.hand, Drawing) and not decision.hand.upcard_passed:
            draws.append(_draw_luck(decision))
        elif isinstance(decision.move, Discard):
            throws += _throw_luck(decision, hand.stream, worlds, seed)
    return HandLuck(tuple(draws), tuple(throws))


def _draw_luck(decision: Decision) -> DrawLuck:
    layout, knows = decision.hand.layout, decision.knowledge
    assert layout.dealt.deck is not None
    before = deadwood(knows.own)
    helps = {
        card: before - count_after_throw(knows.own | card.bit) for card in cards_in(knows.unseen)
    }
    real = helps[layout.dealt.deck[-layout.stock]]
    mean = sum(helps.values()) / len(helps)
    return DrawLuck(decision.seq, isinstance(decision.move, Draw), mean, real, layout.stock)


def _throw_luck(decision: Decision, stream: str, worlds: int, seed: int) -> Iterable[ThrowLuck]:
    assert isinstance(decision.hand, Discarding)
    assert isinstance(decision.move, Discard)
    numbers = seeded(seed, stream, decision.seq, "sight")
    likely = [world.opposing for world in draw_worlds(decision.knowledge, worlds, numbers)]
    real = decision.hand.layout.hands[other(decision.seat)]
    # A card that is melded is hardly thought of; those that are not are what is chosen from.
    loose = idle(decision.knowledge.own)
    for move in legal_moves(decision.hand):
        if isinstance(move, Discard) and (move == decision.move or move.card.bit & loose):
            card = move.card
            yield ThrowLuck(
                decision.seq,
                move == decision.move,
                card.points,
                _mean([help_to(hand, card.bit) for hand in likely]),
                help_to(real, card.bit),
                decision.hand.layout.stock,
            )


def help_to(cards: CardSet, card: CardSet) -> int:
    """Return by how many points ten cards' deadwood falls if they take `card` into a meld."""
    if not wants(cards, card):
        return 0
    return deadwood(cards) - count_after_throw(cards | card)


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values)

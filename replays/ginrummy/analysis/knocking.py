"""Knocks: whether one was possible, what it would have scored, and the best spread for it."""

from collections.abc import Iterator, Sequence
from itertools import chain

import msgspec

from ginrummy.analysis.deciding import Decision
from ginrummy.analysis.figures import Estimate, estimate
from ginrummy.analysis.playing import lay_down_score
from ginrummy.analysis.worlds import World
from ginrummy.rules.cards import Card, CardSet, Seat, card_set, cards_in, other, points
from ginrummy.rules.commands import BigGin, Knock
from ginrummy.rules.events import Meld
from ginrummy.rules.hand import Dealt, Discarding, legal_moves
from ginrummy.rules.melds import RUNS, SETS, arrange, deadwood

__all__ = ["KnockChance", "SpreadChoice", "best_spread", "knock_chance", "spreads"]

_MELDS_WITH: dict[CardSet, tuple[CardSet, ...]] = {
    card.bit: tuple(sorted(meld for meld in SETS | RUNS if meld & card.bit)) for card in Card
}


class SpreadChoice(msgspec.Struct, frozen=True):
    """A spread, and what it scores on average against some hands laid off at their best."""

    melds: tuple[Meld, ...]
    score: Estimate


class KnockChance(msgspec.Struct, frozen=True):
    """A knock that was possible. Points are the knocker's, below zero for an undercut."""

    card: Card | None
    """The discard: the one made, or the one that leaves least; None for big gin."""
    deadwood: int
    made: bool
    """The seat did knock."""
    real: int
    """What it scored, or would have with the server's spread, against the real hand laid off at
    its best."""
    likely: Estimate
    """What it would against likely hands."""
    undercut: float
    """The share of likely hands that undercut it."""
    best: SpreadChoice
    """The spread that scores most against likely hands; the one made or the server's if none does
    better."""
    spread_gave_away: Estimate
    """How much more the best spread scores against likely hands."""


def knock_chance(decision: Decision, worlds: Sequence[World]) -> KnockChance | None:
    """Return what a knock would have come to at a decision; None where none was possible."""
    hand, move = decision.hand, decision.move
    if not isinstance(hand, Discarding):
        return None
    made = isinstance(move, Knock | BigGin)
    card = _card_to_knock_with(decision)
    if isinstance(card, str):
        return None
    dealt, seat = hand.layout.dealt, decision.seat
    cards = hand.layout.hands[seat] & ~(card.bit if card else 0)
    melds = arrange(cards, dealt.rules.run_max).melds
    if isinstance(move, Knock | BigGin) and move.melds is not None:
        melds = move.melds
    likely = [world.opposing for world in worlds]
    scores = _scores(dealt, seat, cards, melds, likely)
    best = best_spread(dealt, seat, cards, melds, likely)
    real = hand.layout.hands[other(seat)]
    return KnockChance(
        card=card,
        deadwood=points(_left(cards, melds)),
        made=made,
        real=_scores(dealt, seat, cards, melds, [real])[0],
        likely=estimate(scores),
        undercut=sum(score < 0 for score in scores) / len(scores),
        best=best,
        spread_gave_away=estimate(
            [
                more - had
                for more, had in zip(
                    _scores(dealt, seat, cards, best.melds, likely), scores, strict=True
                )
            ]
        ),
    )


def _card_to_knock_with(decision: Decision) -> Card | str | None:
    """Return the discard of the knock made or of least deadwood; None for big gin; "" for none."""
    if isinstance(decision.move, Knock):
        return decision.move.card
    moves = legal_moves(decision.hand)
    if BigGin() in moves:
        return None
    held = decision.hand.layout.hands[decision.seat]
    knocks = [move.card for move in moves if isinstance(move, Knock)]
    return min(knocks, key=lambda card: deadwood(held & ~card.bit), default="")


def best_spread(
    dealt: Dealt,
    seat: Seat,
    cards: CardSet,
    melds: tuple[Meld, ...],
    opposing: Sequence[CardSet],
) -> SpreadChoice:
    """Return the spread of `cards` that scores most on average against some opposing hands.

    `melds` is the one to beat: it stays where no other does better. No spread that leaves more
    than the knock limit is one.
    """
    best = SpreadChoice(melds, estimate(_scores(dealt, seat, cards, melds, opposing)))
    if points(_left(cards, melds)) == 0:
        # Nothing is laid off on gin, so every spread of it scores the same (L2).
        return best
    for other_melds in spreads(cards, dealt.rules.run_max):
        if points(_left(cards, other_melds)) <= dealt.limit:
            score = estimate(_scores(dealt, seat, cards, other_melds, opposing))
            if score.mean > best.score.mean:
                best = SpreadChoice(other_melds, score)
    return best


def spreads(cards: CardSet, run_max: int | None) -> Iterator[tuple[Meld, ...]]:
    """Yield every way to lay down melds of `cards`, no melds at all included, each way once."""
    yield from _spreads(cards, run_max or 13, ())


def _spreads(cards: CardSet, run_max: int, laid: tuple[Meld, ...]) -> Iterator[tuple[Meld, ...]]:
    if not cards:
        yield laid
        return
    first = cards & -cards
    for meld in _MELDS_WITH[first]:
        if not meld & ~cards and (meld in SETS or meld.bit_count() <= run_max):
            yield from _spreads(cards ^ meld, run_max, (*laid, cards_in(meld)))
    # Without the first card, which then is deadwood.
    yield from _spreads(cards ^ first, run_max, laid)


def _left(cards: CardSet, melds: tuple[Meld, ...]) -> CardSet:
    return cards & ~card_set(chain.from_iterable(melds))


def _scores(
    dealt: Dealt,
    seat: Seat,
    cards: CardSet,
    melds: tuple[Meld, ...],
    opposing: Sequence[CardSet],
) -> list[int]:
    left = _left(cards, melds)
    return [lay_down_score(dealt, seat, melds, left, hand) for hand in opposing]

"""Playing an imagined hand on to its end: what a move is worth in one world.

All cards of a world are known, so a hand is played on without events, on sets of cards alone; the
rules' own engine comes to the same scores. Scores are signed: for seat 0 above zero.
"""

from functools import lru_cache
from typing import NamedTuple

from ginrummy.analysis.policy import best_throw, throw, wants
from ginrummy.rules.cards import BySeat, CardSet, Seat, card_set, cards_in, other, points
from ginrummy.rules.commands import BigGin, Discard, Draw, Knock, Move, Pass, Take
from ginrummy.rules.events import Knocked, Meld
from ginrummy.rules.hand import Dealt
from ginrummy.rules.layoffs import best_lay_off
from ginrummy.rules.melds import Arrangement, arrange, deadwood
from ginrummy.rules.scoring import score_hand

__all__ = ["Standing", "knock_score", "lay_down_score", "play_move", "play_on"]


class Standing(NamedTuple):
    """A hand in which all cards are known, between two moves."""

    dealt: Dealt
    hands: BySeat[CardSet]
    pile: tuple[CardSet, ...]
    """The discard pile, its top last, each card as a set."""
    stock: tuple[CardSet, ...]
    """The stock, its top first, each card as a set."""
    discard_draws: int = 0


def play_move(standing: Standing, seat: Seat, move: Move) -> int:
    """Return what the hand comes to where `seat` makes `move` and both then play by the policy.

    Signed points: what `seat` scores, below zero where the other does.
    """
    sign = 1 if seat == 0 else -1
    match move:
        case Pass():
            return sign * _passed(standing, seat)
        case Take():
            return sign * _take(standing, seat)
        case Draw():
            return sign * _draw(standing, seat)
        case Discard(card=card):
            return sign * _discard(standing, seat, card.bit)
        case Knock(card=card, melds=melds):
            return knock_score(standing, seat, standing.hands[seat] & ~card.bit, melds)
        case BigGin(melds=melds):
            return knock_score(standing, seat, standing.hands[seat], melds)
        case _:
            raise ValueError(f"{type(move).__name__} is no move to play on from")


def play_on(standing: Standing, seat: Seat) -> int:
    """Return what the hand comes to, for seat 0, where `seat` is to draw and both play by policy.

    A void hand is worth nothing (S4).
    """
    rules = standing.dealt.rules
    while len(standing.stock) > rules.stock_floor and (
        standing.discard_draws < rules.max_discard_draws
    ):
        if wants(standing.hands[seat], standing.pile[-1]):
            standing, taken = _with_top(standing, seat), standing.pile[-1]
        else:
            standing, taken = _with_stock(standing, seat), 0
        after = _turn_ends(standing, seat, taken)
        if isinstance(after, int):
            return after
        standing, seat = after, other(seat)
    return 0


def _passed(standing: Standing, seat: Seat) -> int:
    """Go on after `seat` has passed the upcard (D2)."""
    opponent = other(seat)
    if seat == standing.dealt.dealer:
        # A turn that starts here is not looked at for the stock's end: it starts with a throw.
        return _draw(standing, opponent)
    if wants(standing.hands[opponent], standing.pile[-1]):
        return _take(standing, opponent)
    return _passed(standing, opponent)


def _take(standing: Standing, seat: Seat) -> int:
    return _end_turn(_with_top(standing, seat), seat, standing.pile[-1])


def _draw(standing: Standing, seat: Seat) -> int:
    return _end_turn(_with_stock(standing, seat), seat, 0)


def _discard(standing: Standing, seat: Seat, card: CardSet) -> int:
    return play_on(_without(standing, seat, card), other(seat))


def _end_turn(standing: Standing, seat: Seat, taken: CardSet) -> int:
    after = _turn_ends(standing, seat, taken)
    return after if isinstance(after, int) else play_on(after, other(seat))


def _turn_ends(standing: Standing, seat: Seat, taken: CardSet) -> Standing | int:
    """Return the hand after the policy's throw, or its score for seat 0 where it lays down."""
    cards, dealt = standing.hands[seat], standing.dealt
    # No card is worth more than ten, so most hands are told at one look.
    held = deadwood(cards)
    if held - dealt.limit <= 10:
        sign = 1 if seat == 0 else -1
        if held == 0 and dealt.rules.big_gin:
            return sign * knock_score(standing, seat, cards)
        card, left = best_throw(cards, taken)
        if left <= dealt.limit:
            return sign * knock_score(standing, seat, cards ^ card)
    return _without(standing, seat, throw(cards, taken))


def knock_score(
    standing: Standing, seat: Seat, cards: CardSet, melds: tuple[Meld, ...] | None = None
) -> int:
    """Return what `seat` scores, below zero for an undercut, by laying down ten or eleven cards.

    `melds` is the spread; None for the one that the rules choose.
    """
    dealt = standing.dealt
    if melds is None:
        spread = _arranged(cards, dealt.rules.run_max)
        melds, left = spread.melds, card_set(spread.deadwood)
    else:
        left = cards & ~card_set(card for meld in melds for card in meld)
    return lay_down_score(dealt, seat, melds, left, standing.hands[other(seat)])


def lay_down_score(
    dealt: Dealt, seat: Seat, melds: tuple[Meld, ...], left: CardSet, opposing: CardSet
) -> int:
    """Return what a spread scores for `seat` against ten cards that are laid off at their best."""
    gin = points(left) == 0
    knocked = Knocked(seat=seat, melds=melds, deadwood=cards_in(left), gin=gin)
    # Nothing is laid off on gin (L2).
    count = deadwood(opposing) if gin else _after_lay_offs(dealt, melds, opposing)
    scored = score_hand(dealt.rules, dealt.number, dealt.upcard, knocked, count)
    return scored.points if scored.winner == seat else -scored.points


def _after_lay_offs(dealt: Dealt, melds: tuple[Meld, ...], opposing: CardSet) -> int:
    return best_lay_off(melds, opposing, dealt.rules.run_max).points


@lru_cache(maxsize=4096)
def _arranged(cards: CardSet, run_max: int | None) -> Arrangement:
    return arrange(cards, run_max)


def _with_top(standing: Standing, seat: Seat) -> Standing:
    dealt, hands, pile, stock, draws = standing
    return Standing(dealt, hands.put(seat, hands[seat] | pile[-1]), pile[:-1], stock, draws + 1)


def _with_stock(standing: Standing, seat: Seat) -> Standing:
    dealt, hands, pile, stock, draws = standing
    return Standing(dealt, hands.put(seat, hands[seat] | stock[0]), pile, stock[1:], draws)


def _without(standing: Standing, seat: Seat, card: CardSet) -> Standing:
    dealt, hands, pile, stock, draws = standing
    return Standing(dealt, hands.put(seat, hands[seat] & ~card), (*pile, card), stock, draws)

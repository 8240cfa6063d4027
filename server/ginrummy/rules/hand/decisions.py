"""What may be decided in a hand: the rules of a turn, a knock and a lay-off, each in one place."""

from functools import cache
from typing import assert_never

from ginrummy.rules.cards import DECK, Card, CardSet, Deck, Seat, card_set, cards_in, other
from ginrummy.rules.cards import points as points_of
from ginrummy.rules.commands import BigGin, Discard, Draw, Knock, LayOff, Move, Pass, Take
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import (
    Discarded,
    DiscardTaken,
    HandDealt,
    HandEvent,
    HandVoided,
    Knocked,
    LaidOff,
    Meld,
    StockDrawn,
    UpcardPassed,
    VoidReason,
)
from ginrummy.rules.hand.states import (
    DEALT,
    Counting,
    Discarding,
    Drawing,
    Finished,
    Hand,
    LayingOff,
    Layout,
    Offering,
    start,
    to_move,
)
from ginrummy.rules.layoffs import best_lay_off, check_lay_off
from ginrummy.rules.melds import arrange, check_melds, deadwood
from ginrummy.rules.ruleset import Ruleset
from ginrummy.rules.scoring import score_hand

__all__ = ["deal", "decide", "legal_moves", "void_reason"]


def deal(rules: Ruleset, number: int, dealer: Seat, deck: Deck) -> tuple[HandEvent, ...]:
    """Return the events of dealing hand `number` from `deck` (D1)."""
    event = HandDealt(hand=number, dealer=dealer, upcard=deck[DEALT - 1])
    return event, *_turn_starts(start(rules, event).layout)


def _turn_starts(layout: Layout) -> tuple[HandEvent, ...]:
    """Return what the start of a turn brings about: the hand's end, or nothing (T3, T4)."""
    reason = _void_reason(layout)
    return () if reason is None else (HandVoided(layout.dealt.number, reason),)


def void_reason(hand: Hand) -> VoidReason | None:
    """Return why a hand whose turn begins is void (T3, T4); None where it goes on."""
    return _void_reason(hand.layout) if isinstance(hand, Drawing | Offering) else None


def _void_reason(layout: Layout) -> VoidReason | None:
    rules = layout.dealt.rules
    if layout.stock <= rules.stock_floor:
        return "stock"
    if layout.discard_draws >= rules.max_discard_draws:
        return "discard_draws"
    return None


def _discardable(hand: Discarding) -> CardSet:
    """Return the cards that may leave the hand, face up or in a knock (T2)."""
    layout = hand.layout
    held = layout.hands[hand.seat]
    if hand.taken and hand.drawn is not None and not layout.dealt.rules.may_return_taken_card:
        return held & ~hand.drawn.bit
    return held


def _knockable(hand: Discarding) -> tuple[Card, ...]:
    """Return the discardable cards whose leaving permits a knock (K1)."""
    held, limit = hand.layout.hands[hand.seat], hand.layout.dealt.limit
    # No card is worth more than ten, so most hands are told at one look.
    spare = deadwood(held) - limit
    if spare > 10:
        return ()
    return tuple(
        card
        for card in cards_in(_discardable(hand))
        if card.points >= spare and deadwood(held & ~card.bit) <= limit
    )


# What can be listed is made once: listing moves is most of a simulation's work.
_DRAW = (Draw(),)
_TAKE_OR_DRAW = (Take(), Draw())
_TAKE_OR_PASS = (Take(), Pass())
_BIG_GIN = BigGin()
_SPADES, _HEARTS, _DIAMONDS, _CLUBS = (8191 << 13 * suit for suit in range(4))
_KNOCK = tuple(Knock(card) for card in DECK)


@cache
def _discards(cards: CardSet) -> tuple[Discard, ...]:
    """Return the discards of the cards of one suit: 8,192 sets at the most."""
    return tuple(map(Discard, cards_in(cards)))


def legal_moves(hand: Hand) -> tuple[Move, ...]:
    """Return the moves of the seat that is to decide, in a fixed order.

    A knock, big gin or lay-off is listed once, with its arrangement left to the server; any legal
    arrangement may take its place. Resigning is always possible and not listed.
    """
    match hand:
        case Discarding(layout=layout, seat=seat):
            cards = _discardable(hand)
            moves: tuple[Move, ...] = (
                _discards(cards & _SPADES)
                + _discards(cards & _HEARTS)
                + _discards(cards & _DIAMONDS)
                + _discards(cards & _CLUBS)
            )
            if spare := _knockable(hand):
                moves += tuple(_KNOCK[card.index] for card in spare)
            if layout.dealt.rules.big_gin and deadwood(layout.hands[seat]) == 0:
                moves += (_BIG_GIN,)
            return moves
        case Drawing(upcard_passed=upcard_passed):
            return _DRAW if upcard_passed else _TAKE_OR_DRAW
        case Offering():
            return _TAKE_OR_PASS
        case LayingOff(knocked=knocked):
            return () if knocked.gin else (LayOff(),)
        case Counting() | Finished():
            return ()
        case _:
            assert_never(hand)


def decide(hand: Hand, seat: Seat, move: Move) -> tuple[HandEvent, ...]:
    """Return the events that `seat` causes by `move`.

    Raises IllegalMoveError where the rules do not allow it; nothing has changed then.
    """
    turn = to_move(hand)
    if turn is None:
        raise IllegalMoveError(Reason.HAND_OVER, "", "the hand has ended")
    if turn != seat:
        raise IllegalMoveError(
            Reason.NOT_YOUR_TURN, _phase_rule(hand), f"it is the turn of seat {turn}"
        )
    match hand, move:
        case Drawing(), Draw():
            return (StockDrawn(seat),)
        case Drawing(upcard_passed=False), Take():
            return (DiscardTaken(seat, hand.layout.pile[-1]),)
        case Drawing(), Take():
            raise IllegalMoveError(
                Reason.UPCARD_PASSED, "D2", "both passed the upcard: draw from the stock"
            )
        case Discarding(), Discard(card=card):
            return _discard(hand, card)
        case Discarding(), Knock(card=card, melds=melds):
            return _knock(hand, card, melds)
        case Discarding(), BigGin(melds=melds):
            return _big_gin(hand, melds)
        case Offering(), Take():
            return (DiscardTaken(seat, hand.layout.pile[-1]),)
        case Offering(), Pass():
            return (UpcardPassed(seat),)
        case LayingOff(), LayOff():
            return _lay_off(hand, move)
        case _:
            raise IllegalMoveError(Reason.WRONG_PHASE, _phase_rule(hand), _phase_asks(hand))


def _check_leaves(hand: Discarding, card: Card) -> None:
    if _discardable(hand) & card.bit:
        return
    if hand.layout.hands[hand.seat] & card.bit:
        raise IllegalMoveError(
            Reason.RETURNS_TAKEN_CARD,
            "T2",
            f"{card} was just taken from the discard pile: discard another card",
        )
    raise IllegalMoveError(Reason.NOT_IN_HAND, "T1", f"{card} is not in your hand")


def _discard(hand: Discarding, card: Card) -> tuple[HandEvent, ...]:
    _check_leaves(hand, card)
    return Discarded(hand.seat, card), *_turn_starts(hand.layout)


def _knock(hand: Discarding, card: Card, melds: tuple[Meld, ...] | None) -> tuple[HandEvent, ...]:
    _check_leaves(hand, card)
    if melds is not None and any(card in meld for meld in melds):
        raise IllegalMoveError(
            Reason.CARD_USED_TWICE, "M3", f"{card} cannot be melded and discarded as well"
        )
    dealt = hand.layout.dealt
    rest = hand.layout.hands[hand.seat] & ~card.bit
    melds, left = _arranged(rest, melds, dealt.rules.run_max)
    count = points_of(left)
    if count > dealt.limit:
        if dealt.gin_only:
            raise IllegalMoveError(
                Reason.GIN_ONLY, "K6", f"only gin ends this hand, and {count} points are deadwood"
            )
        raise IllegalMoveError(
            Reason.TOO_MUCH_DEADWOOD,
            "K1",
            f"that leaves {count} points of deadwood, and the knock limit is {dealt.limit}",
        )
    knocked = Knocked(seat=hand.seat, melds=melds, deadwood=cards_in(left), gin=count == 0)
    return _laid_down(hand, knocked)


def _big_gin(hand: Discarding, melds: tuple[Meld, ...] | None) -> tuple[HandEvent, ...]:
    rules = hand.layout.dealt.rules
    if not rules.big_gin:
        raise IllegalMoveError(Reason.BIG_GIN_OFF, "K5", "this ruleset has no big gin")
    melds, left = _arranged(hand.layout.hands[hand.seat], melds, rules.run_max)
    if left:
        raise IllegalMoveError(
            Reason.NOT_GIN, "K5", f"big gin melds all eleven cards, and {points_of(left)} are left"
        )
    return _laid_down(hand, Knocked(seat=hand.seat, melds=melds, deadwood=(), gin=True))


def _arranged(
    cards: CardSet, melds: tuple[Meld, ...] | None, run_max: int | None
) -> tuple[tuple[Meld, ...], CardSet]:
    """Return the melds and the deadwood of the arrangement named, or of the server's (K2)."""
    if melds is None:
        arrangement = arrange(cards, run_max)
        return arrangement.melds, card_set(arrangement.deadwood)
    return melds, cards & ~check_melds(melds, cards, run_max)


def _laid_down(hand: Discarding, knocked: Knocked) -> tuple[HandEvent, ...]:
    """Return the knock, and after gin the whole rest of the hand: nothing is laid off (L2)."""
    if not knocked.gin:
        return (knocked,)
    dealt = hand.layout.dealt
    opponent = other(hand.seat)
    own = arrange(hand.layout.hands[opponent], dealt.rules.run_max)
    laid_off = LaidOff(seat=opponent, melds=own.melds, layoffs=(), deadwood=own.deadwood)
    return (
        knocked,
        laid_off,
        score_hand(dealt.rules, dealt.number, dealt.upcard, knocked, own.points),
    )


def _lay_off(hand: LayingOff, move: LayOff) -> tuple[HandEvent, ...]:
    dealt, knocked = hand.layout.dealt, hand.knocked
    seat = other(knocked.seat)
    cards, run_max = hand.layout.hands[seat], dealt.rules.run_max
    if move.melds is None and not move.layoffs:
        best = best_lay_off(knocked.melds, cards, run_max)
        laid_off = LaidOff(seat, best.melds, best.layoffs, best.deadwood)
    else:
        melds = move.melds or ()
        left = check_lay_off(knocked.melds, cards, melds, move.layoffs, run_max)
        laid_off = LaidOff(seat, melds, move.layoffs, left)
    count = points_of(card_set(laid_off.deadwood))
    return laid_off, score_hand(dealt.rules, dealt.number, dealt.upcard, knocked, count)


def _phase_asks(hand: Hand) -> str:
    match hand:
        case Offering():
            return "the upcard is on offer: take it or pass"
        case Drawing():
            return "draw a card first, from the stock or the discard pile"
        case Discarding():
            return "a card has been drawn: discard or knock"
        case LayingOff():
            return "the opponent has knocked: lay off"
        case Counting() | Finished():
            return "the hand has ended"
        case _:
            assert_never(hand)


def _phase_rule(hand: Hand) -> str:
    if isinstance(hand, Offering):
        return "D2"
    return "L1" if isinstance(hand, LayingOff) else "T1"

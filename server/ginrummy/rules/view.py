"""What a seat, a spectator or an auditor may see of a match: the one place that withholds cards.

A view is built from a white list. Whatever is not copied here cannot reach a client, whichever way
it asks. To a seat belong its own hand and the card it drew; to everybody belong the discard pile,
the cards that a hand is known to hold because they were taken face up, and what was laid down.
"""

from typing import Literal, TypeAlias, assert_never

import msgspec

from ginrummy.rules import hand as hands
from ginrummy.rules.cards import BySeat, Card, CardSet, Seat, cards_in
from ginrummy.rules.commands import Move
from ginrummy.rules.events import (
    Event,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    MatchCreated,
    MatchEnded,
    StockDrawn,
)
from ginrummy.rules.hand import (
    Counting,
    Discarding,
    Drawing,
    Finished,
    Hand,
    LayingOff,
    Offering,
)
from ginrummy.rules.match import (
    Clock,
    Dealing,
    Ended,
    Gathering,
    Instant,
    Match,
    Playing,
    Score,
    Seats,
    deadline,
    starting_score,
)
from ginrummy.rules.melds import deadwood

__all__ = [
    "HandView",
    "HeldCards",
    "MatchView",
    "Perspective",
    "Phase",
    "drawn_card",
    "view",
]

Perspective: TypeAlias = Literal[0, 1, "public", "full"]
"""Whose eyes: a seat's, everybody's, or those of somebody who may see all cards."""

Phase: TypeAlias = Literal["offer", "draw", "discard", "lay_off", "over"]
"""What the hand waits for: the upcard's fate (D2), a draw, a discard or knock (T1), a lay-off."""

Stage: TypeAlias = Literal["gathering", "playing", "ended"]


class HeldCards(msgspec.Struct, frozen=True, gc=False):
    """A hand as far as the viewer may know it."""

    cards: tuple[Card, ...]
    """In the unshuffled deck's order."""
    hidden: int
    """How many more there are."""
    deadwood: int | None
    """The least deadwood in points (M4); None where cards are hidden."""


class HandView(msgspec.Struct, frozen=True, gc=False):
    """A hand as far as the viewer may know it."""

    number: int
    dealer: Seat
    upcard: Card
    knock_limit: int
    """Most deadwood that a knock may leave in this hand (K1, K6)."""
    gin_only: bool
    phase: Phase
    to_move: Seat | None
    hands: BySeat[HeldCards]
    drawn: Card | None
    """The card that the seat to move has just drawn, where the viewer may know it."""
    taken: bool
    """It was taken from the discard pile."""
    pile: tuple[Card, ...]
    """The discard pile, its top last."""
    stock: int
    discard_draws: int
    upcard_passed: bool
    """Both passed the upcard, so this draw is from the stock (D2)."""
    face_down: Card | None
    """The knocker's face-down discard, where the viewer may know it (K3)."""
    knocked: Knocked | None
    laid_off: LaidOff | None
    result: HandScored | HandVoided | None
    legal: tuple[Move, ...]
    """What the viewer can decide now; empty for all but the seat to move."""


class MatchView(msgspec.Struct, frozen=True, gc=False):
    """A match as far as the viewer may know it."""

    perspective: Perspective
    stage: Stage
    terms: MatchCreated
    seats: Seats
    score: Score
    clock: Clock | None
    deadline: Instant | None
    """When the time for what the match waits for is over."""
    hand: HandView | None
    outcome: MatchEnded | None


def view(match: Match, perspective: Perspective) -> MatchView:
    """Return what may be seen of `match` from `perspective`.

    `"full"` shows every card that the state knows; it is for whoever may open the hand's deck.
    """
    match match:
        case Gathering():
            score = starting_score(match.terms)
            return _match_view(match, perspective, "gathering", score, None, None)
        case Dealing(last=hand):
            return _match_view(match, perspective, "playing", match.score, hand, match.clock)
        case Playing(hand=hand):
            return _match_view(match, perspective, "playing", match.score, hand, match.clock)
        case Ended(last=hand):
            return _match_view(match, perspective, "ended", match.score, hand, match.clock)
        case _:
            assert_never(match)


def _match_view(
    match: Match,
    perspective: Perspective,
    stage: Stage,
    score: Score,
    hand: Hand | None,
    clock: Clock | None,
) -> MatchView:
    shown = None
    if hand is not None:
        # Only while the match is being played does anybody have something to decide.
        shown = _hand_view(hand, perspective, can_move=isinstance(match, Playing))
    return MatchView(
        perspective=perspective,
        stage=stage,
        terms=match.terms,
        seats=match.seats,
        score=score,
        clock=clock,
        deadline=deadline(match),
        hand=shown,
        outcome=match.outcome if isinstance(match, Ended) else None,
    )


def _hand_view(hand: Hand, perspective: Perspective, *, can_move: bool) -> HandView:
    layout, dealt = hand.layout, hand.layout.dealt
    turn = hands.to_move(hand) if can_move else None
    knocked, laid_off, result = _end_of(hand)
    knocker = None if knocked is None else knocked.seat
    drawn, taken = None, False
    if isinstance(hand, Discarding):
        taken = hand.taken
        if taken or perspective in (hand.seat, "full"):
            drawn = hand.drawn
    face_down = None
    # A log that somebody has spoiled can hold a knock that leaves more than one.
    if (
        knocked is not None
        and layout.face_down.bit_count() == 1
        and perspective in (knocked.seat, "full")
    ):
        (face_down,) = cards_in(layout.face_down)
    return HandView(
        number=dealt.number,
        dealer=dealt.dealer,
        upcard=dealt.upcard,
        knock_limit=dealt.limit,
        gin_only=dealt.gin_only,
        phase=_phase(hand),
        to_move=turn,
        hands=BySeat(
            _held(hand, 0, perspective, laid_down=laid_off is not None or knocker == 0),
            _held(hand, 1, perspective, laid_down=laid_off is not None or knocker == 1),
        ),
        drawn=drawn,
        taken=taken,
        pile=layout.pile,
        stock=layout.stock,
        discard_draws=layout.discard_draws,
        upcard_passed=isinstance(hand, Drawing) and hand.upcard_passed,
        face_down=face_down,
        knocked=knocked,
        laid_off=laid_off,
        result=result,
        legal=hands.legal_moves(hand) if turn is not None and turn == perspective else (),
    )


def _held(hand: Hand, seat: Seat, perspective: Perspective, *, laid_down: bool) -> HeldCards:
    layout = hand.layout
    if isinstance(hand, Discarding) and hand.seat == seat:
        size = 11
    elif laid_down:
        size = layout.shown[seat].bit_count()
    else:
        size = 10
    known: CardSet = layout.shown[seat]
    if perspective in (seat, "full"):
        known = layout.hands[seat]
    hidden = size - known.bit_count()
    return HeldCards(
        cards=cards_in(known),
        hidden=hidden,
        deadwood=None if hidden else deadwood(known),
    )


def _end_of(hand: Hand) -> tuple[Knocked | None, LaidOff | None, HandScored | HandVoided | None]:
    match hand:
        case LayingOff(knocked=knocked):
            return knocked, None, None
        case Counting(knocked=knocked, laid_off=laid_off):
            return knocked, laid_off, None
        case Finished(knocked=knocked_or_not, laid_off=laid_or_not, result=result):
            return knocked_or_not, laid_or_not, result
        case _:
            return None, None, None


def _phase(hand: Hand) -> Phase:
    match hand:
        case Offering():
            return "offer"
        case Drawing():
            return "draw"
        case Discarding():
            return "discard"
        case LayingOff() | Counting():
            return "lay_off"
        case Finished():
            return "over"
        case _:
            assert_never(hand)


def drawn_card(after: Match, event: Event, perspective: Perspective) -> Card | None:
    """Return the card that `event` gave to the viewer alone: what their seat drew from the stock.

    `after` is the match as it stands after the event.
    """
    if (
        isinstance(event, StockDrawn)
        and perspective in (event.seat, "full")
        and isinstance(after, Playing)
        and isinstance(after.hand, Discarding)
    ):
        return after.hand.drawn
    return None

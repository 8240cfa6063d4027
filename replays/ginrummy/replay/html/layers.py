"""What is to be seen of a position, in layers: everybody's, and what each seat knows beside it.

    everybody   perspective "public"
    + seat 0    perspective 0            + seat 1    perspective 1
    + both, and the stock's order        perspective "full"

A layer is a flat record. Where two have a field of the same name, the one that knows more counts.
Each is made from the `MatchView` of its perspective, so nothing gets into it that it may not know.

Cards are written as text, since there are so many of them. A seat's are
`melds|deadwood|how many are hidden`, such as `7H7S7D 4C5C6C+7C|2DKS|0`, where a plus stands before
what was laid off. The discard pile is its history, `TD-1 4H1.`: a card, who threw it (`-` for the
upcard), and who took it (`.` for nobody).
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

from ginrummy.replay.laying import Lying, lying
from ginrummy.replay.pile import Thrown
from ginrummy.replay.stock import hand_of, stock_order
from ginrummy.replay.words import describe_end, describe_result
from ginrummy.rules.cards import Card, Seat
from ginrummy.rules.events import MatchEnded
from ginrummy.rules.match import MS, Match
from ginrummy.rules.view import HandView, MatchView, view

__all__ = [
    "SEATS",
    "Layer",
    "public_layer",
    "seat_layer",
    "stock_layer",
]

SEATS: tuple[Seat, Seat] = (0, 1)

Layer: TypeAlias = dict[str, Any]
"""A layer's fields."""


def public_layer(match: Match, pile: Iterable[Thrown]) -> Layer:
    """Return what everybody sees of a match; `pile` is the discard pile's history."""
    seen = view(match, "public")
    layer: Layer = {
        "stage": seen.stage,
        "points": seen.score.points,
        "won": seen.score.hands_won,
        "bank": _bank(seen),
        "paused": seen.clock is not None and seen.clock.paused,
        "outcome": None if seen.outcome is None else _outcome(seen, seen.outcome),
    }
    hand = seen.hand
    if hand is None:
        return layer | {"hand": None}
    layer |= {
        "hand": hand.number,
        "dealer": hand.dealer,
        "limit": "gin only" if hand.gin_only else f"knock at {hand.knock_limit} or less",
        "phase": hand.phase,
        "turn": hand.to_move,
        "stock": hand.stock,
        "pile": " ".join(map(_thrown, pile)),
        "result": None if hand.result is None else describe_result(seen.seats, hand.result),
    }
    for seat in SEATS:
        layer |= _of_seat(seen, hand, seat)
    return layer


def seat_layer(match: Match, seat: Seat) -> Layer:
    """Return what a seat knows of its own cards."""
    seen = view(match, seat)
    return {} if seen.hand is None else _of_seat(seen, seen.hand, seat)


def stock_layer(match: Match) -> Layer:
    """Return what only the deck tells: the stock in the order in which it is drawn."""
    if hand_of(match) is None:
        return {}
    order = stock_order(match)
    return {"order": None if order is None else _text(order)}


def _of_seat(seen: MatchView, hand: HandView, seat: Seat) -> Layer:
    """Return what a view tells of one seat's cards."""
    lie = lying(hand, seat, seen.terms.rules.run_max)
    is_moving = hand.to_move == seat
    return {
        f"cards{seat}": _lie(lie),
        f"deadwood{seat}": lie.count,
        f"laid{seat}": lie.is_laid,
        f"drawn{seat}": str(hand.drawn) if is_moving and hand.drawn is not None else None,
        f"down{seat}": _face_down(hand, seat),
    }


def _lie(lie: Lying) -> str:
    melds = (
        _text(meld) + "".join(f"+{card}" for card in more)
        for meld, more in zip(lie.melds, lie.added, strict=True)
    )
    # By rank, what may become a set stands together.
    deadwood = sorted(lie.deadwood, key=lambda card: (card.rank, card.suit))
    return f"{' '.join(melds)}|{_text(deadwood)}|{lie.hidden}"


def _thrown(thrown: Thrown) -> str:
    by = "-" if thrown.by is None else thrown.by
    return f"{thrown.card}{by}{'.' if thrown.taker is None else thrown.taker}"


def _text(cards: tuple[Card, ...] | list[Card]) -> str:
    return "".join(map(str, cards))


def _face_down(hand: HandView, seat: Seat) -> str | None:
    """Return a seat's face-down discard: `??` where there is one that the viewer may not know."""
    knock = hand.knocked
    if knock is None or knock.seat != seat or sum(map(len, knock.melds)) == 11:
        return None
    return "??" if hand.face_down is None else str(hand.face_down)


def _bank(seen: MatchView) -> list[int] | None:
    """Return what the seats' banks hold, in milliseconds."""
    if seen.clock is None or seen.clock.bank is None:
        return None
    return [max(0, left // MS) for left in seen.clock.bank]


def _outcome(seen: MatchView, outcome: MatchEnded) -> dict[str, Any]:
    return {
        "told": describe_end(seen.seats, outcome),
        "winner": outcome.winner,
        "points": outcome.points,
        "game": outcome.game_bonus,
        "boxes": outcome.box_bonus,
        "doubled": outcome.doubled,
        "totals": outcome.totals,
    }

"""A hand judged: everything that is said of its decisions, as values for people and programs."""

from collections.abc import Iterable, Sequence

import msgspec

from ginrummy.analysis.deciding import DecidedHand, Decision
from ginrummy.analysis.figures import Estimate
from ginrummy.analysis.knocking import KnockChance, knock_chance
from ginrummy.analysis.laying_off import LayOffJudged, judge_lay_off
from ginrummy.analysis.outs import Outs, outs_of
from ginrummy.analysis.policy import count_after_throw
from ginrummy.analysis.weighing import weigh
from ginrummy.analysis.worlds import draw_worlds, seeded
from ginrummy.rules.cards import BySeat, Card, CardSet, Seat
from ginrummy.rules.commands import BigGin, Discard, Draw, Knock, LayOff, Move, Pass, Take
from ginrummy.rules.events import HandScored
from ginrummy.rules.hand import Discarding, Drawing, Offering
from ginrummy.rules.melds import deadwood

__all__ = ["DEFAULT_WORLDS", "HandJudged", "Judged", "Point", "judge_hand", "move_name"]

DEFAULT_WORLDS = 200
"""How many worlds a decision is judged in, unless told otherwise."""

_BOTH: tuple[Seat, ...] = (0, 1)


class Judged(msgspec.Struct, frozen=True):
    """One decision, and what is said of it."""

    seq: int
    """The number of the event that the move caused."""
    seat: Seat
    move: str
    """What the seat did, as `move_name` writes it."""
    before: int
    """The deadwood of the cards held before, in points; of eleven, after their best throw."""
    after: int
    """The deadwood after the move; of eleven cards, after their best throw."""
    outs: Outs | None
    """Of the ten cards held before a draw or after a discard; None for all else."""
    choices: int
    """How many moves there were."""
    expected: Estimate | None
    """What the seat could expect to score in the hand; None for a lay-off."""
    best: str | None
    """The best choice found."""
    gave_away: Estimate | None
    """How much more the best choice brings."""
    knock: KnockChance | None
    """The knock that was possible; None where none was."""
    lay_off: LayOffJudged | None
    """Only for a lay-off."""


class Point(msgspec.Struct, frozen=True):
    """A point of the graph: what a seat expected to score in the hand, after its choice."""

    seq: int
    expected: float
    error: float | None


class HandJudged(msgspec.Struct, frozen=True):
    """A hand's decisions, judged."""

    stream: str
    number: int
    dealer: Seat
    upcard: Card
    worlds: int
    seed: int
    decisions: tuple[Judged, ...]
    graph: BySeat[tuple[Point, ...]]
    """For each seat what it expected, decision by decision; empty for a seat left out."""
    scored: BySeat[int]
    """What each seat scored in the end, the one above and the other below zero; 0 and 0 if void."""


def judge_hand(
    hand: DecidedHand,
    *,
    seats: Iterable[Seat] = _BOTH,
    worlds: int = DEFAULT_WORLDS,
    seed: int = 1,
) -> HandJudged:
    """Return what the decisions of a hand were worth, by what each seat could know.

    `worlds` is an even number of at least four. The same seed gives the same figures.
    """
    wanted = tuple(seats)
    judged = tuple(
        _judge(decision, hand.stream, worlds, seed)
        for decision in hand.decisions
        if decision.seat in wanted
    )
    return HandJudged(
        stream=hand.stream,
        number=hand.dealt.number,
        dealer=hand.dealt.dealer,
        upcard=hand.dealt.upcard,
        worlds=worlds,
        seed=seed,
        decisions=judged,
        graph=BySeat(_graph(judged, 0), _graph(judged, 1)),
        scored=_scored(hand),
    )


def _judge(decision: Decision, stream: str, number: int, seed: int) -> Judged:
    numbers = seeded(seed, stream, decision.seq)
    lay_off = judge_lay_off(decision)
    worlds = () if lay_off else draw_worlds(decision.knowledge, number, numbers)
    weighed = weigh(decision, worlds)
    before, after = _deadwood(decision, lay_off)
    return Judged(
        seq=decision.seq,
        seat=decision.seat,
        move=move_name(decision.move),
        before=before,
        after=after,
        outs=_outs(decision),
        choices=weighed.choices if weighed else 1,
        expected=weighed.expected if weighed else None,
        best=move_name(weighed.best) if weighed else None,
        gave_away=weighed.gave_away if weighed else None,
        knock=knock_chance(decision, worlds),
        lay_off=lay_off,
    )


def _deadwood(decision: Decision, lay_off: LayOffJudged | None) -> tuple[int, int]:
    """Return the deadwood before and after a decision."""
    held = decision.knowledge.own
    if lay_off is not None:
        return deadwood(held), lay_off.left
    match decision.move:
        case Pass():
            return deadwood(held), deadwood(held)
        case Take():
            return deadwood(held), count_after_throw(held | decision.knowledge.pile[-1])
        case Draw():
            return deadwood(held), count_after_throw(held | _top_of_stock(decision))
        case Discard(card=card) | Knock(card=card):
            return count_after_throw(held), deadwood(held & ~card.bit)
        case _:
            return count_after_throw(held), deadwood(held)


def _top_of_stock(decision: Decision) -> CardSet:
    layout = decision.hand.layout
    assert layout.dealt.deck is not None
    return layout.dealt.deck[-layout.stock].bit


def _outs(decision: Decision) -> Outs | None:
    knows = decision.knowledge
    if isinstance(decision.hand, Offering | Drawing):
        return outs_of(knows.own, knows.unseen)
    if isinstance(decision.hand, Discarding) and isinstance(decision.move, Discard):
        return outs_of(knows.own & ~decision.move.card.bit, knows.unseen)
    return None


def _graph(judged: Sequence[Judged], seat: Seat) -> tuple[Point, ...]:
    return tuple(
        Point(each.seq, each.expected.mean, each.expected.error)
        for each in judged
        if each.seat == seat and each.expected is not None
    )


def _scored(hand: DecidedHand) -> BySeat[int]:
    if not isinstance(hand.result, HandScored):
        return BySeat(0, 0)
    points = hand.result.points
    return BySeat(points, -points) if hand.result.winner == 0 else BySeat(-points, points)


def move_name(move: Move) -> str:
    """Return a move as `gin script` has it, the card behind it: `draw`, `discard 7H`."""
    match move:
        case Discard(card=card):
            return f"discard {card}"
        case Knock(card=card):
            return f"knock {card}"
        case BigGin():
            return "big_gin"
        case LayOff():
            return "lay_off"
        case _:
            return type(move).__name__.lower()

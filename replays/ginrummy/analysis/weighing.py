"""What a decision's choices were worth, by all that the seat could know.

Every choice is played on in the same worlds (`worlds`, `playing`), so what the worlds bring to all
of them alike falls out of their differences. In the first half of the worlds the best alternative
is looked for, in the second half it is weighed against the choice: the best of many figures owes
some of its height to luck, and what was given away shall not.
"""

from collections.abc import Sequence

import msgspec

from ginrummy.analysis.deciding import Decision
from ginrummy.analysis.figures import Estimate, estimate
from ginrummy.analysis.playing import play_move
from ginrummy.analysis.worlds import World, standing_in
from ginrummy.rules.commands import BigGin, Knock, Move
from ginrummy.rules.hand import Discarding, Drawing, Offering, legal_moves

__all__ = ["Weighed", "weigh"]


class Weighed(msgspec.Struct, frozen=True):
    """What a choice was worth, and the best one found beside it."""

    choices: int
    """How many moves there were, the choice included."""
    expected: Estimate
    """What the seat could expect to score in the hand by its choice, over all worlds."""
    best: Move
    """The best one found; the choice itself where no other was better in the first half."""
    gave_away: Estimate
    """How much more the best one brings, over the second half of the worlds."""


def weigh(decision: Decision, worlds: Sequence[World]) -> Weighed | None:
    """Return what a decision was worth; None for a lay-off, which needs no worlds.

    There is an even number of worlds, at least four.
    """
    if not isinstance(decision.hand, Offering | Drawing | Discarding):
        return None
    search, test = worlds[: len(worlds) // 2], worlds[len(worlds) // 2 :]
    chosen = _values(decision, decision.move, search)
    best, most = decision.move, sum(chosen)
    others = _others(decision)
    for move in others:
        total = sum(_values(decision, move, search))
        if total > most:
            best, most = move, total
    tested = _values(decision, decision.move, test)
    gave_away = Estimate(0.0, 0.0)
    if best is not decision.move:
        against = _values(decision, best, test)
        gave_away = estimate([a - b for a, b in zip(against, tested, strict=True)])
    return Weighed(len(others) + 1, estimate(chosen + tested), best, gave_away)


def _others(decision: Decision) -> list[Move]:
    """Return the legal moves that are not the one made."""
    return [move for move in legal_moves(decision.hand) if _bare(move) != _bare(decision.move)]


def _bare(move: Move) -> Move:
    """Return a move without its spread, which is judged by itself."""
    match move:
        case Knock(card=card):
            return Knock(card)
        case BigGin():
            return BigGin()
        case _:
            return move


def _values(decision: Decision, move: Move, worlds: Sequence[World]) -> list[int]:
    hand, knows = decision.hand, decision.knowledge
    layout = hand.layout
    return [
        play_move(
            standing_in(world, knows, layout.dealt, layout.discard_draws),
            decision.seat,
            move,
        )
        for world in worlds
    ]

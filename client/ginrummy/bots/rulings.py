"""Disputes, rulings and what follows from them, told in sentences."""

from collections.abc import Callable, Mapping
from textwrap import wrap
from typing import TypeAlias

from ginrummy.v1 import events_pb2 as pb

__all__ = ["CLAIMS", "PlayerAct", "quoted", "tell_dispute", "tell_replayed", "tell_ruling"]

PlayerAct: TypeAlias = Callable[[int, str], str]
"""Gives what the player at a seat does: `You lose`, `Ann loses`."""

CLAIMS: Mapping[pb.DisputeReason.ValueType, str] = {
    pb.DISPUTE_REASON_CARD_NOT_IN_DECK: "a card is not the deck's",
    pb.DISPUTE_REASON_MOVE_DENIED: "a recorded move was never made",
    pb.DISPUTE_REASON_SCORE_WRONG: "a score is wrong",
    pb.DISPUTE_REASON_CLOCK_WRONG: "the clock was wrong",
    pb.DISPUTE_REASON_LOG_CHANGED: "the record was changed afterwards",
    pb.DISPUTE_REASON_CARDS_SEEN: "hidden cards were seen",
    pb.DISPUTE_REASON_RULE_BROKEN: "a rule was broken",
    pb.DISPUTE_REASON_COLLUSION: "two have played into each other's hands",
    pb.DISPUTE_REASON_CONDUCT: "somebody behaved badly",
    pb.DISPUTE_REASON_OTHER: "something else",
}
"""What is claimed."""

_COLUMNS = 60
"""Columns of what somebody has said; a line of `gin watch` has more before it."""


def quoted(text: str, columns: int = _COLUMNS) -> list[str]:
    """Return what somebody has said, in quotes, as lines of at most so many columns."""
    return wrap(f'"{text}"', columns, initial_indent="  ", subsequent_indent="   ")


def tell_dispute(event: pb.Event, does: PlayerAct) -> str:
    """Return what was recorded of a dispute, what was said on lines below; empty for all else."""
    match event.WhichOneof("event"):
        case "dispute_opened":
            opened = event.dispute_opened
            what = f"hand {opened.hand}" if opened.HasField("hand") else "the match"
            claim = CLAIMS.get(opened.reason, "something else")
            told = f"{does(opened.seat, 'dispute')} {what} at event {opened.event}: {claim}"
            return "\n".join([told, *quoted(opened.text)])
        case "dispute_appealed":
            appealed = event.dispute_appealed
            against = f"against the ruling on dispute {appealed.dispute}"
            told = f"{does(appealed.seat, 'appeal')} {against}"
            return "\n".join([told, *quoted(appealed.text)])
        case "dispute_ruled":
            ruled = event.dispute_ruled
            where = " on appeal" if ruled.instance == 2 else ""
            told = f"Dispute {ruled.dispute}{where}: {tell_ruling(ruled, does)}"
            return "\n".join([told, *quoted(ruled.why)])
        case "hand_replayed":
            replayed = event.hand_replayed
            return f"Dispute {replayed.dispute}: {tell_replayed(replayed, does)}"
        case _:
            return ""


def tell_ruling(ruled: pb.DisputeRuled, does: PlayerAct) -> str:
    """Return what a director has ruled, with the rule that it rests on."""
    return f"{_ruled(ruled, does)} ({ruled.rule})"


def _ruled(ruled: pb.DisputeRuled, does: PlayerAct) -> str:
    match ruled.ruling:
        case pb.RULING_DISMISS:
            return "dismissed"
        case pb.RULING_UPHOLD:
            return "upheld, without consequence"
        case pb.RULING_ADJUST:
            return f"upheld, {_points(ruled, does)}"
        case pb.RULING_VOID:
            return "upheld, the hand is void"
        case pb.RULING_REPLAY:
            return "upheld, the hand is void and played again"
        case pb.RULING_FORFEIT:
            return f"upheld, {_within(does(ruled.seat, 'lose'))} the match"
        case _:
            return "ruled on"


def _points(ruled: pb.DisputeRuled, does: PlayerAct) -> str:
    """Return what is added to the points, and taken off."""
    return ", ".join(
        f"{_within(does(seat, 'gain' if points > 0 else 'lose'))} {_counted(abs(points))}"
        for seat, points in enumerate(ruled.points)
        if points
    )


def tell_replayed(replayed: pb.HandReplayed, does: PlayerAct) -> str:
    """Return what a hand has brought that was played again."""
    if not replayed.HasField("scored"):
        return "nobody has won the hand played again, and it stays void"
    scored = replayed.scored
    scores = _within(does(scored.winner, "score"))
    return f"{scores} {_counted(scored.points)} in the hand played again"


def _within(act: str) -> str:
    """Return what somebody does as it stands within a sentence."""
    return f"you {act[4:]}" if act.startswith("You ") else act


def _counted(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"

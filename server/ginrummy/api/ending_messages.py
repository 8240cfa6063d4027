"""How a match ended, as messages have it."""

from collections.abc import Mapping

from ginrummy.rules.events import EndReason, MatchEnded
from ginrummy.v1 import events_pb2 as pb

__all__ = ["END_REASONS", "fill_match_ended"]

END_REASONS: Mapping[EndReason, pb.EndReason.ValueType] = {
    "target": pb.END_REASON_TARGET,
    "hands": pb.END_REASON_HANDS,
    "hands_exhausted": pb.END_REASON_HANDS_EXHAUSTED,
    "resigned": pb.END_REASON_RESIGNED,
    "clock": pb.END_REASON_CLOCK,
    "illegal_moves": pb.END_REASON_ILLEGAL_MOVES,
    "abandoned": pb.END_REASON_ABANDONED,
    "crash": pb.END_REASON_CRASH,
    "stall": pb.END_REASON_STALL,
    "no_show": pb.END_REASON_NO_SHOW,
    "withdrawn": pb.END_REASON_WITHDRAWN,
    "aborted": pb.END_REASON_ABORTED,
    "round_clock": pb.END_REASON_ROUND_CLOCK,
    "ruling": pb.END_REASON_RULING,
}


def fill_match_ended(message: pb.MatchEnded, event: MatchEnded) -> None:
    """Write how a match ended."""
    message.reason = END_REASONS[event.reason]
    if event.winner is not None:
        message.winner = event.winner
    message.points.extend(event.points)
    message.hands_won.extend(event.hands_won)
    message.game_bonus.extend(event.game_bonus)
    message.box_bonus.extend(event.box_bonus)
    message.doubled = event.doubled
    message.totals.extend(event.totals)

"""What comes after a match's end, as events' messages: disputes, rulings, and what they change."""

from collections.abc import Mapping

from ginrummy.api.ending_messages import END_REASONS, fill_match_ended
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeEvent,
    DisputeOpened,
    DisputeReason,
    DisputeRuled,
    HandPoints,
    HandReplayed,
    ResultAdjusted,
    Ruling,
)
from ginrummy.rules.events import MatchEnded
from ginrummy.v1 import events_pb2

__all__ = [
    "DISPUTE_REASONS",
    "RULINGS",
    "fill_appealed",
    "fill_dispute_event",
    "fill_opened",
    "fill_replayed",
    "fill_ruled",
]

DISPUTE_REASONS: Mapping[DisputeReason, events_pb2.DisputeReason.ValueType] = {
    "card_not_in_deck": events_pb2.DISPUTE_REASON_CARD_NOT_IN_DECK,
    "move_denied": events_pb2.DISPUTE_REASON_MOVE_DENIED,
    "score_wrong": events_pb2.DISPUTE_REASON_SCORE_WRONG,
    "clock_wrong": events_pb2.DISPUTE_REASON_CLOCK_WRONG,
    "log_changed": events_pb2.DISPUTE_REASON_LOG_CHANGED,
    "cards_seen": events_pb2.DISPUTE_REASON_CARDS_SEEN,
    "rule_broken": events_pb2.DISPUTE_REASON_RULE_BROKEN,
    "collusion": events_pb2.DISPUTE_REASON_COLLUSION,
    "conduct": events_pb2.DISPUTE_REASON_CONDUCT,
    "other": events_pb2.DISPUTE_REASON_OTHER,
}

RULINGS: Mapping[Ruling, events_pb2.Ruling.ValueType] = {
    "dismiss": events_pb2.RULING_DISMISS,
    "uphold": events_pb2.RULING_UPHOLD,
    "adjust": events_pb2.RULING_ADJUST,
    "void": events_pb2.RULING_VOID,
    "replay": events_pb2.RULING_REPLAY,
    "forfeit": events_pb2.RULING_FORFEIT,
}


def fill_dispute_event(message: events_pb2.Event, event: DisputeEvent) -> None:
    """Write what came after a match's end into an event's message."""
    match event:
        case DisputeOpened():
            fill_opened(message.dispute_opened, event)
        case DisputeRuled():
            fill_ruled(message.dispute_ruled, event)
        case DisputeAppealed():
            fill_appealed(message.dispute_appealed, event)
        case HandReplayed():
            fill_replayed(message.hand_replayed, event)
        case ResultAdjusted():
            message.result_adjusted.dispute = event.dispute
            fill_match_ended(message.result_adjusted.outcome, _account(event))


def _account(event: ResultAdjusted) -> MatchEnded:
    return MatchEnded(
        reason=event.reason,
        winner=event.winner,
        points=event.points,
        hands_won=event.hands_won,
        game_bonus=event.game_bonus,
        box_bonus=event.box_bonus,
        doubled=event.doubled,
        totals=event.totals,
    )


def fill_opened(message: events_pb2.DisputeOpened, event: DisputeOpened) -> None:
    """Write what a player claims."""
    message.dispute = event.dispute
    message.seat = event.seat
    if event.hand is not None:
        message.hand = event.hand
    message.event = event.event
    if event.scored is not None:
        message.scored.CopyFrom(_points_message(event.scored))
    message.reason = DISPUTE_REASONS[event.reason]
    message.text = event.text


def fill_ruled(message: events_pb2.DisputeRuled, event: DisputeRuled) -> None:
    """Write what a director has ruled."""
    message.dispute = event.dispute
    message.instance = event.instance
    message.ruling = RULINGS[event.ruling]
    message.points.extend(event.points)
    if event.seat is not None:
        message.seat = event.seat
    message.rule = event.rule
    message.why = event.why


def fill_appealed(message: events_pb2.DisputeAppealed, event: DisputeAppealed) -> None:
    """Write that a player appeals."""
    message.dispute = event.dispute
    message.seat = event.seat
    message.text = event.text


def fill_replayed(message: events_pb2.HandReplayed, event: HandReplayed) -> None:
    """Write how a hand came out that was played again."""
    message.dispute = event.dispute
    message.instance = event.instance
    message.match_id = event.match
    message.seq = event.seq
    message.hash = event.hash
    message.reason = END_REASONS[event.reason]
    if event.scored is not None:
        message.scored.CopyFrom(_points_message(event.scored))


def _points_message(scored: HandPoints) -> events_pb2.HandPoints:
    return events_pb2.HandPoints(winner=scored.winner, points=scored.points)

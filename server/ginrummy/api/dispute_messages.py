"""Disputes as messages, and what was asked of them back from messages."""

from collections.abc import Mapping

from ginrummy.api.dispute_event_messages import (
    DISPUTE_REASONS,
    RULINGS,
    fill_appealed,
    fill_opened,
    fill_replayed,
    fill_ruled,
)
from ginrummy.api.errors import InvalidFieldError
from ginrummy.api.wire import timestamp
from ginrummy.log.replays import replay_id
from ginrummy.rules.cards import BySeat
from ginrummy.rules.disputes.events import (
    LONGEST_TEXT,
    MOST_POINTS,
    DisputeAppealed,
    DisputeOpened,
    DisputeReason,
    DisputeRuled,
    Ruling,
)
from ginrummy.rules.disputes.states import Dispute, DisputeStatus, Ruled
from ginrummy.rules.match import MS, Ended
from ginrummy.rules.match.disputing import is_text
from ginrummy.v1 import dispute_service_pb2 as pb
from ginrummy.v1 import events_pb2

__all__ = [
    "DISPUTE_STATUSES",
    "dispute_message",
    "dispute_text_from",
    "points_from",
    "reason_from",
    "ruling_from",
    "status_from",
]

DISPUTE_STATUSES: Mapping[DisputeStatus, pb.DisputeStatus.ValueType] = {
    "open": pb.DISPUTE_STATUS_OPEN,
    "ruled": pb.DISPUTE_STATUS_RULED,
    "appealed": pb.DISPUTE_STATUS_APPEALED,
    "closed": pb.DISPUTE_STATUS_CLOSED,
}

_REASON_OF = {value: reason for reason, value in DISPUTE_REASONS.items()}
_RULING_OF = {value: ruling for ruling, value in RULINGS.items()}
_STATUS_OF = {value: status for status, value in DISPUTE_STATUSES.items()}


# --- disputes as they stand ---------------------------------------------------------------------


def dispute_message(match_id: str, match: Ended, dispute: Dispute) -> pb.Dispute:
    """Return a dispute as it stands in a match."""
    message = pb.Dispute(
        match_id=match_id,
        opened_at=timestamp(dispute.at),
        player_id=_player(match, dispute.seat),
        status=DISPUTE_STATUSES[dispute.status],
        rulings=[_ruling_message(match_id, dispute, ruled) for ruled in dispute.ruled],
    )
    fill_opened(
        message.opened,
        DisputeOpened(
            dispute=dispute.number,
            seat=dispute.seat,
            hand=dispute.hand,
            event=dispute.event,
            scored=dispute.scored,
            reason=dispute.reason,
            text=dispute.text,
        ),
    )
    appealed = dispute.appealed
    if appealed is not None:
        message.appeal.player_id = _player(match, appealed.seat)
        message.appeal.at.CopyFrom(timestamp(appealed.at))
        fill_appealed(
            message.appeal.appealed, DisputeAppealed(dispute.number, appealed.seat, appealed.text)
        )
    elif dispute.ruled:
        until = dispute.appealable_since + match.terms.dispute_ms * MS
        message.appeal_until.CopyFrom(timestamp(until))
    return message


def _player(match: Ended, seat: int) -> str:
    seated = match.seats[seat]
    return "" if seated is None else seated.player


def _ruling_message(match_id: str, dispute: Dispute, ruled: Ruled) -> pb.GivenRuling:
    message = pb.GivenRuling(director_id=ruled.by, at=timestamp(ruled.at))
    fill_ruled(
        message.ruled,
        DisputeRuled(
            dispute=dispute.number,
            instance=ruled.instance,
            ruling=ruled.ruling,
            points=ruled.points,
            seat=ruled.seat,
            rule=ruled.rule,
            why=ruled.why,
        ),
    )
    if ruled.ruling == "replay":
        message.replay_match_id = replay_id(match_id, dispute.number, ruled.instance)
    if ruled.replay is not None:
        fill_replayed(message.replayed, ruled.replay)
    return message


# --- what was asked for -------------------------------------------------------------------------


def reason_from(value: events_pb2.DisputeReason.ValueType) -> DisputeReason:
    """Return what is claimed. Raises InvalidFieldError."""
    if value not in _REASON_OF:
        raise InvalidFieldError("reason", "say what is claimed: one of DisputeReason")
    return _REASON_OF[value]


def ruling_from(value: events_pb2.Ruling.ValueType) -> Ruling:
    """Return what is ruled. Raises InvalidFieldError."""
    if value not in _RULING_OF:
        raise InvalidFieldError("ruling", "say what is ruled: one of Ruling")
    return _RULING_OF[value]


def status_from(value: pb.DisputeStatus.ValueType) -> DisputeStatus | None:
    """Return which disputes are wanted; None for all. Raises InvalidFieldError."""
    if value == pb.DISPUTE_STATUS_UNSPECIFIED:
        return None
    if value not in _STATUS_OF:
        raise InvalidFieldError("status", f"{value} is no status of a dispute")
    return _STATUS_OF[value]


def points_from(points: list[int]) -> BySeat[int]:
    """Return what is added to each seat's points. Raises InvalidFieldError."""
    if not points:
        return BySeat(0, 0)
    if len(points) != 2:
        raise InvalidFieldError("points", f"{len(points)} of them: one for each seat, or none")
    if max(map(abs, points)) > MOST_POINTS:
        raise InvalidFieldError("points", f"a ruling adds {MOST_POINTS} at most, or takes it off")
    return BySeat(*points)


def dispute_text_from(field: str, text: str) -> str:
    """Return a claim or a reason. Raises InvalidFieldError."""
    if not is_text(text):
        raise InvalidFieldError(
            field, f"it takes 1 to {LONGEST_TEXT} characters that can be printed on one line"
        )
    return text

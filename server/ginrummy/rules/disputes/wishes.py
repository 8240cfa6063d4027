"""Back from what was recorded of a dispute to what was asked for."""

from ginrummy.rules.disputes.commands import (
    Appeal,
    DisputeCommand,
    Disputed,
    OpenDispute,
    RuleOnDispute,
    TakeReplay,
)
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeEvent,
    DisputeOpened,
    DisputeRuled,
    HandReplayed,
    ResultAdjusted,
)

__all__ = ["dispute_wish", "same_dispute_wish"]


def dispute_wish(event: DisputeEvent, by: str, about: Disputed | None) -> DisputeCommand | None:
    """Return the command that `event`, caused by `by`, is the first answer to.

    `about` is what the log has of the hand that is disputed, or of the match. None where the event
    only follows from another one.
    """
    match event:
        case DisputeOpened():
            return OpenDispute(by, about, event.event, event.reason, event.text)
        case DisputeAppealed(dispute=dispute, text=text):
            return Appeal(by, dispute, text)
        case DisputeRuled():
            return RuleOnDispute(
                by=by,
                dispute=event.dispute,
                ruling=event.ruling,
                rule=event.rule,
                why=event.why,
                points=event.points,
                seat=event.seat,
            )
        case HandReplayed():
            return TakeReplay(
                dispute=event.dispute,
                instance=event.instance,
                match=event.match,
                seq=event.seq,
                hash=event.hash,
                reason=event.reason,
                scored=event.scored,
            )
        case ResultAdjusted():
            return None


def same_dispute_wish(command: DisputeCommand, event: DisputeEvent) -> bool:
    """Say whether `command`, sent again, asks for what `event` was the answer to."""
    about = command.about if isinstance(command, OpenDispute) else None
    if isinstance(event, DisputeOpened) and about is not None and about.hand != event.hand:
        return False
    return dispute_wish(event, getattr(command, "by", ""), about) == command

"""What stands in a history's lines of disputes, and of what follows from them."""

from ginrummy.log.lines import FORMS
from ginrummy.replay.text.phrases import Names
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeEvent,
    DisputeOpened,
    DisputeRuled,
    HandReplayed,
    ResultAdjusted,
)

__all__ = ["said_afterwards"]


def said_afterwards(event: DisputeEvent, names: Names) -> str:
    """Return an event's own line; the fields that it does not say stand below it."""
    form = f"form {FORMS.newest(event)[1]}"
    match event:
        case DisputeOpened(dispute=dispute, seat=seat, reason=reason):
            return f"dispute {dispute} opened, {form}: {names.call(seat)}, {reason}"
        case DisputeRuled(dispute=dispute, ruling=ruling):
            return f"dispute {dispute} ruled, {form}: {ruling}"
        case DisputeAppealed(dispute=dispute, seat=seat):
            return f"dispute {dispute} appealed, {form}: {names.call(seat)}"
        case HandReplayed(dispute=dispute, reason=reason):
            return f"dispute {dispute} replayed, {form}: {reason}"
        case ResultAdjusted(winner=winner):
            who = "no winner" if winner is None else f"{names.call(winner)} wins"
            return f"result adjusted, {form}: {who}"

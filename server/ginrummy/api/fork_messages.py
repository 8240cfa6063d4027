"""What a request for a fork asks for."""

from collections.abc import Mapping

from ginrummy.api.errors import InvalidFieldError
from ginrummy.api.fields import name_from, seat_from, seats_from
from ginrummy.api.terms_messages import clock_from, limits_from, reveal_from
from ginrummy.log.branching import Kept
from ginrummy.tables.forks import NewFork
from ginrummy.v1 import events_pb2
from ginrummy.v1.match_service_pb2 import ForkMatchRequest

__all__ = ["fork_from"]

_KEPT: Mapping[int, Kept] = {
    events_pb2.UNSEEN_CARDS_UNSPECIFIED: "same",
    events_pb2.UNSEEN_CARDS_SAME: "same",
    events_pb2.UNSEEN_CARDS_RESHUFFLED: "reshuffled",
}


def fork_from(request: ForkMatchRequest) -> NewFork:
    """Return the fork that a request asks for. Raises InvalidFieldError."""
    kept = _KEPT.get(request.unseen)
    if kept is None:
        raise InvalidFieldError("unseen", "the unseen cards stay the same, or are reshuffled")
    if request.HasField("seat") and kept == "same":
        why = "all cards stay; whose stay is said with unseen cards that are reshuffled"
        raise InvalidFieldError("seat", why)
    return NewFork(
        kept=kept,
        seat=seat_from(request.seat) if request.HasField("seat") else None,
        clock=clock_from(request.clock) if request.HasField("clock") else None,
        limits=limits_from(request.limits),
        reveal=reveal_from(request.reveal),
        seats=seats_from(request.seats),
        name=name_from(request.name),
    )

"""Hands that were played again by a ruling: whether a replay is what the match says of it.

A log says of a replay what it brought, and with which line it ended. What was played there only the
replay's log shows, so that goes into the bundle as well.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ginrummy.audit.audit import audit
from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.replays import replay_fault
from ginrummy.evidence.bundle.claim import claim_of
from ginrummy.log.errors import LineError
from ginrummy.log.lines import read_line
from ginrummy.log.replays import Ordered, ordered
from ginrummy.rules.disputes.events import HandReplayed

__all__ = ["replay_faults", "replayed_matches"]

_MARK = b'"type":"hand_replayed"'


def replayed_matches(lines: Iterable[bytes], dispute: int | None) -> tuple[str, ...]:
    """Return the ids of the matches in which hands were played again.

    None for what is about no dispute, or one that the lines have not. These are gone through more
    than once.
    """
    if dispute is None or claim_of(lines, dispute) is None:
        return ()
    return tuple(dict.fromkeys(event.match for event in _replays(lines)))


def _replays(lines: Iterable[bytes]) -> Iterator[HandReplayed]:
    for raw in lines:
        if _MARK in raw:
            try:
                event = read_line(raw).event
            except LineError:
                continue
            if isinstance(event, HandReplayed):
                yield event


def replay_faults(
    lines: Sequence[bytes], logs: Mapping[str, Sequence[bytes]]
) -> Iterator[tuple[str, str]]:
    """Yield the id of each replay whose log is not what the match says of it, and why.

    `lines` are the match's, `logs` those of the replays, by their ids.
    """
    if not logs:
        return
    told = {event.match: event for event in _replays(lines)}
    orders = {(each.dispute, each.instance): each for each in ordered(lines)}
    for match, log in logs.items():
        event = told.get(match)
        if event is None:
            why: str | None = "the log has no such replay"
        else:
            why = _fault(event, orders.get((event.dispute, event.instance)), log)
        if why is not None:
            yield match, why


def _fault(event: HandReplayed, order: Ordered | None, lines: Sequence[bytes]) -> str | None:
    try:
        return replay_fault(event, order, lines, audit(lines))
    except UnusableLogError as error:
        return str(error)

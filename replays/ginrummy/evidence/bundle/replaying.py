"""Hands that were played again by a ruling: whether a replay is what the match says of it.

A log says of a replay what it brought, and with which line it ended. What was played there only the
replay's log shows, so that goes into the bundle as well.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ginrummy.audit.audit import audit
from ginrummy.audit.errors import UnusableLogError
from ginrummy.evidence.bundle.claim import Claim, claim_of
from ginrummy.log.lines import line_hash
from ginrummy.log.replays import brought
from ginrummy.replay.stepping import ReplayError, positions
from ginrummy.rules.disputes.events import HandReplayed
from ginrummy.rules.match import Ended, Match

__all__ = ["replay_faults", "replayed_matches"]


def replayed_matches(lines: Iterable[bytes], dispute: int | None) -> tuple[str, ...]:
    """Return the ids of the matches in which a dispute had its hand played again."""
    claim = None if dispute is None else claim_of(lines, dispute)
    return () if claim is None else tuple(event.match for event in _replays(claim))


def _replays(claim: Claim) -> Iterator[HandReplayed]:
    for said in claim.replays:
        assert isinstance(said.data, HandReplayed)
        yield said.data


def replay_faults(
    claim: Claim | None, logs: Mapping[str, Sequence[bytes]]
) -> Iterator[tuple[str, str]]:
    """Yield the id of each replay whose log is not what the match says of it, and why."""
    told = {} if claim is None else {event.match: event for event in _replays(claim)}
    for match, lines in logs.items():
        event = told.get(match)
        why = "the log has no such replay" if event is None else _fault(event, lines)
        if why is not None:
            yield match, why


def _fault(event: HandReplayed, lines: Sequence[bytes]) -> str | None:
    try:
        report = audit(lines)
    except UnusableLogError as error:
        return str(error)
    if report.stream != event.match:
        return f"it is the log of {report.stream}"
    if not report.clean:
        return f"event {report.faults[0].seq}: {report.faults[0].message}"
    if event.seq > len(lines) or line_hash(lines[event.seq - 1]) != event.hash:
        return f"its event {event.seq} is not the line that the match names"
    match = _after(lines[: event.seq])
    if not isinstance(match, Ended):
        return f"it has not ended with event {event.seq}"
    if (match.outcome.reason, brought(match)) != (event.reason, event.scored):
        return "it has brought something else than the match says"
    return None


def _after(lines: Sequence[bytes]) -> Match | None:
    match: Match | None = None
    try:
        for position in positions(lines):
            match = position.match
    except ReplayError:
        return None
    return match

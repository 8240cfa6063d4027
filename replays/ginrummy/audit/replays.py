"""Hands that were played again: whether each is the match that its ruling has had played.

    hand_replayed ──> the id that follows from its ruling ──> the match's own log, where it is given

A log says of a replay in which match it was, what it has brought, and with which line that match
ended. Which match it had to be follows from the ruling. The rest only that match's log shows.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from ginrummy.audit.findings import Findings
from ginrummy.audit.report import Report
from ginrummy.log.fold import Fold
from ginrummy.log.lines import MatchLine, read_line
from ginrummy.log.replays import Ordered, brought, replay_id
from ginrummy.rules.disputes.events import HandReplayed
from ginrummy.rules.match import Ended

__all__ = ["ReplayLogs", "Replays", "replay_fault"]

ReplayLogs: TypeAlias = Callable[[str], Iterable[bytes] | None]
"""Returns the log of a match by its id, to be gone through as often as wanted; None for none."""


class Replays:
    """What a log tells of hands that were played again."""

    def __init__(self, findings: Findings, stream: str) -> None:
        """Start before the first line of a match."""
        self.told: list[tuple[int, HandReplayed]] = []
        """Each, with the number of its line."""
        self.compared = 0
        """How many were compared with the log of the match in which they were played."""
        self._findings = findings
        self._stream = stream

    @property
    def detail(self) -> str | None:
        """What was not shown, for want of a log; None where everything was."""
        if self.compared == len(self.told):
            return None
        if not self.compared:
            return "no log of the hand played again was given"
        return f"{self.compared} of {len(self.told)}: no log was given of the others"

    def check(self, line: MatchLine) -> None:
        """Check what the next line says by itself."""
        event = line.event
        if type(event) is not HandReplayed:
            return
        self.told.append((line.seq, event))
        right = replay_id(self._stream, event.dispute, event.instance)
        if event.match != right:
            self._fault(
                line.seq, f"the match in which it was is {event.match}, but has to be {right}"
            )

    def compare(self, seq: int, match: str, why: str | None) -> None:
        """Note that a replay was compared with its log, and what is wrong with it, if anything."""
        self.compared += 1
        if why is not None:
            self._fault(seq, f"the log of {match} is not what is told of it: {why}")

    def _fault(self, seq: int, message: str) -> None:
        self._findings.fault("replays", seq, message, "R8")


def replay_fault(
    told: HandReplayed, order: Ordered | None, lines: Iterable[bytes], report: Report
) -> str | None:
    """Return what is wrong with the log of a hand that was played again; None if nothing is.

    `told` is what the disputed match says of it, `order` what that one's ruling was, None where it
    has none; `report` is the audit of `lines`, which are the replay's.
    """
    if report.stream != told.match:
        return f"it is the log of {report.stream}"
    if not report.clean:
        return f"event {report.faults[0].seq}: {report.faults[0].message}"
    fold = Fold()
    for line in map(read_line, lines):
        fold.add(line)
        if line.seq == told.seq:
            break
    if (fold.seq, fold.hash) != (told.seq, told.hash):
        return f"its event {told.seq} is not the line that the match names"
    match = fold.match
    if not isinstance(match, Ended):
        return f"it has not ended with event {told.seq}"
    if order is None:
        return "no ruling has had it played"
    if names := order.differences(match.terms):
        return f"by the ruling it has to have another {', '.join(names)}"
    if (match.outcome.reason, brought(match)) != (told.reason, told.scored):
        return "it has brought something else than the match says"
    return None

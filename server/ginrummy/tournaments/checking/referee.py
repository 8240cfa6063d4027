"""The rules' part of a check: every event compared with what had to come in its place.

    event -> wishes -> the commands that it could answer -> decide -> the events that had to come

Where an event is not what it had to be, the check goes on with what the rules say, so that one
wrong result is one fault; a round goes on as it was paired, for all that follows is about it.
"""

from msgspec.structs import replace

from ginrummy.tournaments.checking.actors import SERVER, wrong_actor
from ginrummy.tournaments.checking.findings import Findings
from ginrummy.tournaments.checking.wishes import wishes
from ginrummy.tournaments.checking.words import check_of, differences, named
from ginrummy.tournaments.errors import TournamentError
from ginrummy.tournaments.event import Tournament, TournamentEvent, decide, evolve
from ginrummy.tournaments.event.events import RoundPaired, TestEnded, TournamentCreated
from ginrummy.tournaments.event.fold import TournamentLine
from ginrummy.tournaments.event.schedule import chain_length

__all__ = ["Referee"]

_LLR_PRECISION = 1e-5
"""Two machines may differ in a ratio's last stored digit, for their logarithms do."""


class Referee:
    """Follows a tournament line by line, and notes what does not follow from what was before."""

    def __init__(self, findings: Findings) -> None:
        """Start before the first line."""
        self.tournament: Tournament | None = None
        """The tournament as it stands; None before it is created."""
        self._findings = findings
        # What still has to follow from an event that has happened, and that event's line.
        self._following: tuple[TournamentEvent, ...] = ()
        self._cause: TournamentLine | None = None
        self._at = 0

    def judge(self, line: TournamentLine, following: TournamentEvent | None) -> None:
        """Judge the next event; `following` is the one after it."""
        self._findings.counts["actors"] += 1
        self._findings.counts["times"] += 1
        self._findings.counts[check_of(line.event)] += 1
        if line.at < self._at:
            self._findings.fault("times", line.seq, "its time is before that of the event before")
        self._at = max(self._at, line.at)
        if self._following and type(line.event) is not type(self._following[0]):
            self._miss(line)
        if self._following:
            self._judge_consequence(line)
        else:
            self._judge_cause(line, following)

    def finish(self, seq: int) -> None:
        """Say what can only be said after the last event, which is number `seq`."""
        if self._following and self._cause is not None:
            message = f"{named(self._following[0])} has to follow event {self._cause.seq} at once"
            self._findings.fault("end", seq + 1, f"{message}, and the log ends")

    def _judge_cause(self, line: TournamentLine, following: TournamentEvent | None) -> None:
        """Judge an event that somebody has decided."""
        actor = wrong_actor(self.tournament, line.event, line.by)
        if actor is not None:
            message = f"{named(line.event)} is by {line.by}, but can only be by {actor}"
            self._findings.fault("actors", line.seq, message)
        possible: list[tuple[TournamentEvent, ...]] = []
        refusals = ["no tournament has been created"]
        for command in wishes(self.tournament, line, following):
            try:
                possible.append(decide(self.tournament, command, line.at))
            except TournamentError as refusal:
                refusals.append(str(refusal))
        right = [events for events in possible if events]
        if right:
            fitting = (events for events in right if _same(line.event, events[0]))
            self._cause = line
            self._accept(line, next(fitting, right[0]))
            return
        why = "it has happened before" if possible else refusals[-1]
        self._findings.fault(check_of(line.event), line.seq, f"{named(line.event)}: {why}")
        if not possible:
            # What comes after it may well be about it.
            self._take(line, line.event)

    def _judge_consequence(self, line: TournamentLine) -> None:
        """Judge an event that has to follow from the one before."""
        cause = self._cause
        assert cause is not None
        if line.by != SERVER:
            message = f"{named(line.event)} follows from event {cause.seq}, and is by {line.by}"
            self._findings.fault("actors", line.seq, message)
        if line.cmd != cause.cmd:
            message = f"it comes with event {cause.seq}, but has another request id"
            self._findings.fault("actors", line.seq, message)
        if line.at != cause.at:
            message = f"it comes with event {cause.seq}, but has another time"
            self._findings.fault("times", line.seq, message)
        self._accept(line, self._following)

    def _miss(self, line: TournamentLine) -> None:
        """Note what had to follow and did not, and go on as if it had."""
        assert self._cause is not None
        first = self._following[0]
        message = f"{named(first)} has to follow event {self._cause.seq} at once, and is missing"
        self._findings.fault(check_of(first), line.seq, message)
        for event in self._following:
            self._take(line, event)
        self._following = ()

    def _accept(self, line: TournamentLine, right: tuple[TournamentEvent, ...]) -> None:
        """Go on with what had to come first in `right`, whether or not it is what came."""
        found, first = line.event, right[0]
        self._following = right[1:]
        if _same(found, first):
            self._check_terms(line)
            self._take(line, found)
            return
        if type(found) is not type(first):
            message = f"{named(first)} had to come here, not {named(found)}"
            self._findings.fault(check_of(found), line.seq, message)
            self._following = ()
            self._take(line, found)
            return
        message = f"{named(found)}: {differences(found, first)}"
        self._findings.fault(check_of(found), line.seq, message)
        self._take(line, found if isinstance(found, RoundPaired) else first)

    def _check_terms(self, line: TournamentLine) -> None:
        event = line.event
        if isinstance(event, TournamentCreated):
            self._findings.counts["boards"] += 1
            self._findings.counts["lots"] += 1
            needed = max(1, chain_length(event.terms.format, event.terms.boards))
            if event.chain < needed:
                message = f"the commitment covers {event.chain} boards, and {needed} can be played"
                self._findings.fault("boards", line.seq, message)

    def _take(self, line: TournamentLine, event: TournamentEvent) -> None:
        """Go on with an event, as far as it has any meaning here."""
        try:
            self.tournament = evolve(self.tournament, event, line.at, line.stream, line.by)
        except (ValueError, TournamentError) as error:
            if not self._findings.failed(check_of(event)):
                self._findings.fault(check_of(event), line.seq, f"{named(event)}: {error}")


def _same(found: TournamentEvent, right: TournamentEvent) -> bool:
    if isinstance(found, TestEnded) and isinstance(right, TestEnded):
        close = abs(found.llr - right.llr) <= _LLR_PRECISION
        return close and replace(found, llr=right.llr) == right
    return found == right

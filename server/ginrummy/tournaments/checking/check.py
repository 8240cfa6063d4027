"""The check of one tournament: all its lines read, all its events judged, one report.

lines ──> Links ──> Referee ──> Report
             └────> Matches ──> Secrecy
"""

from collections.abc import Iterable

from ginrummy.tournaments.checking.errors import UnusableTournamentLogError
from ginrummy.tournaments.checking.findings import Findings
from ginrummy.tournaments.checking.links import Links
from ginrummy.tournaments.checking.matches import Matches, MatchLog, Told
from ginrummy.tournaments.checking.referee import Referee
from ginrummy.tournaments.checking.report import (
    CHECKS,
    Check,
    CheckName,
    Status,
    TournamentReport,
)
from ginrummy.tournaments.checking.secrecy import Secrecy
from ginrummy.tournaments.event import Tournament
from ginrummy.tournaments.event.events import (
    BoardsRevealed,
    RoundPaired,
    SittingAdjusted,
    SittingEnded,
)
from ginrummy.tournaments.event.fold import TournamentLine
from ginrummy.tournaments.results import count_reasons

__all__ = ["check"]


def check(lines: Iterable[bytes], match_log: MatchLog) -> TournamentReport:
    """Return what all checks find in the stored lines of one tournament, without line ends.

    `match_log` gives a match's stored lines by its id, or None where they are not at hand. The
    matches' own moves are not judged here. Raises UnusableTournamentLogError where there is
    nothing to check.
    """
    examination = _Examination(match_log)
    for raw in lines:
        examination.read(raw)
    return examination.report()


class _Examination:
    """A tournament's log as far as it has been read; the line read last is judged with the next."""

    def __init__(self, match_log: MatchLog) -> None:
        self.findings = Findings()
        self.links = Links(self.findings)
        self.referee = Referee(self.findings)
        self.matches = Matches(self.findings, match_log)
        self.secrecy = Secrecy(self.findings)
        self._waiting: TournamentLine | None = None
        self._paired_at: dict[int, int] = {}
        self._sittings = 0

    def read(self, raw: bytes) -> None:
        line = self.links.read(raw)
        if line is not None:
            if self._waiting is not None:
                self._judge(self._waiting, line)
            self._waiting = line

    def _judge(self, line: TournamentLine, following: TournamentLine | None) -> None:
        before = self.referee.tournament
        self.referee.judge(line, None if following is None else following.event)
        match line.event:
            case RoundPaired(number=number):
                self._paired_at[number] = line.at
            case BoardsRevealed() as event:
                self.secrecy.revealed(event, line.at)
            case SittingEnded() as event if before is not None:
                self._sittings += 1
                told = self.matches.judge(before, event, line.seq)
                if told is not None:
                    self._check_time(event, told, line)
                    if event.board:
                        self.secrecy.played(event, told, line.seq)

            case SittingAdjusted() as event if before is not None:
                self.matches.judge_ruling(before, event, line.seq)

    def _check_time(self, event: SittingEnded, told: Told, line: TournamentLine) -> None:
        """Check that a match was played in its round, and before its end was recorded."""
        paired_at = self._paired_at.get(event.round)
        if paired_at is not None and told.created_at < paired_at:
            message = f"its match was opened before round {event.round} was paired"
            self.findings.fault("times", line.seq, message)
        if told.ended_at is not None and told.ended_at > line.at:
            self.findings.fault("times", line.seq, "its match ended later than this")

    def report(self) -> TournamentReport:
        """Judge what is left, and say what was found."""
        if self._waiting is None:
            raise UnusableTournamentLogError(
                "none of its lines is an event of a tournament"
                if self.links.lines
                else "there is no line in it"
            )
        self._judge(self._waiting, None)
        self.links.finish()
        self.referee.finish(self.links.seq)
        self.secrecy.finish()
        tournament = self.referee.tournament
        if tournament is not None:
            self._check_sums(tournament)
        order = {name: place for place, name in enumerate(CHECKS)}
        return TournamentReport(
            stream=self.links.stream,
            name=tournament.terms.name if tournament else "",
            lines=self.links.lines,
            head_seq=self.links.seq,
            head_hash=self.links.hash,
            entrants=len(tournament.entries) if tournament else 0,
            rounds=len(tournament.rounds) if tournament else 0,
            sittings=self._sittings,
            matches_read=self.matches.read,
            end_reason=tournament.end_reason if tournament else None,
            clean=not self.findings.faults,
            checks=tuple(self._check(name, tournament) for name in CHECKS),
            faults=tuple(
                sorted(self.findings.faults, key=lambda each: (each.seq, order[each.check]))
            ),
            faults_left_out=self.findings.left_out,
        )

    def _check_sums(self, tournament: Tournament) -> None:
        """Check that every sitting and every match counts once, with one reason (E10)."""
        self.findings.counts["sums"] += 1
        if len(tournament.sittings) != self._sittings:
            message = f"{self._sittings} sittings are recorded, {len(tournament.sittings)} count"
            self.findings.fault("sums", self.links.seq, message)
        pairings = sum(len(each.pairings) for each in tournament.rounds)
        decided = pairings - len(tournament.undecided)
        ended = sum(count_reasons(tournament.records).values())
        if ended != decided:
            message = f"{decided} pairings have a result, and {ended} results count"
            self.findings.fault("sums", self.links.seq, message)

    # --- what became of each check ------------------------------------------------------------

    def _check(self, name: CheckName, tournament: Tournament | None) -> Check:
        count, detail = self.findings.counts[name], CHECKS[name]
        status: Status = "passed"
        waits_for = self._waits_for(name, tournament)
        if number := self.findings.failed(name):
            status, detail = "failed", "1 fault" if number == 1 else f"{number} faults"
        elif waits_for is not None:
            status, detail = "waiting", waits_for
        elif not count:
            status, detail = "not_applicable", "nothing in this log calls for it"
        return Check(name, status, count, detail)

    def _waits_for(self, name: CheckName, tournament: Tournament | None) -> str | None:
        """Say what a check waits for; None where it waits for nothing."""
        if tournament is None:
            return None
        missing = sum(bool(each.match) for each in tournament.sittings) - self.matches.read
        if name == "matches" and missing > 0:
            return f"{missing} of {len(tournament.sittings)} matches' logs are not at hand"
        left = self.matches.not_taken_over
        if name == "rulings" and left:
            return f"what was ruled on {len(left)} matches is not taken over: {', '.join(left)}"
        last = max((each.board for each in tournament.sittings), default=0)
        if name == "boards" and tournament.revealed < last:
            return f"boards {tournament.revealed + 1} to {last}: not before their secrets are out"
        if name == "lots" and tournament.lots_secret is None:
            return "not before the secret is out"
        if name == "end" and tournament.stage != "ended":
            return "the tournament is not over"
        return None

"""What a check of a tournament says: which checks were made, and what is at fault.

A report is a value: `msgspec.json.encode(report)` writes it for programs, `text(report)` for
people. The names of the checks and the fields are for ever, scripts read them.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from ginrummy.reporting.telling import (
    Status,
    as_text,
    check_lines,
    counted,
    fault_lines,
    verdict,
)

__all__ = ["CHECKS", "Check", "CheckName", "Fault", "Status", "TournamentReport", "text"]

CheckName: TypeAlias = Literal[
    "line-form",
    "stream",
    "sequence",
    "chain",
    "times",
    "actors",
    "course",
    "nonces",
    "pairings",
    "sittings",
    "matches",
    "results",
    "rulings",
    "test",
    "boards",
    "lots",
    "sums",
    "end",
]
"""The checks, in the order of the report."""

CHECKS: Mapping[CheckName, str] = {
    "line-form": "each line is an event in its one spelling",
    "stream": "all lines are of one tournament",
    "sequence": "the events are numbered from 1 without a hole",
    "chain": "each line holds the hash of the one before",
    "times": "no time goes back, no match is outside its round",
    "actors": "each event is by whoever may cause it",
    "course": "each event had its place where it stands",
    "nonces": "each nonce is the committed one, all are in the boards",
    "pairings": "each round is what the format makes of those there",
    "sittings": "each sitting has a place, is recorded once, in a match of its own",
    "matches": "each sitting is what its match's log says",
    "results": "each result follows from its sittings",
    "rulings": "each sitting that a ruling has changed is what its match's log says",
    "test": "the sequential test ended where the boards say",
    "boards": "each secret is the committed one, none was out too early",
    "lots": "the lots were drawn as committed to",
    "sums": "the end reasons add up",
    "end": "nothing is missing at the end",
}
"""What it means that a check has passed."""


class Check(msgspec.Struct, frozen=True):
    """One kind of check, and what became of it."""

    name: CheckName
    status: Status
    count: int
    """How often it was made."""
    detail: str
    """What it means, or what it waits for."""


class Fault(msgspec.Struct, frozen=True):
    """Something that is not as it has to be."""

    check: CheckName
    seq: int
    """The number of the event at fault, or of the one that is missing."""
    message: str


class TournamentReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a check has found."""

    stream: str
    """The tournament's id."""
    name: str
    """What it is called; empty where its first line cannot be read."""
    lines: int
    """How many lines were read."""
    head_seq: int
    """The number of the last line at its place."""
    head_hash: str
    """That line's hash, in hex."""
    entrants: int
    rounds: int
    sittings: int
    matches_read: int
    """How many of the sittings' matches were at hand."""
    end_reason: str | None
    """How it ended; None while it is played."""
    clean: bool
    """No fault was found. Checks may still wait for something."""
    checks: tuple[Check, ...]
    faults: tuple[Fault, ...]
    """In the order of the log."""
    faults_left_out: int
    """How many more faults there are than `faults` holds."""

    def check(self, name: CheckName) -> Check:
        """Return the check of that name."""
        return next(check for check in self.checks if check.name == name)


def text(report: TournamentReport) -> str:
    """Return the report as plain text for people, with a newline at its end."""
    waiting = [check.name for check in report.checks if check.status == "waiting"]
    number = len(report.faults) + report.faults_left_out
    return as_text(
        (
            _heading(report),
            check_lines(report.checks),
            fault_lines(report.faults, report.faults_left_out),
            [verdict(number, waiting, "waiting: {}")],
        )
    )


def _heading(report: TournamentReport) -> list[str]:
    over = f"ended ({report.end_reason})" if report.end_reason else "still being played"
    counts = (
        counted(report.lines, "event"),
        counted(report.entrants, "entrant"),
        counted(report.rounds, "round"),
        counted(report.sittings, "sitting"),
    )
    return [
        f"Check of {report.stream}",
        *([report.name] if report.name else []),
        f"{', '.join(counts)}, {over}",
        f"head {report.head_seq}:{report.head_hash}",
    ]

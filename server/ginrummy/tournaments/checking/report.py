"""What a check of a tournament says: which checks were made, and what is at fault.

A report is a value: `msgspec.json.encode(report)` writes it for programs, `text(report)` for
people. The names of the checks and the fields are for ever, scripts read them.
"""

from collections.abc import Mapping
from textwrap import wrap
from typing import Literal, TypeAlias

import msgspec

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
    "test": "the sequential test ended where the boards say",
    "boards": "each secret is the committed one, none was out too early",
    "lots": "the lots were drawn as committed to",
    "sums": "the end reasons add up",
    "end": "nothing is missing at the end",
}
"""What it means that a check has passed."""

Status: TypeAlias = Literal["passed", "failed", "waiting", "not_applicable"]
"""What became of a check. `waiting`: some of it needs what is not there yet, a secret or a match's
log. `not_applicable`: nothing in this log calls for it."""


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


_SIGNS: Mapping[Status, str] = {
    "passed": "ok",
    "failed": "FAULT",
    "waiting": "waits",
    "not_applicable": "-",
}


def text(report: TournamentReport) -> str:
    """Return the report as plain text for people, with a newline at its end."""
    parts = (_heading(report), _checks(report), _faults(report), _verdict(report))
    said = "\n".join(line for part in parts if part for line in (*part, ""))
    # Names are anybody's to choose in a file that one is sent: none steers a terminal.
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in said)


def _heading(report: TournamentReport) -> list[str]:
    over = f"ended ({report.end_reason})" if report.end_reason else "still being played"
    counts = (
        _counted(report.lines, "event"),
        _counted(report.entrants, "entrant"),
        _counted(report.rounds, "round"),
        _counted(report.sittings, "sitting"),
    )
    return [
        f"Check of {report.stream}",
        *([report.name] if report.name else []),
        f"{', '.join(counts)}, {over}",
        f"head {report.head_seq}:{report.head_hash}",
    ]


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _checks(report: TournamentReport) -> list[str]:
    return [
        f"  {_SIGNS[check.status]:<7} {check.name:<10} {check.count:>7}  {check.detail}"
        for check in report.checks
    ]


def _faults(report: TournamentReport) -> list[str]:
    lines: list[str] = []
    for fault in report.faults:
        lines.append(f"event {fault.seq}: {fault.check}")
        lines += wrap(fault.message, 78, initial_indent="    ", subsequent_indent="    ")
    if report.faults_left_out:
        lines.append(f"and {report.faults_left_out} more")
    return lines


def _verdict(report: TournamentReport) -> list[str]:
    number = len(report.faults) + report.faults_left_out
    if number:
        return [f"NOT CLEAN: {_counted(number, 'fault')} found."]
    waiting = [check.name for check in report.checks if check.status == "waiting"]
    if waiting:
        return [f"Clean as far as can be told; waiting: {', '.join(waiting)}."]
    return ["Clean: no fault found."]

"""What an audit says: which checks were made, what became of them, and what is at fault.

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
from ginrummy.rules.cards import BySeat
from ginrummy.rules.events import MatchCreated, MatchEnded

__all__ = [
    "CHECKS",
    "Check",
    "CheckName",
    "Fault",
    "Head",
    "MatchKind",
    "Report",
    "Status",
    "Unchecked",
    "kind_of",
    "text",
]

CheckName: TypeAlias = Literal[
    "line-form",
    "stream",
    "sequence",
    "chain",
    "receipt",
    "commitment",
    "origin",
    "position",
    "reveal",
    "nonces",
    "dealing",
    "deck",
    "moves",
    "scores",
    "clocks",
    "actors",
    "signatures",
    "disputes",
    "rulings",
    "replays",
    "end",
]
"""The checks, in the order of the report."""

CHECKS: Mapping[CheckName, str] = {
    "line-form": "each line is an event in its one spelling",
    "stream": "all lines are of one match",
    "sequence": "the events are numbered from 1 without a hole",
    "chain": "each line holds the hash of the one before",
    "receipt": "the line that the receipt names is still there",
    "commitment": "the decks were committed to beforehand",
    "origin": "it begins as the match from which it branches off",
    "position": "the position in which it begins was committed to",
    "reveal": "each secret is the committed one, out when due",
    "nonces": "each nonce is the one committed to",
    "dealing": "the right dealer dealt from the committed deck",
    "deck": "all cards are those of the committed decks",
    "moves": "each move was legal, and so was what followed",
    "scores": "each score is what the rules make it",
    "clocks": "no time goes back, no decision came late",
    "actors": "each event is by whoever may cause it",
    "signatures": "each move is signed by its player",
    "disputes": "each dispute, ruling and appeal was allowed",
    "rulings": "each result is what the standing rulings make it",
    "replays": "each hand played again is what its match shows",
    "end": "nothing is missing at the end, nothing follows",
}
"""What it means that a check has passed."""


MatchKind: TypeAlias = Literal["match", "practice", "replay"]
"""A match of its own; one that goes on from another for practice, and counts in no record; a hand
of another one that is played again by a ruling."""

_MARKS: Mapping[MatchKind, str] = {
    "match": "",
    "practice": "Practice: ",
    "replay": "Played again: ",
}
"""What stands ahead of what a match is called."""


def kind_of(terms: MatchCreated | None) -> MatchKind:
    """Return what kind of match these terms are of; of one whose terms are not known, a match."""
    if terms is None or terms.origin is None:
        return "match"
    return "practice" if terms.is_practice else "replay"


class Check(msgspec.Struct, frozen=True):
    """One kind of check, and what became of it."""

    name: CheckName
    status: Status
    count: int
    """How often it was made."""
    detail: str
    """What it means, what it waits for, or where it stopped."""


class Fault(msgspec.Struct, frozen=True):
    """Something that is not as it has to be."""

    check: CheckName
    seq: int
    """The number of the event at fault, or of the one that is missing."""
    rule: str
    """The number of the rule in docs/rules.md; empty where none stands behind it."""
    message: str


class Unchecked(msgspec.Struct, frozen=True):
    """Events of which only the line could be checked, because of a fault before them."""

    first: int
    last: int
    why: str


class Head(msgspec.Struct, frozen=True):
    """The last line, by which a log can be told from every other one."""

    seq: int
    hash: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit has found."""

    stream: str
    """The match's id."""
    kind: MatchKind
    name: str
    """What the match is called; may be empty."""
    players: BySeat[str | None]
    """The players' names, as far as they were seated."""
    lines: int
    """How many lines were read."""
    head: Head
    hands: int
    """How many hands were dealt."""
    outcome: MatchEnded | None
    """How the match ended; None while it is played."""
    clean: bool
    """No fault was found. Checks may still wait for a secret."""
    checks: tuple[Check, ...]
    faults: tuple[Fault, ...]
    """In the order of the log."""
    faults_left_out: int
    """How many more faults there are than `faults` holds."""
    unchecked: tuple[Unchecked, ...]

    def check(self, name: CheckName) -> Check:
        """Return the check of that name."""
        return next(check for check in self.checks if check.name == name)


def text(report: Report) -> str:
    """Return the report as plain text for people, with a newline at its end."""
    waiting = [check.name for check in report.checks if check.status == "waiting"]
    number = len(report.faults) + report.faults_left_out
    return as_text(
        (
            _heading(report),
            check_lines(report.checks),
            fault_lines(report.faults, report.faults_left_out),
            _unchecked(report),
            [verdict(number, waiting, "{} wait for a secret")],
        )
    )


def _heading(report: Report) -> list[str]:
    players = " against ".join(name or "an empty seat" for name in report.players)
    title = f"{report.name}: {players}" if report.name else players
    return [
        f"Audit of {report.stream}",
        _MARKS[report.kind] + title,
        f"{counted(report.lines, 'event')}, {counted(report.hands, 'hand')}, {_ended(report)}",
        f"head {report.head.seq}:{report.head.hash}",
    ]


def _ended(report: Report) -> str:
    outcome = report.outcome
    if outcome is None:
        return "still being played"
    if outcome.winner is None:
        return f"ended without a winner ({outcome.reason})"
    totals = outcome.totals
    won, lost = totals if outcome.winner == 0 else reversed(totals)
    return f"won by {report.players[outcome.winner]}, {won} to {lost} ({outcome.reason})"


def _unchecked(report: Report) -> list[str]:
    return [
        f"Not judged: event {gap.first}: {gap.why}"
        if gap.first == gap.last
        else f"Not judged: events {gap.first} to {gap.last}: {gap.why}"
        for gap in report.unchecked
    ]

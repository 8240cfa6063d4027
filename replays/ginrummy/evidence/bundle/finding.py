"""What a log and what was kept of it say of a claim: borne out, refuted, or not shown either way.

Each reason that a dispute can give is answered for by some checks (docs/disputes.md has the table,
and another program that judges by it). A fault that one of them has found in the disputed hand, or
in what the whole match stands on, bears the claim out. Where they all were made and found none, and
the log has no fault at all, the claim is refuted, if it is of a kind that a log can refute. It is
not for a verifier to rule.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from ginrummy.audit.report import CheckName, Fault, Report
from ginrummy.log.record import Record
from ginrummy.rules.disputes.events import DisputeOpened, DisputeReason

__all__ = ["ANSWERING", "Finding", "Held", "Outcome", "find"]

Outcome: TypeAlias = Literal["borne_out", "refuted", "not_shown"]

ANSWERING: Mapping[DisputeReason, tuple[CheckName, ...]] = {
    "card_not_in_deck": ("commitment", "reveal", "nonces", "dealing", "deck"),
    "move_denied": ("actors", "signatures"),
    "score_wrong": ("moves", "scores", "rulings", "replays"),
    "clock_wrong": ("clocks",),
    "log_changed": ("line-form", "stream", "sequence", "chain", "receipt"),
    "cards_seen": ("reveal",),
    "rule_broken": ("dealing", "deck", "moves", "scores", "clocks", "actors", "end"),
    "collusion": (),
    "conduct": (),
    "other": (),
}
"""The checks that answer for each reason."""

_OF_THE_WHOLE: frozenset[CheckName] = frozenset(
    (
        *("line-form", "stream", "sequence", "chain", "receipt"),
        *("commitment", "nonces", "reveal", "actors", "rulings", "replays"),
    )
)
"""Checks whose faults count wherever they are: every hand stands on these."""

_OF_THE_EVENT: frozenset[CheckName] = frozenset(("signatures",))
"""Checks whose faults count at the disputed event alone."""

_MADE = ("passed", "not_applicable")
"""What became of a check without a fault that was made as far as it is called for."""


class Held(msgspec.Struct, frozen=True):
    """What else than the log there is to judge by."""

    heads_to: int
    """The last event whose hash a player was told and has kept; 0 for none."""
    signed: bool
    """The disputed event's line has a signature of its player."""
    all_replays: bool
    """Of every hand that was played again there is the log of the match in which it was."""


class Finding(msgspec.Struct, frozen=True):
    """What is found of a claim."""

    reason: DisputeReason
    outcome: Outcome
    why: str
    """In one or two sentences."""
    checks: tuple[CheckName, ...]
    """The checks that answer for it."""
    faults: tuple[Fault, ...]
    """The faults that bear it out."""


def find(claim: DisputeOpened, report: Report, record: Record, held: Held) -> Finding:
    """Return what the audit's report of the log says of a claim."""
    reason = claim.reason
    checks = ANSWERING[reason]
    about = record.about(claim.hand)
    span = (1, report.lines) if about is None else (about.first, about.last)
    faults = tuple(
        fault
        for fault in report.faults
        if fault.check in checks and _counts(fault, claim.event, span)
    )
    if faults:
        return Finding(reason, "borne_out", _borne_out(faults), checks, faults)
    outcome, why = _without_faults(claim, report, held)
    return Finding(reason, outcome, why, checks, ())


def _counts(fault: Fault, event: int, span: tuple[int, int]) -> bool:
    """Say whether a fault is about what is disputed."""
    if fault.check in _OF_THE_WHOLE:
        return True
    if fault.check in _OF_THE_EVENT:
        return fault.seq == event
    return span[0] <= fault.seq <= span[1]


def _borne_out(faults: Sequence[Fault]) -> str:
    where = f"event {faults[0].seq}"
    more = len(faults) - 1
    further = (
        f", and {more} more {'fault bears' if more == 1 else 'faults bear'} it out" if more else ""
    )
    return f"{faults[0].check} is at fault at {where}: {faults[0].message}{further}."


_NEVER: Mapping[DisputeReason, str] = {
    "cards_seen": (
        "No secret was out before its hand was over, so nothing in the record gave hidden cards to"
        " anybody. What happened away from the server no log shows."
    ),
    "collusion": "What two players have agreed on no log shows.",
    "conduct": "How somebody behaved no log shows.",
    "other": "No check answers for a claim of this kind.",
}


def _without_faults(claim: DisputeOpened, report: Report, held: Held) -> tuple[Outcome, str]:
    if not report.clean:
        first = report.faults[0]
        return "not_shown", (
            f"The log has faults elsewhere, the first one at event {first.seq} ({first.check}). One"
            " that has any refutes nothing."
        )
    waiting = _not_made(claim.reason, report, held)
    if waiting:
        return "not_shown", f"Not every check that answers for it could be made: {waiting}."
    if claim.reason in _NEVER:
        return "not_shown", _NEVER[claim.reason]
    names = ", ".join(ANSWERING[claim.reason])
    clean = f"Every check that answers for it was made and found no fault: {names}."
    if claim.reason == "move_denied":
        if not held.signed:
            return "not_shown", (
                "The move was legal and came with its player's token. It is not signed, so nothing"
                " but the server's word says who made it."
            )
        return "refuted", f"The player's own key has signed the move, on the line before. {clean}"
    if claim.reason == "log_changed":
        if held.heads_to < claim.event:
            return "not_shown", (
                "The chain is whole, but a log can be written anew as a whole. No hash that a"
                f" player was told of event {claim.event} or a later one is there to compare."
            )
        return "refuted", (
            f"The hashes that were told at the time, up to event {held.heads_to}, are those of this"
            f" log. {clean}"
        )
    return "refuted", clean


def _not_made(reason: DisputeReason, report: Report, held: Held) -> str:
    """Say which of the checks that answer for a claim still wait; empty for none."""
    if "replays" in ANSWERING[reason] and not held.all_replays:
        return "a hand was played again, and the log of the match in which it was is not there"
    return "; ".join(
        f"{check.name} ({check.detail})"
        for check in report.checks
        if check.name in ANSWERING[reason] and check.status not in _MADE
    )

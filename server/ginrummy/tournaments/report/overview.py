"""The first page: the standings, and what there is to say of the event as a whole."""

import math
from collections.abc import Iterator

import msgspec

from ginrummy.tournaments.event import Tournament
from ginrummy.tournaments.event.schedule import is_last_round
from ginrummy.tournaments.event.summary import Summary
from ginrummy.tournaments.report.chronicle import Chronicle, Move
from ginrummy.tournaments.report.figures import (
    count,
    minute,
    span,
)
from ginrummy.tournaments.report.naming import Names
from ginrummy.tournaments.report.words import (
    ENDS,
    LEAVES,
    REASONS,
    SHORT_REASONS,
    clock_text,
    format_text,
    lead_text,
    play_text,
    rules_text,
    scoring_text,
    test_text,
)
from ginrummy.tournaments.results import END_REASONS
from ginrummy.tournaments.statistics.intervals import Narrowing
from ginrummy.tournaments.statistics.sprt import Course

__all__ = [
    "ReasonRow",
    "facts",
    "narrowing_text",
    "notes",
    "reason_rows",
    "stage_text",
    "verdict_text",
]


class ReasonRow(msgspec.Struct, frozen=True):
    """How many ended for a reason."""

    name: str
    text: str
    sittings: int
    pairings: int


def stage_text(tournament: Tournament) -> str:
    """Return how far the event has come."""
    match tournament.stage:
        case "registration":
            return "Registration is open"
        case "nonces":
            return "About to start"
        case "playing":
            of = " (the last)" if is_last_round(tournament) else ""
            paused = ", paused" if tournament.paused else ""
            return f"Round {len(tournament.rounds)}{of} is being played{paused}"
        case "ended":
            return ENDS[tournament.end_reason or "complete"]


def facts(told: Chronicle, names: Names) -> tuple[tuple[str, str], ...]:
    """Return dates, format and terms, each with its heading."""
    tournament = told.tournament
    terms = tournament.terms
    found = [
        ("Announced", minute(tournament.created_at)),
        ("Director", names.of(tournament.director)),
        ("Started", "" if told.started_at is None else minute(told.started_at)),
        ("Ended", "" if told.ended_at is None else minute(told.ended_at)),
        ("Format", format_text(terms.format)),
        ("Play", play_text(terms.play, terms.rules)),
        ("Rules", rules_text(terms.rules)),
        ("Time", clock_text(terms.clock, terms.limits)),
        ("Scoring", scoring_text(terms)),
        ("Sequential test", "" if terms.sprt is None else test_text(terms.sprt)),
    ]
    return tuple((name, text) for name, text in found if text)


def reason_rows(results: Summary) -> tuple[ReasonRow, ...]:
    """Return every reason for which something ended."""
    rows = (
        ReasonRow(
            SHORT_REASONS[each],
            REASONS[each],
            results.sittings.get(each, 0),
            results.standings.reasons.get(each, 0),
        )
        for each in END_REASONS
    )
    return tuple(row for row in rows if row.sittings or row.pairings)


def narrowing_text(narrowing: Narrowing) -> str:
    """Return what duplicate boards were worth, in words."""
    ratio, width = narrowing.variance_ratio, narrowing.width_ratio
    if not math.isfinite(ratio.high) or not ratio.value:
        return "These boards say nothing yet about how much of the luck they took away."
    change = f"{abs(1 - width.value):.0%}"
    effect = f"{change} narrower" if width.value < 1 else f"{change} wider"
    return (
        f"Both sides held both hands of every board. That made the intervals {effect}:"
        f" {width.value:.2f} times as wide as from as many ordinary hands (95%: {span(width)})."
        f" To be as sure, {1 / ratio.value:.2f} times as many ordinary hands would be needed. The"
        f" variance of a pair's score is {ratio.value:.2f} times that of two unrelated hands (95%:"
        f" {span(ratio)})."
    )


def verdict_text(course: Course, one: str, other: str) -> str:
    """Return how a sequential test stands."""
    test, after = course.test, f"after {count(course.counted.boards, 'board')}"
    low, high = lead_text(test.h0, test.scale), lead_text(test.h1, test.scale)
    match course.status:
        case "accept_h1":
            return f"H1 accepted {after}: {one} leads {other}, as by {high} rather than {low}."
        case "accept_h0":
            return f"H0 accepted {after}: {one} leads {other} by no more than {low}."
        case "no_decision":
            return (
                f"No decision {after}: the test was called off, or its boards ran out, before it"
                " spoke for either answer."
            )
        case "running":
            return f"Still running, {after}."


# --- what else happened -------------------------------------------------------------------------


def notes(told: Chronicle, names: Names) -> tuple[str, ...]:
    """Return byes, lost places, who came and went, and pauses, in the order of the rounds."""
    found: list[tuple[int, str]] = []
    for each in told.tournament.rounds:
        found += ((each.number, f"{names[bye.entrant]} has a bye.") for bye in each.byes)
        found += (
            (each.number, f"{names[gone.entrant]} is not there, and loses {gone.label}.")
            for gone in each.absences
        )
    found += ((each.round, text) for each, text in _moves(told, names))
    found.sort(key=lambda note: note[0])
    lines = [f"Round {number}: {text}" if number else f"Before: {text}" for number, text in found]
    if told.aborted_why or told.tournament.aborted:
        lines.append(f"Given up: {told.aborted_why}")
    return tuple(lines)


def _moves(told: Chronicle, names: Names) -> Iterator[tuple[Move, str]]:
    for each in told.moves:
        why = f" ({each.why})" if each.why else ""
        match each.what:
            case "entered":
                yield each, f"{names[each.entrant]} enters late, {minute(each.at)}."
            case "left":
                how = LEAVES[each.reason or "withdrew"]
                yield each, f"{names[each.entrant]} {how}{why}, {minute(each.at)}."
            case "returned":
                yield each, f"{names[each.entrant]} is back, {minute(each.at)}."
            case "paused":
                yield each, f"play is halted, {minute(each.at)}."
            case "resumed":
                yield each, f"play goes on, {minute(each.at)}."

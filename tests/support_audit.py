"""What the tests of audits are written in: which check found what, and where events stand."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from support_logs import Log, Table, events_of, played, without

from ginrummy.audit.report import Report
from ginrummy.rules.events import TimeControl

CLASSIC = played(129, "classic")
"""A match with knocks and an undercut, whose secrets are out."""

GIN = played(317, "straight")
"""A match with gin and void hands."""

CLOCK = TimeControl(bank_ms=900_000, increment_ms=500, decision_ms=20_000)

REVEALED = [pytest.param(True, id="revealed"), pytest.param(False, id="hidden")]
"""Whether a log's secrets are out: whatever everybody could see is found either way."""


def at_fault(report: Report) -> list[tuple[str, int]]:
    """Return which checks found something, and at which events."""
    return [(fault.check, fault.seq) for fault in report.faults]


def nth(log: Log, kind: str, number: int = 0) -> int:
    """Return the index of the so-manieth event of a type."""
    return events_of(log, kind)[number]


def data(raw: bytes) -> Mapping[str, Any]:
    """Return a line's data."""
    found: Mapping[str, Any] = msgspec.json.decode(raw)["data"]
    return found


def log_of(table: Table, *, revealed: bool) -> Log:
    """Return a log with or without the secrets at its end."""
    return table.log if revealed else without(table.log, *events_of(table.log, "secret_revealed"))

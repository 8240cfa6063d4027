"""Stepping through a replay on a terminal: on all of it, or as plain lines.

The first needs the extra `tui`, and a terminal that can do more than print. Without either there
is the pager, which needs nothing.
"""

import os
import sys
from collections.abc import Iterable, Sequence
from importlib.util import find_spec

import click

from ginrummy.audit.audit import audit
from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.report import Report
from ginrummy.cli.keys import typed_keys
from ginrummy.log.fold import Secrets
from ginrummy.replay.ink import Ink
from ginrummy.replay.notes import Note
from ginrummy.replay.pager import Place, page
from ginrummy.replay.stepping import Replay
from ginrummy.replay.terminal.proving import Checked, Finding, Proof
from ginrummy.reporting.telling import SIGNS, counted
from ginrummy.rules.view import Perspective

__all__ = ["is_terminal", "proof_of", "step_through"]


def is_terminal() -> bool:
    """Say whether somebody sits at a terminal, and is not only to be written to."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def step_through(
    replay: Replay,
    seq: int,
    perspective: Perspective,
    ink: Ink,
    notes: Sequence[Note],
    secrets: Secrets | None,
    *,
    plain: bool,
) -> None:
    """Step through a replay from event `seq` on, until the reader leaves.

    `secrets` are the operator's own, for the audit, where they have asked for hidden cards.
    """
    if not plain and _can_fill_the_screen():
        if find_spec("textual") is not None:
            _on_all_of_it(replay, seq, perspective, ink, notes, secrets)
            return
        hint = "The tui extra shows a table on all of the terminal: pip install 'ginrummy[tui]'"
    else:
        hint = ""
    with typed_keys() as read_keys:
        page(replay, Place(seq, perspective), ink, read_keys, _write, notes)
    if hint:
        click.echo(hint, err=True)


def _can_fill_the_screen() -> bool:
    # What Textual draws, it writes to standard error.
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _on_all_of_it(
    replay: Replay,
    seq: int,
    perspective: Perspective,
    ink: Ink,
    notes: Sequence[Note],
    secrets: Secrets | None,
) -> None:
    # It takes a third of a second to load, and is an extra.
    from ginrummy.replay.terminal.app import ReplayApp  # noqa: PLC0415
    from ginrummy.replay.terminal.course import Course  # noqa: PLC0415

    course = Course(replay, notes)
    app = ReplayApp(
        course,
        course.place(seq, perspective),
        ink,
        prove=lambda lines: proof_of(lines, secrets),
    )
    app.run()


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


# --- the audit ----------------------------------------------------------------------------------


def proof_of(lines: Iterable[bytes], secrets: Secrets | None) -> Proof:
    """Audit a match's lines, and return what a replay shows of it."""
    try:
        report = audit(lines, secrets=secrets)
    except UnusableLogError as error:
        return Proof(f"cannot be audited: {error}", is_good=False)
    return Proof(
        _verdict(report),
        is_good=report.clean,
        checks=tuple(
            Checked(SIGNS[check.status], check.name, check.count, check.detail)
            for check in report.checks
        ),
        findings=tuple(
            Finding(
                fault.seq,
                f"{fault.check}, rule {fault.rule}" if fault.rule else fault.check,
                fault.message,
            )
            for fault in report.faults
        ),
        remarks=tuple(
            f"events {gap.first} to {gap.last} could not be judged: {gap.why}"
            for gap in report.unchecked
        ),
    )


def _verdict(report: Report) -> str:
    number = len(report.faults) + report.faults_left_out
    if number:
        return f"{counted(number, 'fault')} found"
    waits = any(check.status == "waiting" for check in report.checks)
    return "audited, no fault so far" if waits else "audited, no fault"

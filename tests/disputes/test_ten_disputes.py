"""Ten disputes, decided from their bundles alone by two programs that share no code.

For each there is a match in which the complaint is right and one in which it is wrong. Nothing but
the bundle is in the directory: no database, no server, no log. A verifier does not rule; it says
whether the record bears the claim out, refutes it, or shows neither.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support_complaints import CASES, NEITHER, Case
from support_node import VERIFY


class Found(NamedTuple):
    """What a verifier has found."""

    code: int
    intact: bool
    outcome: str
    faults: set[tuple[str, int]]
    """The faults that bear the claim out: which check, at which event."""


RIGHT: dict[str, str] = {
    "that card was not in the deck": "deck",
    "I never threw it": "signatures",
    "the score is wrong": "scores",
    "I was not out of time": "clocks",
    "the server changed it afterwards": "receipt",
    "he saw my cards": "reveal",
    "it was not his deal": "dealing",
    "he knocked with too much": "moves",
    "the end was cut off": "receipt",
    "the ruling was miscounted": "rulings",
}
"""Which check it is that bears each claim out."""

WRONG = dict.fromkeys(CASES, "refuted") | {
    # That nobody ever saw them no record can show.
    "he saw my cards": "not_shown"
}
"""What is found of each claim where it is wrong."""


def gin(directory: Path) -> Found:
    """What `gin audit` says, as a process of its own in a directory with the bundle alone."""
    command = [sys.executable, "-m", "ginrummy.cli", "audit", "evidence.zip", "--json"]
    return _found(subprocess.run(command, cwd=directory, capture_output=True, check=False))


def node(directory: Path) -> Found:
    """What the independent verifier says, in the same directory."""
    program = shutil.which("node")
    assert program is not None, "node is not on the PATH: install Node.js 20 or later"
    command = [program, str(VERIFY), "--json", "evidence.zip"]
    return _found(subprocess.run(command, cwd=directory, capture_output=True, check=False))


def _found(run: subprocess.CompletedProcess[bytes]) -> Found:
    assert run.stderr == b""
    told: dict[str, Any] = json.loads(run.stdout)
    finding = told["finding"]
    faults = {(fault["check"], fault["seq"]) for fault in finding["faults"]}
    return Found(run.returncode, told["intact"], finding["outcome"], faults)


def decided(case: Case, directory: Path) -> Iterator[Found]:
    (directory / "evidence.zip").write_bytes(case.bundle)
    for verifier in (gin, node):
        yield verifier(directory)
        assert [path.name for path in directory.iterdir()] == ["evidence.zip"]


@pytest.mark.parametrize("complaint", CASES)
def test_a_complaint_that_is_right_is_borne_out_by_both(complaint: str, tmp_path: Path) -> None:
    ours, theirs = decided(CASES[complaint](is_right=True), tmp_path)
    for found in (ours, theirs):
        assert (found.code, found.intact, found.outcome) == (1, True, "borne_out")
        assert RIGHT[complaint] in {check for check, _ in found.faults}
    # Both point to the same fault.
    assert ours.faults & theirs.faults


@pytest.mark.parametrize("complaint", CASES)
def test_a_complaint_that_is_wrong_is_not_borne_out_by_either(
    complaint: str, tmp_path: Path
) -> None:
    for found in decided(CASES[complaint](is_right=False), tmp_path):
        assert found == (0, True, WRONG[complaint], set())


@pytest.mark.parametrize("complaint", NEITHER)
def test_what_no_record_shows_is_said_to_be_shown_by_none(complaint: str, tmp_path: Path) -> None:
    for found in decided(NEITHER[complaint](), tmp_path):
        assert found == (0, True, "not_shown", set())

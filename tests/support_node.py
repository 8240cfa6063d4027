"""The independent verifier, run by node: one process for any number of logs."""

import base64
import json
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from ginrummy.audit.report import Head

VERIFIER = Path(__file__).parents[1] / "replays" / "ginrummy" / "replay" / "verifier.js"
VERIFY = VERIFIER.with_name("verify.mjs")

Verdict = dict[str, Any]
"""What the verifier says of a log."""


def node(*arguments: str | Path, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run node and return what came of it."""
    program = shutil.which("node")
    if program is None:
        pytest.fail("node is not on the PATH: install Node.js 20 or later for this test")
    return subprocess.run(
        [program, *arguments],
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )


def verdicts(
    logs: Iterable[tuple[Sequence[bytes], Head | None]],
    *options: str,
    origins: Sequence[Sequence[bytes] | None] | None = None,
    replays: Sequence[Sequence[Sequence[bytes]]] | None = None,
) -> list[Verdict]:
    """Return what the verifier says of logs, each with or without what there is beside it.

    That is a receipt, its origin, and the logs of hands that were played again.
    """
    given = list(logs)
    requests = [
        json.dumps(
            {
                "log": _packed(log),
                "receipt": receipt and {"seq": receipt.seq, "hash": receipt.hash},
                "origin": origin and _packed(origin),
                "replays": [_packed(each) for each in again],
            }
        )
        for (log, receipt), origin, again in zip(
            given, origins or [None] * len(given), replays or [()] * len(given), strict=True
        )
    ]
    run = node(VERIFY, "--many", *options, given="".join(request + "\n" for request in requests))
    assert run.stderr == ""
    found = [json.loads(line) for line in run.stdout.split("\n")[:-1]]
    assert len(found) == len(requests)
    return found


def _packed(log: Sequence[bytes]) -> str:
    return base64.b64encode(b"".join(line + b"\n" for line in log)).decode()

"""Text that was looked at once and is to stay as it is.

A golden file is compared whole. Where a change was meant, one command renews them all, and the
diff shows what it did:

    GINRUMMY_RENEW=1 pytest tests/replay
"""

import os
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden"
"""Logs of every stored form, and pictures of what is drawn from them."""


def golden_log(name: str) -> list[bytes]:
    """Return the lines of a golden log."""
    return (GOLDEN / f"{name}.log").read_bytes().splitlines()


def expect_golden(name: str, text: str) -> None:
    """Expect a text to be that of the golden file."""
    path = GOLDEN / "replay" / name
    if os.environ.get("GINRUMMY_RENEW") == "1":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")

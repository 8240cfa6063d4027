"""A reader who has seen enough: `gin log MATCH | head -1` ends at once, and says nothing."""

import subprocess
import sys
from pathlib import Path

import pytest
from support_golden import GOLDEN

from ginrummy.cli.pipes import UNREAD

LONG = str(GOLDEN / "standard.log")
GIN = [sys.executable, "-m", "ginrummy.cli"]


def unread(*arguments: str, until: int) -> tuple[int, bytes]:
    """Run a command whose output is read for so many bytes; return its exit code and complaints."""
    with subprocess.Popen(
        [*GIN, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        if until:
            assert process.stdout.read(until)
        process.stdout.close()
        said = process.stderr.read()
        return process.wait(), said


@pytest.mark.parametrize("until", [0, 100])
@pytest.mark.parametrize(
    "arguments",
    [
        ("log", LONG),
        ("replay", LONG, "--json"),
        ("analyse", str(GOLDEN / "classic.log"), "--hand", "2", "--worlds", "4"),
        ("tournament", "log", str(next((GOLDEN / "tournament").glob("t_*.log")))),
        ("tournament", "--help"),
        ("melds", "--help"),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_closed_pipe_ends_a_command_without_a_word(
    arguments: tuple[str, ...], until: int
) -> None:
    code, said = unread(*arguments, until=until)
    assert said == b""
    # What is small enough may all have been written before the pipe was closed.
    assert code in ({UNREAD} if until == 0 else {UNREAD, 0})


def test_a_log_that_is_not_there_is_still_a_matter_of_its_own(tmp_path: Path) -> None:
    done = subprocess.run(
        [*GIN, "log", str(tmp_path / "none.log")], capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"No such file" in done.stderr

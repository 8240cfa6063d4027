"""Workers and whoever watches them: what becomes of one that hangs while all are to stop."""

import os
import signal
import sys
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from ginrummy.api.server import ServerOptions
from ginrummy.cli import workers
from ginrummy.cli.workers import Orders, run_workers

ORDERS = Orders(ServerOptions(listen="127.0.0.1:0"), "json", "info")

# What `python -m ginrummy.cli.worker NUMBER` says, and how it is told things: no more than that.
BEGIN = "read orders\necho ready\n"
SOUND = f"trap 'echo stopping; exit 0' TERM\n{BEGIN}while :; do sleep 0.01; done"
HANGING = f"trap '' TERM\n{BEGIN}kill -STOP $$"
SLOW = f"trap 'echo stopping' TERM\n{BEGIN}while :; do sleep 0.01; done"


def stop(_: str) -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def given(
    monkeypatch: pytest.MonkeyPatch, folder: Path, *, grace: tuple[float, ...], scripts: list[str]
) -> None:
    """Let workers be these shell scripts, each with a patience of its own."""
    program = folder / "worker"
    cases = "".join(f"{number})\n{each}\n;;\n" for number, each in enumerate(scripts, 1))
    program.write_text(f"#!/bin/sh\necho $$ > {folder}/$3.pid\ncase $3 in\n{cases}esac\n")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(workers, "_MORE", 0.0)
    ordered = workers._of

    def of(orders: Orders, address: str, number: int) -> Orders:
        options = ServerOptions(grace=grace[number - 1])
        return ordered(Orders(options, orders.log_format, orders.log_level), address, number)

    monkeypatch.setattr(workers, "_of", of)


def is_there(folder: Path, number: int) -> bool:
    try:
        os.kill(int((folder / f"{number}.pid").read_text()), 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_worker_that_hangs_is_killed_and_the_others_end_as_they_should(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(monkeypatch, tmp_path, grace=(3600, 0.25), scripts=[SOUND, HANGING])
    with capture_logs() as said:
        assert await run_workers(ORDERS, 2, stop) == 1
    killed = [event for event in said if event["event"] == "worker killed"]
    assert [(event["worker"], event["why"]) for event in killed] == [
        (2, "it has not stopped within 0.25 seconds")
    ]
    assert killed[0]["pid"] == int((tmp_path / "2.pid").read_text())
    assert not any(is_there(tmp_path, number) for number in (1, 2))


async def test_all_workers_that_hang_are_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(monkeypatch, tmp_path, grace=(0.25, 0.5), scripts=[HANGING, HANGING])
    with capture_logs() as said:
        assert await run_workers(ORDERS, 2, stop) == 1
    assert [event["worker"] for event in said if event["event"] == "worker killed"] == [1, 2]
    assert not any(is_there(tmp_path, number) for number in (1, 2))


async def test_a_worker_that_says_that_it_stops_has_as_long_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may wait for what one that hangs lets go of when it is killed."""
    given(monkeypatch, tmp_path, grace=(2.0,), scripts=[SLOW])
    with capture_logs() as said:
        assert await run_workers(ORDERS, 1, stop) == 1
    (killed,) = [event for event in said if event["event"] == "worker killed"]
    assert killed["why"] == "it has not stopped within 4 seconds"

"""Processes on a leash: how they end is told, and none outlives whoever started it."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from support_play import soak
from support_server import SOON, in_process, signed_up, until

from ginrummy.bots import BotSpecError
from ginrummy.cli.tournament import leash
from ginrummy.cli.tournament.commands import command_of, is_python
from ginrummy.cli.tournament.process import BotProcess, Exit

PYTHON = (sys.executable, "-S", "-c")
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
READY = "import sys; print('ready', file=sys.stderr, flush=True); "


async def end_of(*command: str) -> Exit:
    return await asyncio.wait_for(BotProcess.start(command, os.environ).ended(), SOON)


async def ready(process: BotProcess) -> None:
    """Wait until the process has said something."""
    for pause in until():
        if process._words:
            return
        await asyncio.sleep(pause)


def is_running(pid: int) -> bool:
    """Say whether there is such a process; one that nobody has asked after is not running."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


# --- how they end ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("", "0"),
        ("raise SystemExit(3)", "3"),
        ("import os; os.kill(os.getpid(), 9)", "SIGKILL"),
        ("import os; os.abort()", "SIGABRT"),
    ],
)
async def test_the_exit_of_a_process_is_told(code: str, how: str) -> None:
    assert (await end_of(*PYTHON, code)).how == how


async def test_the_last_words_are_kept_and_no_more() -> None:
    code = "import sys; sys.stderr.write('x' * 1_000_000 + '\\nthe end\\n'); print('unheard')"
    ended = await end_of(*PYTHON, code)
    assert ended.last_words.endswith("xxx\nthe end")
    assert len(ended.last_words) <= 4096


async def test_the_time_of_processors_is_counted() -> None:
    code = "import time\nwhile time.process_time() < 0.3: pass"
    busy, idle = await end_of(*PYTHON, code), await end_of("true")
    assert busy.cpu_seconds >= 0.3
    assert 0 <= idle.cpu_seconds < busy.cpu_seconds


async def test_a_program_that_is_not_there_is_named() -> None:
    ended = await end_of("./no_such_program")
    assert (ended.how, ended.last_words) == (
        "127",
        "./no_such_program cannot be run: No such file or directory",
    )


async def test_what_a_process_has_started_ends_with_it() -> None:
    ended = await end_of("sh", "-c", "sleep 1000 & echo $! >&2; exit 5")
    assert ended.how == "5"
    for pause in until():
        if not is_running(int(ended.last_words)):
            break
        await asyncio.sleep(pause)


async def test_pipes_work_as_in_any_shell() -> None:
    # Where the signal is ignored, the writer complains that nobody reads on.
    ended = await end_of("sh", "-c", "yes | head -1")
    assert (ended.how, ended.last_words) == ("0", "")


async def test_many_processes_can_be_started_beside_open_calls() -> None:
    """F5: gRPC and forks; none of the starts hangs, and the connection stays."""
    async with in_process() as server, signed_up(server.address, "Ann") as client:
        for _ in range(soak(200, 20)):
            ended, _ = await asyncio.gather(end_of("true"), client.player())
            assert ended.how == "0"


# --- making them end ------------------------------------------------------------------------------


async def test_a_process_that_is_asked_to_end_may_do_so_in_its_own_way() -> None:
    code = (
        f"import signal, time; signal.signal(15, lambda *_: sys.exit(7)); {READY}time.sleep(1000)"
    )
    process = BotProcess.start((*PYTHON, f"import sys; {code}"), os.environ)
    await ready(process)
    assert (await asyncio.wait_for(process.stop(), SOON)).how == "7"


async def test_a_process_that_does_not_listen_is_made_to_end() -> None:
    process = BotProcess.start((*PYTHON, f"{DEAF}{READY}time.sleep(1000)"), os.environ)
    await ready(process)
    assert (await asyncio.wait_for(process.stop(), SOON)).how == "SIGKILL"


async def test_a_process_that_has_ended_can_be_stopped() -> None:
    process = BotProcess.start(("true",), os.environ)
    ended = await process.ended()
    assert await process.stop() == ended


HOST = """
import asyncio, os
from ginrummy.cli.tournament.process import BotProcess

async def main():
    deaf = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(1000)"
    for command in (["sleep", "1000"], ["python3", "-c", deaf]):
        print(BotProcess.start(command, os.environ).pid, flush=True)
    await asyncio.sleep(1000)

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills what a dead host has left")
async def test_no_process_outlives_a_host_that_is_killed() -> None:
    host = await asyncio.create_subprocess_exec(sys.executable, "-c", HOST, stdout=PIPE)
    assert host.stdout is not None
    pids = [int(await asyncio.wait_for(host.stdout.readline(), SOON)) for _ in range(2)]
    assert all(is_running(pid) for pid in pids)
    host.kill()
    await host.wait()
    for pause in until():
        if not any(is_running(pid) for pid in pids):
            break
        await asyncio.sleep(pause)


async def test_a_host_that_went_before_its_process_began_is_noticed() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, leash.__file__, str(os.getpid() + 1), "echo", "unheard", stdout=PIPE
    )
    out, _ = await asyncio.wait_for(process.communicate(), SOON)
    assert (process.returncode, out) == (127, b"")


# --- what is started ------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["simple", "random", "./x.py:Y", "x.py", "pkg.mod:Y"])
def test_a_bot_in_python_attends_by_gin(spec: str) -> None:
    assert is_python(spec)
    assert command_of(spec, "t_1") == (
        *(sys.executable, "-m", "ginrummy.cli", "tournament", "attend", "t_1"),
        *("--bot", spec, "--quiet", "--no-receipts"),
    )


def test_anything_else_is_a_command_line() -> None:
    assert command_of("python3 'my bot.py' --fast", "t_1") == ("python3", "my bot.py", "--fast")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "'' names neither a bot nor a program"),
        ("node 'bot.js", "is no command line: No closing quotation"),
        ("smple", "there is no program 'smple'; a bot is random, simple"),
    ],
)
def test_what_nothing_can_be_started_by_is_said(spec: str, message: str) -> None:
    with pytest.raises(BotSpecError, match=message):
        command_of(spec, "t_1")

"""A bot as a process: started on a leash, listened to when it complains, and its time counted."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

__all__ = ["BotProcess", "Exit"]

_LEASH = str(Path(__file__).with_name("leash.py"))

_GRACE = 2.0
"""Seconds that a process has to end once it is asked to."""

_LAST_BYTES = 4096
"""How much of what a process writes on standard error is kept."""

_LAST_WORDS = 0.5
"""Seconds that may pass until the last of it has been read, where somebody else holds it open."""


class Exit(NamedTuple):
    """How a process ended."""

    how: str
    """Its exit code, or the name of the signal that ended it: `1`, `SIGKILL`."""
    cpu_seconds: float
    """The time of processors that it took, in its own code and in the system's."""
    last_words: str
    """The end of what it wrote on standard error."""


class BotProcess:
    """A process of its own, with its own group, that goes when this one goes.

    It has to be started on a thread that lives as long as the process, as the main one does: the
    kernel takes the thread that started it for its parent.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        """Look after a process that was started; `start` starts one."""
        self._process = process
        self._loop = asyncio.get_running_loop()
        self._reaped: asyncio.Future[tuple[str, float]] = self._loop.create_future()
        self._words = b""
        self._listening = asyncio.create_task(self._listen())
        # Only whoever waits for a process itself is told what time it took.
        threading.Thread(target=self._reap, name="ginrummy.bot", daemon=True).start()

    @classmethod
    def start(cls, command: Sequence[str], environment: Mapping[str, str]) -> Self:
        """Start `command` with an environment of its own, and nothing to read."""
        leash = (sys.executable, "-I", "-S", _LEASH, str(os.getpid()))
        process = subprocess.Popen(  # noqa: S603 -- the command of the tournament's director
            (*leash, *command),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    async def ended(self) -> Exit:
        """Wait until the process has ended, and return how."""
        how, cpu_seconds = await asyncio.shield(self._reaped)
        # What it has started itself goes with it.
        self._send(signal.SIGKILL)
        await asyncio.wait((self._listening,), timeout=_LAST_WORDS)
        self._listening.cancel()
        return Exit(how, cpu_seconds, self._words.decode(errors="replace").strip())

    async def stop(self) -> Exit:
        """Ask the process to end, make it end if it does not, and return how it did."""
        if not self._reaped.done():
            self._send(signal.SIGTERM)
            await asyncio.wait((self._reaped,), timeout=_GRACE)
        if not self._reaped.done():
            self._send(signal.SIGKILL)
        return await self.ended()

    def _send(self, which: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, which)

    def _reap(self) -> None:
        _, status, usage = os.wait4(self.pid, 0)
        code = self._process.returncode = os.waitstatus_to_exitcode(status)
        how = str(code) if code >= 0 else signal.Signals(-code).name
        with suppress(RuntimeError):  # nobody waits for it any more
            self._loop.call_soon_threadsafe(self._note, how, usage.ru_utime + usage.ru_stime)

    def _note(self, how: str, cpu_seconds: float) -> None:
        if not self._reaped.done():
            self._reaped.set_result((how, cpu_seconds))

    async def _listen(self) -> None:
        """Keep the end of what the process writes on standard error."""
        reader = asyncio.StreamReader()
        transport, _ = await self._loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), self._process.stderr
        )
        try:
            while said := await reader.read(_LAST_BYTES):
                self._words = (self._words + said)[-_LAST_BYTES:]
        finally:
            transport.close()

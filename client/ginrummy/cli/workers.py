"""Several server processes behind one port: started, watched, started again, and stopped.

    gin serve --workers 2              holds the port, and takes no calls itself
    ├── python -m ginrummy.cli.worker 1    a server that listens at that port
    └── python -m ginrummy.cli.worker 2    another one

A worker gets its orders as one line on its standard input, says by one line on its standard output
that it takes calls, by another one that it stops, and stops as soon as that input ends: so none
outlives whoever watches it. One that hangs, and does not stop, is killed some seconds after its
grace is over. One that has said that it stops has as long again: it may have to wait for what the
other one holds until it is killed, such as its turn to write.
"""

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from time import monotonic

import msgspec
import structlog
from msgspec.structs import replace

from ginrummy.api.journal import LogFormat
from ginrummy.api.ports import held_port
from ginrummy.api.server import ServerOptions

__all__ = ["Orders", "run_workers"]

_log = structlog.get_logger()

_PAUSES = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Seconds from a worker's death to the next start, the longer the more often it has died."""

_LASTING = 10.0
"""Seconds after whose life a death counts as the first one again."""

_MORE = 10.0
"""Seconds beyond the grace that a worker has for its end: what it stores last may have to wait for
the database, which is given as long for an answer."""

_AS_TOLD = (0, -signal.SIGTERM)
"""How workers end that are stopped; in the middle of a start the signal itself ends them."""


class Orders(msgspec.Struct, frozen=True):
    """What a worker is told."""

    options: ServerOptions
    log_format: LogFormat
    log_level: str
    worker: int = 0
    """Its number, from 1."""


async def run_workers(orders: Orders, workers: int, ready: Callable[[str], None]) -> int:
    """Serve with so many processes until SIGTERM or SIGINT; return the code to exit with.

    `ready` is told the address once all of them take calls. Where one cannot begin, the others are
    stopped, and the code is its own; later on whichever ends is started again. Who does not stop in
    time is killed, and the code is 1 then. Raises PortTakenError.
    """
    stop = asyncio.Event()
    with held_port(orders.options.listen) as address:
        hired = [_Worker(_of(orders, address, number)) for number in range(1, workers + 1)]

        def let_go() -> None:
            stop.set()
            for each in hired:
                each.let_go()

        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, let_go)
        # The first one makes the tables, and goes on with the matches that there are.
        for some in (hired[:1], hired[1:]):
            began = await asyncio.gather(*(each.begin() for each in some))
            if stop.is_set() or not all(began):
                break
        else:
            ready(address)
            await stop.wait()
        was_told = stop.is_set()
        let_go()
        codes = await asyncio.gather(*(each.gone() for each in hired))
    wrong = [code for code in codes if code not in _AS_TOLD]
    if was_told:
        return int(bool(wrong))
    # Whoever could not begin has said why, and with what code that ends.
    return max([1, *wrong])


def _of(orders: Orders, address: str, number: int) -> Orders:
    """Return the orders of one worker."""
    options = replace(orders.options, listen=address, shares=True)
    if options.metrics:
        options = replace(options, metrics=options.metrics + number - 1)
    return replace(orders, options=options, worker=number)


class _Worker:
    """One place among the workers, and the process that has it now."""

    def __init__(self, orders: Orders) -> None:
        self._orders = orders
        self._process: Process | None = None
        self._stop = asyncio.Event()
        self._began = asyncio.Event()
        self._heard = False
        """Whether the process has said that it stops."""
        self._keeping: asyncio.Task[int] | None = None

    async def begin(self) -> bool:
        """Start, and go on by itself; return whether calls are taken."""
        self._keeping = asyncio.create_task(self._keep())
        began = asyncio.create_task(self._began.wait())
        await asyncio.wait([began, self._keeping], return_when=asyncio.FIRST_COMPLETED)
        began.cancel()
        return self._began.is_set()

    def let_go(self) -> None:
        """Stop the process, and start none any more."""
        self._stop.set()
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.terminate()

    async def gone(self) -> int:
        """Wait until the process that was let go has ended; return how. Kill it where it hangs."""
        if self._keeping is None:
            return 0
        patience = self._orders.options.grace + _MORE
        for turn in count(1):
            ended, _ = await asyncio.wait([self._keeping], timeout=patience)
            if ended:
                break
            if turn > 1 or not self._heard:
                self._kill(patience * turn)
        return await self._keeping

    def _kill(self, patience: float) -> None:
        """End the process, which has not ended by itself in so many seconds."""
        if self._process is not None and self._process.returncode is None:
            _log.error(
                "worker killed",
                worker=self._orders.worker,
                pid=self._process.pid,
                why=f"it has not stopped within {patience:g} seconds",
            )
            with suppress(ProcessLookupError):
                self._process.kill()

    async def _keep(self) -> int:
        """Let there be a process, until told to stop or the first one cannot begin."""
        deaths = 0
        while True:
            born = monotonic()
            code = await self._lived()
            if self._stop.is_set() or not self._began.is_set():
                return code
            deaths = 0 if monotonic() - born >= _LASTING else deaths
            pause = _PAUSES[min(deaths, len(_PAUSES) - 1)]
            deaths += 1
            _log.error("worker ended", worker=self._orders.worker, by=_cause(code), again_in=pause)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), pause)
                return code

    async def _lived(self) -> int:
        """Start a process, wait until it has ended, and return how."""
        if self._stop.is_set():
            return 0
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ginrummy.cli.worker", str(self._orders.worker)),
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,  # Ctrl-C is for this process alone
        )
        self._process = process
        self._heard = False
        if self._stop.is_set():
            self.let_go()
        assert process.stdin is not None
        assert process.stdout is not None
        # A worker that is dead already needs none.
        with suppress(BrokenPipeError, ConnectionResetError):
            process.stdin.write(msgspec.json.encode(self._orders) + b"\n")
            await process.stdin.drain()
        if await process.stdout.readline():
            self._began.set()
            _log.info("worker serves", worker=self._orders.worker, pid=process.pid)
            self._heard = bool(await process.stdout.readline())
        return await process.wait()


def _cause(code: int) -> str:
    """Say how a process has ended."""
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name

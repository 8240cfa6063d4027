"""A bot as a process of its own."""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path
from typing import NamedTuple

from support_server import SOON

__all__ = ["BotProcess", "Report"]

_PROGRAM = """
import asyncio, sys
from pathlib import Path
from ginrummy.bots import load_bot
from ginrummy.client import NonceFiles, connect

async def main(address, token, match_id, spec, nonces):
    async with connect(address, token=token, nonces=NonceFiles(Path(nonces))) as client:
        result = await client.play(match_id, load_bot(spec))
    print(result.seat, result.checked, result.unchecked, *result.outcome.totals)

asyncio.run(main(*sys.argv[1:]))
"""
"""All that a bot's author has to write, from taking a seat to the match's end."""


class Report(NamedTuple):
    """What a bot says of its match when it has ended."""

    seat: int
    checked: int
    """Hands whose cards were all those of the committed deck."""
    unchecked: int
    totals: tuple[int, ...]


class BotProcess:
    """A bot that plays one match, in a Python of its own."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    async def start(
        cls, address: str, token: str, match_id: str, nonces: Path, spec: str = "simple"
    ) -> "BotProcess":
        """Start the process; nothing of this one goes into it but its arguments."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _PROGRAM, address, token, match_id, spec, str(nonces)),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
        )
        return cls(process)

    async def report(self) -> Report:
        """Wait for the match's end."""
        out, err = await asyncio.wait_for(self._process.communicate(), SOON)
        assert self._process.returncode == 0, err.decode()
        seat, checked, unchecked, *totals = map(int, out.split())
        return Report(seat, checked, unchecked, tuple(totals))

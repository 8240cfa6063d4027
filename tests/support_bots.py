"""A bot as a process of its own, as its author starts it."""

import asyncio
import os
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path
from typing import NamedTuple

from support_server import GIN, SOON

__all__ = ["BotProcess", "Report"]


class Report(NamedTuple):
    """What a bot says of its match when it has ended."""

    match: str
    how: str
    """`won`, `lost` or `drawn`."""
    own: int
    others: int
    checked: int
    """Hands whose cards were all those of the committed deck."""
    unchecked: int


class BotProcess:
    """A bot that plays one match, by `gin bot`."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    async def start(
        cls, address: str, token: str, match_id: str, state: Path, spec: str = "simple"
    ) -> "BotProcess":
        """Start the process, which keeps what it has to keep in the directory `state`."""
        process = await asyncio.create_subprocess_exec(
            *GIN,
            *("bot", spec, "--quiet", "--server", address, "--match", match_id),
            env=os.environ | {"GINRUMMY_TOKEN": token, "XDG_STATE_HOME": str(state)},
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
        )
        return cls(process)

    async def report(self) -> Report:
        """Wait for the match's end."""
        out, err = await asyncio.wait_for(self._process.communicate(), SOON)
        assert self._process.returncode == 0, err.decode()
        match_id, how, *numbers = out.decode().split()
        return Report(match_id, how, *map(int, numbers))

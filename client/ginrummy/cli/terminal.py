"""The terminal of a person who plays: lines out, and lines in without holding up the event loop."""

import asyncio
import os
import sys
import threading

import click

from ginrummy.bots.paint import Paint

__all__ = ["Keyboard", "paint_for"]

_STDIN = 0


class Keyboard:
    """Standard input and output. A question can be given up, as when the match ends meanwhile."""

    def __init__(self) -> None:
        """Read nothing yet."""
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._rest = b""
        self._reading = False

    def say(self, text: str) -> None:
        """Print some lines."""
        click.echo(text)

    async def ask(self, question: str) -> str | None:
        """Print a question and return the line typed in answer; None where there is no more."""
        if not self._reading:
            self._reading = True
            self._read()
        click.echo(f"{question} ", nl=False)
        try:
            return await self._lines.get()
        except asyncio.CancelledError:
            # Whatever comes next begins on a line of its own.
            click.echo()
            raise

    def _read(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            loop.add_reader(_STDIN, self._take)
        except (OSError, NotImplementedError):
            # A file is always ready, and not every system lets an event loop look at a terminal.
            threading.Thread(target=self._take_all, args=(loop,), daemon=True).start()

    def _take(self) -> None:
        """Take in what is there to be read."""
        some = os.read(_STDIN, 4096)
        if not some:
            asyncio.get_running_loop().remove_reader(_STDIN)
        self._put(some)

    def _take_all(self, loop: asyncio.AbstractEventLoop) -> None:
        some = b"-"
        while some:
            some = os.read(_STDIN, 4096)
            loop.call_soon_threadsafe(self._put, some)

    def _put(self, some: bytes) -> None:
        *lines, self._rest = (self._rest + some).split(b"\n")
        for line in lines:
            self._lines.put_nowait(line.decode(errors="replace"))
        if not some:
            self._lines.put_nowait(None)


def paint_for(*, ascii_only: bool = False) -> Paint:
    """Return what standard output can show."""
    shown = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    symbols = "utf" in (sys.stdout.encoding or "").lower() and not ascii_only
    return Paint(colour=shown, symbols=symbols)

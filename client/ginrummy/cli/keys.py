"""Keys as they are typed, without waiting for the end of a line."""

import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import click

__all__ = ["ReadKeys", "typed_keys"]

ReadKeys: TypeAlias = Callable[[float | None], str]
"""Waits so many seconds, or for ever, and returns what was typed meanwhile; empty for nothing."""

_ESCAPE_SECONDS = 0.05
"""How long the rest of an arrow key's sequence may take."""


@contextmanager
def typed_keys() -> Iterator[ReadKeys]:
    """Read keys from the terminal that is standard input, and leave it as it was.

    Ctrl-C, and a terminal that is gone, read as `q`.
    """
    try:
        import termios  # noqa: PLC0415 -- not on every platform
        import tty  # noqa: PLC0415 -- likewise
    except ModuleNotFoundError:
        # There the time is not kept, so nothing plays on by itself.
        yield lambda _: _quitting(click.getchar)
        return
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    tty.setcbreak(fd)
    try:
        yield lambda seconds: _quitting(lambda: _typed(fd, seconds))
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def _quitting(read: Callable[[], str]) -> str:
    try:
        return read()
    except (KeyboardInterrupt, EOFError):
        return "q"


def _typed(fd: int, seconds: float | None) -> str:
    if not _is_ready(fd, seconds):
        return ""
    typed = os.read(fd, 256)
    if not typed:
        return "q"
    if typed.endswith(b"\x1b") and _is_ready(fd, _ESCAPE_SECONDS):
        typed += os.read(fd, 256)
    return typed.decode(errors="replace")


def _is_ready(fd: int, seconds: float | None) -> bool:
    ready, _, _ = select.select([fd], [], [], seconds)
    return bool(ready)

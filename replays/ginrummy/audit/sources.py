"""Where lines come from: a file, or anything that can be gone through only once.

An audit and a replay go through a log more than once. What is here can be: it hands out the lines
anew each time, and holds no more than a piece of them at a time.
"""

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from ginrummy.audit.errors import UnusableLogError

__all__ = ["LogFile", "split_lines", "spooled"]

_PIECE = 1 << 18
_LONGEST_LINE = 1 << 20
"""In bytes. No event comes near it; without it a file that is no log would be one line."""

_IN_MEMORY = 1 << 23
"""Bytes that are kept in memory before a temporary file is used."""


class _Reader(Protocol):
    def read(self, size: int, /) -> bytes: ...


class LogFile:
    """An exported log: the stored lines one under the other.

    The last line needs no newline. A line is handed out as it stands, without its newline; where
    the file breaks off in the middle of one, so does what is handed out.
    """

    def __init__(self, path: str | Path) -> None:
        """Take a path; nothing is opened before the lines are gone through."""
        self.path = Path(path)

    def __iter__(self) -> Iterator[bytes]:
        """Open the file and go through its lines. Raises OSError or UnusableLogError."""
        with self.path.open("rb", buffering=0) as file:
            yield from split_lines(file)


def split_lines(file: _Reader) -> Iterator[bytes]:
    """Yield a binary file's lines without their newlines.

    Raises UnusableLogError where one is longer than an event can be.
    """
    rest = b""
    while piece := file.read(_PIECE):
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
        if len(rest) > _LONGEST_LINE:
            raise UnusableLogError("it has a line of more than a megabyte: this is no log")
    if rest:
        yield rest


class _Spool:
    """Lines in a temporary file, handed out anew each time."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def __iter__(self) -> Iterator[bytes]:
        self._file.seek(0)
        return split_lines(self._file)


@contextmanager
def spooled(lines: Iterable[bytes]) -> Iterator[Iterable[bytes]]:
    """Keep lines that can be gone through only once, and hand them out as often as wanted."""
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
        for line in lines:
            file.write(line)
            file.write(b"\n")
        yield _Spool(file)

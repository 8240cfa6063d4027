"""The logs beside the pages: the stored lines byte for byte, so that a reader can audit them."""

from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

import msgspec

from ginrummy.log.lines import line_hash
from ginrummy.tournaments.event.events import SittingEnded
from ginrummy.tournaments.report.errors import ReportError

__all__ = ["LOGS", "SUMS", "LogFile", "ReadLines", "copy_log", "copy_sitting", "write_sums"]

LOGS = "logs"
"""The directory of the logs, within the report's."""

SUMS = "SHA256SUMS"
"""The list of all logs with their hashes, as `sha256sum --check` reads it."""

ReadLines: TypeAlias = Callable[[str], Iterable[bytes]]
"""Gives a stream's lines by its name, without line ends; none for one that is not there."""


class LogFile(msgspec.Struct, frozen=True):
    """A log that was written."""

    stream: str
    sha256: str
    """Of the whole file, in hex."""

    @property
    def name(self) -> str:
        """The file's name."""
        return f"{self.stream}.jsonl"

    @property
    def href(self) -> str:
        """The file from a page's place."""
        return f"{LOGS}/{self.name}"


def copy_log(
    directory: Path, stream: str, lines: Iterable[bytes], see: Callable[[int, bytes], None]
) -> LogFile:
    """Write a stream's lines to its file, as `gin export` does; `see` gets each with its number.

    Raises ReportError where there are none.
    """
    file = directory / LOGS / f"{stream}.jsonl"
    digest, number = sha256(), 0
    with file.open("wb") as out:
        for number, raw in enumerate(lines, start=1):
            see(number, raw)
            whole = raw + b"\n"
            digest.update(whole)
            out.write(whole)
    if not number:
        raise ReportError(f"there is no log of {stream}: a report needs every log it speaks of")
    return LogFile(stream, digest.hexdigest())


def copy_sitting(
    directory: Path, ended: SittingEnded, read: ReadLines, see: Callable[[bytes], None]
) -> LogFile:
    """Write the log of a sitting's match.

    Raises ReportError where it is not the log whose end the tournament's own log holds.
    """
    vouched = False

    def check(number: int, raw: bytes) -> None:
        nonlocal vouched
        if number == ended.seq:
            vouched = line_hash(raw) == ended.hash
        see(raw)

    log = copy_log(directory, ended.match, read(ended.match), check)
    if not vouched:
        raise ReportError(
            f"{ended.match} is not the match that the tournament's log vouches for: its event"
            f" {ended.seq} should have the hash {ended.hash}; gin tournament audit says more"
        )
    return log


def write_sums(directory: Path, logs: Iterable[LogFile]) -> None:
    """Write the list of all logs with their hashes."""
    with (directory / LOGS / SUMS).open("w", encoding="ascii", newline="\n") as out:
        out.writelines(f"{log.sha256}  {log.name}\n" for log in logs)

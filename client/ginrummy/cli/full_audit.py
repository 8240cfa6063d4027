"""`gin audit --format`: the full report of one match, as text, JSON or a page."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

import click

from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.receipts import Kept
from ginrummy.cli.output import write_new
from ginrummy.cli.source import Log, UnusableSourceError
from ginrummy.evidence.document import write_document
from ginrummy.evidence.full import FullReport
from ginrummy.evidence.text import write_text
from ginrummy.replay.stepping import NoSuchPositionError
from ginrummy.rules.view import Perspective

__all__ = ["Form", "FullAudit", "Seat"]

Form: TypeAlias = Literal["text", "json", "html"]
Seat: TypeAlias = Literal["0", "1", "public", "all"]

_READERS: dict[Seat | None, Perspective] = {
    None: "full",
    "0": 0,
    "1": 1,
    "public": "public",
    "all": "full",
}


class FullAudit:
    """What is asked for of a full report."""

    def __init__(
        self, form: Form, hand: int | None, seat: Seat | None, *, with_decisions: bool
    ) -> None:
        """Take the form, the hand if it is about one, and whose eyes it is for."""
        self._form: Form = form
        self._hand = hand
        self._seat: Seat | None = seat
        self._with_decisions = with_decisions

    def write(self, log: Log, receipt: Kept | None, output: Path | None) -> int:
        """Write the report of a log, and return the exit code: 0 if it is clean, or else 1.

        A report is there to be passed on. So it tells what the log itself gives away; the
        operator's own secrets open what is still hidden for whoever asks for somebody's eyes, and
        the checks with them for whoever asks for everything. Raises UnusableSourceError.
        """
        try:
            full = self._report(log, receipt)
        except UnusableLogError as error:
            raise UnusableSourceError(f"{log.name} is no log that can be used: {error}") from error
        except NoSuchPositionError as error:
            raise UnusableSourceError(f"{log.name}: {error}") from error
        _written(_WRITERS[self._form](full), output)
        return 0 if full.report.clean else 1

    def _report(self, log: Log, receipt: Kept | None) -> FullReport:
        return FullReport(
            log.lines,
            reader=_READERS[self._seat],
            secrets=None if self._seat is None else log.secrets,
            receipt=receipt,
            origin=log.origin,
            replays=log.replays,
            hand=self._hand,
            with_decisions=self._with_decisions,
        )


def _text(full: FullReport) -> Iterator[bytes]:
    return (piece.encode() for piece in write_text(full))


def _json(full: FullReport) -> Iterator[bytes]:
    yield from write_document(full)
    yield b"\n"


def _html(full: FullReport) -> Iterator[bytes]:
    from ginrummy.evidence.page import write_page  # noqa: PLC0415 -- a page alone needs templates

    return write_page(full)


_WRITERS: dict[Form, Callable[[FullReport], Iterator[bytes]]] = {
    "text": _text,
    "json": _json,
    "html": _html,
}


def _written(pieces: Iterator[bytes], output: Path | None) -> None:
    if output is None:
        try:
            for piece in pieces:
                sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # Whoever reads has seen enough; nothing is left to be said to them.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return
    write_new(output, pieces)
    click.echo(f"{output} is written.", err=True)

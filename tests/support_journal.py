"""The program's own log, caught line by line and put back as it was."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import structlog
from support_messages import Plain

from ginrummy.api import journal

Journalled: TypeAlias = Callable[[], list[dict[str, Plain]]]
"""Returns what has been logged so far."""


@contextmanager
def journal_caught(level: str = "debug") -> Iterator[Journalled]:
    """Let this process log in JSON where it can be read."""
    with journal_written("json", level) as text:
        yield lambda: [json.loads(line) for line in text().splitlines()]


@contextmanager
def journal_written(log_format: journal.LogFormat, level: str) -> Iterator[Callable[[], str]]:
    """Let this process log in that form, and give what it has written."""
    root = logging.getLogger()
    before = list(root.handlers), root.level
    stream = io.StringIO()
    journal.configure(log_format, level, stream)
    try:
        yield stream.getvalue
    finally:
        structlog.reset_defaults()
        root.handlers[:], root.level = before

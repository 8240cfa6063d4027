"""The hand history: a match as a text that people read and programs read back.

    lines -> recorded -> History -> write -> text -> parse -> the same History -> stored_lines

One grammar, described with all that it keeps and leaves out in docs/hand-history.md.
"""

from ginrummy.replay.text.history import (
    Entry,
    History,
    HistoryError,
    Shown,
    check,
    recorded,
    stored_lines,
)
from ginrummy.replay.text.reading import parse
from ginrummy.replay.text.writing import write

__all__ = [
    "Entry",
    "History",
    "HistoryError",
    "Shown",
    "check",
    "parse",
    "recorded",
    "stored_lines",
    "write",
]

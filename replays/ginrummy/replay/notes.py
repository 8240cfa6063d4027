"""Notes on events, given with a replay: a JSON object a line, `{"seq": 57, "text": "…"}`."""

from collections.abc import Iterable
from textwrap import wrap
from typing import Annotated

import msgspec

from ginrummy.replay.ink import clean

__all__ = ["BadNoteError", "Note", "note_lines", "read_notes"]


class BadNoteError(ValueError):
    """A line that is no note, or a note on an event that there is not."""


class Note(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody has to say about one event."""

    seq: Annotated[int, msgspec.Meta(ge=1)]
    """The event's number."""
    text: Annotated[str, msgspec.Meta(min_length=1)]


def note_lines(note: Note, columns: int) -> list[str]:
    """Return a note as lines of at most so many columns, to stand under its event."""
    text = clean(" ".join(note.text.split()))
    return wrap(text, columns, initial_indent="        * ", subsequent_indent="          ")


_decode = msgspec.json.Decoder(Note).decode


def read_notes(lines: Iterable[bytes], last: int) -> tuple[Note, ...]:
    """Return the notes of some lines, blank ones left out, in the order of their events.

    `last` is the number of the last event. Raises BadNoteError with the line's number.
    """
    notes = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            notes.append(_read(line, number, last))
    return tuple(sorted(notes, key=lambda note: note.seq))


def _read(line: bytes, number: int, last: int) -> Note:
    try:
        note = _decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadNoteError(
            f'line {number}: {error}; a note is {{"seq": 57, "text": "what is to be said"}}'
        ) from error
    if note.seq > last:
        raise BadNoteError(f"line {number}: there is no event {note.seq}, the last one is {last}")
    return note

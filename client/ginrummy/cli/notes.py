"""Notes on a match's events, from a file that somebody names."""

from pathlib import Path

from ginrummy.cli.source import UnusableSourceError
from ginrummy.replay.notes import BadNoteError, Note, read_notes

__all__ = ["notes_from"]


def notes_from(file: Path | None, last: int) -> tuple[Note, ...]:
    """Return the notes of a file, or none where none is named; `last` is the last event's number.

    Raises UnusableSourceError where there is no such file, or a line in it is no note.
    """
    if file is None:
        return ()
    try:
        return read_notes(file.read_bytes().splitlines(), last)
    except OSError as error:
        raise UnusableSourceError(f"{file}: {error.strerror}") from error
    except BadNoteError as error:
        raise UnusableSourceError(f"{file}, {error}") from error

"""`gin export --format html`: a match as one page, with what its reader may know."""

from pathlib import Path

from ginrummy.cli.source import Log, UnusableSourceError
from ginrummy.replay.html import write_page
from ginrummy.replay.notes import BadNoteError, Note, read_notes
from ginrummy.replay.stepping import Replay, ReplayError
from ginrummy.rules.view import Perspective

__all__ = ["html_page"]

_ONLY: dict[str | None, Perspective | None] = {
    None: None,
    "all": None,
    "0": 0,
    "1": 1,
    "public": "public",
}


def html_page(log: Log, seat: str | None, notes: Path | None) -> bytes:
    """Return the page of a match, as `--seat` and `--notes` want it.

    Raises UnusableSourceError where the log, or the notes, cannot be used.
    """
    lines = list(log.lines)
    try:
        # An operator who has not asked for them gets no cards that are still hidden.
        replay = Replay(lines, log.secrets if seat is not None else None)
    except ReplayError as error:
        raise UnusableSourceError(f"{log.name}: {error}; gin audit says more") from error
    return write_page(lines, replay, _ONLY[seat], _notes(notes, replay.last))


def _notes(file: Path | None, last: int) -> tuple[Note, ...]:
    if file is None:
        return ()
    try:
        return read_notes(file.read_bytes().splitlines(), last)
    except OSError as error:
        raise UnusableSourceError(f"{file}: {error.strerror}") from error
    except BadNoteError as error:
        raise UnusableSourceError(f"{file}, {error}") from error

"""`gin export --format html`: a match as one page, with what its reader may know."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from ginrummy.analysis.judging import DEFAULT_WORLDS
from ginrummy.cli.judged import analysis_of, read_analysis
from ginrummy.cli.notes import notes_from
from ginrummy.cli.source import Log, UnusableSourceError
from ginrummy.log.fold import Secrets
from ginrummy.replay.html import Analysis, write_page
from ginrummy.replay.stepping import Replay, ReplayError
from ginrummy.rules.cards import Seat
from ginrummy.rules.view import Perspective

__all__ = ["DEFAULT_WORLDS", "AnalysisWanted", "html_page"]

_ONLY: dict[str | None, Perspective | None] = {
    None: None,
    "all": None,
    "0": 0,
    "1": 1,
    "public": "public",
}


_JUDGED: dict[str | None, tuple[Seat, ...]] = {"0": (0,), "1": (1,)}
"""Whose decisions are judged for whose eyes; for all others, both seats'."""


class AnalysisWanted(msgspec.Struct, frozen=True):
    """The analysis that a page is to have."""

    file: Path | None
    """Where `gin analyse --json` has written it; None to judge the match now."""
    worlds: int


def html_page(
    log: Log, seat: str | None, notes: Path | None, wanted: AnalysisWanted | None
) -> bytes:
    """Return the page of a match, as `--seat`, `--notes` and `--analysis` want it.

    Raises UnusableSourceError where the log, the notes, or an analysis cannot be used.
    """
    lines = list(log.lines)
    # An operator who has not asked for them gets no cards that are still hidden.
    secrets = log.secrets if seat is not None else None
    try:
        replay = Replay(lines, secrets)
    except ReplayError as error:
        raise UnusableSourceError(f"{log.name}: {error}; gin audit says more") from error
    said = notes_from(notes, replay.last)
    analysis = None if wanted is None else _analysis(log.name, lines, secrets, seat, wanted)
    return write_page(lines, replay, _ONLY[seat], said, analysis)


def _analysis(
    name: str,
    lines: Sequence[bytes],
    secrets: Secrets | None,
    seat: str | None,
    wanted: AnalysisWanted,
) -> Analysis:
    if wanted.file is not None:
        return read_analysis(wanted.file, name, lines, secrets)
    return analysis_of(name, lines, secrets, _JUDGED.get(seat, (0, 1)), wanted.worlds)

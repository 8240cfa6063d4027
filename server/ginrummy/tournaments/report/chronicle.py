"""A tournament's story: its state at the end, and what a state forgets on the way there.

A state holds what counts. Whoever reads a report also wants to know what counted before a ruling,
who came and went and why, and when.
"""

from collections.abc import Iterable
from typing import Literal

import msgspec

from ginrummy.log.errors import LineError
from ginrummy.rules.match import Instant
from ginrummy.tournaments.event import (
    Tournament,
    TournamentFold,
    read_tournament_line,
)
from ginrummy.tournaments.event.events import (
    BoardsRevealed,
    EntrantEntered,
    EntrantLeft,
    EntrantReturned,
    LeaveReason,
    ResultRecorded,
    ResultRuled,
    TournamentAborted,
    TournamentEnded,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
)
from ginrummy.tournaments.event.fold import TournamentLine
from ginrummy.tournaments.report.errors import ReportError
from ginrummy.tournaments.results import MatchKey, Result

__all__ = ["Chronicle", "Move", "Verdict", "read_chronicle"]


class Verdict(msgspec.Struct, frozen=True):
    """A result as it was recorded or ruled; a later one about the same pairing replaces it."""

    result: Result
    at: Instant
    by: str
    """Who ruled: a player's id; `server` for what was recorded."""
    why: str = ""
    """Empty for what was recorded."""
    rule: str = ""


class Move(msgspec.Struct, frozen=True):
    """Somebody has come late, left, or come back; or play was halted, or went on."""

    what: Literal["entered", "left", "returned", "paused", "resumed"]
    at: Instant
    round: int
    """The last round that was paired by then; 0 before the first."""
    entrant: str = ""
    reason: LeaveReason | None = None
    why: str = ""


class Chronicle(msgspec.Struct):
    """Everything that a tournament's own log tells."""

    tournament: Tournament
    seq: int
    """The number of the last line."""
    hash: str
    """The last line's hash."""
    at: Instant
    """The last line's time."""
    verdicts: dict[MatchKey, list[Verdict]]
    """Of each pairing that is decided, the one that stands last."""
    moves: list[Move]
    started_at: Instant | None = None
    ended_at: Instant | None = None
    boards_secret: str = ""
    """The secret of the last board that is out; empty before."""
    aborted_why: str = ""


def read_chronicle(lines: Iterable[bytes]) -> Chronicle:
    """Return the story that a tournament's lines tell. Raises ReportError for no such lines."""
    fold = TournamentFold()
    told: Chronicle | None = None
    try:
        for raw in lines:
            line = read_tournament_line(raw)
            state = fold.add(line)
            if told is None:
                told = Chronicle(state, line.seq, line.hash, line.at, {}, [])
            told.tournament, told.seq, told.hash, told.at = state, line.seq, line.hash, line.at
            _note(told, line)
    except (LineError, ValueError) as error:
        raise ReportError(f"the tournament's log cannot be read: {error}") from error
    if told is None:
        raise ReportError("the tournament's log is empty")
    return told


def _note(told: Chronicle, line: TournamentLine) -> None:
    """Note what the state after `line` does not keep."""
    event = line.event
    match event:
        case TournamentStarted():
            told.started_at = line.at
        case TournamentEnded():
            told.ended_at = line.at
        case TournamentAborted(why=why):
            told.aborted_why = why
        case BoardsRevealed(secret=secret):
            told.boards_secret = secret
        case ResultRecorded() | ResultRuled():
            _note_verdict(told, line, event)
        case EntrantEntered(entrant=entrant, round=first) if first > 1:
            told.moves.append(_move(told, "entered", line, entrant))
        case EntrantLeft(entrant=entrant, reason=reason, why=why):
            told.moves.append(_move(told, "left", line, entrant, reason, why))
        case EntrantReturned(entrant=entrant):
            told.moves.append(_move(told, "returned", line, entrant))
        case TournamentPaused():
            told.moves.append(_move(told, "paused", line))
        case TournamentResumed():
            told.moves.append(_move(told, "resumed", line))
        case _:
            pass


def _note_verdict(
    told: Chronicle, line: TournamentLine, event: ResultRecorded | ResultRuled
) -> None:
    # The state has just taken it in, as its last record.
    result = told.tournament.records[-1]
    assert isinstance(result, Result)
    why, rule = (event.why, event.rule) if isinstance(event, ResultRuled) else ("", "")
    verdict = Verdict(result, line.at, line.by, why, rule)
    told.verdicts.setdefault((event.round, event.table), []).append(verdict)


def _move(
    told: Chronicle,
    what: Literal["entered", "left", "returned", "paused", "resumed"],
    line: TournamentLine,
    entrant: str = "",
    reason: LeaveReason | None = None,
    why: str = "",
) -> Move:
    rounds = told.tournament.rounds
    return Move(what, line.at, rounds[-1].number if rounds else 0, entrant, reason, why)

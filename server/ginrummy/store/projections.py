"""Rows for lists, folded from the log: matches, results, and what each player has won.

    line -> fold_match -> a match's row -> result_of -> its result -> fold_record -> two records

All folds are pure and total; they hold no rule and check nothing. A store keeps the rows in the
transaction that appends the line, with the line's position, so nothing is ever counted twice. Most
lines change no row: only those of a match do, and of them those of a type in PROJECTED.
"""

from typing import Literal, Protocol, TypeAlias

import msgspec
from msgspec.structs import replace

from ginrummy.log.ids import is_match
from ginrummy.log.instants import Instant
from ginrummy.log.lines import AnyLine
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.events import (
    EndReason,
    HandDealt,
    HandScored,
    HandVoided,
    MatchCreated,
    MatchEnded,
    PlayerJoined,
)

__all__ = [
    "PROJECTED",
    "MatchRow",
    "PlayerRow",
    "ResultRow",
    "Rows",
    "Stage",
    "changes_row",
    "fold_match",
    "fold_record",
    "project",
    "result_of",
]

Stage: TypeAlias = Literal["gathering", "playing", "ended"]
"""Where a match stands: seats are being taken, hands are being played, it is over."""

PROJECTED = frozenset(
    {"match_created", "player_joined", "hand_dealt", "hand_scored", "hand_voided", "match_ended"}
)
"""The types of a match's events that change a row."""


class MatchRow(msgspec.Struct, frozen=True):
    """A match as lists show it."""

    id: str
    position: int
    """Where among all lines the match was created: lists are in this order."""
    name: str
    created: Instant
    stage: Stage = "gathering"
    players: BySeat[str | None] = BySeat(None, None)
    """The ids of those who have joined."""
    names: BySeat[str | None] = BySeat(None, None)
    hands: int = 0
    """How many hands are over, void ones included."""
    points: BySeat[int] = BySeat(0, 0)
    """Hand points so far."""
    hands_won: BySeat[int] = BySeat(0, 0)
    totals: BySeat[int] = BySeat(0, 0)
    """With all bonuses; 0 until the match has ended."""
    ended: Instant | None = None
    reason: EndReason | None = None
    winner: Seat | None = None
    """None for a draw, for a match that never started, and until the end."""
    practice: bool = False
    """It branches off from another match, and counts for nobody."""


class ResultRow(msgspec.Struct, frozen=True):
    """How a match that was played came out."""

    match: str
    position: int
    """Where among all lines the match ended: results are in this order."""
    ended: Instant
    players: BySeat[str]
    names: BySeat[str]
    hands: int
    points: BySeat[int]
    hands_won: BySeat[int]
    totals: BySeat[int]
    reason: EndReason
    winner: Seat | None


class PlayerRow(msgspec.Struct, frozen=True):
    """What a player has done in all matches that they played to an end."""

    id: str
    name: str
    """What they were called in the last one."""
    matches: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    hands_won: int = 0
    points: int = 0
    """Hand points."""


class Rows(Protocol):
    """The rows as a store keeps them, within one transaction."""

    position: int
    """The position of the last line that changed them."""

    def match(self, match: str) -> MatchRow | None:
        """Return a match's row."""

    def record(self, player: str) -> PlayerRow | None:
        """Return a player's record."""

    def keep(self, row: MatchRow | ResultRow | PlayerRow) -> None:
        """Put a row in the place of the one before."""


def changes_row(line: AnyLine) -> bool:
    """Say whether a row may follow from a line; all other streams' lines are passed over."""
    return line.type in PROJECTED and is_match(line.stream)


def project(rows: Rows, position: int, line: AnyLine) -> None:
    """Bring the rows up to a line. One that they have seen changes nothing."""
    if position <= rows.position:
        return
    rows.position = position
    before = rows.match(line.stream)
    match = fold_match(before, position, line)
    if match is None or match == before:
        return
    rows.keep(match)
    result = result_of(match, position)
    if result is not None:
        rows.keep(result)
        for seat in (0, 1):
            rows.keep(fold_record(rows.record(result.players[seat]), result, seat))


def fold_match(match: MatchRow | None, position: int, line: AnyLine) -> MatchRow | None:
    """Return a match's row after a line; None for a stream that is no match."""
    event = line.event
    if isinstance(event, MatchCreated):
        row = MatchRow(line.stream, position, event.name, line.at)
        origin = event.origin
        if origin is None:
            return row
        return replace(
            row,
            points=origin.scores,
            hands_won=origin.hands_won,
            practice=event.is_practice,
        )
    if match is None or match.stage == "ended":
        return match
    match event:
        case PlayerJoined(seat=seat, player=player, name=name):
            return replace(
                match, players=match.players.put(seat, player), names=match.names.put(seat, name)
            )
        case HandDealt():
            return replace(match, stage="playing")
        case HandScored(hand=hand, winner=winner, points=points):
            return replace(
                match,
                hands=hand,
                points=match.points.put(winner, match.points[winner] + points),
                hands_won=match.hands_won.put(winner, match.hands_won[winner] + 1),
            )
        case HandVoided(hand=hand):
            return replace(match, hands=hand)
        case MatchEnded():
            return replace(
                match,
                stage="ended",
                points=event.points,
                hands_won=event.hands_won,
                totals=event.totals,
                ended=line.at,
                reason=event.reason,
                winner=event.winner,
            )
        case _:
            return match


def result_of(match: MatchRow, position: int) -> ResultRow | None:
    """Return the result of a match that ended at `position`.

    None while it has not ended, for one that ended before it was played or was given up, and for
    practice, which counts for nobody.
    """
    first, second = match.players
    if match.practice:
        return None
    if match.ended is None or match.reason is None or first is None or second is None:
        return None
    if match.reason == "aborted" or (match.winner is None and match.hands == 0):
        return None
    return ResultRow(
        match=match.id,
        position=position,
        ended=match.ended,
        players=BySeat(first, second),
        names=BySeat(match.names[0] or "", match.names[1] or ""),
        hands=match.hands,
        points=match.points,
        hands_won=match.hands_won,
        totals=match.totals,
        reason=match.reason,
        winner=match.winner,
    )


def fold_record(record: PlayerRow | None, result: ResultRow, seat: int) -> PlayerRow:
    """Return the record of the player at `seat` with one more result counted."""
    before = record or PlayerRow(result.players[seat], result.names[seat])
    return PlayerRow(
        id=before.id,
        name=result.names[seat],
        matches=before.matches + 1,
        won=before.won + (result.winner == seat),
        lost=before.lost + (result.winner == 1 - seat),
        drawn=before.drawn + (result.winner is None),
        hands_won=before.hands_won + result.hands_won[seat],
        points=before.points + result.points[seat],
    )

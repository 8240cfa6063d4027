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
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeOpened,
    DisputeRuled,
    HandReplayed,
    ResultAdjusted,
)
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
    "added_to_record",
    "changes_row",
    "fold_match",
    "fold_record",
    "project",
    "result_of",
]

Stage: TypeAlias = Literal["gathering", "playing", "ended"]
"""Where a match stands: seats are being taken, hands are being played, it is over."""

PROJECTED = frozenset(
    {
        *("match_created", "player_joined", "hand_dealt", "hand_scored", "hand_voided"),
        *("match_ended", "dispute_opened", "dispute_ruled", "dispute_appealed"),
        *("hand_replayed", "result_adjusted"),
    }
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
    replay_of: str | None = None
    """The match of which a hand is played again here, and where it counts; None for most."""
    disputes: int = 0
    """How many disputes were opened over it."""
    open_disputes: int = 0
    """How many of them wait for a ruling."""
    replaying: int = 0
    """Of which disputes the hand has yet to come back from being played again: for dispute n the
    bit n - 1."""
    adjusted: int = 0
    """How often its result was adjusted by rulings."""


class ResultRow(msgspec.Struct, frozen=True):
    """How a match that was played came out."""

    match: str
    position: int
    """Where among all lines the match ended, or its result was adjusted last: results are in this
    order, so that whoever reads on finds one again that has changed."""
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
    counted = None if before is None else result_of(before, position)
    result = result_of(match, position)
    if result is not None and result != counted:
        rows.keep(result)
        for seat in (0, 1):
            rows.keep(fold_record(rows.record(result.players[seat]), result, seat, counted))


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
            replay_of=origin.match if origin.kind == "replay" else None,
        )
    if match is None or match.stage == "ended":
        return None if match is None else _disputed(match, line)
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


def _disputed(match: MatchRow, line: AnyLine) -> MatchRow:
    """Return the row of a match that has ended after a line of it."""
    match line.event:
        case DisputeOpened():
            return replace(
                match, disputes=match.disputes + 1, open_disputes=match.open_disputes + 1
            )
        case DisputeAppealed():
            return replace(match, open_disputes=match.open_disputes + 1)
        case DisputeRuled(dispute=dispute, ruling=ruling):
            waits = _bit(dispute) if ruling == "replay" else 0
            return replace(
                match,
                open_disputes=match.open_disputes - 1,
                replaying=match.replaying & ~_bit(dispute) | waits,
            )
        case HandReplayed(dispute=dispute):
            return replace(match, replaying=match.replaying & ~_bit(dispute))
        case ResultAdjusted() as event:
            return replace(
                match,
                points=event.points,
                hands_won=event.hands_won,
                totals=event.totals,
                reason=event.reason,
                winner=event.winner,
                adjusted=match.adjusted + 1,
            )
        case _:
            return match


def _bit(dispute: int) -> int:
    return 1 << dispute - 1


def result_of(match: MatchRow, position: int) -> ResultRow | None:
    """Return the result of a match that ended at `position`.

    None while it has not ended, for one that ended before it was played or was given up, and for
    practice, which counts for nobody. A replay counts in the match of which its hand is.
    """
    first, second = match.players
    if match.practice or match.replay_of is not None:
        return None
    if match.ended is None or match.reason is None or first is None or second is None:
        return None
    if match.reason == "aborted":
        return None
    if match.winner is None and match.hands == 0 and not match.adjusted:
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


def fold_record(
    record: PlayerRow | None, result: ResultRow, seat: int, counted: ResultRow | None = None
) -> PlayerRow:
    """Return the record of the player at `seat` with one more result counted.

    It takes the place of the match's result that was `counted` before, if there was one.
    """
    before = record or PlayerRow(result.players[seat], result.names[seat])
    more = added_to_record(result, seat, counted)
    return PlayerRow(
        id=before.id,
        name=more.name,
        matches=before.matches + more.matches,
        won=before.won + more.won,
        lost=before.lost + more.lost,
        drawn=before.drawn + more.drawn,
        hands_won=before.hands_won + more.hands_won,
        points=before.points + more.points,
    )


def added_to_record(result: ResultRow, seat: int, counted: ResultRow | None) -> PlayerRow:
    """Return what a result adds to the record of the player at `seat`.

    Where it takes the place of one that was `counted` before, that is taken off, and what is left
    may be negative.
    """
    more = _record(result, seat)
    if counted is None:
        return more
    less = _record(counted, seat)
    return PlayerRow(
        id=more.id,
        name=more.name,
        matches=more.matches - less.matches,
        won=more.won - less.won,
        lost=more.lost - less.lost,
        drawn=more.drawn - less.drawn,
        hands_won=more.hands_won - less.hands_won,
        points=more.points - less.points,
    )


def _record(result: ResultRow, seat: int) -> PlayerRow:
    """Return the record of a player who has finished no other match."""
    return PlayerRow(
        id=result.players[seat],
        name=result.names[seat],
        matches=1,
        won=int(result.winner == seat),
        lost=int(result.winner == 1 - seat),
        drawn=int(result.winner is None),
        hands_won=result.hands_won[seat],
        points=result.points[seat],
    )

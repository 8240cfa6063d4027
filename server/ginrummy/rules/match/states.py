"""The shapes that a match has, from the gathering of the players to its end."""

from typing import Literal, TypeAlias, assert_never

import msgspec

from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.disputes.states import Dispute
from ginrummy.rules.events import (
    HandScored,
    HandVoided,
    MatchCreated,
    MatchEnded,
    NonceSource,
)
from ginrummy.rules.hand import Finished, Hand

__all__ = [
    "BOTH_SEATS",
    "MS",
    "Clock",
    "Dealing",
    "Due",
    "Ended",
    "Gathering",
    "Instant",
    "Match",
    "Playing",
    "Score",
    "Seated",
    "Seats",
    "begins_in_a_position",
    "hands_dealt",
    "scored",
    "seat_of",
    "starting_score",
]

Instant: TypeAlias = int
"""Microseconds since 1970-01-01T00:00:00Z."""

BOTH_SEATS: tuple[Seat, Seat] = (0, 1)

MS = 1000
"""Microseconds in a millisecond, the unit of every limit in the log."""


class Seated(msgspec.Struct, frozen=True, gc=False):
    """Who sits at a seat, and their share in the shuffling."""

    player: str
    name: str
    nonce_commitment: str | None
    """None at a board, as `nonce_by` and `nonce` are."""
    nonce_by: NonceSource | None
    key: str | None
    nonce: str | None = None
    """None until it is revealed."""


Seats: TypeAlias = BySeat[Seated | None]


class Score(msgspec.Struct, frozen=True, gc=False):
    """The match's account so far, in points and in hands."""

    points: BySeat[int] = BySeat(0, 0)
    hands_won: BySeat[int] = BySeat(0, 0)


class Clock(msgspec.Struct, frozen=True, gc=False):
    """The time that the seats have left, in microseconds."""

    bank: BySeat[int] | None
    """None where the match has no bank."""
    since: Instant
    """When the present decision's time began."""
    paused: bool = False


class Gathering(msgspec.Struct, frozen=True, gc=False):
    """The seats are being taken and the nonces revealed."""

    terms: MatchCreated
    seats: Seats
    since: Instant
    """When the match was created."""


class Dealing(msgspec.Struct, frozen=True, gc=False):
    """The next hand is to be dealt."""

    terms: MatchCreated
    seats: Seats
    score: Score
    clock: Clock
    last: Finished | None
    """The hand before; None ahead of the first."""
    revealed: int = 0
    """The last hand whose secret is out; 0 for none."""
    position_out: bool = False
    """The position in which a fork began is out."""


class Playing(msgspec.Struct, frozen=True, gc=False):
    """A hand is being played."""

    terms: MatchCreated
    seats: Seats
    score: Score
    clock: Clock
    hand: Hand
    revealed: int = 0
    position_out: bool = False
    copies: int = 0
    """How many moves a fork is still to take over before anybody decides anything."""


class Ended(msgspec.Struct, frozen=True, gc=False):
    """The match is over."""

    terms: MatchCreated
    seats: Seats
    score: Score
    clock: Clock
    last: Hand | None
    """The last hand as it stood; None where none was dealt."""
    outcome: MatchEnded
    """The account as it stands: as the match ended, until a ruling changed it (R7)."""
    as_played: MatchEnded
    """The account as the match ended."""
    disputable_since: Instant
    """When the time to dispute it began: with its end, or with the last secret that came out."""
    revealed: int = 0
    position_out: bool = False
    disputes: tuple[Dispute, ...] = ()
    """In the order of their numbers, the first one's being 1."""


Match: TypeAlias = Gathering | Dealing | Playing | Ended
"""A match in any state."""

Due: TypeAlias = Literal["nonce", "deal", "copy", "position", "reveal"]
"""What the server itself has to do next: reveal a nonce that it drew, deal, take a move over, or
let a position or a secret out."""


def seat_of(match: Match, player: str) -> Seat | None:
    """Return the seat where `player` sits, or None."""
    for seat, seated in enumerate(match.seats):
        if seated is not None and seated.player == player:
            return 1 if seat else 0
    return None


def hands_dealt(match: Match) -> int:
    """Return how many hands have been dealt, void ones and the present one included."""
    match match:
        case Gathering():
            return 0
        case Playing(hand=hand):
            return hand.layout.dealt.number
        case Dealing(last=last) | Ended(last=last):
            return last.layout.dealt.number if last is not None else 0
        case _:
            assert_never(match)


def starting_score(terms: MatchCreated) -> Score:
    """Return the account with which a match starts: that of the line where it branched off."""
    origin = terms.origin
    return Score() if origin is None else Score(origin.scores, origin.hands_won)


def begins_in_a_position(terms: MatchCreated) -> bool:
    """Say whether a match's first deck comes from the match where it branched off."""
    return terms.origin is not None and terms.origin.position is not None


def scored(score: Score, result: HandScored | HandVoided) -> Score:
    """Return the account after a hand's result; a void hand changes nothing (S4)."""
    if isinstance(result, HandVoided):
        return score
    winner = result.winner
    return Score(
        points=score.points.put(winner, score.points[winner] + result.points),
        hands_won=score.hands_won.put(winner, score.hands_won[winner] + 1),
    )

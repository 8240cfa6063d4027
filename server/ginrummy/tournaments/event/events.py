"""What has happened in a tournament: the facts that its stream records.

The fields are the stored form's fields and are for ever, as the matches' are. No secret is here
before it is let out, and a sitting's end holds the hash of its match's last line, so that the
tournament's log vouches for the matches' logs.
"""

from typing import Literal, TypeAlias

import msgspec

from ginrummy.rules.cards import BySeat
from ginrummy.rules.events import Hex16, Hex32, NonceSource
from ginrummy.tournaments.entrants import Absence, Bye, Pairing
from ginrummy.tournaments.event.terms import TournamentTerms
from ginrummy.tournaments.results import EndReason, Outcome
from ginrummy.tournaments.statistics.sprt import Status

__all__ = [
    "EVENT_TYPES",
    "BoardsRevealed",
    "EntrantCheckedIn",
    "EntrantEntered",
    "EntrantKind",
    "EntrantLeft",
    "EntrantNonceRevealed",
    "EntrantReturned",
    "EntrantsSeeded",
    "LotsDrawn",
    "RegistrationClosed",
    "ResultRecorded",
    "ResultRuled",
    "RoundPaired",
    "SittingAdjusted",
    "SittingEnded",
    "TestEnded",
    "TournamentAborted",
    "TournamentCreated",
    "TournamentEnded",
    "TournamentEvent",
    "TournamentPaused",
    "TournamentResumed",
    "TournamentStarted",
]

EntrantKind: TypeAlias = Literal["person", "bot"]

LeaveReason: TypeAlias = Literal["withdrew", "removed", "absent"]
"""Why somebody is not there any more: they left, the director removed them, or they did not check
in or reveal their nonce."""

TournamentEndReason: TypeAlias = Literal["complete", "too_few", "decided", "aborted"]
"""The format was played out; fewer than two were left; the sequential test decided; given up."""


class _Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The common form of every event: an immutable value with its fields checked when read."""


class TournamentCreated(_Event, frozen=True):
    """A tournament is announced; what its boards and lots will be is fixed here."""

    terms: TournamentTerms
    commitment: Hex32
    """The end of the chain of the boards' secrets, board 0's, in hex."""
    chain: int
    """How many boards the commitment covers, whether or not any are played."""
    lots: Hex32
    """The SHA-256 of the secret that the lots are drawn with, in hex."""


class EntrantEntered(_Event, frozen=True):
    """Somebody takes part, and is committed to a nonce."""

    entrant: str
    """A player's id."""
    name: str
    kind: EntrantKind
    seed: int
    round: int
    """The first round that they can be paired in."""
    spec: str
    """How the tournament's own runner starts the program; empty where it starts by itself."""
    nonce_commitment: Hex32
    nonce_by: NonceSource
    key: Hex32 | None = None
    """The Ed25519 public key by which the entrant signs its moves on boards, in hex."""


class EntrantCheckedIn(_Event, frozen=True):
    """An entrant is there, and ready to play."""

    entrant: str


class EntrantsSeeded(_Event, frozen=True):
    """The director has set the order of strength."""

    order: tuple[str, ...]
    """All entrants, the strongest first."""


class RegistrationClosed(_Event, frozen=True):
    """Nobody else's nonce goes into the boards; the nonces may come out."""


class EntrantNonceRevealed(_Event, frozen=True):
    """An entrant's nonce (16 bytes in hex) is out."""

    entrant: str
    nonce: Hex16


class TournamentStarted(_Event, frozen=True):
    """The boards are fixed, and rounds are paired from now on."""

    mix: Hex32
    """SHA-256 over the entrants and their nonces, in hex (docs/log-format.md, *Boards*)."""


class EntrantLeft(_Event, frozen=True):
    """An entrant is not paired any more."""

    entrant: str
    reason: LeaveReason
    why: str
    """In the words of whoever decided it; may be empty."""


class EntrantReturned(_Event, frozen=True):
    """An entrant that had left can be paired again."""

    entrant: str
    round: int
    """From this round on."""


class RoundPaired(_Event, frozen=True):
    """Who meets whom next."""

    number: int
    pairings: tuple[Pairing, ...]
    byes: tuple[Bye, ...]
    absences: tuple[Absence, ...]


class SittingEnded(_Event, frozen=True):
    """A match of the ordinary log is over: all of a pairing, or one of the two hands of a board."""

    round: int
    table: int
    board: int
    """The board's number, from 1; 0 where no boards are played."""
    half: Literal[0, 1, 2]
    """1: the first named sat at seat 0. 2: they sat at seat 1. 0: no boards are played."""
    match: str
    """The match's id; empty where none was opened."""
    seq: int
    """The number of the match's last line when it ended; 0 without a match."""
    hash: str
    """That line's hash, in hex; empty without a match."""
    outcome: Outcome
    reason: EndReason
    points: BySeat[int]
    """What the entrant named first and the other one scored."""
    dealer: Literal["first", "second"] | None
    """Who dealt the board's hand; null where none was dealt, or no boards are played."""


class SittingAdjusted(_Event, frozen=True):
    """A ruling on a dispute over a sitting's match has changed what it comes to."""

    round: int
    table: int
    board: int
    half: Literal[0, 1, 2]
    match: str
    """The match's id, as the sitting's end has it."""
    seq: int
    """The number of the match's line that says what its result is now."""
    hash: str
    """That line's hash, in hex."""
    outcome: Outcome
    reason: EndReason
    points: BySeat[int]
    """What the entrant named first and the other one have scored by it."""


class ResultRecorded(_Event, frozen=True):
    """A pairing is decided."""

    round: int
    table: int
    outcome: Outcome
    reason: EndReason
    points: BySeat[int]


class ResultRuled(_Event, frozen=True):
    """The director has ruled on a pairing: from now on this is its result."""

    round: int
    table: int
    outcome: Outcome
    points: BySeat[int]
    why: str
    rule: str
    """The number of the rule that it rests on; may be empty."""


class TestEnded(_Event, frozen=True):
    """The sequential test is over."""

    __test__ = False  # the name is not pytest's

    status: Status
    boards: int
    """The boards that it looked at, 1 to this number of the schedule."""
    llr: float
    """The log likelihood ratio after them."""


class BoardsRevealed(_Event, frozen=True):
    """The secret of a board is out, and with it those of all boards before."""

    board: int
    secret: Hex32


class LotsDrawn(_Event, frozen=True):
    """The secret of the lots is out."""

    secret: Hex32


class TournamentPaused(_Event, frozen=True):
    """Play is halted, and no clock runs."""


class TournamentResumed(_Event, frozen=True):
    """Play goes on."""


class TournamentAborted(_Event, frozen=True):
    """The director has given the tournament up."""

    why: str


class TournamentEnded(_Event, frozen=True):
    """The tournament is over."""

    reason: TournamentEndReason


TournamentEvent: TypeAlias = (
    TournamentCreated
    | EntrantEntered
    | EntrantCheckedIn
    | EntrantsSeeded
    | RegistrationClosed
    | EntrantNonceRevealed
    | TournamentStarted
    | EntrantLeft
    | EntrantReturned
    | RoundPaired
    | SittingEnded
    | SittingAdjusted
    | ResultRecorded
    | ResultRuled
    | TestEnded
    | BoardsRevealed
    | LotsDrawn
    | TournamentPaused
    | TournamentResumed
    | TournamentAborted
    | TournamentEnded
)
"""Everything that a tournament's stream can hold."""

EVENT_TYPES: dict[str, type[TournamentEvent]] = {
    "tournament_created": TournamentCreated,
    "entrant_entered": EntrantEntered,
    "entrant_checked_in": EntrantCheckedIn,
    "entrants_seeded": EntrantsSeeded,
    "registration_closed": RegistrationClosed,
    "entrant_nonce_revealed": EntrantNonceRevealed,
    "tournament_started": TournamentStarted,
    "entrant_left": EntrantLeft,
    "entrant_returned": EntrantReturned,
    "round_paired": RoundPaired,
    "sitting_ended": SittingEnded,
    "sitting_adjusted": SittingAdjusted,
    "result_recorded": ResultRecorded,
    "result_ruled": ResultRuled,
    "test_ended": TestEnded,
    "boards_revealed": BoardsRevealed,
    "lots_drawn": LotsDrawn,
    "tournament_paused": TournamentPaused,
    "tournament_resumed": TournamentResumed,
    "tournament_aborted": TournamentAborted,
    "tournament_ended": TournamentEnded,
}
"""Every event by its stored name. The names are the format and may not change."""

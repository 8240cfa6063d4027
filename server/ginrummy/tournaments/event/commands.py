"""What can be asked of a tournament: by its director, by an entrant, or by the server itself."""

from typing import Literal, TypeAlias

import msgspec

from ginrummy.rules.cards import BySeat
from ginrummy.rules.events import NonceSource
from ginrummy.tournaments.event.events import (
    EntrantKind,
    LeaveReason,
    SittingAdjusted,
    SittingEnded,
    TournamentEndReason,
)
from ginrummy.tournaments.event.terms import TournamentTerms
from ginrummy.tournaments.results import Outcome

__all__ = [
    "Abort",
    "AdjustSitting",
    "CallOffTest",
    "CheckIn",
    "CloseRegistration",
    "Command",
    "Create",
    "DrawLots",
    "End",
    "EndByHand",
    "EndSitting",
    "Enter",
    "Leave",
    "Pair",
    "PairByHand",
    "Pause",
    "Resume",
    "Return",
    "RevealBoards",
    "RevealNonce",
    "Rule",
    "Seed",
    "Settle",
    "SettleReason",
    "Start",
]


class _Command(msgspec.Struct, frozen=True):
    """The common form: an immutable value."""


class Create(_Command, frozen=True):
    """Announce a tournament, with what its secrets commit to."""

    terms: TournamentTerms
    commitment: str
    chain: int
    lots: str


class Enter(_Command, frozen=True):
    """Take part."""

    entrant: str
    name: str
    kind: EntrantKind
    spec: str
    nonce_commitment: str
    nonce_by: NonceSource
    key: str | None = None
    """The public key that moves on boards are signed by, in hex; None for who does not sign."""


class CheckIn(_Command, frozen=True):
    """Say that an entrant is there."""

    entrant: str


class Seed(_Command, frozen=True):
    """Set the order of strength, the strongest first."""

    order: tuple[str, ...]


class CloseRegistration(_Command, frozen=True):
    """Let the nonces come out, and nobody else's in."""


class RevealNonce(_Command, frozen=True):
    """Open an entrant's commitment; the nonce in hex."""

    entrant: str
    nonce: str


class Leave(_Command, frozen=True):
    """Take no further part."""

    entrant: str
    reason: LeaveReason
    why: str = ""


class Return(_Command, frozen=True):
    """Take part again, from the next round on."""

    entrant: str


class Start(_Command, frozen=True):
    """Fix the boards and begin; whoever is not ready is left out."""


class Pair(_Command, frozen=True):
    """Pair the next round by the format, or end the tournament where there is none."""


class PairByHand(_Command, frozen=True):
    """Pair the next round as the director says: who deals first, and who they meet."""

    pairs: tuple[tuple[str, str], ...]


class EndSitting(_Command, frozen=True):
    """Record how a sitting came out."""

    ended: SittingEnded


class AdjustSitting(_Command, frozen=True):
    """Record what a sitting comes to by a ruling on a dispute over its match."""

    adjusted: SittingAdjusted


SettleReason: TypeAlias = Literal[
    "complete", "withdrawn", "no_show", "crash", "round_clock", "decided", "aborted"
]
"""Why a pairing is settled: all its sittings are over; somebody has left, never came, or was lost
for good; the round's time is over; the test is decided; the tournament was given up."""


class Settle(_Command, frozen=True):
    """Decide a pairing by what was played of it."""

    round: int
    table: int
    reason: SettleReason
    absent: tuple[str, ...] = ()
    """Those who lose it by not being there."""


class Rule(_Command, frozen=True):
    """Rule on a pairing."""

    round: int
    table: int
    outcome: Outcome
    points: BySeat[int] | None
    """None for as they stand."""
    why: str
    rule: str = ""


class CallOffTest(_Command, frozen=True):
    """Let the sequential test end without a decision."""


class RevealBoards(_Command, frozen=True):
    """Let the secret of a board out; in hex."""

    board: int
    secret: str


class DrawLots(_Command, frozen=True):
    """Let the secret of the lots out; in hex."""

    secret: str


class Pause(_Command, frozen=True):
    """Halt the play."""


class Resume(_Command, frozen=True):
    """Let the play go on."""


class Abort(_Command, frozen=True):
    """Give the tournament up."""

    why: str


class End(_Command, frozen=True):
    """End the tournament, for its course is run."""

    reason: TournamentEndReason


class EndByHand(_Command, frozen=True):
    """End a tournament whose rounds the director pairs."""


Command: TypeAlias = (
    Create
    | Enter
    | CheckIn
    | Seed
    | CloseRegistration
    | RevealNonce
    | Leave
    | Return
    | Start
    | Pair
    | PairByHand
    | EndSitting
    | AdjustSitting
    | Settle
    | Rule
    | CallOffTest
    | RevealBoards
    | DrawLots
    | Pause
    | Resume
    | Abort
    | End
    | EndByHand
)
"""Everything that can be asked of a tournament."""

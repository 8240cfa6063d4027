"""What has happened: the facts that a match's log records.

An event carries what was decided, never a hidden card, so a log can be read by anybody while the
match runs. What was decided from it (a score, a dealer) is stored as well, and the audit computes
it again. The fields here are the stored form's fields: they are for ever. A form that must change
becomes a new version with an upcaster (docs/log-format.md).
"""

from typing import Annotated, Literal, TypeAlias

import msgspec

from ginrummy.rules.cards import BySeat, Card, Seat
from ginrummy.rules.disputes.events import DisputeEvent
from ginrummy.rules.forms import AbortReason, EndReason, ForfeitReason, Hex16, Hex32
from ginrummy.rules.ruleset import Ruleset

__all__ = [
    "AbortReason",
    "Board",
    "ClockExpired",
    "ClockPaused",
    "ClockResumed",
    "DiscardTaken",
    "Discarded",
    "EndReason",
    "Event",
    "ForfeitReason",
    "Forfeited",
    "HandDealt",
    "HandEvent",
    "HandKind",
    "HandScored",
    "HandVoided",
    "Hex16",
    "Hex32",
    "Knocked",
    "LaidOff",
    "LayOffCard",
    "Limits",
    "MatchCreated",
    "MatchEnded",
    "Meld",
    "NonceRevealed",
    "NonceSource",
    "Origin",
    "OriginKind",
    "PlayerJoined",
    "PositionRevealed",
    "Resigned",
    "RevealPolicy",
    "SecretRevealed",
    "SigningPolicy",
    "StockDrawn",
    "TimeControl",
    "UnseenCards",
    "UpcardPassed",
    "VoidReason",
]

Meld: TypeAlias = tuple[Card, ...]
"""A set or a run as laid down (M1)."""

HandKind: TypeAlias = Literal["knock", "undercut", "gin", "big_gin"]
"""How a scored hand ended (S1 to S3)."""

VoidReason: TypeAlias = Literal["stock", "discard_draws"]
"""Why a hand was void: the stock ran low (T3), or too many draws from the discard pile (T4)."""

RevealPolicy: TypeAlias = Literal["match", "hand", "director"]
"""When a hand's secret comes out: at the match's end, at its own end, when a director says so."""

SigningPolicy: TypeAlias = Literal["off", "optional", "required"]
"""Whether players sign their moves: nobody, whoever has given a key, everybody."""

OriginKind: TypeAlias = Literal["fork", "replay"]
"""Why a match goes on from another: to try out what might have been, or as a ruling has it."""

UnseenCards: TypeAlias = Literal["same", "reshuffled", "fresh"]
"""What became of the cards that nobody had seen where a match branched off."""

NonceSource: TypeAlias = Literal["player", "server"]
"""Who drew a seat's nonce."""


class _Event(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The common form of every event: an immutable value with its fields checked when read."""


class TimeControl(_Event, frozen=True):
    """How long a seat may think, in milliseconds; each limit is optional."""

    bank_ms: int | None = None
    """A seat's time for the whole match."""
    increment_ms: int = 0
    """What each decision adds to the bank after it was made."""
    decision_ms: int | None = None
    """The most that one decision may take."""


class Limits(_Event, frozen=True):
    """When a match that nobody plays on comes to an end by itself."""

    illegal_moves: int = 20
    """Refused moves in a row after which a seat forfeits."""
    start_ms: int = 3_600_000
    """Within this of its creation a match has both seats taken and both nonces revealed."""
    idle_ms: int = 86_400_000
    """A seat that decides nothing for this long has abandoned the match."""


class Board(_Event, frozen=True):
    """One deal of a tournament, played at several tables: which one, and what its deck hangs on."""

    tournament: str
    """The tournament's id; its secrets deck the board."""
    number: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
    """The board's number in the tournament, from 1."""
    mix: Hex32
    """What all entrants' nonces make, in hex (docs/log-format.md, *Boards*)."""


class Origin(_Event, frozen=True, kw_only=True):
    """The line of another match from which a match branches off."""

    kind: OriginKind
    match: str
    """The other match's id."""
    seq: Annotated[int, msgspec.Meta(ge=1)]
    """The line's number there."""
    hash: Hex32
    """The line's hash."""
    hand: Annotated[int, msgspec.Meta(ge=1)]
    """The hand being played there, or else the next one."""
    scores: BySeat[int]
    """The points with which the new match starts."""
    hands_won: BySeat[int] = BySeat(0, 0)
    """The hands that are counted as won when it starts."""
    unseen: UnseenCards
    seat: Seat | None = None
    """Whose cards stay with those that everybody had seen, where the others are dealt anew."""
    position: Hex32 | None
    """The commitment to the position that a fork begins in, in hex; null where it begins with a
    deal of its own, and for a replay."""
    moves: Annotated[int, msgspec.Meta(ge=0)]
    """How many moves of the hand there stand at the start, copied."""


class MatchCreated(_Event, frozen=True):
    """A match is open; everything that its result will follow from is fixed here."""

    rules: Ruleset
    clock: TimeControl | None
    limits: Limits
    reveal: RevealPolicy
    commitment: Hex32
    """`s_0` in hex: the end of the chain of the hands' secrets, at a board of the boards'."""
    chain: int
    """How many hands the commitment covers; at a board, how many boards."""
    board: Board | None
    """The board that is the match's only hand; null for a match with decks of its own."""
    first_dealer: Seat | None
    """The seat that deals hand 1; null where its deck decides it (D3), as it does at a board."""
    seats: BySeat[str | None]
    """The players for whom a seat is kept; null for whoever comes."""
    name: str = ""
    """What the match is called in lists."""
    signing: SigningPolicy = "off"
    dispute_ms: Annotated[int, msgspec.Meta(ge=0)] = 0
    """How long after its end a player may open a dispute over it; 0 for never."""
    origin: Origin | None = None
    """What it branches off from; null for a match of its own."""

    @property
    def is_practice(self) -> bool:
        """Whether the match is a fork, which counts for nobody."""
        return self.origin is not None and self.origin.kind == "fork"


class PlayerJoined(_Event, frozen=True):
    """A player has taken a seat, and is committed to a nonce unless the match is a board."""

    seat: Seat
    player: str
    name: str
    nonce_commitment: Hex32 | None
    """SHA-256 of the nonce, in hex; null at a board, whose deck takes no nonce of the match's."""
    nonce_by: NonceSource | None
    """Null at a board."""
    key: Hex32 | None = None
    """The player's Ed25519 public key in hex, if they sign their moves."""


class NonceRevealed(_Event, frozen=True):
    """A seat's nonce (16 bytes in hex) is out."""

    seat: Seat
    nonce: Hex16


class HandDealt(_Event, frozen=True):
    """Ten cards each are dealt and the upcard is turned (D1)."""

    hand: int
    """1 for the match's first; void hands count."""
    dealer: Seat
    upcard: Card


class UpcardPassed(_Event, frozen=True):
    """A seat does not take the upcard (D2)."""

    seat: Seat


class StockDrawn(_Event, frozen=True):
    """A seat has drawn the stock's top, a card that only they know (T1)."""

    seat: Seat


class DiscardTaken(_Event, frozen=True):
    """A seat has taken the discard pile's top, or the upcard (D2, T1)."""

    seat: Seat
    card: Card


class Discarded(_Event, frozen=True):
    """A seat has discarded face up (T1)."""

    seat: Seat
    card: Card


class Knocked(_Event, frozen=True):
    """A seat has laid down its cards (K2 to K5).

    Ten cards are laid down, and the eleventh is discarded face down and named nowhere (K3).
    Where all eleven are laid down it is big gin.
    """

    seat: Seat
    melds: tuple[Meld, ...]
    deadwood: tuple[Card, ...]
    gin: bool


class LayOffCard(_Event, frozen=True):
    """One card laid off on the knocker's meld of that index, 0 for the first laid down (L1)."""

    card: Card
    meld: int


class LaidOff(_Event, frozen=True):
    """The knocker's opponent has laid down their own melds and laid off (L1, L2)."""

    seat: Seat
    melds: tuple[Meld, ...]
    layoffs: tuple[LayOffCard, ...]
    """In the order in which they were laid off."""
    deadwood: tuple[Card, ...]


class HandScored(_Event, frozen=True):
    """A hand has ended with points for one seat (S1 to S3)."""

    hand: int
    kind: HandKind
    winner: Seat
    points: int
    """What the winner scores: `difference + bonus`, twice that where `doubled`."""
    deadwood: BySeat[int]
    """Each seat's final count in points, after the lay-offs."""
    difference: int
    bonus: int
    doubled: bool
    """A spade upcard under `spades_double` (K6)."""


class HandVoided(_Event, frozen=True):
    """A hand has ended without a score (S4)."""

    hand: int
    reason: VoidReason


class SecretRevealed(_Event, frozen=True):
    """The secret of a hand is out, and with it those of all hands before."""

    hand: int
    secret: Hex32
    """`s_hand`, 32 bytes in hex."""


class PositionRevealed(_Event, frozen=True):
    """The position that a fork began in is out (docs/log-format.md, *Forks*)."""

    salt: Hex16
    """The 16 bytes that hid it, in hex."""
    cards: tuple[Card | None, ...]
    """The 52 places of its deck; null for one that was left to the match's own deck."""


class ClockPaused(_Event, frozen=True):
    """Play is halted and no clock runs."""


class ClockResumed(_Event, frozen=True):
    """The present decision's time starts anew: after a pause, or after the server was away."""


class ClockExpired(_Event, frozen=True):
    """A seat has used up its time."""

    seat: Seat


class Resigned(_Event, frozen=True):
    """A seat has given up the match (X3)."""

    seat: Seat


class Forfeited(_Event, frozen=True):
    """A seat has been made to lose the match (X3)."""

    seat: Seat
    reason: ForfeitReason


class MatchEnded(_Event, frozen=True):
    """The match is over (X1 to X3)."""

    reason: EndReason
    winner: Seat | None
    """Null for a draw, and where the match never started or was given up."""
    points: BySeat[int]
    """Hand points, as they were scored."""
    hands_won: BySeat[int]
    game_bonus: BySeat[int]
    box_bonus: BySeat[int]
    doubled: bool
    """The winner's points and game bonus count twice: a shutout (X2)."""
    totals: BySeat[int]


HandEvent: TypeAlias = (
    HandDealt
    | UpcardPassed
    | StockDrawn
    | DiscardTaken
    | Discarded
    | Knocked
    | LaidOff
    | HandScored
    | HandVoided
)
"""The events that a hand is folded from."""

Event: TypeAlias = (
    MatchCreated
    | PlayerJoined
    | NonceRevealed
    | HandEvent
    | SecretRevealed
    | PositionRevealed
    | ClockPaused
    | ClockResumed
    | ClockExpired
    | Resigned
    | Forfeited
    | MatchEnded
    | DisputeEvent
)
"""Everything that a match's stream can hold."""

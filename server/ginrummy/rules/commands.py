"""What somebody wishes to happen: the moves of the two players, and the acts around a match.

A move is what a seat decides in a hand. A command is anything `match.decide` takes: a seat's move,
or an act of a player, the server or a director around the play. What is random or hidden (a deck,
a secret) comes in with the command that needs it.
"""

from typing import TypeAlias

import msgspec

from ginrummy.rules.cards import BySeat, Card, Deck, Seat
from ginrummy.rules.disputes.commands import DisputeCommand
from ginrummy.rules.events import (
    AbortReason,
    ForfeitReason,
    LayOffCard,
    MatchCreated,
    Meld,
    NonceSource,
)

__all__ = [
    "Abort",
    "BigGin",
    "Command",
    "Copy",
    "CreateMatch",
    "Deal",
    "Discard",
    "Draw",
    "Expire",
    "Forfeit",
    "Join",
    "Knock",
    "LayOff",
    "Move",
    "Pass",
    "Pause",
    "Play",
    "Resign",
    "Resume",
    "RevealNonce",
    "RevealPosition",
    "RevealSecret",
    "Take",
]


class _Wish(msgspec.Struct, frozen=True, gc=False):
    """The common form of moves and commands: an immutable value."""


class Pass(_Wish, frozen=True):
    """Do not take the upcard (D2)."""


class Take(_Wish, frozen=True):
    """Take the upcard, or the discard pile's top (D2, T1)."""


class Draw(_Wish, frozen=True):
    """Draw the stock's top (T1)."""


class Discard(_Wish, frozen=True):
    """Discard a card face up and end the turn (T1)."""

    card: Card


class Knock(_Wish, frozen=True):
    """Discard a card face down and lay down the other ten (K2)."""

    card: Card
    melds: tuple[Meld, ...] | None = None
    """The arrangement; None for one of least deadwood, chosen by the server."""


class BigGin(_Wish, frozen=True):
    """Lay down all eleven cards, melded (K5)."""

    melds: tuple[Meld, ...] | None = None
    """The arrangement; None for one chosen by the server."""


class LayOff(_Wish, frozen=True):
    """Lay down one's own melds and lay off on the knocker's (L1, L4)."""

    melds: tuple[Meld, ...] | None = None
    """One's own melds; None, with no lay-offs, for the best of both, found by the server."""
    layoffs: tuple[LayOffCard, ...] = ()
    """In the order in which they are laid off."""


class Resign(_Wish, frozen=True):
    """Give up the match (X3)."""


Move: TypeAlias = Pass | Take | Draw | Discard | Knock | BigGin | LayOff | Resign
"""What a seat can decide."""


class CreateMatch(_Wish, frozen=True):
    """Open a match on these terms."""

    terms: MatchCreated
    names: BySeat[str] | None = None
    """What the players for whom the seats are kept are called, where both sit down at once: at a
    board."""
    keys: BySeat[str | None] = BySeat(None, None)
    """The public keys (hex) of those two, by which their moves are signed; None for who does not
    sign."""


class Join(_Wish, frozen=True):
    """Take a seat, committed to a nonce unless the match is a board."""

    seat: Seat | None
    """None for whichever is free."""
    player: str
    name: str
    nonce_commitment: str | None
    nonce_by: NonceSource | None
    key: str | None = None


class RevealNonce(_Wish, frozen=True):
    """Open the commitment that a seat made when joining."""

    seat: Seat
    nonce: str


class Play(_Wish, frozen=True):
    """Make a move for a seat."""

    seat: Seat
    move: Move


class Copy(_Wish, frozen=True):
    """Make, for the seat whose turn it is, the next move that a fork takes over."""

    move: Move


class Deal(_Wish, frozen=True):
    """Deal the next hand from its committed deck (D1, D3)."""

    deck: Deck
    first_dealer: Seat | None = None
    """For hand 1, the dealer that its secret names; None for every later hand, and where the
    match's terms name one."""


class RevealSecret(_Wish, frozen=True):
    """Let a hand's secret out."""

    hand: int
    secret: str


class RevealPosition(_Wish, frozen=True):
    """Let the position out in which a fork began."""

    salt: str
    cards: tuple[Card | None, ...]


class Pause(_Wish, frozen=True):
    """Halt the play and the clocks."""


class Resume(_Wish, frozen=True):
    """Start the present decision's time anew."""


class Expire(_Wish, frozen=True):
    """Record that the time for whatever the match waits for is over."""


class Forfeit(_Wish, frozen=True):
    """Make a seat lose the match, however it stands and whoever is to move.

    For illegal moves only while a hand is being played, and its time runs.
    """

    seat: Seat
    reason: ForfeitReason = "illegal_moves"


class Abort(_Wish, frozen=True):
    """End the match as it stands, without anybody's fault."""

    reason: AbortReason


Command: TypeAlias = (
    CreateMatch
    | Join
    | RevealNonce
    | Play
    | Deal
    | Copy
    | RevealSecret
    | RevealPosition
    | Pause
    | Resume
    | Expire
    | Forfeit
    | Abort
    | DisputeCommand
)
"""Everything that `match.decide` takes."""

"""What can be asked for in a dispute: by a player, by a director, or by the server itself."""

from typing import TypeAlias

import msgspec

from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.disputes.events import DisputeReason, HandPoints, Instance, Ruling
from ginrummy.rules.forms import EndReason

__all__ = ["Appeal", "DisputeCommand", "Disputed", "OpenDispute", "RuleOnDispute", "TakeReplay"]


class _Wish(msgspec.Struct, frozen=True, gc=False):
    """The common form of commands: an immutable value."""


class Disputed(_Wish, frozen=True):
    """What a dispute is about, as the log has it: a hand, or the match as a whole."""

    hand: int | None
    """None for the match as a whole."""
    first: int
    """The number of the hand's or the match's first event."""
    last: int
    """The number of its last event; of the match, that of its end."""
    scored: HandPoints | None
    """What the hand has brought; None where it was void or broken off, or for the match."""


class OpenDispute(_Wish, frozen=True):
    """Dispute a hand, or the match as a whole."""

    by: str
    """The player's id."""
    about: Disputed | None
    """None for a hand that was never dealt, or is not over."""
    event: int
    """The number of the event that it is about."""
    reason: DisputeReason
    text: str


class Appeal(_Wish, frozen=True):
    """Have a ruling looked at by another director."""

    by: str
    """The player's id."""
    dispute: int
    text: str


class RuleOnDispute(_Wish, frozen=True):
    """Rule on a dispute, first or on appeal."""

    by: str
    """The director's id."""
    dispute: int
    ruling: Ruling
    rule: str
    """The number of the rule that it rests on."""
    why: str
    points: BySeat[int] = BySeat(0, 0)
    """What `adjust` adds to each seat's hand points."""
    seat: Seat | None = None
    """Who loses the match by `forfeit`."""


class TakeReplay(_Wish, frozen=True):
    """Take back how a hand came out that was played again."""

    dispute: int
    instance: Instance
    match: str
    """The id of the match in which it was."""
    seq: int
    """The number of that match's last line."""
    hash: str
    """That line's hash, in hex."""
    reason: EndReason
    scored: HandPoints | None
    """What the hand has brought; None where nobody has won it."""


DisputeCommand: TypeAlias = OpenDispute | Appeal | RuleOnDispute | TakeReplay
"""Everything that can be asked for in a dispute."""

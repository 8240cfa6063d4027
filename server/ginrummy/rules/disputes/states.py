"""The disputes over a match as they stand."""

from typing import Literal, TypeAlias

import msgspec

from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.disputes.events import DisputeReason, HandPoints, HandReplayed, Instance, Ruling

__all__ = ["Appealed", "Dispute", "DisputeStatus", "Ruled"]

DisputeStatus: TypeAlias = Literal["open", "ruled", "appealed", "closed"]
"""It waits for a ruling; it is ruled, and may be appealed for a time; it waits for the ruling on
appeal; that has been given."""


class Ruled(msgspec.Struct, frozen=True, gc=False):
    """A ruling."""

    instance: Instance
    ruling: Ruling
    points: BySeat[int]
    seat: Seat | None
    rule: str
    why: str
    by: str
    """The director's id."""
    at: int
    """In microseconds since 1970 UTC, as all instants here are."""
    replay: HandReplayed | None = None
    """How the hand came out that it had played again; None before that."""
    back_at: int | None = None
    """When that was recorded."""


class Appealed(msgspec.Struct, frozen=True, gc=False):
    """An appeal."""

    seat: Seat
    text: str
    at: int


class Dispute(msgspec.Struct, frozen=True, gc=False):
    """A dispute over a match."""

    number: int
    seat: Seat
    """Who has opened it."""
    hand: int | None
    """None for the match as a whole."""
    event: int
    scored: HandPoints | None
    """What the hand had brought."""
    reason: DisputeReason
    text: str
    at: int
    ruled: tuple[Ruled, ...] = ()
    """The rulings on it, the first one first."""
    appealed: Appealed | None = None

    @property
    def status(self) -> DisputeStatus:
        """What it waits for."""
        if not self.ruled:
            return "open"
        if self.appealed is None:
            return "ruled"
        return "appealed" if len(self.ruled) == 1 else "closed"

    @property
    def awaits_ruling(self) -> bool:
        """Whether it is for a director to rule on it."""
        return self.status in ("open", "appealed")

    @property
    def has_changed(self) -> bool:
        """Whether a ruling on it has changed the result, be it until an appeal."""
        return any(each.ruling not in ("dismiss", "uphold") for each in self.ruled)

    @property
    def standing(self) -> Ruled | None:
        """The ruling that stands, which is the last; None before there is one."""
        return self.ruled[-1] if self.ruled else None

    @property
    def appealable_since(self) -> int:
        """When the time to appeal began: with the ruling, or with the replay that it ordered."""
        stands = self.standing
        return self.at if stands is None else stands.back_at or stands.at

    @property
    def voids(self) -> bool:
        """Whether the hand does not count as it was played."""
        stands = self.standing
        return stands is not None and stands.ruling in ("void", "replay")

    @property
    def awaits_replay(self) -> bool:
        """Whether the hand is being played again, or has to be."""
        stands = self.standing
        return stands is not None and stands.ruling == "replay" and stands.replay is None

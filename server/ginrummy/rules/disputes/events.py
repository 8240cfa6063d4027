"""What can be recorded of a match after its end: disputes, rulings, and what follows from them.

The fields are the stored form's fields and are for ever, as those of all events are.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec

from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.forms import EndReason, Hex32

__all__ = [
    "LONGEST_TEXT",
    "MOST_POINTS",
    "DisputeAppealed",
    "DisputeEvent",
    "DisputeOpened",
    "DisputeReason",
    "DisputeRuled",
    "HandPoints",
    "HandReplayed",
    "Instance",
    "ResultAdjusted",
    "Ruling",
]

LONGEST_TEXT = 1000
"""Characters that a claim, an appeal, or a ruling's reason may have."""

MOST_POINTS = 1_000_000
"""What a ruling can add to a seat's points, or take off, at most."""

DisputeReason: TypeAlias = Literal[
    "card_not_in_deck",
    "move_denied",
    "score_wrong",
    "clock_wrong",
    "log_changed",
    "cards_seen",
    "rule_broken",
    "collusion",
    "conduct",
    "other",
]
"""What is claimed: a card that was dealt or played is not the deck's; a move that the log has was
never made; a score or the account is wrong; somebody was not out of time, or was; what is recorded
is not what was told then; the opponent saw hidden cards; something else was against the rules; two
have played into each other's hands; somebody behaved badly; anything else."""

Ruling: TypeAlias = Literal["dismiss", "uphold", "adjust", "void", "replay", "forfeit"]
"""What a director rules. `dismiss` finds against the claim, all others for it: `uphold` changes
nothing of the result, `adjust` changes the points, `void` makes the hand count for nobody, `replay`
does so and has it played again, and `forfeit` makes a seat lose the match."""

Instance: TypeAlias = Literal[1, 2]
"""1 for the first ruling on a dispute, 2 for the one on appeal."""

Text: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TEXT)]

Points: TypeAlias = Annotated[int, msgspec.Meta(ge=-MOST_POINTS, le=MOST_POINTS)]

_Number: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]


class _Event(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The common form of every event: an immutable value with its fields checked when read."""


class HandPoints(_Event, frozen=True):
    """Who has scored a hand, and how much."""

    winner: Seat
    points: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]


class DisputeOpened(_Event, frozen=True):
    """A player of an ended match disputes a hand of it, or the match as a whole (R4)."""

    dispute: _Number
    """Its number in the match."""
    seat: Seat
    """Who has opened it."""
    hand: _Number | None
    """Null for the match as a whole."""
    event: _Number
    """The number of the event that it is about, one of the hand's where it is about one."""
    scored: HandPoints | None
    """What the hand has brought; null where it was void or broken off, or it is about none."""
    reason: DisputeReason
    text: Text
    """What is claimed, in the player's words."""


class DisputeRuled(_Event, frozen=True):
    """A director has ruled on a dispute (R5, R6)."""

    dispute: _Number
    instance: Instance
    ruling: Ruling
    points: BySeat[Points]
    """What `adjust` adds to each seat's hand points, may be negative; 0 with all else."""
    seat: Seat | None
    """Who loses the match by `forfeit`; null with all else."""
    rule: str
    """The number of the rule that it rests on."""
    why: Text
    """The reason, in the director's words."""


class DisputeAppealed(_Event, frozen=True):
    """A player wants a dispute to be ruled on by another director (R9)."""

    dispute: _Number
    seat: Seat
    """Who appeals."""
    text: Text


class HandReplayed(_Event, frozen=True):
    """The match by which a hand was to be played again is over (R8)."""

    dispute: _Number
    instance: Instance
    """Which ruling had it played."""
    match: str
    """The match's id."""
    seq: _Number
    """The number of its last line."""
    hash: Hex32
    """That line's hash."""
    reason: EndReason
    """Why it ended."""
    scored: HandPoints | None
    """What the hand has brought; null where nobody has won it, and it stays void."""


class ResultAdjusted(_Event, frozen=True):
    """What the match's result is from now on (R7): the account, as a match's end has it."""

    dispute: _Number
    """By what was recorded of this dispute just before."""
    reason: EndReason
    winner: Seat | None
    points: BySeat[int]
    hands_won: BySeat[int]
    game_bonus: BySeat[int]
    box_bonus: BySeat[int]
    doubled: bool
    totals: BySeat[int]


DisputeEvent: TypeAlias = (
    DisputeOpened | DisputeRuled | DisputeAppealed | HandReplayed | ResultAdjusted
)
"""Everything that can be recorded of disputes."""

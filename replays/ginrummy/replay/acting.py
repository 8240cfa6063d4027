"""Who has caused an event, under which rule, and how long they thought about it."""

from typing import TypeAlias

import msgspec

from ginrummy.replay.stepping import Position
from ginrummy.rules import citing
from ginrummy.rules.cards import Seat
from ginrummy.rules.events import (
    Discarded,
    DiscardTaken,
    Event,
    Knocked,
    LaidOff,
    StockDrawn,
    UpcardPassed,
)
from ginrummy.rules.match import MS, Playing

__all__ = ["Act", "act_of"]

_Decision: TypeAlias = UpcardPassed | StockDrawn | DiscardTaken | Discarded | Knocked | LaidOff
"""What a seat decides, and thinks about."""


class Act(msgspec.Struct, frozen=True):
    """What is to be said of an event beside what it did."""

    seat: Seat | None
    """Whose event it is; None where it is nobody's."""
    by_server: bool
    """A seat's decision that the server made, as for a player who is away."""
    thought: int | None
    """How long the seat thought, in milliseconds; None where it decided nothing itself."""
    rule: str
    """The rule that the event stands under; empty where it is none of the game's."""
    is_taken_over: bool = False
    """A move that a fork has from the match where it branches off: nobody decided it here."""


def act_of(position: Position) -> Act:
    """Return who has caused the position's event, under which rule, and after what time."""
    line, before = position.line, position.before
    seat: Seat | None = getattr(line.event, "seat", None)
    hand = before.hand if isinstance(before, Playing) else None
    rule = citing.rule_of(line.event, hand)
    if seat is None or not _is_decision(line.event) or not isinstance(before, Playing):
        return Act(seat, by_server=False, thought=None, rule=rule)
    if before.copies or line.by == "server":
        return Act(seat, by_server=True, thought=None, rule=rule, is_taken_over=before.copies > 0)
    return Act(seat, by_server=False, thought=(line.at - before.clock.since) // MS, rule=rule)


def _is_decision(event: Event) -> bool:
    return isinstance(event, _Decision)

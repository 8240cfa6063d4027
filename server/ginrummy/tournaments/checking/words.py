"""A check's findings in words: how an event differs from what had to be."""

from collections.abc import Mapping

import msgspec

from ginrummy.tournaments.checking.report import CheckName
from ginrummy.tournaments.event.events import (
    BoardsRevealed,
    EntrantNonceRevealed,
    LotsDrawn,
    ResultRecorded,
    ResultRuled,
    RoundPaired,
    SittingAdjusted,
    SittingEnded,
    TestEnded,
    TournamentEnded,
    TournamentEvent,
    TournamentStarted,
)
from ginrummy.tournaments.event.fold import FORMS

__all__ = ["check_of", "differences", "named"]

_CHECKS: Mapping[type[TournamentEvent], CheckName] = {
    EntrantNonceRevealed: "nonces",
    TournamentStarted: "nonces",
    RoundPaired: "pairings",
    SittingEnded: "sittings",
    SittingAdjusted: "rulings",
    ResultRecorded: "results",
    ResultRuled: "results",
    TestEnded: "test",
    BoardsRevealed: "boards",
    LotsDrawn: "lots",
    TournamentEnded: "end",
}


def check_of(event: TournamentEvent) -> CheckName:
    """Return the check that answers for an event."""
    return _CHECKS.get(type(event), "course")


def named(event: TournamentEvent) -> str:
    """Return an event's stored name."""
    return FORMS.newest(event)[0]


def differences(found: msgspec.Struct, right: msgspec.Struct) -> str:
    """Say in which fields a value is not what it has to be."""
    assert type(found) is type(right)
    return "; ".join(
        f"{field} is {_value(getattr(found, field))}, but has to be {_value(getattr(right, field))}"
        for field in found.__struct_fields__
        if getattr(found, field) != getattr(right, field)
    )


def _value(value: object) -> str:
    return value if isinstance(value, str) and value else msgspec.json.encode(value).decode()

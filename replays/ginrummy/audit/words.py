"""An audit's findings in words: what somebody did, and how it differs from what was to be."""

import re

import msgspec

from ginrummy.audit.report import CheckName
from ginrummy.log.lines import FORMS
from ginrummy.rules import citing
from ginrummy.rules.cards import Card, Seat, write_cards
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeOpened,
    DisputeRuled,
    HandReplayed,
    ResultAdjusted,
)
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import (
    ClockExpired,
    ClockPaused,
    ClockResumed,
    Discarded,
    DiscardTaken,
    Event,
    HandDealt,
    HandScored,
    Knocked,
    LaidOff,
    LayOffCard,
    MatchEnded,
    NonceRevealed,
    PlayerJoined,
    PositionRevealed,
    Resigned,
    SecretRevealed,
    StockDrawn,
    UpcardPassed,
)
from ginrummy.rules.match import Match

__all__ = ["check_of", "differences", "doing", "named", "rule_of", "told_of", "who"]

_CHECKS: dict[type[Event], CheckName] = {
    PlayerJoined: "actors",
    NonceRevealed: "nonces",
    HandDealt: "dealing",
    HandScored: "scores",
    MatchEnded: "scores",
    SecretRevealed: "reveal",
    PositionRevealed: "reveal",
    ClockPaused: "clocks",
    ClockResumed: "clocks",
    ClockExpired: "clocks",
    DisputeOpened: "disputes",
    DisputeRuled: "disputes",
    DisputeAppealed: "disputes",
    HandReplayed: "disputes",
    ResultAdjusted: "rulings",
}

_REASONS: dict[Reason, CheckName] = {
    Reason.TIME_OVER: "clocks",
    Reason.MATCH_PAUSED: "clocks",
    Reason.NONCE_MISMATCH: "nonces",
    Reason.MATCH_OVER: "end",
    Reason.KEY_MISSING: "signatures",
    Reason.SIGNING_OFF: "signatures",
}

_THEY = {"your": "their", "for you": "for them", "you": "they"}
_YOU = re.compile(r"\b(your|for you|you)\b")


def check_of(event: Event, refusal: IllegalMoveError | None = None) -> CheckName:
    """Return the check that answers for an event, or for its having been refused."""
    if refusal is not None:
        if refusal.reason in _REASONS:
            return _REASONS[refusal.reason]
        if isinstance(event, MatchEnded) and event.reason == "abandoned":
            return "clocks"
    return _CHECKS.get(type(event), "moves")


def rule_of(right: Event, found: Event | None = None) -> str:
    """Return the rule that says what an event has to be; empty where none does."""
    if isinstance(right, HandDealt) and isinstance(found, HandDealt):
        return "D3" if found.dealer != right.dealer else "D1"
    if isinstance(right, DisputeRuled):
        # The one that it names is the director's reason.
        return "R5"
    return citing.rule_of(right)


def named(event: Event) -> str:
    """Return an event's stored name."""
    return FORMS.newest(event)[0]


def who(match: Match | None, event: Event) -> str:
    """Return what whoever caused an event is called."""
    seat: Seat | None = getattr(event, "seat", None)
    if seat is None:
        return "the server"
    seated = None if match is None else match.seats[seat]
    return f"seat {seat}" if seated is None else f"{seated.name} (seat {seat})"


def doing(event: Event) -> str:
    """Return what an event does, to follow `may not`."""
    match event:
        case UpcardPassed():
            return "pass"
        case StockDrawn():
            return "draw from the stock"
        case DiscardTaken(card=card):
            return f"take {card}"
        case Discarded(card=card):
            return f"discard {card}"
        case Knocked():
            return "knock"
        case LaidOff():
            return "lay off"
        case Resigned():
            return "resign"
        case _:
            return f"cause {named(event)}"


def told_of(why: str) -> str:
    """Return why somebody was refused, told of them and not to them."""
    return _YOU.sub(lambda found: _THEY[found[0]], why)


def differences(found: Event, right: Event) -> str:
    """Say in which fields an event is not what it has to be."""
    assert type(found) is type(right)
    return "; ".join(
        f"{field} is {_value(getattr(found, field))}, but has to be {_value(getattr(right, field))}"
        for field in found.__struct_fields__
        if getattr(found, field) != getattr(right, field)
    )


def _value(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case Card() | int() | str():
            return str(value)
        case LayOffCard(card=card, meld=meld):
            return f"{card} on meld {meld}"
        case tuple() if value and all(isinstance(card, Card) for card in value):
            return write_cards(value)
        case tuple():
            return ", ".join(map(_value, value)) or "empty"
        case None:
            return "nobody"
        case _:
            return msgspec.json.encode(value).decode()

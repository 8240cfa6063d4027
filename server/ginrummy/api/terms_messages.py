"""What was agreed for a match, to and from messages: ruleset, time control, limits, policies.

`*_message` writes what the rules hold, `*_from` reads what a request asks for. A request's field
that cannot be raises InvalidFieldError with the field's path, or InvalidRulesetError.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import asdict

from ginrummy.api.errors import InvalidFieldError
from ginrummy.rules.events import Limits, RevealPolicy, SigningPolicy, TimeControl
from ginrummy.rules.ruleset import NextDealer, Ruleset, make_ruleset
from ginrummy.v1 import ruleset_pb2 as pb

__all__ = [
    "REVEAL_POLICIES",
    "SIGNING_POLICIES",
    "clock_from",
    "clock_message",
    "dispute_ms_from",
    "limits_from",
    "limits_message",
    "reveal_from",
    "ruleset_from",
    "ruleset_message",
    "signing_from",
]

_NEXT_DEALERS: Mapping[NextDealer, pb.NextDealer.ValueType] = {
    "alternate": pb.NEXT_DEALER_ALTERNATE,
    "loser": pb.NEXT_DEALER_LOSER,
    "winner": pb.NEXT_DEALER_WINNER,
}

REVEAL_POLICIES: Mapping[RevealPolicy, pb.RevealPolicy.ValueType] = {
    "match": pb.REVEAL_POLICY_MATCH,
    "hand": pb.REVEAL_POLICY_HAND,
    "director": pb.REVEAL_POLICY_DIRECTOR,
}

SIGNING_POLICIES: Mapping[SigningPolicy, pb.SigningPolicy.ValueType] = {
    "off": pb.SIGNING_POLICY_OFF,
    "optional": pb.SIGNING_POLICY_OPTIONAL,
    "required": pb.SIGNING_POLICY_REQUIRED,
}

_NEXT_DEALER_OF = {value: dealer for dealer, value in _NEXT_DEALERS.items()}
_REVEAL_POLICY_OF = {value: policy for policy, value in REVEAL_POLICIES.items()}
_SIGNING_POLICY_OF = {value: policy for policy, value in SIGNING_POLICIES.items()}

_YEAR_MS = 366 * 86_400_000
"""No limit in a match is longer: every table comes to an end."""

_MOST_ILLEGAL_MOVES = 1000


def ruleset_message(rules: Ruleset) -> pb.Ruleset:
    """Return a ruleset with every field set; 0 stands for no cap and no number of hands."""
    fields = asdict(rules)
    fields["run_max"] = rules.run_max or 0
    fields["hands"] = rules.hands or 0
    fields["next_dealer"] = _NEXT_DEALERS[rules.next_dealer]
    return pb.Ruleset(**fields)


def ruleset_from(preset: str, message: pb.Ruleset) -> Ruleset:
    """Return a preset, `standard` where none is named, with the message's set fields changed.

    Raises InvalidRulesetError for an unknown preset or a field that cannot be.
    """
    changes: dict[str, Any] = {field.name: value for field, value in message.ListFields()}
    for field in ("run_max", "hands"):
        if changes.get(field) == 0:
            changes[field] = None
    if message.next_dealer:
        # A number that names no dealer goes on as it is, and the ruleset refuses it.
        changes["next_dealer"] = _NEXT_DEALER_OF.get(message.next_dealer, message.next_dealer)
    return make_ruleset(preset or "standard", changes)


def clock_message(clock: TimeControl) -> pb.TimeControl:
    """Return a time control."""
    return pb.TimeControl(
        bank_ms=clock.bank_ms, increment_ms=clock.increment_ms, decision_ms=clock.decision_ms
    )


def clock_from(message: pb.TimeControl) -> TimeControl | None:
    """Return the time control that a request asks for; None where it limits nothing."""
    bank = message.bank_ms if message.HasField("bank_ms") else None
    decision = message.decision_ms if message.HasField("decision_ms") else None
    _check("clock.bank_ms", bank, 1, _YEAR_MS)
    _check("clock.decision_ms", decision, 1, _YEAR_MS)
    _check("clock.increment_ms", message.increment_ms, 0, _YEAR_MS)
    if bank is None and message.increment_ms:
        raise InvalidFieldError("clock.increment_ms", "there is no bank_ms that it could add to")
    if bank is None and decision is None:
        return None
    return TimeControl(bank, message.increment_ms, decision)


def limits_message(limits: Limits) -> pb.Limits:
    """Return the limits of a match."""
    return pb.Limits(
        illegal_moves=limits.illegal_moves, start_ms=limits.start_ms, idle_ms=limits.idle_ms
    )


def limits_from(message: pb.Limits) -> Limits:
    """Return the limits that a request asks for; 0 stands for the usual one."""
    usual = Limits()
    _check("limits.illegal_moves", message.illegal_moves, 0, _MOST_ILLEGAL_MOVES)
    _check("limits.start_ms", message.start_ms, 0, _YEAR_MS)
    _check("limits.idle_ms", message.idle_ms, 0, _YEAR_MS)
    return Limits(
        illegal_moves=message.illegal_moves or usual.illegal_moves,
        start_ms=message.start_ms or usual.start_ms,
        idle_ms=message.idle_ms or usual.idle_ms,
    )


def reveal_from(value: pb.RevealPolicy.ValueType) -> RevealPolicy:
    """Return the reveal policy that a request asks for, `match` where it names none."""
    if value == pb.REVEAL_POLICY_UNSPECIFIED:
        return "match"
    policy = _REVEAL_POLICY_OF.get(value)
    if policy is None:
        raise InvalidFieldError("reveal", f"{value} is no reveal policy")
    return policy


def signing_from(value: pb.SigningPolicy.ValueType) -> SigningPolicy:
    """Return the signing policy that a request asks for, `off` where it names none."""
    if value == pb.SIGNING_POLICY_UNSPECIFIED:
        return "off"
    policy = _SIGNING_POLICY_OF.get(value)
    if policy is None:
        raise InvalidFieldError("signing", f"{value} is no signing policy")
    return policy


def dispute_ms_from(value: int) -> int:
    """Return how long a request wants results to stay open to disputes, in milliseconds."""
    _check("dispute_ms", value, 0, _YEAR_MS)
    return value


def _check(field: str, value: int | None, lowest: int, highest: int) -> None:
    if value is not None and not lowest <= value <= highest:
        raise InvalidFieldError(field, f"{value} is not from {lowest} to {highest}")

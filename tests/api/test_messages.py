"""The mapping to messages and back: nothing is lost on the way, and no field is forgotten."""

from typing import get_args

import msgspec
import pytest
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st
from support_events import (
    cards,
    events,
    hex32,
    instants,
    match_ids,
    names,
    player_ids,
    rulesets,
)
from support_messages import (
    Plain,
    builtins,
    enum_words,
    field_names,
    null_for_zero,
    plain,
    struct_fields,
)

from ginrummy.api.event_messages import event_message
from ginrummy.api.fields import stage_from
from ginrummy.api.player_messages import role_from
from ginrummy.api.terms_messages import (
    clock_from,
    clock_message,
    limits_from,
    limits_message,
    reveal_from,
    ruleset_from,
    ruleset_message,
    signing_from,
)
from ginrummy.api.wire import instant_of, timestamp
from ginrummy.log.lines import EVENT_TYPES, GENESIS, MatchLine, write_line
from ginrummy.rules import events as facts
from ginrummy.rules import ruleset, view
from ginrummy.rules.cards import Card
from ginrummy.rules.disputes import events as claims
from ginrummy.rules.disputes.states import DisputeStatus
from ginrummy.rules.events import Event, Limits, TimeControl
from ginrummy.rules.ruleset import PRESETS, Ruleset
from ginrummy.store import credentials, projections
from ginrummy.v1 import (
    dispute_service_pb2,
    events_pb2,
    match_pb2,
    player_service_pb2,
    ruleset_pb2,
)

NAMES = {event: name for name, event in EVENT_TYPES.items()}

lines = st.builds(
    write_line,
    stream=match_ids,
    seq=st.integers(1, 2**53),
    at=instants,
    by=player_ids | st.just("server"),
    cmd=names,
    event=events,
    prev=hex32,
)


def stored_form(name: str, fields: dict[str, Plain]) -> dict[str, Plain]:
    """Return a message's fields as the log has them: where the two differ, and why."""
    match name:
        case "match_created":
            # A message has no null: 0 and the empty text stand for it.
            fields["rules"] = null_for_zero(fields["rules"])
            fields["seats"] = [player or None for player in fields["seats"]]
            if fields["board"] is not None:
                fields["board"]["tournament"] = fields["board"].pop("tournament_id")
            if fields["origin"] is not None:
                fields["origin"]["match"] = fields["origin"].pop("match_id")
                fields["origin"]["position"] = fields["origin"]["position"] or None
        case "hand_replayed":
            fields["match"] = fields.pop("match_id")
        case "result_adjusted":
            outcome = fields.pop("outcome") or dict.fromkeys(field_names(events_pb2.MatchEnded))
            fields |= outcome
        case "position_revealed":
            fields["cards"] = [card or None for card in fields["cards"] or ()]
        case "player_joined":
            fields["player"] = fields.pop("player_id")
            by_server = fields.pop("nonce_by_server")
            fields["nonce_commitment"] = fields["nonce_commitment"] or None
            # Where there is no nonce, nobody drew one.
            drawn_by = "server" if by_server else "player"
            fields["nonce_by"] = drawn_by if fields["nonce_commitment"] else None
            fields["key"] = fields["key"] or None
        case _:
            pass
    return fields


# --- events -------------------------------------------------------------------------------------


@given(lines, st.none() | cards)
@settings(max_examples=400)
def test_an_event_says_what_its_line_says(line: MatchLine, drawn: Card | None) -> None:
    message = event_message(line, drawn)
    assert (message.seq, message.by, message.request_id) == (line.seq, line.by, line.cmd)
    assert instant_of(message.at) == line.at
    assert message.HasField("at")
    assert message.line == line.raw
    assert message.drawn == ("" if drawn is None else str(drawn))
    which = message.WhichOneof("event")
    assert which == line.type
    assert stored_form(which, plain(getattr(message, which))) == builtins(line.event)


@pytest.mark.parametrize(
    "event",
    [
        facts.UpcardPassed(0),
        facts.StockDrawn(0),
        facts.ClockPaused(),
        facts.ClockResumed(),
        facts.ClockExpired(0),
        facts.Resigned(0),
        facts.Forfeited(0, "illegal_moves"),
    ],
    ids=lambda event: NAMES[type(event)],
)
def test_an_event_is_set_where_all_its_fields_are_0_too(event: Event) -> None:
    line = write_line("m_0", 1, 0, "server", "", event, GENESIS)
    assert event_message(line).WhichOneof("event") == NAMES[type(event)]


def test_events_and_messages_have_the_same_names() -> None:
    oneof = events_pb2.Event.DESCRIPTOR.oneofs_by_name["event"]
    assert {field.name for field in oneof.fields} == set(EVENT_TYPES)
    assert set(NAMES) == set(get_args(Event))


@pytest.mark.parametrize("name", EVENT_TYPES)
def test_every_field_of_an_event_is_in_its_message_and_back(name: str) -> None:
    """A field that is added to one of them must be added to the other."""
    message = getattr(events_pb2.Event(), name)
    unset: dict[str, Plain] = dict.fromkeys(field_names(message))
    if name == "match_created":
        unset |= {"rules": {"run_max": None, "hands": None}, "seats": []}
    assert stored_form(name, unset).keys() == struct_fields(EVENT_TYPES[name])


SAME_FIELDS = [
    (facts.TimeControl, ruleset_pb2.TimeControl),
    (facts.Limits, ruleset_pb2.Limits),
    (facts.LayOffCard, events_pb2.LayOffCard),
    (Ruleset, ruleset_pb2.Ruleset),
    (view.HeldCards, match_pb2.HeldCards),
    (claims.HandPoints, events_pb2.HandPoints),
]


@pytest.mark.parametrize(("struct", "message"), SAME_FIELDS)
def test_parts_have_the_same_fields(struct: type[msgspec.Struct], message: type[Message]) -> None:
    assert struct_fields(struct) == field_names(message)


ENUMS = [
    (facts.HandKind, events_pb2.HandKind),
    (facts.VoidReason, events_pb2.VoidReason),
    (facts.EndReason, events_pb2.EndReason),
    (claims.DisputeReason, events_pb2.DisputeReason),
    (claims.Ruling, events_pb2.Ruling),
    (DisputeStatus, dispute_service_pb2.DisputeStatus),
    (facts.RevealPolicy, ruleset_pb2.RevealPolicy),
    (ruleset.NextDealer, ruleset_pb2.NextDealer),
    (view.Phase, match_pb2.Phase),
    (projections.Stage, match_pb2.Stage),
    (credentials.Role, player_service_pb2.Role),
]


@pytest.mark.parametrize(("words", "enum"), ENUMS)
def test_enumerations_have_the_rules_words(words: object, enum: Plain) -> None:
    assert set(enum_words(enum.DESCRIPTOR).values()) == {None, *get_args(words)}


# --- terms --------------------------------------------------------------------------------------


@given(rulesets)
def test_a_ruleset_comes_back(rules: Ruleset) -> None:
    message = ruleset_message(rules)
    assert null_for_zero(plain(message)) == builtins(rules)
    assert ruleset_from("", message) == rules


@given(st.sampled_from(sorted(PRESETS)), rulesets, st.data())
def test_a_preset_with_some_fields_changed(
    preset: str, other: Ruleset, data: st.DataObject
) -> None:
    free = st.sampled_from(("gin_bonus", "run_max", "hands", "next_dealer", "big_gin", "target"))
    chosen = data.draw(st.sets(free))
    full = ruleset_message(other)
    message = ruleset_pb2.Ruleset(**{field: getattr(full, field) for field in chosen})
    wanted = {field: getattr(other, field) for field in chosen}
    assert ruleset_from(preset, message) == msgspec.structs.replace(PRESETS[preset], **wanted)


year = 366 * 86_400_000
milliseconds = st.integers(1, year)


@given(
    st.builds(
        TimeControl,
        bank_ms=milliseconds,
        increment_ms=st.integers(0, year),
        decision_ms=st.none() | milliseconds,
    )
    | st.builds(TimeControl, decision_ms=milliseconds)
)
def test_a_time_control_comes_back(clock: TimeControl) -> None:
    assert plain(clock_message(clock)) == builtins(clock)
    assert clock_from(clock_message(clock)) == clock


def test_a_time_control_that_limits_nothing_is_none() -> None:
    assert clock_from(ruleset_pb2.TimeControl()) is None


@given(
    st.builds(
        Limits, illegal_moves=st.integers(1, 1000), start_ms=milliseconds, idle_ms=milliseconds
    )
)
def test_limits_come_back(limits: Limits) -> None:
    assert limits_from(limits_message(limits)) == limits


def test_limits_that_are_not_set_are_the_usual_ones() -> None:
    assert limits_from(ruleset_pb2.Limits()) == Limits()


def test_what_is_not_named_is_the_usual() -> None:
    assert reveal_from(ruleset_pb2.REVEAL_POLICY_UNSPECIFIED) == "match"
    assert reveal_from(ruleset_pb2.REVEAL_POLICY_DIRECTOR) == "director"
    assert signing_from(ruleset_pb2.SIGNING_POLICY_UNSPECIFIED) == "off"
    assert signing_from(ruleset_pb2.SIGNING_POLICY_REQUIRED) == "required"
    assert role_from(player_service_pb2.ROLE_UNSPECIFIED) == "player"
    assert role_from(player_service_pb2.ROLE_AUDITOR) == "auditor"
    assert stage_from(match_pb2.STAGE_UNSPECIFIED) is None
    assert stage_from(match_pb2.STAGE_ENDED) == "ended"
    assert ruleset_from("", ruleset_pb2.Ruleset()) == PRESETS["standard"]


@given(instants)
def test_an_instant_comes_back(at: int) -> None:
    assert instant_of(timestamp(at)) == at


def test_a_timestamp_is_cut_to_microseconds() -> None:
    assert instant_of(Timestamp(seconds=1, nanos=2_999)) == 1_000_002

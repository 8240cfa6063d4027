"""Fields as bytes: they read back as what protobuf itself would have written."""

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st
from support_events import instants

from ginrummy.api.wire import timestamp
from ginrummy.api.written import card_fields, flag, instant, key, number, numbers, part, text
from ginrummy.rules.cards import DECK
from ginrummy.v1 import match_pb2 as pb
from ginrummy.v1 import match_service_pb2 as service


@given(st.integers(-(2**63), 2**63 - 1))
@pytest.mark.parametrize("step", [0, 1])
def test_numbers_of_64_bits_are_written(step: int, value: int) -> None:
    around = min(value + step, 2**63 - 1)
    assert pb.View.FromString(key(pb.View, "seq") + number(around)).seq == around


@pytest.mark.parametrize("bits", range(1, 63))
def test_numbers_at_the_edges_of_their_bytes_are_as_short_as_protobuf_writes_them(
    bits: int,
) -> None:
    for value in (2**bits - 1, 2**bits):
        raw = key(pb.View, "seq") + number(value)
        assert raw == pb.View(seq=value).SerializeToString()


@given(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=4))
def test_numbers_in_a_row_are_one_field(values: list[int]) -> None:
    raw = numbers(key(pb.View, "points"), values)
    assert list(pb.View.FromString(raw).points) == values


@given(st.text())
def test_texts_are_written(content: str) -> None:
    raw = text(key(pb.View, "match_id"), content)
    assert pb.View.FromString(raw).match_id == content


@given(instants)
def test_instants_are_written_as_they_are_filled_in(at: int) -> None:
    raw = instant(key(pb.ClockView, "deadline"), at)
    assert pb.ClockView.FromString(raw).deadline == timestamp(at)


def test_an_instant_of_1970_is_set() -> None:
    raw = instant(key(pb.ClockView, "deadline"), 0)
    assert pb.ClockView.FromString(raw).HasField("deadline")
    assert pb.ClockView.FromString(raw).deadline == Timestamp()


def test_a_message_within_a_message_stands_after_its_length() -> None:
    raw = part(key(service.PlayResponse, "view"), flag(pb.View, "practice"))
    assert raw == service.PlayResponse(view=pb.View(practice=True)).SerializeToString()


def test_every_card_has_its_field() -> None:
    raw = b"".join(card_fields(pb.HandView, "discard_pile"))
    assert list(pb.HandView.FromString(raw).discard_pile) == [str(card) for card in DECK]


def test_a_field_that_a_message_does_not_have_has_no_key() -> None:
    with pytest.raises(KeyError):
        key(pb.View, "no_such_field")

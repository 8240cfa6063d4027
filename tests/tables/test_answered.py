"""Which requests were answered: all are found, in little room, and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginrummy.tables.answered import Answered

REQUESTS = st.lists(st.tuples(st.sampled_from(("p_one", "p_two")), st.text(max_size=4)))


@given(REQUESTS, st.text(max_size=5))
def test_every_request_is_found_and_no_other(requests: list[tuple[str, str]], other: str) -> None:
    answered = Answered()
    for seq, (by, request_id) in enumerate(requests, start=1):
        answered.add(by, request_id, seq)
    for by, request_id in [*requests, ("p_one", other)]:
        expected = [seq for seq, each in enumerate(requests, start=1) if each == (by, request_id)]
        assert list(answered.candidates(by, request_id)) == expected
    assert len(answered) == len(requests)


@given(REQUESTS)
def test_what_was_written_down_is_read_again(requests: list[tuple[str, str]]) -> None:
    answered = Answered()
    for seq, (by, request_id) in enumerate(requests, start=1):
        answered.add(by, request_id, seq)
    again = Answered.read(answered.written())
    for seq, (by, request_id) in enumerate(requests, start=1):
        assert list(again.candidates(by, request_id)) == list(answered.candidates(by, request_id))
        # It goes on where it was, and what it knows already it does not keep twice.
        again.add(by, request_id, seq)
    assert again.written() == answered.written()
    again.add("p_one", "one more", 10_000)
    assert list(again.candidates("p_one", "one more")) == [10_000]


@given(st.binary(max_size=100).filter(lambda raw: len(raw) < 16 or (len(raw) - 16) % 8))
def test_what_is_of_another_length_is_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match="not what a match has answered"):
        Answered.read(raw)


def test_nobody_else_knows_where_requests_meet() -> None:
    one, other = Answered(), Answered()
    for each in (one, other):
        each.add("p_one", "r", 1)
    assert one.written() != other.written()

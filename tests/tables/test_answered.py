"""Which requests were answered: all are found, in little room, and nothing else is."""

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

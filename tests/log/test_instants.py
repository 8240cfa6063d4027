"""Instants: one text for each, and no other."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ginrummy.log.instants import InvalidInstantError, read_instant, write_instant

FIRST = -62_135_596_800_000_000
"""0001-01-01T00:00:00.000000Z."""
LAST = 253_402_300_799_999_999
"""9999-12-31T23:59:59.999999Z."""


@given(st.integers(FIRST, LAST))
@example(FIRST)
@example(LAST)
@example(0)
@example(-1)
@example(951_827_696_000_001)
def test_every_microsecond_reads_back(at: int) -> None:
    text = write_instant(at)
    assert re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z", text)
    assert read_instant(text) == at
    assert datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at) == datetime.fromisoformat(
        text
    )


def test_known_instants() -> None:
    assert write_instant(0) == "1970-01-01T00:00:00.000000Z"
    assert read_instant("2026-11-29T22:48:58.123456Z") == 1_795_992_538_123_456
    assert read_instant("2000-02-29T00:00:00.000001Z") == 951_782_400_000_001


@given(st.integers(FIRST, LAST), st.integers(FIRST, LAST))
def test_texts_order_as_instants_do(one: int, another: int) -> None:
    assert (write_instant(one) < write_instant(another)) == (one < another)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-11-29T22:48:58Z",
        "2026-11-29T22:48:58.123Z",
        "2026-11-29T22:48:58.1234567Z",
        "2026-11-29T22:48:58.123456",
        "2026-11-29T22:48:58.123456z",
        "2026-11-29t22:48:58.123456Z",
        "2026-11-29 22:48:58.123456Z",
        "2026-11-29T22:48:58,123456Z",
        "2026-11-29T22:48:58.123456+00:00",
        "2026-11-29T22:48:58.123456Z ",
        " 2026-11-29T22:48:58.123456Z",
        "2026-11-29T22:48:58.123456Z\n",
        "2026-11-29T22:48:58.+12345Z",
        "2026-11-29T22:48:58.1_3456Z",
        "2026-11-29T22:48:58.12345٦Z",
        "2026-11-29T22:48:5٨.123456Z",
        "2026-11-29T22:48:58.12345 Z",
        "2026-W48-7T22:48:58.123456Z",
        "2026-11-29T24:00:00.000000Z",
        "2026-11-29T23:59:60.000000Z",
        "2026-02-29T00:00:00.000000Z",
        "2026-13-01T00:00:00.000000Z",
        "0000-01-01T00:00:00.000000Z",
        "20261129T224858-0100.123456Z",
        "2026-11-29T22:48:58.123456Zé",
    ],
)
def test_every_other_form_is_refused(text: str) -> None:
    with pytest.raises(InvalidInstantError, match="is not a time like 2026"):
        read_instant(text)


@given(st.text(max_size=30) | st.from_regex(r"[0-9TZ:.\-+ W]{26,28}", fullmatch=True))
def test_what_reads_at_all_is_the_fixed_form(text: str) -> None:
    try:
        at = read_instant(text)
    except InvalidInstantError:
        return
    assert write_instant(at) == text


@pytest.mark.parametrize("at", [FIRST - 1, LAST + 1, 10**30, -(10**30)])
def test_a_number_outside_the_years_has_no_text(at: int) -> None:
    with pytest.raises(InvalidInstantError, match="outside the years 0001 to 9999"):
        write_instant(at)

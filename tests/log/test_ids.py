"""Ids: 130 of the caller's random bits, spelled without letters that look alike."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginrummy.log.ids import ID_ENTROPY, is_match, match_id, player_id, tournament_id

entropies = st.binary(min_size=ID_ENTROPY, max_size=ID_ENTROPY)


@given(entropies)
def test_ids_are_a_kind_and_26_characters(entropy: bytes) -> None:
    assert re.fullmatch(r"m_[0-9a-hjkmnp-tv-z]{26}", match_id(entropy))
    assert player_id(entropy) == "p_" + match_id(entropy)[2:]
    assert tournament_id(entropy) == "t_" + match_id(entropy)[2:]
    assert [is_match(make(entropy)) for make in (match_id, player_id, tournament_id)] == [
        True,
        False,
        False,
    ]


@given(entropies)
def test_the_first_130_bits_are_all_in_the_id(entropy: bytes) -> None:
    value = 0
    for character in match_id(entropy)[2:]:
        value = value * 32 + "0123456789abcdefghjkmnpqrstvwxyz".index(character)
    assert value == int.from_bytes(entropy) >> 6


def test_known_ids() -> None:
    assert match_id(bytes(17)) == "m_" + 26 * "0"
    assert player_id(b"\xff" * 17) == "p_" + 26 * "z"
    assert match_id(bytes(range(17))) == "m_000g40r40m30e209185gr38e1w"


@pytest.mark.parametrize("make", [match_id, player_id, tournament_id])
@pytest.mark.parametrize("size", [0, 16, 18])
def test_too_little_entropy_is_refused(make: Callable[[bytes], str], size: int) -> None:
    with pytest.raises(ValueError, match="takes 17 random bytes"):
        make(bytes(size))

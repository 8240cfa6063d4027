"""Which 32 bytes are a public key: points of the base point's order, in their one spelling."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginrummy.log.curve25519 import is_public_key
from ginrummy.log.ed25519 import is_signed, public_key

RFC_8032 = (
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
)

OF_SMALL_ORDER = (
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
)

NOT_CANONICAL = (
    "0100000000000000000000000000000000000000000000000000000000000080",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
)


@given(st.binary(min_size=32, max_size=32))
def test_what_comes_of_a_secret_is_a_public_key(secret: bytes) -> None:
    assert is_public_key(public_key(secret))


@pytest.mark.parametrize("key", RFC_8032)
def test_the_keys_of_rfc_8032_are_public_keys(key: str) -> None:
    assert is_public_key(bytes.fromhex(key))


@pytest.mark.parametrize("key", [*OF_SMALL_ORDER, *NOT_CANONICAL])
def test_a_key_of_small_order_or_in_another_spelling_is_none(key: str) -> None:
    assert not is_public_key(bytes.fromhex(key))


def test_a_point_with_a_part_of_small_order_is_none() -> None:
    """The sum of a public key and the point of order 2: (x, y) becomes (-x, -y)."""
    key = int.from_bytes(bytes.fromhex(RFC_8032[0]), "little")
    sign, y = key >> 255, key & (1 << 255) - 1
    other = (2**255 - 19 - y) | (1 - sign) << 255
    assert not is_public_key(other.to_bytes(32, "little"))


@pytest.mark.parametrize("size", [0, 1, 31, 33, 64])
def test_only_32_bytes_are(size: int) -> None:
    assert not is_public_key(bytes(size))


def test_of_random_bytes_one_in_sixteen_is() -> None:
    """Half of all y are on the curve, and of the points there an eighth."""
    rng = random.Random(1)
    found = sum(is_public_key(rng.randbytes(32)) for _ in range(400))
    assert 10 <= found <= 45


def test_why_small_order_is_refused() -> None:
    """Under such a key, a library takes one signature for many texts."""
    neutral = bytes.fromhex(OF_SMALL_ORDER[0])
    anybodys = neutral + bytes(32)
    assert is_signed(neutral, b"I discard 7H", anybodys)
    assert is_signed(neutral, b"I resign", anybodys)

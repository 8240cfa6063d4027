"""The committed deck: exact against the vectors, fair, and silent about its secrets."""

import hashlib
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginrummy.log.deck import (
    CHAIN_LENGTH,
    SecretChain,
    hash_down,
    nonce_commitment,
    shuffle,
    verify_secret,
)
from ginrummy.rules.cards import DECK, BySeat, write_cards

VECTORS = Path(__file__).parents[1] / "vectors" / "deck.tsv"
MATCH = "m_scyr0fbpvntbbqq3d6c9xj9gar"
LAST = hashlib.sha256(b"the last hand's secret").digest()
NONCES = BySeat(bytes(range(16)), bytes(range(16, 32)))

secrets = st.binary(min_size=32, max_size=32)
nonce_pairs = st.builds(
    BySeat, st.binary(min_size=16, max_size=16), st.binary(min_size=16, max_size=16)
)


def rows() -> list[list[str]]:
    return [line.split("\t") for line in VECTORS.read_text().splitlines()[1:]]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row[1]}-{row[2]}")
def test_vectors(row: list[str]) -> None:
    secret, match, hand, nonce0, nonce1, deck, first_dealer = row
    nonces = BySeat(bytes.fromhex(nonce0), bytes.fromhex(nonce1))
    dealt = shuffle(bytes.fromhex(secret), match, int(hand), nonces)
    assert write_cards(dealt.deck) == deck
    assert ("" if dealt.first_dealer is None else str(dealt.first_dealer)) == first_dealer


def test_there_are_vectors() -> None:
    assert len(rows()) == 40


@given(secrets, st.integers(1, 2**32 - 1), nonce_pairs)
def test_a_deck_is_all_52_cards(secret: bytes, hand: int, nonces: BySeat[bytes]) -> None:
    """C1"""
    dealt = shuffle(secret, MATCH, hand, nonces)
    assert len(dealt.deck) == 52
    assert set(dealt.deck) == set(DECK)
    assert (dealt.first_dealer is None) == (hand != 1)


def test_everything_that_goes_in_changes_the_deck() -> None:
    first, second = NONCES
    decks = {
        shuffle(LAST, MATCH, 1, NONCES).deck,
        shuffle(hash_down(LAST, 1), MATCH, 1, NONCES).deck,
        shuffle(LAST, MATCH[:-1] + "q", 1, NONCES).deck,
        shuffle(LAST, MATCH, 2, NONCES).deck,
        shuffle(LAST, MATCH, 257, NONCES).deck,
        shuffle(LAST, MATCH, 1, BySeat(second, first)).deck,
        shuffle(LAST, MATCH, 1, BySeat(first, first)).deck,
    }
    assert len(decks) == 7


def test_every_card_comes_first_as_often_as_any_other() -> None:
    """C13 The 52 counts are within chance: chi-square with 51 degrees, 1 in 1,000 above 87.97."""
    chain = SecretChain(LAST, 5200)
    firsts = Counter(
        shuffle(chain.secret(hand), MATCH, hand, NONCES).deck[0] for hand in range(1, 5201)
    )
    chi_square = sum((firsts[card] - 100) ** 2 / 100 for card in DECK)
    assert chi_square < 87.97


def test_either_seat_deals_first_as_often() -> None:
    """D3 The first dealer of 2,000 matches is within 3.3 standard deviations of even."""
    dealers = Counter(shuffle(LAST, f"m_{k}", 1, NONCES).first_dealer for k in range(2000))
    assert dealers[0] + dealers[1] == 2000
    assert abs(dealers[0] - 1000) < 3.3 * 2000**0.5 / 2


@pytest.mark.parametrize("length", [1, 31, 32, 33, 100, CHAIN_LENGTH])
def test_every_secret_hashes_to_the_one_before(length: int) -> None:
    chain = SecretChain(LAST, length)
    assert chain.secret(length) == LAST
    for hand in range(length, 0, -1):
        assert hashlib.sha256(chain.secret(hand)).digest() == chain.secret(hand - 1)
    assert chain.commitment == chain.secret(0).hex()


@given(st.integers(1, CHAIN_LENGTH), st.integers(0, 255), st.integers(0, 31))
def test_a_secret_proves_itself_and_its_hand(hand: int, flip: int, place: int) -> None:
    chain = SecretChain(LAST)
    secret = chain.secret(hand)
    assert verify_secret(secret, hand, chain.commitment)
    assert not verify_secret(secret, hand - 1, chain.commitment)
    assert not verify_secret(secret, hand + 1, chain.commitment)
    other = bytearray(secret)
    other[place] ^= flip or 1
    assert not verify_secret(bytes(other), hand, chain.commitment)


def test_a_revealed_secret_gives_all_hands_before() -> None:
    chain = SecretChain(LAST)
    revealed = SecretChain(chain.secret(40), 40)
    assert revealed.commitment == chain.commitment
    assert [revealed.secret(k) for k in range(41)] == [chain.secret(k) for k in range(41)]


@pytest.mark.parametrize("hand", [-1, CHAIN_LENGTH + 1])
def test_a_hand_out_of_the_chain_is_refused(hand: int) -> None:
    with pytest.raises(ValueError, match="is not among the 0 to 1000 of the chain"):
        SecretChain(LAST).secret(hand)


def test_nonce_commitment_is_its_sha256() -> None:
    assert nonce_commitment(NONCES[0]) == hashlib.sha256(NONCES[0]).hexdigest()


@pytest.mark.parametrize(
    ("secret", "hand", "nonces", "message"),
    [
        (LAST[1:], 1, NONCES, "a secret is 32 bytes, not 31"),
        (LAST, 1, BySeat(b"", NONCES[1]), "a nonce is 16 bytes, not 0"),
        (LAST, 1, BySeat(NONCES[0], LAST), "a nonce is 16 bytes, not 32"),
        (LAST, 0, NONCES, "0 is not a hand's number"),
        (LAST, 2**32, NONCES, "4294967296 is not a hand's number"),
    ],
)
def test_what_cannot_be_is_refused(
    secret: bytes, hand: int, nonces: BySeat[bytes], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        shuffle(secret, MATCH, hand, nonces)


def test_no_repr_and_no_message_shows_a_secret() -> None:
    chain = SecretChain(LAST)
    with pytest.raises(ValueError, match="bytes") as refusal:
        shuffle(LAST + LAST, MATCH, 1, NONCES)
    with pytest.raises(ValueError, match="among") as out_of_chain:
        chain.secret(-1)
    for shown in (repr(chain), str(chain), str(refusal.value), str(out_of_chain.value)):
        assert LAST.hex() not in shown
        assert repr(LAST)[2:-1] not in shown

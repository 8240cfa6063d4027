"""Boards: exact against the vectors, the same cards at every table, and no table's suits."""

import hashlib
import hmac
from pathlib import Path
from random import Random
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_events import hex32, match_ids, player_ids
from support_rules import opened

from ginrummy.log.boards import board_deck, mix_of, secret_number, sitting_deck
from ginrummy.rules.cards import DECK, RANKS, SUITS, write_cards
from ginrummy.rules.events import Board

VECTORS = Path(__file__).parents[1] / "vectors" / "boards.tsv"

SECRET = hashlib.sha256(b"a board's secret").digest()
MATCH = "m_scyr0fbpvntbbqq3d6c9xj9gar"
BOARD = Board("t_3d8zq1h5w9n4kx7vr2cm6yj0gb", 7, "ab" * 32)

secrets = st.binary(min_size=32, max_size=32)
nonces = st.binary(min_size=16, max_size=16)
boards = st.builds(
    Board, player_ids.map(lambda text: "t_" + text[2:]), st.integers(1, 2**31 - 1), hex32
)


def rows() -> list[list[str]]:
    return [line.split("\t") for line in VECTORS.read_text().splitlines()[1:]]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row[1]}-{row[3]}")
def test_vectors(row: list[str]) -> None:
    secret, match, tournament, number, mix, deck, dealer = row
    dealt = sitting_deck(bytes.fromhex(secret), Board(tournament, int(number), mix), match)
    assert (write_cards(dealt.deck), str(dealt.first_dealer)) == (deck, dealer)


def test_there_are_vectors() -> None:
    assert len(rows()) == 20


# --- the mix --------------------------------------------------------------------------------------


def test_the_mix_is_of_all_nonces_in_the_order_of_the_ids() -> None:
    first, second = bytes(range(16)), bytes(range(16, 32))
    mix = hashlib.sha256(b"p_1\0" + first + b"p_2\0" + second).hexdigest()
    assert mix_of({"p_1": first, "p_2": second}) == mix
    assert mix_of({"p_2": second, "p_1": first}) == mix
    assert mix_of({"p_1": second, "p_2": first}) != mix
    assert mix_of({}) == hashlib.sha256().hexdigest()


@given(st.dictionaries(player_ids, nonces, min_size=1, max_size=6), nonces, st.randoms())
def test_every_nonce_changes_the_mix(
    entrants: dict[str, bytes], other: bytes, source: Random
) -> None:
    mix = mix_of(MappingProxyType(entrants))
    changed = dict(entrants)
    entrant = source.choice(sorted(entrants))
    changed[entrant] = other
    assert (mix_of(changed) == mix) == (other == entrants[entrant])
    del changed[entrant]
    assert mix_of(changed) != mix


@pytest.mark.parametrize("size", [0, 15, 17])
def test_a_nonce_of_another_length_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="a nonce is 16 bytes"):
        mix_of({"p_1": bytes(size)})


# --- decks ----------------------------------------------------------------------------------------


@given(secrets, boards, match_ids, match_ids)
def test_every_table_plays_the_same_ranks_from_the_same_seat(
    secret: bytes, board: Board, match: str, other: str
) -> None:
    """C1 all 52 cards, and each suit at one table is one suit at another."""
    plain, first, second = (
        board_deck(secret, board),
        sitting_deck(secret, board, match),
        sitting_deck(secret, board, other),
    )
    for dealt in (first, second):
        assert set(dealt.deck) == set(DECK)
        assert dealt.first_dealer == plain.first_dealer
        assert [card.rank for card in dealt.deck] == [card.rank for card in plain.deck]
        suits = {(old.suit, new.suit) for old, new in zip(plain.deck, dealt.deck, strict=True)}
        assert len(suits) == len(SUITS)


def test_everything_that_goes_in_changes_the_deck() -> None:
    tournament, number, mix = BOARD.tournament, BOARD.number, BOARD.mix
    decks = {
        board_deck(SECRET, board).deck
        for board in (
            BOARD,
            Board(tournament[:-1] + "c", number, mix),
            Board(tournament, number + 1, mix),
            Board(tournament, number + 256, mix),
            Board(tournament, number, "ac" + mix[2:]),
        )
    }
    decks.add(board_deck(hashlib.sha256(SECRET).digest(), BOARD).deck)
    assert len(decks) == 6


def test_every_order_of_the_suits_comes_as_often_as_any_other() -> None:
    """24 orders over 4,800 matches: chi-square with 23 degrees, 1 in 1,000 above 49.73."""
    plain = board_deck(SECRET, BOARD).deck
    aces = [plain.index(DECK[len(RANKS) * suit]) for suit in range(len(SUITS))]
    counts: dict[tuple[int, ...], int] = {}
    for number in range(4800):
        deck = sitting_deck(SECRET, BOARD, f"m_{number}").deck
        order = tuple(deck[place].suit for place in aces)
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 24
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 49.73


def test_both_seats_deal_alike() -> None:
    """2,000 boards: seat 0 deals 1,000 of them, give or take four standard deviations."""
    dealers = sum(
        board_deck(SECRET, Board(BOARD.tournament, number, BOARD.mix)).first_dealer or 0
        for number in range(1, 2001)
    )
    assert 910 < dealers < 1090


def test_the_keys_are_these() -> None:
    """Written out a second time, so that neither a separator nor a length is lost unseen."""
    key = hmac.digest(
        SECRET,
        b"ginrummy/v1/board\0"
        + BOARD.tournament.encode()
        + b"\0\0\0\0\7"
        + bytes.fromhex(BOARD.mix),
        "sha256",
    )
    word = int.from_bytes(hmac.digest(key, bytes(4), "sha256")[:4])
    # The first word fills the last place.
    assert word < (1 << 32) // 52 * 52
    assert board_deck(SECRET, BOARD).deck[51] is DECK[word % 52]
    suits = hmac.digest(SECRET, b"ginrummy/v1/suits\0" + MATCH.encode(), "sha256")
    word = int.from_bytes(hmac.digest(suits, bytes(4), "sha256")[:4])
    plain, dealt = board_deck(SECRET, BOARD).deck, sitting_deck(SECRET, BOARD, MATCH).deck
    # The last of the four suits is the one that the first word names.
    assert dealt[plain.index(DECK[39])].suit == word % 4


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_secret_of_another_length_is_refused_unshown(size: int) -> None:
    secret = b"\xab" * size
    with pytest.raises(ValueError, match="a secret is 32 bytes") as refused:
        board_deck(secret, BOARD)
    assert "ab" * 8 not in str(refused.value)
    with pytest.raises(ValueError, match="a secret is 32 bytes"):
        sitting_deck(secret, BOARD, MATCH)


def test_a_hands_secret_is_numbered_by_hand_or_by_board() -> None:
    assert [secret_number(opened(), hand) for hand in (0, 1, 2)] == [0, 1, 2]
    assert secret_number(opened(board=BOARD), 1) == 7

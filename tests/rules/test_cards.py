"""Cards, sets of them, and how they are written (C1, C2)."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_cards import card_sets

from ginrummy.rules.cards import (
    DECK,
    RANKS,
    SUITS,
    BySeat,
    Card,
    UnreadableCardError,
    card_set,
    cards_in,
    other,
    parse_card,
    parse_cards,
    points,
    write_cards,
)

ALL_CARDS = card_set(DECK)


def test_the_unshuffled_deck_is_ace_to_king_of_spades_hearts_diamonds_and_clubs() -> None:
    """C1"""
    assert [str(card) for card in DECK] == [rank + suit for suit in SUITS for rank in RANKS]
    assert [card.index for card in DECK] == list(range(52))


def test_a_card_knows_its_rank_suit_and_place() -> None:
    """C1"""
    card = Card("7H")
    assert (str(card), repr(card)) == ("7H", "7H")
    assert (card.rank, card.suit, card.index, card.bit) == (6, 1, 19, 1 << 19)


@pytest.mark.parametrize(
    ("card", "worth"),
    [("AS", 1), ("2H", 2), ("9D", 9), ("TC", 10), ("JS", 10), ("QH", 10), ("KD", 10)],
)
def test_an_ace_counts_one_and_a_court_card_ten(card: str, worth: int) -> None:
    """C2"""
    assert parse_card(card).points == worth


def test_a_deck_holds_340_points() -> None:
    """C2"""
    assert points(ALL_CARDS) == 340
    assert points(0) == 0


@given(card_sets(52))
def test_a_sets_points_are_its_cards_points(cards: int) -> None:
    assert points(cards) == sum(card.points for card in cards_in(cards))


@given(st.sets(st.sampled_from(DECK)))
def test_a_set_gives_its_cards_back_in_the_decks_order(cards: set[Card]) -> None:
    assert cards_in(card_set(cards)) == tuple(sorted(cards, key=lambda card: card.index))


@given(st.lists(st.sampled_from(DECK), unique=True))
def test_cards_that_are_written_can_be_read(cards: list[Card]) -> None:
    """C1"""
    assert parse_cards(write_cards(cards)) == tuple(cards)


@pytest.mark.parametrize(
    ("written", "card"),
    [
        ("7H", "7H"),
        ("10S", "TS"),
        ("10s", "TS"),
        ("tS", "TS"),
        ("qd", "QD"),
        ("A♠", "AS"),
        ("10♥", "TH"),
        ("k♦", "KD"),
        ("2♧", "2C"),
        (" 7H ", "7H"),
    ],
)
def test_input_takes_more_than_the_two_character_form(written: str, card: str) -> None:
    """C1: and output is always that form."""
    assert str(parse_card(written)) == card


@pytest.mark.parametrize("text", ["", "7", "H7", "1H", "11H", "10", "7X", "7HH", "ZS", "♠A", "7 H"])
def test_what_names_no_card_is_refused_with_the_text(text: str) -> None:
    """C1"""
    with pytest.raises(UnreadableCardError) as refused:
        parse_card(text)
    assert repr(text) in str(refused.value)


def test_cards_are_read_between_white_space_and_commas() -> None:
    """C1"""
    assert parse_cards(" 2D,3D\t10D\n") == (Card("2D"), Card("3D"), Card("TD"))
    assert parse_cards("") == ()


def test_a_card_named_twice_is_refused_by_name() -> None:
    with pytest.raises(UnreadableCardError, match="TS is named twice"):
        parse_cards("TS 2D 10s")


def test_a_card_is_stored_as_it_is_written() -> None:
    """C1"""
    assert msgspec.json.encode((Card("TS"), Card("7H"))) == b'["TS","7H"]'
    assert msgspec.json.decode(b'["TS"]', type=tuple[Card, ...]) == (Card("TS"),)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'["10S"]', type=tuple[Card, ...])


def test_a_pair_by_seat_changes_one_seat() -> None:
    pair = BySeat("a", "b")
    assert pair.put(0, "c") == BySeat("c", "b")
    assert pair.put(1, "c") == BySeat("a", "c")
    assert pair == BySeat("a", "b")


def test_each_seat_faces_the_other() -> None:
    assert (other(0), other(1)) == (1, 0)

"""The position that a fork begins in: how it is written, committed to, and filled."""

import hashlib
import random

import pytest
from support_logs import played

from ginrummy.log.copies import read_copy, write_copies
from ginrummy.log.lines import read_line
from ginrummy.log.positions import Exposure, Position, exposures, owners, position_of
from ginrummy.rules.cards import DECK, Card, parse_cards
from ginrummy.rules.events import (
    Discarded,
    DiscardTaken,
    HandEvent,
    Knocked,
    StockDrawn,
    UpcardPassed,
)

SALT = bytes(range(16))
HALF = Position(SALT, (*DECK[:26], *(None,) * 26))


def test_a_position_is_committed_to_by_its_salt_and_two_characters_a_place() -> None:
    assert HALF.written[:16] == SALT
    assert HALF.written[16:] == b"AS2S3S4S5S6S7S8S9STSJSQSKSAH2H3H4H5H6H7H8H9HTHJHQHKH" + b"--" * 26
    assert HALF.commitment == hashlib.sha256(HALF.written).hexdigest()
    assert position_of(HALF.written) == HALF
    assert position_of(Position(SALT, DECK).written).is_whole
    assert not HALF.is_whole


@pytest.mark.parametrize(
    "written",
    [b"", SALT, HALF.written[:-1], HALF.written[:-2], HALF.written + b"--", SALT + b"AS" * 52],
)
def test_what_is_no_position_is_refused_without_a_word_of_its_cards(written: bytes) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 -- its words are looked at below
        position_of(written)
    assert "2S3S" not in str(refused.value)


def test_open_places_take_the_other_cards_in_the_order_of_the_own_deck() -> None:
    own = tuple(random.Random(1).sample(DECK, 52))
    filled = HALF.filled(own)
    assert filled[:26] == DECK[:26]
    assert filled[26:] == tuple(card for card in own if card in DECK[26:])
    assert Position(SALT, DECK).filled(own) == DECK
    assert Position(SALT, (None,) * 52).filled(own) == own


MOVES: tuple[HandEvent, ...] = (
    UpcardPassed(1),
    UpcardPassed(0),
    StockDrawn(1),
    Discarded(1, Card("4H")),
    DiscardTaken(0, Card("4H")),
    Discarded(0, Card("KS")),
    StockDrawn(1),
    Discarded(1, Card("KC")),
    StockDrawn(0),
    Discarded(0, Card("4H")),
)


def test_a_place_is_whose_hand_its_card_went_to() -> None:
    owner = owners(0, MOVES)
    assert len(owner) == 52
    assert owner[:20] == [1, 0] * 10
    assert owner[20:25] == [None, 1, 1, 0, None]
    assert set(owner[24:]) == {None}
    assert owners(1, ())[:2] == [0, 1]


def test_a_card_is_exposed_once_and_not_where_it_was_taken_face_up() -> None:
    assert list(exposures(MOVES)) == [
        Exposure(1, Card("4H"), 1),
        Exposure(0, Card("KS"), 1),
        Exposure(1, Card("KC"), 2),
    ]
    taken = DiscardTaken(1, Card("4H"))
    knock = Knocked(1, (parse_cards("4H 5H 6H"), parse_cards("2S 2H 2D")), parse_cards("AS"), False)  # noqa: FBT003
    shown = [card for _, card, _ in exposures((*MOVES, taken, knock))][3:]
    assert shown == [*parse_cards("5H 6H 2S 2H 2D AS")]


def test_moves_are_kept_and_read_back_one_by_one() -> None:
    events = [read_line(raw).event for raw in played(3).log]
    moves = [event for event in events if isinstance(event, HandEvent)]
    kept = write_copies(moves)
    assert [read_copy(kept, number) for number in range(len(moves))] == moves
    for number in (-1, len(moves)):
        with pytest.raises(ValueError, match="there is no move"):
            read_copy(kept, number)
    with pytest.raises(ValueError, match="version 7"):
        read_copy(kept.replace(b",1,", b",7,"), 0)

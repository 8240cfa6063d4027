"""What a person types, read as a move."""

import pytest
from support_rules import melds

from ginrummy.bots.wishes import UnreadableWishError, read_wish
from ginrummy.rules.cards import Card
from ginrummy.rules.commands import (
    BigGin,
    Discard,
    Draw,
    Knock,
    LayOff,
    Move,
    Pass,
    Resign,
    Take,
)
from ginrummy.rules.events import LayOffCard

SEVEN = Card("7H")


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("p", Pass()),
        ("PASS", Pass()),
        ("t", Take()),
        (" d ", Draw()),
        ("resign", Resign()),
        ("7H", Discard(SEVEN)),
        ("7♥", Discard(SEVEN)),
        ("10s", Discard(Card("TS"))),
        ("x 7h", Discard(SEVEN)),
        ("k 7H", Knock(SEVEN)),
        ("k 7H 2D3D4D 5S5H5C", Knock(SEVEN, melds("2D 3D 4D", "5S 5H 5C"))),
        ("knock 7h 2d3d4d,5♠5♥5♣", Knock(SEVEN, melds("2D 3D 4D", "5S 5H 5C"))),
        ("k 7H 10D9D8D", Knock(SEVEN, melds("TD 9D 8D"))),
        ("g", BigGin()),
        ("g 2D3D4D", BigGin(melds("2D 3D 4D"))),
        ("l", LayOff()),
        ("l 2D3D4D", LayOff(melds("2D 3D 4D"))),
        ("l + 7H@1", LayOff((), (LayOffCard(SEVEN, 0),))),
        (
            "l 2D3D4D + 7H@2 6H@2",
            LayOff(melds("2D 3D 4D"), (LayOffCard(SEVEN, 1), LayOffCard(Card("6H"), 1))),
        ),
        ("l +", LayOff(())),
    ],
)
def test_a_line_is_read_as_a_move(line: str, move: Move) -> None:
    assert read_wish(line) == move


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "'' is no move"),
        ("foo", "'foo' is no move; ? says what there is"),
        ("7X", "'7X' is no move"),
        ("d 7H", "d takes no card"),
        ("x", "'' is not a card"),
        ("k", "a knock throws a card face down: k 7H"),
        ("k 7H 2D3D4", "'4' is not a card"),
        ("k 7H 2D2D2D", "2D is named twice"),
        ("l + 7H", "'7H' is no lay-off: write 7H@1"),
        ("l + 7H@0", "'7H@0' is no lay-off"),
    ],
)
def test_what_is_no_move_says_what_would_be(line: str, message: str) -> None:
    with pytest.raises(UnreadableWishError) as caught:
        read_wish(line)
    assert message in str(caught.value)

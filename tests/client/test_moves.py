"""Moves as messages: the server reads what was wished."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_events import cards, spreads

from ginrummy.api.move_messages import move_from
from ginrummy.client.moves import move_message
from ginrummy.rules.cards import DECK
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

layoffs = st.lists(st.builds(LayOffCard, cards, st.integers(0, 3)), max_size=4).map(tuple)
moves: st.SearchStrategy[Move] = st.one_of(
    st.sampled_from([Pass(), Take(), Draw(), Resign(), LayOff()]),
    st.builds(Discard, cards),
    st.builds(Knock, cards, st.none() | spreads),
    st.builds(BigGin, st.none() | spreads),
    st.builds(LayOff, spreads, layoffs),
)


@given(moves)
def test_the_server_reads_the_same_move(move: Move) -> None:
    assert move_from(move_message(move)) == move


@pytest.mark.parametrize("melds", [None, ()])
def test_no_melds_named_are_not_the_same_as_none_laid_down(melds: tuple[()] | None) -> None:
    assert move_message(LayOff(melds)).lay_off.auto == (melds is None)
    assert move_message(BigGin(melds)).big_gin.HasField("arrangement") == (melds is not None)


def test_lay_offs_alone_lay_down_no_melds() -> None:
    only = (LayOffCard(DECK[0], 0),)
    assert move_from(move_message(LayOff(None, only))) == LayOff((), only)

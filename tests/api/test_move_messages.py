"""Moves as clients send them: read as they are meant, or refused by the name of their field."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_events import cards, melds, spreads

from ginrummy.api.errors import InvalidFieldError
from ginrummy.api.move_messages import move_from
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
from ginrummy.rules.events import LayOffCard, Meld
from ginrummy.v1 import events_pb2
from ginrummy.v1 import match_pb2 as pb

arrangements = st.none() | spreads
layoffs = st.lists(st.builds(LayOffCard, cards, st.integers(-1, 5)), max_size=5).map(tuple)
moves: st.SearchStrategy[Move] = st.one_of(
    st.sampled_from((Pass(), Take(), Draw(), Resign(), LayOff())),
    st.builds(Discard, cards),
    st.builds(Knock, cards, arrangements),
    st.builds(BigGin, arrangements),
    st.builds(LayOff, spreads, layoffs),
)


def arrangement(melds: tuple[Meld, ...]) -> pb.Arrangement:
    return pb.Arrangement(melds=[events_pb2.Meld(cards=map(str, meld)) for meld in melds])


def message_of(move: Move) -> pb.Move:
    """Return a move as a client sends it."""
    match move:
        case Pass():
            return pb.Move(pass_upcard=pb.PassUpcard())
        case Take():
            return pb.Move(take=pb.Take())
        case Draw():
            return pb.Move(draw=pb.Draw())
        case Resign():
            return pb.Move(resign=pb.Resign())
        case Discard(card=card):
            return pb.Move(discard=pb.Discard(card=str(card)))
        case Knock(card=card, melds=None):
            return pb.Move(knock=pb.Knock(card=str(card)))
        case Knock(card=card, melds=melds):
            return pb.Move(knock=pb.Knock(card=str(card), arrangement=arrangement(melds or ())))
        case BigGin(melds=None):
            return pb.Move(big_gin=pb.BigGin())
        case BigGin(melds=melds):
            return pb.Move(big_gin=pb.BigGin(arrangement=arrangement(melds or ())))
        case LayOff(melds=None):
            return pb.Move(lay_off=pb.LayOff(auto=True))
        case LayOff(melds=melds, layoffs=layoffs):
            named = [
                events_pb2.LayOffCard(card=str(layoff.card), meld=layoff.meld) for layoff in layoffs
            ]
            return pb.Move(lay_off=pb.LayOff(arrangement=arrangement(melds or ()), layoffs=named))


@given(moves)
def test_a_move_is_read_as_it_is_meant(move: Move) -> None:
    sent = message_of(move).SerializeToString()
    assert move_from(pb.Move.FromString(sent)) == move


def test_every_kind_of_move_is_read() -> None:
    kinds = {field.name for field in pb.Move.DESCRIPTOR.oneofs_by_name["move"].fields}
    sent = [
        message_of(move)
        for move in (
            Pass(),
            Take(),
            Draw(),
            Discard(Card("7H")),
            Knock(Card("7H")),
            BigGin(),
            LayOff(),
            Resign(),
        )
    ]
    assert {message.WhichOneof("move") for message in sent} == kinds


@pytest.mark.parametrize("text", ["7H", "7h", "7♥", " 7H "])
def test_a_card_may_be_written_as_people_write_it(text: str) -> None:
    """C1"""
    assert move_from(pb.Move(discard=pb.Discard(card=text))) == Discard(Card("7H"))


def test_melds_alone_or_layoffs_alone_are_a_lay_off_too() -> None:
    """B6 nobody has to lay off."""
    melds = ((Card("7H"), Card("7D"), Card("7C")),)
    only_melds = pb.Move(lay_off=pb.LayOff(arrangement=arrangement(melds)))
    only_layoffs = pb.Move(lay_off=pb.LayOff(layoffs=[events_pb2.LayOffCard(card="7S", meld=1)]))
    assert move_from(only_melds) == LayOff(melds, ())
    assert move_from(only_layoffs) == LayOff((), (LayOffCard(Card("7S"), 1),))


def test_laying_off_nothing_is_to_be_said() -> None:
    """B6 nobody has to lay off, but a forgotten field is no wish to lose."""
    nothing = pb.Move(lay_off=pb.LayOff(arrangement=pb.Arrangement()))
    assert move_from(nothing) == LayOff((), ())


UNREADABLE = [
    ("move", pb.Move()),
    ("move.discard.card", pb.Move(discard=pb.Discard())),
    ("move.discard.card", pb.Move(discard=pb.Discard(card="1H"))),
    ("move.discard.card", pb.Move(discard=pb.Discard(card="7H 8H"))),
    ("move.discard.card", pb.Move(discard=pb.Discard(card="7H" * 100_000))),
    ("move.knock.card", pb.Move(knock=pb.Knock(card="XX"))),
    (
        "move.knock.arrangement.melds[1].cards[2]",
        pb.Move(
            knock=pb.Knock(
                card="7H",
                arrangement=pb.Arrangement(
                    melds=[
                        events_pb2.Meld(cards=["2H", "3H", "4H"]),
                        events_pb2.Meld(cards=["2S", "3S", "joker"]),
                    ]
                ),
            )
        ),
    ),
    (
        "move.big_gin.arrangement.melds",
        pb.Move(big_gin=pb.BigGin(arrangement=pb.Arrangement(melds=[events_pb2.Meld()] * 53))),
    ),
    (
        "move.big_gin.arrangement.melds[0].cards",
        pb.Move(
            big_gin=pb.BigGin(
                arrangement=pb.Arrangement(melds=[events_pb2.Meld(cards=["7H"] * 53)])
            )
        ),
    ),
    ("move.lay_off", pb.Move(lay_off=pb.LayOff())),
    ("move.lay_off.auto", pb.Move(lay_off=pb.LayOff(auto=True, arrangement=pb.Arrangement()))),
    (
        "move.lay_off.auto",
        pb.Move(lay_off=pb.LayOff(auto=True, layoffs=[events_pb2.LayOffCard(card="7H")])),
    ),
    (
        "move.lay_off.layoffs[1].card",
        pb.Move(
            lay_off=pb.LayOff(
                layoffs=[events_pb2.LayOffCard(card="7H"), events_pb2.LayOffCard(meld=1)]
            )
        ),
    ),
    (
        "move.lay_off.layoffs",
        pb.Move(lay_off=pb.LayOff(layoffs=[events_pb2.LayOffCard(card="7H")] * 53)),
    ),
    (
        "move.lay_off.arrangement.melds[0].cards[0]",
        pb.Move(
            lay_off=pb.LayOff(arrangement=pb.Arrangement(melds=[events_pb2.Meld(cards=["0"])]))
        ),
    ),
]


@pytest.mark.parametrize(("field", "message"), UNREADABLE)
def test_what_cannot_be_read_is_refused_by_its_field(field: str, message: pb.Move) -> None:
    with pytest.raises(InvalidFieldError, match=re.escape(field)) as refused:
        move_from(message)
    assert refused.value.field == field
    assert len(refused.value.why) < 200


def test_the_path_begins_where_the_caller_says() -> None:
    with pytest.raises(InvalidFieldError) as refused:
        move_from(pb.Move(discard=pb.Discard(card="x")), "moves[3]")
    assert refused.value.field == "moves[3].discard.card"


@given(st.text(max_size=12), melds)
def test_any_text_is_a_card_or_is_refused(text: str, meld: Meld) -> None:
    sent = pb.Move(
        knock=pb.Knock(
            card=text,
            arrangement=pb.Arrangement(melds=[events_pb2.Meld(cards=map(str, meld))]),
        )
    )
    try:
        move = move_from(sent)
    except InvalidFieldError as error:
        assert error.field == "move.knock.card"  # noqa: PT017 -- most texts are refused, not all
    else:
        assert isinstance(move, Knock)
        assert move.melds == (meld,)

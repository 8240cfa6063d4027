"""Every refusal of a move once, over a real port: what it says, and that nothing is stored."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, NamedTuple

import grpc
import pytest
from support_house import House, check, housed, move_request, refused, told_by
from support_knocks import KNOCK_DECK, TO_THE_DRAW, off
from support_rules import PLAIN, cards, stack
from support_seats import BareSeat

from ginrummy.rules.cards import Card, Deck, Seat
from ginrummy.rules.commands import BigGin, Discard, Draw, Knock, LayOff, Move, Pass, Take
from ginrummy.v1.errors_pb2 import ErrorReason
from ginrummy.v1.ruleset_pb2 import Ruleset

LONG_RUN = stack("3S 4S 5S 6S 7S 8S QS QH QD AC", upcard="JC", stock="KH")


class Wish(NamedTuple):
    """A move that is refused, and how a match comes to where it is."""

    rule: str
    deck: Deck
    moves: tuple[Move, ...]
    seat: Seat
    move: Move
    terms: Mapping[str, Any] = {}


KH = Card("KH")
KNOCKED = (*TO_THE_DRAW, Knock(KH))
SETS = {
    "long": (cards("3S 4S 5S 6S 7S 8S"), cards("QS QH QD")),
    "none": (cards("3S 4S QH"),),
    "twice": (cards("3S 4S 5S"),),
}

WISHES: Mapping[str, Wish] = {
    "NOT_YOUR_TURN": Wish("D2", PLAIN, (), 0, Take()),
    "WRONG_PHASE": Wish("D2", PLAIN, (), 1, Draw()),
    "UPCARD_PASSED": Wish("D2", PLAIN, (Pass(), Pass()), 1, Take()),
    "NOT_IN_HAND": Wish("T1", KNOCK_DECK, TO_THE_DRAW, 1, Discard(Card("KC"))),
    "RETURNS_TAKEN_CARD": Wish(
        "T2", PLAIN, (Take(),), 1, Discard(Card("2C")), {"preset": "classic"}
    ),
    "NOT_A_MELD": Wish("M1", KNOCK_DECK, TO_THE_DRAW, 1, Knock(KH, SETS["none"])),
    "RUN_TOO_LONG": Wish("M2", LONG_RUN, TO_THE_DRAW, 1, Knock(KH, SETS["long"])),
    "CARD_USED_TWICE": Wish("M3", KNOCK_DECK, TO_THE_DRAW, 1, Knock(Card("3S"), SETS["twice"])),
    "TOO_MUCH_DEADWOOD": Wish("K1", KNOCK_DECK, TO_THE_DRAW, 1, Knock(Card("3S"))),
    "GIN_ONLY": Wish("K6", KNOCK_DECK, TO_THE_DRAW, 1, Knock(KH), {"preset": "straight"}),
    "NOT_GIN": Wish("K5", KNOCK_DECK, TO_THE_DRAW, 1, BigGin(), {"rules": Ruleset(big_gin=True)}),
    "BIG_GIN_OFF": Wish("K5", KNOCK_DECK, TO_THE_DRAW, 1, BigGin()),
    "NO_SUCH_MELD": Wish("L1", KNOCK_DECK, KNOCKED, 0, LayOff((), off("6S3"))),
    "DOES_NOT_FIT": Wish("L1", KNOCK_DECK, KNOCKED, 0, LayOff((), off("6S0"))),
}
"""A move for every reason that the rules of a hand have, with the rule."""


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with housed() as house:
        yield house


@pytest.mark.parametrize("reason", WISHES)
async def test_f7_a_move_that_the_rules_refuse(house: House, reason: str) -> None:
    """F7 a unary call ends with the rule, the reason and the legal moves; nothing is stored."""
    wish = WISHES[reason]
    match_id = await house.playing(*wish.moves, deck=wish.deck, **wish.terms)
    before, seq = house.stored(), await house.seq(match_id)
    tap = house.taps["bob" if wish.seat else "ann"]
    refusal = await refused(tap, "MakeMove", move_request(match_id, wish.move, seq))
    check(refusal, "FAILED_PRECONDITION", reason, wish.rule, match_id)
    told = told_by(refusal)
    assert told.info.metadata["seq"] == str(seq)
    view = await house.players[wish.seat].view(match_id)
    assert told.legal == (view.hand.legal if view.hand.HasField("legal") else None)
    assert (told.legal is None) == (reason == "NOT_YOUR_TURN")
    assert house.stored() == before


@pytest.mark.parametrize("reason", WISHES)
async def test_f7_a_move_that_the_rules_refuse_on_a_play_stream(house: House, reason: str) -> None:
    """F7 the same is said in a Refusal, and the stream goes on."""
    wish = WISHES[reason]
    match_id = await house.playing(*wish.moves, deck=wish.deck, **wish.terms)
    before, seq = house.stored(), await house.seq(match_id)
    seat = BareSeat(house.players[wish.seat], match_id)
    view = (await seat.start()).view
    for left in (19, 18):
        request_id = await seat.send(wish.move)
        response = await seat.read()
        assert response is not None
        assert not response.events
        assert not response.HasField("view")
        refusal = response.refusal
        assert refusal.request_id == request_id
        assert refusal.code == grpc.StatusCode.FAILED_PRECONDITION.value[0]
        assert ErrorReason.Name(refusal.reason) == f"ERROR_REASON_{reason}"
        assert (refusal.rule, refusal.seq, refusal.refusals_left) == (wish.rule, seq, left)
        assert len(refusal.message) > 10
        assert refusal.legal == view.hand.legal
        assert refusal.HasField("legal") == (reason != "NOT_YOUR_TURN")
    assert house.stored() == before

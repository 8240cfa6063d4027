"""The discard pile's history: every card thrown, by whom, and who took it."""

import pytest
from support_golden import GOLDEN, golden_log

from ginrummy.replay.pile import Pile, Thrown
from ginrummy.replay.stepping import Replay
from ginrummy.rules.cards import Card
from ginrummy.rules.events import Discarded, DiscardTaken, HandDealt
from ginrummy.rules.view import view

NAMES = sorted(path.stem for path in GOLDEN.glob("*.log"))


def test_who_threw_and_who_took_is_kept() -> None:
    pile = Pile()
    assert pile.add(HandDealt(1, 0, Card("7H"))) == (Thrown(Card("7H"), None, None),)
    pile.add(DiscardTaken(1, Card("7H")))
    pile.add(Discarded(1, Card("KS")))
    pile.add(Discarded(0, Card("QS")))
    assert pile.add(DiscardTaken(1, Card("QS"))) == (
        Thrown(Card("7H"), None, 1),
        Thrown(Card("KS"), 1, None),
        Thrown(Card("QS"), 0, 1),
    )


def test_a_deal_begins_a_pile_of_its_own() -> None:
    pile = Pile()
    pile.add(HandDealt(1, 0, Card("7H")))
    assert pile.add(HandDealt(2, 1, Card("2C"))) == (Thrown(Card("2C"), None, None),)


@pytest.mark.parametrize("name", NAMES)
def test_what_nobody_has_taken_is_the_pile_that_lies_there(name: str) -> None:
    replay, pile = Replay(golden_log(name)), Pile()
    for position in replay.between(1, replay.last):
        thrown = pile.add(position.line.event)
        hand = view(position.match, "public").hand
        if hand is not None:
            assert hand.pile == tuple(each.card for each in thrown if each.taker is None)

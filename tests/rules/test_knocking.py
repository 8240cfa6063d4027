"""Knocking and gin: rules K1 to K6, and what may be laid down, M1 to M3."""

import pytest
from support_knocks import (
    AGAINST_GIN,
    DEFENDER,
    GIN,
    GIN_HAND,
    KNOCK_DECK,
    KNOCKER,
    SPREAD,
    TO_THE_DRAW,
    drawn,
    gin_events,
)
from support_rules import after, cards, dealt, given, melds, played, stack

from ginrummy.rules import hand as hands
from ginrummy.rules.cards import Card, card_set
from ginrummy.rules.commands import BigGin, Discard, Draw, Knock, Pass, Take
from ginrummy.rules.errors import Reason
from ginrummy.rules.events import HandScored, Knocked
from ginrummy.rules.hand import Finished
from ginrummy.rules.melds import arrange

# --- K1 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("left", "count"), [("TC", 10), ("4C 6C", 10), ("AC", 1)])
def test_a_knock_leaves_at_most_the_limit(left: str, count: int) -> None:
    """K1 ten cards with deadwood of ten or less may be knocked with."""
    kept = "AS 2S 3S 4S 5H 6H 7H 8H 9H"[: 29 - len(left)]
    hand = drawn(stack(f"{kept} {left}", upcard="JC", stock="KH"))
    given(hand).when(1, Knock(Card("KH"))).then_ends_with(
        Knocked(1, arrange(card_set(cards(f"{kept} {left}")), 5).melds, cards(left), gin=False)
    )
    assert sum(card.points for card in cards(left)) == count


def test_a_knock_cannot_leave_more_than_the_limit() -> None:
    """K1 eleven points are one too many."""
    hand = drawn(stack("AS 2S 3S 4H 5H 6H 7D 8D 5C 6C", upcard="JC", stock="9D"))
    assert hands.legal_moves(hand)[-2:] == (Knock(Card("5C")), Knock(Card("6C")))
    given(hand).when(1, Knock(Card("9D"))).refused(Reason.TOO_MUCH_DEADWOOD, "K1")
    tight = drawn(stack("AS 2S 3S 4H 5H 6H 7D 8D TC AC", upcard="JC", stock="9D"))
    given(tight).when(1, Knock(Card("AS"))).refused(Reason.TOO_MUCH_DEADWOOD, "K1")


@pytest.mark.parametrize("limit", [0, 4, 5, 6, 10])
def test_the_limit_is_the_rulesets(limit: int) -> None:
    """K1 `knock_limit` is the most that a knock may leave."""
    hand = drawn(stack("AS 2S 3S 4H 5H 6H 7D 8D 9D 5C", upcard="JC", stock="KH"), knock_limit=limit)
    assert (Knock(Card("KH")) in hands.legal_moves(hand)) == (limit >= 5)


def test_the_first_turn_is_early_enough_to_knock() -> None:
    """K1 on any turn, the first included, the upcard's taker included."""
    deck = stack("AS 2S 3S 4H 5H 6H 7D 8D JC 9C", upcard="9D")
    given(dealt(deck), Take()).when(1, Knock(Card("JC"))).then(
        Knocked(1, melds("AS 2S 3S", "4H 5H 6H", "7D 8D 9D"), cards("9C"), gin=False)
    )


def test_a_knock_before_any_draw_is_refused() -> None:
    """K1 a draw comes first."""
    deck = stack("AS 2S 3S 4H 5H 6H 7D 8D 9D 2C")
    given(dealt(deck)).when(1, Knock(Card("2C"))).refused(Reason.WRONG_PHASE, "D2")
    given(dealt(deck), Pass(), Pass()).when(1, Knock(Card("2C"))).refused(Reason.WRONG_PHASE, "T1")


def test_nobody_is_obliged_to_knock() -> None:
    """K1 who may knock may discard instead, and play on for gin."""
    moves = hands.legal_moves(drawn())
    assert Knock(Card("KH")) in moves
    assert [move.card for move in moves if isinstance(move, Discard)] == list(
        cards("3S 4S 5S QS 7H 8H 9H QH KH QD 2C")
    )


# --- K2, M1 to M3 -------------------------------------------------------------------------------


def test_the_server_lays_down_an_arrangement_of_least_deadwood() -> None:
    """K2 where the player names none."""
    given(drawn()).when(1, Knock(Card("KH"))).then(Knocked(1, SPREAD, cards("2C"), gin=False))


def test_an_arrangement_is_laid_down_as_the_player_names_it() -> None:
    """K2 the arrangement is the player's own choice, down to the order."""
    deck = stack("AS 2S 3S 4H 5H 6H 7D 8D 9D TD", upcard="JC", stock="KH")
    named = melds("6H 5H 4H", "9D 8D 7D", "2S AS 3S")
    given(drawn(deck)).when(1, Knock(Card("KH"), named)).then(
        Knocked(1, named, cards("TD"), gin=False)
    )


def test_melds_that_would_leave_less_need_not_be_named() -> None:
    """K2 a legal arrangement that is not the least is allowed: A-2-3 of spades stay deadwood."""
    deck = stack("AS 2S 3S AH 2H AD JC QC KC AC", upcard="KH", stock="KS")
    named = melds("JC QC KC", "AH AD AC")
    given(drawn(deck)).when(1, Knock(Card("KS"), named)).then(
        Knocked(1, named, cards("AS 2S 3S 2H"), gin=False)
    )


def test_an_arrangement_has_to_leave_no_more_than_the_limit() -> None:
    """K2 what the cards could be arranged to does not help."""
    given(drawn()).when(1, Knock(Card("KH"), melds("3S 4S 5S", "7H 8H 9H"))).refused(
        Reason.TOO_MUCH_DEADWOOD, "K1"
    )
    given(drawn()).when(1, Knock(Card("KH"), ())).refused(Reason.TOO_MUCH_DEADWOOD, "K1")


@pytest.mark.parametrize(
    ("meld", "reason", "rule"),
    [
        ("QS QH", Reason.NOT_A_MELD, "M1"),
        ("2C QD QS", Reason.NOT_A_MELD, "M1"),
        ("", Reason.NOT_A_MELD, "M1"),
        ("QC QH QD", Reason.NOT_IN_HAND, ""),
        ("KH QH QD", Reason.CARD_USED_TWICE, "M3"),
    ],
)
def test_only_melds_of_the_cards_held_can_be_laid_down(
    meld: str, reason: Reason, rule: str
) -> None:
    """M1, M3 and nothing has changed after the refusal."""
    hand = drawn()
    named = (*melds("3S 4S 5S", "7H 8H 9H"), cards(meld))
    given(hand).when(1, Knock(Card("KH"), named)).refused(reason, rule)
    assert isinstance(played(hand, Discard(Card("KH"))), hands.Drawing)


def test_a_card_belongs_to_one_meld() -> None:
    """M3 a card in two melds, or twice in one, is refused."""
    deck = stack("3S 4S 5S 5H 5D 7H 8H 9H AS AH", upcard="JC", stock="KH")
    hand = given(drawn(deck))
    twice = melds("3S 4S 5S", "5S 5H 5D", "7H 8H 9H")
    hand.when(1, Knock(Card("KH"), twice)).refused(Reason.CARD_USED_TWICE, "M3")
    hand.when(1, Knock(Card("KH"), ((*cards("3S 4S 5S"), Card("5S")),))).refused(
        Reason.CARD_USED_TWICE, "M3"
    )


@pytest.mark.parametrize("meld", ["JS QS KS AC", "QS KS AS", "KS AS 2S", "AS AC AD 2S"])
def test_the_ace_is_low_and_no_suit_runs_into_the_next(meld: str) -> None:
    """M1, C2 the king of one suit and the ace of the next are no neighbours."""
    hand = drawn(stack("JS QS KS AS 2S 3S AC AD 7H 8H", upcard="JC", stock="9H"))
    given(hand).when(1, Knock(Card("7H"), (cards(meld),))).refused(Reason.NOT_A_MELD, "M1")


def test_an_ace_makes_low_runs_and_a_king_high_ones() -> None:
    """M1 A-2-3 and J-Q-K are runs."""
    hand = drawn(stack("JS QS KS AS 2S 3S AC AD 7H 8H", upcard="JC", stock="9H"))
    named = melds("AS 2S 3S", "JS QS KS", "7H 8H 9H")
    given(hand).when(1, Knock(Card("AC"), named)).then(Knocked(1, named, cards("AD"), gin=False))


LONG_RUN = stack("3S 4S 5S 6S 7S 8S QS QH QD AC", upcard="JC", stock="KH")


def test_a_long_run_is_laid_down_in_two_where_runs_are_capped() -> None:
    """M2 a run of six is two runs of three in the preset `standard`."""
    hand = given(drawn(LONG_RUN))
    whole = melds("3S 4S 5S 6S 7S 8S", "QS QH QD")
    hand.when(1, Knock(Card("KH"), whole)).refused(Reason.RUN_TOO_LONG, "M2")
    hand.when(1, Knock(Card("KH"))).then(
        Knocked(1, melds("QS QH QD", "3S 4S 5S", "6S 7S 8S"), cards("AC"), gin=False)
    )


def test_a_long_run_stays_whole_where_they_are_not() -> None:
    """M2 `run_max` none: any run may be laid down as one."""
    whole = melds("QS QH QD", "3S 4S 5S 6S 7S 8S")
    given(drawn(LONG_RUN, "eaai")).when(1, Knock(Card("KH"))).then(
        Knocked(1, whole, cards("AC"), gin=False)
    )


# --- K3 -----------------------------------------------------------------------------------------


def test_the_knocks_discard_is_out_of_play() -> None:
    """K3 it lies face down: not in the pile, not in the hand, in no event."""
    hand = played(drawn(), Knock(Card("KH")))
    assert hand.layout.pile == cards("JC")
    assert hand.layout.face_down == Card("KH").bit
    assert not hand.layout.hands[1] & Card("KH").bit
    (knocked,) = hands.decide(drawn(), 1, Knock(Card("KH")))
    assert "KH" not in str(knocked)


# --- K4, K5 -------------------------------------------------------------------------------------


def test_a_knock_that_leaves_nothing_is_gin() -> None:
    """K4 whatever it was called: the hand is scored at once."""
    given(drawn(GIN)).when(1, Knock(Card("KH"))).then(*gin_events())
    named = melds("QC QD QS QH", "3S 4S 5S", "9H 8H 7H")
    given(drawn(GIN)).when(1, Knock(Card("KH"), named)).then(*gin_events(named))


def test_cards_that_could_be_gin_are_none_if_arranged_worse() -> None:
    """K2, K4 what counts is the arrangement laid down."""
    named = melds("QD QS QH", "3S 4S 5S", "9H 8H 7H")
    given(drawn(GIN)).when(1, Knock(Card("KH"), named)).then(
        Knocked(1, named, cards("QC"), gin=False)
    )


@pytest.mark.parametrize(
    "gin",
    [
        "6H QH QC 5H KD KH 7H KC 4H QD",
        "TC 2H 3H 2S TD 5H 3S 4H 4S TS",
        "AS 2S 3S 4S 5S 9H TH JH QH KH",
    ],
)
def test_runs_and_sets_that_compete_are_gin_all_the_same(gin: str) -> None:
    """K4, K5 two runs of five are gin, and so is whatever else melds ten cards."""
    hand = played(drawn(stack(gin, upcard="JC", stock="8D")), Knock(Card("8D")))
    assert isinstance(hand, Finished)
    assert isinstance(hand.result, HandScored)
    assert hand.result.kind == "gin"


def test_gin_needs_a_discard() -> None:
    """K5 ten cards are melded and the eleventh is thrown, though all eleven would meld."""
    deck = stack("3S 4S 5S 7H 8H 9H QS QH QD QC", upcard="JC", stock="6S")
    hand = drawn(deck)
    assert Knock(Card("6S")) in hands.legal_moves(hand)
    given(hand).when(1, BigGin()).refused(Reason.BIG_GIN_OFF, "K5")


BIG_GIN = stack(GIN_HAND, AGAINST_GIN, upcard="JC", stock="6S")


def test_big_gin_lays_down_all_eleven() -> None:
    """K5 where `big_gin` is true; S3 it is worth `big_gin_bonus`."""
    hand = drawn(BIG_GIN, big_gin=True)
    assert hands.legal_moves(hand)[-1] == BigGin()
    spread = melds("QS QH QD QC", "3S 4S 5S 6S", "7H 8H 9H")
    knocked, laid_off, scored = hands.decide(hand, 1, BigGin())
    assert knocked == Knocked(1, spread, (), gin=True)
    assert isinstance(scored, HandScored)
    assert (scored.kind, scored.points) == ("big_gin", 52 + 31)
    over = after(hand, knocked, laid_off, scored)
    assert over.layout.hands[1].bit_count() == 11
    assert not over.layout.face_down


def test_big_gin_may_be_laid_down_in_ones_own_way() -> None:
    """K5 all eleven have to be in melds, in whichever."""
    hand = given(drawn(BIG_GIN, big_gin=True))
    named = melds("QS QH QD", "3S 4S 5S 6S", "7H 8H 9H")
    hand.when(1, BigGin(named)).refused(Reason.NOT_GIN, "K5")
    hand.when(1, BigGin((*named, cards("QC")))).refused(Reason.NOT_A_MELD, "M1")


def test_what_is_no_big_gin_cannot_be_laid_down_as_one() -> None:
    """K4, K5 a claim of gin that leaves more than nothing is refused."""
    hand = drawn(KNOCK_DECK, big_gin=True)
    assert BigGin() not in hands.legal_moves(hand)
    given(hand).when(1, BigGin()).refused(Reason.NOT_GIN, "K5")


def test_big_gin_need_not_be_called() -> None:
    """K5 who could lay down eleven may throw one of them and have gin."""
    result = played(drawn(BIG_GIN, big_gin=True), Knock(Card("6S")))
    assert isinstance(result, Finished)
    assert isinstance(result.result, HandScored)
    assert result.result.kind == "gin"


# --- K6 -----------------------------------------------------------------------------------------


def test_straight_gin_is_ended_by_gin_alone() -> None:
    """K6 `gin_only`."""
    given(drawn(KNOCK_DECK, "straight")).when(1, Knock(Card("KH"))).refused(Reason.GIN_ONLY, "K6")
    assert not any(
        isinstance(move, Knock) for move in hands.legal_moves(drawn(KNOCK_DECK, "straight"))
    )
    given(drawn(GIN, "straight")).when(1, Knock(Card("KH"))).then(*gin_events())


@pytest.mark.parametrize(
    ("upcard", "limit"), [("2H", 2), ("6S", 6), ("TH", 10), ("JS", 10), ("KC", 10)]
)
def test_the_upcard_is_the_limit_in_oklahoma(upcard: str, limit: int) -> None:
    """K6 `oklahoma`: its value for both players, court cards ten, taken or not."""
    hand = dealt(stack("3D 4D 5D 7H 8H 9H QS QH QD", upcard=upcard), preset="oklahoma")
    for moves in ((), (Pass(),), (Take(),), (Take(), Discard(Card("3D")), Draw())):
        dealt_here = played(hand, *moves).layout.dealt
        assert (dealt_here.limit, dealt_here.gin_only) == (limit, False)


def test_an_ace_means_gin_only_in_oklahoma() -> None:
    """K6 an ace turned as the upcard."""
    hand = played(
        dealt(stack(KNOCKER, DEFENDER, upcard="AC", stock="KH"), 0, "oklahoma"), *TO_THE_DRAW
    )
    given(hand).when(1, Knock(Card("KH"))).refused(Reason.GIN_ONLY, "K6")


def test_a_knock_in_oklahoma_is_held_to_the_upcard() -> None:
    """K6 two points are within a limit of two, and three are not."""
    two = dealt(stack(KNOCKER, DEFENDER, upcard="2H", stock="KH"), 0, "oklahoma")
    given(two, *TO_THE_DRAW).when(1, Knock(Card("KH"))).then(
        Knocked(1, SPREAD, cards("2C"), gin=False)
    )
    three = KNOCKER.replace("2C", "3C")
    two = dealt(stack(three, DEFENDER, upcard="2H", stock="KH"), 0, "oklahoma")
    given(two, *TO_THE_DRAW).when(1, Knock(Card("KH"))).refused(Reason.TOO_MUCH_DEADWOOD, "K1")

"""Laying off after a knock: rules L1 to L4."""

from support_knocks import (
    GIN,
    GIN_HAND,
    KNOCKER,
    drawn,
    gin_events,
    knocked,
    off,
)
from support_rules import after, cards, given, melds, played, stack

from ginrummy.rules import hand as hands
from ginrummy.rules.cards import BySeat, Card
from ginrummy.rules.commands import Discard, Draw, Knock, LayOff
from ginrummy.rules.errors import Reason
from ginrummy.rules.events import HandScored, LaidOff, LayOffCard, Meld
from ginrummy.rules.hand import Counting, Discarding, Finished, Hand, LayingOff

# --- L1 to L4 -----------------------------------------------------------------------------------


def test_the_opponent_lays_off_after_a_knock() -> None:
    """L1 it is the opponent's turn, and laying off is all that is left to do."""
    hand = knocked()
    assert isinstance(hand, LayingOff)
    assert hands.legal_moves(hand) == (LayOff(),)
    given(hand).when(0, Discard(Card("KC"))).refused(Reason.WRONG_PHASE, "L1")
    given(hand).when(0, Draw()).refused(Reason.WRONG_PHASE, "L1")


def laid_off(hand: Hand, *layoffs: str, melded: tuple[Meld, ...] = ()) -> LaidOff:
    """Return what comes of these lay-offs."""
    event = hands.decide(hand, 0, LayOff(melded, off(*layoffs)))[0]
    assert isinstance(event, LaidOff)
    return event


def test_cards_are_laid_off_one_after_the_other() -> None:
    """L1 the fourth of a rank; the next card of a suit on either end, and the next after it."""
    deck = stack("6H 7H 8H AS AC AD 3S 4S 5S 2C", "4H 5H 9H TH KS KC 2D 3C JD QC", "JC", "KH")
    hand = knocked(deck, melded=melds("6H 7H 8H", "AS AC AD", "3S 4S 5S"))
    event = laid_off(hand, "5H0", "4H0", "9H0", "TH0")
    assert event.deadwood == cards("KS 2D JD 3C QC KC")
    scored = hands.decide(hand, 0, LayOff((), event.layoffs))[1]
    assert isinstance(scored, HandScored)
    assert (scored.deadwood, scored.points) == ((45, 2), 43)


def test_a_card_has_to_fit_the_meld_as_it_lies_then() -> None:
    """L1 4H does not go on 6H 7H 8H before 5H has gone there."""
    deck = stack("6H 7H 8H AS AC AD 3S 4S 5S 2C", "4H 5H 9H TH KS KC 2D 3C JD QC", "JC", "KH")
    hand = given(knocked(deck, melded=melds("6H 7H 8H", "AS AC AD", "3S 4S 5S")))
    hand.when(0, LayOff((), off("4H0", "5H0"))).refused(Reason.DOES_NOT_FIT, "L1")


def test_the_call_names_the_meld() -> None:
    """L1 a card that fits a set and a run goes where its owner says."""
    deck = stack("7C 7D 7H 8S 9S TS 2C 2D 2H AC", "6S 7S KC KD KS 3C 3D 3H QS 4D", "JC", "KH")
    spread = melds("7C 7D 7H", "8S 9S TS", "2C 2D 2H")
    hand = knocked(deck, melded=spread)
    own = melds("KC KD KS", "3C 3D 3H")
    assert laid_off(hand, "7S1", "6S1", melded=own).deadwood == cards("QS 4D")
    assert laid_off(hand, "7S0", melded=own).deadwood == cards("6S QS 4D")
    on_the_set = LayOff(own, off("7S0", "6S1"))
    given(hand).when(0, on_the_set).refused(Reason.DOES_NOT_FIT, "L1")


def test_a_run_grows_beyond_the_cap_by_lay_offs() -> None:
    """L1 the cap is on laid-down runs alone."""
    deck = stack("3S 4S 5S 6S 7S QS QH QD AC AD", "2S 8S 9S TS JS KC KD 2D 4D 8C", "JC", "KH")
    hand = knocked(deck)
    assert laid_off(hand, "8S1", "9S1", "TS1", "JS1", "2S1").deadwood == cards("2D 4D KD 8C KC")


def test_nothing_is_laid_off_on_gin() -> None:
    """L2 the opponent's own melds still count, and nobody is asked."""
    deck = stack(GIN_HAND.replace("QC", "6S"), "QC KD 8S 5H 5D 5C 9C 2D 3D JS", "JC", "KH")
    hand = played(drawn(deck), Knock(Card("KH")))
    assert isinstance(hand, Finished)
    assert hand.laid_off == LaidOff(0, melds("5H 5D 5C"), (), cards("8S JS 2D 3D KD 9C QC"))


def test_melds_of_ones_own_count_after_gin() -> None:
    """L2 gin against QC QD QH 5S 5H 8C 9C 2D 3D KS: 42 are left, and 42+25 are scored."""
    deck = stack("3C 4C 5C 7H 8H 9H JS JH JD JC", "QC QD QH 5S 5H 8C 9C 2D 3D KS", "KC", "KH")
    hand = played(drawn(deck), Knock(Card("KH")))
    assert isinstance(hand, Finished)
    assert isinstance(hand.result, HandScored)
    assert (hand.result.deadwood, hand.result.points) == ((42, 0), 67)


def test_between_gin_and_its_score_nobody_decides() -> None:
    """L2 while the events of a gin are folded, no seat is to move."""
    knock, laying_off, _ = gin_events()
    hand = after(drawn(GIN), knock)
    assert (hands.to_move(hand), hands.legal_moves(hand)) == (None, ())
    counting = after(hand, laying_off)
    assert isinstance(counting, Counting)
    assert (hands.to_move(counting), hands.legal_moves(counting)) == (None, ())
    given(counting).when(0, LayOff()).refused(Reason.HAND_OVER, "")


def test_the_knocker_never_lays_off() -> None:
    """L3 in no phase."""
    given(drawn()).when(1, LayOff()).refused(Reason.WRONG_PHASE, "T1")
    given(knocked()).when(1, LayOff()).refused(Reason.NOT_YOUR_TURN, "L1")
    given(knocked(), LayOff()).when(1, LayOff()).refused(Reason.HAND_OVER, "")


def test_nothing_goes_on_the_knockers_deadwood() -> None:
    """L3 a pair in deadwood is not completed by a third card."""
    deck = stack("3S 4S 5S 7H 8H 9H QS QH QD 2C", "2S 2H TH QC KC KD 2D 4D 8C 9C", "JC", "KH")
    hand = given(knocked(deck))
    for index in (0, 1, 2):
        hand.when(0, LayOff((), off(f"2D{index}"))).refused(Reason.DOES_NOT_FIT, "L1")
    for index in (-1, 3, 99):
        nowhere = (LayOffCard(Card("2D"), index),)
        hand.when(0, LayOff((), nowhere)).refused(Reason.NO_SUCH_MELD, "L1")


def test_only_cards_in_hand_and_out_of_melds_are_laid_off() -> None:
    """L1, M3 a card that is melded, laid off already, or not held is refused."""
    deck = stack(KNOCKER, "6S 7S 8S TH KC KD 2D 4D 8C 9C", "JC", "KH")
    hand = given(knocked(deck))
    hand.when(0, LayOff((), off("JH2"))).refused(Reason.NOT_IN_HAND, "L1")
    hand.when(0, LayOff((), off("TH2", "TH2"))).refused(Reason.CARD_USED_TWICE, "M3")
    own = melds("6S 7S 8S")
    hand.when(0, LayOff(own, off("6S1"))).refused(Reason.CARD_USED_TWICE, "M3")
    hand.when(0, LayOff(melds("6S 7S 9S"))).refused(Reason.NOT_IN_HAND, "")
    hand.when(0, LayOff(melds("6S 7S 8C"))).refused(Reason.NOT_A_MELD, "M1")


def test_naming_nothing_lets_the_server_lay_off_best() -> None:
    """L4 the arrangement and the lay-offs of least deadwood together."""
    event = hands.decide(knocked(), 0, LayOff())[0]
    assert event == LaidOff(0, (), off("6S1", "7S1", "TH2", "QC0"), cards("2D 4D KD 8C 9C KC"))


def test_a_meld_is_broken_where_that_leaves_less_in_all() -> None:
    """L4 a card is laid off out of a meld of one's own."""
    deck = stack(KNOCKER, "6S 7S 6D 6C 7D 8D 2D 4D KC KD", "JC", "KH")
    event = hands.decide(knocked(deck), 0, LayOff())[0]
    assert isinstance(event, LaidOff)
    assert event.layoffs == off("6S1", "7S1")
    assert event.melds == melds("6D 7D 8D")


def test_a_choice_that_is_not_the_best_is_binding() -> None:
    """L4 a legal choice stands as it was made."""
    given(knocked()).when(0, LayOff((), off("QC0"))).then_ends_with(
        HandScored(
            hand=1,
            kind="knock",
            winner=1,
            points=64,
            deadwood=BySeat(66, 2),
            difference=64,
            bonus=0,
            doubled=False,
        )
    )


def test_nobody_has_to_lay_off() -> None:
    """L4 own melds without a lay-off, or nothing at all, is an answer and ends the hand."""
    event, scored = hands.decide(knocked(), 0, LayOff(()))
    assert event == LaidOff(0, (), (), cards("6S 7S TH 2D 4D KD 8C 9C QC KC"))
    assert isinstance(scored, HandScored)
    assert scored.deadwood == (76, 2)


def test_a_discarding_hand_is_unchanged_by_refusals() -> None:
    """A wish that is refused leaves the state as it was: it is another value that a move makes."""
    hand = drawn()
    before = str(hand)
    given(hand).when(1, Knock(Card("KH"), melds("3S 4S 6S"))).refused(Reason.NOT_IN_HAND, "")
    assert str(hand) == before
    assert isinstance(hand, Discarding)
    assert hand.layout.hands[1].bit_count() == 11

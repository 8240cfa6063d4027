"""A hand's deal and its turns: rules D1, D2, T1 to T4."""

import pytest
from support_rules import PLAIN, cards, dealt, given, melds, played, stack

from ginrummy.rules import hand as hands
from ginrummy.rules.cards import DECK, Card, card_set, cards_in
from ginrummy.rules.commands import Discard, Draw, Knock, LayOff, Pass, Take
from ginrummy.rules.errors import Reason
from ginrummy.rules.events import (
    Discarded,
    DiscardTaken,
    HandDealt,
    HandVoided,
    Knocked,
    StockDrawn,
    UpcardPassed,
)
from ginrummy.rules.hand import Discarding, Drawing, Finished, LayingOff, Offering
from ginrummy.rules.ruleset import PRESETS, Ruleset

# --- D1 -----------------------------------------------------------------------------------------


def test_ten_cards_each_one_at_a_time_then_the_upcard() -> None:
    """D1 the non-dealer is dealt to first, the 21st card is turned, 31 are the stock."""
    layout = dealt(DECK, dealer=0).layout
    assert cards_in(layout.hands[1]) == DECK[0:20:2]
    assert cards_in(layout.hands[0]) == DECK[1:20:2]
    assert layout.pile == (DECK[20],)
    assert layout.stock == 31


def test_the_other_seat_is_the_non_dealer_when_seat_1_deals() -> None:
    """D1 the non-dealer is dealt to first, whichever seat that is."""
    layout = dealt(DECK, dealer=1).layout
    assert layout.hands[0] == card_set(DECK[0:20:2])


def test_dealing_says_only_what_everybody_sees() -> None:
    """D1 the event names the dealer and the upcard."""
    assert hands.deal(Ruleset(), 7, 1, DECK) == (HandDealt(hand=7, dealer=1, upcard=DECK[20]),)


def test_another_deck_cannot_go_under_a_hand() -> None:
    """A deck that turns another upcard is not the one that was dealt."""
    hand = hands.start(Ruleset(), HandDealt(1, 0, Card("2C")))
    assert hands.with_deck(hand, PLAIN).layout.hands[0]
    with pytest.raises(ValueError, match="turns 8H, but 2C"):
        hands.with_deck(hand, DECK)


# --- D2 -----------------------------------------------------------------------------------------


def test_the_non_dealer_is_offered_the_upcard_first() -> None:
    """D2 the non-dealer decides first whether to take the upcard."""
    hand = dealt(PLAIN)
    assert isinstance(hand, Offering)
    assert hands.to_move(hand) == 1
    assert hands.legal_moves(hand) == (Take(), Pass())
    given(hand).when(0, Take()).refused(Reason.NOT_YOUR_TURN, "D2")
    given(hand).when(1, Draw()).refused(Reason.WRONG_PHASE, "D2")
    given(hand).when(1, Take()).then(DiscardTaken(1, Card("2C")))


def test_the_dealer_may_take_what_the_non_dealer_passed() -> None:
    """D2 if the non-dealer passes, the dealer may take the upcard."""
    given(dealt(PLAIN)).when(1, Pass()).then(UpcardPassed(1))
    given(dealt(PLAIN), Pass()).when(0, Take()).then(DiscardTaken(0, Card("2C")))


def test_after_two_passes_the_non_dealer_draws_from_the_stock() -> None:
    """D2 the non-dealer draws from the stock, and may not take the passed upcard."""
    hand = played(dealt(PLAIN), Pass(), Pass())
    assert hands.legal_moves(hand) == (Draw(),)
    given(hand).when(1, Take()).refused(Reason.UPCARD_PASSED, "D2")
    given(hand).when(1, Pass()).refused(Reason.WRONG_PHASE, "T1")
    given(hand).when(1, Draw()).then(StockDrawn(1))


def test_the_passed_upcard_lies_in_the_discard_pile() -> None:
    """D2 the next player finds the discard on top of it, and both piles are open to them."""
    hand = played(dealt(PLAIN), Pass(), Pass(), Draw(), Discard(Card("KS")))
    assert hand.layout.pile == cards("2C KS")
    assert hands.legal_moves(hand) == (Take(), Draw())


@pytest.mark.parametrize("history", [(Take(),), (Pass(), Take())], ids=["non-dealer", "dealer"])
def test_who_takes_the_upcard_goes_on_with_a_turn(history: tuple[Take | Pass, ...]) -> None:
    """D2 the upcard's taker discards, and the turn passes."""
    hand = played(dealt(PLAIN), *history)
    assert isinstance(hand, Discarding)
    seat = hand.seat
    card = cards_in(hand.layout.hands[seat])[0]
    given(hand).when(seat, Discard(card)).then(Discarded(seat, card))
    assert hands.to_move(played(hand, Discard(card))) == 1 - seat


# --- T1, T2 -------------------------------------------------------------------------------------


def test_a_turn_is_a_draw_and_then_a_discard() -> None:
    """T1 neither comes twice, and the draw comes first."""
    drawing = played(dealt(PLAIN), Pass(), Pass())
    given(drawing).when(1, Discard(Card("AS"))).refused(Reason.WRONG_PHASE, "T1")
    given(drawing).when(1, Knock(Card("AS"))).refused(Reason.WRONG_PHASE, "T1")
    given(drawing, Draw()).when(1, Draw()).refused(Reason.WRONG_PHASE, "T1")
    given(drawing, Draw()).when(1, Take()).refused(Reason.WRONG_PHASE, "T1")
    given(drawing, Draw()).when(1, LayOff()).refused(Reason.WRONG_PHASE, "T1")
    given(drawing, Draw()).when(0, Discard(Card("8H"))).refused(Reason.NOT_YOUR_TURN, "T1")
    given(drawing, Draw()).when(1, Discard(Card("AS"))).then(Discarded(1, Card("AS")))


def test_the_stock_is_drawn_from_its_top() -> None:
    """T1 the first card drawn is the deck's 22nd, and nobody else is told which it is."""
    hand = played(dealt(PLAIN), Pass(), Pass(), Draw())
    assert isinstance(hand, Discarding)
    assert hand.drawn is Card("4C")
    assert (hand.layout.stock, hand.layout.shown) == (30, (0, 0))


def test_the_discard_pile_is_taken_from_its_top() -> None:
    """T1 the last discard is taken, and what lies below stays."""
    hand = played(dealt(PLAIN), Pass(), Pass(), Draw(), Discard(Card("KS")))
    given(hand).when(0, Take()).then(DiscardTaken(0, Card("KS")))
    assert played(hand, Take()).layout.pile == cards("2C")


@pytest.mark.parametrize("place", range(11))
def test_any_of_the_eleven_cards_may_be_thrown(place: int) -> None:
    """T2 a card drawn from the stock may be discarded at once, like every other one."""
    hand = played(dealt(PLAIN), Pass(), Pass(), Draw())
    card = cards_in(hand.layout.hands[1])[place]
    given(hand).when(1, Discard(card)).then(Discarded(1, card))
    thrown = played(hand, Discard(card))
    assert hands.to_move(thrown) == 0
    assert thrown.layout.hands[1].bit_count() == 10


def test_a_card_that_is_not_held_cannot_be_thrown() -> None:
    """T1 only what is in the hand can be discarded, wherever else the card may be."""
    hand = given(dealt(PLAIN), Pass(), Pass(), Draw())
    for elsewhere in cards("8H 2C 6C"):
        hand.when(1, Discard(elsewhere)).refused(Reason.NOT_IN_HAND, "T1")
        hand.when(1, Knock(elsewhere)).refused(Reason.NOT_IN_HAND, "T1")


def test_a_taken_card_may_go_straight_back_where_the_rules_let_it() -> None:
    """T2 `may_return_taken_card`: the preset `standard` has it."""
    hand = played(dealt(PLAIN, preset="standard"), Take())
    assert Discard(Card("2C")) in hands.legal_moves(hand)
    given(hand).when(1, Discard(Card("2C"))).then(Discarded(1, Card("2C")))


def test_a_taken_card_stays_for_the_turn_where_the_rules_say_so() -> None:
    """T2 without `may_return_taken_card` it can be thrown on the next turn at the earliest."""
    taken = played(
        dealt(PLAIN, preset="classic"), Pass(), Pass(), Draw(), Discard(Card("KS")), Take()
    )
    assert Discard(Card("KS")) not in hands.legal_moves(taken)
    given(taken).when(0, Discard(Card("KS"))).refused(Reason.RETURNS_TAKEN_CARD, "T2")
    given(taken).when(0, Discard(Card("KD"))).then(Discarded(0, Card("KD")))
    later = given(taken, Discard(Card("KD")), Draw(), Discard(Card("JS")), Draw())
    later.when(0, Discard(Card("KS"))).then(Discarded(0, Card("KS")))


def test_a_taken_card_does_not_leave_in_a_knock_either() -> None:
    """T2 the knock's discard is a discard, too."""
    ready = stack("AS 2S 3S 4H 5H 6H 7D 8D 9D 2C", upcard="KC")
    hand = dealt(ready, preset="classic")
    given(hand, Take()).when(1, Knock(Card("KC"))).refused(Reason.RETURNS_TAKEN_CARD, "T2")
    assert Knock(Card("KC")) not in hands.legal_moves(played(hand, Take()))
    given(hand, Take()).when(1, Knock(Card("2C"))).then(
        Knocked(1, melds("AS 2S 3S", "4H 5H 6H", "7D 8D 9D"), cards("KC"), gin=False)
    )


# --- T3, T4 -------------------------------------------------------------------------------------


def run_down(hand: hands.Hand, stock: int) -> hands.Hand:
    """Return the hand drawn down, each card thrown at once, until the stock holds `stock`."""
    hand = played(hand, Pass(), Pass())
    while hand.layout.stock > stock:
        hand = played(hand, Draw())
        if hand.layout.stock > stock:
            assert isinstance(hand, Discarding)
            assert hand.drawn is not None
            hand = played(hand, Discard(hand.drawn))
    return hand


def test_a_turn_cannot_start_with_two_stock_cards() -> None:
    """T3 the hand is void when two cards are left; the third-last one is still drawn."""
    hand = run_down(dealt(PLAIN), stock=2)
    assert isinstance(hand, Discarding)
    card = hand.drawn
    assert card is not None
    given(hand).when(hand.seat, Discard(card)).then(
        Discarded(hand.seat, card), HandVoided(1, "stock")
    )


def test_three_stock_cards_are_enough_for_a_turn() -> None:
    """T3 the hand goes on while more than `stock_floor` cards are left."""
    hand = run_down(dealt(PLAIN), stock=3)
    assert isinstance(hand, Discarding)
    assert hand.drawn is not None
    assert isinstance(played(hand, Discard(hand.drawn)), Drawing)


def test_who_draws_the_third_last_card_can_still_knock() -> None:
    """T3 the hand is void only at the start of a turn."""
    ready = stack("AS 2S 3S 4H 5H 6H 7D 8D 9D KC")
    hand = run_down(dealt(ready), stock=2)
    given(hand).when(1, Discard(Card("KC"))).then(Discarded(1, Card("KC")), HandVoided(1, "stock"))
    assert isinstance(played(hand, Knock(Card("KC"))), LayingOff)


@pytest.mark.parametrize("floor", [0, 1, 2, 20, 30])
def test_the_floor_is_the_rulesets(floor: int) -> None:
    """T3 `stock_floor` cards or fewer void the hand; 0 lets the whole stock be drawn."""
    hand = run_down(dealt(PLAIN, stock_floor=floor), stock=floor)
    assert isinstance(hand, Discarding)
    assert hand.drawn is not None
    void = played(hand, Discard(hand.drawn))
    assert isinstance(void, Finished)
    assert void.result == HandVoided(1, "stock")
    assert void.layout.stock == floor


def test_a_floor_of_all_31_voids_the_hand_at_the_deal() -> None:
    """T3 the first turn starts with 31 cards in the stock."""
    rules = Ruleset(stock_floor=31)
    assert hands.deal(rules, 1, 0, PLAIN)[1:] == (HandVoided(1, "stock"),)
    assert hands.to_move(dealt(PLAIN, stock_floor=31)) is None


def test_a_hand_cannot_go_on_for_ever() -> None:
    """T4 after `max_discard_draws` draws from the discard pile the next turn voids the hand."""
    hand = played(dealt(PLAIN, max_discard_draws=2), Pass(), Pass(), Draw(), Discard(Card("KS")))
    hand = played(hand, Take(), Discard(Card("KD")))
    assert isinstance(hand, Drawing)
    given(hand, Take()).when(1, Discard(Card("JS"))).then(
        Discarded(1, Card("JS")), HandVoided(1, "discard_draws")
    )


def test_the_last_draw_from_the_discard_pile_is_a_turn_like_any_other() -> None:
    """T4 its player may still knock; draws from the stock do not count."""
    ready = stack("AS 2S 3S 4H 5H 6H 7D 8D 9D KC", upcard="AC")
    hand = played(dealt(ready, max_discard_draws=1), Take(), Knock(Card("KC")))
    assert isinstance(hand, LayingOff)


def test_the_upcard_counts_as_a_draw_from_the_discard_pile() -> None:
    """T4 the upcard starts the discard pile (D1)."""
    hand = played(dealt(PLAIN, max_discard_draws=1), Take(), Discard(Card("KS")))
    assert isinstance(hand, Finished)
    assert hand.result == HandVoided(1, "discard_draws")


def test_nobody_moves_in_a_hand_that_is_over() -> None:
    """T3 after the end every move of both seats is refused."""
    over = given(dealt(PLAIN, stock_floor=31))
    for seat in (0, 1):
        for move in (Take(), Pass(), Draw(), Discard(Card("AS")), Knock(Card("AS")), LayOff()):
            over.when(seat, move).refused(Reason.HAND_OVER, "")


# --- the fold -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "event"),
    [
        (dealt(PLAIN), StockDrawn(1)),
        (dealt(PLAIN), Discarded(1, Card("AS"))),
        (played(dealt(PLAIN), Take()), StockDrawn(1)),
        (played(dealt(PLAIN), Take()), UpcardPassed(1)),
        (played(dealt(PLAIN), Take()), HandVoided(1, "stock")),
        (dealt(PLAIN, stock_floor=31), StockDrawn(1)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_event_that_cannot_follow_is_refused_by_the_fold(
    hand: hands.Hand, event: StockDrawn | Discarded | UpcardPassed | HandVoided
) -> None:
    """Only a damaged log holds one."""
    with pytest.raises(ValueError, match="cannot follow while the hand is"):
        hands.evolve(hand, event)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_begins_with_the_offer(preset: str) -> None:
    """D1, D2 no preset changes the deal or the first decision."""
    assert hands.legal_moves(dealt(PLAIN, preset=preset)) == (Take(), Pass())

"""What a seat, a spectator and an auditor may see of a match."""

import msgspec
import pytest
from support_knocks import (
    DEFENDER,
    FOR_24,
    KNOCK_DECK,
    KNOCKER,
    SPREAD,
    TO_THE_DRAW,
    moved,
    non_dealer_wins,
    off,
)
from support_rules import (
    PLAIN,
    START,
    begun,
    cards,
    carried_out,
    gathered,
    opened,
    playing,
    stack,
    started,
)

from ginrummy.rules.cards import DECK, BySeat, Card, card_set, cards_in
from ginrummy.rules.commands import (
    BigGin,
    Discard,
    Draw,
    Knock,
    LayOff,
    Move,
    Pass,
    Play,
    Resign,
    Take,
)
from ginrummy.rules.events import Discarded, HandScored, HandVoided, StockDrawn, TimeControl
from ginrummy.rules.match import Match, decide, evolve
from ginrummy.rules.view import HandView, HeldCards, MatchView, Perspective, drawn_card, view

EVERYBODY: tuple[Perspective, ...] = (0, 1, "public", "full")


def hand_view(match: Match, perspective: Perspective) -> HandView:
    """Return what may be seen of the hand that is played, or of the last one."""
    seen = view(match, perspective).hand
    assert seen is not None
    return seen


def in_order(text: str) -> tuple[Card, ...]:
    """Return cards in the unshuffled deck's order."""
    return cards_in(card_set(cards(text)))


def named(seen: MatchView) -> set[str]:
    """Return every card that a view's bytes name, wherever in them."""
    text = msgspec.json.encode(seen).decode()
    return {str(card) for card in DECK if f'"{card}"' in text}


# --- hands --------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_hand_alone() -> None:
    """The opponent's cards and the stock's are backs."""
    match = playing(PLAIN)
    own, opponent = hand_view(match, 1).hands[1], hand_view(match, 1).hands[0]
    assert own.cards == in_order("AS 3S 5S 7S 9S JS KS 2H 4H 6H")
    assert own.hidden == 0
    assert opponent == HeldCards(cards=(), hidden=10, deadwood=None)
    assert named(view(match, 1)) == {*map(str, own.cards), "2C"}


def test_a_spectator_sees_no_hand() -> None:
    """To the public belong the upcard and the counts."""
    match = playing(PLAIN)
    assert hand_view(match, "public").hands == (HeldCards((), 10, None),) * 2
    assert named(view(match, "public")) == {"2C"}


def test_the_full_view_shows_both_hands() -> None:
    """It is for whoever may open the deck; the stock's order is in no view."""
    match = playing(PLAIN)
    seen = hand_view(match, "full")
    assert [held.hidden for held in seen.hands] == [0, 0]
    assert len(named(view(match, "full"))) == 21


def test_a_seat_is_told_its_least_deadwood() -> None:
    """M4 nobody is told that of a hand with hidden cards."""
    match = playing(KNOCK_DECK)
    assert hand_view(match, 1).hands[1].deadwood == 2
    assert hand_view(match, 1).hands[0].deadwood is None
    assert hand_view(match, "public").hands[1].deadwood is None


def test_a_card_that_was_taken_is_known_to_be_held() -> None:
    """Everybody has seen it go there."""
    match = playing(PLAIN, Take(), Discard(Card("KS")))
    for perspective in (0, "public"):
        assert hand_view(match, perspective).hands[1] == HeldCards(cards("2C"), 9, None)
    gone = moved(match, Draw(), Discard(Card("KD")), Draw(), Discard(Card("2C")))
    assert hand_view(gone, 0).hands[1] == HeldCards((), 10, None)


def test_a_card_from_the_stock_is_its_drawers_alone() -> None:
    """T1 the opponent sees that a card was drawn."""
    match = playing(PLAIN, *TO_THE_DRAW)
    assert (hand_view(match, 1).drawn, hand_view(match, "full").drawn) == (Card("4C"), Card("4C"))
    for perspective in (0, "public"):
        seen = hand_view(match, perspective)
        assert (seen.drawn, seen.taken, seen.hands[1].hidden) == (None, False, 11)
        assert "4C" not in named(view(match, perspective))


def test_a_taken_card_is_everybodys_to_see() -> None:
    """D2 it lay face up."""
    match = playing(PLAIN, Take())
    for perspective in EVERYBODY:
        seen = hand_view(match, perspective)
        assert (seen.drawn, seen.taken) == (Card("2C"), True)


def test_the_drawn_card_goes_beside_the_event_to_its_drawer() -> None:
    """The event itself names no card."""
    before = playing(PLAIN, Pass(), Pass())
    (event,), match = carried_out(before, Play(1, Draw()))
    assert event == StockDrawn(1)
    found = [drawn_card(match, event, perspective) for perspective in EVERYBODY]
    assert found == [None, Card("4C"), None, Card("4C")]
    assert drawn_card(match, Discarded(1, Card("4C")), 1) is None
    assert drawn_card(begun(), event, 1) is None


# --- the table ----------------------------------------------------------------------------------


def test_everybody_sees_the_table() -> None:
    """Pile, stock, phase, whose turn, the hand's limit."""
    match = playing(PLAIN, *TO_THE_DRAW, Discard(Card("KS")), Take(), Discard(Card("KD")))
    for perspective in EVERYBODY:
        seen = hand_view(match, perspective)
        assert seen.pile == cards("2C KD")
        assert (seen.number, seen.dealer, seen.upcard) == (1, 0, Card("2C"))
        assert (seen.stock, seen.discard_draws) == (30, 1)
        assert (seen.phase, seen.to_move, seen.upcard_passed) == ("draw", 1, False)
        assert (seen.drawn, seen.taken) == (None, False)
        assert (seen.knock_limit, seen.gin_only) == (10, False)


@pytest.mark.parametrize(
    ("moves", "phase", "passed"),
    [
        ((), "offer", False),
        ((Pass(),), "offer", False),
        ((Pass(), Pass()), "draw", True),
        (TO_THE_DRAW, "discard", False),
        ((*TO_THE_DRAW, Discard(Card("KH"))), "draw", False),
        ((*TO_THE_DRAW, Knock(Card("KH"))), "lay_off", False),
        ((*TO_THE_DRAW, Knock(Card("KH")), LayOff()), "over", False),
    ],
)
def test_the_phase_says_what_the_hand_waits_for(
    moves: tuple[Move, ...],
    phase: str,
    passed: bool,  # noqa: FBT001 - what is expected
) -> None:
    """D2, T1, L1."""
    seen = hand_view(playing(KNOCK_DECK, *moves), "public")
    assert (seen.phase, seen.upcard_passed) == (phase, passed)


def test_the_limit_of_this_hand_is_told() -> None:
    """K6 the upcard's value in oklahoma, for both players to the end of the hand."""
    match = playing(stack(upcard="6S"), terms=opened("oklahoma"))
    for moves in ((), (Take(),), (Take(), Discard(Card("AS")))):
        for perspective in EVERYBODY:
            seen = hand_view(moved(match, *moves), perspective)
            assert (seen.knock_limit, seen.gin_only) == (6, False)
    ace = playing(stack(upcard="AS"), terms=opened("oklahoma"))
    assert (hand_view(ace, 0).knock_limit, hand_view(ace, 0).gin_only) == (0, True)


def test_legal_moves_are_shown_to_whoever_is_to_decide() -> None:
    """Nobody else has any, and nobody else's are shown."""
    match = playing(PLAIN)
    assert hand_view(match, 1).legal == (Take(), Pass())
    for perspective in (0, "public", "full"):
        assert hand_view(match, perspective).legal == ()


# --- a knock ------------------------------------------------------------------------------------


def test_a_knock_opens_the_knockers_cards() -> None:
    """K2 melds and deadwood, to lay off on; before the knock nothing of them is known."""
    before = playing(KNOCK_DECK, *TO_THE_DRAW)
    for perspective in (0, "public"):
        assert not named(view(before, perspective)) & set(KNOCKER.split())
    match = moved(before, Knock(Card("KH")))
    for perspective in EVERYBODY:
        seen = hand_view(match, perspective)
        assert seen.knocked is not None
        assert (seen.knocked.melds, seen.knocked.deadwood) == (SPREAD, cards("2C"))
        assert seen.hands[1] == HeldCards(in_order(KNOCKER), 0, 2)
        assert seen.laid_off is None
    assert hand_view(match, 0).legal == (LayOff(),)


def test_the_opponents_hand_stays_closed_until_it_is_laid_down() -> None:
    """L1 the knocker sees no card of it before."""
    match = playing(KNOCK_DECK, *TO_THE_DRAW, Knock(Card("KH")))
    assert hand_view(match, 1).hands[0] == HeldCards((), 10, None)
    assert not named(view(match, 1)) & set(DEFENDER.split())
    assert hand_view(match, 0).hands[0].cards == in_order(DEFENDER)


def test_the_face_down_discard_is_the_knockers_alone() -> None:
    """K3 the opponent does not see it, neither then nor after the hand."""
    match = playing(KNOCK_DECK, *TO_THE_DRAW, Knock(Card("KH")))
    for now in (match, moved(match, LayOff())):
        found = [hand_view(now, perspective).face_down for perspective in EVERYBODY]
        assert found == [None, Card("KH"), None, Card("KH")]
        assert "KH" not in named(view(now, 0))
        assert "KH" not in named(view(now, "public"))


def test_big_gin_shows_eleven_cards_from_its_first_event_on() -> None:
    """K5 before the opponent's cards are laid down, too."""
    deck = stack("3S 4S 5S 7H 8H 9H QS QH QD QC", "7S TH JH KC KD", "JC", "6S")
    match: Match = playing(deck, *TO_THE_DRAW, terms=opened("oklahoma"))
    for event in decide(match, Play(1, BigGin()), START):
        match = evolve(match, event, START)
        for perspective in EVERYBODY:
            held = hand_view(match, perspective).hands[1]
            assert (len(held.cards), held.hidden, held.deadwood) == (11, 0, 0)


def test_what_was_laid_off_and_scored_is_shown_until_the_next_deal() -> None:
    """L1, S1 both hands are open, and the score stands beside them."""
    match = playing(KNOCK_DECK, *TO_THE_DRAW, Knock(Card("KH")), LayOff())
    for perspective in EVERYBODY:
        seen = hand_view(match, perspective)
        assert seen.laid_off is not None
        assert seen.laid_off.layoffs == off("6S1", "7S1", "TH2", "QC0")
        assert isinstance(seen.result, HandScored)
        assert [held.hidden for held in seen.hands] == [0, 0]
        assert (seen.to_move, seen.legal) == (None, ())
        assert view(match, perspective).score.points == (0, seen.result.points)


def test_a_void_hand_stays_closed() -> None:
    """T3 what was not shown is not shown afterwards either."""
    match = playing(PLAIN, Take(), Discard(Card("KS")), terms=opened(max_discard_draws=1))
    seen = hand_view(match, 0)
    assert isinstance(seen.result, HandVoided)
    assert seen.hands[1] == HeldCards(cards("2C"), 9, None)
    assert (seen.phase, seen.to_move) == ("over", None)


def test_a_hand_broken_off_stays_closed() -> None:
    """X3 resigning shows nothing, and nobody is to move."""
    match = carried_out(playing(PLAIN, *TO_THE_DRAW), Play(0, Resign()))[1]
    seen = hand_view(match, 0)
    assert seen.hands[1] == HeldCards((), 11, None)
    assert (seen.phase, seen.to_move, seen.legal, seen.drawn) == ("discard", None, (), None)
    assert view(match, 0).stage == "ended"


# --- the match ----------------------------------------------------------------------------------


def test_a_match_is_seen_from_its_creation() -> None:
    """Before the first deal there is no hand and no clock."""
    match = gathered(None, *started()[:2])
    assert match is not None
    seen = view(match, "public")
    assert (seen.stage, seen.hand, seen.clock, seen.outcome) == ("gathering", None, None, None)
    assert seen.deadline == START + 3_600 * 1_000_000
    assert seen.seats[0] is not None
    assert (seen.seats[0].name, seen.seats[1]) == ("ann", None)


def test_clocks_and_deadline_are_shown_to_all() -> None:
    """What is left, since when, and until when."""
    match = playing(PLAIN, terms=opened(clock=TimeControl(bank_ms=60_000)))
    for perspective in EVERYBODY:
        seen = view(match, perspective)
        assert seen.clock is not None
        assert seen.clock.bank == BySeat(60_000_000, 60_000_000)
        assert seen.deadline == START + 60_000_000


def test_the_outcome_stands_when_the_match_has_ended() -> None:
    """X1 with the last hand beside it."""
    match = non_dealer_wins(begun(opened(target=24)))
    seen = view(match, "public")
    assert seen.stage == "ended"
    assert seen.outcome is not None
    assert seen.outcome.reason == "target"
    assert seen.hand is not None
    assert seen.hand.phase == "over"


def test_between_two_hands_the_match_goes_on() -> None:
    """The last hand is seen as it ended."""
    seen = view(non_dealer_wins(begun()), 0)
    assert (seen.stage, seen.outcome) == ("playing", None)
    assert view(begun(), 0).hand is None


def test_a_view_is_one_value_that_encodes() -> None:
    """The same match gives the same bytes."""
    match = playing(FOR_24, *TO_THE_DRAW)
    for perspective in EVERYBODY:
        seen = view(match, perspective)
        assert seen.perspective == perspective
        assert msgspec.json.encode(seen) == msgspec.json.encode(view(match, perspective))

"""Whole hands on OpenSpiel's gin_rummy beside ours: the same legal moves, the same points.

Where the two are known to differ (docs/rules.md, *Other engines*), the difference is asserted:
by `support_openspiel` in whatever hand it shows itself, and here in a hand made for it.
"""

import random
from collections import Counter

import pytest
from support_knocks import KNOCKER, TO_THE_DRAW, off
from support_openspiel import PASS, Beside, least_deadwood, meld_action, number
from support_play import (
    Policy,
    Shuffle,
    eager_move,
    lively,
    random_move,
    shuffled,
    simple_move,
    soak,
)
from support_rules import PLAIN, SEATS, cards, stack

from ginrummy.rules.cards import Card, Deck, card_set, cards_in
from ginrummy.rules.commands import Discard, Draw, Knock, LayOff, Move, Pass, Take
from ginrummy.rules.hand import Discarding, Drawing, Hand, Offering
from ginrummy.rules.melds import deadwood


def played(number: int, policy: Policy, shuffle: Shuffle, seed: int) -> Counter[str]:
    """Play that many hands on both sides and return what was seen."""
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    for _ in range(number):
        seen += Beside(shuffle(rng), rng.choice(SEATS)).play(policy, rng)
    return seen


def made(deck: Deck, *moves: Move) -> Counter[str]:
    """Play these moves on both sides and return what was seen."""
    script = iter(moves)
    return Beside(deck, dealer=0).play(lambda _, __: next(script), random.Random(0))


# --- many hands ---------------------------------------------------------------------------------


def test_random_hands_go_the_same_way() -> None:
    """Any legal move: most end void, and run into every limit."""
    seen = played(soak(20_000, 600), random_move, shuffled, 1)
    assert seen["void"] > 300
    assert seen["knock"] > 3


def test_hands_of_simple_players_go_the_same_way() -> None:
    """Every hand ends in a knock, an undercut or gin."""
    seen = played(soak(5000, 200), simple_move, shuffled, 2)
    assert seen["knock"] + seen["undercut"] + seen["gin"] > 180
    assert seen["laid off"] > 40


@pytest.mark.parametrize("policy", [simple_move, eager_move, random_move])
def test_hands_from_stacked_decks_go_the_same_way(policy: Policy) -> None:
    """The decks are stacked for knocks, gin, undercuts and lay-offs, and all of them come."""
    seen = played(soak(5000, 200), policy, lively, 3)
    for kind in ("knock", "gin", "undercut", "laid off"):
        assert seen[kind] > 2, seen


# --- each known difference ----------------------------------------------------------------------


def test_they_lay_off_before_their_own_melds() -> None:
    """The order differs, not what can be reached: no meld goes down before the lay-offs end."""
    deck = stack(KNOCKER, "TC TD TS 4D 4H 4C QC KC KD AC", upcard="JC", stock="KH")
    beside = Beside(deck, dealer=0)
    for move in (*TO_THE_DRAW, Knock(Card("KH"))):
        beside.make(move)
    meld = meld_action(cards("TC TD TS"))
    assert sorted(beside.theirs.legal_actions()) == sorted([number(Card("QC")), PASS])
    assert meld in beside.theirs.child(PASS).legal_actions()


def test_a_tie_after_lay_offs_scores_nothing_for_them() -> None:
    """S2 for us it is an undercut."""
    deck = stack("3S 4S 5S 7H 8H 9H QS QH QD 7C", "6S QC 2H 5H TC TD TS 4D 4H 4C", "JC", "KH")
    seen = made(deck, *TO_THE_DRAW, Knock(Card("KH")), LayOff())
    assert seen == {"laid off": 2, "a tie scores nothing for them": 1, "undercut": 1}


def test_a_lay_off_chain_of_theirs_stops_at_two_cards_on_one_end() -> None:
    """L1 ours goes on as long as cards follow each other."""
    deck = stack(KNOCKER, "6S 7S 8S 9S KC KD 2D 4D 8C 9C", upcard="JC", stock="KH")
    seen = made(deck, *TO_THE_DRAW, Knock(Card("KH")), LayOff((), off("6S1", "7S1", "8S1", "9S1")))
    assert seen == {
        "laid off": 2,
        "a lay-off chain stops at two cards on one end": 2,
        "knock": 1,
    }


def test_their_count_of_eleven_cards_is_not_exact() -> None:
    """K1 a knock that leaves ten is not offered to them: they count twelve."""
    held = card_set(cards("2H 3H 3C 4C 4S 5H 5S 5C 6H 6C 6S"))
    assert least_deadwood(held) == 12
    assert min(deadwood(held & ~card.bit) for card in cards_in(held)) == 10
    assert min(least_deadwood(held & ~card.bit) for card in cards_in(held)) == 10
    deck = stack("2H 3H 3C 4C 4S 5H 5S 5C 6H 6C", upcard="JC", stock="6S")
    beside = Beside(deck, dealer=0)
    for move in TO_THE_DRAW:
        beside.make(move)
    assert not beside.check_choices()
    assert beside.seen == {"no knock where eleven cards are counted inexactly": 1}


def test_at_a_stock_of_two_they_may_still_knock_with_the_upcard() -> None:
    """T3 for us the hand is void."""
    deck = stack("AS 2S 3S 4H 5H 6H 7D 8D 9D 9C", upcard="JC")
    seen = Beside(deck, dealer=0).play(_always_draw, random.Random(1))
    assert seen == {"at a stock of two they may knock with the upcard": 1, "void": 1}


def _always_draw(hand: Hand, _: random.Random) -> Move:
    """Throw whatever was drawn, and never knock."""
    match hand:
        case Offering():
            return Pass()
        case Discarding(drawn=Card() as card):
            return Discard(card)
        case _:
            return Draw()


def test_a_card_thrown_back_by_both_in_a_row_is_a_draw_for_them() -> None:
    """T2 for us the hand goes on."""
    back = Discard(Card("2C"))
    seen = made(PLAIN, Take(), back, Take(), back)
    assert seen == {"thrown back by both: a draw for them": 1}
    later = made(PLAIN, Pass(), Take(), back, Take(), back)
    assert later == {"thrown back by both: a draw for them": 1}


def _always_take(offered: Move) -> Policy:
    """Take from the discard pile on every turn, and throw another card."""

    def policy(hand: Hand, _: random.Random) -> Move:
        match hand:
            case Offering():
                return offered
            case Drawing(upcard_passed=upcard_passed):
                return Draw() if upcard_passed else Take()
            case Discarding(layout=layout, seat=seat, drawn=drawn):
                held = cards_in(layout.hands[seat])
                return Discard(held[0] if held[0] is not drawn else held[1])
            case _:
                raise AssertionError(hand)

    return policy


def test_their_hand_ends_at_the_fiftieth_draw_before_the_card_is_taken() -> None:
    """T4 our player takes the card and has the turn."""
    seen = Beside(PLAIN, dealer=0).play(_always_take(Pass()), random.Random(1))
    assert seen == {"50 draws: their hand ends before the card is taken": 1}


def test_their_fifty_draws_do_not_count_the_upcards_taker() -> None:
    """T4 the upcard starts our discard pile (D1)."""
    seen = Beside(PLAIN, dealer=0).play(_always_take(Take()), random.Random(1))
    assert seen == {"50 draws: we count the upcard's taker": 1}

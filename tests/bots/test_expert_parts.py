"""What the expert bot goes by: what it remembers, whom it reads, what it holds, when it knocks."""

import pytest
from support_rules import cards

from ginrummy.bots import Card, Discard, Draw, Event, ExpertBot, Knock, Take, View, card_set
from ginrummy.bots.expert.imagining import Imagined, imagined_hands
from ginrummy.bots.expert.knocking import best_spread, knock_worth, spreads
from ginrummy.bots.expert.memory import Course, Memory, Terms
from ginrummy.bots.expert.outs import outs
from ginrummy.bots.expert.reading import Reading, read
from ginrummy.bots.expert.throwing import danger
from ginrummy.bots.expert.worth import Stand, worth
from ginrummy.rules.cards import DECK, cards_in
from ginrummy.rules.melds import RUNS, SETS
from ginrummy.v1 import events_pb2 as pb

ALL = card_set(DECK)


def looking_at(own: str, known: str = "", pile: str = "4D", stock: int = 25) -> View:
    """Return the view of seat 0, who holds `own` and is to end a turn where these are eleven."""
    looked = View(seat=0)
    hand = looked.hand
    hand.number, hand.knock_limit, hand.stock = 1, 10, stock
    hand.hands.add(cards=own.split())
    hand.hands.add(cards=known.split(), hidden=10 - len(known.split()))
    hand.discard_pile.extend(pile.split())
    if len(own.split()) == 10:
        hand.legal.take = hand.legal.draw = True
        return looked
    hand.legal.discards.extend(own.split())
    eleven = card_set(cards(own))
    hand.legal.knocks.extend(
        str(card) for card in cards(own) if outs(eleven & ~card.bit, (), 10).deadwood <= 10
    )
    return looked


def reading(own: str, known: str = "", course: Course | None = None) -> Reading:
    """Return the reading of an opponent who is known to hold some cards."""
    held, shown = card_set(cards(own)), card_set(cards(known))
    return read(ALL & ~(held | shown), shown, 10 - shown.bit_count(), course or Course())


def course(**cards_by_deed: str) -> Course:
    """Return a course in which these cards were thrown, taken or left."""
    made = Course()
    for deed, named in cards_by_deed.items():
        getattr(made, deed).extend(cards(named))
    return made


# --- memory ---------------------------------------------------------------------------------------


def test_it_remembers_what_each_seat_threw_took_and_left() -> None:
    memory = Memory()
    for event in (
        Event(hand_dealt=pb.HandDealt(hand=2, dealer=0, upcard="4D")),
        Event(upcard_passed=pb.UpcardPassed(seat=1)),
        Event(upcard_passed=pb.UpcardPassed(seat=0)),
        Event(stock_drawn=pb.StockDrawn(seat=1)),
        Event(discarded=pb.Discarded(seat=1, card="KC")),
        Event(discard_taken=pb.DiscardTaken(seat=0, card="KC")),
        Event(discarded=pb.Discarded(seat=0, card="2H")),
        Event(stock_drawn=pb.StockDrawn(seat=1)),
    ):
        memory.saw(event)
    looked = View(seat=0)
    looked.hand.number = 2
    own, theirs = memory.course(looked, 0), memory.course(looked, 1)
    assert (own.thrown, own.taken, own.left) == ([Card("2H")], [Card("KC")], [Card("4D")])
    assert (theirs.thrown, theirs.taken) == ([Card("KC")], [])
    assert theirs.left == [
        Card("4D"),
        Card("2H"),
    ]  # the upcard once, though it had to be left twice
    looked.hand.number = 3
    assert memory.course(looked, 1).thrown == []


def test_it_knows_the_terms_that_no_view_says() -> None:
    memory = Memory()
    created = pb.MatchCreated()
    created.rules.target = 150
    created.rules.gin_bonus = 20
    memory.saw(Event(match_created=created))
    assert memory.terms == Terms(None, 20, 0, 0, 0, 150)
    created.board.number = 1
    memory.saw(Event(match_created=created))
    assert memory.terms.target is None


# --- reading --------------------------------------------------------------------------------------

OWN = "2D 3D 5H 9S KS QH 8C 7C AS JD"


def in_stock(read_so: Reading, card: str) -> float:
    """Return the chance that a card is in the stock."""
    return dict(read_so.stock)[Card(card)]


@pytest.mark.parametrize("near", ["6S", "6H", "5D", "4D", "7D"])
def test_neighbours_of_what_was_thrown_or_left_are_theirs_less_often_than_of_what_was_taken(
    near: str,
) -> None:
    plain = in_stock(reading(OWN), near)
    assert in_stock(reading(OWN, course=course(thrown="6D")), near) > plain
    assert in_stock(reading(OWN, course=course(left="6D")), near) > plain
    assert in_stock(reading(OWN, "6D", course(taken="6D")), near) < plain


def test_imagined_hands_hold_what_is_known_and_only_what_can_be() -> None:
    held, known = card_set(cards(OWN)), card_set(cards("6D 6S"))
    unseen = cards_in(ALL & ~(held | known))
    hands = list(imagined_hands(unseen, [1.0] * len(unseen), known, 8, 1.5))
    assert len({hand.cards for hand in hands}) == len(hands) > 1
    for hand in hands:
        assert hand.cards.bit_count() == 10
        assert hand.cards & known == known
        assert not hand.cards & held


def test_a_card_taken_face_up_is_imagined_in_a_meld() -> None:
    taken = Card("6D")
    with_it = [meld for meld in SETS | RUNS if meld & taken.bit]
    for hand in reading(OWN, "6D", course(taken="6D")).hands:
        assert any(not meld & ~hand.cards for meld in with_it)


def test_the_same_position_imagines_the_same_hands() -> None:
    assert reading(OWN, "6D", course(thrown="KC")) == reading(OWN, "6D", course(thrown="KC"))


# --- outs -----------------------------------------------------------------------------------------


def test_outs_are_counted_over_the_cards_that_may_come() -> None:
    ten = card_set(cards("2D 3D 4D 5S 5H 5C 9S 9H KC AS"))
    stock = [(Card(card), 1.0) for card in ("9D", "KS", "9C", "7H")]
    found = outs(ten, stock, 10)
    assert found.deadwood == 29
    assert found.drop == (28 + 0 + 28 + 3) / 4
    assert found.knock == 0.5
    assert found.gin == 0.0


# --- throwing -------------------------------------------------------------------------------------

TWO_IDLE_CARDS = "2D 3D 4D 5S 5H 5C 8S 8H 8C KC QH"


@pytest.mark.parametrize(("collects", "held_back"), [("KS KD", "KC"), ("QS QD", "QH")])
def test_it_holds_the_card_that_the_opponent_collects(collects: str, held_back: str) -> None:
    read_so = reading(TWO_IDLE_CARDS, collects, course(taken=collects))
    other = "QH" if held_back == "KC" else "KC"
    assert danger(Card(held_back), read_so) > danger(Card(other), read_so)
    looked = looking_at(TWO_IDLE_CARDS, collects)
    del looked.hand.legal.knocks[:]
    bot = ExpertBot()
    bot.saw(Event(hand_dealt=pb.HandDealt(hand=1, dealer=0, upcard="4D")))
    for card in collects.split():
        bot.saw(Event(discard_taken=pb.DiscardTaken(seat=1, card=card)))
    assert bot.discard(looked) == Discard(Card(other))


def test_it_takes_what_makes_a_meld_and_leaves_what_would_only_go_back() -> None:
    ten = "2D 3D 5H 9S KS QH 8C 7C AS JD"
    bot = ExpertBot()
    assert bot.draw(looking_at(ten, pile="4D")) == Take()
    assert bot.draw(looking_at(ten, pile="KC")) == Draw()


# --- knocking -------------------------------------------------------------------------------------

READY = "2D 3D 4D 5S 5H 5C 8S 8H 8C 9D KC"
"""Nine points are left once the king is gone."""


def test_it_knocks_early_against_a_hand_of_which_nothing_is_known() -> None:
    knock = ExpertBot().discard(looking_at(READY))
    assert isinstance(knock, Knock)
    assert knock.card is Card("KC")


def test_it_does_not_knock_into_an_undercut() -> None:
    melded = "JS QS KS JH QH KH TD JD QD"
    assert ExpertBot().discard(looking_at(READY, melded)) == Discard(Card("KC"))


def test_going_on_is_worth_nothing_once_no_card_can_be_drawn() -> None:
    """T3: the hand is then void."""
    held_now = outs(card_set(cards("2D 3D 4D 5S 5H 5C 8S 8H 8C 9D")), ((Card("AD"), 1.0),), 10)
    early, last = Stand(10, 1, 55.0, left=25), Stand(10, 12, 20.0, left=0)
    assert worth(held_now, early) > 0
    assert worth(held_now, last) == 0


def test_it_knocks_with_gin_whatever_the_opponent_has() -> None:
    gin = "2D 3D 4D 5S 5H 5C 8S 8H 8C 8D KC"
    knock = ExpertBot().discard(looking_at(gin, "JS QS KS JH QH KH TD JD QD"))
    assert isinstance(knock, Knock)
    assert knock.card is Card("KC")


THREE_BY_THREE = "5S 6S 7S 5H 6H 7H 5D 6D 7D AC KH"
SETS_LAID_DOWN = {card_set(cards(meld)) for meld in ("5S 5H 5D", "6S 6H 6D", "7S 7H 7D")}
RUNS_LAID_DOWN = {card_set(cards(meld)) for meld in ("5S 6S 7S", "5H 6H 7H", "5D 6D 7D")}


@pytest.mark.parametrize(
    ("held_by_them", "laid_down"),
    [("5C 7C", RUNS_LAID_DOWN), ("8S 8H 4D", SETS_LAID_DOWN)],
)
def test_it_lays_down_the_spread_on_which_less_can_be_laid_off(
    held_by_them: str, laid_down: set[int]
) -> None:
    rest = "KS QS JC 9C 3C 2S QD TH"
    theirs = card_set(cards(f"{held_by_them} {rest}")[:10])
    hands = (Imagined(theirs, outs(theirs, (), 10).deadwood),)
    eleven = card_set(cards(THREE_BY_THREE))
    choices = spreads(eleven, (Card("KH"),), Terms(), 10)
    _, spread = best_spread(choices, hands, Terms(), None)
    assert {card_set(meld) for meld in spread.melds} == laid_down
    assert spread.deadwood == 1


def test_a_knock_is_worth_what_it_scores() -> None:
    (spread,) = spreads(card_set(cards(READY)), (Card("KC"),), Terms(), 10)
    loose = card_set(cards("KS QH JC 9C 7H 4H 2S AS TD 6C"))
    tight = card_set(cards("JS QS KS JH QH KH TD JD QD AC"))
    terms = Terms(undercut_bonus=10)
    # Nothing of it fits on 2D 3D 4D, 5S 5H 5C or 8S 8H 8C.
    assert knock_worth(spread, (Imagined(loose, 69),), terms, None) == 69 - 9
    assert knock_worth(spread, (Imagined(tight, 1),), terms, None) == -(9 - 1) - 10


def test_a_score_that_wins_the_match_is_worth_more() -> None:
    (spread,) = spreads(card_set(cards(READY)), (Card("KC"),), Terms(), 10)
    hands = (Imagined(card_set(cards("KS QH JC 9C 7H 4H 2S AS TD 6C")), 69),)
    plain = knock_worth(spread, hands, Terms(), None)
    assert knock_worth(spread, hands, Terms(), (200, 200)) == plain
    assert knock_worth(spread, hands, Terms(), (10, 200)) > plain

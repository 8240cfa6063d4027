"""What is said of a hand: worlds, playing on, knocks, spreads and lay-offs, against the rules."""

import random
from itertools import permutations

import pytest
from support_analysis import hands_between
from support_forks import forked_match
from support_golden import golden_log
from support_logs import Table
from support_play import eager_move, left_of, random_melds, shuffled, simple_move

from ginrummy.analysis.deciding import decided_hand
from ginrummy.analysis.errors import HandUnderWayError, UnrevealedHandError
from ginrummy.analysis.judging import judge_hand
from ginrummy.analysis.knocking import best_spread, spreads
from ginrummy.analysis.knowledge import Knowledge
from ginrummy.analysis.playing import Standing, lay_down_score, play_move
from ginrummy.analysis.recording import read_match
from ginrummy.analysis.worlds import draw_worlds, seeded, standing_in
from ginrummy.rules.cards import BySeat, card_set, parse_cards, points
from ginrummy.rules.commands import Draw, LayOff
from ginrummy.rules.events import HandDealt, HandScored, Knocked
from ginrummy.rules.hand import Hand, LayingOff, start
from ginrummy.rules.layoffs import best_lay_off
from ginrummy.rules.ruleset import make_ruleset
from ginrummy.rules.scoring import score_hand


def test_no_world_contradicts_what_the_seat_knew() -> None:
    for hand in hands_between(eager_move, eager_move, 6, seed=3):
        for decision in hand.decisions:
            knows = decision.knowledge
            if isinstance(decision.hand, LayingOff):
                continue
            for world in draw_worlds(knows, 5, seeded(1, decision.seq)):
                stock = card_set_of(world.stock)
                assert len(world.stock) == stock.bit_count() == decision.hand.layout.stock
                assert world.opposing.bit_count() == 10
                assert world.opposing & knows.held == knows.held
                everywhere = [knows.own, world.opposing, stock, card_set_of(knows.pile)]
                assert sum(everywhere) == (1 << 52) - 1


def card_set_of(cards: tuple[int, ...]) -> int:
    return sum(cards)


def test_an_imagined_hand_is_scored_as_the_rules_score_it_played_by_the_same_policy() -> None:
    """In a world that is the real one, playing on gives what the hand came to."""
    for hand in hands_between(simple_move, simple_move, 8, seed=4):
        if not isinstance(hand.result, HandScored):
            continue
        last = [each for each in hand.decisions if not isinstance(each.move, LayOff)][-1]
        layout = last.hand.layout
        standing = Standing(
            hand.dealt,
            layout.hands,
            tuple(card.bit for card in layout.pile),
            tuple(card.bit for card in (hand.dealt.deck or ())[52 - layout.stock :]),
            layout.discard_draws,
        )
        sign = 1 if hand.result.winner == last.seat else -1
        assert play_move(standing, last.seat, last.move) == sign * hand.result.points


def test_sampling_agrees_with_going_through_every_world() -> None:
    """Three cards left, two of them the stock's floor: one draw, and then the hand is void."""
    own = card_set(parse_cards("2S 3S 4S 7H 7D 7C KS KH 9D 2C"))
    pile = parse_cards(
        "AS AD AC 5S 6S 8S 9S TS JS QS 2H 3H 4H 5H 6H 8H 9H TH JH QH AH KD QD JD TD 8D 2D 3D 4D"
    )
    held = card_set(parse_cards("3C 4C 5C 6C 8C 9C TC JC QC 5D"))
    knows = Knowledge(0, own, tuple(card.bit for card in pile), held, 0, 3, 0)
    event = HandDealt(1, 1, pile[0])
    dealt = start(make_ruleset(), event).layout.dealt
    stocks = list(
        permutations(
            card.bit for card in parse_cards("KC KD 7S 6D") if not card.bit & card_set(pile)
        )
    )
    assert all(len(stock) == 3 for stock in stocks)
    every = [
        play_move(Standing(dealt, BySeat(own, held), knows.pile, stock), 0, Draw())
        for stock in stocks
    ]
    drawn = [
        play_move(standing_in(world, knows, dealt, 0), 0, Draw())
        for world in draw_worlds(knows, 600, seeded(1))
    ]
    assert len(set(every)) > 1
    assert sum(drawn) / 600 == pytest.approx(sum(every) / len(every), abs=4)


def test_a_knock_is_scored_by_the_rules() -> None:
    cards = card_set(parse_cards("2S 3S 4S 7H 7D 7C KH KD KC 5D"))
    opposing = card_set(parse_cards("5S 6S 7S AH AD 9C TC QD JD 4H"))
    dealt = start(make_ruleset(), HandDealt(1, 1, parse_cards("8H")[0])).layout.dealt
    melds = (parse_cards("2S 3S 4S"), parse_cards("7H 7D 7C"), parse_cards("KH KD KC"))
    count = best_lay_off(melds, opposing, 5).points
    knocked = Knocked(0, melds, parse_cards("5D"), gin=False)
    score = score_hand(dealt.rules, 1, dealt.upcard, knocked, count)
    left = cards & ~card_set(card for meld in melds for card in meld)
    assert lay_down_score(dealt, 0, melds, left, opposing) == score.points == 45 - 5
    assert lay_down_score(dealt, 1, melds, left, opposing) == 45 - 5


def test_no_random_spread_beats_the_best_one() -> None:
    rng = random.Random(2)
    dealt = start(make_ruleset(), HandDealt(1, 1, parse_cards("8H")[0])).layout.dealt
    cards = card_set(parse_cards("2S 3S 4S 5S 5H 5D 6S 7S AC 2H"))
    for _ in range(20):
        deck = [card for card in shuffled(rng) if not card.bit & cards]
        opposing = [card_set(deck[:10]), card_set(deck[10:20])]
        best = best_spread(dealt, 0, cards, (), opposing)
        for _ in range(20):
            melds = random_melds(cards, 5, rng)
            left = left_of(cards, melds)
            if points(left) <= dealt.limit:
                scores = [lay_down_score(dealt, 0, melds, left, hand) for hand in opposing]
                assert sum(scores) / 2 <= best.score.mean


def test_every_spread_is_found_once() -> None:
    cards = card_set(parse_cards("5S 5H 5D 6S 7S"))
    found = [frozenset(map(card_set, melds)) for melds in spreads(cards, 5)]
    assert len(found) == len(set(found)) == 3


def test_the_same_seed_gives_the_same_figures() -> None:
    (hand,) = hands_between(eager_move, simple_move, 1, seed=8)
    judged = judge_hand(hand, worlds=4, seed=3)
    assert judged == judge_hand(hand, worlds=4, seed=3)
    assert judged != judge_hand(hand, worlds=4, seed=4)
    assert {each.seat for each in judge_hand(hand, seats=(1,), worlds=4).decisions} == {1}


def test_missed_lay_offs_are_named() -> None:
    def lays_nothing_off(hand: Hand, rng: random.Random) -> object:
        return LayOff((), ()) if isinstance(hand, LayingOff) else simple_move(hand, rng)

    hands = hands_between(lays_nothing_off, lays_nothing_off, 12, seed=2)  # type: ignore[arg-type]
    laid = [
        each.lay_off
        for hand in hands
        for each in judge_hand(hand, worlds=4).decisions
        if each.lay_off is not None
    ]
    assert any(each.missed for each in laid)
    assert all(each.least <= each.left for each in laid)


def test_what_the_server_did_is_nobodys_decision() -> None:
    """A fork's first seven moves were decided elsewhere; the seats have seen them all the same."""
    fork = forked_match(golden_log("classic"), 60)
    first = decided_hand(read_match(fork.log).hands[0])
    assert first.decisions[0].seq == 14
    (origin,) = (each for each in read_match(golden_log("classic")).hands if each.number == 2)
    same = next(each for each in decided_hand(origin).decisions if each.seq == 61)
    assert first.decisions[0].knowledge == same.knowledge


def test_a_hand_that_is_not_over_or_not_revealed_is_refused() -> None:
    table = Table(13, hands=3).seated().play(until=lambda match: len(table_hands(match)) > 0)
    hands = read_match(table.log).hands
    with pytest.raises(UnrevealedHandError, match="hand 1 cannot be analysed yet"):
        decided_hand(hands[0])
    with pytest.raises(HandUnderWayError, match="still being played"):
        decided_hand(hands[-1])


def table_hands(match: object) -> tuple[int, ...]:
    number = getattr(getattr(match, "hand", None), "layout", None)
    return (1,) if number is not None and number.dealt.number == 2 else ()

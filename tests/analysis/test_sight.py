"""Who plays as if they saw hidden cards: found after enough hands, and nobody else."""

import random

import pytest
from support_analysis import hands_between, sees_the_hand, sees_the_stock
from support_play import simple_move, soak

from ginrummy.analysis.regression import first_coefficient
from ginrummy.analysis.sight import DrawLuck, HandLuck, ThrowLuck, luck_of
from ginrummy.analysis.verdict import LEAST_HANDS, sight_of
from ginrummy.rules.hand import Drawing

HANDS = 100


def test_who_sees_the_stock_is_found_by_their_draws() -> None:
    hands = hands_between(sees_the_stock, simple_move, HANDS, seed=5)
    sight = sight_of(luck_of(hand, 0, 6, seed=1) for hand in hands)
    assert sight.draws is not None
    assert sight.draws.more_than_luck
    assert sight.draws.low > 0.5


def test_who_sees_the_hand_is_found_by_their_discards() -> None:
    hands = hands_between(sees_the_hand, simple_move, HANDS, seed=6)
    sight = sight_of(luck_of(hand, 0, 20, seed=1) for hand in hands)
    assert sight.discards is not None
    assert sight.discards.more_than_luck
    assert sight.discards.low > 0.5


def test_honest_players_are_found_about_as_often_as_stated() -> None:
    """One in forty by each of two; the bound is what more than that brings once in a thousand."""
    players = soak(60, 4)
    found = [0, 0]
    for seed in range(players // 2):
        hands = hands_between(simple_move, simple_move, 60, seed=100 + seed)
        for seat in (0, 1):
            sight = sight_of(luck_of(hand, 1 if seat else 0, soak(40, 10), 1) for hand in hands)
            assert sight.draws is not None
            assert sight.discards is not None
            found[0] += sight.draws.more_than_luck
            found[1] += sight.discards.more_than_luck
    assert max(found) <= soak(7, 2)


def test_a_draw_is_looked_at_in_the_real_stock_and_over_all_cards_not_seen() -> None:
    (hand,) = hands_between(simple_move, simple_move, 1, seed=9)
    looked_at = {draw.seq: draw for draw in luck_of(hand, 0, 4, 1).draws}
    chosen = [
        each
        for each in hand.decisions
        if each.seat == 0 and isinstance(each.hand, Drawing) and not each.hand.upcard_passed
    ]
    assert list(looked_at) == [each.seq for each in chosen]
    assert all(draw.real >= 0 and draw.expected >= 0 for draw in looked_at.values())


def test_too_few_hands_say_nothing() -> None:
    rng = random.Random(1)
    few = [_luck(rng) for _ in range(LEAST_HANDS - 1)]
    assert sight_of(few).draws is None
    assert sight_of([*few, _luck(rng)]).draws is not None


def _luck(rng: random.Random) -> HandLuck:
    draws = (
        _drawn(rng, chosen=True),
        _drawn(rng, chosen=False),
    )
    return HandLuck(draws, (ThrowLuck(3, chosen=True, value=10, expected=1.0, real=0, stock=17),))


def _drawn(rng: random.Random, *, chosen: bool) -> DrawLuck:
    return DrawLuck(1, chosen, rng.random(), rng.randrange(5), rng.randrange(3, 32))


def test_the_coefficient_is_that_of_a_known_line() -> None:
    """y = 3a + 2b + 1, exactly: no error is left."""
    rows = [[((a, 1.0, b), 3 * a + 2 * b + 1) for a, b in ((0, i), (1, i * i))] for i in range(9)]
    found = first_coefficient(rows)
    assert found is not None
    assert found.value == pytest.approx(3)
    assert found.error == pytest.approx(0, abs=1e-9)


def test_the_coefficient_of_two_groups_is_the_difference_of_their_means() -> None:
    """Every row its own cluster: the error is that of two means, n / (n - 1) of the plain one."""
    values = {0.0: [1.0, 2.0, 6.0], 1.0: [4.0, 9.0]}
    rows = [[((group, 1.0), y)] for group, ys in values.items() for y in ys]
    found = first_coefficient(rows)
    assert found is not None
    assert found.value == pytest.approx(6.5 - 3)
    plain = (4 + 1 + 9) / 9 + (6.25 + 6.25) / 4
    assert found.error == pytest.approx((plain * 5 / 4) ** 0.5)


def test_a_choice_that_never_varies_says_nothing() -> None:
    assert first_coefficient([[((1.0, 1.0), float(i))] for i in range(50)]) is None

"""Least deadwood, arrangements and the check of melds (M1 to M4, K2, K5)."""

import os
import subprocess
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support_cards import card_sets, held, melds, names, vector_rows
from support_naive_melds import MELDS, least_deadwood

from ginrummy.rules.cards import DECK, SUITS, card_set, cards_in, parse_card, parse_cards, points
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.melds import (
    RUNS,
    SETS,
    Arrangement,
    arrange,
    check_melds,
    deadwood,
    outside_runs,
    set_choices,
)

ALL_CARDS = card_set(DECK)
CAPS = st.none() | st.integers(5, 13)

# --- M1: what a meld is -------------------------------------------------------------------------


def test_there_are_329_melds_and_185_with_runs_of_at_most_five() -> None:
    """M1, M2"""
    assert (len(SETS), len(RUNS), len(SETS | RUNS)) == (65, 264, 329)
    assert len(SETS) + sum(run.bit_count() <= 5 for run in RUNS) == 185


def test_the_melds_are_those_of_the_naive_solver() -> None:
    assert {names(meld) for meld in SETS | RUNS} == set(MELDS)


# --- M4: least deadwood -------------------------------------------------------------------------


def test_least_deadwood_is_that_of_every_vector() -> None:
    """M4: every card of a row counts, with eleven cards too."""
    rows = vector_rows("deadwood.tsv")
    wrong = [row for row in rows if deadwood(held(row["hand"])) != int(row["min_deadwood"])]
    assert len(rows) == 1000
    assert wrong == []


@pytest.mark.parametrize(
    "hand",
    [
        "6H QH QC 5H KD KH 7H KC 4H QD",
        "TC 2H 3H 2S TD 5H 3S 4H 4S TS",
        "AS 2S 3S 4S 5S 9D TD JD QD KD",
    ],
)
def test_competing_sets_and_runs_are_still_gin(hand: str) -> None:
    """K4, K5: and so are two runs of five."""
    assert deadwood(held(hand)) == 0
    assert arrange(held(hand), 5).deadwood == ()


def test_an_eleventh_card_may_change_which_melds_are_best() -> None:
    """K1: a hand in which another engine finds no knock, though its best discard leaves ten."""
    hand = held("2H 3H 3C 4C 4S 5H 5S 5C 6H 6C 6S")
    assert min(deadwood(hand & ~card.bit) for card in cards_in(hand)) == 10


@pytest.mark.parametrize(
    ("cards", "least"),
    [
        ("", 0),
        ("KS", 10),
        ("QS KS AS", 21),  # C2: the ace is low only
        ("KS AH 2H", 13),  # no sequence goes over into the next suit
        ("JS QS KS AH", 1),
        ("7S 7H 7D 7C 8C 9C", 0),  # a set of three and a run
        ("7S 7H 7D 8C 9C", 17),
        ("4S 5S 6S 7S 7H 7D", 0),  # the fourth card of the run into the set
        ("5S 6S 7S 7H 7D", 11),  # the set is worth more than the run
        ("AS 2S 3S 3H 3D", 3),
    ],
)
def test_least_deadwood_of_a_few_cards(cards: str, least: int) -> None:
    assert deadwood(held(cards)) == least


def test_least_deadwood_of_very_many_cards() -> None:
    """Where every rank is held four times and none is in a run, nothing is left to try."""
    no_runs = card_set(card for card in DECK if card.rank in {0, 1, 3, 4, 6, 7, 9, 10, 12})
    assert deadwood(ALL_CARDS) == deadwood(no_runs) == 0
    assert deadwood(no_runs | parse_card("9S").bit) == 0
    assert deadwood(no_runs & ~held("KS KH")) == 20


@settings(max_examples=300, deadline=None)
@given(card_sets(11))
def test_least_deadwood_equals_the_naive_solvers(cards: int) -> None:
    assert deadwood(cards) == least_deadwood(names(cards))


@settings(max_examples=200, deadline=None)
@given(card_sets(30))
def test_least_deadwood_is_the_least_of_all_choices_of_sets(cards: int) -> None:
    """The choices that `deadwood` does not look at would be no better."""
    least = min(points(outside_runs(cards ^ in_sets)) for in_sets in set_choices(cards))
    assert deadwood(cards) == least


# --- K2: the arrangement that the server lays down ----------------------------------------------


def arranged(text: str, run_max: int | None = None) -> tuple[str, ...]:
    """Return the melds of an arrangement, each in its order."""
    return tuple(" ".join(map(str, meld)) for meld in arrange(held(text), run_max).melds)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        # Sets rather than runs.
        ("7S 8S 9S 7H 8H 9H 7D 8D 9D", ("7S 7H 7D", "8S 8H 8D", "9S 9H 9D")),
        # Of four cards all four, where that leaves as little.
        ("7S 7H 7D 7C 4C 5C 6C", ("7S 7H 7D 7C", "4C 5C 6C")),
        # Otherwise without S, then without H.
        ("9S 9H 9D 9C 7S 8S 7H 8H", ("9H 9D 9C", "7S 8S 9S")),
        ("9S 9H 9D 9C 7H 8H 7D 8D", ("9S 9D 9C", "7H 8H 9H")),
        # Sets from the ace up, then runs by suit.
        ("KS KH KD AS AH AD 5C 6C 7C 5H 6H 7H", ("AS AH AD", "KS KH KD", "5H 6H 7H", "5C 6C 7C")),
    ],
)
def test_the_first_arrangement_of_the_documented_order_is_laid_down(
    cards: str, expected: tuple[str, ...]
) -> None:
    """K2"""
    assert arranged(cards) == expected


def test_a_lower_ranks_set_comes_before_a_higher_ranks() -> None:
    """K2"""
    cards = held("2H 2D 2C 5H 5D 5C 3C 4C 6C")
    # Both sets, the twos alone, the fives alone, none.
    left = [points(outside_runs(cards ^ in_sets)) for in_sets in set_choices(cards)]
    assert left == [13, 10, 10, 14]
    assert arrange(cards, 5) == Arrangement(
        melds("2H 2D 2C", "3C 4C 5C 6C"), parse_cards("5H 5D"), 10
    )


@pytest.mark.parametrize(
    ("size", "capped"),
    [
        (3, [3]),
        (5, [5]),
        (6, [3, 3]),
        (7, [3, 4]),
        (8, [4, 4]),
        (9, [4, 5]),
        (10, [5, 5]),
        (11, [3, 4, 4]),
        (12, [4, 4, 4]),
        (13, [4, 4, 5]),
    ],
)
def test_a_sequence_longer_than_the_cap_is_laid_down_as_several_runs(
    size: int, capped: list[int]
) -> None:
    """M2"""
    cards = card_set(DECK[:size])
    assert [len(run) for run in arrange(cards, 5).melds] == capped
    assert [len(run) for run in arrange(cards, None).melds] == [size]


def test_nothing_is_arranged_of_no_cards() -> None:
    assert arrange(0, 5) == Arrangement((), (), 0)


def test_the_whole_deck_is_arranged_in_thirteen_sets() -> None:
    assert len(arrange(ALL_CARDS, 5).melds) == 13


@settings(max_examples=300, deadline=None)
@given(card_sets(14), CAPS)
@example(ALL_CARDS, 5)
def test_an_arrangement_is_legal_holds_every_card_once_and_leaves_least(
    cards: int, run_max: int | None
) -> None:
    """M1 to M4, K2"""
    found = arrange(cards, run_max)
    in_melds = check_melds(found.melds, cards, run_max)
    assert cards_in(cards & ~in_melds) == found.deadwood
    assert points(cards & ~in_melds) == found.points == deadwood(cards)


def test_the_cap_changes_no_points() -> None:
    """M2"""
    for row in vector_rows("deadwood.tsv"):
        cards = held(row["hand"])
        assert arrange(cards, 5).points == arrange(cards, None).points == int(row["min_deadwood"])


ARRANGE_ALL = """
from support_cards import held, melds, vector_rows
from ginrummy.rules.layoffs import best_lay_off
from ginrummy.rules.melds import arrange

for row in vector_rows("deadwood.tsv"):
    print(arrange(held(row["hand"]), 5))
for row in vector_rows("layoff.tsv"):
    spread = melds(*row["knocker_melds"].split(";"))
    print(best_lay_off(spread, held(row["opponent_hand"]), 5))
"""


def test_the_same_cards_give_the_same_arrangement_in_every_process() -> None:
    """K2, L4: whatever the seed of Python's hashes."""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", ARRANGE_ALL],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("0", "1", "42")
    }
    assert len(outputs) == 1
    assert outputs.pop().count(b"\n") == 1300


# --- M1 to M3: the check of named melds ---------------------------------------------------------


@pytest.mark.parametrize(
    "meld", ["AS 2S 3S", "JS QS KS", "7S 7H 7D", "7S 7H 7D 7C", "3S 4S 5S 6S 7S", "QS KS JS"]
)
def test_a_meld_is_accepted_with_its_cards_in_any_order(meld: str) -> None:
    """M1, C2"""
    assert check_melds(melds(meld), ALL_CARDS, 5) == held(meld)


def test_several_melds_return_all_their_cards() -> None:
    assert check_melds(melds("2D 2C 2H", "3D 4D 5D"), held("2D 2C 2H 3D 4D 5D KS"), 5) == held(
        "2D 2C 2H 3D 4D 5D"
    )
    assert check_melds((), ALL_CARDS, 5) == 0


@pytest.mark.parametrize(
    ("meld", "says"),
    [
        ("JS QS KS AC", "JS QS KS AC is no meld: a set is 3 or 4"),
        ("QS KS AS", "QS KS AS is no meld: the ace is low only"),
        ("KS AS 2S", "KS AS 2S is no meld: the ace is low only"),
        ("AS AC AD 2S", "AS AC AD 2S is no meld: a set is 3 or 4"),
        ("QS KS AH", "QS KS AH is no meld"),
        ("3S 4S 6S", "3S 4S 6S is no meld"),
        ("3S 4S", "3S 4S is no meld: a meld has at least three cards"),
        ("7H 7D", "7H 7D is no meld: a meld has at least three cards"),
        ("KS", "KS is no meld: a meld has at least three cards"),
        ("", "a meld of no cards is no meld: a meld has at least three cards"),
    ],
)
def test_cards_that_are_no_meld_are_refused(meld: str, says: str) -> None:
    """M1, C2"""
    with pytest.raises(IllegalMoveError) as refused:
        check_melds(melds("4D 5D 6D", meld), ALL_CARDS, None)
    assert (refused.value.reason, refused.value.rule) == (Reason.NOT_A_MELD, "M1")
    assert refused.value.why.startswith(says)


@pytest.mark.parametrize("suit", SUITS)
def test_no_run_goes_round_from_king_to_ace(suit: str) -> None:
    """C2: neither in a suit nor over into the next one."""
    following = SUITS[(SUITS.index(suit) + 1) % 4]
    for ace in (suit, following):
        with pytest.raises(IllegalMoveError):
            check_melds(melds(f"Q{suit} K{suit} A{ace}"), ALL_CARDS, None)
        with pytest.raises(IllegalMoveError):
            check_melds(melds(f"K{suit} A{ace} 2{ace}"), ALL_CARDS, None)


def test_a_run_longer_than_the_cap_is_refused_with_what_to_do_instead() -> None:
    """M2"""
    run = melds("3S 4S 5S 6S 7S 8S 9S")
    with pytest.raises(IllegalMoveError) as refused:
        check_melds(run, ALL_CARDS, 5)
    assert (refused.value.reason, refused.value.rule) == (Reason.RUN_TOO_LONG, "M2")
    assert refused.value.why == (
        "3S 4S 5S 6S 7S 8S 9S is a run of 7 cards, and a run has at most 5: "
        "lay down 3S 4S 5S and 6S 7S 8S 9S"
    )
    assert check_melds(run, ALL_CARDS, 7) == check_melds(run, ALL_CARDS, None) == card_set(run[0])


@pytest.mark.parametrize(
    "named", [("7S 7H 7D", "7D 8D 9D"), ("7S 7H 7D", "7S 7H 7D")], ids=["in two", "the same twice"]
)
def test_a_card_in_two_melds_is_refused(named: tuple[str, ...]) -> None:
    """M3"""
    with pytest.raises(IllegalMoveError, match="melded twice") as refused:
        check_melds(melds(*named), ALL_CARDS, 5)
    assert (refused.value.reason, refused.value.rule) == (Reason.CARD_USED_TWICE, "M3")


def test_a_card_twice_in_one_meld_is_refused() -> None:
    """M3"""
    seven, other = parse_card("7S"), parse_card("7H")
    with pytest.raises(IllegalMoveError, match="7S is melded twice") as refused:
        check_melds([(seven, other, seven)], ALL_CARDS, 5)
    assert refused.value.reason is Reason.CARD_USED_TWICE


def test_a_card_that_is_not_held_is_refused_before_anything_else() -> None:
    with pytest.raises(IllegalMoveError, match="9S is not among the cards") as refused:
        check_melds(melds("7S 9S"), held("7S 8S"), 5)
    assert refused.value.reason is Reason.NOT_IN_HAND

"""Laying off (L1 to L4)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support_cards import card_sets, decks, held, melds, names, vector_rows
from support_naive_melds import least_after_lay_offs

from ginrummy.rules.cards import Card, card_set, cards_in, parse_card, parse_cards, points
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import LayOffCard, Meld
from ginrummy.rules.layoffs import LayOffPlan, best_lay_off, check_lay_off
from ginrummy.rules.melds import arrange, deadwood


def layoffs(text: str) -> tuple[LayOffCard, ...]:
    """Read lay-offs in their order, each a card and its meld: `5H:0 4H:0`."""
    words = (word.split(":") for word in text.split())
    return tuple(LayOffCard(parse_card(card), int(meld)) for card, meld in words)


def best(spread: tuple[Meld, ...], cards: str) -> LayOffPlan:
    return best_lay_off(spread, held(cards), 5)


# --- L4: the best lay-offs ----------------------------------------------------------------------


def test_the_best_lay_offs_leave_what_every_vector_says() -> None:
    """L1, L4: with no cap on how long a run grows; and the plan is legal."""
    rows = vector_rows("layoff.tsv")
    assert len(rows) == 300
    for row in rows:
        spread = melds(*row["knocker_melds"].split(";"))
        cards = held(row["opponent_hand"])
        plan = best_lay_off(spread, cards, 5)
        assert plan.points == int(row["opponent_deadwood_uncapped"]), row
        assert check_lay_off(spread, cards, plan.melds, plan.layoffs, 5) == plan.deadwood, row


@pytest.mark.parametrize(
    ("spread", "cards", "own", "laid_off", "left"),
    [
        # The fourth card of a rank.
        (["7S 7H 7D"], "7C KH", [], "7C:0", "KH"),
        # A set of four takes nothing, and neither does a suit's next card across its end.
        (["7S 7H 7D 7C", "JS QS KS"], "8S AH", [], "", "8S AH"),
        # Both ends of a run, card after card.
        (["5S 6S 7S"], "3S 4S 8S 9S", [], "4S:0 3S:0 8S:0 9S:0", ""),
        # Between two runs, on the one laid down first.
        (["9H TH JH", "5H 6H 7H"], "8H", [], "8H:0", ""),
        # A run past the cap of laid-down ones.
        (["3S 4S 5S 6S 7S"], "2S 8S", [], "2S:0 8S:0", ""),
        # What makes a meld of one's own is not laid off.
        (["5S 6S 7S"], "8S 9S TS JS", ["8S 9S TS JS"], "", ""),
        (["5S 6S 7S"], "8S 8H 8D 9C", ["8S 8H 8D"], "", "9C"),
        # Cards that fit a set and a run go on the run, where another can follow.
        (["7C 7D 7H", "8S 9S TS"], "7S 6S", [], "7S:1 6S:1", ""),
        # Not so where the card is in between: both still go.
        (["6H 6D 6C", "8S 9S TS"], "6S 7S", [], "7S:1 6S:1", ""),
        # Out of a set of four, where the rest is still a set.
        (["5S 6S 7S"], "8S 8H 8D 8C 9S", ["8H 8D 8C"], "8S:0 9S:0", ""),
        # Out of a set, and what is left of it counts less than what goes.
        (["5S 6S 7S", "5H 6H 7H"], "8S 9S 8H 9H 8D", [], "8S:0 9S:0 8H:1 9H:1", "8D"),
        # Not out of a set where it would count more.
        (["5S 6S 7S"], "8S 8H 8D 9S", ["8S 8H 8D"], "", "9S"),
        # A card fits a set once its own run has given it up.
        (["9H 9D 9C"], "7S 8S 9S 7H 7D 8H 8D", ["7S 7H 7D", "8S 8H 8D"], "9S:0", ""),
        # Nothing is laid off where nothing was melded.
        ([], "7S 7H KD", [], "", "7S 7H KD"),
    ],
)
def test_the_best_lay_offs_of_a_few_cards(
    spread: list[str], cards: str, own: list[str], laid_off: str, left: str
) -> None:
    """L1, L4"""
    assert best(melds(*spread), cards) == LayOffPlan(
        melds(*own), layoffs(laid_off), parse_cards(left), points(held(left))
    )


def test_long_runs_of_ones_own_are_laid_down_under_the_cap() -> None:
    """M2, L4: the cap is for melds laid down, not for lay-offs."""
    plan = best_lay_off(melds("AS 2S 3S"), held("5S 6S 7S 8S 9S TS JS"), 5)
    assert plan.melds == melds("5S 6S 7S", "8S 9S TS JS")
    assert best_lay_off(melds("AS 2S 3S"), held("4S 5S"), 5).layoffs == layoffs("4S:0 5S:0")


# --- L1, L3: the check of named lay-offs --------------------------------------------------------


def refusal(
    spread: tuple[Meld, ...], cards: str, laid_off: str, own: tuple[Meld, ...] = ()
) -> tuple[Reason, str, str]:
    """Return the reason, rule and message with which these lay-offs are refused."""
    with pytest.raises(IllegalMoveError) as refused:
        check_lay_off(spread, held(cards), own, layoffs(laid_off), 5)
    return refused.value.reason, refused.value.rule, refused.value.why


def test_lay_offs_are_checked_against_the_melds_as_they_have_grown() -> None:
    """L1: the second card on an end of a run only after the first."""
    spread = melds("6H 7H 8H", "AS AC AD", "3S 4S 5S")
    hand = "4H 5H 9H TH KS KC 2D 3C JD QC"
    assert points(held(hand)) == 73
    assert refusal(spread, hand, "4H:0 5H:0 9H:0 TH:0") == (
        Reason.DOES_NOT_FIT,
        "L1",
        "4H does not extend 6H 7H 8H as it lies: 5H or 9H would",
    )
    left = check_lay_off(spread, held(hand), (), layoffs("5H:0 4H:0 9H:0 TH:0"), 5)
    assert points(card_set(left)) == 45
    assert best(spread, hand).points == 45


def test_a_card_that_fits_two_melds_goes_on_the_one_that_is_named() -> None:
    """L1"""
    spread = melds("7C 7D 7H", "8S 9S TS", "2C 2D 2H")
    hand, own = "6S 7S KC KD KH 3C 3D 3H QS 4D", melds("KC KD KH", "3C 3D 3H")
    on_the_run = check_lay_off(spread, held(hand), own, layoffs("7S:1 6S:1"), 5)
    assert on_the_run == parse_cards("QS 4D")
    assert points(card_set(on_the_run)) == best(spread, hand).points == 14
    on_the_set = check_lay_off(spread, held(hand), own, layoffs("7S:0"), 5)
    assert points(card_set(on_the_set)) == 20
    assert refusal(spread, hand, "7S:0 6S:1", own) == (
        Reason.DOES_NOT_FIT,
        "L1",
        "6S does not extend 8S 9S TS as it lies: 7S or JS would",
    )


@pytest.mark.parametrize(
    ("laid_off", "says"),
    [
        ("KS:0", "KS does not extend 7S 7H 7D as it lies: 7C would"),
        ("8S:0", "8S does not extend 7S 7H 7D as it lies: 7C would"),
        ("7C:0 8S:0", "8S does not extend 7S 7H 7D 7C as it lies: no card would"),
        ("KS:1", "KS does not extend AS 2S 3S as it lies: 4S would"),
        ("AH:2", "AH does not extend JS QS KS as it lies: TS would"),
    ],
)
def test_a_card_that_does_not_fit_is_refused_with_what_would(laid_off: str, says: str) -> None:
    """L1, C2"""
    # The spread is of no one hand; each lay-off looks at one of its melds.
    spread = melds("7S 7H 7D", "AS 2S 3S", "JS QS KS")
    assert refusal(spread, "KS 8S 7C AH", laid_off) == (Reason.DOES_NOT_FIT, "L1", says)


@pytest.mark.parametrize("index", [-1, 2, 9])
def test_lay_offs_go_on_the_knockers_melds_alone(index: int) -> None:
    """L1, L3: not on one's own, nor on cards that are no meld."""
    reason, rule, why = refusal(
        melds("7S 7H 7D", "AS 2S 3S"), "3C 3D 3H 7C", f"7C:{index}", melds("3C 3D 3H")
    )
    assert (reason, rule) == (Reason.NO_SUCH_MELD, "L1")
    assert why.startswith(f"7C cannot go on meld {index}")
    assert why.endswith("numbered 0 to 1")


def test_nothing_can_be_laid_off_where_the_knocker_melded_nothing() -> None:
    """L1"""
    reason, _, why = refusal((), "7C", "7C:0")
    assert reason is Reason.NO_SUCH_MELD
    assert why.endswith("and there are none")


def test_a_card_goes_to_one_place() -> None:
    """M3"""
    spread = melds("7S 7H 7D", "8C 9C TC")
    own = melds("7C 6C 5C")
    assert refusal(spread, "5C 6C 7C", "7C:0", own)[:2] == (Reason.CARD_USED_TWICE, "M3")
    assert refusal(spread, "5C 6C 7C", "7C:0 7C:1")[:2] == (Reason.CARD_USED_TWICE, "M3")


def test_a_card_that_is_not_held_cannot_be_laid_off() -> None:
    assert refusal(melds("7S 7H 7D"), "KS", "7C:0")[0] is Reason.NOT_IN_HAND


def test_melds_of_ones_own_are_checked_as_a_knockers_are() -> None:
    """M1 to M3"""
    with pytest.raises(IllegalMoveError) as refused:
        check_lay_off((), held("7S 8S"), melds("7S 8S"), (), 5)
    assert refused.value.reason is Reason.NOT_A_MELD


def test_nobody_has_to_lay_off_or_to_meld() -> None:
    """L4: a choice that is not the best is allowed."""
    cards = held("7C 3C 3D 3H")
    assert check_lay_off(melds("7S 7H 7D"), cards, (), (), 5) == cards_in(cards)


# --- properties ---------------------------------------------------------------------------------


@st.composite
def knocks(draw: st.DrawFn, most: int) -> tuple[tuple[Meld, ...], int]:
    """Return a knocker's melds and at most `most` cards of the opponent's."""
    deck = draw(decks())
    shuffled: list[Card] = draw(st.permutations(deck))
    knocker, rest = shuffled[: len(deck) // 2], shuffled[len(deck) // 2 :]
    spread = arrange(card_set(knocker), draw(st.sampled_from([None, 5]))).melds
    return spread[:3], card_set(rest[:most])


@settings(max_examples=200)
@given(knocks(most=8))
def test_the_best_lay_off_equals_that_of_trying_everything(
    knock: tuple[tuple[Meld, ...], int],
) -> None:
    spread, cards = knock
    least = least_after_lay_offs(tuple(map(names, spread)), names(cards))
    assert best_lay_off(spread, cards, None).points == least


@settings(max_examples=300)
@given(knocks(most=10), st.sampled_from([None, 5, 6]))
def test_a_plan_is_legal_and_never_worse_than_none(
    knock: tuple[tuple[Meld, ...], int], run_max: int | None
) -> None:
    spread, cards = knock
    plan = best_lay_off(spread, cards, run_max)
    left = check_lay_off(spread, cards, plan.melds, plan.layoffs, run_max)
    assert left == plan.deadwood
    assert points(card_set(left)) == plan.points <= deadwood(cards)


@settings(max_examples=100)
@given(card_sets(10))
def test_where_the_knocker_melded_nothing_a_plan_is_the_arrangement(cards: int) -> None:
    arrangement, plan = arrange(cards, 5), best_lay_off((), cards, 5)
    assert (plan.melds, plan.layoffs) == (arrangement.melds, ())
    assert (plan.deadwood, plan.points) == (arrangement.deadwood, arrangement.points)

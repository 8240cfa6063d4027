"""What hands and matches are worth: rules S1 to S4, K6, X1, X2."""

import pytest
from support_knocks import GIN, drawn, off
from support_rules import cards, dealt, melds, played, stack

from ginrummy.rules.cards import BySeat, Card, Seat
from ginrummy.rules.commands import BigGin, Discard, Draw, Knock, LayOff, Move, Pass, Take
from ginrummy.rules.events import EndReason, HandScored, HandVoided, Knocked, MatchEnded
from ginrummy.rules.hand import Finished, Hand
from ginrummy.rules.ruleset import PRESETS, Ruleset
from ginrummy.rules.scoring import end_match, score_hand

KNOCK = Knocked(0, melds("3S 4S 5S", "7H 8H 9H", "QS QH QD"), cards("7C"), gin=False)
GIN_KNOCK = Knocked(0, melds("3S 4S 5S", "7H 8H 9H", "QS QH QD QC"), (), gin=True)
BIG_GIN_KNOCK = Knocked(0, melds("3S 4S 5S", "7H 8H 9H TH", "QS QH QD QC"), (), gin=True)
DIAMOND, SPADE = Card("KD"), Card("6S")


def scored(knocked: Knocked, left: int, rules: Ruleset, upcard: Card = DIAMOND) -> HandScored:
    """Return the score of hand 3 against an opponent with `left` points."""
    return score_hand(rules, 3, upcard, knocked, left)


# --- a hand -------------------------------------------------------------------------------------


def test_a_knock_scores_the_difference() -> None:
    """S1 the knocker scores what the opponent has more."""
    assert scored(KNOCK, 24, Ruleset()) == HandScored(
        hand=3,
        kind="knock",
        winner=0,
        points=17,
        deadwood=BySeat(7, 24),
        difference=17,
        bonus=0,
        doubled=False,
    )


@pytest.mark.parametrize(("left", "points"), [(7, 25), (6, 26), (0, 32)])
def test_an_undercut_scores_the_difference_and_a_bonus(left: int, points: int) -> None:
    """S2 the opponent's deadwood equals the knocker's or is less."""
    score = scored(KNOCK, left, Ruleset())
    assert (score.kind, score.winner, score.points) == ("undercut", 1, points)
    assert (score.difference, score.bonus) == (7 - left, 25)


def test_one_point_more_is_no_undercut() -> None:
    """S1 the smallest knock is worth one point."""
    score = scored(KNOCK, 8, Ruleset())
    assert (score.kind, score.points) == ("knock", 1)


@pytest.mark.parametrize(("left", "points"), [(30, 55), (0, 25)])
def test_gin_scores_the_deadwood_and_a_bonus(left: int, points: int) -> None:
    """S3 gin is never undercut, not even by an opponent with no deadwood."""
    score = scored(GIN_KNOCK, left, Ruleset())
    assert (score.kind, score.winner, score.points) == ("gin", 0, points)


def test_big_gin_has_its_own_bonus_in_place_of_gins() -> None:
    """S3 `big_gin_bonus`."""
    score = scored(BIG_GIN_KNOCK, 30, PRESETS["oklahoma"])
    assert (score.kind, score.points, score.bonus) == ("big_gin", 61, 31)


@pytest.mark.parametrize(
    ("preset", "gin", "undercut"),
    [
        ("standard", 25, 25),
        ("classic", 20, 10),
        ("straight", 25, 25),
        ("oklahoma", 25, 25),
        ("eaai", 25, 25),
    ],
)
def test_the_bonuses_are_the_rulesets(preset: str, gin: int, undercut: int) -> None:
    """S2, S3 as the table of presets says."""
    assert scored(GIN_KNOCK, 10, PRESETS[preset]).points == 10 + gin
    assert scored(KNOCK, 7, PRESETS[preset]).points == undercut


@pytest.mark.parametrize(
    ("knocked", "left", "points"),
    [(KNOCK, 25, 36), (KNOCK, 7, 50), (GIN_KNOCK, 30, 110), (BIG_GIN_KNOCK, 30, 122)],
    ids=["knock", "undercut", "gin", "big gin"],
)
def test_a_spade_upcard_doubles_the_hands_score(knocked: Knocked, left: int, points: int) -> None:
    """K6 `spades_double`: difference and bonus alike, and no other upcard does it."""
    rules = Ruleset(oklahoma=True, spades_double=True, big_gin=True)
    double = scored(knocked, left, rules, SPADE)
    assert (double.doubled, double.points) == (True, points)
    assert double.points == 2 * (double.difference + double.bonus)
    for upcard in (DIAMOND, Card("6H"), Card("6C")):
        assert scored(knocked, left, rules, upcard).points == points // 2
    assert scored(knocked, left, Ruleset(oklahoma=True), SPADE).points == points // 2


def test_the_seats_keep_their_own_counts() -> None:
    """S1 `deadwood` is by seat, whoever knocked."""
    by_seat_1 = Knocked(1, KNOCK.melds, KNOCK.deadwood, gin=False)
    score = scored(by_seat_1, 24, Ruleset())
    assert (score.winner, score.deadwood) == (1, (24, 7))


# --- a hand, played -----------------------------------------------------------------------------


def result(hand: Hand, *moves: Move) -> HandScored | HandVoided:
    """Return how the hand ends after these moves."""
    over = played(hand, *moves)
    assert isinstance(over, Finished)
    return over.result


SEVEN = "3S 4S 5S 7H 8H 9H QS QH QD 7C"


def test_an_equal_count_after_lay_offs_is_an_undercut() -> None:
    """S2 the knocker has 7 and the opponent 7: the opponent scores 25."""
    deck = stack(SEVEN, "6S QC 2H 5H TC TD TS 4D 4H 4C", "JC", "KH")
    score = result(
        drawn(deck), Knock(Card("KH")), LayOff(melds("TC TD TS", "4D 4H 4C"), off("6S1", "QC0"))
    )
    assert isinstance(score, HandScored)
    assert (score.kind, score.winner, score.points) == ("undercut", 0, 25)
    assert score.deadwood == (7, 7)


def test_the_choice_that_leaves_more_can_miss_the_undercut() -> None:
    """S1, L4 the opponent who keeps the lay-offs back pays for them."""
    deck = stack(SEVEN, "6S QC 2H 5H TC TD TS 4D 4H 4C", "JC", "KH")
    score = result(drawn(deck), Knock(Card("KH")), LayOff(melds("TC TD TS", "4D 4H 4C")))
    assert isinstance(score, HandScored)
    assert (score.kind, score.winner, score.points) == ("knock", 1, 23 - 7)


@pytest.mark.parametrize(
    ("history", "thrown"), [((Take(),), "KS"), ((Pass(), Pass(), Draw()), "KH")]
)
def test_taking_the_spade_upcard_changes_nothing(history: tuple[Move, ...], thrown: str) -> None:
    """K6 what was turned doubles the hand, wherever it goes."""
    deck = stack("3S 4S 5S 7H 8H 9H QS QH QD 2C", "TC TD TS 4D 4H 4C AD KD JD JH", "KS", "KH")
    hand = played(dealt(deck, spades_double=True), *history)
    score = result(hand, Knock(Card(thrown)), LayOff())
    assert isinstance(score, HandScored)
    assert (score.doubled, score.points) == (True, 2 * (31 - 2))


def test_a_big_gin_played_counts_the_opponents_cards() -> None:
    """S3, L2 big gin is scored at once."""
    deck = stack("3S 4S 5S 7H 8H 9H QS QH QD QC", "KC KD 8S 5H 5D 5C 9C 2D 3D JS", "JC", "6S")
    score = result(drawn(deck, big_gin=True), BigGin())
    assert isinstance(score, HandScored)
    assert (score.kind, score.points, score.deadwood) == ("big_gin", 83, (52, 0))


def test_gin_against_no_deadwood_is_no_undercut() -> None:
    """S3 both have nothing left: the bonus alone is scored."""
    deck = stack("3S 4S 5S 7H 8H 9H QS QH QD QC", "AC 2C 3C 4D 5D 6D TS TH TD TC", "JC", "KH")
    score = result(drawn(deck), Knock(Card("KH")))
    assert isinstance(score, HandScored)
    assert (score.kind, score.winner, score.points) == ("gin", 1, 25)


def test_a_void_hand_scores_nothing() -> None:
    """S4 a hand that is void has a reason, and no points."""
    over = result(drawn(GIN, stock_floor=30), Discard(Card("KH")))
    assert over == HandVoided(1, "stock")


# --- a match ------------------------------------------------------------------------------------


def account(
    points: tuple[int, int],
    won: tuple[int, int],
    rules: Ruleset,
    winner: Seat | None = 0,
    reason: EndReason = "target",
) -> MatchEnded:
    """Return a match's final account."""
    return end_match(rules, reason, winner, BySeat(*points), BySeat(*won))


def test_the_winner_gains_the_game_and_each_their_boxes() -> None:
    """X2 100 for the game, 25 for every hand won."""
    assert account((104, 60), (4, 3), Ruleset()) == MatchEnded(
        reason="target",
        winner=0,
        points=BySeat(104, 60),
        hands_won=BySeat(4, 3),
        game_bonus=BySeat(100, 0),
        box_bonus=BySeat(100, 75),
        doubled=False,
        totals=BySeat(304, 135),
    )


def test_a_shutout_doubles_points_and_game_bonus_but_no_boxes() -> None:
    """X2 `shutout_doubles`: the loser won no hand."""
    ended = account((104, 0), (4, 0), Ruleset())
    assert ended.doubled
    assert ended.totals == (2 * (104 + 100) + 4 * 25, 0)
    assert account((104, 0), (4, 0), Ruleset(shutout_doubles=False)).totals == (304, 0)


def test_a_loser_with_a_hand_won_is_not_shut_out() -> None:
    """X2 one hand is enough, whatever it scored."""
    assert not account((104, 1), (4, 1), Ruleset()).doubled


def test_who_reached_the_target_wins_whatever_the_bonuses_add() -> None:
    """X2 the loser of the match can have the higher total."""
    rules = Ruleset(game_bonus=0, box_bonus=100)
    ended = account((101, 99), (1, 9), rules)
    assert ended.winner == 0
    assert ended.totals == (201, 999)


@pytest.mark.parametrize(
    ("preset", "totals"),
    [
        ("standard", (302, 100)),
        ("classic", (282, 90)),
        ("straight", (302, 100)),
        ("oklahoma", (302, 100)),
        ("eaai", (102, 50)),
    ],
)
def test_the_match_bonuses_are_the_rulesets(preset: str, totals: tuple[int, int]) -> None:
    """X2 as the table of presets says."""
    assert account((102, 50), (4, 2), PRESETS[preset]).totals == totals


def test_a_doubled_hand_doubles_no_bonus_of_the_match() -> None:
    """K6 `spades_double` is the hand's; boxes and the game bonus stay as they are."""
    assert account((104, 60), (4, 3), Ruleset(spades_double=True)).totals == (304, 135)


@pytest.mark.parametrize(
    "reason", ["hands", "hands_exhausted", "resigned", "clock", "illegal_moves", "abandoned"]
)
def test_any_other_end_counts_hand_points_alone(reason: EndReason) -> None:
    """X2 bonuses are paid at the end of a match to `target` only."""
    ended = account((60, 0), (3, 0), Ruleset(), reason=reason)
    assert (ended.game_bonus, ended.box_bonus, ended.doubled) == ((0, 0), (0, 0), False)
    assert ended.totals == (60, 0)

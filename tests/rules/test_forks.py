"""Forks by the rules: what they start from, the moves that they take over, what comes out when."""

import pytest
from msgspec.structs import replace
from support_rules import (
    PLAIN,
    SECOND,
    START,
    begun,
    carried_out,
    gathered,
    given_match,
    opened,
    started,
    turn,
)

from ginrummy.rules import match as matches
from ginrummy.rules.cards import DECK, BySeat, Card
from ginrummy.rules.commands import (
    Copy,
    CreateMatch,
    Deal,
    Discard,
    Draw,
    Pass,
    Play,
    Resign,
    RevealPosition,
    RevealSecret,
    Take,
)
from ginrummy.rules.errors import Reason
from ginrummy.rules.events import (
    Board,
    DiscardTaken,
    MatchCreated,
    MatchEnded,
    Origin,
    PositionRevealed,
    SecretRevealed,
    StockDrawn,
    TimeControl,
    UpcardPassed,
)
from ginrummy.rules.match import Match, Playing, Score, due
from ginrummy.rules.view import view
from ginrummy.rules.wishes import wish_of

ORIGIN = Origin(
    kind="fork",
    match="m_4vk2c8w0r6ht9zq3nx5b7jd1ge",
    seq=11,
    hash="ab" * 32,
    hand=3,
    scores=BySeat(40, 25),
    hands_won=BySeat(2, 1),
    unseen="same",
    seat=None,
    position="cd" * 32,
    moves=3,
)


def terms(**changes: object) -> MatchCreated:
    """Return the terms of a fork; `origin_…` changes the origin."""
    of_origin = {name: changes.pop(name) for name in [*changes] if name.startswith("origin_")}
    origin = replace(
        ORIGIN, **{name.removeprefix("origin_"): value for name, value in of_origin.items()}
    )
    return replace(opened(), **({"origin": origin, "first_dealer": 0} | changes))


def dealt(**changes: object) -> Match:
    """Return a fork whose first hand is dealt, with its moves still to be taken over."""
    _, match = carried_out(begun(terms(**changes)), Deal(PLAIN))
    return match


def taken_over(**changes: object) -> Playing:
    """Return a fork that has taken over that both passed, and a draw."""
    match = dealt(**changes)
    for move in (Pass(), Pass(), Draw()):
        _, match = carried_out(match, Copy(move))
    assert isinstance(match, Playing)
    return match


# --- what it may start from -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"board": Board("t_x", 1, "00" * 32)}, "is no board"),
        ({"dispute_ms": 1}, "nothing to dispute"),
        ({"origin_position": None}, "begins in a position"),
        ({"origin_unseen": "fresh"}, "begins in a position"),
        ({"origin_unseen": "fresh", "origin_position": None}, "no moves to copy"),
        ({"first_dealer": None}, "who dealt the hand"),
        ({"origin_seat": 1}, "only where the others are dealt anew"),
        ({"origin_scores": BySeat(100, 0)}, "over before it starts"),
        ({"origin_scores": BySeat(0, -1)}, "cannot be"),
        ({"origin_hands_won": BySeat(-1, 0)}, "cannot be"),
        ({"rules": replace(opened().rules, hands=3)}, "over before it starts"),
    ],
)
def test_terms_that_cannot_be_are_refused(changes: dict[str, object], why: str) -> None:
    given = given_match(None).when(CreateMatch(terms(**changes)))
    given.refused(Reason.NOT_ALLOWED_NOW, "")
    assert why in str(given.outcome)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"origin_moves": 0},
        {"origin_unseen": "reshuffled"},
        {"origin_unseen": "reshuffled", "origin_seat": 0},
        {"origin_unseen": "fresh", "origin_position": None, "origin_moves": 0},
        {"rules": replace(opened().rules, hands=4)},
    ],
)
def test_terms_that_can_be_open_it(changes: dict[str, object]) -> None:
    given_match(None).when(CreateMatch(terms(**changes))).then(terms(**changes))


def test_it_starts_from_the_account_of_its_origin() -> None:
    """X1 the points and hands from before count."""
    match = gathered(None, terms())
    assert match is not None
    assert view(match, "public").score == Score(BySeat(40, 25), BySeat(2, 1))
    match = begun(terms())
    assert view(match, 0).score == Score(BySeat(40, 25), BySeat(2, 1))
    events, _ = carried_out(match, Play(0, Resign()))
    ended = events[-1]
    assert isinstance(ended, MatchEnded)
    assert (ended.points, ended.hands_won, ended.winner) == ((40, 25), (2, 1), 1)


def test_one_that_nobody_began_ends_with_that_account() -> None:
    events, match = carried_out(gathered(None, terms()), Play(0, Resign()))
    ended = events[-1]
    assert isinstance(ended, MatchEnded)
    assert (ended.points, ended.hands_won, ended.winner) == ((40, 25), (2, 1), None)
    assert view(match, "public").score.points == (40, 25)


# --- the moves that it takes over -----------------------------------------------------------------


def test_the_dealer_is_the_one_who_was_agreed_without_a_word_of_the_deck() -> None:
    """D3 the hand was dealt elsewhere."""
    match = dealt(first_dealer=1)
    assert isinstance(match, Playing)
    assert match.hand.layout.dealt.dealer == 1


def test_a_match_of_its_own_needs_a_dealer_from_its_deck() -> None:
    given_match(begun()).when(Deal(PLAIN)).refused(Reason.NOT_ALLOWED_NOW, "")


def test_moves_are_due_until_all_are_taken_over() -> None:
    match = dealt()
    for move, event in (
        (Pass(), UpcardPassed(1)),
        (Pass(), UpcardPassed(0)),
        (Draw(), StockDrawn(1)),
    ):
        assert due(match) == "copy"
        given_match(match).when(Copy(move)).then(event)
        assert wish_of(match, event) == Copy(move)
        _, match = carried_out(match, Copy(move))
    assert due(match) is None
    given_match(match).when(Copy(Discard(DECK[0]))).refused(Reason.NOT_ALLOWED_NOW, "")
    drawn = next(iter(view(match, 1).hand.legal))  # type: ignore[union-attr]  # there is a hand
    assert wish_of(match, carried_out(match, Play(1, drawn))[0][0]) == Play(1, drawn)


def test_nobody_decides_anything_before_they_are_there() -> None:
    match = dealt()
    for seat in (0, 1):
        given_match(match).when(Play(seat, Pass())).refused(Reason.NOT_ALLOWED_NOW, "")


def test_a_move_that_the_rules_refuse_is_not_taken_over() -> None:
    """D2, T1 the rules are the same."""
    match = dealt()
    given_match(match).when(Copy(Draw())).refused(Reason.WRONG_PHASE, "D2")
    _, match = carried_out(match, Copy(Take()))
    given_match(match).when(Copy(Discard(Card("KH")))).refused(Reason.NOT_IN_HAND, "T1")
    given_match(match).when(Copy(Resign())).refused(Reason.WRONG_PHASE, "T1")


def test_a_match_does_not_branch_off_where_a_hand_is_over() -> None:
    """T3 with a floor of 30 the first discard voids the hand."""
    match = dealt(rules=replace(opened().rules, stock_floor=30))
    for move in (Pass(), Pass(), Draw()):
        _, match = carried_out(match, Copy(move))
    match = replace(match, copies=1)
    card = next(iter(view(match, 1).hand.hands[1].cards))  # type: ignore[union-attr]
    given_match(match).when(Copy(Discard(card))).refused(Reason.NOT_ALLOWED_NOW, "")


def test_no_clock_runs_and_nothing_is_added_to_it_before_the_last_of_them() -> None:
    clock = TimeControl(bank_ms=60_000, increment_ms=5_000)
    match = taken_over(clock=clock)
    assert match.clock.bank == (60_000_000, 60_000_000)
    card = next(iter(view(match, 1).hand.hands[1].cards))  # type: ignore[union-attr]
    _, match = carried_out(match, Play(1, Discard(card)), START + 2 * SECOND)  # type: ignore[assignment]
    assert match.clock.bank == (60_000_000, 63_000_000)


def test_only_the_first_hand_takes_moves_over() -> None:
    match = taken_over(rules=replace(opened().rules, stock_floor=30))
    card = next(iter(view(match, 1).hand.hands[1].cards))  # type: ignore[union-attr]
    _, between = carried_out(match, Play(1, Discard(card)))
    assert due(between) == "deal"
    _, second = carried_out(between, Deal(PLAIN))
    assert due(second) is None
    assert turn(second) == 1


# --- what comes out -------------------------------------------------------------------------------

REVEAL = RevealPosition("ef" * 16, (Card("7H"), *(None,) * 51))
OUT = PositionRevealed("ef" * 16, (Card("7H"), *(None,) * 51))
SECRET = RevealSecret(1, "12" * 32)


def over(**changes: object) -> Match:
    match = taken_over(**changes)
    _, match = carried_out(match, Play(0, Resign()))  # type: ignore[assignment]
    return match


def test_the_position_comes_out_right_before_the_first_secret() -> None:
    match = over()
    assert due(match) == "position"
    given_match(match).when(SECRET).refused(Reason.NOT_ALLOWED_NOW, "")
    given_match(match).when(REVEAL).then(OUT)
    assert wish_of(match, OUT) == REVEAL
    _, match = carried_out(match, REVEAL)
    assert due(match) == "reveal"
    given_match(match).when(REVEAL).refused(Reason.NOT_ALLOWED_NOW, "")
    given_match(match).when(SECRET).then(SecretRevealed(1, "12" * 32))
    _, match = carried_out(match, SECRET)
    assert due(match) is None


def test_while_the_hand_is_played_it_stays_in() -> None:
    for reveal in ("match", "hand", "director"):
        given_match(taken_over(reveal=reveal)).when(REVEAL).refused(Reason.NOT_ALLOWED_NOW, "")
    given_match(begun(terms())).when(REVEAL).refused(Reason.NOT_ALLOWED_NOW, "")


def test_where_a_director_lets_it_out_its_secrets_follow() -> None:
    match = over(reveal="director")
    assert due(match) is None
    given_match(match).when(REVEAL).then(OUT)
    _, match = carried_out(match, REVEAL)
    assert due(match) == "reveal"
    _, match = carried_out(match, SECRET)
    assert due(match) is None


def test_where_each_hand_is_revealed_it_comes_before_the_next_deal() -> None:
    match = taken_over(rules=replace(opened().rules, stock_floor=30), reveal="hand")
    card = next(iter(view(match, 1).hand.hands[1].cards))  # type: ignore[union-attr]
    _, between = carried_out(match, Play(1, Discard(card)))
    assert due(between) == "position"
    _, between = carried_out(between, REVEAL)
    assert due(between) == "reveal"
    _, between = carried_out(between, SECRET)
    assert due(between) == "deal"


def test_a_match_that_begins_with_a_deal_of_its_own_has_no_position() -> None:
    fresh = terms(origin_unseen="fresh", origin_position=None, origin_moves=0, first_dealer=None)
    _, match = carried_out(begun(fresh), Deal(PLAIN, 0))
    _, match = carried_out(match, Play(0, Resign()))
    assert due(match) == "reveal"
    given_match(match).when(REVEAL).refused(Reason.NOT_ALLOWED_NOW, "")


def test_a_damaged_log_can_hold_none_of_it_before_a_match() -> None:
    with pytest.raises(ValueError, match="PositionRevealed cannot follow"):
        matches.evolve(None, OUT, START)
    with pytest.raises(ValueError, match="PositionRevealed cannot follow"):
        gathered(None, *started(terms())[:2], OUT)


def test_a_taken_card_is_taken_over_too() -> None:
    match = dealt(origin_moves=1)
    given_match(match).when(Copy(Take())).then(DiscardTaken(1, Card("2C")))

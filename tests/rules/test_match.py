"""A match from its creation to its end: seats, nonces, dealers, reveals (rules D3, X1, X3)."""

from collections.abc import Callable
from functools import reduce

import pytest
from support_knocks import FOR_24, TO_THE_DRAW, dealer_wins, dealt_from, moved, non_dealer_wins
from support_rules import (
    NONCES,
    PLAYERS,
    SEATS,
    begun,
    carried_out,
    gathered,
    given_match,
    joined,
    joining,
    opened,
    playing,
    started,
)

from ginrummy.rules import match as matches
from ginrummy.rules.cards import DECK, BySeat, Card, Seat
from ginrummy.rules.commands import (
    CreateMatch,
    Deal,
    Discard,
    Draw,
    Expire,
    Forfeit,
    Knock,
    LayOff,
    Pass,
    Pause,
    Play,
    Resign,
    Resume,
    RevealNonce,
    Take,
)
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import (
    Forfeited,
    HandDealt,
    HandVoided,
    MatchEnded,
    NonceRevealed,
    Resigned,
    StockDrawn,
)
from ginrummy.rules.match import Dealing, Ended, Match


def ended(match: Match) -> MatchEnded:
    """Return the match's outcome."""
    assert isinstance(match, Ended)
    return match.outcome


def dealer_of(match: Match) -> Seat:
    """Return the dealer of the last hand."""
    assert isinstance(match, Dealing)
    assert match.last is not None
    return match.last.layout.dealt.dealer


def voided(match: Match, first_dealer: Seat = 0) -> Match:
    """Return the match after a void hand, where `max_discard_draws` is 1."""
    return moved(dealt_from(match, FOR_24, first_dealer), Take(), Discard(Card("JC")))


# --- gathering ----------------------------------------------------------------------------------


def test_a_match_begins_with_its_terms() -> None:
    """What the match's result will follow from is fixed in its first event."""
    terms = opened("classic", target=250)
    given_match(None).when(CreateMatch(terms)).then(terms)
    given_match(None, terms).when(CreateMatch(terms)).refused(Reason.NOT_ALLOWED_NOW, "")


def test_nothing_happens_before_there_is_a_match() -> None:
    """Every other command needs one."""
    for command in (joining(0), RevealNonce(0, NONCES[0]), Play(0, Take()), Expire(), Pause()):
        given_match(None).when(command).refused(Reason.MATCH_NOT_STARTED, "")


def test_two_players_take_the_seats_they_ask_for() -> None:
    """A seat's event names the player and their commitment."""
    given_match(None, opened()).when(joining(1)).then(joined(1))
    given_match(None, opened(), joined(1)).when(joining(0)).then(joined(0))


def test_who_names_no_seat_takes_the_free_one() -> None:
    """Seat 0 is filled first."""
    anywhere = joining(None, "p_bob")
    given_match(None, opened()).when(anywhere).then(joined(0, "p_bob"))
    given_match(None, opened(), joined(0)).when(anywhere).then(joined(1, "p_bob"))


def test_a_taken_seat_is_refused() -> None:
    """A seat is taken once."""
    given_match(None, opened(), joined(0)).when(joining(0, "p_eve")).refused(Reason.SEAT_TAKEN, "")
    third = joining(None, "p_eve")
    both = given_match(None, opened(), joined(0), joined(1))
    both.when(third).refused(Reason.SEAT_TAKEN, "")
    given_match(begun()).when(third).refused(Reason.SEAT_TAKEN, "")


def test_a_refused_seat_is_named_as_it_was_asked_for() -> None:
    """Somebody who names no seat is told that there is none."""
    both = gathered(None, opened(), joined(0), joined(1))
    with pytest.raises(IllegalMoveError, match="no seat here is free for you"):
        matches.decide(both, joining(None, "p_eve"), 0)
    with pytest.raises(IllegalMoveError, match="seat 1 is not free for you"):
        matches.decide(both, joining(1, "p_eve"), 0)


def test_one_player_cannot_sit_on_both_sides() -> None:
    """Asking for the same seat again is refused in the same way."""
    match = given_match(None, opened(), joined(0))
    for seat in (*SEATS, None):
        match.when(joining(seat, PLAYERS[0])).refused(Reason.ALREADY_SEATED, "")


def test_a_kept_seat_waits_for_its_player() -> None:
    """The terms can name who sits where."""
    terms = opened(seats=BySeat(None, "p_bob"))
    given_match(None, terms).when(joining(1, "p_eve")).refused(Reason.SEAT_TAKEN, "")
    given_match(None, terms).when(joining(None, "p_eve")).then(joined(0, "p_eve"))
    given_match(None, terms).when(joining(None, "p_bob")).then(joined(1, "p_bob"))
    given_match(None, terms).when(joining(0, "p_bob")).then(joined(0, "p_bob"))
    given_match(None, terms, joined(0)).when(joining(None, "p_eve")).refused(Reason.SEAT_TAKEN, "")


def test_a_nonce_opens_once_both_have_joined() -> None:
    """Nobody shows their nonce to somebody who can still choose one."""
    early = given_match(None, opened(), joined(0))
    early.when(RevealNonce(0, NONCES[0])).refused(Reason.NOT_ALLOWED_NOW, "")
    early.when(RevealNonce(1, NONCES[1])).refused(Reason.NOT_ALLOWED_NOW, "")
    both = given_match(None, opened(), joined(0), joined(1))
    both.when(RevealNonce(1, NONCES[1])).then(NonceRevealed(1, NONCES[1]))


def test_only_the_committed_nonce_opens() -> None:
    """Another one is refused, and so is the same one again."""
    both = given_match(None, opened(), joined(0), joined(1))
    both.when(RevealNonce(0, NONCES[1])).refused(Reason.NONCE_MISMATCH, "")
    out = given_match(None, opened(), joined(0), joined(1), NonceRevealed(0, NONCES[0]))
    out.when(RevealNonce(0, NONCES[0])).refused(Reason.NOT_ALLOWED_NOW, "")
    given_match(begun()).when(RevealNonce(0, NONCES[0])).refused(Reason.NOT_ALLOWED_NOW, "")


def test_nobody_plays_before_the_deal() -> None:
    """D1 both seats and both nonces come first."""
    for history in (started()[:1], started()[:3], started()):
        match = given_match(None, *history)
        match.when(Play(0, Take())).refused(Reason.MATCH_NOT_STARTED, "D1")
        match.when(Pause()).refused(Reason.MATCH_NOT_STARTED, "D1")
        match.when(Forfeit(0)).refused(Reason.MATCH_NOT_STARTED, "D1")
        match.when(Resume()).refused(Reason.NOT_ALLOWED_NOW, "")
    given_match(None, *started()[:4]).when(Deal(DECK, 0)).refused(Reason.NOT_ALLOWED_NOW, "")


def test_seats_and_hands_can_be_asked_for() -> None:
    """Who sits where, and how many hands were dealt."""
    match = gathered(None, *started()[:2])
    assert match is not None
    assert (matches.seat_of(match, "p_ann"), matches.seat_of(match, "p_bob")) == (0, None)
    assert matches.seat_of(begun(), "p_bob") == 1
    assert matches.hands_dealt(match) == 0
    assert matches.hands_dealt(begun()) == 0
    assert matches.hands_dealt(playing(DECK)) == 1


# --- dealing ------------------------------------------------------------------------------------


def test_the_first_dealer_comes_with_the_first_deck() -> None:
    """D3 the first hand's secret names its dealer."""
    given_match(begun()).when(Deal(DECK, 1)).then(HandDealt(1, 1, DECK[20]))
    given_match(begun()).when(Deal(DECK)).refused(Reason.NOT_ALLOWED_NOW, "")
    given_match(playing(DECK)).when(Deal(DECK, 1)).refused(Reason.NOT_ALLOWED_NOW, "")


@pytest.mark.parametrize(
    ("next_dealer", "dealers"),
    [("alternate", [0, 1, 0, 1]), ("loser", [0, 0, 0, 1]), ("winner", [0, 1, 0, 0])],
)
def test_the_next_dealer_is_the_rulesets(next_dealer: str, dealers: list[Seat]) -> None:
    """D3 `alternate`, `loser` or `winner` of the last hand."""
    match = begun(opened(next_dealer=next_dealer, target=1000))
    found = []
    for hand in (non_dealer_wins, non_dealer_wins, dealer_wins, dealer_wins):
        match = hand(match)
        found.append(dealer_of(match))
    assert found == dealers


@pytest.mark.parametrize("next_dealer", ["alternate", "loser", "winner"])
def test_the_same_dealer_deals_again_after_a_void_hand(next_dealer: str) -> None:
    """T3 all cards are reshuffled and a new hand is dealt by the same dealer; S4 for no score."""
    match = begun(opened(next_dealer=next_dealer, max_discard_draws=1))
    for number in (1, 2, 3):
        match = voided(match, first_dealer=1)
        assert dealer_of(match) == 1
        assert isinstance(match, Dealing)
        assert match.score == matches.Score()
        assert matches.hands_dealt(match) == number
        assert matches.due(match) == "deal"


def test_a_void_hand_does_not_change_whose_deal_comes_next() -> None:
    """D3 a scored hand, a void one, a scored one: the deal goes on from where it was."""
    match = begun(opened(max_discard_draws=1))
    found = []
    for hand in (non_dealer_wins, voided, non_dealer_wins):
        match = hand(match)
        found.append(dealer_of(match))
    assert found == [0, 1, 1]


def test_a_floor_of_31_voids_hand_after_hand_at_the_deal() -> None:
    """T3 every deal is one command with two events."""
    match: Match = begun(opened(stock_floor=31, chain=3))
    given_match(match).when(Deal(FOR_24, 0)).then(
        HandDealt(1, 0, Card("JC")), HandVoided(1, "stock")
    )
    for _ in range(3):
        match = carried_out(match, Deal(FOR_24, None if matches.hands_dealt(match) else 0))[1]
    assert ended(match).reason == "hands_exhausted"


def test_between_two_hands_nobody_moves() -> None:
    """D1 the next hand is to be dealt first; the hand before stays to be seen."""
    match = given_match(non_dealer_wins(begun()))
    for seat in SEATS:
        match.when(Play(seat, LayOff())).refused(Reason.HAND_OVER, "D1")


# --- the end ------------------------------------------------------------------------------------


def test_hands_are_played_until_the_target_is_reached() -> None:
    """X1 the hand that brings a player to 100 ends the match."""
    match = begun(opened(next_dealer="loser"))
    for won in range(4):
        assert isinstance(match, Dealing)
        assert match.score.points == (0, 24 * won)
        match = non_dealer_wins(match)
    match = moved(dealt_from(match, FOR_24), *TO_THE_DRAW, Knock(Card("KH")))
    events, match = carried_out(match, Play(0, LayOff()))
    assert isinstance(events[-1], MatchEnded)
    assert (ended(match).reason, ended(match).winner) == ("target", 1)
    assert ended(match).points == (0, 120)
    assert ended(match).totals == (0, 2 * (120 + 100) + 5 * 25)


def test_boxes_do_not_count_towards_the_target() -> None:
    """X2 three hands of 24 are 72, whatever the boxes will add."""
    match = begun(opened(next_dealer="loser", box_bonus=10))
    match = reduce(lambda match, hand: hand(match), [non_dealer_wins] * 3, match)
    assert isinstance(match, Dealing)
    assert match.score.points == (0, 72)
    assert matches.due(match) == "deal"


def test_the_target_is_reached_exactly() -> None:
    """X1 as many points as the target are enough."""
    match = begun(opened(next_dealer="loser", target=48))
    match = non_dealer_wins(non_dealer_wins(match))
    assert (ended(match).reason, ended(match).points) == ("target", (0, 48))


@pytest.mark.parametrize(
    ("hands", "winner", "points"),
    [
        ([non_dealer_wins, non_dealer_wins], None, (24, 24)),
        ([non_dealer_wins, dealer_wins], 1, (0, 48)),
        ([dealer_wins, non_dealer_wins, non_dealer_wins], 0, (48, 24)),
    ],
)
def test_a_match_can_go_over_a_number_of_hands(
    hands: list[Callable[[Match], Match]], winner: Seat | None, points: tuple[int, int]
) -> None:
    """X1 `hands` scored hands, whatever the target; more points win, as many are a draw."""
    match = begun(opened(hands=len(hands), target=1))
    for hand in hands:
        assert isinstance(match, Dealing)
        match = hand(match)
    outcome = ended(match)
    assert (outcome.reason, outcome.winner, outcome.points) == ("hands", winner, points)
    assert outcome.totals == points


def test_void_hands_do_not_count_towards_the_hands() -> None:
    """X1 scored hands are counted."""
    match = voided(begun(opened(hands=1, max_discard_draws=1)))
    assert isinstance(match, Dealing)
    assert isinstance(non_dealer_wins(match), Ended)


def test_the_match_ends_with_the_last_committed_deck() -> None:
    """X3 the chain of secrets covers no further hand; who leads wins."""
    match = begun(opened(chain=2))
    match = non_dealer_wins(match)
    assert isinstance(match, Dealing)
    outcome = ended(dealer_wins(match))
    assert (outcome.reason, outcome.winner, outcome.points) == ("hands_exhausted", 1, (0, 48))
    outcome = ended(non_dealer_wins(match))
    assert (outcome.reason, outcome.winner) == ("hands_exhausted", None)


def test_the_target_counts_before_the_chain() -> None:
    """X1 a match won with the last committed deck is won by the target."""
    assert ended(non_dealer_wins(begun(opened(chain=1, target=24)))).reason == "target"


@pytest.mark.parametrize("seat", SEATS)
def test_a_seat_can_resign_at_any_time(seat: Seat) -> None:
    """X3 in its turn or not, in a hand or between two; the other seat wins."""
    knocked = moved(playing(FOR_24), *TO_THE_DRAW, Knock(Card("KH")))
    for match in (begun(), playing(FOR_24), knocked, non_dealer_wins(begun())):
        events, over = carried_out(match, Play(seat, Resign()))
        assert events == (Resigned(seat), ended(over))
        assert (ended(over).reason, ended(over).winner) == ("resigned", 1 - seat)


def test_leaving_before_the_start_loses_nothing() -> None:
    """X3 a match that never started has no winner."""
    match = gathered(None, *started()[:3])
    events, over = carried_out(match, Play(0, Resign()))
    assert events[0] == Resigned(0)
    assert ended(over).winner is None


def test_too_many_refused_moves_forfeit_the_match() -> None:
    """X3 the record says so."""
    events, over = carried_out(playing(FOR_24), Forfeit(1))
    assert events == (Forfeited(1, "illegal_moves"), ended(over))
    assert (ended(over).reason, ended(over).winner) == ("illegal_moves", 0)


def test_nothing_happens_after_the_end() -> None:
    """X1 the match is over for good."""
    over = given_match(carried_out(playing(FOR_24), Play(0, Resign()))[1])
    for move in (Take(), Pass(), Draw(), Resign()):
        over.when(Play(1, move)).refused(Reason.MATCH_OVER, "X1")
    over.when(Pause()).refused(Reason.MATCH_OVER, "X1")
    over.when(Forfeit(1)).refused(Reason.MATCH_OVER, "X1")
    for command in (Deal(FOR_24), Expire(), Resume(), CreateMatch(opened())):
        over.when(command).refused(Reason.NOT_ALLOWED_NOW, "")
    over.when(joining(None, "p_eve")).refused(Reason.SEAT_TAKEN, "")


def test_a_match_is_scored_by_its_own_rules() -> None:
    """X2 the values stand in the match's first event, whatever a preset says by now."""
    match = begun(opened("classic", target=24, game_bonus=7, box_bonus=3, shutout_doubles=False))
    assert ended(non_dealer_wins(match)).totals == (0, 24 + 7 + 3)


# --- the fold -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("match", "event"),
    [
        (None, joined(0)),
        (begun(), opened()),
        (begun(), joined(0)),
        (begun(), StockDrawn(0)),
        (playing(FOR_24), HandDealt(2, 0, Card("AS"))),
        (gathered(None, opened()), HandDealt(1, 0, Card("AS"))),
        (gathered(None, opened()), NonceRevealed(0, NONCES[0])),
        (carried_out(begun(), Play(0, Resign()))[1], Resigned(1)),
    ],
    ids=str,
)
def test_an_event_that_cannot_follow_is_refused_by_the_fold(
    match: Match | None, event: StockDrawn | Resigned
) -> None:
    """Only a damaged log holds one."""
    with pytest.raises(ValueError, match=r"cannot follow|nobody sits"):
        matches.evolve(match, event, 0)


def test_a_deck_goes_under_a_hand_that_was_just_dealt() -> None:
    """At any other time it is a fault of the program."""
    for match in (begun(), playing(FOR_24, Take())):
        with pytest.raises(ValueError, match="just been dealt"):
            matches.with_deck(match, FOR_24)

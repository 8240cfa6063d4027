"""A match that is a board: two players seated at once, no nonces, and one hand, whatever it is."""

import pytest
from support_knocks import FOR_24, KNOCKER, TO_THE_DRAW, dealt_from, moved
from support_rules import (
    NONCES,
    PLAYERS,
    carried_out,
    gathered,
    given_match,
    joining,
    opened,
    stack,
)

from ginrummy.rules.cards import DECK, BySeat, Card, Seat
from ginrummy.rules.commands import (
    CreateMatch,
    Deal,
    Join,
    Knock,
    LayOff,
    Pass,
    Play,
    Resign,
    RevealNonce,
    RevealSecret,
)
from ginrummy.rules.errors import Reason
from ginrummy.rules.events import (
    Board,
    HandVoided,
    MatchCreated,
    MatchEnded,
    PlayerJoined,
    SecretRevealed,
    SigningPolicy,
)
from ginrummy.rules.match import Dealing, Ended, Gathering, Match, Playing, due
from ginrummy.rules.wishes import same_wish, wish_of

BOARD = Board("t_3d8zq1h5w9n4kx7vr2cm6yj0gb", 7, "ab" * 32)
NAMES = BySeat("Ann", "Bob")
KEPT: BySeat[str | None] = BySeat(*PLAYERS)


def terms(**changes: object) -> MatchCreated:
    """Return the terms of a board."""
    return opened(board=BOARD, reveal="director", seats=KEPT, **changes)  # type: ignore[arg-type]  # fields of the ruleset


def seat(number: Seat, key: str | None = None) -> PlayerJoined:
    return PlayerJoined(number, PLAYERS[number], NAMES[number], None, None, key)


def board(**changes: object) -> Match:
    """Return a board that is to be dealt."""
    return carried_out(None, CreateMatch(terms(**changes), NAMES))[1]


def outcome(match: Match) -> MatchEnded:
    assert isinstance(match, Ended)
    return match.outcome


# --- opening --------------------------------------------------------------------------------------


def test_a_board_is_opened_with_both_players_at_it() -> None:
    given_match(None).when(CreateMatch(terms(), NAMES)).then(terms(), seat(0), seat(1))
    match = board()
    assert isinstance(match, Dealing)
    assert due(match) == "deal"
    assert [(each.nonce_commitment, each.nonce_by, each.nonce) for each in match.seats if each] == [
        (None, None, None)
    ] * 2


KEYS: BySeat[str | None] = BySeat("1a" * 32, "2b" * 32)
ONE_KEY: BySeat[str | None] = BySeat(KEYS[0], None)


@pytest.mark.parametrize(
    ("signing", "keys"),
    [("required", KEYS), ("optional", KEYS), ("optional", ONE_KEY), ("optional", (None, None))],
)
def test_who_signs_at_a_board_is_seated_with_their_key(
    signing: SigningPolicy, keys: tuple[str | None, str | None]
) -> None:
    wanted = terms(signing=signing)
    create = CreateMatch(wanted, NAMES, BySeat(*keys))
    given_match(None).when(create).then(wanted, seat(0, keys[0]), seat(1, keys[1]))


@pytest.mark.parametrize(
    ("signing", "keys", "reason"),
    [
        ("required", ONE_KEY, Reason.KEY_MISSING),
        ("off", ONE_KEY, Reason.SIGNING_OFF),
    ],
)
def test_a_board_takes_the_keys_that_its_signing_asks_for(
    signing: SigningPolicy, keys: BySeat[str | None], reason: Reason
) -> None:
    create = CreateMatch(terms(signing=signing), NAMES, keys)
    given_match(None).when(create).refused(reason, "")


def test_an_audit_seats_the_players_one_by_one() -> None:
    """Their names are in their own lines alone."""
    match = gathered(None, terms())
    assert wish_of(None, terms()) == CreateMatch(terms())
    for number in (0, 1):
        assert isinstance(match, Gathering)
        assert due(match) is None
        wish = wish_of(match, seat(1 if number else 0))
        assert isinstance(wish, Join)
        events, match = carried_out(match, wish)
        assert events == (seat(1 if number else 0),)
    assert match == board()


def test_a_board_opened_again_is_the_same_wish() -> None:
    wish = CreateMatch(terms(), NAMES)
    assert same_wish(wish, None, terms())
    assert not same_wish(wish, None, terms(target=1))


@pytest.mark.parametrize(
    "seats",
    [BySeat(None, None), BySeat(PLAYERS[0], None), BySeat(None, "p"), BySeat("p", "p")],
)
def test_both_seats_of_a_board_are_kept(seats: BySeat[str | None]) -> None:
    wish = opened(board=BOARD, reveal="director", seats=seats)
    given_match(None).when(CreateMatch(wish, NAMES)).refused(Reason.NOT_ALLOWED_NOW, "")


@pytest.mark.parametrize("reveal", ["match", "hand"])
def test_a_boards_secret_waits_for_all_its_tables(reveal: str) -> None:
    wish = opened(board=BOARD, reveal=reveal, seats=KEPT)  # type: ignore[arg-type]  # a literal
    given_match(None).when(CreateMatch(wish, NAMES)).refused(Reason.NOT_ALLOWED_NOW, "")


def test_a_board_is_worth_the_same_in_all_suits() -> None:
    """K6 under spades_double it would not be: each table has suits of its own."""
    wish = terms(preset="oklahoma", spades_double=True)
    given_match(None).when(CreateMatch(wish, NAMES)).refused(Reason.NOT_ALLOWED_NOW, "")


def test_a_board_takes_no_nonces_and_every_other_match_does() -> None:
    half = given_match(None, terms())
    half.when(joining(0)).refused(Reason.NONCE_MISMATCH, "")
    half.when(Join(0, "p_eve", "Eve", None, None)).refused(Reason.SEAT_TAKEN, "")
    bare = Join(0, PLAYERS[0], "Ann", None, None)
    given_match(None, opened()).when(bare).refused(Reason.NONCE_MISMATCH, "")
    given_match(board()).when(RevealNonce(0, NONCES[0])).refused(Reason.NOT_ALLOWED_NOW, "")


# --- the hand, and the end ------------------------------------------------------------------------


def test_the_board_names_its_dealer() -> None:
    """D3"""
    given_match(board()).when(Deal(DECK)).refused(Reason.NOT_ALLOWED_NOW, "")
    match = carried_out(board(), Deal(FOR_24, 1))[1]
    assert isinstance(match, Playing)
    assert match.hand.layout.dealt.dealer == 1


@pytest.mark.parametrize("length", [{}, {"target": 1}, {"hands": 3}, {"target": 1000}])
def test_a_board_ends_with_its_hand_whatever_the_ruleset_says(length: dict[str, object]) -> None:
    match = moved(dealt_from(board(**length), FOR_24), *TO_THE_DRAW, Knock(Card("KH")), LayOff())
    over = outcome(match)
    assert (over.reason, over.winner) == ("hands", 1)
    assert over.points == over.totals == BySeat(0, 24)
    assert (over.game_bonus, over.box_bonus) == (BySeat(0, 0), BySeat(0, 0))


def test_a_void_board_ends_without_a_winner() -> None:
    """T3, S4 no second hand is dealt."""
    events, match = carried_out(board(stock_floor=31), Deal(FOR_24, 0))
    assert isinstance(events[1], HandVoided)
    over = outcome(match)
    assert events[2:] == (over,)
    assert (over.reason, over.winner, over.totals) == ("hands", None, BySeat(0, 0))


def test_whoever_wins_the_hand_wins_the_board_for_no_points_as_well() -> None:
    """S2 an undercut at equal counts scores the bonus alone, which may be 0."""
    deck = stack(KNOCKER, "TC TD TS 4D 4H 4C KC KD KS 2D", upcard="JC", stock="KH")
    match = dealt_from(board(undercut_bonus=0), deck)
    match = moved(match, *TO_THE_DRAW, Knock(Card("KH")), LayOff())
    over = outcome(match)
    assert (over.reason, over.winner, over.points) == ("hands", 0, BySeat(0, 0))


def test_a_boards_secret_comes_out_after_its_end() -> None:
    reveal = RevealSecret(1, "cd" * 32)
    match = dealt_from(board(), FOR_24)
    given_match(match).when(reveal).refused(Reason.NOT_ALLOWED_NOW, "")
    over = carried_out(match, Play(0, Resign()))[1]
    assert due(over) is None
    given_match(over).when(reveal).then(SecretRevealed(1, "cd" * 32))
    out = carried_out(over, reveal)[1]
    given_match(out).when(reveal).refused(Reason.NOT_ALLOWED_NOW, "")
    given_match(over).when(RevealSecret(2, "cd" * 32)).refused(Reason.NOT_ALLOWED_NOW, "")


def test_a_board_can_be_resigned() -> None:
    """X3"""
    match = moved(dealt_from(board(), FOR_24), Pass())
    over = outcome(carried_out(match, Play(1, Resign()))[1])
    assert (over.reason, over.winner) == ("resigned", 0)

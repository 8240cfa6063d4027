"""The check of what a seat is told: an honest match passes, and each way to cheat is named."""

from collections.abc import Callable
from functools import cache
from hashlib import sha256

import pytest
from support_logs import Table, changed, events_of, in_hand, played, relinked
from support_play import random_move
from support_story import Story

from ginrummy.client.errors import BrokenChainError, TamperedDeckError, VerificationError
from ginrummy.client.verifier import Verifier
from ginrummy.log.deck import nonce_commitment
from ginrummy.rules.cards import Seat
from ginrummy.rules.commands import Play, Resign
from ginrummy.rules.events import RevealPolicy
from ginrummy.v1.events_pb2 import Event
from ginrummy.v1.match_pb2 import View

Told = list[Event | View]
"""All that one seat is told, in order."""


def told(table: Table, seat: Seat = 0) -> Told:
    """Return what an honest server tells a seat: a view wherever it has something to decide."""
    story = Story(table, seat)
    out: Told = []
    for line in table.lines:
        out.append(story.event(line))
        view = story.view(line)
        if view.hand.HasField("legal") or line is table.lines[-1]:
            out.append(view)
    return out


def verified(table: Table, all_told: Told, seat: Seat = 0) -> Verifier:
    """Return a verifier that has been told all that."""
    check = Verifier(table.stream, table._nonces[seat], table.players[seat])
    for one in all_told:
        if isinstance(one, Event):
            check.add(one)
        else:
            check.saw(one)
    return check


def forged(table: Table, all_told: Told, index: int, **fields: object) -> Told:
    """Return what a server tells that had another line in its log from the start."""
    log = table.log
    log = relinked([*log[:index], changed(log[index], **fields), *log[index + 1 :]])
    for one in all_told:
        if isinstance(one, Event):
            one.line = log[one.seq - 1]
        else:
            one.head_hash = sha256(log[one.seq - 1]).hexdigest()
    return all_told


@cache
def match() -> Table:
    """Return a match of some hands, which no test changes."""
    return played(7, hands=3)


def first(events: Told, kind: str, seat: int = 0) -> Event:
    """Return the first event of that kind that is the seat's doing."""
    return next(
        one
        for one in events
        if isinstance(one, Event)
        and one.WhichOneof("event") == kind
        and getattr(one, kind).seat == seat
    )


# --- honest matches -------------------------------------------------------------------------------


@pytest.mark.parametrize("reveal", ["match", "hand"])
@pytest.mark.parametrize("preset", ["standard", "classic", "straight", "oklahoma", "eaai"])
@pytest.mark.parametrize("seat", [0, 1])
def test_an_honest_match_passes(preset: str, reveal: RevealPolicy, seat: Seat) -> None:
    table = played(7, preset, reveal=reveal, hands=5)
    check = verified(table, told(table, seat), seat)
    assert check.checked == check.dealt > 4


def test_any_moves_pass_in_the_eyes_of_both_seats_and_of_a_spectator() -> None:
    table = Table(3).seated().play(random_move, until=in_hand(6))
    table.act(Play(0, Resign()), table.players[0])
    assert verified(table, told(table)).checked == 6
    assert verified(table, told(table, 1), 1).checked == 6
    story, spectator = Story(table, "public"), Verifier(table.stream)
    for line in table.lines:
        spectator.add(story.event(line))
        spectator.saw(story.view(line))
    assert spectator.checked == 6


def test_a_match_whose_secrets_wait_for_a_director_is_not_checked_yet() -> None:
    table = played(7, reveal="director", hands=1)
    check = verified(table, told(table))
    assert (check.checked, check.reveals_at_end) == (0, False)
    table.act(table.reveal(), table.director)
    check.add(Story(table).event(table.lines[-1]))
    assert check.checked == check.dealt


def test_what_comes_again_after_a_reconnection_is_passed_over() -> None:
    table = match()
    all_told = told(table)
    check = verified(table, all_told)
    assert all(check.add(one) is None for one in all_told if isinstance(one, Event))
    assert check.checked == check.dealt


def test_a_nonce_that_the_server_drew_is_not_the_players_to_check() -> None:
    table = played(7, nonce_by=("server", "player"), hands=1)
    check = Verifier(table.stream, None, table.players[0])
    for one in told(table):
        if isinstance(one, Event):
            check.add(one)
    assert check.checked == 1


# --- cards that are not the committed ones --------------------------------------------------------


def test_a_drawn_card_that_is_not_the_decks_is_named() -> None:
    table = match()
    all_told = told(table)
    draw = first(all_told, "stock_drawn")
    right = draw.drawn
    draw.drawn = "KC" if right != "KC" else "QC"
    with pytest.raises(TamperedDeckError) as caught:
        verified(table, all_told)
    error = caught.value
    assert (error.hand, error.seq) == (1, draw.seq)
    assert (error.expected, error.got) == (right, draw.drawn)
    assert str(error) == (
        f"{table.stream}, event {draw.seq}: hand 1: the drawn card: "
        f"expected {right}, got {draw.drawn}"
    )


def test_a_dealt_card_that_is_not_the_decks_is_named() -> None:
    table = match()
    all_told = told(table)
    view = next(one for one in all_told if isinstance(one, View))
    cards = view.hand.hands[0].cards
    right = cards[4]
    wrong = next(card for card in ("KC", "QC", "JC", "TC") if card not in cards)
    cards[4] = wrong
    with pytest.raises(TamperedDeckError, match="hand 1: the cards") as caught:
        verified(table, all_told)
    assert (caught.value.expected, caught.value.got) == (right, wrong)


def test_a_hand_that_changes_between_two_views_of_one_moment_is_found_at_once() -> None:
    table = match()
    all_told = told(table)
    place = next(place for place, one in enumerate(all_told) if isinstance(one, View))
    again = View()
    again.CopyFrom(all_told[place])  # type: ignore[arg-type]  # it is a view
    del again.hand.hands[0].cards[3]
    with pytest.raises(TamperedDeckError, match="a later view shows other cards"):
        verified(table, [*all_told[: place + 1], again])


def test_an_upcard_that_is_not_the_decks_is_named() -> None:
    table = match()
    (index, *_) = events_of(table.log, "hand_dealt")
    right = Story(table).event(table.lines[index]).hand_dealt.upcard
    wrong = "KC" if right != "KC" else "QC"
    told_by_cheat = [one for one in told(table) if isinstance(one, Event)]
    with pytest.raises(TamperedDeckError, match="hand 1: the upcard") as caught:
        verified(table, forged(table, [*told_by_cheat], index, data_upcard=wrong))
    assert (caught.value.seq, caught.value.expected, caught.value.got) == (index + 1, right, wrong)


def test_a_first_dealer_whom_the_secret_does_not_name_is_found() -> None:
    table = match()
    (index, *_) = events_of(table.log, "hand_dealt")
    dealer = Story(table).event(table.lines[index]).hand_dealt.dealer
    with pytest.raises(TamperedDeckError, match="hand 1: the first dealer"):
        verified(table, forged(table, told(table), index, data_dealer=1 - dealer))


def test_a_card_that_the_opponent_shows_without_having_it_is_named() -> None:
    table = match()
    all_told = told(table)
    own = first(all_told, "stock_drawn").drawn
    discard = next(
        one
        for one in all_told
        if isinstance(one, Event)
        and one.WhichOneof("event") == "discarded"
        and one.discarded.seat == 1
        and one.seq > first(all_told, "stock_drawn").seq
    )
    with pytest.raises(TamperedDeckError, match="a card that seat 1 showed") as caught:
        verified(table, forged(table, all_told, discard.seq - 1, data_card=own))
    assert (caught.value.seq, caught.value.got) == (discard.seq, own)


@pytest.mark.parametrize("kind", ["knocked", "laid_off"])
def test_cards_that_are_laid_down_without_being_held_are_named(kind: str) -> None:
    table = match()
    indices = events_of(table.log, kind)
    index = next(i for i in indices if getattr(Story(table).event(table.lines[i]), kind).deadwood)
    wrong = ["KC", "KC"]
    with pytest.raises((TamperedDeckError, BrokenChainError)):
        verified(table, forged(table, told(table), index, data_deadwood=wrong))


# --- secrets and nonces that are not the committed ones -------------------------------------------


def test_a_secret_that_does_not_hash_to_the_commitment_is_found() -> None:
    table = match()
    (index,) = events_of(table.log, "secret_revealed")
    with pytest.raises(TamperedDeckError, match="does not hash to the commitment") as caught:
        verified(table, forged(table, told(table), index, data_secret="ab" * 32))
    assert caught.value.expected == table.secrets.commitment


def test_a_secret_that_does_not_hash_to_the_one_before_is_found() -> None:
    table = played(7, reveal="hand", hands=3)
    index = events_of(table.log, "secret_revealed")[1]
    with pytest.raises(TamperedDeckError, match="does not hash to that of hand 1"):
        verified(table, forged(table, told(table), index, data_secret="ab" * 32))


def test_a_commitment_that_is_changed_later_is_found() -> None:
    table = match()
    with pytest.raises(TamperedDeckError, match="does not hash to the commitment"):
        verified(table, forged(table, told(table), 0, data_commitment="ab" * 32))


def test_a_nonce_of_the_own_seat_that_is_not_the_own_is_found() -> None:
    table = match()
    (index, _) = events_of(table.log, "player_joined")
    other = nonce_commitment(b"drawn by another")
    with pytest.raises(TamperedDeckError, match="another nonce than its own") as caught:
        verified(table, forged(table, told(table), index, data_nonce_commitment=other))
    assert (caught.value.hand, caught.value.got) == (0, other)


@pytest.mark.parametrize("which", [0, 1])
def test_a_revealed_nonce_that_is_not_the_committed_one_is_found(which: int) -> None:
    table = match()
    index = events_of(table.log, "nonce_revealed")[which]
    with pytest.raises(TamperedDeckError, match=f"the nonce of seat {which} is not the one"):
        verified(table, forged(table, told(table), index, data_nonce="ab" * 16))


# --- lines that are no chain ----------------------------------------------------------------------

Spoiler = Callable[[Told], object]


def _event(all_told: Told, seq: int) -> Event:
    return next(one for one in all_told if isinstance(one, Event) and one.seq == seq)


def _later_line(all_told: Told) -> None:
    _event(all_told, 9).line = _event(all_told, 10).line


def _other_byte(all_told: Told) -> None:
    event = _event(all_told, 3)
    event.line = event.line.replace(b'"Bob"', b'"Rob"')


def _no_json(all_told: Told) -> None:
    _event(all_told, 9).line = b"{"


def _left_out(all_told: Told) -> None:
    all_told.remove(_event(all_told, 3))


def _again_otherwise(all_told: Told) -> None:
    again = Event(seq=9, line=_event(all_told, 10).line)
    all_told.insert(all_told.index(_event(all_told, 11)), again)


def _other_head(all_told: Told) -> None:
    next(one for one in all_told if isinstance(one, View)).head_hash = "ab" * 32


def _view_too_early(all_told: Told) -> None:
    view = next(one for one in all_told if isinstance(one, View))
    all_told.remove(view)
    all_told.insert(0, view)


def _other_hand(all_told: Told) -> None:
    next(one for one in all_told if isinstance(one, View)).hand.number = 5


def _no_card(all_told: Told) -> None:
    next(one for one in all_told if isinstance(one, View)).hand.hands[0].cards[2] = "XX"


def _card_kept_back(all_told: Told) -> None:
    first(all_told, "stock_drawn").drawn = ""


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_later_line, "event 9: its line is of"),
        (_other_byte, "event 4: it names"),
        (_no_json, "event 9: its line cannot be read"),
        (_left_out, "event 4: it came in after event 2"),
        (_again_otherwise, "event 9: it had the hash"),
        (_other_head, "it had the hash"),
        (_view_too_early, "a view of it came after event 0"),
        (_other_hand, "a view shows hand 5, not dealt"),
        (_no_card, "it shows 'XX', which is no card"),
        (_card_kept_back, "the card drawn was not shown to its seat"),
    ],
)
def test_lines_that_do_not_fit_together_are_found(spoil: Spoiler, message: str) -> None:
    table = match()
    all_told = told(table)
    spoil(all_told)
    with pytest.raises(BrokenChainError, match=message):
        verified(table, all_told)


@pytest.mark.parametrize(
    ("kind", "fields", "message"),
    [
        ("player_joined", {"data_seat": 1}, "seat 1 is taken twice"),
        ("player_joined", {"data_player": "p_x"}, "this player sits at no seat"),
        ("nonce_revealed", {"data_seat": 1}, "is not the one committed to"),
        ("hand_dealt", {"data_hand": 2}, "hand 2 is dealt after hand 0"),
        ("secret_revealed", {"data_hand": 9}, "the secret of hand 9 is revealed out of turn"),
    ],
)
def test_events_that_have_no_place_are_found(
    kind: str, fields: dict[str, object], message: str
) -> None:
    table = match()
    (index, *_) = events_of(table.log, kind)
    with pytest.raises(VerificationError, match=message):
        verified(table, forged(table, told(table), index, **fields))


def test_a_match_begins_with_its_terms() -> None:
    table = match()
    story = Story(table)
    check = Verifier(table.stream)
    check.chain.check_head(0, "0" * 64)
    event = Event(seq=1, line=relinked(table.log[1:])[0])
    with pytest.raises(BrokenChainError, match="player_joined has no place there"):
        check.add(event)
    assert story.event(table.lines[0]).seq == 1

"""Audits of forks: the position, the moves that were taken over, and the origin beside it."""

import hashlib

import msgspec
import pytest
from support_audit import CLASSIC, CLOCK, at_fault, data, log_of, nth
from support_forks import Fork, forked
from support_logs import Log, board_played, edited, events_of, forged, played, relinked, without

from ginrummy.audit.audit import audit
from ginrummy.audit.beginning import OriginLog
from ginrummy.audit.report import CHECKS, Report, text
from ginrummy.log.deck import SecretChain, shuffle
from ginrummy.log.fold import nonces_of
from ginrummy.log.positions import Position, position_of
from ginrummy.rules.cards import Deck, Seat

ORIGIN = CLASSIC
AT = nth(ORIGIN.log, "hand_dealt") + 12
"""Nine moves or so into the first hand."""


def fork_of(kept: str = "same", seat: Seat | None = None, at: int = AT, **terms: object) -> Fork:
    """Return a fork of ORIGIN, played to its end."""
    fork = forked(ORIGIN.log, at, kept, seat, **terms)  # type: ignore[arg-type]  # a word of the two
    fork.play()
    return fork


KINDS = [
    pytest.param("same", None, id="same"),
    pytest.param("reshuffled", None, id="reshuffled"),
    pytest.param("reshuffled", 0, id="reshuffled for 0"),
    pytest.param("reshuffled", 1, id="reshuffled for 1"),
]


def with_origin(log: Log, origin: Log | None = None) -> Report:
    """Return the audit of a fork with its origin's log beside it."""
    return audit(log, origin=OriginLog(origin or ORIGIN.log))


# --- good ones ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kept", "seat"), KINDS)
@pytest.mark.parametrize("reveal", ["match", "hand"])
def test_a_good_fork_is_clean(kept: str, seat: Seat | None, reveal: str) -> None:
    fork = fork_of(kept, seat, reveal=reveal, clock=CLOCK)
    report = audit(fork.log)
    assert report.clean, text(report)
    done = {check.name: check.status for check in report.checks}
    for name in ("commitment", "position", "reveal", "dealing", "deck", "moves", "clocks"):
        assert done[name] == "passed"
    assert done["origin"] == "not_applicable"
    assert report.check("position").count == len(fork.branch.moves) + 1
    report = with_origin(fork.log)
    assert report.clean, text(report)
    assert report.check("origin").status == "passed"
    assert report.check("origin").count > len(fork.branch.moves)


def test_forks_of_every_event_are_clean_beside_their_origin() -> None:
    for seq in range(1, nth(ORIGIN.log, "match_ended") - 2, 3):
        fork = forked(ORIGIN.log, seq, "same" if seq % 2 else "reshuffled", seed=seq)
        fork.play(until=lambda match, fork=fork: len(fork.lines) > 60)  # type: ignore[misc]
        assert with_origin(fork.log).clean, seq


def test_a_fork_of_a_fork_and_one_of_a_board_are_clean_beside_theirs() -> None:
    first = fork_of("reshuffled", 1)
    second = forked(first.log, nth(first.log, "hand_dealt") + 15)
    second.play()
    assert with_origin(second.log, first.log).clean
    board = board_played(6, 3)
    third = forked(board.log, nth(board.log, "hand_dealt") + 4)
    third.play()
    assert with_origin(third.log, board.log).clean


def test_what_is_not_out_is_waited_for() -> None:
    fork = forked(ORIGIN.log, AT)
    fork.play(until=lambda _: len(fork.lines) > 30)
    report = with_origin(fork.log)
    assert report.clean, text(report)
    assert {check.name for check in report.checks if check.status == "waiting"} == {
        "position",
        "reveal",
        "dealing",
        "deck",
    }
    assert report.check("position").detail == "not before the position is out"
    # The operator's own secrets open it.
    opened = audit(fork.log, secrets=fork.secrets)
    assert opened.check("deck").status == "passed"


def test_one_that_nobody_began_has_no_position_to_wait_for() -> None:
    fork = Fork(1, fork_of().branch)
    report = audit(fork.log)
    assert report.clean
    assert report.check("position").status == "not_applicable"


# --- what is at fault -----------------------------------------------------------------------------

GOOD = fork_of("reshuffled", 0)
DEAL = nth(GOOD.log, "hand_dealt")
MOVES = len(GOOD.branch.moves)
OUT = nth(GOOD.log, "position_revealed")


def revealing(position: Position, log: Log = GOOD.log, *, committed: bool) -> Log:
    """Return a log with another position that came out, and that it is committed to, if asked."""
    names = [None if card is None else str(card) for card in position.places]
    log = edited(log, OUT, data_salt=position.salt.hex(), data_cards=names)
    if committed:
        origin = {**data(log[0])["origin"], "position": position.commitment}
        log = edited(log, 0, data_origin=origin)
    return relinked(log)


def held() -> Position:
    assert GOOD.secrets.position is not None
    return GOOD.secrets.position


def changed(log: Log = GOOD.log, /, **origin: object) -> Log:
    """Return a log with another origin in its terms."""
    return forged(log, 0, data_origin={**data(log[0])["origin"], **origin})


def test_another_position_than_the_committed_one() -> None:
    salted = Position(bytes(16), held().places)
    report = audit(revealing(salted, committed=False))
    assert at_fault(report) == [("position", OUT + 1)]
    assert report.check("deck").status == "stopped"


def test_a_position_that_is_no_deck() -> None:
    places = [*held().places]
    places[0] = places[20]
    report = audit(revealing(Position(bytes(16), tuple(places)), committed=True))
    assert ("position", OUT + 1) in at_fault(report)


@pytest.mark.parametrize(
    ("fix", "why"),
    [
        (30 + MOVES, "cards of the stock stay"),
        (20, "it turns no card"),
        (None, "of seat 1 stays what everybody has seen"),
    ],
)
def test_a_position_that_fixes_more_or_less_than_it_may(fix: int | None, why: str) -> None:
    """Found from the fork's log alone, and with every hash made good."""
    places = [*held().places]
    deck = held().filled(own_deck())
    if fix is None:
        fix = next(at for at in range(20) if places[at] is None)
    places[fix] = deck[fix] if places[fix] is None else None
    report = audit(revealing(Position(held().salt, tuple(places)), committed=True))
    assert any(fault.check == "position" and why in fault.message for fault in report.faults), text(
        report
    )


def own_deck() -> Deck:
    """Return the deck of hand 1 that the fork itself is committed to."""
    nonces = nonces_of(GOOD.match)
    assert nonces is not None
    return shuffle(GOOD.secrets.secret(1), GOOD.stream, 1, nonces).deck


def test_all_cards_stay_but_a_place_is_open() -> None:
    fork = fork_of()
    out = nth(fork.log, "position_revealed")
    position = fork.secrets.position
    assert position is not None
    places = (*position.places[:51], None)
    names = [None if card is None else str(card) for card in places]
    log = edited(fork.log, out, data_cards=names)
    commitment = Position(position.salt, places).commitment
    origin = {**data(log[0])["origin"], "position": commitment}
    report = audit(relinked(edited(log, 0, data_origin=origin)))
    assert at_fault(report) == [("position", out + 1)]
    assert "all cards stay, but 1 places are open" in report.faults[0].message


@pytest.mark.parametrize("revealed", [True, False])
def test_a_move_taken_over_by_a_player_or_later_or_not_at_all(revealed: bool) -> None:  # noqa: FBT001
    log = GOOD.log if revealed else GOOD.log[:OUT]
    by = forged(log, DEAL + 2, by=GOOD.players[0])
    assert at_fault(audit(by)) == [("actors", DEAL + 3)]
    later = forged(log, DEAL + MOVES, at=msgspec.json.decode(log[DEAL + MOVES + 1])["at"])
    assert ("clocks", DEAL + MOVES + 1) in at_fault(audit(later))
    missing = relinked(without(log, DEAL + MOVES))
    assert ("actors", DEAL + MOVES + 1) in at_fault(audit(missing))


def test_something_else_among_the_moves() -> None:
    pause = edited(GOOD.log, DEAL + 2, type="clock_paused", data={})
    report = audit(relinked(pause))
    assert ("clocks", DEAL + 3) in at_fault(report)
    assert "follow the deal at once, not clock_paused" in text(report)


@pytest.mark.parametrize("cut", [1, MOVES // 2, MOVES])
def test_a_log_that_ends_among_the_moves_is_cut_off(cut: int) -> None:
    log = GOOD.log[: DEAL + cut]
    assert at_fault(audit(log)) == [("end", DEAL + cut + 1)]


@pytest.mark.parametrize("moves", [MOVES - 1, MOVES + 1])
def test_another_number_of_moves_than_the_terms_say(moves: int) -> None:
    report = audit(changed(moves=moves))
    assert not report.clean
    assert "actors" in {fault.check for fault in report.faults}


def test_a_move_that_was_illegal_there_is_illegal_here() -> None:
    deck = held().filled(own_deck())
    place = next(
        index
        for index in range(DEAL + 1, DEAL + MOVES + 1)
        if index in events_of(GOOD.log, "discarded")
    )
    log = forged(GOOD.log, place, data_card=str(deck[51]))
    assert ("deck", place + 1) in at_fault(audit(log))


def test_the_secrets_come_after_the_position() -> None:
    log = [*GOOD.log]
    log[OUT], log[OUT + 1] = log[OUT + 1], log[OUT]
    assert not audit(relinked(log)).clean
    assert not audit(relinked(without(GOOD.log, OUT))).clean


def test_a_position_in_a_match_that_began_in_none() -> None:
    log = [*ORIGIN.log, GOOD.log[OUT]]
    stream = ORIGIN.stream
    report = audit(relinked(edited(log, len(log) - 1, stream=stream)))
    assert ("reveal", len(log)) in at_fault(report)


def test_other_secrets_beside_the_log_than_the_committed_ones() -> None:
    last = GOOD.secrets.secret(GOOD.secrets.length)
    other = SecretChain(last, GOOD.secrets.length, Position(bytes(16), held().places))
    assert at_fault(audit(GOOD.log[:OUT], secrets=other)) == [("position", 1)]
    assert position_of(held().written) == held()


def test_a_fork_that_may_not_be_opened() -> None:
    for terms in ({"unseen": "fresh"}, {"position": None}, {"scores": [1000, 0]}):
        assert ("moves", 1) in at_fault(audit(changed(**terms)))
    assert ("moves", 1) in at_fault(audit(forged(GOOD.log, 0, data_dispute_ms=1)))


# --- beside the origin ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"match": "m_" + "0" * 26},
        {"hash": hashlib.sha256(b"").hexdigest()},
        {"hand": 2},
        {"scores": [10, 0]},
        {"hands_won": [1, 0]},
        {"seq": AT - 1},
    ],
)
def test_an_origin_that_is_not_as_it_is_said(change: dict[str, object]) -> None:
    """In the fork's own log nothing contradicts some of these."""
    (name,) = change
    if name == "seq":
        # There is such an event, and it is another one.
        name = "hash"
    report = with_origin(changed(**change))
    assert any(
        fault.check == "origin" and fault.seq == 1 and name in fault.message
        for fault in report.faults
    ), text(report)


def test_another_deal_and_other_moves_than_the_origins() -> None:
    """A whole other match, its commitment and all, under the origin's name."""
    other = played(131, "classic")
    fork = forked(other.log, nth(other.log, "hand_dealt") + 8)
    fork.play()
    at = fork_of(at=nth(ORIGIN.log, "hand_dealt") + 8).branch
    origin = {
        **data(fork.log[0])["origin"],
        "match": at.match,
        "seq": at.seq,
        "hash": at.hash,
        "moves": len(at.moves),
    }
    log = forged(fork.log, 0, data_origin=origin)
    found = {fault.message for fault in with_origin(log).faults if fault.check == "origin"}
    assert any("the upcard is" in message for message in found)
    assert any("of the hand was another one in the origin" in message for message in found)
    assert any("of the cards that stay are others" in message for message in found)


def test_another_log_than_the_origins() -> None:
    other = played(131, "classic")
    report = with_origin(GOOD.log, other.log)
    assert {fault.check for fault in report.faults} == {"origin"}


def test_an_origin_that_is_damaged_proves_nothing() -> None:
    for log in (edited(ORIGIN.log, 6, cmd="x"), ORIGIN.log[: AT - 1], ORIGIN.log[1:]):
        report = with_origin(GOOD.log, log)
        assert at_fault(report) == [("origin", 1)]
        assert "cannot be followed" in report.faults[0].message


def test_a_match_of_its_own_has_no_origin() -> None:
    report = with_origin(ORIGIN.log)
    assert at_fault(report) == [("origin", 1)]
    assert "branches off from no other" in report.faults[0].message


def test_an_origin_whose_cards_are_not_out_is_compared_as_far_as_it_goes() -> None:
    hidden = log_of(ORIGIN, revealed=False)
    report = with_origin(GOOD.log, hidden)
    assert report.clean
    assert report.check("origin").status == "passed"


def test_a_fork_that_begins_with_a_deal_where_a_hand_was_played() -> None:
    fork = forked(ORIGIN.log, nth(ORIGIN.log, "hand_scored") + 1)
    fork.play()
    report = with_origin(changed(fork.log, seq=AT, hash=fork_of().branch.hash, hand=1))
    assert any("it begins with another" in fault.message for fault in report.faults)


def test_the_new_checks_have_their_place() -> None:
    names = list(CHECKS)
    assert names[names.index("commitment") :][:4] == ["commitment", "origin", "position", "reveal"]

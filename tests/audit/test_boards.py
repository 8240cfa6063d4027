"""Logs of boards: clean where all is right, and each way to cheat at one is named."""

import hashlib

import msgspec
import pytest
from support_audit import CLOCK, at_fault, data, nth
from support_logs import (
    TOURNAMENT,
    Log,
    Table,
    board_played,
    changed,
    events_of,
    forged,
    played,
    relinked,
    results_of,
    without,
)

from ginrummy.audit.audit import audit
from ginrummy.audit.report import CHECKS, text
from ginrummy.log.deck import SecretChain
from ginrummy.log.reveals import revealed_secrets
from ginrummy.rules.commands import Abort, Forfeit

GOOD = board_played(5)
"""Board 7, knocked, its secret out."""

CREATED, JOINED, DEALT = 0, 1, 3
"""Where a board's first lines stand."""


def statuses(log: Log, secrets: SecretChain | None = None) -> dict[str, str]:
    return {check.name: check.status for check in audit(log, secrets=secrets).checks}


# --- good boards ----------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["standard", "classic", "straight", "oklahoma", "eaai"])
def test_a_good_board_is_clean(preset: str) -> None:
    ends: set[str] = set()
    for seed in range(6):
        table = board_played(seed, seed + 1, preset=preset, clock=CLOCK)
        report = audit(table.log)
        assert report.clean, text(report)
        assert not report.unchecked
        ends |= results_of(table)
        done = {check.name: check.status for check in report.checks}
        if results_of(table) == {"void"}:
            # Nothing was scored but the match.
            assert report.outcome is not None
            assert (report.outcome.reason, report.outcome.winner) == ("hands", None)
        assert done == dict.fromkeys(CHECKS, "passed") | {
            "receipt": "not_applicable",
            "origin": "not_applicable",
            "position": "not_applicable",
            "nonces": "not_applicable",
            "signatures": "not_applicable",
            "disputes": "not_applicable",
            "rulings": "not_applicable",
            "replays": "not_applicable",
        }
    assert ends


def test_a_board_whose_secret_is_not_out_waits_for_it() -> None:
    table = board_played(5, revealed=False)
    report = audit(table.log)
    assert report.clean
    assert [check.name for check in report.checks if check.status == "waiting"] == [
        "reveal",
        "dealing",
        "deck",
    ]
    # The operator's own secrets open it.
    assert statuses(table.log, table.secrets)["deck"] == "passed"


def test_the_secret_of_a_board_opens_all_boards_before_it() -> None:
    found = revealed_secrets(GOOD.log)
    assert found is not None
    assert [found.secret(number) for number in range(8)] == [
        GOOD.secrets.secret(number) for number in range(8)
    ]
    assert found.secret(8) is None


@pytest.mark.parametrize(
    "command",
    [Forfeit(1, "crash"), Forfeit(0, "withdrawn"), Abort("aborted"), Abort("round_clock")],
)
def test_a_board_that_was_ended_from_outside_is_clean(command: Forfeit | Abort) -> None:
    table = Table(3, board=2)
    table.act(command, "server")
    table.act(table.reveal(), "server")
    report = audit(table.log)
    assert report.clean, text(report)
    assert statuses(table.log)["dealing"] == "passed"


# --- faults ---------------------------------------------------------------------------------------


def test_a_board_dealt_from_another_deck() -> None:
    """Its server held other secrets while it dealt, and lets out the committed one after."""
    table = Table(5, board=7)
    committed, cmd = table.secrets, table.lines[CREATED].cmd
    del table.lines[DEALT:]
    table.deal_from(SecretChain(hashlib.sha256(b"another").digest(), 60))
    table.do_what_is_due(cmd)
    table.play()
    table.secrets = committed
    table.act(table.reveal(), "server")
    report = audit(table.log)
    assert at_fault(report)[0] == ("dealing", DEALT + 1)
    assert report.faults[0].rule in ("D1", "D3")


def test_a_board_of_another_dealer() -> None:
    """D3 the board names the dealer."""
    dealer = data(GOOD.log[DEALT])["dealer"]
    report = audit(forged(GOOD.log, DEALT, data_dealer=1 - dealer))
    faults = [fault for fault in report.faults if fault.check == "dealing"]
    assert [(fault.seq, fault.rule) for fault in faults] == [(DEALT + 1, "D3")]
    assert faults[0].message == f"hand_dealt: dealer is {1 - dealer}, but has to be {dealer}"


def test_a_board_with_another_upcard() -> None:
    upcard = data(GOOD.log[DEALT])["upcard"]
    other = "KS" if upcard != "KS" else "KH"
    report = audit(forged(GOOD.log, DEALT, data_upcard=other))
    assert at_fault(report)[0] == ("dealing", DEALT + 1)


@pytest.mark.parametrize("number", [1, 6, 8, 60])
def test_another_boards_secret(number: int) -> None:
    index = nth(GOOD.log, "secret_revealed")
    log = forged(GOOD.log, index, data_secret=GOOD.secrets.secret(number).hex())
    report = audit(log)
    assert at_fault(report) == [("reveal", index + 1)]
    assert "not the one that the match is committed to" in report.faults[0].message
    assert report.check("deck").status == report.check("dealing").status == "stopped"


def test_another_mix_than_the_deck_was_made_with() -> None:
    board = dict(data(GOOD.log[CREATED])["board"], mix="ab" * 32)
    report = audit(forged(GOOD.log, CREATED, data_board=board))
    assert at_fault(report)[0] == ("dealing", DEALT + 1)


@pytest.mark.parametrize("change", [{"number": 6}, {"tournament": TOURNAMENT[:-1] + "c"}])
def test_another_board_than_was_dealt(change: dict[str, object]) -> None:
    board = dict(data(GOOD.log[CREATED])["board"], **change)
    report = audit(forged(GOOD.log, CREATED, data_board=board))
    assert not report.clean
    assert {check for check, _ in at_fault(report)} <= {"reveal", "dealing", "deck"}


def test_a_board_that_the_commitment_does_not_reach() -> None:
    report = audit(forged(GOOD.log, CREATED, data_chain=6))
    assert ("commitment", 1) in at_fault(report)
    assert report.faults[0].message == "it covers 6 boards, and this is board 7"


def test_secrets_beside_the_log_that_are_not_the_tournaments() -> None:
    other = SecretChain(b"x" * 32, 60)
    assert at_fault(audit(GOOD.log, secrets=other)) == [("commitment", 1)]


def test_a_nonce_where_none_is_taken() -> None:
    commitment = hashlib.sha256(bytes(16)).hexdigest()
    log = forged(GOOD.log, JOINED, data_nonce_commitment=commitment, data_nonce_by="player")
    assert at_fault(audit(log)) == [("nonces", JOINED + 1)]


def test_no_nonce_where_one_is_taken() -> None:
    table = played(3)
    log = forged(table.log, JOINED, data_nonce_commitment=None, data_nonce_by=None)
    assert at_fault(audit(log))[0] == ("nonces", JOINED + 1)


def test_a_player_who_seats_themselves_at_a_board() -> None:
    log = forged(GOOD.log, JOINED, by=GOOD.players[0])
    assert at_fault(audit(log)) == [("actors", JOINED + 1)]


def test_somebody_at_a_seat_that_was_kept_for_another() -> None:
    log = forged(GOOD.log, JOINED, data_player="p_" + "e" * 26)
    assert at_fault(audit(log))[0][1] == JOINED + 1


@pytest.mark.parametrize("fields", [{"data_reveal": "match"}, {"data_seats": [None, None]}])
def test_terms_that_no_board_has(fields: dict[str, object]) -> None:
    report = audit(forged(GOOD.log, CREATED, **fields))
    assert at_fault(report)[0][1] == 1
    assert "board" in report.faults[0].message


def test_a_second_hand_at_a_board() -> None:
    """The hand's result is the match's end, and it was left out."""
    end = nth(GOOD.log, "match_ended")
    log = relinked(without(GOOD.log, end))
    report = audit(log)
    assert ("scores", end + 1) in at_fault(report)
    assert "match_ended has to follow" in report.faults[0].message


def test_a_secret_that_comes_out_while_the_board_is_played() -> None:
    reveal = nth(GOOD.log, "secret_revealed")
    early = changed(GOOD.log[reveal], at=msgspec.json.decode(GOOD.log[DEALT])["at"])
    lines = [*GOOD.log[: DEALT + 1], early, *GOOD.log[DEALT + 1 : reveal]]
    report = audit(relinked(lines))
    assert at_fault(report) == [("reveal", DEALT + 2)]


def test_a_forged_number_keeps_nobody_busy() -> None:
    board = dict(data(GOOD.log[CREATED])["board"], number=2**31 - 1)
    log = forged(GOOD.log, CREATED, data_board=board, data_chain=2**31 - 1)
    assert ("reveal", nth(log, "secret_revealed") + 1) in at_fault(audit(log))


def test_a_seating_that_did_not_come_with_the_opening() -> None:
    """All that opens a board is one append: one request id, one time."""
    report = audit(forged(GOOD.log, JOINED, cmd="later"))
    assert at_fault(report)[0] == ("actors", JOINED + 1)
    at = msgspec.json.decode(GOOD.log[DEALT + 1])["at"]
    assert at_fault(audit(forged(GOOD.log, DEALT, at=at))) == [("clocks", DEALT + 1)]


def test_what_is_left_of_a_board_that_was_cut_off_is_clean() -> None:
    whole = board_played(5, revealed=False).log
    dealt = events_of(whole, "hand_dealt")[0]
    assert audit(whole[: dealt + 1]).clean
    assert msgspec.json.decode(whole[dealt])["cmd"] == "board-7"


# --- the append that opens a board ----------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_board_is_never_found_half_opened(length: int) -> None:
    """It is opened, seated and dealt in one append, so no honest log ends within."""
    assert at_fault(audit(GOOD.log[:length])) == [("end", length + 1)]
    assert audit(GOOD.log[: DEALT + 1]).clean


@pytest.mark.parametrize("index", [JOINED, JOINED + 1, DEALT])
def test_a_board_is_opened_under_one_request(index: int) -> None:
    assert at_fault(audit(forged(GOOD.log, index, cmd="")))[0] == ("actors", index + 1)


def test_nothing_comes_between_while_a_board_is_opened() -> None:
    table = board_played(5)
    aborted = Table(5, board=7)
    aborted.act(Abort("aborted"), "server")
    opened = msgspec.json.decode(table.log[CREATED])
    ended = changed(aborted.log[-1], at=opened["at"], cmd=opened["cmd"])
    report = audit(relinked([table.log[CREATED], ended]))
    assert at_fault(report)[0] == ("scores", 2)


@pytest.mark.parametrize("source", ["player", "server"])
def test_nobody_has_drawn_a_nonce_at_a_board(source: str) -> None:
    report = audit(forged(GOOD.log, JOINED, data_nonce_by=source))
    assert at_fault(report)[0][1] == JOINED + 1

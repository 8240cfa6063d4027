"""Signed moves in an audit: each fault is found, and named where it is.

Most of these logs are forged as only their writer can forge them, with all numbers and links made
good after the change. A signature covers the line before its own, and with it the whole log so far.
"""

import msgspec
import pytest
from support_audit import at_fault, nth
from support_logs import Log, Table, changed, edited, events_of, forged, played, relinked

from ginrummy.audit.audit import audit
from ginrummy.audit.report import text
from ginrummy.log.ed25519 import public_key
from ginrummy.log.signatures import MOVE_EVENTS, move_text, sign_text, signed_text
from ginrummy.rules.cards import Card
from ginrummy.rules.commands import Abort, Expire, Resign
from ginrummy.rules.events import TimeControl

SIGNED = played(6, signing="required", hands=2)
OPTIONAL = played(6, signing="optional", hands=2, keys=(True, False))

MOVES = (
    *("upcard_passed", "stock_drawn", "discard_taken", "discarded", "knocked"),
    *("laid_off", "resigned"),
)


def unsigned(raw: bytes) -> bytes:
    """Return a line without its signature."""
    line = msgspec.json.decode(raw)
    line.pop("sig", None)
    return msgspec.json.encode(line)


def with_sig(raw: bytes, sig: str) -> bytes:
    """Return a line with another signature, in its place."""
    line = msgspec.json.decode(unsigned(raw))
    prev = line.pop("prev")
    return msgspec.json.encode({**line, "sig": sig, "prev": prev})


def put(log: Log, index: int, raw: bytes) -> Log:
    return relinked([*log[:index], raw, *log[index + 1 :]])


def signed_lines(log: Log) -> list[int]:
    return [index for index, raw in enumerate(log) if b',"sig":"' in raw]


# --- good logs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["standard", "classic", "straight", "oklahoma", "eaai"])
def test_a_match_in_which_everybody_signs_is_clean(preset: str) -> None:
    for seed in range(4):
        table = played(seed, preset, signing="required", hands=3)
        report = audit(table.log)
        assert report.clean, text(report)
        check = report.check("signatures")
        by_players = [
            line for line in table.lines if line.type in MOVES and line.by in table.players
        ]
        assert (check.status, check.count) == ("passed", len(by_players))
        assert check.detail == "each move is signed by its player"
        assert all(line.sig for line in by_players)
        assert not any(line.sig for line in table.lines if line not in by_players)


def test_where_one_may_sign_the_report_says_how_many_moves_are() -> None:
    report = audit(OPTIONAL.log)
    assert report.clean, text(report)
    signed = [line for line in OPTIONAL.lines if line.sig]
    assert {line.by for line in signed} == {OPTIONAL.players[0]}
    moves = [line for line in OPTIONAL.lines if line.type in MOVES and line.by != "server"]
    assert 0 < len(signed) < len(moves) / 2
    assert report.check("signatures").count == len(signed)
    assert report.check("signatures").detail == (
        f"{len(signed)} of {len(moves)} moves are signed, each by its player"
    )
    nobody = audit(played(6, signing="optional", keys=(False, False)).log)
    assert nobody.check("signatures").status == "not_applicable"
    assert nobody.check("signatures").detail == "no move is signed"
    assert audit(played(6).log).check("signatures").detail == "nobody signs in this match"


def test_what_the_server_does_for_a_player_is_not_signed() -> None:
    """A time-out, an abort, and what it lays down after gin."""
    clock = TimeControl(decision_ms=20_000)
    late = Table(3, signing="required", clock=clock).seated()
    late.wait(30)
    late.act(Expire(), "server")
    aborted = Table(3, signing="required").seated()
    aborted.act(Abort("aborted"), "server")
    gin = played(1, "straight", signing="required", hands=1)
    assert any(line.type == "laid_off" and line.by == "server" for line in gin.lines)
    for table in (late, aborted, gin):
        assert audit(table.log).clean, text(audit(table.log))


def test_giving_up_is_signed_too() -> None:
    table = Table(3, signing="required").seated()
    table.move(Resign())
    index = nth(table.log, "resigned")
    assert table.lines[index].sig
    assert audit(table.log).clean
    report = audit(put(table.log, index, unsigned(table.log[index])))
    assert at_fault(report) == [("signatures", index + 1)]


# --- spoiled signatures ---------------------------------------------------------------------------


def test_a_move_that_has_lost_its_signature() -> None:
    last = signed_lines(SIGNED.log)[-1]
    report = audit(put(SIGNED.log, last, unsigned(SIGNED.log[last])))
    assert at_fault(report) == [("signatures", last + 1)]
    assert "is not signed, and everybody signs here" in report.faults[0].message


def test_a_signature_with_another_digit() -> None:
    last = signed_lines(SIGNED.log)[-1]
    sig = msgspec.json.decode(SIGNED.log[last])["sig"]
    for place in (0, 64, 127):
        other = sig[:place] + ("0" if sig[place] != "0" else "1") + sig[place + 1 :]
        report = audit(forged(SIGNED.log, last, sig=other))
        assert at_fault(report) == [("signatures", last + 1)]


def test_a_signature_of_another_move_of_the_same_player() -> None:
    first, *_, last = [
        index for index in signed_lines(SIGNED.log) if SIGNED.lines[index].by == SIGNED.players[0]
    ]
    sig = SIGNED.lines[first].sig
    report = audit(forged(SIGNED.log, last, sig=sig))
    assert ("signatures", last + 1) in at_fault(report)


def test_a_discard_that_the_player_never_made() -> None:
    """It is as legal as the one that they made, and what is hidden cannot contradict it."""
    index = nth(SIGNED.log, "discarded", -1)
    line = SIGNED.lines[index]
    assert isinstance(line.event, MOVE_EVENTS)
    others = [str(card) for card in Card if str(card) not in move_text(line.event)]
    found = [audit(forged(SIGNED.log, index, data_card=card)) for card in others]
    assert all(("signatures", index + 1) in at_fault(report) for report in found)


def test_a_change_before_a_move_spoils_its_signature() -> None:
    """What was decided on is signed as well: the hash of the line before."""
    name = nth(SIGNED.log, "player_joined")
    report = audit(forged(SIGNED.log, name, data_name="Mallory"))
    assert {check for check, _ in at_fault(report)} == {"signatures"}
    assert at_fault(report)[0] == ("signatures", signed_lines(SIGNED.log)[0] + 1)


def test_a_signature_by_the_other_seat() -> None:
    last = signed_lines(SIGNED.log)[-1]
    line = SIGNED.lines[last]
    assert isinstance(line.event, MOVE_EVENTS)
    secret = SIGNED.signers[1 - line.event.seat]
    assert secret is not None
    sig = sign_text(secret, signed_text(line.stream, line.prev, move_text(line.event)))
    assert at_fault(audit(forged(SIGNED.log, last, sig=sig))) == [("signatures", last + 1)]


def test_another_key_for_a_player() -> None:
    joined = nth(SIGNED.log, "player_joined")
    report = audit(forged(SIGNED.log, joined, data_key=public_key(b"k" * 32).hex()))
    assert {check for check, _ in at_fault(report)} == {"signatures"}


@pytest.mark.parametrize(
    "key",
    ["01" + "00" * 31, "ec" + "ff" * 30 + "7f", "00" * 32, "02" + "00" * 31, "ee" + "ff" * 31],
    ids=["identity", "order 2", "order 4", "no point", "not canonical"],
)
def test_a_key_that_binds_nobody(key: str) -> None:
    joined = nth(OPTIONAL.log, "player_joined", 1)
    report = audit(forged(OPTIONAL.log[: joined + 1], joined, data_key=key))
    assert at_fault(report) == [("signatures", joined + 1)]


def test_a_player_without_a_key_where_everybody_signs() -> None:
    joined = nth(SIGNED.log, "player_joined")
    report = audit(forged(SIGNED.log[: joined + 1], joined, data_key=None))
    assert at_fault(report) == [("signatures", joined + 1)]


# --- where nobody signs, or need not --------------------------------------------------------------


def test_a_signature_where_nobody_signs() -> None:
    log = played(6, hands=2).log
    index = nth(log, "discarded")
    report = audit(put(log, index, with_sig(log[index], "ab" * 64)))
    assert at_fault(report) == [("signatures", index + 1)]


def test_a_key_where_nobody_signs() -> None:
    log = played(6, hands=2).log
    joined = nth(log, "player_joined")
    report = audit(forged(log[: joined + 1], joined, data_key=public_key(b"k" * 32).hex()))
    assert at_fault(report) == [("signatures", joined + 1)]


def test_signatures_that_the_terms_do_not_know_of() -> None:
    """The terms are changed, and everything else is left as it was."""
    report = audit(forged(SIGNED.log, 0, data_signing="off"))
    assert {check for check, _ in at_fault(report)} == {"signatures"}


def test_a_signature_on_what_is_no_move() -> None:
    sig = "ab" * 64
    for kind in ("match_created", "player_joined", "nonce_revealed", "hand_dealt", "hand_scored"):
        index = nth(SIGNED.log, kind)
        log = put(SIGNED.log[: index + 1], index, with_sig(SIGNED.log[index], sig))
        assert ("signatures", index + 1) in at_fault(audit(log))


def test_a_wrong_signature_where_one_need_not_sign() -> None:
    last = signed_lines(OPTIONAL.log)[-1]
    sig = OPTIONAL.lines[signed_lines(OPTIONAL.log)[0]].sig
    assert ("signatures", last + 1) in at_fault(audit(forged(OPTIONAL.log, last, sig=sig)))


def test_a_signature_of_a_player_without_a_key() -> None:
    index = next(
        index
        for index in reversed(events_of(OPTIONAL.log, "discarded"))
        if OPTIONAL.lines[index].by == OPTIONAL.players[1]
    )
    report = audit(put(OPTIONAL.log, index, with_sig(OPTIONAL.log[index], "ab" * 64)))
    assert ("signatures", index + 1) in at_fault(report)
    assert "seat 1 has no key" in report.faults[0].message


def test_a_raw_change_names_the_changed_line_alone() -> None:
    """The next player signed what they were told, so their own line is not accused."""
    index = nth(SIGNED.log, "discarded")
    report = audit(edited(SIGNED.log, index, data_card=other_card(SIGNED.log[index])))
    named = {seq for check, seq in at_fault(report) if check == "signatures"}
    assert named == {index + 1}


def other_card(raw: bytes) -> str:
    card = msgspec.json.decode(raw)["data"]["card"]
    return "AS" if card != "AS" else "KC"


def test_a_line_is_changed_in_no_other_place_by_the_helpers() -> None:
    index = signed_lines(SIGNED.log)[0]
    raw = SIGNED.log[index]
    assert with_sig(raw, SIGNED.lines[index].sig or "") == raw
    assert changed(raw) == raw

"""What is hidden until it is out: the commitment, secrets, nonces, deals and decks.

Most of these logs are forged as nobody but their writer can forge them: with all numbers and links
made good after the change. The event at fault is named, and no other one.
"""

import msgspec
import pytest
from support_audit import CLASSIC, at_fault, data, log_of, nth
from support_logs import (
    Table,
    changed,
    forged,
    in_hand,
    played,
    relinked,
    without,
)

from ginrummy.audit.audit import audit
from ginrummy.log.deck import SecretChain

# --- commitment ---------------------------------------------------------------------------------


def test_commitment_to_no_hand_at_all() -> None:
    log = relinked([changed(Table(1).log[0], data_chain=0)])
    assert at_fault(audit(log)) == [("commitment", 1)]


def test_commitment_to_fewer_hands_than_the_match_has() -> None:
    report = audit(Table(1, chain=3, hands=5).seated().log)
    assert at_fault(report) == [("commitment", 1)]


def test_commitment_that_the_operators_secrets_do_not_fit() -> None:
    table = Table(5).seated()
    report = audit(table.log, secrets=SecretChain(b"x" * 32, 60))
    assert at_fault(report) == [("commitment", 1)]
    assert audit(table.log, secrets=table.secrets).clean


# --- reveal -------------------------------------------------------------------------------------


def test_reveal_of_another_secret() -> None:
    index = nth(CLASSIC.log, "secret_revealed")
    report = audit(forged(CLASSIC.log, index, data_secret="ab" * 32))
    assert at_fault(report) == [("reveal", index + 1)]
    assert report.check("deck").status == "stopped"


def test_reveal_of_one_secret_among_many_for_another() -> None:
    log = played(3, reveal="hand").log
    index = nth(log, "secret_revealed", 1)
    report = audit(forged(log, index, data_secret="ab" * 32))
    assert at_fault(report) == [("reveal", index + 1)]
    # A later secret proves the decks of all hands before it.
    assert report.check("deck").status == "passed"


def test_reveal_before_its_time() -> None:
    table = Table(3).seated().play(until=in_hand(2))
    early = Table(3, reveal="hand").seated().play(until=in_hand(2))
    index = nth(early.log, "secret_revealed")
    log = relinked([*early.log[: index + 1], *table.log[index:]])
    log = forged(log, 0, data_reveal="match")
    report = audit(log)
    assert at_fault(report) == [("reveal", index + 1)]


def test_reveal_of_a_hand_that_is_not_over() -> None:
    log = played(3, reveal="hand").log
    index = nth(log, "secret_revealed", 1)
    report = audit(forged(log, index, data_hand=3))
    assert ("reveal", index + 1) in at_fault(report)
    assert {check for check, _ in at_fault(report)} == {"reveal"}


def test_reveal_that_is_left_out() -> None:
    """Where the terms want each secret as its hand ends, the next deal must not come before it."""
    log = played(3, reveal="hand").log
    index = nth(log, "secret_revealed", 1)
    report = audit(relinked(without(log, index)))
    assert at_fault(report) == [("reveal", index + 1)]
    assert "hand 3 is dealt while the secret of hand 2 is not out" in report.faults[0].message


# --- nonces -------------------------------------------------------------------------------------


def test_nonces_that_were_not_committed_to() -> None:
    index = nth(CLASSIC.log, "nonce_revealed", 1)
    report = audit(forged(CLASSIC.log, index, data_nonce="ab" * 16))
    assert at_fault(report) == [("nonces", index + 1)]
    assert report.check("deck").status == "stopped"


def test_nonces_revealed_by_somebody_else() -> None:
    """Whoever drew a nonce reveals it, and the log says who that was."""
    index = nth(CLASSIC.log, "nonce_revealed")
    report = audit(forged(CLASSIC.log, index, by=CLASSIC.director))
    assert at_fault(report) == [("actors", index + 1)]
    drawn = played(3, nonce_by=("server", "player"))
    index = nth(drawn.log, "nonce_revealed")
    assert audit(drawn.log).clean
    assert msgspec.json.decode(drawn.log[index])["by"] == "server"
    report = audit(forged(drawn.log, index, by=drawn.players[0]))
    assert at_fault(report) == [("actors", index + 1)]


def test_nonces_twice() -> None:
    index = nth(CLASSIC.log, "nonce_revealed")
    report = audit(relinked([*CLASSIC.log[: index + 1], *CLASSIC.log[index:]]))
    assert at_fault(report)[0] == ("nonces", index + 2)


# --- dealing ------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 2])
def test_dealing_another_upcard(number: int) -> None:
    """D1 the upcard is the committed deck's."""
    index = nth(CLASSIC.log, "hand_dealt", number)
    wrong = "AS" if data(CLASSIC.log[index])["upcard"] != "AS" else "KS"
    report = audit(forged(CLASSIC.log, index, data_upcard=wrong))
    assert at_fault(report)[0] == ("dealing", index + 1)
    assert f"upcard is {wrong}" in report.faults[0].message


@pytest.mark.parametrize(
    ("number", "revealed"), [(0, True), (1, True), (2, True), (1, False), (2, False)]
)
def test_dealing_by_another_dealer(number: int, *, revealed: bool) -> None:
    """D3 who deals follows from the first secret and then from the hands; these anybody sees."""
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "hand_dealt", number)
    report = audit(forged(log, index, data_dealer=1 - data(log[index])["dealer"]))
    assert at_fault(report)[0] == ("dealing", index + 1)
    assert report.faults[0].rule == "D3"


def test_dealing_under_another_number() -> None:
    index = nth(CLASSIC.log, "hand_dealt", 1)
    assert at_fault(audit(forged(CLASSIC.log, index, data_hand=3))) == [("dealing", index + 1)]


def test_dealing_while_a_hand_is_played() -> None:
    index = nth(CLASSIC.log, "hand_dealt")
    log = relinked([*CLASSIC.log[: index + 3], CLASSIC.log[index], *CLASSIC.log[index + 3 :]])
    assert at_fault(audit(log))[0] == ("dealing", index + 4)


# --- deck ---------------------------------------------------------------------------------------


def test_deck_does_not_hold_a_discarded_card() -> None:
    """Every card that is thrown was dealt or drawn by whoever throws it."""
    index = nth(CLASSIC.log, "discarded")
    lying = {data(raw)["card"] for raw in CLASSIC.log if b'"type":"discard' in raw}
    # A card that nobody has seen yet, so that nothing but the deck can tell.
    other = next(
        name
        for name in ("AS", "2H", "3D", "4C", "5S", "6H")
        if name not in lying and name != data(CLASSIC.log[nth(CLASSIC.log, "hand_dealt")])["upcard"]
    )
    report = audit(forged(CLASSIC.log, index, data_card=other))
    assert at_fault(report) == [("deck", index + 1)]
    assert f"{other} is not in their hand" in report.faults[0].message
    assert report.unchecked[0].first == index + 2


def test_deck_does_not_hold_what_was_laid_down() -> None:
    index = nth(CLASSIC.log, "knocked")
    deadwood = data(CLASSIC.log[index])["deadwood"]
    report = audit(forged(CLASSIC.log, index, data_deadwood=["AC", *deadwood[1:]]))
    assert at_fault(report)[0][1] == index + 1
    assert at_fault(report)[0][0] in ("deck", "moves")


def test_decks_that_were_never_committed_to_are_found() -> None:
    """A log that is all lawful play, but of other decks than the committed ones."""
    fair, cheat = Table(129, "classic").seated().play(), Table(129, "classic")
    cheat.deal_from(SecretChain(b"x" * 32, 60))
    cheat.seated().play()
    log = relinked(
        [*cheat.log[:-1], changed(fair.log[-1], at=msgspec.json.decode(cheat.log[-2])["at"])]
    )
    found = {check for check, _ in at_fault(audit(log))}
    assert found >= {"dealing", "deck"}
    assert audit(log[:-1]).clean

"""Moves and scores, checked by the rules, with all cards known and as everybody saw it.

Most of these logs are forged as nobody but their writer can forge them: with all numbers and links
made good after the change. The event at fault is named, and no other one.
"""

import pytest
from support_audit import CLASSIC, GIN, REVEALED, at_fault, data, log_of, nth
from support_logs import (
    events_of,
    forged,
    relinked,
    without,
)

from ginrummy.audit.audit import audit

# --- moves --------------------------------------------------------------------------------------


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_out_of_turn(*, revealed: bool) -> None:
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "stock_drawn", 2)
    seat = 1 - data(log[index])["seat"]
    report = audit(forged(log, index, data_seat=seat, by=CLASSIC.players[seat]))
    assert at_fault(report) == [("moves", index + 1)]
    assert report.faults[0].rule == "T1"


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_that_take_a_card_that_is_not_the_top(*, revealed: bool) -> None:
    """T1 what is taken is the pile's top."""
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "discard_taken")
    wrong = "AS" if data(log[index])["card"] != "AS" else "KS"
    report = audit(forged(log, index, data_card=wrong))
    assert at_fault(report)[0] == ("moves", index + 1)
    assert f"card is {wrong}" in report.faults[0].message


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_that_return_a_taken_card(*, revealed: bool) -> None:
    """T2 under `classic` the card just taken stays in the hand this turn."""
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "discard_taken")
    assert b'"type":"discarded"' in log[index + 1]
    report = audit(forged(log, index + 1, data_card=data(log[index])["card"]))
    assert at_fault(report)[0] == ("moves", index + 2)
    assert report.faults[0].rule == "T2"


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_that_throw_a_card_which_lies_elsewhere(*, revealed: bool) -> None:
    """A card that everybody sees in the pile is in nobody's hand."""
    log = log_of(CLASSIC, revealed=revealed)
    first, second = events_of(log, "discarded")[1:3]
    assert data(log[first])["card"] != data(log[second])["card"]
    report = audit(forged(log, second, data_card=data(log[first])["card"]))
    assert at_fault(report)[0] == ("deck" if revealed else "moves", second + 1)


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_that_knock_with_too_much(*, revealed: bool) -> None:
    """K1 a knock's deadwood is within the limit: with a meld named as deadwood it is not."""
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "knocked")
    melds, deadwood = data(log[index])["melds"], data(log[index])["deadwood"]
    order = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    spilt = sorted([*deadwood, *melds[-1]], key=order.index)
    report = audit(forged(log, index, data_melds=melds[:-1], data_deadwood=spilt))
    assert at_fault(report)[0] == ("moves", index + 1)
    assert report.faults[0].rule == "K1"


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_that_lay_down_what_is_no_meld(*, revealed: bool) -> None:
    """M1 what is laid down as a meld is one."""
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "knocked")
    melds, deadwood = data(log[index])["melds"], data(log[index])["deadwood"]
    odd = [*melds[:-1], [*melds[-1], deadwood[0]]]
    report = audit(forged(log, index, data_melds=odd, data_deadwood=deadwood[1:]))
    assert at_fault(report)[0] == ("moves", index + 1)
    assert report.faults[0].rule == "M1"


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_that_lay_off_where_nothing_fits(*, revealed: bool) -> None:
    """L1 a card that is laid off extends the meld."""
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "laid_off")
    deadwood = data(log[index])["deadwood"]
    layoffs = [{"card": deadwood[0], "meld": 0}]
    report = audit(forged(log, index, data_layoffs=layoffs, data_deadwood=deadwood[1:]))
    assert at_fault(report)[0] == ("moves", index + 1)
    assert report.faults[0].rule == "L1"


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_that_hide_a_card_when_laying_off(*, revealed: bool) -> None:
    """L1 all ten cards are accounted for."""
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "laid_off")
    deadwood = data(log[index])["deadwood"]
    report = audit(forged(log, index, data_deadwood=deadwood[1:]))
    assert at_fault(report)[0] == ("moves", index + 1)


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_that_call_a_knock_gin(*, revealed: bool) -> None:
    """K4 gin is a knock without deadwood, and no other."""
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "knocked")
    report = audit(forged(log, index, data_gin=True))
    assert at_fault(report)[0] == ("moves", index + 1)
    assert "gin is true, but has to be false" in report.faults[0].message


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_of_the_server_after_gin(*, revealed: bool) -> None:
    """L2 after gin the opponent's least deadwood is laid down: no worse, and with no lay-off."""
    log = log_of(GIN, revealed=revealed)
    index = next(index for index in events_of(log, "laid_off") if data(log[index])["melds"] != [])
    melds, deadwood = data(log[index])["melds"], data(log[index])["deadwood"]
    worse = [*(card for meld in melds for card in meld), *deadwood]
    report = audit(forged(log, index, data_melds=[], data_deadwood=worse))
    assert at_fault(report)[0] == ("moves", index + 1)
    report = audit(relinked(without(log, index)))
    assert at_fault(report)[0] == ("moves", index + 1)
    assert "laid_off has to follow" in report.faults[0].message


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_in_a_hand_that_is_void(*, revealed: bool) -> None:
    """T3 the hand is void as soon as the stock is down to its floor."""
    log = log_of(GIN, revealed=revealed)
    index = nth(log, "hand_voided")
    report = audit(relinked(without(log, index)))
    assert at_fault(report) == [("moves", index + 1)]
    assert "hand_voided has to follow" in report.faults[0].message
    early = relinked([*log[: index - 4], log[index], *log[index - 4 :]])
    assert at_fault(audit(early))[0] == ("moves", index - 3)


# --- scores -------------------------------------------------------------------------------------


@pytest.mark.parametrize("revealed", REVEALED)
@pytest.mark.parametrize(
    "wrong",
    [
        {"data_points": 1},
        {"data_kind": "gin"},
        {"data_deadwood": [0, 99]},
        {"data_bonus": 7},
        {"data_doubled": True},
        {"data_hand": 9},
    ],
)
def test_scores_that_do_not_follow(wrong: dict[str, object], *, revealed: bool) -> None:
    """S1 to S3 a score follows from what was laid down, which everybody can see."""
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "hand_scored", 1)
    report = audit(forged(log, index, **wrong))
    assert at_fault(report) == [("scores", index + 1)]
    assert report.faults[0].rule in ("S1", "S2", "S3")


@pytest.mark.parametrize("revealed", REVEALED)
@pytest.mark.parametrize(
    "wrong",
    [
        {"data_totals": [1, 2]},
        {"data_points": [1, 2]},
        {"data_game_bonus": [100, 100]},
        {"data_hands_won": [9, 9]},
        {"data_reason": "hands"},
    ],
)
def test_scores_of_the_match(wrong: dict[str, object], *, revealed: bool) -> None:
    """X1, X2 the match's account follows from its hands."""
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "match_ended")
    report = audit(forged(log, index, **wrong))
    assert at_fault(report) == [("scores", index + 1)]


def test_scores_that_are_left_out() -> None:
    index = nth(CLASSIC.log, "hand_scored", 1)
    report = audit(relinked(without(CLASSIC.log, index)))
    assert at_fault(report) == [("scores", index + 1)]
    index = nth(CLASSIC.log, "match_ended")
    report = audit(relinked(without(CLASSIC.log, index)))
    assert ("scores", index + 1) in at_fault(report)


def test_a_match_that_goes_on_past_its_target() -> None:
    """X1 the match ends with the hand that reaches the target."""
    log = relinked(without(CLASSIC.log, *range(nth(CLASSIC.log, "match_ended"), len(CLASSIC.log))))
    log = forged(log, 0, data_rules=data(log[0])["rules"])
    assert at_fault(audit(log)) == [("end", len(log) + 1)]

"""Every check of an audit, made to fail by a log that only it finds at fault.

Most of these logs are forged as nobody but their writer can forge them: with all numbers and links
made good after the change. The event at fault is named, and no other one.
"""

from collections.abc import Callable

import msgspec
import pytest
from support_logs import (
    Log,
    Table,
    changed,
    edited,
    events_of,
    forged,
    in_hand,
    played,
    relinked,
    results_of,
    without,
)

from ginrummy.audit.audit import audit
from ginrummy.audit.report import CHECKS, Head, Report, text
from ginrummy.log.deck import SecretChain
from ginrummy.log.lines import GENESIS, line_hash
from ginrummy.rules.commands import Expire, Forfeit, Pause, Resume
from ginrummy.rules.events import Limits, RevealPolicy, TimeControl

CLASSIC = played(129, "classic")
"""A match with knocks and an undercut, whose secrets are out."""

CLOCK = TimeControl(bank_ms=900_000, increment_ms=500, decision_ms=20_000)


def at_fault(report: Report) -> list[tuple[str, int]]:
    """Return which checks found something, and at which events."""
    return [(fault.check, fault.seq) for fault in report.faults]


def nth(log: Log, kind: str, number: int = 0) -> int:
    """Return the index of the so-manieth event of a type."""
    return events_of(log, kind)[number]


def field(raw: bytes, name: str) -> object:
    """Return a field of a line's data."""
    return msgspec.json.decode(raw)["data"][name]


# --- nothing is wrong ---------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["standard", "classic", "straight", "oklahoma", "eaai"])
@pytest.mark.parametrize("reveal", ["match", "hand"])
def test_a_good_log_is_clean(preset: str, reveal: RevealPolicy) -> None:
    for seed in range(3):
        report = audit(Table(seed, preset, reveal=reveal, clock=CLOCK).seated().play().log)
        assert report.clean, text(report)
        assert not report.faults
        assert not report.unchecked
        done = {check.name: check.status for check in report.checks}
        assert done == dict.fromkeys(CHECKS, "passed") | {"receipt": "not_applicable"}


def test_every_check_is_named_and_counted_once() -> None:
    report = audit(CLASSIC.log)
    assert [check.name for check in report.checks] == list(CHECKS)
    number = len(CLASSIC.log)
    moves = len(
        events_of(
            CLASSIC.log,
            *("upcard_passed", "stock_drawn", "discard_taken", "discarded", "knocked"),
            "laid_off",
        )
    )
    scores = len(events_of(CLASSIC.log, "hand_scored")) + 1
    hands = len(events_of(CLASSIC.log, "hand_dealt"))
    assert {check.name: check.count for check in report.checks} == {
        **dict.fromkeys(("line-form", "stream", "sequence", "chain", "clocks", "actors"), number),
        "receipt": 0,
        "commitment": 1,
        "reveal": 1,
        "nonces": 2,
        "dealing": hands,
        "deck": moves,
        "moves": moves,
        "scores": scores,
        "end": 1,
    }
    assert report.lines == number
    assert report.head == Head(number, line_hash(CLASSIC.log[-1]))
    assert report.hands == hands
    assert report.players == ("Alice", "Bob")


# --- line-form ----------------------------------------------------------------------------------


def _spaced(raw: bytes) -> bytes:
    return raw.replace(b'","seq":', b'", "seq":')


def _reordered(raw: bytes) -> bytes:
    line = msgspec.json.decode(raw)
    return msgspec.json.encode({"seq": line.pop("seq"), **line})


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (_spaced, "not in canonical form"),
        (_reordered, "not in canonical form"),
        (lambda raw: raw[:-1] + b',"more":1}', "unknown field"),
        (lambda raw: raw[:-9], "breaks off in the middle"),
        (lambda _: b"", "an empty line"),
        (lambda raw: raw + b"\r", "carriage return"),
        (lambda raw: raw.replace(b'"at":"2026-', b'"at":"2026/'), "not a time"),
        (lambda raw: changed(raw, v=2), "does not know discarded in version 2"),
        (lambda raw: changed(raw, type="disputed"), "does not know disputed in version 1"),
        (lambda _: b"\xff\xfe", "breaks off"),
    ],
)
def test_line_form(spoil: Callable[[bytes], bytes], what: str) -> None:
    """D5 an event of unknown type or version is named, with both, and never passed over."""
    index = nth(CLASSIC.log, "discarded", 3)
    log = [*CLASSIC.log]
    log[index] = spoil(log[index])
    report = audit(log)
    assert at_fault(report) == [("line-form", index + 1), ("chain", index + 1)]
    assert what in report.faults[0].message
    # What the unreadable event did nobody knows, so the rest of its hand is left out.
    (gap,) = report.unchecked
    assert (gap.first, gap.last) == (index + 2, nth(CLASSIC.log, "hand_scored") + 1)
    assert report.check("moves").status == "stopped"
    assert report.outcome == audit(CLASSIC.log).outcome


def test_line_form_of_what_has_to_follow_anyway() -> None:
    """A score that cannot be read is known from what was laid down."""
    index = nth(CLASSIC.log, "hand_scored")
    log = [*CLASSIC.log]
    log[index] = b"?"
    report = audit(log)
    assert at_fault(report) == [("line-form", index + 1), ("chain", index + 1)]
    assert report.unchecked == ()


def test_line_form_of_a_deal() -> None:
    """A deal that cannot be read is known from its secret."""
    index = nth(CLASSIC.log, "hand_dealt", 1)
    log = [*CLASSIC.log]
    log[index] = b"?"
    report = audit(log)
    assert at_fault(report) == [("line-form", index + 1), ("chain", index + 1)]
    assert report.unchecked == ()


# --- stream -------------------------------------------------------------------------------------


def test_stream_of_a_line_from_another_match() -> None:
    other = played(2).log
    log = [*CLASSIC.log[:20], other[40], *CLASSIC.log[20:]]
    assert at_fault(audit(log)) == [("stream", 21)]


def test_stream_of_one_forged_line() -> None:
    report = audit(forged(CLASSIC.log, 20, stream=played(2).stream))
    assert at_fault(report) == [("stream", 21)]
    assert played(2).stream in report.faults[0].message


def test_stream_of_the_first_line() -> None:
    report = audit(forged(CLASSIC.log, 0, stream=played(2).stream))
    assert at_fault(report) == [("stream", 1)]
    assert report.stream == CLASSIC.stream


# --- sequence -----------------------------------------------------------------------------------


def test_sequence_with_a_line_missing() -> None:
    """D11 a line that is cut out of the middle is named."""
    report = audit(without(CLASSIC.log, 20))
    assert at_fault(report) == [("sequence", 21)]
    assert "event 21 is missing" in report.faults[0].message


def test_sequence_with_a_line_missing_and_its_successor_relinked() -> None:
    """D11 and the link of the line after it does not hide it."""
    log = without(CLASSIC.log, 20)
    log[20] = changed(log[20], prev=line_hash(log[19]))
    assert set(at_fault(audit(log))) == {("sequence", 21), ("moves", 21), ("chain", 22)}


def test_sequence_with_many_lines_missing() -> None:
    report = audit(without(CLASSIC.log, *range(20, 50)))
    assert at_fault(report) == [("sequence", 21)]
    assert "events 21 to 50 are missing" in report.faults[0].message


def test_sequence_without_the_beginning() -> None:
    """D11 a log that lacks its beginning is not taken for one that begins there."""
    report = audit(CLASSIC.log[1:])
    assert at_fault(report) == [("sequence", 1)]
    report = audit(CLASSIC.log[10:])
    assert at_fault(report) == [("sequence", 1)]
    assert "events 1 to 10 are missing: the log begins with event 11" in report.faults[0].message


def test_sequence_with_a_line_twice() -> None:
    log = [*CLASSIC.log[:20], CLASSIC.log[19], *CLASSIC.log[20:]]
    report = audit(log)
    assert at_fault(report) == [("sequence", 20)]
    assert "twice" in report.faults[0].message


def test_sequence_with_two_lines_swapped() -> None:
    log = [*CLASSIC.log]
    log[19], log[20] = log[20], log[19]
    assert {seq for _, seq in at_fault(audit(log))} == {20, 21}


@pytest.mark.parametrize("number", [1, 5, 20, 22, 900])
def test_sequence_with_a_wrong_number(number: int) -> None:
    report = audit(relinked(edited(CLASSIC.log, 20, seq=number), renumber=False))
    assert at_fault(report) == [("sequence", 21)]
    assert f"numbered {number}" in report.faults[0].message


# --- chain --------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", [0, 1, 20, -2])
def test_chain_with_a_line_changed(index: int) -> None:
    index %= len(CLASSIC.log)
    report = audit(edited(CLASSIC.log, index, cmd="another"))
    assert ("chain", index + 1) in at_fault(report)


def test_chain_with_two_neighbours_changed() -> None:
    log = edited(edited(CLASSIC.log, 20, cmd="a"), 21, cmd="b")
    assert at_fault(audit(log)) == [("chain", 21), ("chain", 22)]


def test_chain_with_a_link_changed() -> None:
    report = audit(edited(CLASSIC.log, 20, prev="ab" * 32))
    assert at_fault(report) == [("chain", 21)]
    assert "link to event 20" in report.faults[0].message


def test_chain_with_the_last_link_changed() -> None:
    """Nothing comes after it that could say which end of the link was changed."""
    last = len(CLASSIC.log)
    report = audit(edited(CLASSIC.log, last - 1, prev="ab" * 32))
    assert at_fault(report) == [("chain", last - 1)]
    assert f"event {last}, the last" in report.faults[0].message


def test_chain_without_the_beginning_and_renumbered() -> None:
    """D11 the first line's link is to nothing, whatever its number says."""
    log = [changed(raw, seq=number) for number, raw in enumerate(CLASSIC.log[10:], start=1)]
    assert ("chain", 1) in at_fault(audit(log))


def test_a_log_that_was_cut_and_made_good_is_no_match() -> None:
    """D11 with every number and link forged, it still does not begin as a match does."""
    report = audit(relinked(CLASSIC.log[10:]))
    assert at_fault(report)[0] == ("moves", 1)
    assert "there is no such match yet" in report.faults[0].message


# --- receipt ------------------------------------------------------------------------------------


def test_receipt_that_the_log_holds() -> None:
    report = audit(CLASSIC.log, receipt=Head(30, line_hash(CLASSIC.log[29])))
    assert report.clean
    assert report.check("receipt").status == "passed"
    assert report.check("receipt").count == 1


def test_receipt_of_a_log_that_was_rewritten() -> None:
    """A log that its writer made good from the start is no longer the one that was shown."""
    receipt = Head(30, line_hash(CLASSIC.log[29]))
    report = audit(forged(CLASSIC.log, 2, data_name="Mallory"), receipt=receipt)
    assert at_fault(report) == [("receipt", 30)]


def test_receipt_of_a_log_that_was_cut() -> None:
    """A cut at the end is found by a receipt alone."""
    cut = CLASSIC.log[: nth(CLASSIC.log, "hand_dealt", 1) + 1]
    assert audit(cut).clean
    receipt = Head(60, line_hash(CLASSIC.log[59]))
    report = audit(cut, receipt=receipt)
    assert at_fault(report) == [("receipt", 60)]
    assert "its end was cut off" in report.faults[0].message


def test_receipt_for_a_line_that_is_missing() -> None:
    receipt = Head(21, line_hash(CLASSIC.log[20]))
    report = audit(without(CLASSIC.log, 20), receipt=receipt)
    assert set(at_fault(report)) == {("sequence", 21), ("receipt", 21)}


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
    wrong = "AS" if field(CLASSIC.log[index], "upcard") != "AS" else "KS"
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
    report = audit(forged(log, index, data_dealer=1 - int(str(field(log[index], "dealer")))))
    assert at_fault(report)[0] == ("dealing", index + 1)
    assert report.faults[0].rule == "D1"


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
    lying = {field(raw, "card") for raw in CLASSIC.log if b'"type":"discard' in raw}
    # A card that nobody has seen yet, so that nothing but the deck can tell.
    other = next(
        name
        for name in ("AS", "2H", "3D", "4C", "5S", "6H")
        if name not in lying
        and name != field(CLASSIC.log[nth(CLASSIC.log, "hand_dealt")], "upcard")
    )
    report = audit(forged(CLASSIC.log, index, data_card=other))
    assert at_fault(report) == [("deck", index + 1)]
    assert f"{other} is not in your hand" in report.faults[0].message
    assert report.unchecked[0].first == index + 2


def test_deck_does_not_hold_what_was_laid_down() -> None:
    index = nth(CLASSIC.log, "knocked")
    deadwood = field(CLASSIC.log[index], "deadwood")
    assert isinstance(deadwood, list)
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


# --- moves --------------------------------------------------------------------------------------

REVEALED = [pytest.param(True, id="revealed"), pytest.param(False, id="hidden")]


def log_of(table: Table, *, revealed: bool) -> Log:
    """Return a log with or without the secrets at its end."""
    return table.log if revealed else without(table.log, *events_of(table.log, "secret_revealed"))


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_out_of_turn(*, revealed: bool) -> None:
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "stock_drawn", 2)
    seat = 1 - int(str(field(log[index], "seat")))
    report = audit(forged(log, index, data_seat=seat, by=CLASSIC.players[seat]))
    assert at_fault(report) == [("moves", index + 1)]
    assert report.faults[0].rule == "T1"


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_that_take_a_card_that_is_not_the_top(*, revealed: bool) -> None:
    """T1 what is taken is the pile's top."""
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "discard_taken")
    wrong = "AS" if field(log[index], "card") != "AS" else "KS"
    report = audit(forged(log, index, data_card=wrong))
    assert at_fault(report)[0] == ("moves", index + 1)
    assert f"card is {wrong}" in report.faults[0].message


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_that_return_a_taken_card(*, revealed: bool) -> None:
    """T2 under `classic` the card just taken stays in the hand this turn."""
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "discard_taken")
    assert b'"type":"discarded"' in log[index + 1]
    report = audit(forged(log, index + 1, data_card=field(log[index], "card")))
    assert at_fault(report)[0] == ("moves", index + 2)
    assert report.faults[0].rule == "T2"


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_that_throw_a_card_which_lies_elsewhere(*, revealed: bool) -> None:
    """A card that everybody sees in the pile is in nobody's hand."""
    log = log_of(CLASSIC, revealed=revealed)
    first, second = events_of(log, "discarded")[1:3]
    assert field(log[first], "card") != field(log[second], "card")
    report = audit(forged(log, second, data_card=field(log[first], "card")))
    assert at_fault(report)[0] == ("deck" if revealed else "moves", second + 1)


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_that_knock_with_too_much(*, revealed: bool) -> None:
    """K1 a knock's deadwood is within the limit: with a meld named as deadwood it is not."""
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "knocked")
    melds, deadwood = field(log[index], "melds"), field(log[index], "deadwood")
    assert isinstance(melds, list)
    assert isinstance(deadwood, list)
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
    melds, deadwood = field(log[index], "melds"), field(log[index], "deadwood")
    assert isinstance(melds, list)
    assert isinstance(deadwood, list)
    odd = [*melds[:-1], [*melds[-1], deadwood[0]]]
    report = audit(forged(log, index, data_melds=odd, data_deadwood=deadwood[1:]))
    assert at_fault(report)[0] == ("moves", index + 1)
    assert report.faults[0].rule == "M1"


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_that_lay_off_where_nothing_fits(*, revealed: bool) -> None:
    """L1 a card that is laid off extends the meld."""
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "laid_off")
    deadwood = field(log[index], "deadwood")
    assert isinstance(deadwood, list)
    layoffs = [{"card": deadwood[0], "meld": 0}]
    report = audit(forged(log, index, data_layoffs=layoffs, data_deadwood=deadwood[1:]))
    assert at_fault(report)[0] == ("moves", index + 1)
    assert report.faults[0].rule == "L1"


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_that_hide_a_card_when_laying_off(*, revealed: bool) -> None:
    """L1 all ten cards are accounted for."""
    log = log_of(CLASSIC, revealed=revealed)
    index = nth(log, "laid_off")
    deadwood = field(log[index], "deadwood")
    assert isinstance(deadwood, list)
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


GIN = played(317, "straight")
"""A match with gin and void hands."""


@pytest.mark.parametrize("revealed", REVEALED)
def test_moves_of_the_server_after_gin(*, revealed: bool) -> None:
    """L2 after gin the opponent's least deadwood is laid down: no worse, and with no lay-off."""
    log = log_of(GIN, revealed=revealed)
    index = next(index for index in events_of(log, "laid_off") if field(log[index], "melds") != [])
    melds, deadwood = field(log[index], "melds"), field(log[index], "deadwood")
    assert isinstance(melds, list)
    assert isinstance(deadwood, list)
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
    log = forged(log, 0, data_rules=field(log[0], "rules"))
    assert at_fault(audit(log)) == [("end", len(log) + 1)]


# --- clocks -------------------------------------------------------------------------------------


def on_the_clock() -> Table:
    """Return a match with a bank, an increment and a limit, in its first hand."""
    clock = TimeControl(bank_ms=60_000, increment_ms=500, decision_ms=20_000)
    table = Table(14, "classic", clock=clock).seated()
    return table.play(until=lambda _: len(table.lines) == 20)


def test_clocks_that_go_back() -> None:
    report = audit(forged(CLASSIC.log, 20, at="2026-11-29T22:48:59.000000Z"))
    assert ("clocks", 21) in at_fault(report)
    assert {seq for _, seq in at_fault(report)} == {21}


@pytest.mark.parametrize("seconds", [19.9, 20.1, 59.0])
def test_clocks_of_a_late_decision(seconds: float) -> None:
    """X3 a decision that comes after its time is none; one that comes in time is no fault."""
    table = on_the_clock()
    fair = table.log
    table.wait(19)
    table.play(until=lambda _: len(table.lines) == 21, seconds=0)
    raw = table.log[-1]
    at = f"2026-11-29T22:{49 + int(seconds) // 60}:"
    spent = audit(table.log).clean
    assert spent
    begin = msgspec.json.decode(fair[-1])["at"]
    minute, second = int(begin[14:16]), float(begin[17:26]) + seconds
    at = f"2026-11-29T22:{minute + int(second // 60):02}:{second % 60:09.6f}Z"
    report = audit(relinked([*fair, changed(raw, at=at)]))
    assert at_fault(report) == ([("clocks", 21)] if seconds > 20 else [])


def test_clocks_of_a_bank_that_is_used_up() -> None:
    """X3 the bank holds what all decisions before have left of it."""
    table = on_the_clock()
    for _ in range(5):
        table.play(until=lambda _: len(table.lines) % 2 == 0, seconds=15)
    assert audit(table.log).clean


def test_clocks_that_end_a_match_too_early() -> None:
    table = on_the_clock()
    table.wait(21)
    table.act(Expire(), "server")
    assert audit(table.log).clean
    index = nth(table.log, "clock_expired")
    log = table.log
    for late in range(index, len(log)):
        log = edited(log, late, at=msgspec.json.decode(log[index - 1])["at"])
    assert at_fault(audit(relinked(log))) == [("clocks", index + 1)]


def test_clocks_that_end_a_match_for_the_wrong_seat() -> None:
    table = on_the_clock()
    table.wait(21)
    table.act(Expire(), "server")
    index = nth(table.log, "clock_expired")
    seat = 1 - int(str(field(table.log[index], "seat")))
    report = audit(forged(table.log, index, data_seat=seat))
    assert at_fault(report) == [("clocks", index + 1)]


def test_clocks_that_call_a_match_abandoned() -> None:
    table = Table(17, limits=Limits(start_ms=60_000))
    table.wait(61)
    table.act(Expire(), "server")
    assert audit(table.log).clean
    report = audit(forged(table.log, 1, at=msgspec.json.decode(table.log[0])["at"]))
    assert at_fault(report) == [("clocks", 2)]


def test_clocks_of_a_move_in_a_pause() -> None:
    table = on_the_clock()
    table.act(Pause(), table.director)
    index = len(table.log)
    table.wait(1)
    table.act(Resume(), table.director)
    table.play(until=lambda _: len(table.lines) == index + 4, seconds=1)
    assert audit(table.log).clean
    report = audit(relinked(without(table.log, index)))
    assert at_fault(report) == [("clocks", index + 1)]


# --- actors -------------------------------------------------------------------------------------


def test_actors_of_a_move() -> None:
    """A move is by whoever sits there."""
    index = nth(CLASSIC.log, "stock_drawn", 2)
    seat = int(str(field(CLASSIC.log[index], "seat")))
    report = audit(forged(CLASSIC.log, index, by=CLASSIC.players[1 - seat]))
    assert at_fault(report) == [("actors", index + 1)]
    assert CLASSIC.players[seat] in report.faults[0].message


@pytest.mark.parametrize("kind", ["hand_dealt", "hand_scored", "match_ended", "secret_revealed"])
def test_actors_of_what_the_server_does(kind: str) -> None:
    index = nth(CLASSIC.log, kind)
    report = audit(forged(CLASSIC.log, index, by=CLASSIC.players[0]))
    assert at_fault(report) == [("actors", index + 1)]


def test_actors_who_join_for_somebody_else() -> None:
    report = audit(forged(CLASSIC.log, 1, by=CLASSIC.players[1]))
    assert at_fault(report) == [("actors", 2)]


def test_actors_who_take_both_seats() -> None:
    log = forged(CLASSIC.log, 2, data_player=CLASSIC.players[0], by=CLASSIC.players[0])
    assert at_fault(audit(log))[0] == ("actors", 3)


def test_actors_that_are_wrong_throughout_are_named_once() -> None:
    """A player's id that was changed where they joined does not make every move a fault."""
    log = relinked(edited(CLASSIC.log, 2, data_player="p_" + "0" * 26))
    assert at_fault(audit(log)) == [("actors", 3)]


@pytest.mark.parametrize("kind", ["laid_off", "hand_scored", "hand_dealt"])
def test_actors_by_their_request(kind: str) -> None:
    """What follows from a command was stored with it, under its request id."""
    log = GIN.log
    gin = nth(log, "laid_off")
    index = gin + ["laid_off", "hand_scored", "hand_dealt"].index(kind)
    assert f'"type":"{kind}"'.encode() in log[index]
    assert at_fault(audit(forged(log, index, cmd="another"))) == [("actors", index + 1)]


# --- end ----------------------------------------------------------------------------------------


def test_end_that_is_not_the_end() -> None:
    """Nothing follows a match's end but its secrets."""
    at = msgspec.json.decode(CLASSIC.log[-1])["at"]
    more = [changed(raw, at=at) for raw in CLASSIC.log[20:40]]
    report = audit(relinked([*CLASSIC.log, *more]))
    assert at_fault(report) == [("end", len(CLASSIC.log) + 1)]
    assert report.unchecked[-1].last == len(CLASSIC.log) + 20


def test_end_in_the_middle_of_what_was_stored_at_once() -> None:
    """A knock's score is stored with it, so no honest log ends between them."""
    for kind in ("knocked", "laid_off", "hand_scored"):
        index = nth(GIN.log, "knocked") + ["knocked", "laid_off", "hand_scored"].index(kind)
        report = audit(GIN.log[: index + 1])
        if kind == "hand_scored":
            assert report.clean
        else:
            assert at_fault(report) == [("end", index + 2)]
            assert "its end was cut off" in report.faults[0].message


def test_a_forfeit_is_no_fault() -> None:
    table = Table(16).seated()
    table.act(Forfeit(table.turn), "server")
    assert audit(table.log).clean


def test_the_matches_above_hold_what_they_are_to_hold() -> None:
    assert results_of(CLASSIC) == {"knock", "undercut"}
    assert results_of(GIN) == {"gin", "void"}
    assert msgspec.json.decode(CLASSIC.log[0])["prev"] == GENESIS

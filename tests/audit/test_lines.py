"""Lines as such: their form, whose they are, their numbers, their links.

Most of these logs are forged as nobody but their writer can forge them: with all numbers and links
made good after the change. The event at fault is named, and no other one.
"""

from collections.abc import Callable

import msgspec
import pytest
from support_audit import CLASSIC, at_fault, nth
from support_logs import (
    changed,
    edited,
    forged,
    played,
    relinked,
    without,
)

from ginrummy.audit.audit import audit
from ginrummy.audit.report import Head
from ginrummy.log.lines import line_hash

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

"""What an audit says to people and to programs."""

import json
import re

import msgspec
import pytest
from support_audit import CLASSIC, at_fault, nth
from support_evidence import as_json, as_page, as_text, full_report
from support_golden import golden_log
from support_logs import edited, forged, played

from ginrummy.audit.audit import audit
from ginrummy.audit.report import CHECKS, Report, text

INDEX = nth(CLASSIC.log, "discarded", 3)
FAULTY = audit(edited(CLASSIC.log, INDEX, data_card="AS"))


def test_a_clean_report_in_words() -> None:
    lines = text(audit(CLASSIC.log)).splitlines()
    assert lines[0] == f"Audit of {CLASSIC.stream}"
    assert lines[1] == "Alice against Bob"
    assert lines[2] == f"{len(CLASSIC.log)} events, 3 hands, won by Alice, 482 to 0 (target)"
    assert lines[-1] == "Clean: no fault found."
    assert [line.split()[1] for line in lines if line.startswith("  ")] == list(CHECKS)


def test_a_match_of_its_own_is_not_said_to_lack_an_origin() -> None:
    check = audit(CLASSIC.log).check("origin")
    assert (check.status, check.detail) == ("not_applicable", "nothing in this log calls for it")


def test_a_report_fits_eighty_columns() -> None:
    for report in (audit(CLASSIC.log), audit(CLASSIC.log[:-1]), FAULTY):
        for line in text(report).splitlines()[4:]:
            assert len(line) <= 80, line


def test_faults_are_named_with_their_events_and_rules() -> None:
    said = text(FAULTY)
    assert f"event {INDEX + 1}: chain\n" in said
    assert f"event {INDEX + 1}: deck, rule T1\n" in said
    assert f"Not judged: events {INDEX + 2} to " in said
    assert said.endswith("NOT CLEAN: 2 faults found.\n")


def test_a_report_as_json() -> None:
    """The fields are a contract: scripts read them."""
    encoded = msgspec.json.encode(FAULTY)
    assert msgspec.json.decode(encoded, type=Report) == FAULTY
    told = json.loads(encoded)
    assert list(told) == [
        *("stream", "kind", "name", "players", "lines", "head", "hands", "outcome", "clean"),
        "checks",
        *("faults", "faults_left_out", "unchecked"),
    ]
    assert told["clean"] is False
    assert told["checks"][0] == {
        "name": "line-form",
        "status": "passed",
        "count": len(CLASSIC.log),
        "detail": "each line is an event in its one spelling",
    }
    assert told["faults"][1] == {
        "check": "deck",
        "seq": INDEX + 1,
        "rule": "T1",
        "message": FAULTY.faults[1].message,
    }


def test_a_log_that_is_wrong_throughout_does_not_fill_the_report() -> None:
    log = [CLASSIC.log[0], *(raw + b" " for raw in CLASSIC.log[1:])] * 3
    report = audit(log)
    listed = [check for check, _ in at_fault(report)]
    assert listed.count("line-form") == 50
    assert report.faults_left_out > 100
    assert f"and {report.faults_left_out} more" in text(report)
    assert f"NOT CLEAN: {len(report.faults) + report.faults_left_out} faults" in text(report)


def test_what_somebody_else_has_chosen_cannot_steer_a_terminal() -> None:
    """A player's name and an event's type are anybody's to choose, in a file that one is sent."""
    log = forged(CLASSIC.log, 1, data_name="Al\x1b[2Jice")
    log = forged(log, 0, data_name="\x1b]0;owned\x07")
    log = edited(log, 20, type="disc\x1b[31marded")
    assert "\x1b" in audit(log).players[0]  # type: ignore[operator]  # seated, so not None
    assert "\x1b" not in text(audit(log))
    assert "\x07" not in text(audit(log))


def test_a_match_without_a_winner() -> None:
    report = audit(played(3, hands=1).log[:3])
    assert "3 events, 0 hands, still being played" in text(report)


@pytest.mark.parametrize(
    ("log", "kind", "title"),
    [
        ("fork_same", "practice", "Practice: "),
        ("fork_reshuffled", "practice", "Practice: "),
        ("fork_fresh", "practice", "Practice: "),
        ("replayed_hand", "replay", "Played again: "),
        ("replayed", "match", "Golden replayed: "),
        ("classic", "match", "Golden classic: "),
    ],
)
def test_a_practice_match_is_marked_in_every_form(log: str, kind: str, title: str) -> None:
    """It counts in no record, so nobody may take its report for that of a match."""
    full = full_report(golden_log(log))
    assert text(full.report).splitlines()[1].startswith(title)
    assert as_text(full).splitlines()[1].startswith(title)
    assert json.loads(msgspec.json.encode(full.report))["kind"] == kind
    assert as_json(full).kind == kind
    page = as_page(full)
    (heading,) = re.findall("<h1>(.*?)</h1>", page)
    assert heading.startswith(title.split(":", maxsplit=1)[0]) or kind == "match"
    assert ("Practice" in heading) == (kind == "practice")


def test_of_a_log_without_its_terms_nothing_is_claimed() -> None:
    assert audit(CLASSIC.log[1:]).kind == "match"

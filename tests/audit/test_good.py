"""Logs with nothing wrong in them, and what an audit says of these."""

import pytest
from support_audit import CLASSIC, CLOCK
from support_logs import (
    Table,
    events_of,
)

from ginrummy.audit.audit import audit
from ginrummy.audit.report import CHECKS, Head, text
from ginrummy.log.lines import line_hash
from ginrummy.rules.events import RevealPolicy


@pytest.mark.parametrize("preset", ["standard", "classic", "straight", "oklahoma", "eaai"])
@pytest.mark.parametrize("reveal", ["match", "hand"])
def test_a_good_log_is_clean(preset: str, reveal: RevealPolicy) -> None:
    for seed in range(3):
        report = audit(Table(seed, preset, reveal=reveal, clock=CLOCK).seated().play().log)
        assert report.clean, text(report)
        assert not report.faults
        assert not report.unchecked
        done = {check.name: check.status for check in report.checks}
        uncalled = dict.fromkeys(
            ("receipt", "origin", "position", "signatures", "disputes", "rulings", "replays"),
            "not_applicable",
        )
        assert done == dict.fromkeys(CHECKS, "passed") | uncalled


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
        "origin": 0,
        "position": 0,
        "reveal": 1,
        "nonces": 2,
        "dealing": hands,
        "deck": moves,
        "moves": moves,
        "scores": scores,
        "signatures": 0,
        "disputes": 0,
        "rulings": 0,
        "replays": 0,
        "end": 1,
    }
    assert report.lines == number
    assert report.head == Head(number, line_hash(CLASSIC.log[-1]))
    assert report.hands == hands
    assert report.players == ("Alice", "Bob")

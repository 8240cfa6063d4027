"""Whatever a log was spoiled with, its full report is made, and says what the audit says."""

import random

import pytest
from support_evidence import as_json, as_page, as_text, full_report
from support_golden import golden_log
from support_logs import Log, events_of, relinked
from support_mutants import CLASSES, mutant
from support_play import soak

from ginrummy.audit.audit import audit
from ginrummy.audit.errors import UnusableLogError
from ginrummy.rules.view import Perspective

LOGS = [golden_log(name) for name in ("classic", "clock", "straight", "unrevealed", "board")]
READERS: tuple[Perspective, ...] = ("full", 0, 1, "public")


@pytest.mark.parametrize("kind", CLASSES)
def test_a_spoiled_log_has_a_report(kind: str) -> None:
    rng = random.Random(f"reports of {kind}")
    for number in range(soak(60, 3)):
        spoiled = mutant(LOGS[number % len(LOGS)], kind, rng)
        if spoiled is None:
            continue
        try:
            full = full_report(spoiled.lines, READERS[number % len(READERS)])
        except UnusableLogError:
            continue
        told = as_json(full)
        assert told.clean == full.report.clean
        assert as_text(full)
        assert as_page(full).endswith("</html>\n")
        if full.reader == "full":
            assert full.report == audit(spoiled.lines)


def overdrawn() -> Log:
    """A hand in which more cards are drawn than there are."""
    log = golden_log("straight")
    draws, throws = events_of(log, "stock_drawn"), events_of(log, "discarded")
    turn = [log[draws[0]], log[throws[0]]]
    return relinked([*log[: throws[0] + 1], *turn * 40])


def test_a_stock_that_is_drawn_out_ends_what_can_be_told() -> None:
    full = full_report(overdrawn())
    assert not full.report.clean
    assert full.survey.broken is not None
    assert "holds none any more" in full.survey.broken


def test_a_knock_that_keeps_several_cards_back_can_be_told() -> None:
    """K2: one card is discarded face down; here more would have to be."""
    log = golden_log("classic")
    index = events_of(log, "knocked")[0]
    knock = log[index].replace(b'"deadwood":[', b'"deadwood":[],"x":[', 1)
    emptied = (
        knock[: knock.index(b',"x":[')] + knock[knock.index(b"]", knock.index(b'"x":[')) + 1 :]
    )
    full = full_report(relinked([*log[:index], emptied, *log[index + 1 :]]))
    assert not full.report.clean
    assert as_page(full)

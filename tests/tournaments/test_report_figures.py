"""Figures and terms as they are printed."""

import math

import pytest

from ginrummy.rules.events import Limits, TimeControl
from ginrummy.rules.ruleset import make_ruleset
from ginrummy.tournaments.event import Boards, Elsewhere, Matches
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.gauntlet import Gauntlet
from ginrummy.tournaments.pairing.manual import Manual
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.report import figures, words
from ginrummy.tournaments.report.overview import narrowing_text
from ginrummy.tournaments.results import END_REASONS
from ginrummy.tournaments.statistics.intervals import Estimate, Narrowing
from ginrummy.tournaments.tie_breaks import TIE_BREAKS


@pytest.mark.parametrize(
    ("value", "text", "sign"),
    [
        (1.25, "+1.2", "plus"),
        (-0.04, "0.0", "even"),
        (-12, "\N{MINUS SIGN}12.0", "minus"),
        (0, "0.0", "even"),
    ],
)
def test_a_sign_is_that_of_the_number_as_printed(value: float, text: str, sign: str) -> None:
    assert figures.signed(value) == text
    assert figures.sign_of(value) == sign


def test_an_interval_that_nothing_is_known_of_is_no_number() -> None:
    assert figures.margin(Estimate(3.0, -math.inf, math.inf)) == "no interval yet"
    assert figures.margin(Estimate(3.0, 1.0, 5.0)) == "±2.0"


def test_small_chances_are_bounds() -> None:
    assert [figures.chance(p) for p in (1, 0.25, 0.0501, 0.0001)] == [
        "p = 1.00",
        "p = 0.25",
        "p = 0.050",
        "p < 0.001",
    ]


def test_dates_are_in_one_language_and_one_zone() -> None:
    assert figures.minute(1_795_992_538_123_456) == "29 November 2026, 22:48 UTC"


def test_every_reason_and_every_tie_break_has_words() -> None:
    assert set(words.REASONS) == set(words.SHORT_REASONS) == set(END_REASONS)
    assert set(words.TIE_BREAKS) == set(TIE_BREAKS)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (RoundRobin(), "Round robin: everybody meets everybody once"),
        (Gauntlet(challengers=2, double=True), "Gauntlet: the first 2 meet everybody else twice"),
        (Swiss(5), "Swiss system: 5 rounds, each among those of equal score"),
        (Elimination(double=True), "Double elimination: out with the second loss"),
        (Manual(), "Paired by the director, round by round"),
    ],
)
def test_formats_in_words(form: RoundRobin, text: str) -> None:
    assert words.format_text(form) == text


def test_play_in_words() -> None:
    rules = make_ruleset("standard")
    assert words.play_text(Boards(1), rules).startswith("1 duplicate board a pairing")
    assert words.play_text(Matches(), rules) == "One match to 100 points a pairing"
    hands = make_ruleset("standard", {"hands": 12})
    assert words.play_text(Matches(), hands) == "One match of 12 hands a pairing"
    assert "the director enters the results" in words.play_text(Elsewhere(), rules)


def test_clocks_in_words() -> None:
    clock = TimeControl(bank_ms=600_000, increment_ms=2500, decision_ms=60_000)
    assert words.clock_text(clock, Limits()) == (
        "10 minutes for the match, and 2.5 seconds a decision; at most 1 minute a decision; lost"
        " after 1 day without a decision"
    )
    assert words.clock_text(None, Limits()).startswith("No clock")


def test_rules_in_words() -> None:
    assert words.rules_text(make_ruleset("straight")).startswith("Straight gin: no knocking")
    oklahoma = words.rules_text(make_ruleset("oklahoma"))
    assert oklahoma.startswith("Oklahoma: the upcard sets the knock limit; runs of any length")
    assert oklahoma.endswith("big gin 31")


def test_boards_that_helped_and_boards_that_did_not() -> None:
    helped = narrowing_text(Narrowing(Estimate(0.64, 0.49, 0.81)))
    assert "20% narrower" in helped
    assert "0.80 times as wide" in helped
    assert "(95%: 0.70 to 0.90)" in helped
    assert "1.56 times as many" in helped
    assert "25% wider" in narrowing_text(Narrowing(Estimate(1.5625, 1.2, 2.0)))
    assert "nothing yet" in narrowing_text(Narrowing(Estimate(1.0, 0.0, math.inf)))

"""From what a director types to what is agreed: terms, times, clocks, and the bots' names."""

from typing import Any

import click
import pytest

from ginrummy.cli.tournament.bots import Wish, wishes_of
from ginrummy.cli.tournament.spans import clock_text, read_clock, read_span, span_text
from ginrummy.cli.tournament.terms import FORMATS, TermsWanted
from ginrummy.cli.tournament.terms_text import terms_text
from ginrummy.rules.events import TimeControl
from ginrummy.rules.ruleset import PRESETS
from ginrummy.tournaments.event import Boards, Elsewhere, Matches
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.gauntlet import Gauntlet
from ginrummy.tournaments.pairing.manual import Manual
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.pairing.swiss import Swiss

CONTEXT = click.Context(click.Command("some"))
OPTION = click.Option(["--some"])


# --- the terms ----------------------------------------------------------------------------------


def test_without_a_word_it_is_a_round_robin_of_a_hundred_boards() -> None:
    terms = TermsWanted().terms(tables=4)
    assert terms.name == "Round robin"
    assert terms.format == RoundRobin()
    assert terms.play == Boards(100)
    assert terms.tables == 4
    assert not TermsWanted().is_said


def test_every_format_can_be_asked_for() -> None:
    asked = {
        name: TermsWanted(format_=name, rounds=3 if name == "swiss" else None).terms().format
        for name in FORMATS
    }
    assert asked == {
        "round-robin": RoundRobin(),
        "double-round-robin": RoundRobin(double=True),
        "gauntlet": Gauntlet(1),
        "double-gauntlet": Gauntlet(1, double=True),
        "swiss": Swiss(3),
        "elimination": Elimination(),
        "double-elimination": Elimination(double=True),
        "manual": Manual(),
    }


def test_every_option_has_its_place_in_the_terms() -> None:
    terms = TermsWanted(
        name="Cup",
        boards=20,
        changes=("gin_bonus=20", "run_max=none", "big_gin=true"),
        clock=TimeControl(decision_ms=2000),
        tie_breaks="point-difference, lot",
        tables=3,
        forfeit_points=70,
        reconnect=1000,
        arrival=2000,
        round_time=3000,
        check_in=True,
        signing="optional",
    ).terms(tables=9, open_entry=False)
    assert terms.name == "Cup"
    assert terms.play == Boards(20, forfeit_points=70)
    assert (terms.rules.gin_bonus, terms.rules.run_max, terms.rules.big_gin) == (20, None, True)
    assert terms.clock == TimeControl(decision_ms=2000)
    assert terms.standings.tie_breaks == ("point_difference", "lot")
    assert terms.tables == 3
    assert (terms.reconnect_ms, terms.arrival_ms, terms.round_ms) == (1000, 2000, 3000)
    assert terms.check_in
    assert terms.signing == "optional"
    assert not terms.open_entry


def test_hands_and_targets_are_ordinary_matches() -> None:
    by_hands, to_target = TermsWanted(hands=4).terms(), TermsWanted(target=50).terms()
    assert by_hands.play == to_target.play == Matches()
    assert by_hands.rules.hands == 4
    assert to_target.rules.target == 50
    assert TermsWanted(elsewhere=True).terms().play == Elsewhere()


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"boards": 4, "target": 50}, "give one of --boards"),
        ({"elsewhere": True, "hands": 4}, "give one of --boards"),
        ({"target": 50, "forfeit_points": 1}, "--forfeit-points goes with --boards"),
        ({"boards": 100_001}, "--boards: 100001 is not from 1 to 100000"),
        ({"format_": "swiss"}, "--format swiss needs --rounds"),
        ({"rounds": 4}, "--rounds is for --format swiss"),
        ({"challengers": 2}, "--challengers is for --format gauntlet"),
        ({"sprt": "elo0=0"}, "--sprt: elo0: give two bounds"),
        ({"sprt": "elo0=0,elo1=20", "target": 50}, "--sprt: a sequential test is made on boards"),
        ({"tie_breaks": "lot,luck"}, "--tie-breaks: 'luck' is none of head_to_head"),
        ({"tie_breaks": "lot,lot"}, "a tie-break is named twice"),
        ({"changes": ("gin_bonus",)}, "--rule: 'gin_bonus' is not of the form FIELD=VALUE"),
        ({"changes": ("gin_bonus=many",)}, "--rule: gin_bonus"),
        ({"changes": ("spades_double=true",)}, "--rule spades_double: cannot go with boards"),
        ({"elsewhere": True, "signing": "required"}, "--signing: no move is made here"),
        ({"name": ""}, "--name: a tournament's name has 1 to 100 printable characters"),
        ({"name": "a\x1b[2J"}, "--name: a tournament's name has 1 to 100 printable characters"),
    ],
)
def test_what_cannot_be_is_refused_by_the_options_name(wanted: dict[str, Any], said: str) -> None:
    with pytest.raises(click.UsageError) as refused:
        TermsWanted(**wanted).terms()
    assert str(refused.value.message).startswith(said)


def test_terms_are_told_in_sentences() -> None:
    wanted = TermsWanted(
        format_="double-gauntlet",
        challengers=2,
        boards=8,
        preset="classic",
        changes=("gin_bonus=21",),
        clock=TimeControl(300_000, 10_000, 30_000),
        sprt="elo0=0,elo1=20",
        round_time=3_600_000,
        signing="required",
    )
    assert terms_text(wanted.terms(tables=2)) == [
        "Double gauntlet of 2; 8 boards a pairing, 50 points a forfeit.",
        "Rules: classic, gin_bonus 21.",
        "Clock: 5m+10s/30s.",
        "A round takes 1h at the most.",
        "Tie-breaks: head to head, buchholz, sonneborn berger, point difference, lot.",
        "Everybody signs their moves.",
        "Test: elo0=0,elo1=20,alpha=0.05,beta=0.05.",
        "Open to all.",
        (
            "Called entrants have 1m to come, and lost programs 5s to be back;"
            " at most 2 sittings at once."
        ),
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_known_by_its_name(preset: str) -> None:
    assert f"Rules: {preset}." in terms_text(TermsWanted(preset=preset, target=100).terms())


# --- times and clocks ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ms"),
    [("500ms", 500), ("30s", 30_000), ("5m", 300_000), ("1h30m", 5_400_000), ("2d", 172_800_000)],
)
def test_times_are_read(text: str, ms: int) -> None:
    assert read_span(CONTEXT, OPTION, text) == ms


@pytest.mark.parametrize("text", ["", "5", "5x", "m", "-5s", "5 s", "1.5h", "5m!"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        read_span(CONTEXT, OPTION, text)


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "0s"),
        (44_600, "45s"),
        (750_000, "12m30s"),
        (3_600_000, "1h"),
        (11_100_000, "3h05m"),
        (187_200_000, "2d04h"),
    ],
)
def test_times_are_told_in_two_units(ms: int, text: str) -> None:
    assert span_text(ms) == text


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("5m", TimeControl(300_000)),
        ("5m+10s", TimeControl(300_000, 10_000)),
        ("/30s", TimeControl(decision_ms=30_000)),
        ("5m+10s/30s", TimeControl(300_000, 10_000, 30_000)),
        ("1500ms", TimeControl(1500)),
    ],
)
def test_clocks_are_read_as_they_are_written(text: str, clock: TimeControl) -> None:
    assert read_clock(CONTEXT, OPTION, text) == clock
    assert clock_text(clock) == text


@pytest.mark.parametrize("text", ["", "/", "+10s", "5m+", "5m/", "5", "/x", "5m+x", "x"])
def test_what_is_no_clock_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is no clock"):
        read_clock(CONTEXT, OPTION, text)


# --- the bots -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "names"),
    [
        (["simple", "expert"], ["simple", "expert"]),
        (["simple", "simple"], ["simple 1", "simple 2"]),
        (["Ann=simple", "simple"], ["Ann", "simple"]),
        (["simple=expert", "simple"], ["simple", "simple 1"]),
        (["simple 1=expert", "simple", "simple"], ["simple 1", "simple 2", "simple 3"]),
        (["./mybot.py:MyBot", "bots.mine:Other"], ["MyBot", "Other"]),
        (["node path/bot.js", "./bot"], ["bot.js", "bot"]),
        (["New=./bot.py", "Old=./bot.py"], ["New", "Old"]),
    ],
)
def test_bots_have_names_of_their_own(values: list[str], names: list[str]) -> None:
    assert [each.name for each in wishes_of(values)] == names


def test_a_bot_keeps_how_it_is_started() -> None:
    assert wishes_of(["Ann = node bot.js --depth=3"]) == (Wish("Ann", "node bot.js --depth=3"),)


@pytest.mark.parametrize("values", [["=simple"], ["Ann="], [""], ["A=simple", "A=expert"]])
def test_a_bot_that_cannot_be_named_is_refused(values: list[str]) -> None:
    with pytest.raises(click.UsageError, match="--bot"):
        wishes_of(values)

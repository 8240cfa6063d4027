"""`gin compliance`: whole bots pass every scenario, and a broken one fails the one meant for it."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from support_play import SOAK
from support_server import gin

from ginrummy.cli import main
from ginrummy.cli.compliance.command import tried
from ginrummy.cli.compliance.dealt import Deal
from ginrummy.cli.compliance.scenarios import SCENARIOS
from ginrummy.cli.compliance.trial import NotStartedError, Verdict, try_out

ROOT = Path(__file__).parents[2]
RAW = f"{sys.executable} {ROOT / 'tests' / 'support_raw_bot.py'}"
BOTS = ("simple", "expert", "random", f"node {ROOT}/examples/node/tournament_bot.mjs")
NAMES = tuple(scenario.name for scenario in SCENARIOS)
PATIENCE = 180.0

# Every scenario with one of the bots, and in the long counts with each of them.
TRIALS = [
    (bot, name)
    for place, name in enumerate(NAMES)
    for turn, bot in enumerate(BOTS)
    if SOAK or place % len(BOTS) == turn
]


async def verdicts(spec: str, *names: str, seconds: float = PATIENCE) -> dict[str, Verdict]:
    """Try a bot out in some scenarios, one after the other."""
    wanted = [each for each in SCENARIOS if each.name in names]
    assert len(wanted) == len(names)
    return {verdict.name: verdict async for verdict in tried(spec, wanted, seconds, 1)}


# --- bots that keep the contract ------------------------------------------------------------------


@pytest.mark.parametrize(("bot", "name"), TRIALS)
async def test_the_bots_that_come_along_pass(bot: str, name: str) -> None:
    assert (await verdicts(bot, name))[name].findings == ()


# --- bots that do not -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "failed", "passed"),
    [
        ("new-id", "cut-before-move twice", "cut-after-move"),
        ("doubles", "twice", "late"),
        ("impatient", "late", "offer"),
        ("stubborn", "stale", "paused unavailable"),
        ("hasty", "paused", "clock"),
        ("eager", "not-its-turn", "clock"),
        ("keeps-nothing", "taken-card", "turns"),
        ("dies-laying-off", "lay-off lay-off-first nothing-to-lay-off", "opponent-gin"),
        ("new-session", "attend-breaks", ""),
        ("once", "attend-breaks", ""),
        ("strict", "unknown-fields", "twice"),
        ("stays", "ends", "offer"),
    ],
)
async def test_a_broken_bot_fails_what_is_meant_for_it(
    fault: str, failed: str, passed: str
) -> None:
    seconds = 30.0 if fault == "once" else PATIENCE
    told = await verdicts(f"{RAW} {fault}", *failed.split(), *passed.split(), seconds=seconds)
    assert {name for name, verdict in told.items() if not verdict.passed} == set(failed.split())


async def test_what_is_found_shows_the_messages_that_it_is_about() -> None:
    (finding,) = (await verdicts(f"{RAW} new-id", "cut-before-move"))["cut-before-move"].findings
    first, second = finding.wire
    assert first.note == "cut off before it arrived"
    assert first.call != second.call
    assert finding.section == "Retries and reconnections"


# --- the command ----------------------------------------------------------------------------------


async def test_a_bot_that_passes_ends_the_command_with_0() -> None:
    assert await gin("compliance", "simple", "--only", "gin", "--only", "ends") == (
        0,
        "ok  ends\nok  gin\n2 of 2 passed.\n",
        "",
    )


async def test_a_bot_that_fails_ends_it_with_1_and_is_told_what_to_read() -> None:
    code, out, _ = await gin("compliance", f"{RAW} dies-laying-off", "--only", "lay-off")
    assert code == 1
    first, expected, *wire, read, last = out.splitlines()
    assert first == "FAILED lay-off: it ended with 3 (it said: SystemExit(3)) in the middle"
    assert expected == "    expected: the process runs until the tournament is over"
    assert all(line.startswith("    | ") for line in wire)
    assert "lay_off, your turn" in wire[-1]
    assert read == '    read: docs/bots.md, "Bots that are started for you"'
    assert last == "0 of 1 passed; failed: lay-off."


async def test_json_is_an_object_a_scenario() -> None:
    code, out, _ = await gin("compliance", "simple", "--json", "--only", "gin")
    told = json.loads(out)
    assert (code, told["name"], told["passed"], told["findings"]) == (0, "gin", True, [])


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("sh -c 'echo no such luck >&2; exit 7'", "no such luck"),
        ("./nobody.py:Nobody", "nobody.py"),
        ("no-such-program --fast", "no-such-program"),
    ],
)
async def test_a_bot_that_cannot_be_started_ends_it_with_2(spec: str, said: str) -> None:
    code, out, err = await gin("compliance", spec, "--only", "ends")
    assert (code, out) == (2, "")
    assert said in err


async def test_a_bot_that_never_calls_is_not_started() -> None:
    with pytest.raises(NotStartedError):
        await try_out(SCENARIOS[0], "true", PATIENCE)


def test_the_list_names_every_scenario() -> None:
    listed = CliRunner().invoke(main, ["compliance", "--list"])
    assert [line.split("\t")[0] for line in listed.output.splitlines()] == list(NAMES)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["simple", "--only", "luck"], "no scenario 'luck'"), ([], "which bot?")],
)
def test_what_cannot_be_asked_is_said(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(main, ["compliance", *arguments])
    assert result.exit_code == 2
    assert said in result.output


# --- the scenarios --------------------------------------------------------------------------------


def test_every_scenario_points_at_a_heading_of_the_page() -> None:
    page = (ROOT / "docs" / "bots.md").read_text()
    headings = {line.lstrip("# ") for line in page.splitlines() if line.startswith("#")}
    assert {scenario.section for scenario in SCENARIOS} <= headings


def test_names_are_given_once() -> None:
    assert len(set(NAMES)) == len(NAMES)


def test_a_deal_of_a_card_twice_is_none() -> None:
    hand = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS"
    with pytest.raises(ValueError, match="no deck deals"):
        Deal(bot=hand, opponent="AS 2H 3H 4H 5H 6H 7H 8H 9H TH", upcard="KC")

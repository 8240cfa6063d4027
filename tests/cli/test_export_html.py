"""gin export --format html: the page, whose eyes it is for, and the analysis in it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from support_golden import GOLDEN, golden_log

from ginrummy.cli import main

CLASSIC = str(GOLDEN / "classic.log")
FEW = ("--worlds", "4")


def gin(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), prog_name="gin")


def export(file: Path, *arguments: str, log: str = CLASSIC) -> Result:
    return gin("export", log, "-o", str(file), "--format", "html", *arguments)


def model_of(file: Path) -> dict[str, Any]:
    found = re.search('id="model">(.*?)</script>', file.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    model: dict[str, Any] = json.loads(found[1])
    return model


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "page.html"


@pytest.fixture(scope="module")
def analysed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What gin analyse says of the match."""
    written = tmp_path_factory.mktemp("analysed") / "classic.jsonl"
    written.write_text(gin("analyse", CLASSIC, "--json", *FEW).stdout, encoding="utf-8")
    return written


def refused(result: Result, file: Path) -> str:
    assert result.exit_code == 2
    assert not file.exists()
    return result.stderr


# --- the page -----------------------------------------------------------------------------------


def test_a_page_has_no_analysis_unless_it_is_asked_for(file: Path) -> None:
    assert export(file).exit_code == 0
    assert model_of(file)["analysis"] is None
    assert model_of(file)["views"] == ["full", "0", "1", "public"]


def test_a_page_for_one_seat_has_its_notes_and_no_other_eyes(file: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.jsonl"
    notes.write_text('{"seq": 30, "text": "Why not the 8?"}\n', encoding="utf-8")
    assert export(file, "--seat", "1", "--notes", str(notes)).exit_code == 0
    model = model_of(file)
    assert (model["views"], model["notes"]) == (["1"], [{"seq": 30, "text": "Why not the 8?"}])


def test_a_file_that_is_there_is_refused_before_anything_is_worked_out(file: Path) -> None:
    file.write_text("mine", encoding="utf-8")
    result = export(file, "--analysis")
    assert (result.exit_code, file.read_text(encoding="utf-8")) == (2, "mine")
    assert "is there already" in result.stderr
    assert "Judging" not in result.stderr


# --- the analysis, made now ---------------------------------------------------------------------


def test_an_analysis_is_made_and_says_how_long_it_takes(file: Path, analysed: Path) -> None:
    result = export(file, "--analysis", *FEW)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "Judging 3 hands in 4 worlds; a hand takes some seconds\n"
    said = model_of(file)["analysis"]
    assert said["worlds"] == [4]
    hands = [json.loads(line) for line in analysed.read_text(encoding="utf-8").splitlines()]
    decided = {str(each["seq"]): each["move"] for hand in hands for each in hand["decisions"]}
    assert {seq: each["did"] for seq, each in said["decisions"].items()} == decided


def test_an_odd_number_of_worlds_is_made_even(file: Path) -> None:
    export(file, "--analysis", "--worlds", "5")
    assert model_of(file)["analysis"]["worlds"] == [6]


def test_for_one_seat_its_own_decisions_are_judged_alone(file: Path) -> None:
    assert export(file, "--analysis", "--seat", "0", *FEW).exit_code == 0
    said = model_of(file)["analysis"]
    assert {each["seat"] for each in said["decisions"].values()} == {0}
    assert not {"real", "sights"} & said.keys()


def test_for_everybody_s_eyes_there_is_no_analysis(file: Path) -> None:
    for how in (("--analysis",), ("--analysis-from", CLASSIC)):
        said = refused(export(file, "--seat", "public", *how), file)
        assert "not everybody has seen" in said


def test_a_match_of_which_no_hand_is_open_cannot_be_analysed(file: Path) -> None:
    said = refused(export(file, "--analysis", log=str(GOLDEN / "unrevealed.log")), file)
    assert "there is nothing to analyse: hand 1 cannot be analysed yet: its secret is not" in said


def test_what_is_for_pages_alone_is_refused_for_other_forms(file: Path) -> None:
    for how in (("--analysis",), ("--analysis-from", CLASSIC), FEW):
        assert "are for --format html" in refused(
            gin("export", CLASSIC, "-o", str(file), *how), file
        )
    assert "--worlds is for --analysis" in refused(export(file, *FEW), file)


# --- the analysis, read -------------------------------------------------------------------------


def test_an_analysis_is_read_from_what_gin_analyse_has_written(
    file: Path, analysed: Path, tmp_path: Path
) -> None:
    assert export(file, "--analysis-from", str(analysed)).exit_code == 0
    made = tmp_path / "made.html"
    export(made, "--analysis", *FEW)
    assert file.read_bytes() == made.read_bytes()


def test_what_is_said_of_a_player_from_many_matches_is_told(
    file: Path, analysed: Path, tmp_path: Path
) -> None:
    player = json.loads(golden_log("classic")[1])["by"]
    gain = {"gain": 1.5, "low": 0.9, "high": 2.1, "choices": 400, "hands": 80}
    sight = {"hands": 81, "draws": gain, "discards": None}
    line = {"player": player, "matches": 12, "not_open": 0, "sight": sight}
    more = tmp_path / "more.jsonl"
    more.write_text(f"{analysed.read_text(encoding='utf-8')}{json.dumps(line)}\n", encoding="utf-8")
    assert export(file, "--analysis-from", str(more)).exit_code == 0
    figures = (
        "+1.50 points of deadwood each beyond what could be known, +0.90 to +2.10"
        ", in 400 choices of 80 hands (95% interval)"
    )
    first, second = model_of(file)["analysis"]["sights"]
    assert (first["matches"], first["hands"]) == (12, 81)
    assert first["said"][0] == [
        "draws",
        figures,
        "more than luck alone usually brings; this is no proof of a look at the stock's cards",
    ]
    assert (second["matches"], second["hands"]) == (1, 3)
    assert second["said"][0][1].startswith("too little to say anything")


def test_an_analysis_of_fewer_hands_says_which_are_missing(
    file: Path, analysed: Path, tmp_path: Path
) -> None:
    less = tmp_path / "less.jsonl"
    less.write_text(analysed.read_text(encoding="utf-8").split("\n")[1], encoding="utf-8")
    assert export(file, "--analysis-from", str(less)).exit_code == 0
    said = model_of(file)["analysis"]
    assert list(said["scored"]) == ["2"]
    assert said["skipped"] == [
        "hand 1 is not in the analysis",
        "hand 3 is not in the analysis",
    ]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda text: text.replace("m_", "m_0", 1), "line 1: it is of m_0"),
        (lambda text: text + text, "line 4: hand 1 is in it twice"),
        (lambda text: text.replace('"seat":0', '"seat":1', 1), "by seat 1 here"),
        (lambda text: text.replace('"number":2', '"number":9'), "line 2: this log has no hand 9"),
        (lambda text: text.replace("discard ", "discard  ", 1), "line 1: event "),
        (lambda text: text.replace('"outs"', '"ins"', 1), "line 1: Object missing required field"),
        (lambda text: text[:-9], "line 3: "),
        (lambda _: '{"player": "p_x", "matches": 1, "not_open": 0, "sight": '
         '{"hands": 1, "draws": null, "discards": null}}', "line 1: p_x sits at neither seat"),
        (lambda _: '{"player": 7}', "line 1: Expected `str`, got `int` - at `$.player`"),
        (lambda _: "", "there is no hand in it"),
        (lambda _: "\u2660", "line 1: JSON is malformed"),
    ],
)  # fmt: skip
def test_an_analysis_that_is_not_of_this_log_is_refused_with_its_line(
    spoil: Callable[[str], str], said: str, file: Path, analysed: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(spoil(analysed.read_text(encoding="utf-8")), encoding="utf-8")
    assert said in refused(export(file, "--analysis-from", str(other)), file)

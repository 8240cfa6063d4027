"""gin export: a match as a hand history, and for OpenSpiel."""

import json
from pathlib import Path

import pyspiel
import pytest
from click.testing import CliRunner, Result
from support_golden import GOLDEN, golden_log
from support_logs import without

import ginrummy.cli.exports
from ginrummy.cli import main
from ginrummy.replay.text import History, parse, recorded

CLASSIC = str(GOLDEN / "classic.log")


def export(file: Path, *arguments: str, log: str = CLASSIC) -> Result:
    return CliRunner().invoke(main, ["export", log, "-o", str(file), *arguments], prog_name="gin")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "out"


def test_a_hand_history_reads_back(file: Path) -> None:
    assert export(file, "--format", "text").exit_code == 0
    assert (
        parse(file.read_text(encoding="utf-8")) == recorded(golden_log("classic")).without_times()
    )


def test_a_hand_history_has_times_where_they_are_wanted(file: Path) -> None:
    assert export(file, "--format", "text", "--times", "--check").exit_code == 0
    assert parse(file.read_text(encoding="utf-8")) == recorded(golden_log("classic"))


def test_a_history_that_does_not_read_back_is_not_written(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ginrummy.cli.exports, "write", lambda _: ["something else"])
    result = export(file, "--format", "text", "--check")
    assert result.exit_code == 1
    assert "the text cannot be read back: line 1: a hand history begins with" in result.stderr
    assert not file.exists()


def test_a_history_that_reads_back_as_another_is_not_written(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = recorded(golden_log("eaai"))
    monkeypatch.setattr(ginrummy.cli.exports, "parse", lambda _: History(other.match, ()))
    monkeypatch.setattr(ginrummy.cli.exports, "check", lambda _: None)
    result = export(file, "--format", "text", "--check")
    assert result.exit_code == 1
    assert "reads back as another match" in result.stderr
    assert not file.exists()


@pytest.mark.parametrize("form", ["text", "openspiel"])
def test_a_log_that_cannot_be_followed_is_refused(form: str, file: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.log"
    damaged.write_bytes(b"\n".join(without(golden_log("classic"), 20)) + b"\n")
    result = export(file, "--format", form, log=str(damaged))
    assert result.exit_code == 2
    assert "cannot be followed past event 20" in result.stderr
    assert not file.exists()


@pytest.mark.parametrize("option", ["--times", "--check"])
def test_what_a_history_is_asked_for_is_refused_elsewhere(option: str, file: Path) -> None:
    result = export(file, option)
    assert result.exit_code == 2
    assert "--times and --check are for --format text" in result.stderr


def test_openspiel_replays_what_is_written(file: Path) -> None:
    result = export(file, "--format", "openspiel", log=str(GOLDEN / "eaai.log"))
    assert (result.exit_code, result.stderr) == (0, "")
    hands = [json.loads(line) for line in file.read_text().splitlines()]
    assert hands
    assert [hand["hand"] for hand in hands] == list(range(1, len(hands) + 1))
    for hand in hands:
        state = pyspiel.load_game(hand["game"]).new_initial_state()
        for action in hand["actions"]:
            state.apply_action(action)
        assert state.returns() == hand["returns"]


def test_hands_that_openspiel_does_not_play_are_counted(file: Path) -> None:
    result = export(file, "--format", "openspiel", log=str(GOLDEN / "unrevealed.log"))
    assert result.exit_code == 0
    hands = [json.loads(line) for line in file.read_text().splitlines()]
    refused = [hand for hand in hands if "refused" in hand]
    assert f"{len(refused)} of {len(hands)} hands cannot be played by OpenSpiel" in result.stderr
    assert {hand["refused"] for hand in refused} == {
        "the hand's secret is not out, so its cards are not known"
    }


@pytest.mark.parametrize("form", ["log", "openspiel"])
@pytest.mark.parametrize("content", [b"", b"no event\n"])
def test_what_is_no_log_is_not_passed_on_as_one(
    form: str, content: bytes, file: Path, tmp_path: Path
) -> None:
    source = tmp_path / "source"
    source.write_bytes(content)
    result = export(file, "--format", form, log=str(source))
    assert (result.exit_code, "is no log that can be used" in result.stderr) == (2, True)
    assert not file.exists()
    assert CliRunner().invoke(main, ["log", str(source)]).exit_code == 2


def test_a_damaged_log_is_still_passed_on_byte_for_byte(file: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.log"
    damaged.write_bytes(b"no event\n" + Path(CLASSIC).read_bytes())
    assert export(file, log=str(damaged)).exit_code == 0
    assert file.read_bytes() == damaged.read_bytes()


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    nowhere = tmp_path / "none" / "out"
    result = export(nowhere)
    assert (result.exit_code, str(nowhere) in result.stderr) == (2, True)

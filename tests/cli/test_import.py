"""gin import: a challenge's text in, scripted hands out."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support_eaai import eaai_text
from support_logs import played

from ginrummy.cli import main
from ginrummy.rules.match import Ended

TABLE = played(1, "eaai")
TEXT = "\n".join(eaai_text(TABLE)) + "\n"


def gin(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin, prog_name="gin")


@pytest.fixture
def text(tmp_path: Path) -> Path:
    file = tmp_path / "games.txt"
    file.write_text(TEXT, encoding="utf-8")
    return file


def test_hands_are_written_that_a_script_plays(text: Path, tmp_path: Path) -> None:
    output = tmp_path / "hands.jsonl"
    result = gin("import", str(text), "-o", str(output))
    hands = sum(line.type == "hand_scored" for line in TABLE.lines)
    assert result.exit_code == 0
    assert result.stderr == f"hands: {hands}, games: 1; {hands} played to the same end\n"
    answers = gin("script", "-", stdin=output.read_text()).stdout.splitlines()
    points = [0, 0]
    for answer in map(json.loads, answers):
        points[answer["result"]["winner"]] += answer["result"]["points"]
    assert isinstance(TABLE.match, Ended)
    assert points == list(TABLE.match.score.points)


def test_standard_input_is_read_and_what_was_broken_off_counted(tmp_path: Path) -> None:
    output = tmp_path / "hands.jsonl"
    cut = TEXT[: TEXT.index("discards")]
    result = gin("import", "-", "-o", str(output), stdin=cut[: cut.rindex("\n") + 1])
    assert (result.exit_code, result.stderr) == (
        0,
        "hands: 1, games: 1; 0 played to the same end, 1 broken off\n",
    )


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "there is no hand in it"),
        (b"hello\n", "line 1: 'hello' is no line of the challenge's games"),
        (b"\xff\xfe", "is not a text"),
        (TEXT.replace("0\t", "0\t1").encode(), "by the rules"),
    ],
)
def test_what_cannot_be_used_is_refused(content: bytes, why: str, tmp_path: Path) -> None:
    file, output = tmp_path / "in", tmp_path / "out"
    file.write_bytes(content)
    result = gin("import", str(file), "-o", str(output))
    assert result.exit_code == 2
    assert why in result.stderr
    assert not output.exists()


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    result = gin("import", str(tmp_path / "nowhere"), "-o", str(tmp_path / "out"))
    assert result.exit_code == 2
    assert "No such file or directory" in result.stderr


def test_a_file_that_is_there_is_not_overwritten(text: Path) -> None:
    result = gin("import", str(text), "-o", str(text))
    assert result.exit_code == 2
    assert "is there already" in result.stderr
    assert text.read_text(encoding="utf-8") == TEXT


def test_a_file_that_cannot_be_written_is_named(text: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "none" / "hands.jsonl"
    result = gin("import", str(text), "-o", str(nowhere))
    assert (result.exit_code, str(nowhere) in result.stderr) == (2, True)

"""gin matches: what marks a match before its result is relied on."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from support_disputed_logs import disputed_match, replayed_match
from support_logs import played

from ginrummy.cli import main
from ginrummy.store import Append, SqliteStore


def gin(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments], prog_name="gin")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "gin.db"


def stored(db: Path, *logs: Any) -> None:  # noqa: ANN401 -- lines of any match
    store = SqliteStore(db)
    for lines in logs:
        store.append([Append(lines[0].stream, 0, tuple(lines))])
    store.close()


def marks_of(db: Path) -> dict[str, str]:
    result = gin("matches", "--db", db)
    assert (result.exit_code, result.stderr) == (0, "")
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert {len(row) for row in rows} == {9}
    return {row[0]: row[7] for row in rows}


def test_each_mark_says_what_is_to_be_known_of_the_result(db: Path) -> None:
    plain, disputed = played(7), disputed_match(5)
    back, replay = replayed_match(6)
    waiting, _ = replayed_match(8)
    stored(db, plain.lines, disputed.lines, back.lines, replay.lines, waiting.lines[:-2])
    assert marks_of(db) == {
        plain.stream: "-",
        disputed.stream: "disputed,adjusted",
        back.stream: "adjusted",
        replay.stream: "replay",
        waiting.stream: "replaying,adjusted",
    }


def test_as_json_the_marks_are_fields(db: Path) -> None:
    disputed, (waiting, _) = disputed_match(5), replayed_match(8)
    stored(db, disputed.lines, waiting.lines[:-2])
    rows = [json.loads(line) for line in gin("matches", "--db", db, "--json").stdout.splitlines()]
    fields = ("disputes", "open_disputes", "replaying", "adjusted", "practice", "replay_of")
    assert {row["id"]: tuple(row[field] for field in fields) for row in rows} == {
        disputed.stream: (3, 1, False, True, False, ""),
        waiting.stream: (1, 0, True, True, False, ""),
    }

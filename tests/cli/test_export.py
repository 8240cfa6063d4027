"""gin export: the stored lines, the match told, and the page, into a new file."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from support_golden import GOLDEN
from support_logs import Table, in_hand

from ginrummy.cli import main
from ginrummy.log.lines import read_line
from ginrummy.store import Append, SqliteStore

CLASSIC = GOLDEN / "classic.log"


def export(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["export", *arguments], prog_name="gin")


def refused(*arguments: str) -> str:
    result = export(*arguments)
    assert result.exit_code == 2
    return result.stderr


def model_of(page: Path) -> dict[str, Any]:
    found = re.search(r'id="model">(.*?)</script>', page.read_text(encoding="utf-8"))
    assert found is not None
    model: dict[str, Any] = json.loads(found[1])
    return model


def log_of(page: Path) -> bytes:
    found = re.search(r'id="log">(.*?)</script>', page.read_text(encoding="utf-8"))
    assert found is not None
    return base64.b64decode(found[1])


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "match.out"


@pytest.fixture
def running(tmp_path: Path) -> tuple[str, Table]:
    """An operator's database with a match whose third hand is being played."""
    table = Table(13).seated().play(until=in_hand(3))
    store = SqliteStore(tmp_path / "gin.db")
    store.keep_secret(table.stream, "chain", table.secrets.secret(table.secrets.length))
    store.append([Append(table.stream, 0, tuple(map(read_line, table.log)))])
    store.close()
    return str(tmp_path / "gin.db"), table


def test_a_log_is_the_stored_lines(out: Path) -> None:
    assert export(str(CLASSIC), "-o", str(out)).exit_code == 0
    assert out.read_bytes() == CLASSIC.read_bytes()


def test_a_text_is_the_match_told(out: Path) -> None:
    assert export(str(CLASSIC), "-o", str(out), "--format", "text").exit_code == 0
    assert "Bob knocks with 8" in out.read_text(encoding="utf-8")


def test_a_page_shows_all_that_the_log_gives_away(out: Path) -> None:
    assert export(str(CLASSIC), "-o", str(out), "--format", "html").exit_code == 0
    assert model_of(out)["views"] == ["full", "0", "1", "public"]
    assert log_of(out) == CLASSIC.read_bytes()


@pytest.mark.parametrize("seat", ["0", "1", "public"])
def test_a_page_for_one_seat_has_that_alone(seat: str, out: Path) -> None:
    assert export(str(CLASSIC), "-o", str(out), "--format", "html", "--seat", seat).exit_code == 0
    assert model_of(out)["views"] == [seat]
    assert b"secret_revealed" not in log_of(out)


def test_a_match_that_is_not_over_is_seen_as_everybody_sees_it(
    running: tuple[str, Table], out: Path
) -> None:
    db, table = running
    assert export(table.stream, "-o", str(out), "--format", "html", "--db", db).exit_code == 0
    assert model_of(out)["views"] == ["public"]


def test_an_operator_can_have_a_seat_of_it_or_all(
    running: tuple[str, Table], tmp_path: Path
) -> None:
    db, table = running
    for seat, views in [("0", ["0"]), ("all", ["full", "0", "1", "public"])]:
        page = tmp_path / f"{seat}.html"
        done = export(table.stream, "-o", str(page), "--format", "html", "--db", db, "--seat", seat)
        assert done.exit_code == 0
        assert model_of(page)["views"] == views
        assert log_of(page).splitlines() == table.log


def test_notes_go_with_the_page(out: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.jsonl"
    notes.write_text('{"seq": 30, "text": "Why not the 8?"}\n')
    done = export(str(CLASSIC), "-o", str(out), "--format", "html", "--notes", str(notes))
    assert done.exit_code == 0
    assert model_of(out)["notes"] == [{"seq": 30, "text": "Why not the 8?"}]


def test_notes_that_are_none_are_refused_and_nothing_is_written(out: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.jsonl"
    notes.write_text('{"seq": 30, "text": "good"}\n{"seq": 900, "text": "where?"}\n')
    told = refused(str(CLASSIC), "-o", str(out), "--format", "html", "--notes", str(notes))
    assert "notes.jsonl, line 2: there is no event 900, the last one is 84" in told
    assert not out.exists()


@pytest.mark.parametrize("form", ["text", "html"])
def test_what_is_no_log_leaves_no_file(form: str, out: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.log"
    other.write_text("what is this?\n")
    assert "gin audit says more" in refused(str(other), "-o", str(out), "--format", form)
    assert not out.exists()


@pytest.mark.parametrize("option", [("--seat", "0"), ("--notes", str(CLASSIC))])
def test_what_is_for_a_page_is_refused_elsewhere(option: tuple[str, str], out: Path) -> None:
    assert "--seat and --notes are for --format html" in refused(
        str(CLASSIC), "-o", str(out), *option
    )
    assert not out.exists()


def test_a_file_that_is_there_stays_as_it_is(out: Path) -> None:
    out.write_text("mine")
    assert "is there already" in refused(str(CLASSIC), "-o", str(out), "--format", "html")
    assert out.read_text() == "mine"

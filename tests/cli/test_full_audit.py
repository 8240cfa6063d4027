"""gin audit --format: its forms, what it is asked for, whose eyes it is for, and its exit codes."""

import io
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from audit_speed import long_log
from click.testing import CliRunner, Result
from support_golden import GOLDEN
from support_logs import Table, changed, in_hand
from support_play import soak

from ginrummy.audit import sources
from ginrummy.audit.sources import LogFile
from ginrummy.cli import main
from ginrummy.evidence.document import AuditDocument, write_document
from ginrummy.evidence.full import FullReport
from ginrummy.evidence.page import write_page
from ginrummy.evidence.text import write_text
from ginrummy.log.lines import read_line
from ginrummy.store import Append, SqliteStore

CLASSIC = str(GOLDEN / "classic.log")
LOG = Path(CLASSIC).read_bytes().splitlines()


def gin(*arguments: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, ["audit", *arguments], input=stdin, prog_name="gin")


@pytest.fixture
def faulty(tmp_path: Path) -> str:
    path = tmp_path / "faulty.log"
    log = [*LOG[:40], changed(LOG[40], cmd="another"), *LOG[41:]]
    path.write_bytes(b"".join(raw + b"\n" for raw in log))
    return str(path)


@pytest.fixture
def running(tmp_path: Path) -> tuple[Table, str]:
    """A match that is not over, in the database of a server of one's own."""
    table = Table(13).seated().play(until=in_hand(3))
    db = str(tmp_path / "gin.db")
    store = SqliteStore(db)
    store.keep_secret(table.stream, "chain", table.secrets.secret(table.secrets.length))
    store.append([Append(table.stream, 0, tuple(map(read_line, table.log)))])
    store.close()
    return table, db


# --- forms ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "begins", "ends"),
    [
        ("text", "Audit of m_", "\n"),
        ("json", '{"format":"ginrummy/audit-report/v1"', "]}\n"),
        ("html", "<!doctype html>\n", "</html>\n"),
    ],
)
def test_each_form_is_written_and_exits_as_the_audit_does(
    form: str, begins: str, ends: str, faulty: str
) -> None:
    clean, not_clean = gin(CLASSIC, "--format", form), gin(faulty, "--format", form)
    assert (clean.exit_code, not_clean.exit_code) == (0, 1)
    for result in (clean, not_clean):
        assert result.stdout.startswith(begins)
        assert result.stdout.endswith(ends)
        assert result.stderr == ""


def test_json_alone_stays_the_short_report() -> None:
    short, full = gin(CLASSIC, "--json"), gin(CLASSIC, "--format", "json")
    assert "hand_by_hand" not in json.loads(short.stdout)
    assert json.loads(full.stdout)["hand_by_hand"]
    assert json.loads(full.stdout)["faults"] == json.loads(short.stdout)["faults"]
    assert gin(CLASSIC, "--json", "--format", "json").stdout == full.stdout
    assert full.stdout.count("\n") == 1


def test_without_a_form_the_report_is_the_short_one_and_a_hand_asks_for_the_full_one() -> None:
    assert "Every decision" not in gin(CLASSIC).stdout
    told = gin(CLASSIC, "--hand", "2").stdout
    assert "Every decision" in told
    assert "\nHand 2 " in told
    assert "\nHand 1 " not in told
    assert json.loads(gin(CLASSIC, "--json", "--hand", "2").stdout)["hand"] == 2


@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_decisions_can_be_left_out(form: str) -> None:
    whole = gin(CLASSIC, "--format", form).stdout
    without = gin(CLASSIC, "--format", form, "--no-decisions").stdout
    assert len(without) < len(whole) / 2
    assert "Every deck was fixed before anybody had joined" in " ".join(without.split())


def test_standard_input_is_reported() -> None:
    raw = Path(CLASSIC).read_bytes()
    for form in ("text", "json", "html"):
        told = gin("-", "--format", form, stdin=raw)
        assert told.stdout == gin(CLASSIC, "--format", form).stdout


# --- files ----------------------------------------------------------------------------------------


def test_a_report_is_written_to_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "audit.html"
    first = gin(CLASSIC, "--format", "html", "-o", str(path))
    assert (first.exit_code, first.stdout) == (0, "")
    assert path.read_text(encoding="utf-8") == gin(CLASSIC, "--format", "html").stdout
    again = gin(CLASSIC, "--format", "html", "-o", str(path))
    assert again.exit_code == 2
    assert "is there already" in again.stderr


def test_nothing_is_written_where_there_is_nothing_to_report(tmp_path: Path) -> None:
    path, empty = tmp_path / "audit.html", tmp_path / "some.log"
    empty.write_bytes(b"hello\n")
    for log, hand in ((str(empty), []), (CLASSIC, ["--hand", "9"])):
        result = gin(log, "--format", "html", *hand, "-o", str(path))
        assert result.exit_code == 2
        assert not path.exists()
        assert result.stdout == ""
    assert "there is no hand 9: the last one dealt is 3" in result.stderr


# --- whose eyes -----------------------------------------------------------------------------------


def test_a_report_from_the_operators_database_gives_nothing_hidden_away(
    running: tuple[Table, str],
) -> None:
    table, db = running
    told = json.loads(gin(table.stream, "--db", db, "--format", "json").stdout)
    assert told["reader"] == "all"
    deals = [hand["deal"] for hand in told["hand_by_hand"] if hand["deal"]]
    assert [deal["deck"] for deal in deals] == [None, None, None]
    status = {check["name"]: check["status"] for check in told["checks"]}
    assert status["deck"] == "waiting"


@pytest.mark.parametrize(("seat", "opened"), [("all", (10, 10)), ("0", (10, 0)), ("1", (0, 10))])
def test_somebodys_eyes_are_opened_from_the_operators_database(
    seat: str, opened: tuple[int, int], running: tuple[Table, str]
) -> None:
    table, db = running
    result = gin(table.stream, "--db", db, "--json", "--seat", seat)
    deal = json.loads(result.stdout)["hand_by_hand"][-1]["deal"]
    assert tuple(len(held["cards"]) for held in deal["hands"]) == opened
    assert (deal["deck"] is not None) == (seat == "all")
    # The secrets themselves are told by the log alone.
    assert deal["secret"] is None
    assert table.secrets.secret(3).hex() not in result.stdout


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["--all", "--format", "html"],
        ["--all", "--hand", "1"],
        ["--all", "--seat", "0"],
        ["--checkpoint", "some", "--format", "text"],
        [CLASSIC, "--json", "--format", "html"],
        [CLASSIC, "--hand", "1", "--no-decisions"],
        [CLASSIC, "--hand", "0"],
        [CLASSIC, "--format", "pdf"],
    ],
)
def test_what_makes_no_sense_together_is_refused(arguments: list[str]) -> None:
    assert gin(*arguments).exit_code == 2


# --- long logs ------------------------------------------------------------------------------------


def _pieces(full: FullReport, form: str) -> Iterator[bytes]:
    if form == "text":
        return (piece.encode() for piece in write_text(full))
    return write_document(full) if form == "json" else write_page(full)


def peak(log: LogFile, form: str) -> int:
    """The most memory that a report of a log took, in bytes."""
    tracemalloc.start()
    try:
        full, out = FullReport(log), io.BytesIO()
        for piece in _pieces(full, form):
            out.seek(0)
            out.write(piece)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_a_log_three_times_as_long_takes_hardly_more_memory(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand at a time is held, and what is listed at a glance."""
    # So that even a short log is read in many pieces.
    monkeypatch.setattr(sources, "_PIECE", 1 << 12)
    lines = long_log(soak(30_000, 1_800))
    whole, third = tmp_path / "whole.log", tmp_path / "third.log"
    whole.write_bytes(b"\n".join(lines))
    third.write_bytes(b"\n".join(lines[: len(lines) // 3]))
    peak(LogFile(third), form)
    short, long = peak(LogFile(third), form), peak(LogFile(whole), form)
    # A row for each hand, and the thousand times that were read last; all decisions held at once
    # would be some 2,000 bytes a line.
    assert long < short + 250_000 + len(lines) * 100


def test_a_long_log_is_told_to_its_end(tmp_path: Path) -> None:
    import msgspec  # noqa: PLC0415 -- to read one long report

    lines = long_log(2_000)
    path = tmp_path / "long.log"
    path.write_bytes(b"\n".join(lines))
    told = msgspec.json.decode(gin(str(path), "--format", "json").stdout, type=AuditDocument)
    assert told.hand_by_hand[-1].last == len(lines)
    assert told.survey.broken is None

"""gin replay: from a file, a pipe and a database; for people, for programs, and on a terminal."""

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support_golden import GOLDEN
from support_logs import Log, Table, in_hand, without

from ginrummy.cli import main
from ginrummy.log.lines import read_line
from ginrummy.store import Append, SqliteStore

CLASSIC = str(GOLDEN / "classic.log")


def gin(*arguments: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin, prog_name="gin")


def store_log(store: SqliteStore, table: Table) -> None:
    """Store a match as a server does: its lines, and its secret beside them."""
    store.keep_secret(table.stream, "chain", table.secrets.secret(table.secrets.length))
    lines = tuple(map(read_line, table.log))
    store.append([Append(table.stream, 0, lines)])


@pytest.fixture
def running(tmp_path: Path) -> tuple[str, Table]:
    """A database with a match whose third hand is being played."""
    table = Table(13).seated().play(until=in_hand(3))
    store = SqliteStore(tmp_path / "gin.db")
    store_log(store, table)
    store.close()
    return str(tmp_path / "gin.db"), table


def test_a_file_is_told_line_by_line() -> None:
    result = gin("replay", CLASSIC)
    assert result.exit_code == 0
    assert result.stdout == (GOLDEN / "replay" / "classic.txt").read_text(encoding="utf-8")
    assert result.stderr == ""


def test_standard_input_is_told_as_well() -> None:
    assert (
        gin("replay", "-", stdin=Path(CLASSIC).read_bytes()).stdout == gin("replay", CLASSIC).stdout
    )


def test_one_hand_is_told_alone() -> None:
    lines = gin("replay", CLASSIC, "--hand", "2").stdout.splitlines()
    assert lines[1].startswith("Hand 2 ")
    assert "Hand 3" not in "\n".join(lines)


def test_letters_are_ascii() -> None:
    result = gin("replay", CLASSIC, "--letters")
    assert result.stdout.isascii()
    assert "QH" in result.stdout


def test_one_position_is_drawn() -> None:
    result = gin("replay", CLASSIC, "--at", "51", "--seat", "1")
    board = (GOLDEN / "replay" / "laid_off.board.txt").read_text(encoding="utf-8")
    assert result.stdout in board
    assert "as Bob sees it" in result.stdout


@pytest.mark.parametrize(
    ("seat", "eyes"),
    [("0", "as Alice sees it"), ("public", "as everybody sees it"), ("all", "all cards")],
)
def test_whose_eyes_is_said(seat: str, eyes: str) -> None:
    assert eyes in gin("replay", CLASSIC, "--at", "20", "--seat", seat).stdout


def test_json_is_an_object_a_position() -> None:
    lines = gin("replay", CLASSIC, "--json").stdout.splitlines()
    assert [json.loads(line)["seq"] for line in lines] == list(range(1, 85))
    one = gin("replay", CLASSIC, "--at", "20", "--json").stdout
    assert one == lines[19] + "\n"
    hand = gin("replay", CLASSIC, "--hand", "2", "--json").stdout.splitlines()
    assert {json.loads(line)["view"]["hand"]["number"] for line in hand} == {2}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--at", "85"], "no event 85: they go from 1 to 84"),
        (["--hand", "4"], "no hand 4: the last one dealt is 3"),
        (["--hand", "1", "--at", "60"], "event 60 is not in hand 1"),
        (["--at", "0"], "is not in the range x>=1"),
        (["--seat", "2"], "'2' is not one of"),
    ],
)
def test_what_is_not_there_is_refused(arguments: list[str], why: str) -> None:
    result = gin("replay", CLASSIC, *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert why in result.stderr


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nowhere.log", "there is no such file"),
        ("./nowhere.log", "No such file or directory"),
        ("m_" + "0" * 26, "not there"),
    ],
)
def test_a_log_that_is_not_there_is_refused(
    name: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in ("replay", "audit"):
        result = gin(command, name)
        assert result.exit_code == 2
        assert why in result.stderr or "gin.db" in result.stderr


def spoilt(tmp_path: Path, log: Log) -> str:
    path = tmp_path / "spoilt.log"
    path.write_bytes(b"".join(raw + b"\n" for raw in log))
    return str(path)


def test_a_damaged_log_is_told_as_far_as_it_goes(tmp_path: Path) -> None:
    log = Path(CLASSIC).read_bytes().splitlines()
    path = spoilt(tmp_path, without(log, 20))
    result = gin("replay", path)
    assert result.exit_code == 2
    assert result.stdout.splitlines()[-1].startswith("    20  ")
    assert "cannot be followed past event 20: event 22 comes next" in result.stderr
    assert gin("replay", path, "--at", "20").exit_code == 0
    assert gin("replay", spoilt(tmp_path, [b"hello"])).exit_code == 2


def test_a_match_of_the_database_is_told(running: tuple[str, Table]) -> None:
    db, table = running
    result = gin("replay", table.stream, "--db", db)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].split()[0] == str(len(table.log))


def test_hidden_cards_of_the_database_are_shown_on_demand_alone(
    running: tuple[str, Table],
) -> None:
    """An operator who has not asked for the cards of a match under way does not see them."""
    db, table = running
    last = ["--at", str(len(table.log)), "--db", db]
    assert gin("replay", table.stream, *last).stdout.count("??") == 20
    assert gin("replay", table.stream, *last, "--seat", "public").stdout.count("??") == 20
    assert gin("replay", table.stream, *last, "--seat", "0").stdout.count("??") == 10
    assert gin("replay", table.stream, *last, "--seat", "all").stdout.count("??") == 0


def test_a_match_that_the_database_does_not_have_is_refused(running: tuple[str, Table]) -> None:
    db, _ = running
    result = gin("replay", "m_" + "0" * 26, "--db", db)
    assert result.exit_code == 2
    assert "there is no match m_" in result.stderr


def test_a_terminal_is_stepped_through_with_keys() -> None:
    """As a process on a terminal of its own: keys in, screens out, and the terminal given back."""
    main_end, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    with subprocess.Popen(
        [sys.executable, "-m", "ginrummy.cli", "replay", CLASSIC],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
        close_fds=True,
    ) as process:
        os.close(terminal)
        shown = read_until(main_end, b"event 1 of 84")
        os.write(main_end, b"n\x1b[C\x1b[C")
        shown += read_until(main_end, b"event 8 of 84")
        os.write(main_end, b"\t")
        shown += read_until(main_end, b"as Alice sees it")
        os.write(main_end, b"\x1b[F")
        shown += read_until(main_end, b"event 84 of 84")
        os.write(main_end, b"q")
        shown += read_until(main_end, b"\x1b[?1049l")
        assert process.wait(10) == 0
    os.close(main_end)
    assert b"\x1b[31m" in shown
    assert "Q♥".encode() in shown


def read_until(fd: int, wanted: bytes) -> bytes:
    """Return what comes from a terminal up to and with what is wanted."""
    seen = b""
    end = time.monotonic() + 30
    while wanted not in seen:
        ready, _, _ = select.select([fd], [], [], max(0, end - time.monotonic()))
        assert ready, seen
        seen += os.read(fd, 4096)
    return seen

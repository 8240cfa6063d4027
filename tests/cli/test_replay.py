"""gin replay: from a file, a pipe and a database; for people, for programs, and on a terminal."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support_golden import GOLDEN
from support_logs import Log, Table, in_hand, without

from ginrummy.cli import main
from ginrummy.cli.stepping import proof_of
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


@contextmanager
def on_a_terminal(
    *arguments: str, **environment: str
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run `gin replay` on a terminal of 80 columns and 24 rows, and give the terminal's other end.

    Once it has ended, the terminal has to be as it was.
    """
    main_end, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    before = termios.tcgetattr(terminal)
    kept = {name: value for name, value in os.environ.items() if name not in _LOOKS}
    with subprocess.Popen(
        [sys.executable, "-m", "ginrummy.cli", "replay", *arguments],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=kept | {"TERM": "xterm-256color", "LANG": "C.UTF-8"} | environment,
        close_fds=True,
    ) as process:
        os.close(terminal)
        try:
            yield process, main_end
            assert termios.tcgetattr(main_end) == before
        finally:
            process.kill()
            os.close(main_end)


_LOOKS = {"COLUMNS", "LINES", "NO_COLOR", "COLORTERM", "TEXTUAL"}


def test_a_plain_terminal_is_stepped_through_with_keys() -> None:
    """As a process on a terminal of its own: keys in, screens out, and the terminal given back."""
    with on_a_terminal(CLASSIC, "--plain", TERM="xterm") as (process, main_end):
        shown = read_until(main_end, b"event 1 of 84")
        os.write(main_end, b"n\x1b[C\x1b[C")
        shown += read_until(main_end, b"event 8 of 84")
        os.write(main_end, b"\t")
        shown += read_until(main_end, b"as Alice sees it")
        os.write(main_end, b"\x1b[F")
        shown += read_until(main_end, b"event 84 of 84")
        os.write(main_end, b"q")
        shown += read_until(main_end, b"\x1b[?1049l")
        assert process.wait(30) == 0
    assert b"\x1b[31m" in shown
    assert "Q♥".encode() in shown


def rest_of(main_end: int) -> bytes:
    """Return what a program that has ended wrote last."""
    rest = b""
    # Where nobody has the other end any more, the last read fails.
    with suppress(OSError):
        while select.select([main_end], [], [], 1)[0] and (chunk := os.read(main_end, 65_536)):
            rest += chunk
    return rest


def test_a_terminal_shows_the_table_and_is_given_back() -> None:
    """All of it, at 80 by 24: started, stepped, left, and every mode put back as it was."""
    with on_a_terminal(CLASSIC) as (process, main_end):
        shown = read_until(main_end, b"audited, no fault")
        os.write(main_end, b"n")
        shown += read_until(main_end, b"hand 1, event 6 of 84")
        os.write(main_end, b"\x1b[C")
        shown += read_until(main_end, b"event 7 of 84")
        os.write(main_end, b"0")
        shown += read_until(main_end, "▒▒".encode())
        os.write(main_end, b"q")
        shown += read_until(main_end, b"\x1b[?1049l")
        assert process.wait(30) == 0
        shown += rest_of(main_end)
    assert "╭──┬──┬" in re.sub("\x1b\\[[0-9;]*m", "", shown.decode(errors="replace"))
    for on, off in ((b"\x1b[?1049h", b"\x1b[?1049l"), (b"\x1b[?25l", b"\x1b[?25h")):
        assert shown.rindex(off) > shown.index(on)
    # The mouse is let go.
    assert shown.rindex(b"\x1b[?1000l") > shown.index(b"\x1b[?1000h")


def test_a_terminal_without_colours_gets_none() -> None:
    with on_a_terminal(CLASSIC, "--letters", NO_COLOR="1") as (process, main_end):
        shown = read_until(main_end, b"audited, no fault")
        os.write(main_end, b"nq")
        shown += read_until(main_end, b"\x1b[?1049l")
        assert process.wait(30) == 0
    codes = {
        code for found in re.findall(b"\x1b\\[([0-9;]*)m", shown) for code in found.split(b";")
    }
    # Bold, faint, reverse and struck are no colours; 39 and 49 are the terminal's own.
    assert codes <= {b"", b"0", b"1", b"2", b"7", b"9", b"39", b"49"}
    assert re.sub(b"\x1b[^a-zA-Z]*[a-zA-Z]", b"", shown).isascii()


def test_a_dumb_terminal_gets_the_plain_steps() -> None:
    with on_a_terminal(CLASSIC, TERM="dumb") as (process, main_end):
        read_until(main_end, b"tab whose eyes")
        os.write(main_end, b"q")
        read_until(main_end, b"\x1b[?1049l")
        assert process.wait(30) == 0


def test_without_the_extra_the_plain_steps_say_how_to_have_more(tmp_path: Path) -> None:
    """A module that hides textual, as where it was never installed."""
    hidden = "import sys\nsys.modules['textual'] = None\n"
    (tmp_path / "sitecustomize.py").write_text(hidden)
    with on_a_terminal(CLASSIC, PYTHONPATH=str(tmp_path)) as (process, main_end):
        read_until(main_end, b"tab whose eyes")
        os.write(main_end, b"q")
        said = read_until(main_end, b"'ginrummy[tui]'")
        assert b"\x1b[?1049l" in said
        assert process.wait(30) == 0


def test_a_damaged_log_is_stepped_through_up_to_its_fault(tmp_path: Path) -> None:
    path = spoilt(tmp_path, without(Path(CLASSIC).read_bytes().splitlines(), 20))
    with on_a_terminal(path) as (process, main_end):
        read_until(main_end, b"event 1 of 20")
        read_until(main_end, b"found")
        os.write(main_end, b"q")
        said = read_until(main_end, b"gin audit says more")
        assert b"event 22 comes next" in said
        assert b"Traceback" not in said
        assert process.wait(30) == 2


def test_what_an_audit_has_found_is_what_the_replay_shows() -> None:
    good = proof_of(Path(CLASSIC).read_bytes().splitlines(), None)
    assert (good.verdict, good.is_good, good.findings) == ("audited, no fault", True, ())
    assert {check.sign for check in good.checks} == {"ok", "-"}
    log = Path(CLASSIC).read_bytes().splitlines()
    waiting = proof_of(without(log, len(log) - 1), None)
    assert waiting.verdict == "audited, no fault so far"
    cut = proof_of(without(log, 20), None)
    assert not cut.is_good
    assert re.fullmatch(r"\d+ faults? found", cut.verdict)
    assert {finding.seq for finding in cut.findings} >= {21}
    none = proof_of([b"hello"], None)
    assert not none.is_good
    assert none.verdict.startswith("cannot be audited")


# --- notes --------------------------------------------------------------------------------------


def test_notes_are_told_under_their_events(tmp_path: Path) -> None:
    notes = tmp_path / "notes.jsonl"
    notes.write_text('{"seq": 50, "text": "Too early:\\nthe 8 was live. ' + "x " * 40 + '"}\n')
    lines = gin("replay", CLASSIC, "--notes", str(notes)).stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("    50  "))
    told = [line for line in lines[at:] if line.startswith("        * ")]
    assert told[0].startswith("        * Too early: the 8 was live.")
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("text", "arguments", "why"),
    [
        ('{"seq": 85, "text": "x"}', [], "there is no event 85"),
        ("?", [], "line 1"),
        ("", ["--json"], "--notes are for stepping"),
        ("", ["--at", "5"], "--notes are for stepping"),
    ],
)
def test_notes_that_lead_nowhere_are_refused(
    text: str, arguments: list[str], why: str, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.jsonl"
    notes.write_text(text)
    result = gin("replay", CLASSIC, "--notes", str(notes), *arguments)
    assert result.exit_code == 2
    assert why in result.stderr


def read_until(fd: int, wanted: bytes) -> bytes:
    """Return what comes from a terminal up to and with what is wanted."""
    seen = b""
    end = time.monotonic() + 30
    while wanted not in seen:
        ready, _, _ = select.select([fd], [], [], max(0, end - time.monotonic()))
        assert ready, seen
        seen += os.read(fd, 4096)
    return seen

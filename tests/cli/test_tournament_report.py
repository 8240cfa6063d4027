"""`gin tournament report` from the shell: what it writes, and what it refuses."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from support_reports import three_bots

from ginrummy.cli.tournament.auditing import audit
from ginrummy.cli.tournament.report import report
from ginrummy.log.lines import read_line
from ginrummy.store import Append, SqliteStore
from ginrummy.tournaments.event import read_tournament_line


@pytest.fixture
def stored(tmp_path: Path) -> tuple[str, Path]:
    """A tournament in a database."""
    event, db = three_bots(), tmp_path / "gin.db"
    store = SqliteStore(str(db))
    lines = tuple(map(read_tournament_line, event.log))
    store.append([Append(event.id, 0, lines)])
    for match, raws in event.matches.items():
        store.append([Append(match, 0, tuple(map(read_line, raws)))])
    store.close()
    return event.id, db


def test_it_writes_the_report_and_prints_its_first_page(
    stored: tuple[str, Path], tmp_path: Path
) -> None:
    tournament, db = stored
    output = tmp_path / "cup"
    run = CliRunner().invoke(report, [tournament, "-o", str(output), "--db", str(db)])
    assert (run.exit_code, run.stdout) == (0, f"{output}/index.html\n"), run.output
    assert (output / "logs" / f"{tournament}.jsonl").is_file()
    # What is published can be audited, as its page says.
    logs = sorted((output / "logs").glob("*.jsonl"))
    whole = tmp_path / "whole.jsonl"
    whole.write_bytes(b"".join(log.read_bytes() for log in logs))
    audited = CliRunner().invoke(audit, [str(whole)])
    assert audited.exit_code == 0, audited.output
    # And the same report can be made from it, without the database.
    again = tmp_path / "again"
    assert CliRunner().invoke(report, [str(whole), "-o", str(again)]).exit_code == 0
    assert (again / "index.html").read_bytes() == (output / "index.html").read_bytes()


def test_what_cannot_be_written_is_said_in_a_line(stored: tuple[str, Path], tmp_path: Path) -> None:
    tournament, db = stored
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all my work")
    run = CliRunner().invoke(report, [tournament, "-o", str(tmp_path / "mine"), "--db", str(db)])
    assert run.exit_code == 2
    assert "holds something else" in run.stderr
    assert "Traceback" not in run.output


def test_a_tournament_alone_without_its_matches_is_refused(tmp_path: Path) -> None:
    event = three_bots()
    alone = tmp_path / "alone.jsonl"
    alone.write_bytes(b"".join(raw + b"\n" for raw in event.log))
    run = CliRunner().invoke(report, [str(alone), "-o", str(tmp_path / "cup")])
    assert run.exit_code == 2
    assert "there is no log of m_" in run.stderr

"""gin dispute bundle and verify: from a file, a database, and what each refuses."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support_bundles import heads_of, judged_by_us, members_of
from support_disputed_logs import disputed_match
from support_golden import GOLDEN
from support_signed import signed_database

from ginrummy.cli import main
from ginrummy.evidence.bundle.archive import LARGEST_MEMBER
from ginrummy.evidence.bundle.manifest import MANIFEST, read_manifest
from ginrummy.log.lines import read_line
from ginrummy.store import Append, SqliteStore

CLASSIC = GOLDEN / "classic.log"
TABLE = disputed_match()


def gin(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments], prog_name="gin")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "gin.db"
    signed_database(path, TABLE.lines)
    return path


# --- made -----------------------------------------------------------------------------------------


def test_a_bundle_of_a_database_has_its_receipt_and_key(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "evidence.zip"
    result = gin("dispute", "bundle", TABLE.stream, 2, "-o", out, "--db", db)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{sha256(out.read_bytes()).hexdigest()}  {out}\n"
    members = members_of(out.read_bytes())
    assert read_manifest(members[MANIFEST]).subject.dispute == 2
    assert members["server.key"].decode() == gin("key", "--db", db).stdout
    assert judged_by_us(out.read_bytes()).clean


def test_it_is_the_same_each_time_and_overwrites_nothing(db: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    for out in (first, second):
        assert gin("dispute", "bundle", TABLE.stream, 1, "-o", out, "--db", db).exit_code == 0
    assert first.read_bytes() == second.read_bytes()
    again = gin("dispute", "bundle", TABLE.stream, 1, "-o", first, "--db", db)
    assert again.exit_code == 2
    assert "is there already" in again.stderr


def test_where_nothing_is_signed_yet_that_is_said(tmp_path: Path) -> None:
    db, out = tmp_path / "gin.db", tmp_path / "evidence.zip"
    store = SqliteStore(db)
    store.append([Append(TABLE.stream, 0, tuple(TABLE.lines))])
    store.close()
    result = gin("dispute", "bundle", TABLE.stream, "-o", out, "--db", db)
    assert result.exit_code == 0
    assert "No receipt is in it" in result.stderr
    assert "receipt.tlog-proof" not in members_of(out.read_bytes())


def test_what_was_kept_goes_in_by_who_has_kept_it(db: Path, tmp_path: Path) -> None:
    files = {}
    for name in ("ann", "bob", "eve"):
        files[name] = tmp_path / f"{name}.heads"
        files[name].write_bytes(heads_of(name, TABLE.log, 9, 10).raw)
    receipt, out = tmp_path / "kept.tlog-proof", tmp_path / "evidence.zip"
    gin("receipt", TABLE.stream, "-o", receipt, "--db", db)
    log = tmp_path / "match.log"
    log.write_bytes(b"".join(raw + b"\n" for raw in TABLE.log))
    kept = [
        f"--heads=1={files['bob']}",
        f"--heads=seat-0={files['ann']}",
        f"--heads={files['eve']}",
    ]
    key = gin("key", "--db", db).stdout.strip()
    result = gin(
        *("dispute", "bundle", log, 1, "-o", out, "--receipt", receipt, "--key", key), *kept
    )
    assert (result.exit_code, result.stderr) == (0, "")
    members = members_of(out.read_bytes())
    assert [name for name in members if name.startswith("heads/")] == [
        "heads/other-1.jsonl",
        "heads/seat-0.jsonl",
        "heads/seat-1.jsonl",
    ]
    assert members["receipt.tlog-proof"] == receipt.read_bytes()
    assert judged_by_us(out.read_bytes()).clean


def test_without_a_dispute_it_is_about_an_event(tmp_path: Path) -> None:
    out = tmp_path / "evidence.zip"
    assert gin("dispute", "bundle", CLASSIC, "--event", 40, "-o", out).exit_code == 0
    subject = read_manifest(members_of(out.read_bytes())[MANIFEST]).subject
    assert (subject.dispute, subject.event) == (None, 40)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([CLASSIC, "1"], "there is no dispute 1"),
        ([CLASSIC, "--event", "999"], "there is no event 999"),
        ([CLASSIC, "1", "--event", "4"], "says by itself"),
        ([CLASSIC, "0"], "not in the range"),
        ([CLASSIC, "--heads", CLASSIC], "keeps no hashes"),
        ([CLASSIC, "--heads", "0=nowhere"], "nowhere"),
        ([CLASSIC, "--receipt", CLASSIC], "is no receipt"),
        ([CLASSIC, "--key", "nonsense"], "is no Ed25519 verifier key"),
        ([GOLDEN / "tournament", "1"], ""),
        (["m_" + "0" * 26, "--db", "nowhere.db"], ""),
        ([CLASSIC.name, "--server", "127.0.0.1:1", "--receipt", CLASSIC], "is no receipt"),
    ],
)
def test_what_cannot_be_put_together_exits_with_2_and_writes_nothing(
    arguments: list[object], why: str, tmp_path: Path
) -> None:
    out = tmp_path / "evidence.zip"
    result = gin("dispute", "bundle", *arguments, "-o", out)
    assert result.exit_code == 2
    assert why in result.stderr
    assert not out.exists()


# --- judged ---------------------------------------------------------------------------------------


@pytest.fixture
def evidence(db: Path, tmp_path: Path) -> Path:
    out = tmp_path / "evidence.zip"
    gin("dispute", "bundle", TABLE.stream, 1, "-o", out, "--db", db)
    return out


@pytest.mark.parametrize("command", [["audit"], ["dispute", "verify"]])
def test_a_good_one_exits_with_0_and_says_what_the_record_says(
    command: list[str], evidence: Path
) -> None:
    result = gin(*command, evidence)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("Evidence in dispute 1 over m_")
    assert "It is claimed that a score is wrong. The record refutes the claim." in result.stdout
    assert result.stdout.endswith("Intact and clean: no fault found.\n")
    told = json.loads(gin(*command, evidence, "--json").stdout)
    assert told["finding"]["outcome"] == "refuted"


def test_a_spoiled_one_exits_with_1_and_names_the_member(evidence: Path, tmp_path: Path) -> None:
    raw = evidence.read_bytes()
    spoiled = tmp_path / "spoiled.zip"
    spoiled.write_bytes(raw.replace(b"10 points less", b"20 points less", 1))
    result = gin("dispute", "verify", spoiled)
    assert result.exit_code == 1
    assert "NOT INTACT" in result.stdout


def test_a_key_that_one_knows_is_compared(db: Path, evidence: Path) -> None:
    key = gin("key", "--db", db).stdout.strip()
    assert "the bundle's own word" in " ".join(gin("audit", evidence).stdout.split())
    known = gin("audit", evidence, "--key", key)
    assert known.exit_code == 0
    assert "the bundle's own word" not in " ".join(known.stdout.split())


def test_hashes_that_one_has_kept_are_compared(evidence: Path, tmp_path: Path) -> None:
    mine, others = tmp_path / "mine.heads", tmp_path / "others.heads"
    mine.write_bytes(heads_of("me", TABLE.log, 9, 10).raw)
    others.write_bytes(heads_of("me", disputed_match(6).log, 9, 10).raw)
    assert gin("dispute", "verify", evidence, "--heads", mine).exit_code == 0
    result = gin("dispute", "verify", evidence, "--heads", mine, "--heads", others)
    assert result.exit_code == 1
    assert "event 9: receipt" in result.stdout
    assert "Intact: the bundle is what its log makes. The log has faults." in result.stdout
    assert gin("dispute", "verify", evidence, "--heads", evidence).exit_code == 2


@pytest.mark.parametrize("content", [b"PK", b"PK\x03\x04 and so on", b"hello\n", b""])
def test_what_is_no_bundle_exits_with_2(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "evidence.zip"
    path.write_bytes(content)
    result = gin("dispute", "verify", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no bundle that can be used" in result.stderr
    assert gin("audit", path).exit_code == 2


def test_a_bundle_has_no_other_receipt_and_form_than_its_own(evidence: Path) -> None:
    assert gin("audit", evidence, "--format", "html").exit_code == 2
    assert gin("audit", evidence, "--receipt", f"1:{'ab' * 32}").exit_code == 2


def test_a_log_is_a_log_all_the_same() -> None:
    assert read_line(CLASSIC.read_bytes().splitlines()[0]).seq == 1
    assert gin("audit", CLASSIC).exit_code == 0


def test_a_match_that_is_too_long_is_refused_at_once_and_told_what_to_do(tmp_path: Path) -> None:
    """A bundle takes 64 MiB of a log."""
    log, out = tmp_path / "long.log", tmp_path / "evidence.zip"
    lines = CLASSIC.read_bytes()
    log.write_bytes(lines * (LARGEST_MEMBER // len(lines) + 1))
    result = gin("dispute", "bundle", log, "-o", out)
    assert (result.exit_code, out.exists()) == (2, False)
    assert "its log is larger than the 64 MiB that a bundle takes" in result.stderr
    assert "gin audit judges logs of any length" in result.stderr

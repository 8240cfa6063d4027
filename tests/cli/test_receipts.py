"""gin receipt, checkpoint and key, and gin audit with what was kept of a log."""

import json
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support_golden import GOLDEN
from support_server import gin as gin_process
from support_server import gin_serve, signed_up
from support_signed import TAMPERED, sign, signed_database, tampered
from support_store import moves, other_stream

from ginrummy.cli import main
from ginrummy.log.heads import write_head
from ginrummy.log.lines import line_hash, read_line
from ginrummy.log.notes import VerifierKey
from ginrummy.log.receipts import read_receipt
from ginrummy.log.signing import SigningKey

CLASSIC = str(GOLDEN / "classic.log")
LINES = [read_line(raw) for raw in Path(CLASSIC).read_bytes().splitlines()]
MATCH = LINES[0].stream
OTHER = str(SigningKey("ginrummy.log/other", bytes(32)).verifier)


def gin(*arguments: object, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments], input=stdin)


def out_of(*arguments: object) -> str:
    result = gin(*arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A database with the classic match, another one, and a tournament's stream; signed."""
    path = tmp_path / "gin.db"
    signed_database(path, moves("m_a", 7).lines, LINES, other_stream("t_a").lines)
    return path


# --- receipts -------------------------------------------------------------------------------------


def test_a_receipt_proves_an_exported_log_without_the_server(db: Path, tmp_path: Path) -> None:
    receipt, key = tmp_path / "final.tlog-proof", out_of("key", "--db", db).strip()
    out_of("receipt", MATCH, "-o", receipt, "--db", db)
    result = gin("audit", CLASSIC, "--receipt", receipt, "--key", key)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "receipt          1  the line" in result.stdout
    assert gin("audit", "-", "--receipt", receipt, stdin=Path(CLASSIC).read_bytes()).exit_code == 0


def test_a_receipt_is_written_to_standard_output(db: Path) -> None:
    found = read_receipt(out_of("receipt", MATCH, "--db", db).encode())
    assert (found.stream, found.seq, found.index) == (MATCH, len(LINES), 6 + len(LINES))


@pytest.mark.parametrize("asked", [("receipt", MATCH), ("checkpoint",)])
def test_what_was_kept_earlier_is_not_overwritten(
    asked: tuple[str, ...], db: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    kept.write_bytes(b"what a server can be held to")
    result = gin(*asked, "-o", kept, "--db", db)
    assert (result.exit_code, "name a new file" in result.stderr) == (2, True)
    assert kept.read_bytes() == b"what a server can be held to"


def test_without_a_key_nothing_is_said_of_the_signature(db: Path, tmp_path: Path) -> None:
    receipt = tmp_path / "final.tlog-proof"
    out_of("receipt", MATCH, "-o", receipt, "--db", db)
    result = gin("audit", CLASSIC, "--receipt", receipt)
    assert result.exit_code == 0
    assert "signature is not checked" in result.stderr
    assert gin("audit", MATCH, "--receipt", receipt, "--db", db).stderr == ""


def test_a_receipt_by_another_key_proves_nothing(db: Path, tmp_path: Path) -> None:
    receipt = tmp_path / "final.tlog-proof"
    out_of("receipt", MATCH, "-o", receipt, "--db", db)
    result = gin("audit", CLASSIC, "--receipt", receipt, "--key", OTHER)
    assert result.exit_code == 1
    assert "proves nothing" in result.stdout


def test_a_receipt_shows_a_log_that_was_cut_or_rewritten(db: Path, tmp_path: Path) -> None:
    receipt, log = tmp_path / "final.tlog-proof", tmp_path / "match.log"
    out_of("receipt", MATCH, "-o", receipt, "--db", db)
    raws = [line.raw for line in LINES]
    last = raws[-1].replace(b'"cmd":"', b'"cmd":"x')
    for spoilt, why in ((raws[:-1], "cut off"), ([*raws[:-1], last], "rewritten")):
        log.write_bytes(b"".join(raw + b"\n" for raw in spoilt))
        result = gin("audit", log, "--receipt", receipt, "--json")
        assert result.exit_code == 1
        faults = json.loads(result.stdout)["faults"]
        (fault,) = (each for each in faults if each["check"] == "receipt")
        assert fault["seq"] == len(LINES)
        assert why in fault["message"]


def test_a_receipt_of_another_match_is_told_so(db: Path, tmp_path: Path) -> None:
    receipt = tmp_path / "other.tlog-proof"
    out_of("receipt", "m_a", "-o", receipt, "--db", db)
    result = gin("audit", CLASSIC, "--receipt", receipt)
    assert result.exit_code == 1
    assert "receipt is for m_a, which is another log" in result.stdout.replace("\n    ", " ")


def test_hashes_that_were_kept_are_compared(db: Path, tmp_path: Path) -> None:
    heads = tmp_path / "match.heads.jsonl"
    kept = [write_head(line.seq, line.hash, line.at) for line in LINES]
    heads.write_bytes(b"".join(kept) + b'{"seq":9')
    assert gin("audit", MATCH, "--receipt", heads, "--db", db).exit_code == 0
    kept[49] = write_head(50, line_hash(b"another"), LINES[49].at)
    heads.write_bytes(b"".join(kept))
    result = gin("audit", CLASSIC, "--receipt", heads, "--json")
    assert [fault["seq"] for fault in json.loads(result.stdout)["faults"]] == [50]


@pytest.mark.parametrize("content", [b"", b"hello\n", b"c2sp.org/tlog-proof@v1\nindex 1\n\n"])
def test_what_is_no_receipt_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "some").write_bytes(content)
    result = gin("audit", CLASSIC, "--receipt", tmp_path / "some")
    assert result.exit_code == 2
    assert "is no receipt" in result.stderr


def test_what_is_no_key_is_refused(tmp_path: Path) -> None:
    result = gin("audit", CLASSIC, "--receipt", f"1:{'ab' * 32}", "--key", "mine")
    assert result.exit_code == 2
    assert "verifier key" in result.stderr


def test_what_is_not_signed_yet_has_no_receipt(db: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    assert gin("receipt", "m_a", "--db", new).exit_code == 2
    assert "no match m_b" in gin("receipt", "m_b", "--db", db).stderr


# --- checkpoints ----------------------------------------------------------------------------------


@pytest.fixture
def checkpoint(db: Path, tmp_path: Path) -> Path:
    path = tmp_path / "today.checkpoint"
    out_of("checkpoint", "-o", path, "--db", db)
    return path


def test_a_log_that_has_only_grown_is_clean(db: Path, checkpoint: Path) -> None:
    assert "has only grown" in out_of("audit", "--checkpoint", checkpoint, "--db", db)
    signed_database(db, moves("m_b", 300).lines)
    signed_database(db, moves("m_c", 9).lines)
    key = out_of("key", "--db", db).strip()
    said = out_of("audit", "--checkpoint", checkpoint, "--db", db, "--key", key, "--json")
    report = json.loads(said)
    first = 7 + len(LINES) + 2
    assert report["lines"] == first + 309
    assert report["checkpoints"] == [first, first + 300, first + 309]


@pytest.mark.parametrize("kind", TAMPERED)
def test_every_change_is_caught_by_an_old_checkpoint(db: Path, checkpoint: Path, kind: str) -> None:
    result = gin("audit", "--checkpoint", checkpoint, "--db", tampered(db, kind))
    assert result.exit_code == 1
    assert "NOT CLEAN" in result.stdout
    assert "checkpoint at" in result.stdout
    assert ("cut off" in result.stdout) == (kind in ("cut", "cut deep", "left out"))


@pytest.mark.parametrize("kind", TAMPERED)
def test_stored_tiles_and_checkpoints_are_not_taken_on_trust(
    db: Path, checkpoint: Path, kind: str
) -> None:
    """Whoever changes the log may make the tree and what is signed anew, with the same key."""
    signed_database(db, moves("m_b", 600).lines)
    changed = tampered(db, kind)
    with sqlite3.connect(changed) as connection:
        for each in ("tiles_stay", "checkpoints_stay"):
            connection.execute(f"DROP TRIGGER {each}")
        connection.execute("DELETE FROM tiles")
        connection.execute("DELETE FROM checkpoints")
    connection.close()
    sign(changed)
    result = gin("audit", "--checkpoint", checkpoint, "--db", changed)
    # The last lines of this log are not those that the old checkpoint is of.
    assert result.exit_code == (0 if kind in ("cut", "forked") else 1), result.stdout


def test_a_checkpoint_of_another_log_is_told_so(db: Path, checkpoint: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    signed_database(other, moves("m_a", 7).lines, LINES, other_stream("t_a").lines)
    result = gin("audit", "--checkpoint", checkpoint, "--db", other)
    assert result.exit_code == 1
    assert "signature at" in result.stdout
    assert gin("audit", "--checkpoint", checkpoint, "--db", db, "--key", OTHER).exit_code == 1


def test_a_checkpoint_goes_alone_and_has_to_be_one(db: Path, checkpoint: Path) -> None:
    for more in ((MATCH,), ("--all",), ("--receipt", f"1:{'ab' * 32}")):
        result = gin("audit", *more, "--checkpoint", checkpoint, "--db", db)
        assert (result.exit_code, "give it alone" in result.stderr) == (2, True)
    for path in (CLASSIC, "nowhere.checkpoint"):
        assert gin("audit", "--checkpoint", path, "--db", db).exit_code == 2


def test_the_key_is_one_line(db: Path, tmp_path: Path) -> None:
    said = out_of("key", "--db", db)
    assert said == f"{VerifierKey.read(said.strip())}\n"
    result = gin("key", "--db", tmp_path / "nowhere.db")
    assert result.exit_code == 2


# --- a server -------------------------------------------------------------------------------------


async def test_a_server_proves_what_it_keeps(tmp_path: Path) -> None:
    db, old = tmp_path / "gin.db", tmp_path / "old.checkpoint"
    async with gin_serve(db, "--checkpoint-every", "1") as server:
        async with signed_up(server.address, "Ann") as ann:
            match = (await ann.create_match()).id
            token = (await ann.create_player("Eve")).token
            asking = ("--server", server.address, "--token", token)
            receipt = tmp_path / "match.tlog-proof"
            code, _, said = await gin_process("receipt", match, "-o", str(receipt), *asking)
            assert code == 0, said
            code, _, said = await gin_process("checkpoint", "-o", str(old), *asking)
            assert code == 0, said
            code, _, said = await gin_process("key", "--server", server.address)
            assert (code, "--token" in said) == (2, True)
            await ann.create_match()
            await ann.receipt(match)
        _, key, _ = await gin_process("key", *asking)
        assert [each["key"] for each in server.events if each["event"] == "signing"] == [
            key.strip()
        ]
        for arguments in (
            ("audit", match, "--receipt", str(receipt), "--key", key.strip()),
            ("audit", match, "--receipt", str(receipt)),
            ("audit", "--checkpoint", str(old), "--key", key.strip()),
        ):
            code, told, said = await gin_process(*arguments, *asking)
            assert code == 0, told + said
        forged = tmp_path / "forged.checkpoint"
        forged.write_bytes(old.read_bytes().replace(b"\n1\n", b"\n2\n"))
        code, told, _ = await gin_process("audit", "--checkpoint", str(forged), *asking)
        assert (code, "NOT CLEAN" in told) == (1, True)
    code, told, said = await gin_process("audit", "--checkpoint", str(old), "--db", str(db))
    assert code == 0, told + said

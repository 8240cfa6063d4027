"""gin audit: its exit codes, what it prints, and whole databases."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support_disputed_logs import replayed_match
from support_golden import GOLDEN, golden_log
from support_logs import (
    TOURNAMENT,
    Table,
    board_played,
    changed,
    forged,
    in_hand,
    played,
    without,
)
from support_node import VERIFY, node
from support_store import other_stream

from ginrummy.cli import main
from ginrummy.log.lines import line_hash, read_line
from ginrummy.store import Append, SqliteStore

CLASSIC = str(GOLDEN / "classic.log")
LOG = Path(CLASSIC).read_bytes().splitlines()


def gin(*arguments: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin, prog_name="gin")


def written(tmp_path: Path, log: list[bytes]) -> str:
    path = tmp_path / "match.log"
    path.write_bytes(b"".join(raw + b"\n" for raw in log))
    return str(path)


def database(path: Path, *tables: Table) -> str:
    store = SqliteStore(path)
    for table in tables:
        store.keep_secret(table.stream, "chain", table.secrets.secret(table.secrets.length))
        store.append([Append(table.stream, 0, tuple(map(read_line, table.log)))])
    store.close()
    return str(path)


def test_a_clean_log_exits_with_0() -> None:
    result = gin("audit", CLASSIC)
    assert result.exit_code == 0
    assert result.stdout.startswith("Audit of m_")
    assert result.stdout.endswith("\nClean: no fault found.\n")
    assert result.stderr == ""


def test_a_faulty_log_exits_with_1_and_names_the_event(tmp_path: Path) -> None:
    log = [*LOG[:40], changed(LOG[40], cmd="another"), *LOG[41:]]
    result = gin("audit", written(tmp_path, log))
    assert result.exit_code == 1
    assert "event 41: chain\n" in result.stdout
    assert result.stdout.endswith("NOT CLEAN: 1 fault found.\n")


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\x00\x01\x02", b"\n\n"])
def test_what_is_no_log_exits_with_2(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "some.log"
    path.write_bytes(content)
    for result in (gin("audit", str(path)), gin("audit", "-", stdin=content)):
        assert result.exit_code == 2
        assert result.stdout == ""
        assert "no log that can be used" in result.stderr


def test_a_directory_exits_with_2(tmp_path: Path) -> None:
    assert gin("audit", f"{tmp_path}/").exit_code == 2


def test_standard_input_is_audited() -> None:
    result = gin("audit", "-", stdin=Path(CLASSIC).read_bytes())
    assert result.exit_code == 0
    assert result.stdout == gin("audit", CLASSIC).stdout


def test_json_is_the_report(tmp_path: Path) -> None:
    path = written(tmp_path, without(LOG, 40))
    result = gin("audit", path, "--json")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert report["clean"] is False
    assert [(fault["check"], fault["seq"]) for fault in report["faults"]] == [("sequence", 41)]
    assert result.stdout.count("\n") == 1


def test_a_receipt_is_compared(tmp_path: Path) -> None:
    receipt = f"60:{line_hash(LOG[59])}"
    assert gin("audit", CLASSIC, "--receipt", receipt).exit_code == 0
    cut = gin("audit", written(tmp_path, LOG[:50]), "--receipt", receipt)
    assert cut.exit_code == 1
    assert "event 60: receipt\n" in cut.stdout
    other = gin("audit", CLASSIC, "--receipt", f"60:{'ab' * 32}")
    assert other.exit_code == 1


@pytest.mark.parametrize("receipt", ["60", "60:xyz", f"0:{'ab' * 32}", f"60:{'AB' * 32}", ":"])
def test_a_receipt_that_cannot_be_one_is_refused(receipt: str) -> None:
    result = gin("audit", CLASSIC, "--receipt", receipt)
    assert result.exit_code == 2
    assert "64 hex digits" in result.stderr


def test_a_match_of_the_database_is_audited_with_its_secrets(tmp_path: Path) -> None:
    table = Table(13).seated().play(until=in_hand(3))
    result = gin("audit", table.stream, "--db", database(tmp_path / "gin.db", table), "--json")
    assert result.exit_code == 0
    done = {check["name"]: check["status"] for check in json.loads(result.stdout)["checks"]}
    assert done["deck"] == done["dealing"] == "passed"
    assert done["reveal"] == "waiting"


def test_a_board_of_the_database_is_audited_with_its_tournaments_secrets(tmp_path: Path) -> None:
    table = board_played(5, revealed=False)
    db = str(tmp_path / "gin.db")
    store = SqliteStore(db)
    store.keep_secret(TOURNAMENT, "boards", table.secrets.secret(table.secrets.length))
    store.append([Append(table.stream, 0, tuple(map(read_line, table.log)))])
    store.close()
    result = gin("audit", table.stream, "--db", db, "--json")
    assert result.exit_code == 0
    done = {check["name"]: check["status"] for check in json.loads(result.stdout)["checks"]}
    assert done["deck"] == done["dealing"] == "passed"
    assert done["reveal"] == "waiting"
    assert done["nonces"] == "not_applicable"
    told = gin("replay", table.stream, "--db", db, "--seat", "0")
    assert told.exit_code == 0
    assert "draws from the stock" in told.stdout


def test_all_matches_of_a_database_are_audited(tmp_path: Path) -> None:
    tables = [played(1), played(2, "classic"), Table(13).seated()]
    db = database(tmp_path / "gin.db", *tables)
    store = SqliteStore(db)
    store.append([other_stream("t_01")])
    store.close()
    result = gin("audit", "--all", "--db", db)
    assert result.exit_code == 0
    assert sorted(result.stdout.splitlines()) == sorted(
        f"{table.stream}\tclean\t{len(table.log)}" for table in tables
    )
    assert result.stderr == "3 matches, 0 with faults\n"
    one = gin("audit", "--all", "--db", database(tmp_path / "one.db", tables[0]))
    assert one.stderr == "1 match, 0 with faults\n"
    told = gin("audit", "--all", "--db", db, "--json").stdout.splitlines()
    assert {json.loads(line)["stream"] for line in told} == {table.stream for table in tables}


def test_one_faulty_match_among_many_is_named(tmp_path: Path) -> None:
    good, bad = played(1), played(2, "classic")
    # A server that scores as it likes: no link is broken, so only the rules can tell.
    index = next(index for index, line in enumerate(bad.lines) if line.type == "hand_scored")
    cut = [*map(read_line, bad.log[:index])]
    forged = read_line(changed(bad.log[index], data_points=99))
    store = SqliteStore(tmp_path / "gin.db")
    store.append([Append(good.stream, 0, tuple(map(read_line, good.log)))])
    store.append([Append(bad.stream, 0, (*cut, forged))])
    store.close()
    result = gin("audit", "--all", "--db", str(tmp_path / "gin.db"))
    assert result.exit_code == 1
    assert f"{bad.stream}\tfaulty\t{index + 1}\n" in result.stdout
    assert f"{bad.stream}\tevent {index + 1}\tscores: " in result.stdout
    assert f"{good.stream}\tclean\t" in result.stdout
    assert result.stderr == "2 matches, 1 with faults\n"


@pytest.mark.parametrize(
    "arguments",
    [[], [CLASSIC, "--all"], ["--all", "--receipt", f"1:{'ab' * 32}"], ["--all", "--server", "x"]],
)
def test_what_makes_no_sense_together_is_refused(arguments: list[str]) -> None:
    assert gin("audit", *arguments).exit_code == 2


# --- hands that were played again -----------------------------------------------------------------

REPLAYED, REPLAYED_HAND = str(GOLDEN / "replayed.log"), str(GOLDEN / "replayed_hand.log")


def test_a_hand_that_was_played_again_is_compared_with_its_match_and_the_other_way() -> None:
    alone = gin("audit", REPLAYED)
    assert (alone.exit_code, "no log of the hand played again was given" in alone.output) == (
        0,
        True,
    )
    beside = gin("audit", REPLAYED, "--replay", REPLAYED_HAND)
    assert (beside.exit_code, "ok      replays          1" in beside.output) == (0, True)
    beside = gin("audit", REPLAYED_HAND, "--origin", REPLAYED)
    assert (beside.exit_code, "ok      origin           1" in beside.output) == (0, True)
    full = gin("audit", REPLAYED, "--replay", REPLAYED_HAND, "--format", "text")
    assert (full.exit_code, "ok      replays          1" in full.output) == (0, True)
    beside = gin("audit", REPLAYED_HAND, "--origin", CLASSIC)
    assert (beside.exit_code, "FAULT   origin" in beside.output) == (1, True)


def test_another_replay_than_the_match_tells_of_is_a_fault(tmp_path: Path) -> None:
    log = golden_log("replayed_hand")
    wrong = written(tmp_path, forged(log, len(log) - 1, at="2027-01-01T00:00:00.000000Z"))
    result = gin("audit", REPLAYED, "--replay", wrong)
    assert (result.exit_code, "event 49: replays, rule R8\n" in result.output) == (1, True)


def test_a_replay_that_is_no_log_exits_with_2(tmp_path: Path) -> None:
    for content in (b"", b"hello\n"):
        path = tmp_path / "some.log"
        path.write_bytes(content)
        result = gin("audit", REPLAYED, "--replay", str(path))
        assert (result.exit_code, "is no log" in result.stderr) == (2, True)


def test_in_a_database_with_both_a_replay_is_compared_by_itself(tmp_path: Path) -> None:
    table, replay = replayed_match()
    db = database(tmp_path / "gin.db", table, replay)
    for match, check in ((table.stream, "replays"), (replay.stream, "origin")):
        report = json.loads(gin("audit", match, "--db", db, "--json").stdout)
        (found,) = [each for each in report["checks"] if each["name"] == check]
        assert (report["clean"], found["status"]) == (True, "passed")
    alone = database(tmp_path / "one.db", table)
    report = json.loads(gin("audit", table.stream, "--db", alone, "--json").stdout)
    (found,) = [each for each in report["checks"] if each["name"] == "replays"]
    assert (report["clean"], found["status"]) == (True, "not_applicable")


def test_all_matches_take_no_log_beside_them(tmp_path: Path) -> None:
    db = database(tmp_path / "gin.db", played(1))
    result = gin("audit", "--all", "--db", db, "--replay", REPLAYED_HAND)
    assert (result.exit_code, "--replay" in result.stderr) == (2, True)


def test_the_independent_verifier_says_as_well_what_was_not_shown() -> None:
    alone = node(VERIFY, REPLAYED)
    assert (alone.returncode, alone.stdout) == (0, "")
    assert "not shown: hands were played again, and the logs of 1 are not given" in alone.stderr
    alone = node(VERIFY, REPLAYED_HAND)
    assert (alone.returncode, alone.stdout) == (0, "")
    assert "not shown: it branches off from a match whose log is not given" in alone.stderr
    for arguments in (["--replay", REPLAYED_HAND, REPLAYED], ["--origin", REPLAYED, REPLAYED_HAND]):
        beside = node(VERIFY, *arguments)
        assert (beside.returncode, beside.stdout, beside.stderr) == (0, "", "")
    wrong = node(VERIFY, "--origin", CLASSIC, REPLAYED_HAND)
    assert (wrong.returncode, wrong.stdout.startswith("1 origin ")) == (1, True)

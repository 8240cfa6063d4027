"""gin fork: from a database, a file or a server, played on by bots or left for people."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support_forks import forked
from support_golden import GOLDEN, golden_log
from support_logs import Log, Table, events_of, in_hand, played
from support_server import InProcess, gin, in_process, signed_up, until

from ginrummy.bots.simple import SimpleBot
from ginrummy.cli import main
from ginrummy.client import Client
from ginrummy.store import CHAIN_SECRET, Append, MatchQuery, SqliteStore
from ginrummy.v1.ruleset_pb2 import Ruleset

CLASSIC = str(GOLDEN / "classic.log")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="gin")


def lines(db: Path, match: str) -> Log:
    store = SqliteStore(str(db), create=False)
    try:
        return list(store.read(match))
    finally:
        store.close()


def keep(db: Path, table: Table) -> str:
    """Put a match into a database, with its secrets, and return its id."""
    store = SqliteStore(str(db))
    try:
        last = table.secrets.secret(table.secrets.length)
        store.keep_secret(table.stream, CHAIN_SECRET, last)
        store.append([Append(table.stream, 0, tuple(table.lines))])
    finally:
        store.close()
    return table.stream


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "gin.db"


# --- in a database --------------------------------------------------------------------------------


async def test_two_bots_play_a_fork_of_a_file_to_its_end(db: Path) -> None:
    where = ("--db", str(db))
    code, out, err = await gin(
        "fork", CLASSIC, "--at", "58", "--bot", "simple", "--bot", "expert", *where
    )
    assert code == 0, err
    match, first, second, winner, reason = out.strip().split("\t")
    told = err.splitlines()
    assert told[0].startswith(
        "A practice match goes on from event 58 of m_va00n5q840vxw08e6f4ca81qgn"
    )
    assert "5 moves are taken over" in told[0]
    # They come at the same time.
    assert set(told[1:3]) == {"simple sits down at seat 0", "expert sits down at seat 1"}
    log = lines(db, match)
    ended = json.loads(log[events_of(log, "match_ended")[0]])["data"]
    assert (ended["totals"], ended["reason"]) == ([int(first), int(second)], reason)
    assert winner == ("-" if ended["winner"] is None else str(ended["winner"]))
    listed = run("matches", *where)
    assert listed.output.split("\t")[7] == "practice"
    assert json.loads(run("matches", "--json", *where).output)["practice"] is True
    # The file is not in the database: it has to be named, and then every line is compared.
    audited = run("audit", match, *where)
    assert (audited.exit_code, "-       origin" in audited.output) == (0, True)
    audited = run("audit", match, "--origin", CLASSIC, *where)
    assert (audited.exit_code, "ok      origin" in audited.output) == (0, True)
    audited = run("audit", match, "--origin", str(GOLDEN / "standard.log"), *where)
    assert (audited.exit_code, "FAULT   origin" in audited.output) == (1, True)


async def test_a_fork_in_the_database_of_its_origin_is_compared_by_itself(db: Path) -> None:
    match = keep(db, played(3, hands=2))
    code, out, err = await gin(
        *("fork", match, "--at", "20", "--unseen", "reshuffled", "--seat", "1", "--quiet"),
        *("--bot", "1=simple", "--bot", "random", "--seed", "4", "--db", str(db)),
    )
    assert (code, err) == (0, "")
    made = out.split("\t")[0]
    for form in ((), ("--json",), ("--format", "text", "--no-decisions")):
        audited = run("audit", made, *form, "--db", str(db))
        assert audited.exit_code == 0, audited.output
    report = json.loads(run("audit", made, "--json", "--db", str(db)).output)
    (check,) = [each for each in report["checks"] if each["name"] == "origin"]
    assert check["status"] == "passed"
    origin = json.loads(lines(db, made)[0])["data"]["origin"]
    assert (origin["match"], origin["seq"], origin["seat"]) == (match, 20, 1)
    seated = [json.loads(line)["data"]["name"] for line in lines(db, made)[1:3]]
    assert sorted(seated) == ["random", "simple"]


def test_without_bots_it_is_left_for_people(db: Path) -> None:
    result = run("fork", CLASSIC, "--at", "58", "--db", str(db), "--name", "What if")
    assert result.exit_code == 0
    match = result.stdout.strip()
    assert f"gin serve --db {db}" in result.stderr
    assert f"gin play --match {match}" in result.stderr
    log = lines(db, match)
    assert len(log) == 1
    assert json.loads(log[0])["data"]["name"] == "What if"
    # A server that is started on it deals from there.
    store = SqliteStore(str(db), create=False)
    assert store.matches(MatchQuery()).matches[0].practice
    store.close()


def test_a_fork_from_standard_input(db: Path) -> None:
    raw = Path(CLASSIC).read_bytes()
    result = CliRunner().invoke(main, ["fork", "-", "--at", "58", "--db", str(db)], input=raw)
    assert result.exit_code == 0


def test_an_event_that_brings_others_about_stands_for_the_last(db: Path) -> None:
    log = golden_log("classic")
    discarded = events_of(log, "laid_off")[0] + 1
    result = run("fork", CLASSIC, "--at", str(discarded), "--db", str(db))
    assert result.exit_code == 0
    assert f"(event {discarded} brings that about at once); no move is taken over" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--at", "84"), "the last event from which it can go on is"),
        (("--at", "900"), "there is no event 900: the last one is 84"),
        (("--at", "0"), "Invalid value for '--at'"),
        ((), "Missing option '--at'"),
        (("--at", "9", "--seat", "0"), "--seat says whose cards stay with --unseen reshuffled"),
        (("--at", "9", "--bot", "nobody"), "nobody"),
        (("--at", "9", *("--bot", "simple") * 3), "a match has two seats"),
        (("--at", "9", "--bot", "1=simple", "--bot", "1=random"), "a match has two seats"),
        (("--at", "9", "--server", "127.0.0.1:1"), "a server forks its own matches"),
    ],
)
def test_what_cannot_be_forked_is_refused_and_leaves_nothing(
    arguments: tuple[str, ...], why: str, db: Path
) -> None:
    result = run("fork", CLASSIC, *arguments, "--db", str(db))
    assert result.exit_code == 2
    assert why in result.stderr
    assert "Traceback" not in result.stderr
    if db.exists():
        store = SqliteStore(str(db), create=False)
        assert store.last_position() == 0
        store.close()


def test_what_is_no_match_is_refused(db: Path, tmp_path: Path) -> None:
    assert (
        "there is no such file" in run("fork", "nothing.log", "--at", "9", "--db", str(db)).stderr
    )
    nowhere = run("fork", "m_" + "0" * 26, "--at", "9", "--db", str(db))
    assert (nowhere.exit_code, "is not there" in nowhere.stderr) == (2, True)
    assert not db.exists()
    match = keep(db, played(3, hands=1))
    missing = run("fork", "m_" + "0" * 26, "--at", "9", "--db", str(db))
    assert missing.exit_code == 2
    assert "there is no match" in missing.stderr
    broken = tmp_path / "broken.log"
    broken.write_bytes(Path(CLASSIC).read_bytes().replace(b'"card":"', b'"card" :"', 1))
    damaged = run("fork", str(broken), "--at", "58", "--db", str(db))
    assert damaged.exit_code == 2
    assert "gin audit says more" in damaged.stderr
    assert match


def test_the_operator_s_secrets_open_no_match_that_is_played(db: Path) -> None:
    """They are in reach, and no fork tells what they hide."""
    match = keep(db, Table(5, hands=3).seated().play(until=in_hand(2)))
    for kept in ((), ("--unseen", "reshuffled", "--seat", "0")):
        result = run("fork", match, "--at", "9", *kept, "--db", str(db))
        assert result.exit_code == 2
        assert "the cards of hand 1 are not out" in result.stderr
        assert "--unseen reshuffled, without --seat" in result.stderr
    result = run("fork", match, "--at", "9", "--unseen", "reshuffled", "--db", str(db))
    assert result.exit_code == 0


def test_the_operator_s_secrets_open_a_match_that_is_over(db: Path) -> None:
    match = keep(db, played(5, hands=1, reveal="director"))
    assert run("fork", match, "--at", "9", "--db", str(db)).exit_code == 0


def test_a_fork_is_forked_again(db: Path) -> None:
    fork = forked(golden_log("classic"), 58)
    fork.play()
    file = db.with_name("fork.log")
    file.write_bytes(b"".join(line + b"\n" for line in fork.log))
    result = run("fork", str(file), "--at", "20", "--db", str(db))
    assert result.exit_code == 0
    audited = run("audit", result.stdout.strip(), "--origin", str(file), "--db", str(db))
    assert audited.exit_code == 0


# --- at a server ----------------------------------------------------------------------------------


@pytest.fixture
async def server() -> AsyncIterator[InProcess]:
    async with in_process() as server:
        yield server


@pytest.fixture
async def ann(server: InProcess) -> AsyncIterator[Client]:
    async with signed_up(server.address, "Ann") as client:
        yield client


async def over(server: InProcess, ann: Client) -> str:
    """Return a match that is over."""
    match = await ann.create_match(rules=Ruleset(hands=1))
    async with signed_up(server.address, "Bo") as bob:
        await asyncio.gather(ann.play(match.id, SimpleBot()), bob.play(match.id, SimpleBot()))
    return match.id


async def test_two_bots_play_a_fork_at_a_server(server: InProcess, ann: Client) -> None:
    match = await over(server, ann)
    code, out, err = await gin(
        *("fork", match, "--at", "12", "--bot", "simple", "--bot", "random", "--seed", "1"),
        *("--server", server.address),
    )
    assert code == 0, err
    made = await ann.match(out.split("\t")[0])
    assert (made.origin.match_id, made.origin.seq) == (match, 12)
    assert [seat.name for seat in made.seats] == ["simple", "random"]
    assert list(map(int, out.split("\t")[1:3])) == list(made.outcome.totals)


async def test_one_bot_waits_for_somebody_to_join(server: InProcess, ann: Client) -> None:
    match = await over(server, ann)
    playing = asyncio.create_task(
        gin("fork", match, "--at", "12", "--bot", "1=simple", "--server", server.address, "--quiet")
    )
    for pause in until(pause=0.05):
        if made := [row async for row in ann.matches() if row.practice]:
            break
        await asyncio.sleep(pause)
    # Nobody who only seeks a table is drawn into practice.
    seeking = asyncio.create_task(
        gin("bot", "simple", "--seek", "--quiet", "--server", server.address)
    )
    await asyncio.sleep(0.5)
    assert not seeking.done()
    result = await ann.play(made[0].id, SimpleBot())
    code, out, err = await playing
    assert (code, out, result.seat) == (0, f"{made[0].id}\n", 0)
    assert f"gin play --match {made[0].id} --server {server.address}" in err
    other = await ann.create_match(rules=Ruleset(hands=1))
    await ann.play(other.id, SimpleBot())
    assert (await seeking)[0] == 0


async def test_a_server_s_refusal_is_told(server: InProcess, ann: Client) -> None:
    match = await over(server, ann)
    last = (await ann.match(match)).seq
    code, out, err = await gin("fork", match, "--at", str(last), "--server", server.address)
    assert (code, out) == (2, "")
    assert "the last event from which it can go on is" in err


async def test_a_server_s_refusal_to_tell_cards_says_what_can_be_had(
    server: InProcess, ann: Client
) -> None:
    match = (await ann.create_match()).id
    async with signed_up(server.address, "Bo") as bob:
        for client in (ann, bob):
            await client.join(match)
        for client in (ann, bob):
            seq = (await client.reveal_nonce(match)).seq
        code, out, err = await gin("fork", match, "--at", str(seq), "--server", server.address)
    assert (code, out) == (2, "")
    assert "--unseen reshuffled, without --seat" in err

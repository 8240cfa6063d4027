"""gin tournament run: whole tournaments of a few boards, with real processes and real ports."""

import asyncio
import json
import signal
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support_server import GIN, gin, gin_serve, new_director, until

from ginrummy.cli import main
from ginrummy.cli.tournament.columns import PAGE
from ginrummy.store import SqliteStore

SMALL = ("--boards", "3", "--tables", "2", "--bot", "simple", "--bot", "Other=simple")

NOBODYS = f"t_{'0' * 26}"


async def run(db: Path, *options: str) -> tuple[str, str]:
    """Run a tournament to its end; return what it wrote on both outputs."""
    code, out, err = await gin("tournament", "run", "--db", str(db), *options)
    assert code == 0, err
    return out, err


def ids(db: Path) -> list[str]:
    store = SqliteStore(db, create=False)
    try:
        return [*store.streams("t_")]
    finally:
        store.close()


def lines(db: Path, tournament: str) -> list[dict[str, Any]]:
    store = SqliteStore(db, create=False)
    try:
        return [json.loads(raw) for raw in store.read(tournament)]
    finally:
        store.close()


async def test_a_tournament_from_one_command_to_its_audit(tmp_path: Path) -> None:
    db = tmp_path / "some.db"
    out, err = await run(db, *SMALL, "--bot", "random", "--name", "Season opener")
    (tournament,) = ids(db)
    said = out.splitlines()
    assert said[0] == "Season opener: over after 3 rounds"
    assert sorted(line.split()[1] for line in said[3:6]) == ["Other", "random", "simple"]
    assert said[5].split()[:3] == ["3", "random", "2"]
    assert "How 18 sittings ended: played 18." in said
    assert said[-1] == f"Tournament {tournament}"
    assert max(map(len, said)) <= PAGE
    assert f"gin tournament audit {tournament} --db {db}" in err
    code, report, _ = await gin("tournament", "audit", tournament, "--db", str(db))
    assert code == 0
    assert "18 matches audited, none with a fault." in report


async def test_bots_that_are_started_here_sign_by_keys_that_are_kept_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    db = tmp_path / "some.db"
    await run(db, *SMALL, "--signing", "required")
    (tournament,) = ids(db)
    told = lines(db, tournament)
    kept = {file.stem for file in (tmp_path / "state" / "ginrummy" / "keys").iterdir()}
    entered = {
        line["data"]["entrant"]: line["data"]["key"]
        for line in told
        if line["type"] == "entrant_entered"
    }
    assert kept == entered.keys()
    matches = [line["data"]["match"] for line in told if line["type"] == "sitting_ended"]
    moves = [line for match in matches for line in lines(db, match) if line["type"] == "discarded"]
    assert moves
    assert all("sig" in line for line in moves)
    code, report, _ = await gin("tournament", "audit", tournament, "--db", str(db))
    assert code == 0
    assert "6 matches audited, none with a fault." in report


async def test_the_stream_is_an_object_a_line_and_ends_with_the_standings(tmp_path: Path) -> None:
    out, _ = await run(tmp_path / "some.db", *SMALL, "--json", "--quiet")
    *events, last = map(json.loads, out.splitlines())
    kinds = [event["type"] for event in events]
    assert kinds == ["round_paired", *["sitting_ended"] * 6, "result_recorded"]
    assert [event["seq"] for event in events] == sorted({event["seq"] for event in events})
    assert last["type"] == "standings"
    assert last["sittings"] == {"played": 6}
    points = [row["points_a_board"]["value"] for row in last["standings"]]
    assert sum(points) == pytest.approx(0)


async def test_what_is_over_hinders_no_further_one_and_is_told_again_by_its_id(
    tmp_path: Path,
) -> None:
    db = tmp_path / "some.db"
    first, _ = await run(db, *SMALL)
    (tournament,) = ids(db)
    again, said = await run(db, tournament)
    assert again == first
    assert f"Over already: Round robin, {tournament}" in said
    await run(db, *SMALL)
    assert len(ids(db)) == 2


async def test_ctrl_c_stops_it_and_the_same_command_goes_on(tmp_path: Path) -> None:
    db = tmp_path / "some.db"
    many = ("--boards", "12", "--tables", "2", "--bot", "simple", "--bot", "expert")
    process = await asyncio.create_subprocess_exec(
        *GIN,
        *("tournament", "run", "--db", str(db), *many),
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
    )
    reading = asyncio.create_task(process.communicate())
    for pause in until(60, 0.1):
        if db.exists() and ids(db) and _over(db):
            break
        await asyncio.sleep(pause)
    process.send_signal(signal.SIGINT)
    out, err = await reading
    (tournament,) = ids(db)
    assert process.returncode == 130
    assert out == b""
    assert f"gin tournament run {tournament} --db {db}" in err.decode()
    before = _over(db)
    assert 0 < before < 24
    final, said = await run(db, *many)
    assert f"Going on with Round robin, {tournament}" in said
    assert ids(db) == [tournament]
    assert "How 24 sittings ended: played 24." in final


def _over(db: Path) -> int:
    (tournament,) = ids(db)
    return sum(line["type"] == "sitting_ended" for line in lines(db, tournament))


async def test_a_crash_before_everybody_has_entered_is_made_good(tmp_path: Path) -> None:
    db = tmp_path / "some.db"
    terms = ("--boards", "2", "--tables", "1", "--closed", "--name", "Round robin")
    code, made, _ = await gin("tournament", "new", "--db", str(db), *terms)
    assert code == 0
    _, said = await run(
        db, "--boards", "2", "--tables", "1", "--bot", "simple", "--bot", "Other=simple"
    )
    assert f"Going on with Round robin, {made.strip()}" in said
    assert ids(db) == [made.strip()]


async def test_other_terms_and_new_are_another_tournament(tmp_path: Path) -> None:
    db = tmp_path / "some.db"
    terms = ("--boards", "2", "--tables", "1", "--closed", "--name", "Round robin")
    await gin("tournament", "new", "--db", str(db), *terms)
    bots = ("--bot", "simple", "--bot", "Other=simple")
    await run(db, "--boards", "1", "--tables", "1", *bots)
    await run(db, "--boards", "2", "--tables", "1", "--new", *bots)
    assert len(ids(db)) == 3


async def test_a_bot_whose_program_dies_is_told_of_and_counted(tmp_path: Path) -> None:
    (tmp_path / "dies.py").write_text(
        "from ginrummy.bots import SimpleBot\n"
        "class Dies(SimpleBot):\n"
        "    def draw(self, view):\n"
        "        raise RuntimeError('no more')\n"
    )
    dies = f"Dies={tmp_path}/dies.py:Dies"
    out, err = await run(
        tmp_path / "some.db",
        *("--boards", "1", "--tables", "1", "--bot", "simple", "--bot", dies, "--quiet"),
    )
    assert "no more" in err
    assert "Dies's program died: 1 " in err
    assert "crash" in out
    assert out.splitlines()[3].split()[:2] == ["1", "simple"]


async def test_a_tournament_at_somebody_elses_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db, state = tmp_path / "some.db", tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    async with gin_serve(db) as server:
        at = ("--server", server.address)
        code, _, said = await gin("tournament", "run", *at, *SMALL)
        assert code == 2
        assert "token" in said
        monkeypatch.setenv("GINRUMMY_TOKEN", await new_director(db))
        code, out, said = await gin("tournament", "run", *at, *SMALL)
        assert code == 0, said
        (tournament,) = ids(db)
        (kept,) = (state / "ginrummy" / "tournaments").iterdir()
        assert kept.name == f"{tournament}.tokens"
        assert kept.stat().st_mode & 0o777 == 0o600
        for command in ("standings", "show", "audit", "log", "watch"):
            here = await gin("tournament", command, tournament, "--db", str(db))
            assert await gin("tournament", command, tournament, *at) == here
        _, standings, _ = await gin("tournament", "standings", tournament, *at)
        assert standings == out
        _, listed, _ = await gin("tournament", "list", *at)
        assert listed.startswith(f"{tournament}\tended\t2\t1\t")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--bot", "simple"), "a tournament takes two at least"),
        (("--bot", "simple", "--bot", "nosuch"), "there is no program 'nosuch'"),
        (("--bot", "simple", "--bot", "./nosuch.py"), "there is no file"),
        ((*SMALL, "--db", ":memory:"), "--db: name a file"),
        ((*SMALL, "--bot", "random", "--sprt", "elo0=0,elo1=20"), "is between two entrants"),
        ((NOBODYS, "--boards", "3"), "leave the rest out"),
    ],
)
def test_what_cannot_be_planned_is_refused_before_anything_is_made(
    tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    db = tmp_path / "some.db"
    result = CliRunner().invoke(main, ["tournament", "run", "--db", str(db), *options])
    assert result.exit_code == 2
    assert not result.stdout
    assert said in result.stderr
    assert not db.exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((*SMALL, "--listen", "nowhere"), "cannot listen on nowhere"),
        ((NOBODYS,), "there is no tournament"),
    ],
)
async def test_what_cannot_be_run_is_refused_with_a_reason(
    tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    db = tmp_path / "some.db"
    code, out, err = await gin("tournament", "run", "--db", str(db), *options)
    assert code == 2
    assert not out
    assert said in err
    assert "Traceback" not in err
    assert not ids(db)

"""`gin play`, `gin bot` and `gin watch` as processes, at a server of this one."""

import asyncio
import os
import stat
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from support_client import FakeServer, serving
from support_logs import Table
from support_server import GIN, SOON, InProcess, in_process, signed_up

from ginrummy.audit.audit import audit
from ginrummy.bots import SimpleBot
from ginrummy.cli import main
from ginrummy.client import Client, KeyFile
from ginrummy.log.ed25519 import public_key
from ginrummy.v1 import match_pb2
from ginrummy.v1.match_service_pb2 import PlayResponse
from ginrummy.v1.ruleset_pb2 import SIGNING_POLICY_OPTIONAL

BAD_BOT = """
class BadBot:
    def offer(self, view):
        raise ZeroDivisionError("no such luck")

    draw = discard = lay_off = offer
"""


class Gin:
    """The command `gin` with its server and its state told by the environment."""

    def __init__(self, address: str, tmp_path: Path) -> None:
        self.tmp_path = tmp_path
        self.environment = {
            **os.environ,
            "GINRUMMY_SERVER": address,
            "GINRUMMY_TOKEN": "",
            "XDG_STATE_HOME": str(tmp_path / "state"),
        }

    async def __call__(self, *arguments: str, typed: str = "") -> tuple[int, str, str]:
        """Run it to its end; return its exit code, and what it wrote on both outputs."""
        process = await asyncio.create_subprocess_exec(
            *GIN,
            *arguments,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=self.environment,
            cwd=self.tmp_path,
        )
        written = process.communicate(typed.encode())
        out, err = await asyncio.wait_for(written, SOON)
        assert process.returncode is not None
        return process.returncode, out.decode(), err.decode()


@pytest.fixture
async def server() -> AsyncIterator[InProcess]:
    async with in_process() as server:
        yield server


@pytest.fixture
async def ann(server: InProcess) -> AsyncIterator[Client]:
    async with signed_up(server.address, "Ann") as client:
        yield client


@pytest.fixture
def gin(server: InProcess, tmp_path: Path) -> Gin:
    return Gin(server.address, tmp_path)


async def opened(client: Client, target: int = 20) -> str:
    """Return a match at which the client waits for somebody."""
    rules = match_pb2.Match().rules
    rules.target = target
    match = await client.create_match(rules=rules)
    await client.join(match.id)
    return match.id


# --- gin bot --------------------------------------------------------------------------------------


async def test_a_bot_plays_and_prints_its_result(gin: Gin, ann: Client) -> None:
    match_id = await opened(ann)
    (code, out, err), ours = await asyncio.gather(
        gin("bot", "simple", "--match", match_id), ann.play(match_id, SimpleBot())
    )
    assert (code, len(out.splitlines())) == (0, 1)
    match, how, own, theirs, checked, unchecked = out.strip().split("\t")
    assert match == match_id
    assert how == ("lost" if ours.outcome.winner == ours.seat else "won")
    assert [int(own), int(theirs)] == [ours.outcome.totals[1], ours.outcome.totals[0]]
    assert (int(checked), int(unchecked)) == (ours.checked, 0)
    assert err.startswith(f"match {match_id}\n")
    assert "hand 1: " in err
    assert list((gin.tmp_path / "state" / "ginrummy" / "nonces").iterdir()) == []


async def test_two_bots_find_each_other(gin: Gin) -> None:
    one, other = await asyncio.gather(
        gin("bot", "simple", "--new", "--target", "10", "--quiet", "--name", "Zoe"),
        gin("bot", "random", "--seed", "1", "--seek", "--quiet"),
    )
    assert (one[0], one[2]) == (other[0], other[2]) == (0, "")
    assert one[1].split("\t")[0] == other[1].split("\t")[0]
    assert {one[1].split("\t")[1], other[1].split("\t")[1]} == {"won", "lost"}


async def test_players_sign_where_they_have_to(
    gin: Gin, server: InProcess, ann: Client, tmp_path: Path
) -> None:
    """Each by a key of its own, kept where nobody else reads it; or by one that is named."""
    opened = asyncio.create_task(
        gin("bot", "simple", "--new", "--target", "10", "--signing", "required")
    )
    own = str(tmp_path / "own.pem")
    joined = gin("bot", "simple", "--seek", "--key-file", own)
    (code, out, err), (other, *_) = await asyncio.gather(opened, joined)
    assert (code, other) == (0, 0)
    match_id = out.split("\t")[0]
    log = [line async for line in ann.log(match_id)]
    report = audit(log)
    assert report.clean, report.faults
    assert report.check("signatures").count > 0
    (kept,) = (tmp_path / "state" / "ginrummy" / "keys").iterdir()
    for file in (kept, Path(own)):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    keys = {public_key(KeyFile(file).secret("")).hex() for file in (kept, Path(own))}
    assert keys == {seat.key for seat in (await ann.match(match_id)).seats}
    assert any(f"Your public key: {key}" in err for key in keys)


async def test_a_match_that_may_be_signed_and_disputed_is_made_so(gin: Gin, ann: Client) -> None:
    opened = asyncio.create_task(
        gin(
            *("bot", "simple", "--new", "--target", "10", "--signing", "optional"),
            *("--dispute-within", "2h"),
        )
    )
    await gin("bot", "simple", "--seek")
    match = await ann.match((await opened)[1].split("\t")[0])
    assert match.signing == SIGNING_POLICY_OPTIONAL
    assert match.dispute_ms == 7_200_000
    assert all(seat.key for seat in match.seats)


async def test_a_file_that_holds_no_key_is_refused_before_anybody_sits_down(
    gin: Gin, ann: Client, tmp_path: Path
) -> None:
    (tmp_path / "own.pem").write_text("nonsense")
    (tmp_path / "own.pem").chmod(0o600)
    made = await ann.create_match(signing=SIGNING_POLICY_OPTIONAL)
    code, out, err = await gin("bot", "simple", "--match", made.id, "--key-file", "own.pem")
    assert (code, out) == (2, "")
    assert "own.pem holds no Ed25519 key" in err
    assert "Traceback" not in err
    assert not any(seat.player_id for seat in (await ann.match(made.id)).seats)


async def test_a_bot_that_fails_gives_up_the_match(gin: Gin, ann: Client) -> None:
    (gin.tmp_path / "badbot.py").write_text(BAD_BOT)
    match_id = await opened(ann)
    (code, out, err), ours = await asyncio.gather(
        gin("bot", "./badbot.py", "--match", match_id), ann.play(match_id, SimpleBot())
    )
    assert (code, out) == (1, "")
    assert 'raise ZeroDivisionError("no such luck")' in err
    assert "Error: the bot has failed: ZeroDivisionError('no such luck')" in err
    assert ours.outcome.winner == ours.seat


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bot", "simple"], "give one of --match, --seek and --new"),
        (["bot", "simple", "--new", "--seek"], "give one of --match, --seek and --new"),
        (["bot", "simple", "--match", "m_1", "--seek"], "give one of --match, --seek and --new"),
        (["bot", "smple", "--seek"], "'smple' is no bot: write random, simple, expert"),
        (["play", "--against", "simple", "--seek"], "--against makes a new match"),
        (["play", "--against", "smple"], "'smple' is no bot"),
    ],
)
def test_what_cannot_be_meant_is_said(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert message in result.stderr


async def test_what_the_server_refuses_is_one_line(gin: Gin) -> None:
    code, out, err = await gin("watch", "m_nowhere")
    assert (code, out) == (2, "")
    assert err == "Error: there is no match 'm_nowhere' on this server\n"
    gin.environment["GINRUMMY_TOKEN"] = "nobody's"
    code, out, err = await gin("watch", "m_nowhere")
    assert (code, out) == (2, "")
    assert err.endswith("check --token or GINRUMMY_TOKEN\n")


async def test_a_server_that_cheats_is_called_out(tmp_path: Path) -> None:
    def spoil(response: PlayResponse) -> None:
        for event in response.events:
            if event.drawn:
                event.drawn = "AS" if event.drawn != "AS" else "2S"

    cheat = FakeServer(Table(1, target=20))
    cheat.spoil = spoil
    async with serving(cheat) as address:
        code, out, err = await Gin(address, tmp_path)("bot", "simple", "--match", "m_1")
        assert (code, out) == (1, "")
        assert "TAMPERED: " in err


# --- gin watch ------------------------------------------------------------------------------------


async def test_a_watch_tells_a_match_a_line_an_event(
    gin: Gin, server: InProcess, ann: Client
) -> None:
    async with signed_up(server.address, "Bob") as bob:
        match_id = await opened(ann)
        await asyncio.gather(ann.play(match_id, SimpleBot()), bob.play(match_id, SimpleBot()))
    lines = [line async for line in ann.log(match_id)]
    code, out, _ = await gin("watch", match_id, "--ascii")
    assert code == 0
    assert "Ann sits down at seat 0" in out.splitlines()[1]
    assert "wins the match" in out
    code, out, _ = await gin("watch", match_id, "--json", "--after", "5")
    assert (code, out.encode().splitlines()) == (0, lines[5:])


# --- gin play -------------------------------------------------------------------------------------


async def test_a_person_plays_against_a_bot(gin: Gin, ann: Client) -> None:
    code, out, err = await gin("play", "--against", "simple", "--ascii", typed="?\nresign\ny\n")
    assert code == 0
    assert "  Hand 1 - you 0 - simple 0 - knock with 10" in out
    assert "You resign" in out
    assert "Hands checked against their committed decks: 1" in err
    (row,) = [row async for row in ann.matches()]
    assert row.stage == match_pb2.STAGE_ENDED
    assert row.seats[1].name == "simple"


async def test_leaving_a_bot_gives_up_the_match(gin: Gin, ann: Client) -> None:
    code, _, err = await gin("play", "--against", "simple", typed="q\n")
    assert code == 0
    assert "You have given up the match." in err
    (row,) = [row async for row in ann.matches()]
    assert (row.stage, row.winner) == (match_pb2.STAGE_ENDED, 1)


async def test_whoever_leaves_is_told_how_to_come_back(gin: Gin, ann: Client) -> None:
    match_id = await opened(ann)
    playing = asyncio.create_task(ann.play(match_id, SimpleBot()))
    code, _, err = await gin("play", "--match", match_id, typed="q\n")
    assert code == 0
    assert f"gin play --server {gin.environment['GINRUMMY_SERVER']} --match {match_id}" in err
    gin.environment["GINRUMMY_TOKEN"] = token = err.partition("GINRUMMY_TOKEN=")[2].split()[0]
    _, _, err = await gin("play", "--match", match_id, typed="q\n")
    assert "To come back: gin play --server" in err
    assert token not in err
    code, out, _ = await gin("play", "--match", match_id, typed="resign\nyes\n")
    assert code == 0
    assert "You resign" in out
    assert (await playing).outcome.winner == 0

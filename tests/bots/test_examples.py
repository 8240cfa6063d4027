"""What the guide shows is what there is, and it works."""

import asyncio
import re
import shutil
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from support_client import FakeServer, connected, serving
from support_contest import Contest, contest
from support_logs import Table, played
from support_server import QUICK, SOON, gin_serve, in_process, new_director

import ginrummy.bots
from ginrummy.bots import load_bot
from ginrummy.cli.tournament.hosting import BotHost
from ginrummy.client import connect
from ginrummy.v1.tournament_pb2 import (
    RESULT_REASON_PLAYED,
    Boards,
    Matches,
    RoundRobin,
    TournamentTerms,
)

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "bots.md").read_text()
PYTHON = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)


def test_the_bot_of_the_guide_is_the_example() -> None:
    assert PYTHON[0] == (ROOT / "examples" / "mybot.py").read_text()


async def test_the_example_plays_a_match() -> None:
    server = FakeServer(Table(1, target=30))
    async with connected(server) as client:
        bot = load_bot(f"{ROOT / 'examples' / 'mybot.py'}:MyBot")
        assert (await client.play(server.table.stream, bot)).unchecked == 0


async def test_the_program_of_the_guide_plays_a_match(tmp_path: Path) -> None:
    server = FakeServer(Table(1, target=30))
    async with serving(server) as address:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", PYTHON[1].replace("127.0.0.1:50051", address)),
            stdout=PIPE,
            cwd=tmp_path,
        )
        out, _ = await asyncio.wait_for(process.communicate(), SOON)
    assert process.returncode == 0
    assert out.decode().endswith(" hands checked\n")


async def test_the_spectator_proves_every_hand() -> None:
    server = FakeServer(played(7, hands=2))
    async with serving(server) as address:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, ROOT / "examples" / "spectator.py", address, server.table.stream),
            stdout=PIPE,
        )
        out, _ = await asyncio.wait_for(process.communicate(), SOON)
    lines = out.decode().splitlines()
    assert process.returncode == 0
    assert re.fullmatch(r"(\d+) of \1 hands are proved", lines[-1])
    assert len(lines) == len(server.table.lines) + 1


# --- the bot in node ------------------------------------------------------------------------------


@pytest.fixture
def node_bot() -> str:
    """Return the command line of the bot in node."""
    node = shutil.which("node")
    if node is None:
        pytest.fail("node is not on the PATH: install Node.js 18 or later for this test")
    packages = ROOT / "examples" / "node" / "node_modules"
    if not packages.is_dir():
        pytest.fail(f"there are no {packages}: make test installs them, as npm ci does there")
    return f"{node} {ROOT / 'examples' / 'node' / 'tournament_bot.mjs'}"


def target_of(points: int) -> TournamentTerms:
    """Return the terms of a round robin of ordinary matches."""
    terms = TournamentTerms(name="Match", round_robin=RoundRobin(), matches=Matches())
    terms.rules.target = points
    return terms


def boards_of(count: int) -> TournamentTerms:
    """Return the terms of a round robin on boards, whose players have time to come back."""
    boards = Boards(boards=count)
    return TournamentTerms(
        name="Board", round_robin=RoundRobin(), boards=boards, reconnect_ms=600_000
    )


@pytest.mark.parametrize("terms", [target_of(20), boards_of(2)], ids=["matches", "boards"])
async def test_the_bot_in_node_plays_a_tournament(node_bot: str, terms: TournamentTerms) -> None:
    """On boards, which have begun when it is called, and in matches, which it joins."""
    async with in_process() as server, contest(server, terms) as opened:
        bots = [await opened.entrant("Node", node_bot), await opened.entrant("Simple", "simple")]
        async with BotHost(server.address, opened.id, bots) as host:
            await opened.start()
            await asyncio.wait_for(host.wait(), SOON)
        ((pairing,),) = [one.pairings for one in (await opened.now()).rounds]
    assert pairing.reason == RESULT_REASON_PLAYED
    assert [record.exits for record in host.records.values()] == [{"0": 1}, {"0": 1}]


async def test_programs_go_on_when_the_server_is_killed_and_started_again(
    node_bot: str, tmp_path: Path
) -> None:
    db = tmp_path / "gin.db"
    async with gin_serve(db) as server:
        token = await new_director(db)
        address = server.address
        async with connect(address, token=token, retry=QUICK) as director:
            made = await director.tournaments.create(boards_of(4))
            opened = Contest(director, made.id)
            bots = [
                await opened.entrant("Node", node_bot),
                await opened.entrant("Simple", "simple"),
            ]
            async with BotHost(address, opened.id, bots, retry=QUICK) as host:
                await opened.start()
                async for update in director.tournaments.watch(opened.id):
                    if b'"type":"sitting_ended"' in update.event.line:
                        break
                await server.kill()
                async with gin_serve(db, listen=address):
                    await asyncio.wait_for(host.wait(), SOON)
                    tournament = await opened.now()
    ((pairing,),) = [one.pairings for one in tournament.rounds]
    assert (tournament.end_reason, pairing.reason) == ("complete", RESULT_REASON_PLAYED)
    assert [record.exits for record in host.records.values()] == [{"0": 1}, {"0": 1}]


# --- the guide ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", re.findall(r"^\| `(\w+)\(", GUIDE, re.MULTILINE))
def test_every_name_of_the_guides_tables_is_there(name: str) -> None:
    methods = {"offer", "draw", "discard", "lay_off", *ginrummy.client.bot.HOOKS}
    assert name in methods | set(ginrummy.bots.__all__)


def test_every_file_that_the_guide_names_is_there() -> None:
    prose = re.sub("```.*?```", "", GUIDE, flags=re.DOTALL)
    for link in re.findall(r"\]\(([\w./-]+)", prose):
        assert (ROOT / "docs" / link).exists(), link

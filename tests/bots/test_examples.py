"""What the guide shows is what there is, and it works."""

import asyncio
import re
import shutil
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from support_client import FakeServer, connected, serving
from support_contest import contest
from support_logs import Table, played
from support_server import SOON, in_process

import ginrummy.bots
from ginrummy.bots import load_bot
from ginrummy.cli.tournament.hosting import BotHost
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


async def test_the_example_in_node_plays_tournaments() -> None:
    """On boards, which have begun when it is called, and in matches, which it joins."""
    node = shutil.which("node")
    if node is None:
        pytest.fail("node is not on the PATH: install Node.js 18 or later for this test")
    packages = ROOT / "examples" / "node" / "node_modules"
    if not packages.is_dir():
        pytest.fail(f"there are no {packages}: make test installs them, as npm ci does there")
    match = TournamentTerms(name="Match", round_robin=RoundRobin(), matches=Matches())
    match.rules.target = 20
    board = TournamentTerms(name="Board", round_robin=RoundRobin(), boards=Boards(boards=2))
    for terms in (match, board):
        async with in_process() as server, contest(server, terms) as opened:
            bots = [
                await opened.entrant("Node", f"{node} {ROOT / 'examples/node/tournament_bot.mjs'}"),
                await opened.entrant("Simple", "simple"),
            ]
            async with BotHost(server.address, opened.id, bots) as host:
                await opened.start()
                await asyncio.wait_for(host.wait(), SOON)
            ((pairing,),) = [one.pairings for one in (await opened.now()).rounds]
        assert pairing.reason == RESULT_REASON_PLAYED
        assert [record.exits for record in host.records.values()] == [{"0": 1}, {"0": 1}]


@pytest.mark.parametrize("name", re.findall(r"^\| `(\w+)\(", GUIDE, re.MULTILINE))
def test_every_name_of_the_guides_tables_is_there(name: str) -> None:
    methods = {"offer", "draw", "discard", "lay_off", *ginrummy.client.bot.HOOKS}
    assert name in methods | set(ginrummy.bots.__all__)


def test_every_file_that_the_guide_names_is_there() -> None:
    prose = re.sub("```.*?```", "", GUIDE, flags=re.DOTALL)
    for link in re.findall(r"\]\(([\w./-]+)", prose):
        assert (ROOT / "docs" / link).exists(), link

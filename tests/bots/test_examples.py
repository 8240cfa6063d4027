"""What the guide shows is what there is, and it works."""

import asyncio
import re
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from support_client import FakeServer, connected, serving
from support_logs import Table, played
from support_server import SOON

import ginrummy.bots
from ginrummy.bots import load_bot

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


@pytest.mark.parametrize("name", re.findall(r"^\| `(\w+)\(", GUIDE, re.MULTILINE))
def test_every_name_of_the_guides_tables_is_there(name: str) -> None:
    methods = {"offer", "draw", "discard", "lay_off", *ginrummy.client.bot.HOOKS}
    assert name in methods | set(ginrummy.bots.__all__)


def test_every_file_that_the_guide_names_is_there() -> None:
    prose = re.sub("```.*?```", "", GUIDE, flags=re.DOTALL)
    for link in re.findall(r"\]\(([\w./-]+)", prose):
        assert (ROOT / "docs" / link).exists(), link

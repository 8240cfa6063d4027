"""A server that is killed at any moment: what it has acknowledged is there, and nothing else."""

import asyncio
import random
from contextlib import AsyncExitStack
from pathlib import Path

from support_play import soak
from support_server import ServerProcess, gin_serve, open_db, signed_up
from support_witnesses import Match, opened

from ginrummy.audit.audit import audit
from ginrummy.v1 import match_pb2

KILLS = soak(100, 5)
MATCHES = 3
A_LIFE = 120
"""How many events are acknowledged between two kills, on average."""


async def check_stored(db: Path, matches: list[Match]) -> None:
    """Check the logs as the dead server has left them."""
    async with open_db(db) as store:
        for match in matches:
            log = [*store.read(match.id)]
            match.check_acknowledged(log)
            assert audit(log).clean


async def test_kill_at_any_moment_loses_nothing_and_adds_nothing(tmp_path: Path) -> None:
    """D4 with clients that try again: matches go on and end, and their logs audit clean."""
    db = tmp_path / "gin.db"
    rng = random.Random(KILLS)
    told = asyncio.Condition()
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(gin_serve(db))
        address = server.address
        clients = [
            await stack.enter_async_context(signed_up(address, f"P{i}")) for i in range(2 * MATCHES)
        ]
        pairs = list(zip(clients[::2], clients[1::2], strict=True))
        matches = [
            await opened(ann, told, timed=i == 0, signed=i == 1) for i, (ann, _) in enumerate(pairs)
        ]

        def acknowledged() -> int:
            return sum(match.acknowledged for match in matches)

        async def lived(server: ServerProcess) -> None:
            """Let a server live for some while: some events, and a part of one more."""
            more = acknowledged() + rng.randrange(2 * A_LIFE)
            async with told:
                await told.wait_for(lambda: acknowledged() > more)
            await asyncio.sleep(rng.random() * 0.005)
            await server.kill()

        async with asyncio.TaskGroup() as group:
            playing = [
                group.create_task(match.play(pair))
                for match, pair in zip(matches, pairs, strict=True)
            ]
            for _ in range(KILLS):
                await lived(server)
                assert not any(task.done() for task in playing)
                await check_stored(db, matches)
                server = await stack.enter_async_context(gin_serve(db, listen=address))
            for match in matches:
                match.enough.set()
        for match, task in zip(matches, playing, strict=True):
            log = [line async for line in clients[0].log(match.id)]
            match.check_whole(log, task.result())
            signed = audit(log).check("signatures").status
            assert signed == ("passed" if match is matches[1] else "not_applicable")
        assert [row.stage async for row in clients[0].matches()] == [match_pb2.STAGE_ENDED] * 3

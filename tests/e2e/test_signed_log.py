"""The signed log over processes: killed, started again, and two of them on one file."""

import asyncio
from pathlib import Path

from support_server import gin, gin_serve, signed_up

from ginrummy.bots import SimpleBot
from ginrummy.client import Client
from ginrummy.v1.ruleset_pb2 import Ruleset


async def played(one: Client, other: Client) -> str:
    match = (await one.create_match(rules=Ruleset(hands=1))).id
    await asyncio.gather(one.play(match, SimpleBot()), other.play(match, SimpleBot()))
    return match


async def whole(db: Path, checkpoint: Path) -> tuple[int, str]:
    code, told, said = await gin("audit", "--checkpoint", str(checkpoint), "--db", str(db))
    return code, told + said


async def test_a_killed_server_goes_on_with_the_same_tree(tmp_path: Path) -> None:
    db = tmp_path / "gin.db"
    kept: list[Path] = []
    keys: set[str] = set()
    for turn in range(3):
        async with gin_serve(db, "--checkpoint-every", "20") as server:
            async with (
                signed_up(server.address, "Ann") as ann,
                signed_up(server.address, "Bob") as bob,
            ):
                match = await played(ann, bob)
                await ann.receipt(match)
                note = tmp_path / f"{turn}.checkpoint"
                note.write_text((await ann.checkpoint()).checkpoint)
                kept.append(note)
                keys.add(await ann.key())
            await server.kill()
    assert len(keys) == 1
    for note in kept:
        code, told = await whole(db, note)
        assert (code, "has only grown" in told) == (0, True), told


async def test_two_servers_on_one_file_sign_one_tree(tmp_path: Path) -> None:
    db, note = tmp_path / "gin.db", tmp_path / "old.checkpoint"
    often = ("--checkpoint-every", "1", "--workers", "2")
    async with (
        gin_serve(db, *often) as left,
        gin_serve(db, *often) as right,
        signed_up(left.address, "Ann") as ann,
        signed_up(left.address, "Bob") as bob,
        signed_up(right.address, "Cat") as cat,
        signed_up(right.address, "Dan") as dan,
    ):
        assert await ann.key() == await cat.key()
        first, _ = await asyncio.gather(played(ann, bob), played(cat, dan))
        # Either proves what the other has stored.
        receipt = await cat.receipt(first)
        assert receipt.seq == len([line async for line in ann.log(first)])
        note.write_text((await ann.checkpoint()).checkpoint)
        await asyncio.gather(played(ann, bob), played(cat, dan))
    code, told = await whole(db, note)
    assert (code, "has only grown" in told) == (0, True), told

"""Evidence from a running server: fetched by a player, judged when the server is gone."""

import asyncio
import shutil
from pathlib import Path

from support_bundles import judged_by_node, judged_by_us, members_of
from support_server import QUICK, gin, gin_serve

from ginrummy.bots.simple import SimpleBot
from ginrummy.client import connect
from ginrummy.client.receipts import ReceiptFiles
from ginrummy.log.notes import VerifierKey


async def test_a_player_fetches_the_evidence_and_it_outlives_the_server(tmp_path: Path) -> None:
    house, kept, out = tmp_path / "house", tmp_path / "kept", tmp_path / "evidence.zip"
    house.mkdir()
    async with gin_serve(house / "gin.db") as server:
        async with (
            connect(server.address, retry=QUICK, receipts=ReceiptFiles(kept / "ann")) as ann,
            connect(server.address, retry=QUICK, receipts=ReceiptFiles(kept / "bob")) as bob,
        ):
            token = await ann.sign_up("Ann")
            await bob.sign_up("Bob")
            match = await ann.create_match()
            await asyncio.gather(*(client.play(match.id, SimpleBot()) for client in (ann, bob)))
            key = await ann.key()
            seats = [seat.name for seat in (await ann.match(match.id)).seats]
            claim = "That is not what I was told when we played."
            opened = await bob.disputes.open(match.id, "log_changed", claim, hand=1)
            assert opened.opened.dispute == 1
        heads = [
            f"--heads={seats.index(name.title())}={file}"
            for name in ("ann", "bob")
            for file in (kept / name).glob("*.heads.jsonl")
        ]
        assert len(heads) == 2
        asking = ("--server", server.address, "--token", token)
        code, told, said = await gin(
            "dispute", "bundle", match.id, "1", "-o", str(out), *heads, *asking
        )
        assert (code, said) == (0, "")
        assert told.endswith(f"  {out}\n")
    shutil.rmtree(house)
    bundle, known = out.read_bytes(), VerifierKey.read(key)
    assert {"heads/seat-0.jsonl", "heads/seat-1.jsonl", "receipt.tlog-proof"} <= set(
        members_of(bundle)
    )
    ours = judged_by_us(bundle, known)
    assert (ours.clean, ours.is_key_known, ours.is_own_build) == (True, True, True)
    assert ours.audit is not None
    # Every event that was told in the play, and the receipt; the complaint came after.
    assert ours.audit.check("receipt").count == ours.audit.lines
    assert ours.finding is not None
    code, theirs, _ = judged_by_node(out, bundle, known)
    assert (code, theirs["clean"], theirs["key"]) == (0, True, key)
    # What both players were told then is what the record has now.
    assert ours.finding.outcome == theirs["finding"]["outcome"] == "refuted"

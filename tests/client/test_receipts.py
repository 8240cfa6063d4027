"""What a seat keeps of what it is told: hashes as they come, and the receipt at the end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from support_server import in_process, signed_up

from ginrummy.bots import SimpleBot
from ginrummy.client import BrokenChainError, Client, ReceiptFiles, connect
from ginrummy.client.nonces import nonce_key
from ginrummy.client.receipts import HeadKeeper, receipt_fault
from ginrummy.log.heads import MalformedHeadsError, read_heads, write_head
from ginrummy.log.lines import line_hash
from ginrummy.log.merkle import leaf_hash
from ginrummy.log.notes import VerifierKey
from ginrummy.log.receipts import read_receipt
from ginrummy.log.signing import check_signed
from ginrummy.v1.ruleset_pb2 import REVEAL_POLICY_DIRECTOR, Ruleset

KEY = nonce_key("m_1", "p_1")
HASHES = [line_hash(b"%d" % seq) for seq in range(1, 9)]


@pytest.fixture
def files(tmp_path: Path) -> ReceiptFiles:
    return ReceiptFiles(tmp_path / "state" / "receipts")


def test_hashes_are_kept_and_known_after_a_restart(files: ReceiptFiles) -> None:
    first = HeadKeeper(files, KEY)
    for seq, head in enumerate(HASHES[:5], 1):
        assert first.keep(seq, head, seq) == head
    again = HeadKeeper(files, KEY)
    assert again.keep(3, HASHES[7], 3) == HASHES[2]
    assert again.keep(6, HASHES[5], 6) == HASHES[5]
    kept = read_heads(files.heads_file(KEY).read_bytes())
    assert kept == dict(enumerate(HASHES[:6], 1))


def test_a_line_that_was_being_written_is_written_again(files: ReceiptFiles) -> None:
    HeadKeeper(files, KEY).keep(1, HASHES[0], 1)
    file = files.heads_file(KEY)
    file.write_bytes(file.read_bytes() + write_head(2, HASHES[1], 2)[:40])
    assert HeadKeeper(files, KEY).keep(2, HASHES[1], 2) == HASHES[1]
    assert read_heads(file.read_bytes()) == {1: HASHES[0], 2: HASHES[1]}


@pytest.mark.parametrize(
    "content",
    [
        b"nonsense\n",
        b'{"seq":1}\n',
        b'{"seq":0,"hash":"%s","at":"2026-11-29T22:49:25.123483Z"}\n' % (b"a" * 64),
        b'{"seq":1,"hash":"a","at":"2026-11-29T22:49:25.123483Z"}\n',
        b'{"seq":1,"hash":"%s","at":"yesterday"}\n' % (b"a" * 64),
        write_head(1, HASHES[0], 1) + write_head(1, HASHES[1], 1),
    ],
)
def test_what_keeps_no_heads_is_refused(files: ReceiptFiles, content: bytes) -> None:
    HeadKeeper(files, KEY).keep(1, HASHES[0], 1)
    files.heads_file(KEY).write_bytes(content)
    with pytest.raises(MalformedHeadsError):
        HeadKeeper(files, KEY)


@pytest.mark.parametrize("name", ["../outside", "", "a/b", ".hidden"])
def test_an_id_is_not_let_out_of_the_directory(files: ReceiptFiles, name: str) -> None:
    with pytest.raises(ValueError, match="no key"):
        files.heads_file(name)


@asynccontextmanager
async def at_a_server(files: ReceiptFiles | None) -> AsyncIterator[tuple[Client, Client]]:
    """Give Ann, who keeps receipts where there are files for them, and Bob, who does not."""
    async with (
        in_process() as server,
        connect(server.address, receipts=files) as ann,
        signed_up(server.address, "Bob") as bob,
    ):
        await ann.sign_up("Ann")
        yield ann, bob


async def played(client: Client, other: Client, **terms: object) -> str:
    match = (await client.create_match(rules=Ruleset(hands=1), **terms)).id  # type: ignore[arg-type]
    await asyncio.gather(client.play(match, SimpleBot()), other.play(match, SimpleBot()))
    return match


async def test_a_seat_has_all_hashes_and_the_receipt_in_the_end(files: ReceiptFiles) -> None:
    async with at_a_server(files) as (ann, bob):
        match = await played(ann, bob)
        lines = [line async for line in ann.log(match)]
        key = VerifierKey.read(await ann.key())
        own = nonce_key(match, (await ann.me()).id)
    heads = read_heads(files.heads_file(own).read_bytes())
    assert heads == {seq: line_hash(line) for seq, line in enumerate(lines, 1)}
    receipt = read_receipt(files.receipt_file(own).read_bytes())
    assert (receipt.stream, receipt.seq) == (match, len(lines))
    check_signed(receipt.checkpoint.note, key)
    receipt.check(leaf_hash(lines[-1]))
    assert len(list(files.directory.iterdir())) == 2


async def test_secrets_that_wait_for_a_director_leave_a_receipt_too(files: ReceiptFiles) -> None:
    async with at_a_server(files) as (ann, bob):
        match = await played(ann, bob, reveal=REVEAL_POLICY_DIRECTOR)
        own = nonce_key(match, (await ann.me()).id)
    assert read_receipt(files.receipt_file(own).read_bytes()).stream == match


async def test_nothing_is_kept_unless_asked_for(tmp_path: Path) -> None:
    async with at_a_server(None) as (ann, bob):
        await played(ann, bob)
    assert not any(tmp_path.iterdir())  # noqa: ASYNC240 -- nothing else runs


async def test_a_server_that_tells_another_story_after_a_restart_is_found_out(
    files: ReceiptFiles,
) -> None:
    """The program that was told the first one has ended; its file has not."""
    async with at_a_server(files) as (ann, bob):
        match = (await ann.create_match(rules=Ruleset(hands=1))).id
        await ann.join(match)
        HeadKeeper(files, nonce_key(match, (await ann.me()).id)).keep(2, HASHES[0], 1)
        async with asyncio.TaskGroup() as group:
            theirs = group.create_task(bob.play(match, SimpleBot()))
            with pytest.raises(BrokenChainError, match="when it was told first"):
                await ann.play(match, SimpleBot())
            theirs.cancel()


async def test_a_receipt_that_proves_another_line_is_none() -> None:
    async with in_process() as server, signed_up(server.address, "Ann") as ann:
        match, other = (await ann.create_match()).id, (await ann.create_match()).id
        receipt = (await ann.receipt(match)).receipt
        (line,) = [line async for line in ann.log(match)]
    assert receipt_fault(receipt, match, line) is None
    assert "another root" in str(receipt_fault(receipt, match, line + b" "))
    assert match in str(receipt_fault(receipt, other, line))
    assert "begins with" in str(receipt_fault("nonsense", match, line))

"""The notary: what it signs and when, and that it never signs what contradicts itself."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from itertools import pairwise
from pathlib import Path
from secrets import token_bytes

import pytest
from support_server import until
from support_store import (
    FaultyMemoryStore,
    FaultySqliteStore,
    moves,
    other_stream,
    stored,
    whole_match,
    written,
)

from ginrummy.log.checkpoints import Checkpoint, read_checkpoint
from ginrummy.log.merkle import GrowingRoot, check_consistency, leaf_hash
from ginrummy.log.receipts import read_receipt
from ginrummy.log.signing import check_signed
from ginrummy.notary.errors import NoSuchCheckpointError, TreeBrokenError
from ginrummy.notary.keys import kept_key, signing_key
from ginrummy.notary.notary import Notary
from ginrummy.store import GroupCommit, Head, SqliteStore, Store, StoredCheckpoint, Tiles

PLAYERS = ("p_ann", "p_ben")


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = SqliteStore(tmp_path / "gin.db") if request.param == "sqlite" else FaultyMemoryStore()
    with closing(made) as opened:
        yield opened


@asynccontextmanager
async def following(
    store: Store, *, every: int = 10**6, pause: float = 0.01
) -> AsyncIterator[tuple[Notary, GroupCommit]]:
    commits = GroupCommit(store, poll=0.02)
    notary = Notary(store, commits, signing_key(store, token_bytes), every=every, pause=pause)
    async with asyncio.timeout(120):
        async with commits:
            notary.start()
            yield notary, commits
        await notary.close()


async def signed_at(store: Store, size: int) -> StoredCheckpoint:
    """Wait until a size is signed, or more."""
    for pause in until():
        found = store.checkpoint_from(size)
        if found is not None:
            return found
        await asyncio.sleep(pause)
    raise AssertionError


def checked(store: Store, checkpoint: StoredCheckpoint | None) -> Checkpoint:
    """Check a checkpoint's signature, and its root from the lines alone."""
    key = kept_key(store)
    assert key is not None
    assert checkpoint is not None
    found = read_checkpoint(checkpoint.note)
    check_signed(found.note, key.verifier)
    assert found.origin == key.name
    assert found.size == checkpoint.size
    whole = GrowingRoot()
    for _, raw in store.read_all(limit=found.size):
        whole.add(leaf_hash(raw))
    assert (whole.size, whole.root()) == (found.size, found.root)
    return found


def test_the_key_is_made_once(store: Store) -> None:
    assert kept_key(store) is None
    key = signing_key(store, token_bytes)
    assert signing_key(store, token_bytes) == key == kept_key(store)
    assert key.name.startswith("ginrummy.log/")


async def test_an_ended_match_is_signed_soon(store: Store) -> None:
    async with following(store) as (_, commits):
        match = written("m_a", whole_match(PLAYERS))
        await commits.append(match)
        found = await signed_at(store, 1)
        assert found.size == len(match.lines)
        checked(store, found)


async def test_moves_are_signed_after_so_many(store: Store) -> None:
    async with following(store, every=100) as (notary, commits):
        # What is stored before the notary has begun is signed at once.
        await notary._ready()
        head = await commits.append(moves("m_a", 99))
        await asyncio.sleep(0.2)
        assert store.last_checkpoint() is None
        await commits.append(moves("m_a", 1, head))
        assert (await signed_at(store, 100)).size == 100
    assert checked(store, store.last_checkpoint()).size == 100


async def test_the_end_is_signed(store: Store) -> None:
    async with following(store, pause=0.3) as (_, commits):
        await commits.append(moves("m_a", 7))
    assert checked(store, store.last_checkpoint()).size == 7


async def test_the_end_of_a_server_that_stops_as_it_starts_is_signed(store: Store) -> None:
    stored(store, moves("m_a", 7))
    async with following(store):
        pass
    assert checked(store, store.last_checkpoint()).size == 7


async def test_nothing_is_signed_twice_and_no_empty_log(store: Store) -> None:
    async with following(store):
        pass
    assert store.last_checkpoint() is None
    stored(store, moves("m_a", 5))
    for _ in range(2):
        async with following(store):
            await signed_at(store, 5)
    assert checked(store, store.last_checkpoint()).size == 5


async def test_many_endings_are_signed_together(store: Store) -> None:
    matches = [written(f"m_{number}", whole_match(PLAYERS)) for number in range(40)]
    async with following(store, pause=0.2) as (_, commits):
        for match in matches:
            await commits.append(match)
    sizes: list[int] = []
    while found := store.checkpoint_from(sizes[-1] + 1 if sizes else 1):
        sizes.append(found.size)
    assert len(sizes) < len(matches) / 2
    assert sizes[-1] == sum(len(match.lines) for match in matches)


async def test_a_restart_continues_the_same_tree(store: Store) -> None:
    head, found = stored(store, moves("m_a", 300)), []
    for _ in range(4):
        async with following(store, every=50) as (_, commits):
            head = await commits.append(moves("m_a", 130, head))
        found.append(checked(store, store.last_checkpoint()))
    for old, new in pairwise(found):
        async with following(store) as (notary, _):
            await signed_at(store, new.size)
            proof = (await notary.consistency(old.size, new.size)).proof
        check_consistency(old.size, new.size, old.root, new.root, proof)


async def test_who_waits_for_a_proof_gets_it(store: Store) -> None:
    stored(store, other_stream("t_a"))
    async with following(store) as (notary, commits):
        await commits.append(moves("m_a", 3))
        first, second = await asyncio.gather(notary.inclusion("m_a", 2), notary.inclusion("t_a", 2))
        assert [first.index, second.index] == [3, 1]
        raws = [list(store.read("m_a"))[1], list(store.read("t_a"))[1]]
    for proved, raw in zip((first, second), raws, strict=True):
        receipt = read_receipt(proved.receipt)
        assert (receipt.stream, receipt.seq) == (proved.stream, proved.seq)
        receipt.check(leaf_hash(raw))
        checked(store, proved.checkpoint)


async def test_a_line_that_is_not_there_is_not_waited_for_without_end(store: Store) -> None:
    async with following(store) as (notary, _):
        with pytest.raises(NoSuchCheckpointError, match="event 9 of m_a"):
            await notary.inclusion("m_a", 9, patience=0.1)
        with pytest.raises(NoSuchCheckpointError, match="of 12 lines"):
            await notary.checkpoint(12)
        with pytest.raises(NoSuchCheckpointError, match="yet"):
            await notary.checkpoint()
        with pytest.raises(NoSuchCheckpointError, match="of 0 lines"):
            await notary.consistency(0, 1)


async def test_a_size_has_its_checkpoint(store: Store) -> None:
    async with following(store, every=1) as (notary, commits):
        await commits.append(moves("m_a", 3))
        await signed_at(store, 3)
        assert await notary.checkpoint(3) == await notary.checkpoint()
        with pytest.raises(NoSuchCheckpointError):
            await notary.checkpoint(2)
        assert str(notary.key).startswith("ginrummy.log/")


async def test_an_old_log_gets_its_tree_while_it_grows(store: Store) -> None:
    head = stored(store, moves("m_a", 5000))
    async with following(store) as (notary, commits):
        await commits.append(moves("m_a", 10, head))
        assert (await notary.inclusion("m_a", 5010)).index == 5009
    assert checked(store, store.last_checkpoint()).size == 5010
    last = store.last_tile()
    assert last is not None
    assert last.number == 5010 // 256 - 1


async def test_a_database_that_fails_is_asked_again(tmp_path: Path) -> None:
    with closing(FaultySqliteStore(tmp_path / "gin.db")) as store:
        async with following(store) as (notary, commits):
            # What is stored before the notary has begun is signed at once.
            await notary._ready()
            await commits.append(moves("m_a", 3))
            store.fault = "before"
            with pytest.raises(NoSuchCheckpointError):
                await notary.inclusion("m_a", 3, patience=0.3)
            store.fault = None
            await signed_at(store, 3)
        assert checked(store, store.last_checkpoint()).size == 3


# --- logs that are not what they were -------------------------------------------------------------


async def signed_log(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        stored(store, moves("m_a", 400))
        async with following(store):
            await signed_at(store, 400)


def tampered(path: Path, *statements: str) -> SqliteStore:
    """Change a database as somebody who has the file can, and open it."""
    with closing(sqlite3.connect(path)) as db:
        for each in ("events_stay", "events_never_change", "events_continue"):
            db.execute(f"DROP TRIGGER {each}")
        for statement in statements:
            db.execute(statement)
        db.commit()
    return SqliteStore(path)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM events WHERE position > 390",
        "UPDATE events SET line = replace(line, '2026', '2027') WHERE position = 390",
        "UPDATE events SET position = 1000 - position WHERE position IN (390, 391)",
    ],
    ids=("cut", "rewritten", "reordered"),
)
async def test_a_changed_log_is_signed_no_more(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "gin.db"
    await signed_log(path)
    with closing(tampered(path, statement)) as store:
        stored(store, moves("m_b", 3))
        async with following(store) as (notary, _):
            with pytest.raises(TreeBrokenError):
                await notary.inclusion("m_b", 3, patience=5)
            with pytest.raises(TreeBrokenError, match="signed"):
                await notary.checkpoint()
        last = store.last_checkpoint()
        assert last is not None
        assert last.size == 400


async def test_two_servers_on_one_file_do_not_fork_the_tree(tmp_path: Path) -> None:
    path = tmp_path / "gin.db"

    async def play(name: str, commits: GroupCommit) -> None:
        head = Head()
        for turn in range(30):
            head = await commits.append(moves(f"m_{name}", 1 + turn % 20, head))

    with closing(SqliteStore(path)) as one, closing(SqliteStore(path)) as other:
        async with following(one, every=20) as (_, left), following(other, every=30) as (_, right):
            await asyncio.gather(play("left", left), play("right", right))
        last = checked(one, one.last_checkpoint())
        assert last.size == one.last_position()
        found, size = [], 0
        while each := one.checkpoint_from(size + 1):
            found.append(checked(other, each))
            size = each.size
        assert len(found) > 1
        assert {each.origin for each in found} == {last.origin}
        assert Tiles(one).index("m_left", 1) is not None

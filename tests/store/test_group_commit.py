"""Many who wait, one transaction; and everybody hears of every line, once and in order."""

import asyncio
import random
from collections.abc import AsyncGenerator, Sequence
from contextlib import closing
from threading import Event

import pytest
from support_store import (
    NEW,
    FaultyMemoryStore,
    FaultySqliteStore,
    FaultyStore,
    check_log,
    moves,
    stored,
)

from ginrummy.store import (
    Append,
    Conflict,
    ConflictError,
    GroupCommit,
    Head,
    Outcome,
    SqliteStore,
    StoreClosedError,
    StoreFailedError,
)
from ginrummy.store.protocol import Stored


class GatedStore(FaultyMemoryStore):
    """A store that notes its batches, and lets none through while the gate is shut."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = Event()
        self.gate.set()
        self.batches: list[int] = []

    def append(self, appends: Sequence[Append]) -> list[Outcome]:
        self.gate.wait(60)
        self.batches.append(len(appends))
        return super().append(appends)


async def taken(pages: AsyncGenerator[list[Stored], None], count: int) -> list[Stored]:
    """Return the next `count` lines, which are all that the pages they come in have."""
    lines: list[Stored] = []
    async with asyncio.timeout(60):
        while len(lines) < count:
            lines += await anext(pages)
    assert len(lines) == count
    return lines


async def turns(count: int = 5) -> None:
    """Let the loop go round a few times."""
    for _ in range(count):
        await asyncio.sleep(0)


# --- appending ----------------------------------------------------------------------------------


async def test_an_append_is_durable_when_its_head_is_here(sqlite_store: FaultySqliteStore) -> None:
    async with GroupCommit(sqlite_store) as commits:
        append = moves("m_a", 3)
        assert await commits.append(append) == append.head
        with closing(SqliteStore(sqlite_store.path)) as other:
            assert other.head("m_a") == append.head


async def test_a_conflict_is_raised_where_it_happened(store: FaultyStore) -> None:
    first = moves("m_a", 2)
    stored(store, first)
    async with GroupCommit(store) as commits:
        stale, good = moves("m_a"), moves("m_b")
        outcomes = await asyncio.gather(
            commits.append(stale), commits.append(good), return_exceptions=True
        )
    assert isinstance(outcomes[0], ConflictError)
    assert outcomes[0].conflict == Conflict("m_a", 0, first.head)
    assert outcomes[1] == good.head


async def test_all_of_one_turn_of_the_loop_share_a_transaction() -> None:
    store = GatedStore()
    async with GroupCommit(store) as commits:
        await asyncio.gather(*(commits.append(moves(f"m_{number}")) for number in range(64)))
    assert store.batches == [64]


async def test_what_comes_during_a_commit_goes_into_the_next() -> None:
    store = GatedStore()
    store.gate.clear()
    async with GroupCommit(store) as commits:
        waiting = [commits.append(moves("m_first"))]
        await turns()
        for number in range(10):
            waiting.append(commits.append(moves(f"m_{number}")))
            await turns()
        store.gate.set()
        await asyncio.gather(*waiting)
    assert store.batches == [1, 10]


async def test_a_stream_may_be_appended_to_before_the_answer_is_here(store: FaultyStore) -> None:
    async with GroupCommit(store) as commits:
        first = moves("m_a", 2)
        second = moves("m_a", 2, first.head)
        heads = await asyncio.gather(commits.append(first), commits.append(second))
    assert list(heads) == [first.head, second.head]


@pytest.mark.parametrize("fault", ["before", "after"])
async def test_a_failed_commit_fails_all_who_waited(store: FaultyStore, fault: str) -> None:
    async with GroupCommit(store) as commits:
        store.fault = "before" if fault == "before" else "after"
        appends = [moves("m_a"), moves("m_b")]
        errors = await asyncio.gather(*map(commits.append, appends), return_exceptions=True)
        assert [type(error) for error in errors] == [StoreFailedError, StoreFailedError]
        assert errors[0] is not errors[1]
        store.fault = None
        # The truth is in the log, and what follows from it can be appended at once.
        for append in appends:
            onto = store.head(append.stream)
            assert onto == (NEW if fault == "before" else append.head)
            await commits.append(moves(append.stream, 1, onto))
    assert set(check_log(store).values()) == {1 if fault == "before" else 2}


async def test_an_unforeseen_error_fails_those_who_waited_and_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = GatedStore()
    async with GroupCommit(store) as commits:
        with monkeypatch.context() as patch:
            patch.setattr(store, "_commit", None)
            with pytest.raises(StoreFailedError) as failure:
                await commits.append(moves("m_a"))
            assert isinstance(failure.value.__cause__, TypeError)
        await commits.append(moves("m_a"))
    assert check_log(store) == {"m_a": 1}


async def test_who_gives_up_waiting_disturbs_nobody() -> None:
    store = GatedStore()
    store.gate.clear()
    async with GroupCommit(store) as commits:
        given_up, other = commits.append(moves("m_a")), commits.append(moves("m_b"))
        await turns()
        given_up.cancel()
        store.gate.set()
        await other
    assert check_log(store) == {"m_a": 1, "m_b": 1}


async def test_closing_lets_everything_that_waits_become_durable() -> None:
    store = GatedStore()
    store.gate.clear()
    async with GroupCommit(store) as commits:
        waiting = [commits.append(moves("m_first"))]
        await turns()
        waiting += [commits.append(moves(f"m_{number}")) for number in range(10)]
        closing_down = asyncio.create_task(commits.close())
        await turns()
        with pytest.raises(StoreClosedError):
            await commits.append(moves("m_late"))
        assert not closing_down.done()
        store.gate.set()
        await closing_down
        assert all(isinstance(future.result(), Head) for future in waiting)
    assert len(check_log(store)) == 11


async def test_many_tables_append_while_commits_fail(store: FaultyStore) -> None:
    """What was answered is there; what failed is there or not; no line is there twice."""
    rng = random.Random(1)

    async def table(stream: str) -> int:
        head, answered = NEW, 0
        for _ in range(20):
            try:
                head = await commits.append(moves(stream, 2, head))
                answered += 2
            except StoreFailedError:
                known = await asyncio.to_thread(store.head, stream)
                assert known.seq - head.seq in (0, 2)
                answered += known.seq - head.seq
                head = known
        assert answered == head.seq
        return answered

    async def trouble() -> None:
        while True:
            store.fault = rng.choice(("before", "after", None, None, None))
            await turns(20)

    async with GroupCommit(store) as commits:
        troubling = asyncio.create_task(trouble())
        streams = [f"m_{number:02}" for number in range(30)]
        lengths = await asyncio.gather(*map(table, streams))
        troubling.cancel()
    store.fault = None
    assert check_log(store) == {
        stream: length for stream, length in zip(streams, lengths, strict=True) if length
    }


# --- subscribing --------------------------------------------------------------------------------


async def test_a_subscriber_hears_what_was_and_what_comes(store: FaultyStore) -> None:
    old = moves("m_a", 3)
    stored(store, old)
    async with GroupCommit(store, poll=3600) as commits:
        lines = commits.subscribe()
        heard = await taken(lines, 3)
        assert [raw for _, raw in heard] == [line.raw for line in old.lines]
        new = moves("m_b", 2)
        coming = asyncio.create_task(taken(lines, 2))
        await commits.append(new)
        heard += await coming
        assert heard == store.read_all()
        await lines.aclose()


async def test_a_subscriber_goes_on_from_a_position(store: FaultyStore) -> None:
    stored(store, moves("m_a", 1203))
    all_lines = store.read_all(limit=2000)
    async with GroupCommit(store) as commits:
        lines = commits.subscribe(after=all_lines[99][0])
        assert await taken(lines, 1103) == all_lines[100:]
        await lines.aclose()


async def test_other_processes_lines_are_heard_by_polling(sqlite_store: FaultySqliteStore) -> None:
    async with GroupCommit(sqlite_store, poll=0.01) as commits:
        lines = commits.subscribe()
        coming = asyncio.create_task(taken(lines, 2))
        await turns()
        with closing(SqliteStore(sqlite_store.path)) as other:
            stored(other, moves("m_a", 2))
        assert await coming == sqlite_store.read_all()
        await lines.aclose()


async def test_subscribers_hear_every_line_once_and_in_order(store: FaultyStore) -> None:
    async def table(stream: str) -> None:
        head = NEW
        for _ in range(10):
            head = await commits.append(moves(stream, 3, head))

    async with GroupCommit(store, poll=0.01) as commits:
        subscriptions = [commits.subscribe() for _ in range(3)]
        listening = [asyncio.create_task(taken(lines, 900)) for lines in subscriptions]
        await asyncio.gather(*(table(f"m_{number}") for number in range(30)))
        heard = await asyncio.gather(*listening)
        for lines in subscriptions:
            await lines.aclose()
    assert all(each == store.read_all() for each in heard)


async def test_closing_ends_every_subscription(store: FaultyStore) -> None:
    async def rest(pages: AsyncGenerator[list[Stored], None]) -> int:
        return sum([len(page) async for page in pages])

    stored(store, moves("m_a"))
    async with GroupCommit(store, poll=3600) as commits:
        subscriptions = [commits.subscribe() for _ in range(3)]
        for lines in subscriptions:
            await taken(lines, 1)
        listening = [asyncio.create_task(rest(lines)) for lines in subscriptions]
        await turns()
    async with asyncio.timeout(60):
        assert await asyncio.gather(*listening) == [0, 0, 0]


async def test_what_is_stored_before_the_closing_is_still_heard(store: FaultyStore) -> None:
    async def heard(pages: AsyncGenerator[list[Stored], None]) -> list[Stored]:
        return [line async for page in pages for line in page]

    async with GroupCommit(store, poll=3600) as commits:
        listening = asyncio.create_task(heard(commits.subscribe(pause=0.01)))
        await turns()
        appending = [commits.append(moves(f"m_{number}", 600)) for number in range(3)]
    await asyncio.gather(*appending)
    async with asyncio.timeout(60):
        assert await listening == store.read_all(limit=2000)


async def test_who_is_in_no_hurry_reads_seldom(store: FaultyStore) -> None:
    async def pages() -> int:
        return len([page async for page in commits.subscribe(pause=0.2)])

    head = NEW
    async with GroupCommit(store, poll=3600) as commits:
        reading = asyncio.create_task(pages())
        await turns()
        for _ in range(50):
            head = await commits.append(moves("m_a", 1, head))
    assert await reading < 50

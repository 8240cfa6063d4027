"""Matches at which nothing happens leave memory, and nobody can tell."""

import asyncio
import gc
import random

import pytest
from support_server import until
from support_tables import (
    ALICE,
    SHORT,
    Clock,
    card_room,
    legal,
    move,
    play_on,
    started,
    to_move,
)

from ginrummy.rules.commands import Draw, Play, Take
from ginrummy.rules.errors import IllegalMoveError
from ginrummy.rules.events import TimeControl
from ginrummy.rules.match import Ended
from ginrummy.store import MemoryStore, StoreFailedError
from ginrummy.tables.room import CardRoom, NewMatch
from ginrummy.tables.table import Request, Table

HOUR = 3600 * 1_000_000
CLOCKED = NewMatch(rules=SHORT, clock=TimeControl(decision_ms=2 * 3600 * 1000))


async def put_away(room: CardRoom, clock: Clock) -> None:
    """Let an hour go by, and see to it that nothing of a table that was put away remains."""
    clock.now += HOUR
    room.put_idle_away()
    gc.collect()


async def test_an_idle_match_leaves_memory_and_goes_on_where_it_was() -> None:
    clock = Clock()
    async with card_room(clock=clock) as room:
        table = await started(room)
        match_id, seq = table.match_id, table.seq
        first = await move(table, Take(), "once", seq)
        by, before = first[0].line.by, table.match
        del table
        await put_away(room, clock)
        assert (room.in_memory, room.open_matches, len(room._tables)) == (0, 1, 0)
        again = await room.table(match_id)
        assert (again.match, room.in_memory) == (before, 1)
        repeated = Request(by, Play(0 if by == ALICE[0] else 1, Take()), "once", seq)
        assert await again.act(repeated) == first
        await play_on(again, random.Random(1))
        assert isinstance(again.match, Ended)
        assert (room.in_memory, room.open_matches) == (0, 0)


async def test_a_match_stays_while_it_is_fresh_or_attended_or_counts_refusals() -> None:
    clock = Clock()
    async with card_room(clock=clock) as room:
        table = await started(room)
        room.put_idle_away()
        assert room.in_memory == 1
        for attended in (table.news.attending(1), table.news.watching(None)):
            with attended:
                await put_away(room, clock)
                assert room.in_memory == 1
        ending = asyncio.ensure_future(table.until_closed())
        await asyncio.sleep(0)
        await put_away(room, clock)
        assert room.in_memory == 1
        ending.cancel()
        await asyncio.wait([ending])
        with pytest.raises(IllegalMoveError):
            await move(table, Draw())
        await put_away(room, clock)
        assert room.in_memory == 1
        await move(table, Take())
        await put_away(room, clock)
        assert room.in_memory == 0


async def test_whoever_holds_a_match_that_was_put_away_shares_it_with_all_others() -> None:
    clock = Clock()
    async with card_room(clock=clock) as room:
        held = await started(room)
        await put_away(room, clock)
        assert room.in_memory == 0
        assert await room.table(held.match_id) is held
        assert room.in_memory == 1
        await put_away(room, clock)
        await play_on(held, random.Random(1))
        assert isinstance(held.match, Ended)
        assert room.open_matches == 0


async def test_a_match_that_was_put_away_wakes_when_its_time_is_over() -> None:
    store, clock = _Flaky(), Clock()
    async with card_room(store, clock) as room:
        table = await started(room, CLOCKED)
        match_id, loser = table.match_id, to_move(table)
        del table
        await put_away(room, clock)
        assert room.in_memory == 0
        store.fails = 1
        clock.now += HOUR
        room._wake(match_id)
        table = await _loaded(room, match_id)
        ended = await table.until_closed()
        assert (ended.outcome.reason, ended.outcome.winner) == ("clock", 1 - loser)


async def test_a_table_that_nobody_watches_holds_little() -> None:
    async with card_room() as room:
        table = await started(room, NewMatch(rules=SHORT))
        for _ in range(30):
            await move(table, legal(table)[0])
        assert len(table._past) == 2
        with table.news.attending(0):
            for _ in range(10):
                await move(table, legal(table)[0])
            assert len(table._past) == 8
        with table.news.watching(None):
            seen = table.seq
            for _ in range(30):
                await move(table, legal(table)[0])
            assert table.holds_steps_after(seen)


async def _loaded(room: CardRoom, match_id: str) -> Table:
    """Return the table once it is in memory, without asking the room to open it."""
    for pause in until():
        if match_id in room._tables:
            break
        await asyncio.sleep(pause)
    return room._tables[match_id]


class _Flaky(MemoryStore):
    """A store that fails to read as often as it is told."""

    fails = 0

    def secret(self, stream: str, name: str) -> bytes | None:
        if self.fails:
            self.fails -= 1
            raise StoreFailedError("the disk is asleep too")
        return super().secret(stream, name)

"""A server starts without opening a match, and every clock runs all the same, once."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from support_server import until
from support_tables import ALICE, SHORT, START, card_room, entropy, move, seated, started, to_move

from ginrummy.log.lines import read_line, write_line
from ginrummy.rules.cards import Card
from ginrummy.rules.commands import Pause, Resume, Take
from ginrummy.rules.events import Discarded, Limits, TimeControl
from ginrummy.rules.match import Ended, Playing
from ginrummy.store import Append, GroupCommit, MemoryStore, StoreFailedError
from ginrummy.tables.caretaker import Caretaker
from ginrummy.tables.errors import LogDamagedError
from ginrummy.tables.room import CardRoom, NewMatch
from ginrummy.tables.table import Request

SECOND = 1_000_000
TIMED = NewMatch(rules=SHORT, clock=TimeControl(bank_ms=60_000))
PATIENT = NewMatch(rules=SHORT, limits=Limits(idle_ms=3_600_000))


class Hand:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


def types(store: MemoryStore, match_id: str) -> list[str]:
    return [read_line(raw).type for raw in store.read(match_id)]


async def left(store: MemoryStore, clock: Hand, *wishes: NewMatch) -> list[str]:
    """Leave matches in a store as a server does that goes away."""
    async with card_room(store, clock) as room:
        matches = [(await started(room, wish)).match_id for wish in wishes]
    clock.now += SECOND
    return matches


@asynccontextmanager
async def looked_after(
    room: CardRoom, store: MemoryStore, damaged: list[LogDamagedError] | None = None
) -> AsyncIterator[None]:
    """Let a caretaker look after a room, as a server does."""
    found = [] if damaged is None else damaged
    caretaker = Caretaker(store, room, lambda: True, found.append)
    caretaker.start()
    try:
        yield
    finally:
        await caretaker.close()


async def all_opened(room: CardRoom) -> None:
    for pause in until():
        if not room._unopened:
            return
        await asyncio.sleep(pause)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the caretaker look after matches as soon as it comes."""
    monkeypatch.setattr("ginrummy.tables.caretaker._QUIET", -1.0)


async def test_a_start_opens_no_match() -> None:
    store, clock = MemoryStore(), Hand()
    matches = await left(store, clock, *[TIMED] * 5)
    async with card_room(store, clock) as room:
        assert (room.in_memory, room.open_matches) == (0, 5)
        table = await room.table(matches[2])
        assert (room.in_memory, room.open_matches) == (1, 5)
        assert await table.abort("aborted")
        assert (room.in_memory, room.open_matches) == (0, 4)


async def test_every_match_is_looked_after_and_none_stays_in_memory() -> None:
    """Each decision under a clock is given its time anew, once, whoever opens the match then."""
    store, clock = MemoryStore(), Hand()
    matches = await left(store, clock, *[TIMED] * 45, PATIENT)
    clock.now += 3600 * SECOND // 2
    async with card_room(store, clock) as room, looked_after(room, store):
        await all_opened(room)
        clock.now += SECOND
        for _ in range(2):
            for match in matches:
                await room.table(match)
        assert room.open_matches == 46
    for match in matches[:-1]:
        assert types(store, match).count("clock_resumed") == 1
        assert types(store, match)[-1] == "clock_resumed"
    assert "clock_resumed" not in types(store, matches[-1])


async def test_what_is_looked_after_leaves_memory_at_once() -> None:
    store, clock = MemoryStore(), Hand()
    matches = await left(store, clock, TIMED, PATIENT)
    async with card_room(store, clock) as room:
        for match in matches:
            await room.look_after(match)
            assert room.watches(match)
        assert (room.in_memory, room.open_matches, len(room._asleep)) == (0, 2, 2)
        held = await room.table(matches[0])
        await room.look_after(matches[0])
        assert room.in_memory == 1
        assert await room.table(matches[0]) is held


async def test_what_goes_on_elsewhere_is_looked_after_again() -> None:
    """The next decision's time may be over long before that of the one that was waited for."""
    store, clock = MemoryStore(), Hand()
    async with card_room(store, clock) as one, GroupCommit(store) as commits:
        table = await started(one, TIMED)
        paused = await started(one, TIMED)
        await paused.act(Request("p_director", Pause()))
        other = CardRoom(store, commits, clock, entropy(5))
        await other.start(is_first=False, is_shared=True)
        for match in (table.match_id, paused.match_id):
            await other.look_after(match)
            assert other.watches(match)
        await move(table, Take())
        await paused.act(Request("p_director", Resume()))
        # What is left of a table may still be there, and has the new alarm then.
        gc.collect()
        other.heard({table.match_id: table.seq, paused.match_id: paused.seq, "m_of_nobody": 3})
        for match in (table.match_id, paused.match_id):
            assert not other.watches(match)
            await other.look_after(match)
            alarm = other._asleep[match]
            assert alarm is not None
            await one.table(match)
        await other.close()


async def test_a_time_that_was_over_while_nobody_was_there_begins_anew() -> None:
    store, clock = MemoryStore(), Hand()
    (match,) = await left(store, clock, PATIENT)
    clock.now += 7200 * SECOND
    async with card_room(store, clock) as room:
        # Long after the start, nobody having asked for it: it waited for the server all the same.
        clock.now += 1800 * SECOND
        table = await room.table(match)
        assert types(store, match)[-1] == "clock_resumed"
        assert isinstance(table.match, Playing)
        clock.now += 3599 * SECOND
        await table._expire()
        assert isinstance(table.match, Playing)
        clock.now += 2 * SECOND
        await table._expire()
        assert isinstance(table.match, Ended)


async def test_a_time_that_is_over_after_the_start_is_over() -> None:
    """A server that is there again gives no time anew to those who do not come back."""
    store, clock = MemoryStore(), Hand()
    (match,) = await left(store, clock, PATIENT)
    loser = None
    async with card_room(store, clock) as room:
        await room.look_after(match)
        assert room.in_memory == 0
        clock.now += 3600 * SECOND
        room._wake(match)
        for pause in until():
            if room.open_matches == 0:
                break
            await asyncio.sleep(pause)
        table = await room.table(match)
        assert isinstance(table.match, Ended)
        loser = table.match.outcome.winner
        assert table.match.outcome.reason == "abandoned"
    assert loser is not None
    assert "clock_resumed" not in types(store, match)


async def test_a_server_that_was_not_first_gives_time_anew_as_the_first_one_does() -> None:
    """It may be asked for a match before the first one has looked after it."""
    store, clock = MemoryStore(), Hand()
    first_match, second_match = await left(store, clock, TIMED, TIMED)
    clock.now += 3600 * SECOND
    async with card_room(store, clock) as first, GroupCommit(store) as commits:
        second = CardRoom(store, commits, clock, entropy(5))
        await second.start(is_first=False, is_shared=True)
        assert (first.open_matches, second.open_matches) == (2, 0)
        await second.table(first_match)
        await first.table(first_match)
        await first.table(second_match)
        await second.table(second_match)
        await second.close()
    for match in (first_match, second_match):
        assert types(store, match).count("clock_resumed") == 1
        assert types(store, match)[-1] == "clock_resumed"


async def test_a_server_that_was_not_first_gives_no_time_anew_after_another_ones_death() -> None:
    store, clock = MemoryStore(), Hand()
    async with card_room(store, clock) as first:
        table = await started(first, TIMED)
        await move(table, Take())
        before, loser = table.seq, to_move(table)
        async with GroupCommit(store) as commits:
            clock.now += 61 * SECOND
            second = CardRoom(store, commits, clock, entropy(5))
            await second.start(is_first=False, is_shared=True)
            there = await second.table(table.match_id)
            async with asyncio.timeout(60):
                ended = await there.until_closed()
            assert (ended.outcome.reason, ended.outcome.winner) == ("clock", 1 - loser)
            await second.close()
    assert "clock_resumed" not in types(store, table.match_id)[before:]


async def test_a_paused_match_stays_paused_and_one_that_gathers_goes_on_waiting() -> None:
    store, clock = MemoryStore(), Hand()
    async with card_room(store, clock) as room:
        paused = await started(room, TIMED)
        await paused.act(Request("p_director", Pause()))
        gathering = await seated(room, TIMED)
    clock.now += 60 * SECOND
    async with card_room(store, clock) as room, looked_after(room, store):
        await all_opened(room)
        assert (await room.table(paused.match_id)).match == paused.match
        assert (await room.table(gathering.match_id)).match == gathering.match


async def test_a_damaged_match_is_told_of_and_hinders_no_other() -> None:
    store, clock = MemoryStore(), Hand()
    matches = await left(store, clock, *[TIMED] * 3)
    head = store.head(matches[1])
    cannot_follow = Discarded(0, Card("AS"))
    line = write_line(matches[1], head.seq + 1, START, ALICE[0], "", cannot_follow, head.hash)
    store.append([Append(matches[1], head.seq, (line,))])
    damaged: list[LogDamagedError] = []
    async with card_room(store, clock) as room, looked_after(room, store, damaged):
        for pause in until():
            if damaged and len(room._unopened) == 1:
                break
            await asyncio.sleep(pause)
        assert [each.match_id for each in damaged] == [matches[1]]
        assert room._unopened == {matches[1]}
        with pytest.raises(LogDamagedError):
            await room.table(matches[1])


class _Flaky(MemoryStore):
    """A store that fails to read as often as it is told."""

    fails = 0

    def secret(self, stream: str, name: str) -> bytes | None:
        if self.fails:
            self.fails -= 1
            raise StoreFailedError("the disk is asleep")
        return super().secret(stream, name)


async def test_where_the_store_fails_it_is_looked_after_again() -> None:
    store, clock = _Flaky(), Hand()
    matches = await left(store, clock, *[TIMED] * 30)
    store.fails = 7
    async with card_room(store, clock) as room, looked_after(room, store):
        await all_opened(room)
    assert store.fails == 0
    for match in matches:
        assert types(store, match).count("clock_resumed") == 1

"""Tables whose log other servers write to as well."""

import asyncio
from collections.abc import Callable, Iterator
from unittest.mock import patch

import pytest
from support_store import FaultyMemoryStore
from support_tables import PLAYERS, START, card_room, legal, move, started, to_move

from ginrummy.rules.cards import DECK
from ginrummy.rules.cards import other as other_seat
from ginrummy.rules.commands import Discard, Pass, Play
from ginrummy.rules.events import TimeControl
from ginrummy.rules.ruleset import PRESETS
from ginrummy.store import Head, MemoryStore
from ginrummy.tables.errors import CutOffError, StaleSeqError
from ginrummy.tables.room import NewMatch
from ginrummy.tables.table import Request

TIMED = NewMatch(rules=PRESETS["standard"], clock=TimeControl(bank_ms=1000, increment_ms=0))


class Hand:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


async def test_a_table_takes_in_what_another_server_has_stored() -> None:
    store = MemoryStore()
    async with card_room(store) as one, card_room(store) as other:
        here = await started(one)
        there = await other.table(here.match_id)
        await move(here, legal(here)[0])
        assert there.seq < here.seq
        waiting = asyncio.create_task(there.news.for_watcher(there.seq, there.news.presence))
        other.heard({here.match_id: here.seq, "m_of_nobody": 7})
        async with asyncio.timeout(60):
            await waiting
        assert (there.seq, there.match) == (here.seq, here.match)


async def test_whoever_asks_for_a_match_finds_what_another_server_has_answered() -> None:
    store = MemoryStore()
    async with card_room(store) as one, card_room(store) as other:
        await other.start(is_first=False, is_shared=True)
        here = await started(one)
        await other.table(here.match_id)
        await move(here, legal(here)[0])
        assert (await other.table(here.match_id)).seq == here.seq


class Asked(MemoryStore):
    """A store that counts how often it is asked where a stream stands."""

    asked = 0

    def head(self, stream: str) -> Head:
        self.asked += 1
        return super().head(stream)


async def test_a_move_at_a_table_that_is_behind_is_judged_by_what_is_stored() -> None:
    """A move does not ask first where the log stands: it is found out where it matters."""
    store = Asked()
    async with card_room(store) as one, card_room(store) as other:
        await other.start(is_first=False, is_shared=True)
        here = await started(one)
        await other.table(here.match_id)
        seat, player = to_move(here), PLAYERS[to_move(here)][0]
        seq, wish = here.seq, Request(player, Play(seat, Pass()), "pass", here.seq)
        first = await here.act(wish)
        asked = store.asked
        there = await other.table_to_move_at(here.match_id, player)
        assert (there.seq, store.asked) == (seq, asked)
        # The same move, sent again to another server, is answered as the first time.
        assert [step.line for step in await there.act(wish)] == [step.line for step in first]

        # One that was not possible at the event that is known here, but that is over anyway.
        await here.act(Request(PLAYERS[1 - seat][0], Play(other_seat(seat), Pass()), "p", here.seq))
        there = await other.table_to_move_at(here.match_id, player)
        assert there.seq < here.seq
        with pytest.raises(StaleSeqError):
            await there.act(Request(player, Play(seat, Discard(DECK[0])), "bad", there.seq))
        assert there.seq == here.seq
        assert there.refusals_left(seat) == there.match.terms.limits.illegal_moves


class SlowReader(MemoryStore):
    """A store in which something happens before the reading of a match is over."""

    meanwhile: Callable[[], None] | None = None

    def read(self, stream: str, after: int = 0) -> Iterator[bytes]:
        yield from list(super().read(stream, after))
        happens, self.meanwhile = self.meanwhile, None
        if happens is not None:
            happens()


async def test_what_another_server_stores_while_a_match_is_opened_is_not_missed() -> None:
    """Nobody may be told that they have no seat where they have just sat down elsewhere."""
    store = SlowReader()
    async with card_room(store) as one, card_room(store) as other:
        await other.start(is_first=False, is_shared=True)
        here = await started(one)
        loop = asyncio.get_running_loop()

        def meanwhile() -> None:
            asyncio.run_coroutine_threadsafe(move(here, legal(here)[0]), loop).result(60)

        store.meanwhile = meanwhile
        there = await other.table(here.match_id)
        assert store.meanwhile is None
        assert (there.seq, there.match) == (here.seq, here.match)


async def test_nobody_is_given_a_table_that_was_left_behind() -> None:
    """Who asks while the server is cut off must not be told what has long been otherwise."""
    store = SlowReader()
    async with card_room(store) as one, card_room(store) as other:
        await other.start(is_first=False, is_shared=True)
        here = await started(one)
        await other.table(here.match_id)
        await move(here, legal(here)[0])
        with patch.object(store, "head", lambda _: cut_off_meanwhile()):
            head = MemoryStore.head(store, here.match_id)

            def cut_off_meanwhile() -> Head:
                loop.call_soon_threadsafe(other.cut_off)
                return head

            loop = asyncio.get_running_loop()
            with pytest.raises(CutOffError):
                await other.table(here.match_id)
        assert (await other.table(here.match_id)).seq == here.seq


async def test_who_is_cut_off_sends_all_away_and_opens_matches_anew() -> None:
    async with card_room() as room:
        table = await started(room)
        waiting = asyncio.create_task(table.news.for_end())
        await asyncio.sleep(0)
        room.cut_off()
        async with asyncio.timeout(60):
            await waiting
        assert room.open_matches == 0
        with pytest.raises(CutOffError):
            await move(table, legal(table)[0])
        again = await room.table(table.match_id)
        assert again is not table
        await move(again, legal(again)[0])


async def test_a_late_decision_is_recorded_once_the_store_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A match must not stand still because the database was away when its time was over."""
    monkeypatch.setattr("ginrummy.tables.table._AGAIN", 10_000)
    store, clock = FaultyMemoryStore(), Hand()
    async with card_room(store, clock) as room:
        table = await started(room, TIMED)
        before = table.seq
        store.fault = "before"
        clock.now += 60_000_000
        table._time_over()
        await asyncio.sleep(0.1)
        assert table.seq == before
        store.fault = None
        async with asyncio.timeout(60):
            await table.news.for_watcher(before, table.news.presence)
        clock.now += 10_000
        assert table.seq > before

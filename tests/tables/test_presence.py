"""Seats that are connected to several servers, as each of these sees them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager

from support_hearsay import come_to_pass, within_earshot
from support_tables import card_room, started

from ginrummy.rules.cards import BySeat
from ginrummy.store import Hearsay, MemoryStore
from ginrummy.tables.room import CardRoom

NOBODY, FIRST, SECOND, BOTH = (
    BySeat(*there) for there in ((False, False), (True, False), (False, True), (True, True))
)


@asynccontextmanager
async def two_rooms() -> AsyncIterator[tuple[CardRoom, CardRoom, list[Hearsay]]]:
    store = MemoryStore()
    async with (
        within_earshot(2) as said,
        card_room(store) as here,
        card_room(store) as there,
    ):
        here.presence.listen(said[0])
        there.presence.listen(said[1])
        yield here, there, said


async def test_a_seat_that_is_connected_elsewhere_is_connected() -> None:
    async with two_rooms() as (one, other, _):
        here = await started(one)
        there = await other.table(here.match_id)
        with here.news.attending(0):
            await come_to_pass(lambda: there.news.connected == FIRST)
            with there.news.attending(1), here.news.attending(1), here.news.attending(1):
                await come_to_pass(lambda: here.news.connected == there.news.connected == BOTH)
            await come_to_pass(lambda: there.news.connected == FIRST)
            assert here.news.connected == FIRST
        await come_to_pass(lambda: here.news.connected == there.news.connected == NOBODY)


async def test_a_table_that_is_opened_later_knows_who_is_there() -> None:
    async with two_rooms() as (one, other, said):
        here = await started(one)
        with here.news.attending(1):
            await come_to_pass(lambda: bool(said[1].said_of(here.match_id)))
            assert (await other.table(here.match_id)).news.connected == SECOND


async def test_who_watches_is_woken_once_somebody_comes_or_goes_elsewhere() -> None:
    async with two_rooms() as (one, other, _):
        here = await started(one)
        there = await other.table(here.match_id)
        before = there.news.presence
        with here.news.attending(0):
            await there.news.for_watcher(there.seq, before)
            assert there.news.connected == FIRST


async def test_who_is_at_a_server_that_has_gone_is_there_no_more() -> None:
    async with two_rooms() as (one, other, said):
        here = await started(one)
        there = await other.table(here.match_id)
        with here.news.attending(0):
            await come_to_pass(lambda: there.news.connected == FIRST)
            await said[0].end()
            await come_to_pass(lambda: there.news.connected == NOBODY)


async def test_a_table_that_was_given_up_takes_nobody_away_from_the_next_one() -> None:
    """A server that was cut off and is back: the old streams may end after the new have begun."""
    async with two_rooms() as (one, other, _):
        old = await started(one)
        there = await other.table(old.match_id)
        with ExitStack() as old_stream:
            old_stream.enter_context(old.news.attending(0))
            one.cut_off()
            new = await one.table(old.match_id)
            assert new is not old
            with new.news.attending(0):
                await come_to_pass(lambda: there.news.connected == FIRST)
                old_stream.close()
                await asyncio.sleep(0.1)
                assert there.news.connected == FIRST
        await come_to_pass(lambda: there.news.connected == NOBODY)

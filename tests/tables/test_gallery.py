"""Watchers are woken in turn, and whatever else the loop has to do comes in between."""

import asyncio

from ginrummy.tables.gallery import Gallery


async def test_those_who_wait_are_woken_in_order_and_few_at_a_time() -> None:
    gallery, loop = Gallery(), asyncio.get_running_loop()
    waiters = [loop.create_future() for _ in range(40)]
    first, later = waiters[:30], waiters[30:]
    gallery.wake(first)
    gallery.wake(later)
    assert (first, later) == ([], [])
    woken, turns = 0, 0
    while woken < len(waiters):
        await asyncio.sleep(0)
        now = sum(waiter.done() for waiter in waiters)
        assert 0 < now - woken <= 4
        assert [waiter.done() for waiter in waiters[:now]] == [True] * now
        woken, turns = now, turns + 1
    assert turns == 10


async def test_who_has_left_takes_nobodys_turn_for_long() -> None:
    gallery, loop = Gallery(), asyncio.get_running_loop()
    gone, here = loop.create_future(), loop.create_future()
    gone.cancel()
    gallery.wake([gone])
    gallery.wake([here])
    await asyncio.wait_for(here, 60)
    gallery.wake([late := loop.create_future()])
    await asyncio.wait_for(late, 60)

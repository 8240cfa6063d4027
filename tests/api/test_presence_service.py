"""Who is there, what the clocks say, and how a table ends that nobody plays at any more."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from support_house import House, check, housed, move_request, refused
from support_seats import BareSeat
from support_server import until
from support_wire import Tap

from ginrummy.bots import SimpleBot
from ginrummy.rules.commands import Pass, Resign, Take
from ginrummy.v1 import events_pb2, log_service_pb2, match_pb2, ruleset_pb2
from ginrummy.v1 import match_service_pb2 as matches
from ginrummy.v1.ruleset_pb2 import Limits, Ruleset, TimeControl


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with housed() as house:
        yield house


class Watching:
    """A watch stream, read one update at a time."""

    def __init__(self, tap: Tap, match_id: str) -> None:
        self._updates = tap.listen("Watch", matches.WatchRequest(match_id=match_id))

    async def next(self, kind: str) -> matches.WatchResponse:
        """Return the next update of a kind."""
        async for update in self._updates:
            if update.WhichOneof("update") == kind:
                assert isinstance(update, matches.WatchResponse)
                return update
        raise AssertionError(f"the stream has ended without {kind}")

    async def close(self) -> None:
        """Hang up."""
        await self._updates.aclose()  # type: ignore[attr-defined]  # it is a generator


@asynccontextmanager
async def watching(house: House, who: str, match_id: str) -> AsyncIterator[Watching]:
    """Open a watch stream while the context is."""
    stream = Watching(house.taps[who], match_id)
    try:
        yield stream
    finally:
        await stream.close()


async def left(house: House, match_id: str) -> None:
    """Wait until the server has noticed that nobody of the two has a stream open."""
    for pause in until():
        if not any((await house.clients["eve"].view(match_id)).connected):
            return
        await asyncio.sleep(pause)


# --- C8: presence -------------------------------------------------------------------------------


async def test_c8_a_new_stream_begins_with_who_is_there(house: House) -> None:
    """C8 whoever comes back learns it from the first message, and not from a change to come."""
    match_id = await house.playing()
    async with watching(house, "ann", match_id) as ann:
        assert [*(await ann.next("snapshot")).snapshot.connected] == [True, False]
        async with watching(house, "bob", match_id) as bob:
            assert [*(await bob.next("snapshot")).snapshot.connected] == [True, True]
            assert [*(await ann.next("presence")).presence.connected] == [True, True]
        assert [*(await ann.next("presence")).presence.connected] == [True, False]
    await left(house, match_id)
    async with watching(house, "bob", match_id) as bob:
        # Ann went while Bob was away.
        assert [*(await bob.next("snapshot")).snapshot.connected] == [False, True]


async def test_c8_a_seat_with_two_streams_is_there_until_both_have_gone(house: House) -> None:
    """C8"""
    match_id = await house.playing()
    async with watching(house, "eve", match_id) as eve:
        await eve.next("snapshot")
        async with watching(house, "bob", match_id) as first:
            await first.next("snapshot")
            assert [*(await eve.next("presence")).presence.connected] == [False, True]
            seat = BareSeat(house.clients["bob"], match_id)
            assert [*(await seat.start()).view.connected] == [False, True]
        seat.call.cancel()
        seen = [*(await eve.next("presence")).presence.connected]
        while seen != [False, False]:
            assert seen == [False, True]
            seen = [*(await eve.next("presence")).presence.connected]


async def test_c8_a_spectator_is_nobodys_presence(house: House) -> None:
    """C8 only seats are counted; how many look on is nobody's business."""
    match_id = await house.playing()
    async with watching(house, "eve", match_id) as eve, watching(house, "dee", match_id) as dee:
        assert [*(await eve.next("snapshot")).snapshot.connected] == [False, False]
        assert [*(await dee.next("snapshot")).snapshot.connected] == [False, False]


# --- C9: clocks ---------------------------------------------------------------------------------


async def test_c9_a_view_tells_the_clocks_without_any_guess(house: House) -> None:
    """C9 what both have left, whose time runs, till when, and the server's own time."""
    match_id = await house.playing(clock=TimeControl(bank_ms=60_000))
    async with watching(house, "ann", match_id) as ann:
        clock = (await ann.next("snapshot")).snapshot.clock
    assert clock.running == 1
    assert not clock.paused
    first, second = clock.bank_ms
    assert first == 60_000
    assert 0 < second <= 60_000
    left_ms = clock.deadline.ToMilliseconds() - clock.server_time.ToMilliseconds()
    assert abs(left_ms - second) <= 1


async def test_c9_a_rejoined_stream_shows_the_pause(house: House) -> None:
    """C9 the banks stand still, no time runs, and resuming gives the decision its time anew."""
    match_id = await house.playing(clock=TimeControl(bank_ms=60_000, decision_ms=5_000))
    dee = house.clients["dee"]
    await dee.pause(match_id)
    seat = BareSeat(house.clients["bob"], match_id)
    paused = (await seat.start()).view.clock
    assert paused.paused
    assert not paused.HasField("running")
    assert not paused.HasField("deadline")
    again = (await house.clients["bob"].view(match_id)).clock
    assert [*again.bank_ms] == [*paused.bank_ms]
    await dee.resume(match_id)
    told = await seat.read()
    assert told is not None
    running = told.view.clock
    assert (running.running, running.paused) == (1, False)
    left_ms = running.deadline.ToMilliseconds() - told.events[-1].at.ToMilliseconds()
    assert left_ms == 5_000
    assert running.bank_ms[0] == paused.bank_ms[0]
    seat.call.cancel()


async def test_c9_a_position_of_the_past_has_the_clocks_of_then(house: House) -> None:
    """C9 not those of today: a replay shows what a player had left."""
    match_id = await house.playing(clock=TimeControl(bank_ms=60_000))
    eve = house.clients["eve"]
    await house.move(match_id, Pass())
    await house.move(match_id, Pass())
    back = await eve.position(match_id, 6)
    assert [*back.clock.bank_ms] == [60_000, 60_000]
    assert back.clock.running == 1


# --- C7: coming back ----------------------------------------------------------------------------


async def test_c7_a_player_who_drops_out_and_comes_back_loses_nothing(house: House) -> None:
    """C7 twenty times: there is no clock for being away, and the decision's own is as it was."""
    match_id = await house.playing(clock=TimeControl(decision_ms=60_000))
    deadlines = set()
    for _ in range(20):
        seat = BareSeat(house.clients["bob"], match_id)
        view = (await seat.start()).view
        deadlines.add(view.clock.deadline.ToMicroseconds())
        seat.call.cancel()
        await left(house, match_id)
    assert len(deadlines) == 1
    assert await house.seq(match_id) == 6
    await house.taps["bob"].ask("MakeMove", move_request(match_id, Take(), 6))


async def test_c7_each_decision_has_its_whole_time(house: House) -> None:
    """C7 a timer that was set for a decision never ends a later one."""
    match_id = await house.playing(clock=TimeControl(decision_ms=4_000))
    for move in (Pass(), Pass()):
        view = await house.clients["bob"].view(match_id)
        left_ms = view.clock.deadline.ToMilliseconds() - view.clock.server_time.ToMilliseconds()
        assert left_ms > 2_100
        await asyncio.sleep(2.1)
        await house.move(match_id, move)
    # The first timer's moment is past, and nobody has lost.
    assert (await house.clients["eve"].match(match_id)).stage == match_pb2.STAGE_PLAYING
    async with watching(house, "eve", match_id) as eve:
        end = (await eve.next("event")).event
        while not end.HasField("match_ended"):
            end = (await eve.next("event")).event
        assert end.match_ended.reason == events_pb2.END_REASON_CLOCK
        assert end.match_ended.winner == 0


# --- C12: tables that nobody plays at -----------------------------------------------------------


async def ended(house: House, match_id: str) -> match_pb2.Match:
    """Wait for the end of a match, as a spectator."""
    async with watching(house, "eve", match_id) as eve:
        while not (await eve.next("event")).event.HasField("match_ended"):
            pass
    return await house.clients["eve"].match(match_id)


async def open_rows(house: House) -> list[str]:
    """Return the ids of the matches that are listed as not over."""
    stages = (match_pb2.STAGE_GATHERING, match_pb2.STAGE_PLAYING)
    return [row.id for stage in stages async for row in house.clients["eve"].matches(stage=stage)]


async def records(house: House) -> list[tuple[int, int, int]]:
    """Return matches, won and lost of Ann and of Bob."""
    both = [await client.player() for client in house.players]
    return [(player.matches, player.won, player.lost) for player in both]


async def test_c12_a_table_at_which_nobody_plays_ends(house: House) -> None:
    """C12 made and left: it ends within its time, leaves the list, and counts for nobody."""
    match_id = await house.seated(limits=Limits(start_ms=1_500))
    assert await open_rows(house) == [match_id]
    match = await ended(house, match_id)
    assert match.outcome.reason == events_pb2.END_REASON_ABANDONED
    assert not match.outcome.HasField("winner")
    assert await open_rows(house) == []
    assert await records(house) == [(0, 0, 0), (0, 0, 0)]


async def test_c12_a_player_who_decides_nothing_has_left(house: House) -> None:
    """C12 also where both streams have died; the result is recorded once."""
    match_id = await house.playing(limits=Limits(idle_ms=2_000))
    for client in house.players:
        seat = BareSeat(client, match_id)
        await seat.start()
        seat.call.cancel()
    match = await ended(house, match_id)
    assert (match.outcome.reason, match.outcome.winner) == (events_pb2.END_REASON_ABANDONED, 0)
    assert await open_rows(house) == []
    assert await records(house) == [(1, 1, 0), (1, 0, 1)]
    assert len(house.server.store.results()) == 1


async def test_c12_a_player_who_gives_up_before_the_deal_ends_the_table(house: House) -> None:
    """C12, X3 nothing is lost by it."""
    match_id = await house.seated()
    await house.taps["ann"].ask("MakeMove", move_request(match_id, Resign(), 3))
    match = await house.clients["eve"].match(match_id)
    assert match.stage == match_pb2.STAGE_ENDED
    assert not match.outcome.HasField("winner")
    assert await open_rows(house) == []


# --- a director ---------------------------------------------------------------------------------


async def test_a_director_pauses_and_resumes_a_match(house: House) -> None:
    """Nobody moves meanwhile, and both are told; a bot that plays waits."""
    match_id = await house.seated(rules=Ruleset(hands=2))
    dee, eve = house.clients["dee"], house.clients["eve"]
    for client in house.players:
        await client.reveal_nonce(match_id)
    await dee.pause(match_id)
    playing = [asyncio.create_task(one.play(match_id, SimpleBot())) for one in house.players]
    async with watching(house, "eve", match_id) as stream:
        assert (await stream.next("snapshot")).snapshot.clock.paused
        while (await stream.next("event")).event.seq < 7:
            pass
        seen = [False, False]
        while seen != [True, True]:
            seen = [*(await stream.next("presence")).presence.connected]
    assert (await eve.view(match_id)).seq == 7
    await dee.resume(match_id)
    for result in await asyncio.gather(*playing):
        assert result.outcome.reason == events_pb2.END_REASON_HANDS
    assert (await eve.audit(match_id)).clean


async def test_a_director_lets_the_secrets_out(house: House) -> None:
    """Till then the seats check nothing, the audit waits, and nobody sees the other's cards."""
    match_id = await house.seated(rules=Ruleset(hands=2), reveal=ruleset_pb2.REVEAL_POLICY_DIRECTOR)
    playing = (one.play(match_id, SimpleBot()) for one in house.players)
    for result in await asyncio.gather(*playing):
        assert result.checked == 0
        assert result.unchecked >= 2
    eve = house.clients["eve"]
    found = await eve.audit(match_id)
    assert found.clean
    waiting = {c.name for c in found.checks if c.status == log_service_pb2.CHECK_STATUS_WAITING}
    assert "deck" in waiting
    request = log_service_pb2.GetPositionRequest(
        match_id=match_id, seq=7, perspective=log_service_pb2.PERSPECTIVE_FULL
    )
    check(
        await refused(house.taps["eve"], "GetPosition", request),
        *("PERMISSION_DENIED", "NOT_PERMITTED"),
        match=match_id,
    )
    await house.clients["dee"].reveal_secrets(match_id)
    found = await eve.audit(match_id)
    assert found.clean
    assert not [c for c in found.checks if c.status == log_service_pb2.CHECK_STATUS_WAITING]
    view = (await house.taps["eve"].ask("GetPosition", request)).view
    assert [len(held.cards) for held in view.hand.hands] >= [10, 10]

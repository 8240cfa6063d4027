"""Who attends at which server, and what the server that runs the tournament makes of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from support_hall import Attendant, announced, now, played, quick_terms, venue, wait_for
from support_hearsay import come_to_pass, within_earshot

from ginrummy.store import Hearsay, MemoryStore
from ginrummy.tables.errors import CutOffError
from ginrummy.tournaments.running.attendance import Attendance, Call, Session
from ginrummy.tournaments.running.bell import Bell
from ginrummy.tournaments.running.pace import Progress

CUP = "t_cup"


def attendance(hearsay: Hearsay) -> Attendance:
    """Return who is there of one tournament, at one server."""
    found = Attendance(Bell(), now, CUP, hearsay)

    def heard(stream: str, key: tuple[str, ...], by: str, what: str | None) -> None:
        assert stream == CUP
        found.hear(key, by, what)

    hearsay.follow(heard)
    return found


@asynccontextmanager
async def servers(count: int = 2) -> AsyncIterator[tuple[list[Attendance], list[Hearsay]]]:
    async with within_earshot(count) as said:
        yield [attendance(each) for each in said], said


def call(match_id: str = "m_a") -> Call:
    return Call(match_id=match_id, seat=1, round=2, table=3, board=4, opponent="Ännchen")


def session_of(attended: Attendance, entrant: str = "p_ann") -> Session:
    found = attended.free_session(entrant)
    assert found is not None
    return found


async def test_whoever_attends_at_one_server_is_there_at_all_of_them() -> None:
    async with servers() as ((here, there), _):
        with here.attending("p_ann", "run 1", 3):
            await come_to_pass(lambda: there.is_there("p_ann"))
            assert session_of(there).free == 3
            assert there.absent_since("p_ann") is None
        await come_to_pass(lambda: not there.is_there("p_ann"))
        assert there.was_there("p_ann")
        assert there.absent_since("p_ann") is not None


async def test_a_call_reaches_the_session_wherever_it_is_until_its_table_is_over() -> None:
    async with servers() as ((runner, there), _):
        with there.attending("p_ann", "run 1", 2) as session:
            await come_to_pass(lambda: runner.is_there("p_ann"))
            called = session_of(runner)
            runner.hold(called, "m_a")
            runner.call(called, call())
            await come_to_pass(lambda: session.open_calls == {"m_a": call()})
            assert called.free == 1
            runner.release(called, "m_a")
            await come_to_pass(lambda: session.open_calls == {})
            assert called.free == 2


async def test_a_session_that_comes_back_at_another_server_finds_its_calls_there() -> None:
    async with servers(3) as ((runner, old, new), said):
        stream = old.attending("p_ann", "run 1", 1)
        with stream:
            await come_to_pass(lambda: runner.is_there("p_ann"))
            called = session_of(runner)
            runner.hold(called, "m_a")
            runner.call(called, call())
            await come_to_pass(lambda: ("call", "p_ann", "run 1", "m_a") in said[2].said_of(CUP))
        await come_to_pass(lambda: called.lost_at is not None)
        assert called.free == 0
        with new.attending("p_ann", "run 1", 1) as session:
            assert session.open_calls == {"m_a": call()}
            await come_to_pass(lambda: called.lost_at is None)
            assert called.is_connected


async def test_who_is_at_a_server_that_dies_is_lost_until_they_are_back() -> None:
    async with servers(3) as ((runner, old, new), said):
        with old.attending("p_ann", "run 1", 1):
            await come_to_pass(lambda: runner.is_there("p_ann"))
            called = session_of(runner)
            runner.hold(called, "m_a")
            await said[1].end()
            await come_to_pass(lambda: called.lost_at is not None)
            with new.attending("p_ann", "run 1", 1):
                await come_to_pass(lambda: called.is_connected)
                assert called.lost_at is None


async def test_a_session_that_ends_is_ended_whichever_server_is_told() -> None:
    async with servers(3) as ((runner, old, other), _):
        with old.attending("p_ann", "run 1", 1):
            await come_to_pass(lambda: runner.is_there("p_ann") and other.is_there("p_ann"))
            called = session_of(runner)
            runner.hold(called, "m_a")
            other.end_session("p_ann", "run 1")
            await come_to_pass(lambda: called.ended)
            assert not runner.is_there("p_ann")


async def test_a_server_that_comes_later_knows_who_is_there_and_who_is_called() -> None:
    async with within_earshot(3) as said:
        runner, old = attendance(said[0]), attendance(said[1])
        with old.attending("p_ann", "run 1", 2):
            await come_to_pass(lambda: runner.is_there("p_ann"))
            runner.call(session_of(runner), call())
            await come_to_pass(lambda: len(said[2].said_of(CUP)) == 2)
            late = attendance(said[2])
            assert session_of(late).open_calls == {"m_a": call()}


async def test_who_runs_the_tournament_next_calls_everybody_anew() -> None:
    async with servers() as ((before, after), _):
        with after.attending("p_ann", "run 1", 1) as session:
            await come_to_pass(lambda: before.is_there("p_ann"))
            called = session_of(before)
            before.hold(called, "m_a")
            before.call(called, call())
            await come_to_pass(lambda: session.open_calls != {})
            before.withdraw_calls()
            await come_to_pass(lambda: session.open_calls == {})
            after.begin_anew()
            after.call(session_of(after), call("m_b"))
            await come_to_pass(lambda: called.open_calls == {"m_b": call("m_b")})
            # It may be this one's turn again.
            before.begin_anew()
            assert called.free == 1


async def test_all_servers_know_how_far_the_round_has_come() -> None:
    progress = Progress(2, 5, 10, 3, None, 60_000)
    async with servers() as ((runner, there), _):
        assert there.progress is None
        runner.say_progress(progress)
        await come_to_pass(lambda: there.progress == progress)
        runner.say_progress(None)
        await come_to_pass(lambda: there.progress is None)


async def test_what_is_said_of_other_things_is_passed_over() -> None:
    """As by a server of a later version."""
    async with servers() as ((_, there), said):
        rings = there._bell.rings
        said[0].say(CUP, ("weather",), "fine")
        said[0].say(CUP, ("session", "p_ann", "run 1"), "as many as there are")
        said[0].say(CUP, ("progress",), "{}")
        await come_to_pass(lambda: len(said[1].said_of(CUP)) == 3)
        assert there._bell.rings == rings
        assert not there.is_there("p_ann")
        assert there.progress is None


# --- the hall -----------------------------------------------------------------------------------


class Duty:
    """The duty to run tournaments, which comes and goes."""

    def __init__(self) -> None:
        self.is_here = True

    def __call__(self) -> bool:
        return self.is_here


async def test_a_hall_that_loses_its_duty_sends_nobody_away_and_goes_on_when_it_is_back() -> None:
    duty = Duty()
    async with venue(MemoryStore(), is_on_duty=duty) as rooms:
        desk = await announced(rooms, quick_terms(), ["ann", "ben"])
        running = rooms.hall._running[desk.tournament_id]
        duty.is_here = False
        await wait_for(lambda: running.task is None)
        attending = asyncio.create_task(played(rooms, desk, [Attendant("ann"), Attendant("ben")]))
        await wait_for(lambda: rooms.hall.attendance(desk.tournament_id).is_there("ann"))
        await asyncio.sleep(0.5)
        assert desk.tournament.sittings == ()
        duty.is_here = True
        ended = await attending
        assert len(ended.sittings) == 4


async def test_a_hall_that_is_cut_off_sends_everybody_away() -> None:
    duty = Duty()
    async with venue(MemoryStore(), is_on_duty=duty) as rooms:
        desk = await announced(rooms, quick_terms(), ["ann", "ben"])
        # Whether it runs the tournament or not.
        duty.is_here = False
        await wait_for(lambda: rooms.hall._running[desk.tournament_id].task is None)
        attending = asyncio.create_task(Attendant("ann").attend(rooms, desk))
        await wait_for(lambda: rooms.hall.attendance(desk.tournament_id).is_there("ann"))
        rooms.hall.cut_off()
        with pytest.raises(CutOffError):
            await attending
        with pytest.raises(CutOffError):
            rooms.hall.attendance(desk.tournament_id)
        assert (await rooms.hall.desk(desk.tournament_id)).seq == desk.seq


async def test_a_tournament_that_is_announced_at_another_server_is_run_all_the_same() -> None:
    store, duty = MemoryStore(), Duty()
    async with venue(store, is_on_duty=duty) as runner, venue(store, is_on_duty=_never) as other:
        desk = await announced(other, quick_terms(), ["ann", "ben"])
        assert desk.tournament_id not in runner.hall._running
        runner.hall.heard({desk.tournament_id: desk.seq, "m_a": 7})
        await wait_for(lambda: desk.tournament_id in runner.hall._running)
        assert runner.hall._running[desk.tournament_id].task is not None


def _never() -> bool:
    return False

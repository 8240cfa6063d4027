"""The face that waits: the same calls, made from a thread that has no event loop."""

import asyncio
import inspect
from collections.abc import Callable
from typing import TypeVar

import pytest
from support_attending import TOURNAMENT, FakeTournament, attending, called, over
from support_client import QUICK, TOKEN, FakeServer, serving, simple
from support_logs import Table, played

from ginrummy.bots import SimpleBot
from ginrummy.client import (
    Attended,
    Client,
    Disputes,
    NotFoundError,
    SeatSession,
    Tournaments,
    to_decide,
)
from ginrummy.client.sync import SyncClient, SyncDisputes, SyncSeat, SyncTournaments, connect
from ginrummy.tables.errors import NoSuchMatchError

T = TypeVar("T")


@pytest.fixture
def server() -> FakeServer:
    return FakeServer(Table(1, target=30))


async def by_thread(server: FakeServer, use: Callable[[SyncClient], T]) -> T:
    """Return what `use` does with a client that waits, on a thread of its own."""

    def work(address: str) -> T:
        with connect(address, token=TOKEN, retry=QUICK) as client:
            return use(client)

    async with serving(server) as address:
        return await asyncio.to_thread(work, address)


async def test_calls_wait_for_their_answers(server: FakeServer) -> None:
    match = await by_thread(server, lambda client: client.match(server.table.stream))
    assert match.id == server.table.stream


async def test_errors_come_out_where_the_call_was_made(server: FakeServer) -> None:
    server.failures.append(NoSuchMatchError("m_1"))
    with pytest.raises(NotFoundError):
        await by_thread(server, lambda client: client.match("m_1"))


async def test_lists_are_iterated(server: FakeServer) -> None:
    rows = await by_thread(server, lambda client: [row.id for row in client.matches()])
    assert rows == [f"m_{row}" for row in range(6)]


async def test_a_watch_can_be_left_in_the_middle() -> None:
    server = FakeServer(played(7, hands=1))

    def first(client: SyncClient) -> int:
        for update in client.watch(server.table.stream):
            if update.HasField("event"):
                return update.event.seq
        return 0

    assert await by_thread(server, first) == 1


async def test_a_bot_plays(server: FakeServer) -> None:
    result = await by_thread(server, lambda client: client.play(server.table.stream, SimpleBot()))
    assert result.unchecked == 0


async def test_a_seat_is_played_by_hand(server: FakeServer) -> None:
    def play(client: SyncClient) -> int:
        client.sign_in(TOKEN)
        with client.sit(server.table.stream) as seat:
            assert seat.view is None
            view = seat.wait()
            for _ in range(5):
                view = seat.move(simple(view)) if to_decide(view) else seat.wait()
            assert seat.view == view
            return seat.verifier.dealt

    assert await by_thread(server, play) >= 1


async def test_a_tournament_is_attended() -> None:
    server = FakeTournament()
    for said in (called(server.matches.table.stream), over()):
        server.says.put_nowait(said)

    def attend(target: str) -> Attended:
        with connect(target, token=TOKEN, retry=QUICK) as client:
            return client.tournaments.attend(TOURNAMENT, lambda _: SimpleBot())

    async with attending(server) as client:
        attended = await asyncio.to_thread(attend, client.target)
    assert (attended.reason, len(attended.results)) == ("complete", 1)


@pytest.mark.parametrize(
    ("face", "inner"),
    [
        (SyncClient, Client),
        (SyncSeat, SeatSession),
        (SyncTournaments, Tournaments),
        (SyncDisputes, Disputes),
    ],
)
def test_the_face_has_every_call(face: type[object], inner: type[object]) -> None:
    ours = {name for name in vars(inner) if not name.startswith("_")}
    # What belongs to the event loop alone.
    ours -= {"metadata", "open_play"}
    assert ours <= set(vars(face))
    assert {name for name in vars(face) if not name.startswith("_")} == ours | (
        {"verifier"} if face is SyncSeat else set()
    )


def test_the_calls_keep_their_documentation() -> None:
    assert SyncClient.create_match.__doc__ == Client.create_match.__doc__
    names = list(inspect.signature(SyncClient.create_match).parameters)
    assert names == list(inspect.signature(Client.create_match).parameters)

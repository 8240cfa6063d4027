"""A seat's session whose connection breaks, and one whose bot takes its time."""

import asyncio
import random
from collections import Counter

import pytest
from support_client import FakeServer, client_of, connected, on_turn, serving, simple
from support_logs import Table

from ginrummy.bots import (
    Draw,
    Move,
    SimpleBot,
    Take,
    View,
)
from ginrummy.client import BrokenChainError
from ginrummy.rules.commands import Resign
from ginrummy.v1.match_service_pb2 import PlayRequest, PlayResponse


@pytest.fixture
def server() -> FakeServer:
    return FakeServer(Table(1, target=50))


def moves_of(server: FakeServer) -> list[PlayRequest]:
    """Return the moves that came in over Play streams."""
    return [one for one in server.requests if isinstance(one, PlayRequest) and one.HasField("move")]


# --- lost streams and answers ---------------------------------------------------------------------


async def test_a_move_that_was_lost_is_sent_again_under_its_request_id(server: FakeServer) -> None:
    server.play_faults.extend(["", "lost"])
    async with connected(server) as client:
        await client.play(server.table.stream, SimpleBot())
    ids = Counter(one.move.request_id for one in moves_of(server))
    assert sorted(ids.values())[-2:] == [1, 2]
    first, second = (one for one in moves_of(server) if ids[one.move.request_id] == 2)
    assert first == second
    assert server.streams == 2


async def test_a_move_that_a_stopping_server_refuses_is_sent_again_as_it_was(
    server: FakeServer,
) -> None:
    server.play_faults.extend(["", "refused by the end"])
    async with connected(server) as client:
        await client.play(server.table.stream, SimpleBot())
    ids = Counter(one.move.request_id for one in moves_of(server))
    assert sorted(ids.values())[-2:] == [1, 2]
    assert server.streams == 2


async def test_a_move_whose_answer_was_lost_is_found_in_the_log(server: FakeServer) -> None:
    server.play_faults.extend(["", "answer lost"])
    async with connected(server) as client:
        await client.play(server.table.stream, SimpleBot())
    ids = Counter(one.move.request_id for one in moves_of(server))
    assert set(ids.values()) == {1}
    assert server.streams == 2


@pytest.mark.parametrize("seed", range(5))
async def test_a_match_survives_any_losses(seed: int) -> None:
    rng = random.Random(seed)
    server = FakeServer(Table(seed, target=30))
    server.play_faults.extend(
        rng.choice(["", "", "lost", "answer lost", "hung up"]) for _ in range(2000)
    )
    async with connected(server) as client:
        result = await client.play(server.table.stream, SimpleBot())
    assert result.unchecked == 0
    assert server.streams > 3
    made = [line.cmd for line in server.table.lines if line.by == server.table.players[0]]
    assert len(made) == len(set(made))


async def test_a_match_goes_on_when_the_server_is_started_again(server: FakeServer) -> None:
    bot = Thinker()
    async with serving(server) as address:
        client = client_of(server, address)
        playing = asyncio.create_task(client.play(server.table.stream, bot))
        await bot.thinking.wait()
    bot.may_go_on.set()
    async with serving(server, address), client:
        result = await playing
    assert not bot.given_up
    assert result.unchecked == 0
    assert server.streams == 2


async def test_a_stream_that_ends_too_early_is_opened_again(server: FakeServer) -> None:
    async with connected(server) as client, client.sit(server.table.stream) as seat:
        view = await on_turn(seat)
        await server.says.put("hung up")
        view = await seat.move(simple(view))
    assert server.streams == 2
    assert view.seq > 1


async def test_a_server_that_has_lost_what_it_told_is_found_out(server: FakeServer) -> None:
    async with connected(server) as client, client.sit(server.table.stream) as seat:
        await on_turn(seat)
        server.forgets = True
        await server.says.put("hung up")
        with pytest.raises(BrokenChainError, match="the server has lost it"):
            await seat.wait()


async def test_a_view_that_runs_ahead_of_the_events_is_not_acted_on(server: FakeServer) -> None:
    said = 0

    def spoil(response: PlayResponse) -> None:
        nonlocal said
        said += 1
        if said == 4:
            del response.events[-1]

    server.spoil = spoil
    async with connected(server) as client:
        result = await client.play(server.table.stream, SimpleBot())
    assert result.unchecked == 0
    assert server.streams == 2


# --- bots that take their time --------------------------------------------------------------------


class Thinker(SimpleBot):
    """A bot that thinks about its first draw until it may go on."""

    def __init__(self) -> None:
        self.thinking = asyncio.Event()
        self.may_go_on = asyncio.Event()
        self.given_up = False

    async def draw(self, view: View) -> Move:  # type: ignore[override]  # it may be async
        self.thinking.set()
        try:
            await self.may_go_on.wait()
        except asyncio.CancelledError:
            self.given_up = True
            raise
        return Take() if view.hand.legal.take and not view.hand.legal.draw else Draw()


async def test_a_bot_that_thinks_plays_as_well(server: FakeServer) -> None:
    bot = Thinker()
    bot.may_go_on.set()
    async with connected(server) as client:
        result = await client.play(server.table.stream, bot)
    assert result.unchecked == 0
    assert not bot.given_up


async def test_thinking_ends_when_the_match_does(server: FakeServer) -> None:
    bot = Thinker()
    async with connected(server) as client:
        playing = asyncio.create_task(client.play(server.table.stream, bot))
        await bot.thinking.wait()
        server.table.move(Resign(), 1)
        await server.says.put("news")
        result = await playing
    assert bot.given_up
    assert result.outcome.winner == 0


async def test_thinking_goes_on_when_the_connection_is_made_anew(server: FakeServer) -> None:
    bot = Thinker()
    async with connected(server) as client:
        playing = asyncio.create_task(client.play(server.table.stream, bot))
        await bot.thinking.wait()
        await server.says.put("lost")
        while await server.opened.get() < 2:
            pass
        bot.may_go_on.set()
        result = await playing
    assert not bot.given_up
    assert result.unchecked == 0


async def test_a_session_that_is_given_up_leaves_nothing_running(server: FakeServer) -> None:
    bot = Thinker()
    async with connected(server) as client:
        playing = asyncio.create_task(client.play(server.table.stream, bot))
        await bot.thinking.wait()
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
        assert bot.given_up
        others = asyncio.all_tasks() - {asyncio.current_task()}
        assert not [task for task in others if "SeatSession" in repr(task)]


async def test_what_a_bot_raises_comes_out(server: FakeServer) -> None:
    class Broken(SimpleBot):
        async def draw(self, view: View) -> Move:  # type: ignore[override]  # it may be async
            raise ZeroDivisionError

    async with connected(server) as client:
        with pytest.raises(ZeroDivisionError):
            await client.play(server.table.stream, Broken())

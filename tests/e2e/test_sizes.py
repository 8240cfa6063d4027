"""Long histories, large requests and slow readers: no message too big, no buffer without end."""

import asyncio
from collections.abc import AsyncIterator
from typing import NamedTuple

import grpc
import pytest
from support_logs import Table as Played
from support_logs import in_hand
from support_play import soak
from support_seats import hard_of_hearing
from support_server import InProcess, in_process, signed_up
from support_wire import Refused, Tap

from ginrummy.bots import SimpleBot
from ginrummy.client import connect
from ginrummy.v1 import log_service_pb2 as logs
from ginrummy.v1 import match_service_pb2 as matches
from ginrummy.v1.ruleset_pb2 import Ruleset

CLIENTS_TAKE = 4 << 20
"""The largest message that a client takes of itself, in bytes."""

HANDS = soak(990, 400)
"""How many hands of a match of 1,000 are played, which is as many as there can be."""

# --- F6: long histories -------------------------------------------------------------------------


class Long(NamedTuple):
    """A server with a match of hundreds of hands that is not over."""

    server: InProcess
    played: Played
    token: str
    """That of seat 0's player."""


@pytest.fixture
async def long() -> AsyncIterator[Long]:
    played = Played(1, hands=1000, chain=1000).seated().play(until=in_hand(HANDS))
    async with in_process() as server:
        server.plant(played.lines, played.secrets.secret(1000))
        yield Long(server, played, server.let_in(played.players[0], "Alice"))


async def test_f6_a_long_log_comes_in_pages(long: Long) -> None:
    """F6 each far below what a client takes, and together the log."""
    tap = Tap(long.server.address, long.token)
    request = logs.ReadLogRequest(match_id=long.played.stream)
    pages = [[*page.lines] async for page in tap.listen("ReadLog", request)]
    assert [line for page in pages for line in page] == long.played.log
    assert len(pages) > 10
    assert max(len(came.raw) for came in tap.came) < CLIENTS_TAKE / 4
    await tap.close()


async def test_f6_a_long_history_comes_over_play_in_parts(long: Long) -> None:
    """F6 a player who comes back with nothing gets it all; only the last part has the view."""
    tap = Tap(long.server.address, long.token)
    talk = tap.talk("Play")
    start = matches.PlayStart(match_id=long.played.stream)
    await talk.say(matches.PlayRequest(start=start))
    parts = [await talk.hear()]
    while not parts[-1].HasField("view"):
        parts.append(await talk.hear())
    assert [event.line for part in parts for event in part.events] == long.played.log
    assert parts[-1].view.seq == len(long.played.log)
    sizes = [len(came.raw) for came in tap.came]
    assert sum(sizes) > CLIENTS_TAKE
    assert max(sizes) < CLIENTS_TAKE / 4
    await tap.close()


async def test_f6_a_long_match_is_watched_and_taken_up_again_by_the_sdk(long: Long) -> None:
    """F6 with a client that takes no more than is usual."""
    match_id = long.played.stream
    async with connect(long.server.address, token=long.token) as client:
        async with client.sit(match_id) as seat:
            view = await seat.wait()
        assert view.seq == seat.verifier.chain.seq == len(long.played.log)
        watching = client.watch(match_id)
        assert (await anext(watching)).HasField("snapshot")
        for seq in range(1, len(long.played.log) + 1):
            assert (await anext(watching)).event.seq == seq
        assert (await anext(watching)).caught_up.seq == len(long.played.log)
        back = await client.position(match_id, 7)
        assert (back.seq, back.hand.number) == (7, 1)
        found = await client.audit(match_id)
        assert (found.clean, found.lines) == (True, len(long.played.log))


# --- F6: large requests -------------------------------------------------------------------------


async def test_f6_a_request_of_5_mb_is_refused_and_the_server_goes_on() -> None:
    """F6 RESOURCE_EXHAUSTED, on a stream as well; other calls do not notice."""
    async with in_process() as server, signed_up(server.address, "Ann") as ann:
        match = await ann.create_match()
        await ann.join(match.id)
        tap = Tap(server.address, ann._token)
        with pytest.raises(Refused) as refused:
            await tap.ask("CreateMatch", matches.CreateMatchRequest(name="x" * 5_000_000))
        assert refused.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        talk = tap.talk("Play")
        await talk.say(matches.PlayRequest(start=matches.PlayStart(match_id=match.id)))
        assert (await talk.hear()).view.match_id == match.id
        large = matches.PlayMove(request_id="x" * 5_000_000)
        await talk.say(matches.PlayRequest(move=large))
        with pytest.raises(Refused) as refused:
            await talk.hear()
        assert refused.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert (await ann.view(match.id)).seq == 2
        await tap.close()


# --- slow readers -------------------------------------------------------------------------------


async def test_a_slow_watcher_is_told_where_to_go_on_and_holds_nobody_up() -> None:
    """It reads nothing while a long match is played to its end; then nothing is missing."""
    async with (
        in_process() as server,
        signed_up(server.address, "Ann") as ann,
        signed_up(server.address, "Bob") as bob,
        hard_of_hearing(ann) as slow,
    ):
        match = await ann.create_match(rules=Ruleset(hands=30))
        request = matches.WatchRequest(match_id=match.id)
        watch = slow._matches.Watch(request, metadata=slow.metadata)
        first = await watch.read()
        assert isinstance(first, matches.WatchResponse)
        assert first.HasField("snapshot")
        results = await asyncio.gather(*(one.play(match.id, SimpleBot()) for one in (ann, bob)))
        last = (await ann.match(match.id)).seq
        assert last > 700
        assert results[0].outcome == results[1].outcome

        seen: list[int] = []
        lagged = 0
        while not seen or seen[-1] < last:
            update = await watch.read()
            assert isinstance(update, matches.WatchResponse)
            if update.HasField("event"):
                seen.append(update.event.seq)
            if update.HasField("lagged"):
                lagged += 1
                assert update.lagged.after_seq == seen[-1]
                assert await watch.read() is grpc.aio.EOF
                again = matches.WatchRequest(match_id=match.id, after_seq=seen[-1])
                watch = slow._matches.Watch(again, metadata=slow.metadata)
        assert lagged == 1
        assert seen == [*range(1, last + 1)]

"""A bot by the protos alone, with one fault of its author's: `python support_raw_bot.py FAULT`.

Without a fault, `none`, it keeps the whole contract of docs/bots.md.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any
from uuid import uuid4

import grpc

from ginrummy.v1.match_pb2 import Discard, Draw, HandView, LayOff, Move, PassUpcard, Take, View
from ginrummy.v1.match_service_pb2 import (
    JoinMatchRequest,
    PlayMove,
    PlayRequest,
    PlayStart,
)
from ginrummy.v1.match_service_pb2_grpc import MatchServiceStub
from ginrummy.v1.tournament_service_pb2 import AttendRequest, TableCall
from ginrummy.v1.tournament_service_pb2_grpc import TournamentServiceStub

FAULT = sys.argv[1]
TOURNAMENT = os.environ["GINRUMMY_TOURNAMENT"]
WHO = (("authorization", f"Bearer {os.environ['GINRUMMY_TOKEN']}"),)

BROKEN_OFF = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL}
"""How a stream ends that is to be opened again: INTERNAL is what a write too late comes to."""


def decide(view: View) -> Move:
    """Answer a view: take where the fault needs it, draw, and throw the first card."""
    hand = view.hand
    legal = hand.legal
    if FAULT == "keeps-nothing" and hand.taken:
        return Move(discard=Discard(card=hand.drawn))
    if legal.lay_off:
        if FAULT == "dies-laying-off":
            sys.exit(3)
        return Move(lay_off=LayOff(auto=True))
    if legal.discards:
        return Move(discard=Discard(card=legal.discards[0]))
    if legal.take and FAULT == "keeps-nothing":
        return Move(take=Take())
    return Move(pass_upcard=PassUpcard()) if legal.pass_upcard else Move(draw=Draw())


def has_to_decide(view: View) -> bool:
    """Say whether it is to move, as far as the fault lets it see."""
    if FAULT == "eager" and view.HasField("hand"):
        return True
    hand: HandView = view.hand
    return hand.HasField("legal") and (FAULT == "hasty" or not view.clock.paused)


async def say(stream: Any, request: PlayRequest) -> None:  # noqa: ANN401 -- a stream
    """Write, and leave it to reading to tell how a stream has ended that no longer takes it."""
    with suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
        await stream.write(request)


class Table:
    """One match."""

    def __init__(self, matches: Any, call: TableCall) -> None:  # noqa: ANN401 -- a stub
        self.matches = matches
        self.call = call
        self.seen = 0
        self.sent: PlayMove | None = None

    async def play(self) -> None:
        """Play to the end, by as many streams as it takes."""
        if not self.call.board:
            request = JoinMatchRequest(match_id=self.call.match_id, request_id=uuid4().hex)
            await self.matches.JoinMatch(request, metadata=WHO)
        over = False
        while not over:
            over = await self.stream()
            await asyncio.sleep(0.1)

    async def stream(self) -> bool:
        """Play on one stream; return whether the match is over."""
        stream = self.matches.Play(metadata=WHO)
        try:
            start = PlayStart(match_id=self.call.match_id, after_seq=self.seen)
            await say(stream, PlayRequest(start=start))
            async for response in self.responses(stream):
                if await self.heed(stream, response):
                    return True
        except grpc.aio.AioRpcError as error:
            if error.code() not in BROKEN_OFF:
                raise
        finally:
            stream.cancel()
        return False

    async def responses(self, stream: Any) -> AsyncIterator[Any]:  # noqa: ANN401
        """Yield what comes; an impatient bot is not content to wait for it."""
        while True:
            reading = asyncio.ensure_future(stream.read())
            if FAULT == "impatient" and self.sent is not None:
                await asyncio.wait((reading,), timeout=1.0)
                if not reading.done():
                    self.sent.request_id = uuid4().hex
                    await say(stream, PlayRequest(move=self.sent))
            response = await reading
            if response is grpc.aio.EOF:
                return
            yield response

    async def heed(self, stream: Any, response: Any) -> bool:  # noqa: ANN401 -- a stream
        """Do what a message asks for; return whether the match is over."""
        for event in response.events:
            self.seen = max(self.seen, event.seq)
            if self.sent is not None and event.request_id == self.sent.request_id:
                self.sent = None
        if response.HasField("refusal"):
            refusal = response.refusal
            if FAULT == "stubborn" and refusal.code == grpc.StatusCode.ABORTED.value[0]:
                again = PlayMove(
                    request_id=refusal.request_id, expected_seq=1, move=Move(draw=Draw())
                )
                await asyncio.sleep(0.05)
                await say(stream, PlayRequest(move=again))
            elif refusal.rule:
                raise RuntimeError(refusal.message)
            elif refusal.code != grpc.StatusCode.UNAVAILABLE.value[0]:
                self.sent = None
        view = response.view
        if view.HasField("outcome"):
            return True
        if response.HasField("view") and has_to_decide(view):
            if self.sent is None or self.sent.expected_seq != view.seq or FAULT == "doubles":
                self.sent = PlayMove(expected_seq=view.seq, move=decide(view))
                self.sent.request_id = uuid4().hex
            elif FAULT == "new-id":
                self.sent.request_id = uuid4().hex
            await say(stream, PlayRequest(move=self.sent))
        return False


async def attend(channel: Any, tables: dict[str, asyncio.Task[None]]) -> bool:  # noqa: ANN401
    """Attend on one stream; return whether the tournament is over."""
    session = uuid4().hex if FAULT == "new-session" else os.environ["GINRUMMY_SESSION"]
    request = AttendRequest(tournament_id=TOURNAMENT, session_id=session, tables=1)
    try:
        async for said in TournamentServiceStub(channel).Attend(request, metadata=WHO):
            if FAULT == "strict" and said.WhichOneof("news") is None:
                raise NotImplementedError("there is no such news")
            if said.HasField("call") and said.call.match_id not in tables:
                table = Table(MatchServiceStub(channel), said.call)
                tables[said.call.match_id] = asyncio.ensure_future(table.play())
                tables[said.call.match_id].add_done_callback(end_if_failed)
            if said.HasField("over"):
                return True
    except grpc.aio.AioRpcError as error:
        if error.code() is not grpc.StatusCode.UNAVAILABLE:
            raise
    return False


def end_if_failed(table: "asyncio.Task[None]") -> None:
    """End the program with a table that has failed."""
    if not table.cancelled() and table.exception() is not None:
        sys.stderr.write(f"{table.exception()!r}\n")
        sys.stderr.flush()
        os._exit(3)


async def main() -> None:
    """Attend until the tournament is over."""
    tables: dict[str, asyncio.Task[None]] = {}
    async with grpc.aio.insecure_channel(os.environ["GINRUMMY_SERVER"]) as channel:
        while not await attend(channel, tables):
            if FAULT == "once":
                await asyncio.sleep(1000)
            await asyncio.sleep(0.1)
        if FAULT == "stays":
            await asyncio.sleep(1000)


if __name__ == "__main__":
    asyncio.run(main())

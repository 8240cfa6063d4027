"""A program at a tournament: an Attend stream that outlives its connection, and the called tables.

server ──> call to a table ──> a bot of its own ──> the match, by MatchService
             ^                                        │
             └── a new stream, the same session: calls that were heard before are known ──┘
"""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, NamedTuple

import grpc

from ginrummy.client.bot import Bot
from ginrummy.client.errors import (
    Answer,
    CallError,
    NonceLostError,
    RefusedError,
    UnavailableError,
    call_error,
)
from ginrummy.client.nonces import nonce_key
from ginrummy.client.retry import Attempts
from ginrummy.client.seat import Result
from ginrummy.v1.match_pb2 import STAGE_ENDED
from ginrummy.v1.tournament_service_pb2 import AttendRequest, AttendResponse, TableCall

if TYPE_CHECKING:
    from ginrummy.client.client import Client
    from ginrummy.v1.tournament_service_pb2_grpc import TournamentServiceAsyncStub

__all__ = ["Attended", "Attending", "Played"]


class Played(NamedTuple):
    """A table that was played to its end."""

    call: TableCall
    """Which table it was."""
    result: Result
    """How its match ended."""


class Attended(NamedTuple):
    """A tournament that is over, as one program has seen it."""

    reason: str
    """Why it is over: `complete`, `too_few`, `decided` or `aborted`."""
    played: tuple[Played, ...]
    """The tables that this program sat at, as they ended; not those that were over before."""

    @property
    def results(self) -> tuple[Result, ...]:
        """How its matches ended."""
        return tuple(played.result for played in self.played)


class Attending:
    """One attendance, from the first stream to the tournament's end."""

    def __init__(
        self,
        client: "Client",
        stub: "TournamentServiceAsyncStub",
        request: AttendRequest,
        make_bot: Callable[[TableCall], Bot],
    ) -> None:
        """Prepare to attend as `request` says, with a bot of `make_bot` at each table."""
        self._client = client
        self._stub = stub
        self._request = request
        self._make_bot = make_bot
        self._called: set[str] = set()
        """The matches that were called to, over or not."""
        self._free = asyncio.Semaphore(max(request.tables, 1))
        self._played: list[Played] = []

    async def run(self) -> Attended:
        """Attend until the tournament and the own tables are over. May be called once.

        Raises what ends the attendance before that, as `Tournaments.attend` says.
        """
        try:
            async with asyncio.TaskGroup() as tables:
                reason = await self._listen(tables)
        except BaseExceptionGroup as failures:
            # The first one has ended all others.
            raise failures.exceptions[0] from None
        self._client.nonces.pop(await self._nonce_key(), None)
        return Attended(reason, tuple(self._played))

    async def _listen(self, tables: asyncio.TaskGroup) -> str:
        """Do what the server says until the tournament is over; return why it is."""
        attempts = Attempts(self._client.retry)
        while True:
            failure: CallError
            stream = self._stub.Attend(self._request, metadata=self._client.metadata)
            try:
                async for said in stream:
                    attempts.succeeded()
                    if said.HasField("over"):
                        return said.over.reason
                    await self._heed(said, tables)
                told = Answer(grpc.StatusCode.UNAVAILABLE, "the stream ended before the tournament")
                failure = UnavailableError(told)
            except grpc.aio.AioRpcError as error:
                failure = call_error(error)
                failure.__cause__ = error
            finally:
                stream.cancel()
            await attempts.failed(failure)

    async def _heed(self, said: AttendResponse, tables: asyncio.TaskGroup) -> None:
        if said.HasField("nonce_due"):
            await self._reveal_nonce()
        elif said.HasField("call") and said.call.match_id not in self._called:
            self._called.add(said.call.match_id)
            tables.create_task(self._play(said.call))

    async def _reveal_nonce(self) -> None:
        try:
            await self._client.tournaments.reveal_nonce(self._request.tournament_id)
        except KeyError:
            raise NonceLostError(
                f"{self._request.tournament_id} waits for the nonce that you committed to when "
                f"entering, and it is not kept here: use the `nonces` that you entered with"
            ) from None

    async def _play(self, call: TableCall) -> None:
        """Play at a table, once there is room for it."""
        async with self._free:
            try:
                await self._sit(call)
            except Exception as error:
                error.add_note(f"at {_place(call)}: {call.match_id}, against {call.opponent}")
                raise

    async def _sit(self, call: TableCall) -> None:
        bot = self._make_bot(call)
        async with AsyncExitStack() as table:
            try:
                seat = await table.enter_async_context(self._client.sit(call.match_id))
            except RefusedError:
                if (await self._client.match(call.match_id)).stage == STAGE_ENDED:
                    # It was over before this player sat down, so there is nothing to play.
                    return
                raise
            self._played.append(Played(call, await seat.play(bot)))

    async def _nonce_key(self) -> str:
        return nonce_key(self._request.tournament_id, (await self._client.me()).id)


def _place(call: TableCall) -> str:
    """Return which table a call is to, in words."""
    board = f", board {call.board}" if call.board else ""
    return f"round {call.round}, table {call.table}{board}"

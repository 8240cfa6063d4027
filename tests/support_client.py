"""A server of one table that does as it is told: it loses streams and answers, and it cheats.

The table is a real one, with a real log and a real deck; seat 0 is the client under test, seat 1 is
played by `simple_move`. Everything that comes in is written down.
"""

import asyncio
import random
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias, TypeVar

import grpc
from google.protobuf.message import Message
from grpc_status import rpc_status
from support_logs import Table
from support_play import Policy, simple_move
from support_story import Story

from ginrummy.api.errors import InvalidFieldError, refusal_message, status_of
from ginrummy.api.move_messages import move_from
from ginrummy.api.view_messages import legal_message, match_message
from ginrummy.bots import Move, SimpleBot
from ginrummy.client import Client, Nonces, Retry, SeatSession, connect, to_decide
from ginrummy.client.nonces import nonce_key
from ginrummy.log.deck import nonce_commitment
from ginrummy.log.ed25519 import public_key
from ginrummy.rules.cards import Seat
from ginrummy.rules.commands import Join, Play, RevealNonce
from ginrummy.rules.errors import IllegalMoveError
from ginrummy.rules.match import Ended, Playing
from ginrummy.rules.view import view
from ginrummy.tables.errors import NoSuchEventError, StaleSeqError, StoppingError
from ginrummy.v1 import (
    log_service_pb2,
    log_service_pb2_grpc,
    match_pb2,
    match_service_pb2,
    match_service_pb2_grpc,
    player_service_pb2,
    player_service_pb2_grpc,
)

__all__ = ["QUICK", "TOKEN", "FakeServer", "client_of", "connected", "on_turn", "serving", "simple"]

QUICK = Retry(deadline=5.0, patience=5.0, first_pause=0.001, longest_pause=0.01)
"""Patience that does not hold up a test."""

TOKEN = "token-of-seat-0"

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Answer = TypeVar("Answer", bound=Message)


class FakeServer(
    match_service_pb2_grpc.MatchServiceServicer,
    player_service_pb2_grpc.PlayerServiceServicer,
    log_service_pb2_grpc.LogServiceServicer,
):
    """One table, at which the client under test has seat 0."""

    def __init__(self, table: Table, policy: Policy = simple_move) -> None:
        self.table = table
        self.story = Story(table)
        self.requests: list[object] = []
        """Everything that came in, in order."""
        self.failures: deque[Exception | float] = deque()
        """What the next unary calls end with, or how many seconds they hang."""
        self.play_faults: deque[str] = deque()
        """What befalls the next moves on a Play stream: `lost`, `answer lost`, `hung up`, or
        nothing."""
        self.says: asyncio.Queue[str] = asyncio.Queue()
        """Wakes the open Play stream: to tell the news, or to break off as in `play_faults`."""
        self.spoil: Callable[[match_service_pb2.PlayResponse], None] = lambda _: None
        """What is done to every message of a Play stream before it goes out."""
        self.watch_ends: deque[int] = deque()
        """After how many events the next watches and logs break off; negative for lagging."""
        self.forgets = False
        """The next Play stream finds a log that is shorter than what was told."""
        self.left_out: set[int] = set()
        """The events that a watch does not tell."""
        self.streams = 0
        self.opened: asyncio.Queue[int] = asyncio.Queue()
        """The numbers of the Play streams, as they are opened."""
        self.rng = random.Random(0)
        self._policy = policy
        self._done: dict[str, int] = {}

    # --- seats ------------------------------------------------------------------------------------

    async def GetPlayer(  # noqa: N802
        self,
        request: player_service_pb2.GetPlayerRequest,
        context: Context,
    ) -> player_service_pb2.GetPlayerResponse:
        await self._befall(request, context)
        player = player_service_pb2.Player(id=self.table.players[0], name="Alice")
        return player_service_pb2.GetPlayerResponse(player=player)

    async def GetMatch(  # noqa: N802
        self, request: match_service_pb2.GetMatchRequest, context: Context
    ) -> match_service_pb2.GetMatchResponse:
        await self._befall(request, context)
        return match_service_pb2.GetMatchResponse(match=self._match())

    async def JoinMatch(  # noqa: N802
        self, request: match_service_pb2.JoinMatchRequest, context: Context
    ) -> match_service_pb2.JoinMatchResponse:
        await self._befall(request, context)
        commitment = request.nonce_commitment.hex()
        secret = self.table.signers[1]
        try:
            self._join(0, "Alice", commitment, request.public_key)
        except IllegalMoveError as error:
            await _refuse(context, error)
        own_key = b"" if secret is None else public_key(secret)
        self._join(1, "Bob", nonce_commitment(self.nonce), own_key)
        self.table.act(RevealNonce(1, self.nonce.hex()), self.table.players[1])
        return match_service_pb2.JoinMatchResponse(seat=0, match=self._match())

    nonce = b"of the other one"

    def _join(self, seat: Seat, name: str, commitment: str, key: bytes) -> None:
        player = self.table.players[seat]
        self.table.act(Join(seat, player, name, commitment, "player", key.hex() or None), player)

    def _match(self) -> match_pb2.Match:
        last = self.table.lines[-1]
        return match_message(
            self.table.match,
            match_id=self.table.stream,
            created_at=self.table.lines[0].at,
            seq=last.seq,
            head_hash=last.hash,
        )

    # --- calls that are only answered -------------------------------------------------------------

    async def CreatePlayer(  # noqa: N802
        self, request: player_service_pb2.CreatePlayerRequest, context: Context
    ) -> player_service_pb2.CreatePlayerResponse:
        player = player_service_pb2.Player(id="p_new", name=request.name)
        answer = player_service_pb2.CreatePlayerResponse(player=player, token="new token")
        return await self._answered(request, context, answer)

    async def CreateMatch(  # noqa: N802
        self, request: match_service_pb2.CreateMatchRequest, context: Context
    ) -> match_service_pb2.CreateMatchResponse:
        answer = match_service_pb2.CreateMatchResponse(match=self._match())
        return await self._answered(request, context, answer)

    async def ForkMatch(  # noqa: N802
        self, request: match_service_pb2.ForkMatchRequest, context: Context
    ) -> match_service_pb2.ForkMatchResponse:
        answer = match_service_pb2.ForkMatchResponse(match=self._match())
        return await self._answered(request, context, answer)

    async def ListMatches(  # noqa: N802
        self, request: match_service_pb2.ListMatchesRequest, context: Context
    ) -> match_service_pb2.ListMatchesResponse:
        # Three pages of two rows.
        page = int(request.page_token or 0)
        rows = [match_pb2.MatchSummary(id=f"m_{2 * page + row}") for row in range(2)]
        token = str(page + 1) if page < 2 else ""
        answer = match_service_pb2.ListMatchesResponse(matches=rows, next_page_token=token)
        return await self._answered(request, context, answer)

    async def RevealNonce(  # noqa: N802
        self, request: match_service_pb2.RevealNonceRequest, context: Context
    ) -> match_service_pb2.RevealNonceResponse:
        answer = match_service_pb2.RevealNonceResponse(match=self._match())
        return await self._answered(request, context, answer)

    async def GetView(  # noqa: N802
        self, request: match_service_pb2.GetViewRequest, context: Context
    ) -> match_service_pb2.GetViewResponse:
        answer = match_service_pb2.GetViewResponse(view=self.story.view())
        return await self._answered(request, context, answer)

    async def PauseMatch(  # noqa: N802
        self, request: match_service_pb2.PauseMatchRequest, context: Context
    ) -> match_service_pb2.PauseMatchResponse:
        answer = match_service_pb2.PauseMatchResponse(match=self._match())
        return await self._answered(request, context, answer)

    async def ResumeMatch(  # noqa: N802
        self, request: match_service_pb2.ResumeMatchRequest, context: Context
    ) -> match_service_pb2.ResumeMatchResponse:
        answer = match_service_pb2.ResumeMatchResponse(match=self._match())
        return await self._answered(request, context, answer)

    async def RevealSecrets(  # noqa: N802
        self, request: match_service_pb2.RevealSecretsRequest, context: Context
    ) -> match_service_pb2.RevealSecretsResponse:
        answer = match_service_pb2.RevealSecretsResponse(match=self._match())
        return await self._answered(request, context, answer)

    async def ListPresets(  # noqa: N802
        self, request: match_service_pb2.ListPresetsRequest, context: Context
    ) -> match_service_pb2.ListPresetsResponse:
        preset = match_service_pb2.Preset(name="standard")
        answer = match_service_pb2.ListPresetsResponse(presets=[preset])
        return await self._answered(request, context, answer)

    async def GetPosition(  # noqa: N802
        self, request: log_service_pb2.GetPositionRequest, context: Context
    ) -> log_service_pb2.GetPositionResponse:
        view = self.story.view(self.table.lines[request.seq - 1])
        answer = log_service_pb2.GetPositionResponse(view=view)
        return await self._answered(request, context, answer)

    async def AuditMatch(  # noqa: N802
        self, request: log_service_pb2.AuditMatchRequest, context: Context
    ) -> log_service_pb2.AuditMatchResponse:
        answer = log_service_pb2.AuditMatchResponse(clean=True, lines=len(self.table.lines))
        return await self._answered(request, context, answer)

    async def GetKey(  # noqa: N802
        self, request: log_service_pb2.GetKeyRequest, context: Context
    ) -> log_service_pb2.GetKeyResponse:
        return await self._answered(request, context, log_service_pb2.GetKeyResponse())

    async def GetCheckpoint(  # noqa: N802
        self, request: log_service_pb2.GetCheckpointRequest, context: Context
    ) -> log_service_pb2.GetCheckpointResponse:
        return await self._answered(request, context, log_service_pb2.GetCheckpointResponse())

    async def GetReceipt(  # noqa: N802
        self, request: log_service_pb2.GetReceiptRequest, context: Context
    ) -> log_service_pb2.GetReceiptResponse:
        return await self._answered(request, context, log_service_pb2.GetReceiptResponse())

    async def GetEvidence(  # noqa: N802
        self, request: log_service_pb2.GetEvidenceRequest, context: Context
    ) -> AsyncIterator[log_service_pb2.GetEvidenceResponse]:
        yield log_service_pb2.GetEvidenceResponse(piece=b"evi")
        answer = log_service_pb2.GetEvidenceResponse(piece=b"dence")
        yield await self._answered(request, context, answer)

    async def ProveInclusion(  # noqa: N802
        self, request: log_service_pb2.ProveInclusionRequest, context: Context
    ) -> log_service_pb2.ProveInclusionResponse:
        return await self._answered(request, context, log_service_pb2.ProveInclusionResponse())

    async def ProveConsistency(  # noqa: N802
        self, request: log_service_pb2.ProveConsistencyRequest, context: Context
    ) -> log_service_pb2.ProveConsistencyResponse:
        return await self._answered(request, context, log_service_pb2.ProveConsistencyResponse())

    async def _answered(self, request: Message, context: Context, answer: Answer) -> Answer:
        await self._befall(request, context)
        return answer

    async def _befall(self, request: object, context: Context) -> None:
        """Write a request down, and let it fail as it is to."""
        self.requests.append(request)
        if self.failures:
            failure = self.failures.popleft()
            if isinstance(failure, Exception):
                await _refuse(context, failure)
            else:
                await asyncio.sleep(failure)

    # --- unary play -------------------------------------------------------------------------------

    async def MakeMove(  # noqa: N802
        self, request: match_service_pb2.MakeMoveRequest, context: Context
    ) -> match_service_pb2.MakeMoveResponse:
        await self._befall(request, context)
        before = len(self.table.lines)
        try:
            self._move(request)
        except (IllegalMoveError, InvalidFieldError, StaleSeqError) as error:
            await _refuse(context, error)
        events = self.story.events(before)
        return match_service_pb2.MakeMoveResponse(events=events, view=self.story.view())

    def _move(
        self, request: match_service_pb2.MakeMoveRequest | match_service_pb2.PlayMove
    ) -> None:
        """Make a move of seat 0's, unless it was made before."""
        request_id, expected_seq = request.request_id, request.expected_seq
        if request_id in self._done:
            return
        if expected_seq != len(self.table.lines):
            raise StaleSeqError(expected_seq, len(self.table.lines))
        self.table.act(
            Play(0, move_from(request.move)),
            self.table.players[0],
            cmd=request_id,
            sig=request.signature.hex() or None,
        )
        self._done[request_id] = len(self.table.lines)

    def play_other(self) -> None:
        """Let seat 1 play until seat 0 has something to decide, or the match has ended."""
        while isinstance(self.table.match, Playing) and self.table.turn == 1:
            self.table.move(self._policy(self.table.match.hand, self.rng))

    # --- a Play stream ----------------------------------------------------------------------------

    async def Play(  # noqa: N802
        self,
        request_iterator: AsyncIterator[match_service_pb2.PlayRequest],
        context: Context,
    ) -> AsyncIterator[match_service_pb2.PlayResponse]:
        self.streams += 1
        self.opened.put_nowait(self.streams)
        start = await anext(request_iterator)
        self.requests.append(start)
        self.play_other()
        seen = start.start.after_seq
        if self.forgets:
            await _refuse(context, NoSuchEventError(seen, seen - 1))
        yield self._said(seen)
        seen = len(self.table.lines)
        while not isinstance(self.table.match, Ended):
            request = await self._next(request_iterator)
            if request is None:
                return
            fault = ""
            if isinstance(request, str):
                fault = request
            else:
                self.requests.append(request)
                fault = self.play_faults.popleft() if self.play_faults else ""
            if fault == "lost":
                await _refuse(context, StoppingError())
            if fault == "refused by the end":
                # As a server that is stopping does it: on the stream, and by the call's status.
                yield _stopping(request)
                await _refuse(context, StoppingError())
            if fault == "hung up":
                return
            answer = self._said(seen) if isinstance(request, str) else self._answer(request, seen)
            if fault == "answer lost":
                await _refuse(context, StoppingError())
            if not answer.HasField("refusal"):
                seen = len(self.table.lines)
            yield answer

    async def _next(
        self, requests: AsyncIterator[match_service_pb2.PlayRequest]
    ) -> match_service_pb2.PlayRequest | str | None:
        """Return the next request, or what the test has to say; None where the client hangs up."""
        reading = asyncio.ensure_future(anext(requests, None))
        saying = asyncio.ensure_future(self.says.get())
        try:
            await asyncio.wait((reading, saying), return_when=asyncio.FIRST_COMPLETED)
            return saying.result() if saying.done() else reading.result()
        finally:
            reading.cancel()
            saying.cancel()

    def _said(self, after_seq: int) -> match_service_pb2.PlayResponse:
        response = self.story.response(after_seq)
        self.spoil(response)
        return response

    def _answer(
        self, request: match_service_pb2.PlayRequest, seen: int
    ) -> match_service_pb2.PlayResponse:
        try:
            if request.HasField("nonce"):
                nonce = RevealNonce(0, request.nonce.nonce.hex())
                self.table.act(nonce, self.table.players[0])
            else:
                self._move(request.move)
        except (IllegalMoveError, InvalidFieldError, StaleSeqError) as error:
            legal = view(self.table.match, 0).hand
            return match_service_pb2.PlayResponse(
                refusal=refusal_message(
                    error,
                    request_id=request.move.request_id,
                    seq=len(self.table.lines),
                    legal=legal_message(legal.legal) if legal is not None else None,
                    refusals_left=19,
                )
            )
        self.play_other()
        return self._said(seen)

    # --- watching and reading ---------------------------------------------------------------------

    async def Watch(  # noqa: N802
        self, request: match_service_pb2.WatchRequest, context: Context
    ) -> AsyncIterator[match_service_pb2.WatchResponse]:
        self.requests.append(request)
        left = self.watch_ends.popleft() if self.watch_ends else len(self.table.lines)
        yield match_service_pb2.WatchResponse(snapshot=self.story.view())
        for event in self.story.events(request.after_seq)[: abs(left)]:
            if event.seq not in self.left_out:
                yield match_service_pb2.WatchResponse(event=event)
        if left < 0:
            lagged = match_service_pb2.Lagged(after_seq=request.after_seq - left)
            yield match_service_pb2.WatchResponse(lagged=lagged)
        elif request.after_seq + left < len(self.table.lines):
            await _refuse(context, StoppingError())

    async def ReadLog(  # noqa: N802
        self, request: log_service_pb2.ReadLogRequest, context: Context
    ) -> AsyncIterator[log_service_pb2.ReadLogResponse]:
        self.requests.append(request)
        lines = self.table.log[request.after_seq :]
        left = self.watch_ends.popleft() if self.watch_ends else len(lines)
        for first in range(0, min(left, len(lines)), 10):
            yield log_service_pb2.ReadLogResponse(lines=lines[first : min(first + 10, left)])
        if left < len(lines):
            await _refuse(context, StoppingError())


def _stopping(
    request: match_service_pb2.PlayRequest | str,
) -> match_service_pb2.PlayResponse:
    request_id = "" if isinstance(request, str) else request.move.request_id
    refusal = refusal_message(
        StoppingError(), request_id=request_id, seq=0, legal=None, refusals_left=0
    )
    return match_service_pb2.PlayResponse(refusal=refusal)


async def _refuse(context: Context, error: Exception) -> None:
    await context.abort_with_status(rpc_status.to_status(status_of(error)))


@asynccontextmanager
async def serving(servicer: FakeServer, address: str = "127.0.0.1:0") -> AsyncIterator[str]:
    """Serve on a free port of the loopback, or on that of a server that has gone."""
    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    match_service_pb2_grpc.add_MatchServiceServicer_to_server(servicer, server)
    player_service_pb2_grpc.add_PlayerServiceServicer_to_server(servicer, server)
    log_service_pb2_grpc.add_LogServiceServicer_to_server(servicer, server)
    port = server.add_insecure_port(address)
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)


@asynccontextmanager
async def connected(
    servicer: FakeServer, retry: Retry = QUICK, nonces: Nonces | None = None
) -> AsyncIterator[Client]:
    """Give a client of a server that is there as long as the client.

    Its nonce is always the same, so that the match is, unless `nonces` says otherwise.
    """
    async with serving(servicer) as address, client_of(servicer, address, retry, nonces) as client:
        yield client


def client_of(
    servicer: FakeServer, address: str, retry: Retry = QUICK, nonces: Nonces | None = None
) -> Client:
    """Return a client of a server."""
    if nonces is None:
        table = servicer.table
        nonces = {nonce_key(table.stream, table.players[0]): b"the tested one's"}
    return connect(address, token=TOKEN, retry=retry, nonces=nonces)


async def on_turn(seat: SeatSession) -> match_pb2.View:
    """Wait until a seat has something to decide."""
    view = await seat.wait()
    while not to_decide(view):
        view = await seat.wait()
    return view


def simple(view: match_pb2.View) -> Move:
    """Return what the simple bot would do."""
    bot, legal = SimpleBot(), view.hand.legal
    if legal.pass_upcard:
        return bot.offer(view)
    if legal.draw:
        return bot.draw(view)
    return bot.lay_off(view) if legal.lay_off else bot.discard(view)

"""A server of one tournament that does as it is told, beside the one table of `FakeServer`.

It knows nothing of tournaments: it writes down what comes in, answers every act, and says on Attend
and Watch streams what the test puts there.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import Message
from support_client import QUICK, TOKEN, FakeServer
from support_logs import Table

from ginrummy.client import Client, Nonces, Retry, connect
from ginrummy.v1 import (
    log_service_pb2_grpc,
    match_service_pb2_grpc,
    player_service_pb2_grpc,
    tournament_pb2,
    tournament_service_pb2,
    tournament_service_pb2_grpc,
)

__all__ = [
    "TOURNAMENT",
    "FakeTournament",
    "attending",
    "called",
    "chain_of",
    "due",
    "event",
    "over",
]

TOURNAMENT = "t_00000000000000000000000001"

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Said: TypeAlias = tournament_service_pb2.AttendResponse | grpc.StatusCode | None
"""What is said next: a message, the code that the stream breaks off with, or None for its end."""


def called(match_id: str, table: int = 1, board: int = 0) -> tournament_service_pb2.AttendResponse:
    """Return a call to a table."""
    call = tournament_service_pb2.TableCall(
        match_id=match_id, seat=0, round=1, table=table, board=board, opponent="Bob"
    )
    return tournament_service_pb2.AttendResponse(call=call)


def due() -> tournament_service_pb2.AttendResponse:
    """Return the news that the nonce is due."""
    return tournament_service_pb2.AttendResponse(nonce_due=tournament_service_pb2.NonceCall())


def over(reason: str = "complete") -> tournament_service_pb2.AttendResponse:
    """Return the news that the tournament is over."""
    return tournament_service_pb2.AttendResponse(
        over=tournament_service_pb2.TournamentOver(reason=reason)
    )


def chain_of(count: int) -> list[bytes]:
    """Return so many lines that are a chain; what they tell is nobody's affair."""
    lines: list[bytes] = []
    prev = "0" * 64
    for seq in range(1, count + 1):
        text = f'{{"v":1,"stream":"{TOURNAMENT}","seq":{seq},"data":{{}},"prev":"{prev}"}}'
        lines.append(text.encode())
        prev = sha256(lines[-1]).hexdigest()
    return lines


def event(seq: int, line: bytes) -> tournament_service_pb2.WatchTournamentResponse:
    """Return the news of an event."""
    return tournament_service_pb2.WatchTournamentResponse(
        event=tournament_service_pb2.TournamentEvent(seq=seq, line=line)
    )


def _answering(method: str) -> Any:  # noqa: ANN401 -- whichever call it is
    answer_type = getattr(tournament_service_pb2, f"{method}Response")
    shown = (
        {"tournament": tournament_pb2.Tournament(id=TOURNAMENT)}
        if "tournament" in answer_type.DESCRIPTOR.fields_by_name
        else {}
    )

    async def answer(self: "FakeTournament", request: Message, _context: Context) -> Message:
        self.requests.append(request)
        told: Message = answer_type(**shown)
        return told

    return answer


_Acts: Any = type(
    "_Acts",
    (tournament_service_pb2_grpc.TournamentServiceServicer,),
    {
        method.name: _answering(method.name)
        for method in tournament_service_pb2.DESCRIPTOR.services_by_name[
            "TournamentService"
        ].methods
        if not method.server_streaming
    },
)


class FakeTournament(_Acts):  # type: ignore[misc]  # its calls are made of the proto
    """One tournament, at which the client under test is an entrant."""

    def __init__(self, table: Table | None = None) -> None:
        self.matches = FakeServer(table or Table(1, target=20))
        self.requests: list[Message] = []
        """Every act that came in, in order."""
        self.streams: list[tournament_service_pb2.AttendRequest] = []
        """What the Attend streams were opened with."""
        self.says: asyncio.Queue[Said] = asyncio.Queue()
        """What comes next on the open Attend stream."""
        self.lines: Sequence[bytes] = ()
        self.watch_ends: deque[int] = deque()
        """After how many events the next watches break off."""
        self.watched: list[int] = []
        """After which events the watches began."""

    async def Attend(  # noqa: N802
        self, request: tournament_service_pb2.AttendRequest, context: Context
    ) -> AsyncIterator[tournament_service_pb2.AttendResponse]:
        self.streams.append(request)
        yield tournament_service_pb2.AttendResponse(attending=tournament_service_pb2.Attending())
        while (said := await self.says.get()) is not None:
            if isinstance(said, grpc.StatusCode):
                await context.abort(said, "as the test wants it")
            else:
                yield said
                if said.HasField("over"):
                    return

    async def WatchTournament(  # noqa: N802
        self, request: tournament_service_pb2.WatchTournamentRequest, context: Context
    ) -> AsyncIterator[tournament_service_pb2.WatchTournamentResponse]:
        self.watched.append(request.after_seq)
        left = self.watch_ends.popleft() if self.watch_ends else len(self.lines) + 1
        for seq, line in enumerate(self.lines, start=1):
            if seq > request.after_seq:
                if not left:
                    await context.abort(grpc.StatusCode.UNAVAILABLE, "as the test wants it")
                left -= 1
                yield event(seq, line)
        yield tournament_service_pb2.WatchTournamentResponse(
            caught_up=tournament_service_pb2.TournamentCaughtUp(seq=len(self.lines))
        )


@asynccontextmanager
async def attending(
    servicer: FakeTournament, retry: Retry = QUICK, nonces: Nonces | None = None
) -> AsyncIterator[Client]:
    """Give a client of a server that is there as long as the client."""
    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    tournament_service_pb2_grpc.add_TournamentServiceServicer_to_server(servicer, server)
    match_service_pb2_grpc.add_MatchServiceServicer_to_server(servicer.matches, server)
    player_service_pb2_grpc.add_PlayerServiceServicer_to_server(servicer.matches, server)
    log_service_pb2_grpc.add_LogServiceServicer_to_server(servicer.matches, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with connect(
            f"127.0.0.1:{port}", token=TOKEN, retry=retry, nonces={} if nonces is None else nonces
        ) as client:
            yield client
    finally:
        await server.stop(None)

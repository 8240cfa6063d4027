"""MatchService: from a message to a command, and from what comes of it to a message."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import grpc

from ginrummy.api.auth import Caller, caller_of, require_role
from ginrummy.api.calls import BytesToo, Context, uninterrupted
from ginrummy.api.errors import InvalidFieldError, refused_at
from ginrummy.api.fields import (
    commitment_from,
    name_from,
    nonce_from,
    public_key_from,
    request_id_from,
    seat_from,
    seats_from,
    signature_from,
    stage_from,
)
from ginrummy.api.fork_messages import fork_from
from ginrummy.api.move_messages import move_from
from ginrummy.api.play import PlayStream
from ginrummy.api.sight import Answer, Sight
from ginrummy.api.terms_messages import (
    clock_from,
    dispute_ms_from,
    limits_from,
    reveal_from,
    ruleset_from,
    ruleset_message,
    signing_from,
)
from ginrummy.api.view_messages import match_message, summary_message
from ginrummy.api.watch import watch
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.commands import Pause, Play, Resume, RevealNonce
from ginrummy.rules.match import seat_of
from ginrummy.rules.ruleset import PRESETS
from ginrummy.store import MatchQuery, Store
from ginrummy.tables.errors import NotSeatedError
from ginrummy.tables.forks import branch_of
from ginrummy.tables.room import DISPUTE_MS, CardRoom, NewMatch
from ginrummy.tables.table import Request, Table
from ginrummy.v1 import match_pb2, match_service_pb2_grpc
from ginrummy.v1 import match_service_pb2 as pb

__all__ = ["MatchServicer"]

_ANSWER = Answer.of(pb.MakeMoveResponse)

_PAGE = 50
_PAGE_MOST = 500


class MatchServicer(match_service_pb2_grpc.MatchServiceServicer):
    """Matches: made, joined, played and watched.

    What is told with every move is told as bytes: `add_to` lets it through as it is.
    """

    def __init__(self, room: CardRoom, store: Store) -> None:
        self._room = room
        self._store = store

    def add_to(self, server: grpc.aio.Server) -> None:
        """Add the service to a server."""
        ready: Any = BytesToo(server)
        match_service_pb2_grpc.add_MatchServiceServicer_to_server(self, ready)

    async def CreateMatch(
        self, request: pb.CreateMatchRequest, context: Context
    ) -> pb.CreateMatchResponse:
        caller = caller_of(context)
        wish = NewMatch(
            rules=ruleset_from(request.preset, request.rules),
            clock=clock_from(request.clock) if request.HasField("clock") else None,
            limits=limits_from(request.limits),
            reveal=reveal_from(request.reveal),
            seats=seats_from(request.seats),
            name=name_from(request.name),
            signing=signing_from(request.signing),
            dispute_ms=(
                dispute_ms_from(request.dispute_ms)
                if request.HasField("dispute_ms")
                else DISPUTE_MS
            ),
        )
        request_id = request_id_from(request.request_id, needed=False)
        table = await uninterrupted(self._room.create(caller.player, wish, request_id))
        return pb.CreateMatchResponse(match=self._match(table))

    async def ForkMatch(
        self, request: pb.ForkMatchRequest, context: Context
    ) -> pb.ForkMatchResponse:
        caller = caller_of(context)
        wish = fork_from(request)
        request_id = request_id_from(request.request_id, needed=False)
        # A director could let the secrets of a match that is over out as well.
        may_open = caller.role == "director"
        at = await asyncio.to_thread(
            branch_of, self._store, request.match_id, request.seq, may_open=may_open
        )
        table = await uninterrupted(self._room.fork(caller.player, at, wish, request_id))
        return pb.ForkMatchResponse(match=self._match(table))

    async def ListMatches(
        self, request: pb.ListMatchesRequest, context: Context
    ) -> pb.ListMatchesResponse:
        size = min(request.page_size or _PAGE, _PAGE_MOST)
        if size < 1:
            raise InvalidFieldError("page_size", f"{size} is not from 1 to {_PAGE_MOST}")
        query = MatchQuery(
            stage=stage_from(request.stage),
            player=request.player_id or None,
            size=size,
            token=request.page_token,
        )
        page = await asyncio.to_thread(self._store.matches, query)
        return pb.ListMatchesResponse(
            matches=[summary_message(row) for row in page.matches], next_page_token=page.next_token
        )

    async def GetMatch(self, request: pb.GetMatchRequest, context: Context) -> pb.GetMatchResponse:
        return pb.GetMatchResponse(match=self._match(await self._room.table(request.match_id)))

    async def JoinMatch(
        self, request: pb.JoinMatchRequest, context: Context
    ) -> pb.JoinMatchResponse:
        caller = caller_of(context)
        table, seat = await uninterrupted(
            self._room.join(
                request.match_id,
                BySeat(caller.player, caller.name),
                seat_from(request.seat) if request.HasField("seat") else None,
                commitment_from(request.nonce_commitment),
                request_id_from(request.request_id, needed=False),
                public_key_from(request.public_key),
            )
        )
        return pb.JoinMatchResponse(seat=seat, match=self._match(table))

    async def RevealNonce(
        self, request: pb.RevealNonceRequest, context: Context
    ) -> pb.RevealNonceResponse:
        caller = caller_of(context)
        nonce = nonce_from(request.nonce)
        request_id = request_id_from(request.request_id, needed=False)
        table = await self._room.table(request.match_id)
        wish = RevealNonce(_seat_of(table, caller), nonce)
        await uninterrupted(table.act(Request(caller.player, wish, request_id)))
        return pb.RevealNonceResponse(match=self._match(table))

    async def MakeMove(  # type: ignore[override]  # a response's bytes
        self, request: pb.MakeMoveRequest, context: Context
    ) -> bytes:
        caller = caller_of(context)
        request_id = request_id_from(request.request_id)
        move, sig = move_from(request.move), signature_from(request.signature)
        table = await self._room.table_to_move_at(request.match_id, caller.player)
        seat = _seat_of(table, caller)
        wish = Request(caller.player, Play(seat, move), request_id, request.expected_seq, sig)
        sight = Sight(table, seat)
        with refused_at(lambda: (table.seq, sight.legal())):
            steps = await uninterrupted(table.act(wish))
        # As it was when it happened, so that a repeated move is answered as it was the first time.
        return sight.told_after(_ANSWER, steps)

    async def GetView(self, request: pb.GetViewRequest, context: Context) -> pb.GetViewResponse:
        table = await self._room.table(request.match_id)
        seat = seat_of(table.match, caller_of(context).player)
        view = Sight(table, "public" if seat is None else seat).view()
        return pb.GetViewResponse(match=self._match(table), view=view)

    async def Play(  # type: ignore[override]  # responses' bytes
        self,
        request_iterator: AsyncIterator[pb.PlayRequest],
        context: Context,
    ) -> AsyncIterator[bytes]:
        caller = caller_of(context)
        first = await anext(request_iterator, pb.PlayRequest())
        if first.WhichOneof("request") != "start":
            raise InvalidFieldError("start", "the stream's first message says which match")
        table = await self._room.table(first.start.match_id)
        stream = PlayStream(table, _seat_of(table, caller), caller)
        async with aclosing(stream.talk(request_iterator, first.start.after_seq)) as talk:
            async for response in talk:
                yield response

    async def Watch(  # type: ignore[override]  # responses' bytes
        self, request: pb.WatchRequest, context: Context
    ) -> AsyncIterator[bytes]:
        table = await self._room.table(request.match_id)
        seat = seat_of(table.match, caller_of(context).player)
        async with aclosing(watch(table, seat, request.after_seq)) as updates:
            async for update in updates:
                yield update

    async def PauseMatch(
        self, request: pb.PauseMatchRequest, context: Context
    ) -> pb.PauseMatchResponse:
        caller = require_role(context, "director")
        table = await self._room.table(request.match_id)
        await uninterrupted(table.act(Request(caller.player, Pause())))
        return pb.PauseMatchResponse(match=self._match(table))

    async def ResumeMatch(
        self, request: pb.ResumeMatchRequest, context: Context
    ) -> pb.ResumeMatchResponse:
        caller = require_role(context, "director")
        table = await self._room.table(request.match_id)
        await uninterrupted(table.act(Request(caller.player, Resume())))
        return pb.ResumeMatchResponse(match=self._match(table))

    async def RevealSecrets(
        self, request: pb.RevealSecretsRequest, context: Context
    ) -> pb.RevealSecretsResponse:
        caller = require_role(context, "director")
        table = await self._room.table(request.match_id)
        await uninterrupted(table.reveal_secrets(caller.player))
        return pb.RevealSecretsResponse(match=self._match(table))

    async def ListPresets(
        self, request: pb.ListPresetsRequest, context: Context
    ) -> pb.ListPresetsResponse:
        return pb.ListPresetsResponse(
            presets=[
                pb.Preset(name=name, rules=ruleset_message(rules))
                for name, rules in PRESETS.items()
            ]
        )

    @staticmethod
    def _match(table: Table) -> match_pb2.Match:
        return match_message(
            table.match,
            match_id=table.match_id,
            seq=table.seq,
            head_hash=table.head_hash,
            created_at=table.created_at,
        )


def _seat_of(table: Table, caller: Caller) -> Seat:
    seat = seat_of(table.match, caller.player)
    if seat is None:
        raise NotSeatedError(table.match_id)
    return seat

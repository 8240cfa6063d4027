"""Thousands who watch one match, over real connections."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
from support_play import soak
from support_server import gin_serve, signed_up

from ginrummy.v1 import match_service_pb2 as pb
from ginrummy.v1.match_service_pb2_grpc import MatchServiceStub

WATCHERS = soak(4_000, 1_600)
A_CONNECTION = 200


async def test_all_are_let_in_who_come_at_once(tmp_path: Path) -> None:
    """As after a restart, when everybody comes back: nobody is turned away by lot."""
    async with (
        gin_serve(tmp_path / "gin.db") as server,
        signed_up(server.address, "Ann") as ann,
        AsyncExitStack() as stack,
    ):
        match = await ann.create_match()
        request = pb.WatchRequest(match_id=match.id)
        who = (("authorization", f"Bearer {(await ann.create_player('Eve')).token}"),)
        streams = []
        for _ in range(WATCHERS // A_CONNECTION):
            channel = grpc.aio.insecure_channel(
                server.address, options=[("grpc.use_local_subchannel_pool", 1)]
            )
            stub = MatchServiceStub(await stack.enter_async_context(channel))
            streams += [stub.Watch(request, metadata=who) for _ in range(A_CONNECTION)]

        async def caught_up(
            stream: "grpc.aio.UnaryStreamCall[pb.WatchRequest, pb.WatchResponse]",
        ) -> bool:
            async for response in stream:
                if response.HasField("caught_up"):
                    return True
            return False

        assert all(await asyncio.gather(*map(caught_up, streams)))

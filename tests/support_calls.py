"""A small server behind the interceptors, on a real port, with a handler of each kind."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import grpc
from google.rpc import (  # type: ignore[import-untyped]  # it ships stubs, but no py.typed
    error_details_pb2,
    status_pb2,
)
from prometheus_client import CollectorRegistry
from support_messages import Plain

from ginrummy.api.auth import Caller, new_token
from ginrummy.api.calls import Context
from ginrummy.api.interceptors import interceptors
from ginrummy.api.metrics import CallMetrics
from ginrummy.store import Credential, MemoryStore, hash_token
from ginrummy.v1 import match_service_pb2 as pb

ANN_TOKEN = new_token(lambda size: b"a" * size)
DIRECTOR_TOKEN = new_token(lambda size: b"d" * size)
UNKNOWN_TOKEN = new_token(lambda size: b"?" * size)
ANN = Caller("p_" + "a" * 26, "Ann", "player")
DIRECTOR = Caller("p_" + "d" * 26, "Dee", "director")
MATCH = "m_" + "0" * 26

Behaviour = Callable[[Plain, Context], Plain]

PLAYERS = "ginrummy.v1.PlayerService"
MATCHES = "ginrummy.v1.MatchService"


def credentials() -> MemoryStore:
    store = MemoryStore()
    for caller, token in ((ANN, ANN_TOKEN), (DIRECTOR, DIRECTOR_TOKEN)):
        store.add_player(
            Credential(caller.player, caller.name, caller.role, hash_token(token), created=0)
        )
    return store


class Running:
    """A server with one handler of each kind, and a channel to it."""

    def __init__(self, channel: grpc.aio.Channel, registry: CollectorRegistry) -> None:
        self.channel = channel
        self.registry = registry
        self.behave: Behaviour
        """What the handlers do."""

    async def unary(self, request: pb.GetMatchRequest, context: Context) -> pb.GetMatchResponse:
        answer = await self.behave(request, context)
        return answer if isinstance(answer, pb.GetMatchResponse) else pb.GetMatchResponse()

    async def server_stream(
        self, request: pb.GetMatchRequest, context: Context
    ) -> AsyncIterator[pb.GetMatchResponse]:
        yield pb.GetMatchResponse()
        await self.behave(request, context)
        yield pb.GetMatchResponse()

    async def client_stream(
        self, requests: AsyncIterator[pb.GetMatchRequest], context: Context
    ) -> pb.GetMatchResponse:
        async for request in requests:
            await self.behave(request, context)
        return pb.GetMatchResponse()

    async def bidi_stream(
        self, requests: AsyncIterator[pb.GetMatchRequest], context: Context
    ) -> AsyncIterator[pb.GetMatchResponse]:
        async for request in requests:
            yield pb.GetMatchResponse()
            await self.behave(request, context)

    def handlers(self, service: str) -> grpc.GenericRpcHandler:
        read = {"request_deserializer": pb.GetMatchRequest.FromString}
        write = {"response_serializer": pb.GetMatchResponse.SerializeToString}
        codec: dict[str, Plain] = read | write
        unary: Plain = self.unary
        methods: dict[str, Plain] = {
            "GetMatch": grpc.unary_unary_rpc_method_handler(unary, **codec),
            "CreatePlayer": grpc.unary_unary_rpc_method_handler(unary, **codec),
            "Check": grpc.unary_unary_rpc_method_handler(unary, **codec),
            "Watch": grpc.unary_stream_rpc_method_handler(self.server_stream, **codec),
            "Upload": grpc.stream_unary_rpc_method_handler(self.client_stream, **codec),
            "Play": grpc.stream_stream_rpc_method_handler(self.bidi_stream, **codec),
        }
        return grpc.method_handlers_generic_handler(service, methods)

    def begin(
        self,
        method: str = "GetMatch",
        token: str | None = ANN_TOKEN,
        *,
        service: str = MATCHES,
        timeout: float | None = None,
        metadata: tuple[tuple[str, str], ...] = (),
    ) -> Plain:
        """Begin a call with one request."""
        channel, request = self.channel, pb.GetMatchRequest(match_id=MATCH)
        codec: dict[str, Plain] = {
            "request_serializer": pb.GetMatchRequest.SerializeToString,
            "response_deserializer": pb.GetMatchResponse.FromString,
        }
        if token is not None:
            metadata = (*metadata, ("authorization", f"Bearer {token}"))
        options: dict[str, Plain] = {"metadata": metadata, "timeout": timeout}
        path = f"/{service}/{method}"
        match method:
            case "Watch":
                return channel.unary_stream(path, **codec)(request, **options)
            case "Upload":
                return channel.stream_unary(path, **codec)(iter([request]), **options)
            case "Play":
                return channel.stream_stream(path, **codec)(iter([request]), **options)
            case _:
                return channel.unary_unary(path, **codec)(request, **options)

    async def call(
        self,
        method: str = "GetMatch",
        token: str | None = ANN_TOKEN,
        **options: Plain,
    ) -> list[pb.GetMatchResponse]:
        """Call a method with one request and return all of its answers."""
        while True:
            call = self.begin(method, token, **options)
            try:
                if method in ("Watch", "Play"):
                    return [answer async for answer in call]
                return [await call]
            except grpc.aio.AioRpcError as error:
                # gRPC takes a request that meets the end of its stream for an error of its own,
                # and then does not tell how the stream ended.
                if error.details() != "Internal error from Core":
                    raise


@asynccontextmanager
async def serving_calls() -> AsyncIterator[Running]:
    """Serve, and yield the server with a channel to it."""
    registry = CollectorRegistry()
    server = grpc.aio.server(interceptors=interceptors(credentials(), CallMetrics(registry)))
    port = server.add_insecure_port("127.0.0.1:0")
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        running = Running(channel, registry)
        for service in (MATCHES, PLAYERS, "grpc.health.v1.Health"):
            server.add_generic_rpc_handlers((running.handlers(service),))
        await server.start()
        yield running
    await server.stop(0)


def details(error: grpc.aio.AioRpcError) -> status_pb2.Status:
    (raw,) = [
        value for key, value in error.trailing_metadata() or () if key == "grpc-status-details-bin"
    ]
    return status_pb2.Status.FromString(raw)


def info(error: grpc.aio.AioRpcError) -> error_details_pb2.ErrorInfo:
    found = error_details_pb2.ErrorInfo()
    assert details(error).details[0].Unpack(found)
    return found


KINDS = ["GetMatch", "Watch", "Upload", "Play"]

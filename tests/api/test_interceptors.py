"""The interceptors, around a small server on a real port."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

import grpc
import pytest
from google.rpc import (  # type: ignore[import-untyped]  # it ships stubs, but no py.typed
    error_details_pb2,
    status_pb2,
)
from prometheus_client import CollectorRegistry, generate_latest
from structlog.contextvars import get_contextvars
from support_journal import Journalled, journal_caught
from support_messages import Plain

from ginrummy.api.around import Around, Call, Method
from ginrummy.api.auth import Caller, caller_of, caller_or_nobody, new_token, require_role
from ginrummy.api.calls import Context
from ginrummy.api.errors import RefusedMoveError
from ginrummy.api.interceptors import ErrorInterceptor, interceptors
from ginrummy.api.metrics import CallMetrics
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.store import Credential, MemoryStore, hash_token
from ginrummy.tables.errors import StaleSeqError, StoppingError
from ginrummy.v1 import match_pb2
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
        call = self.begin(method, token, **options)
        if method in ("Watch", "Play"):
            return [answer async for answer in call]
        return [await call]


@pytest.fixture
async def running() -> AsyncIterator[Running]:
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


@pytest.fixture(autouse=True)
def journalled() -> Iterator[Journalled]:
    with journal_caught() as lines:
        yield lines


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


# --- who calls ----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", KINDS)
async def test_the_servicer_knows_who_calls(running: Running, method: str) -> None:
    seen: list[Caller] = []

    async def behave(_request: object, context: Context) -> None:
        seen.append(caller_of(context))

    running.behave = behave
    await running.call(method, ANN_TOKEN)
    await running.call(method, DIRECTOR_TOKEN)
    await running.call(method, ANN_TOKEN)
    assert seen == [ANN, DIRECTOR, ANN]


async def never(_request: object, _context: Context) -> None:
    pytest.fail("it should not have come this far")


@pytest.mark.parametrize("method", KINDS)
@pytest.mark.parametrize(
    ("token", "metadata"),
    [
        (None, ()),
        (UNKNOWN_TOKEN, ()),
        ("", ()),
        ("gin_short", ()),
        (ANN_TOKEN + "a", ()),
        (ANN_TOKEN.upper(), ()),
        (None, (("authorization", ANN_TOKEN),)),
        (None, (("authorization", f"Basic {ANN_TOKEN}"),)),
        (ANN_TOKEN, (("authorization", f"Bearer {DIRECTOR_TOKEN}"),)),
    ],
)
async def test_nobody_comes_in_without_a_token_of_this_server(
    running: Running,
    journalled: Journalled,
    method: str,
    token: str | None,
    metadata: tuple[tuple[str, str], ...],
) -> None:
    """C3"""
    running.behave = never
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await running.call(method, token, metadata=metadata)
    assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED
    assert info(refused.value).reason == "NOT_SIGNED_IN"
    everything = f"{refused.value!r} {journalled()}"
    for sent in (ANN_TOKEN, DIRECTOR_TOKEN, UNKNOWN_TOKEN):
        assert sent not in everything


async def test_the_scheme_is_read_in_any_case(running: Running) -> None:
    """RFC 9110 schemes are case-insensitive"""

    async def behave(_request: object, context: Context) -> None:
        assert caller_of(context) == ANN

    running.behave = behave
    await running.call(token=None, metadata=(("authorization", f"bearer {ANN_TOKEN}"),))


async def test_a_player_is_made_with_a_token_or_without(running: Running) -> None:
    seen: list[Caller | None] = []

    async def behave(_request: object, context: Context) -> None:
        seen.append(caller_or_nobody(context))

    running.behave = behave
    await running.call("CreatePlayer", None, service=PLAYERS)
    await running.call("CreatePlayer", DIRECTOR_TOKEN, service=PLAYERS)
    assert seen == [None, DIRECTOR]
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await running.call("CreatePlayer", UNKNOWN_TOKEN, service=PLAYERS)
    assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED


async def test_another_method_of_that_name_is_not_public(running: Running) -> None:
    running.behave = never
    with pytest.raises(grpc.aio.AioRpcError):
        await running.call("CreatePlayer", None, service=MATCHES)


async def test_health_asks_nobody(running: Running) -> None:
    seen: list[Caller | None] = []

    async def behave(_request: object, context: Context) -> None:
        seen.append(caller_or_nobody(context))

    running.behave = behave
    await running.call("Check", None, service="grpc.health.v1.Health")
    await running.call("Check", UNKNOWN_TOKEN, service="grpc.health.v1.Health")
    assert seen == [None, None]


async def test_a_role_is_asked_for(running: Running) -> None:
    async def behave(_request: object, context: Context) -> None:
        assert require_role(context, "director") == DIRECTOR

    running.behave = behave
    await running.call(token=DIRECTOR_TOKEN)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await running.call(token=ANN_TOKEN)
    assert refused.value.code() is grpc.StatusCode.PERMISSION_DENIED
    assert info(refused.value).reason == "NOT_PERMITTED"


# --- how a call that fails is answered ----------------------------------------------------------


def raising(error: Exception) -> Behaviour:
    async def behave(_request: object, _context: Context) -> None:
        raise error

    return behave


ILLEGAL = IllegalMoveError(Reason.NOT_YOUR_TURN, "T1", "it is the turn of seat 1")
LEGAL = match_pb2.LegalMoves(draw=True)


@pytest.mark.parametrize("method", KINDS)
async def test_what_a_servicer_raises_is_answered(running: Running, method: str) -> None:
    """F7"""
    running.behave = raising(StaleSeqError(3, 5))
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await running.call(method)
    assert refused.value.code() is grpc.StatusCode.ABORTED
    assert refused.value.details() == str(StaleSeqError(3, 5))
    assert info(refused.value).domain == "ginrummy"
    assert info(refused.value).reason == "STALE_SEQ"
    assert info(refused.value).metadata["seq"] == "5"


async def test_the_match_that_was_asked_for_is_named(running: Running) -> None:
    running.behave = raising(RefusedMoveError(ILLEGAL, 8, LEGAL))
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await running.call()
    assert dict(info(refused.value).metadata) == {"match": MATCH, "rule": "T1", "seq": "8"}
    unpacked = match_pb2.LegalMoves()
    assert details(refused.value).details[-1].Unpack(unpacked)
    assert unpacked == LEGAL


@pytest.mark.parametrize("method", KINDS)
async def test_a_fault_is_told_to_the_journal_alone(
    running: Running, journalled: Journalled, method: str
) -> None:
    running.behave = raising(RuntimeError("the stock is 7H 8H"))
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await running.call(method)
    assert refused.value.code() is grpc.StatusCode.INTERNAL
    incident = info(refused.value).metadata["incident"]
    assert incident in (refused.value.details() or "")
    (fault,) = [line for line in journalled() if line["event"] == "fault"]
    assert (fault["incident"], fault["level"]) == (incident, "error")
    assert (fault["exception"], fault["player"]) == ("RuntimeError", ANN.player)
    assert any("behave" in frame for frame in fault["where"])
    assert "7H" not in f"{refused.value!r} {journalled()}"


async def test_a_refusal_is_no_fault(running: Running, journalled: Journalled) -> None:
    running.behave = raising(ILLEGAL)
    with pytest.raises(grpc.aio.AioRpcError):
        await running.call()
    assert [line["event"] for line in journalled()] == ["call"]


async def test_what_a_stream_has_said_before_is_heard(running: Running) -> None:
    """F3 a stream ends with a status of the server's own."""
    running.behave = raising(StoppingError())
    call = running.begin("Watch")
    assert await call.read() == pb.GetMatchResponse()
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call.read()
    assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
    assert info(refused.value).reason == "SERVER_STOPPING"


@pytest.mark.parametrize("method", KINDS)
async def test_a_servicers_own_abort_passes(running: Running, method: str) -> None:
    async def behave(_request: object, context: Context) -> None:
        await context.abort(grpc.StatusCode.UNIMPLEMENTED, "not yet")

    running.behave = behave
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await running.call(method)
    assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED
    assert refused.value.details() == "not yet"


async def test_a_method_that_nobody_serves(running: Running) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await running.call("Cheat")
    assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED


# --- calls that are given up --------------------------------------------------------------------


class Waiting:
    """A handler that waits for ever, and says when it begins and how it ends."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.left = asyncio.Event()
        self.ended_by: BaseException | None = None

    async def __call__(self, _request: object, _context: Context) -> None:
        self.began.set()
        try:
            await asyncio.Event().wait()
        except BaseException as error:
            self.ended_by = error
            raise
        finally:
            self.left.set()


async def ended(running: Running, code: str) -> None:
    """Wait until a call has been counted with that code."""
    async with asyncio.timeout(10):
        # The counters tell nobody, so they are asked.
        while f'grpc_code="{code}"' not in generate_latest(running.registry).decode():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("method", KINDS)
async def test_a_call_that_is_given_up_ends_at_once(
    running: Running, journalled: Journalled, method: str
) -> None:
    """F1"""
    waiting = Waiting()
    running.behave = waiting
    call = running.begin(method)
    async with asyncio.timeout(10):
        await waiting.began.wait()
        call.cancel()
        await waiting.left.wait()
    assert isinstance(waiting.ended_by, asyncio.CancelledError)
    await ended(running, "CANCELLED")
    assert [(line["event"], line["code"]) for line in journalled()] == [("call", "CANCELLED")]


@pytest.mark.parametrize("method", KINDS)
async def test_a_call_ends_at_its_deadline(
    running: Running, journalled: Journalled, method: str
) -> None:
    running.behave = Waiting()
    with pytest.raises(grpc.aio.AioRpcError) as late:
        await running.call(method, timeout=0.5)
    assert late.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    await ended(running, "DEADLINE_EXCEEDED")
    assert [line["code"] for line in journalled()] == ["DEADLINE_EXCEEDED"]


# --- the journal and the figures ----------------------------------------------------------------


@pytest.mark.parametrize("method", KINDS)
async def test_all_that_is_logged_in_a_call_names_it(
    running: Running, journalled: Journalled, method: str
) -> None:
    bound: list[dict[str, Plain]] = []

    async def behave(_request: object, _context: Context) -> None:
        bound.append(get_contextvars())

    running.behave = behave
    await running.call(method)
    await running.call(method, DIRECTOR_TOKEN)
    await ended(running, "OK")
    assert [b["method"] for b in bound] == [f"/{MATCHES}/{method}"] * 2
    assert [b["player"] for b in bound] == [ANN.player, DIRECTOR.player]
    assert len({b["call"] for b in bound}) == 2
    lines = journalled()
    assert [line["call"] for line in lines] == [b["call"] for b in bound]
    assert {line["level"] for line in lines} == {"debug" if method == "GetMatch" else "info"}
    assert all(line["ms"] >= 0 and line["code"] == "OK" for line in lines)


async def test_calls_are_counted_and_timed(running: Running) -> None:
    running.behave = raising(ILLEGAL)
    for _ in range(3):
        with pytest.raises(grpc.aio.AioRpcError):
            await running.call()

    async def behave(_request: object, _context: Context) -> None:
        pass

    running.behave = behave
    await running.call()
    method = {"grpc_type": "unary", "grpc_service": MATCHES, "grpc_method": "GetMatch"}

    def figure(name: str, **code: str) -> float | None:
        return running.registry.get_sample_value(name, method | code)

    assert figure("grpc_server_started_total") == 4
    assert figure("grpc_server_handled_total", grpc_code="FAILED_PRECONDITION") == 3
    assert figure("grpc_server_handled_total", grpc_code="OK") == 1
    assert figure("grpc_server_handling_seconds_count", grpc_code="OK") == 1


# --- what they stand on -------------------------------------------------------------------------


class Counted(Around):
    """Counts how often it is asked to wrap a method."""

    def __init__(self) -> None:
        super().__init__()
        self.methods: list[Method] = []

    def around(self, method: Method, proceed: Call) -> Call:
        self.methods.append(method)
        return proceed


async def test_a_method_is_wrapped_once() -> None:
    counted = Counted()

    async def handle(_request: bytes, _context: Context) -> bytes:
        return b""

    handler: Plain = grpc.unary_unary_rpc_method_handler(handle)

    async def continuation(_details: grpc.HandlerCallDetails) -> Plain:
        return handler

    asked = HandlerCallDetails(f"/{MATCHES}/GetMatch")
    first = await counted.intercept_service(continuation, asked)
    again = await counted.intercept_service(continuation, asked)
    assert first is again
    assert counted.methods == [Method(f"/{MATCHES}/GetMatch", "unary")]
    assert (counted.methods[0].service, counted.methods[0].name) == (MATCHES, "GetMatch")


class HandlerCallDetails:
    def __init__(self, method: str) -> None:
        self.method = method
        self.invocation_metadata: tuple[tuple[str, str | bytes], ...] = ()


async def test_a_handler_that_would_block_the_loop_is_refused() -> None:
    def handle(_request: bytes, _context: object) -> bytes:
        return b""

    async def continuation(_details: grpc.HandlerCallDetails) -> Plain:
        return grpc.unary_unary_rpc_method_handler(handle)

    with pytest.raises(TypeError, match="asynchronous"):
        await ErrorInterceptor().intercept_service(continuation, HandlerCallDetails("/a/b"))

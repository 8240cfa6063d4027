"""The interceptors, around a small server on a real port."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any
from unittest.mock import Mock

import grpc
import pytest
from prometheus_client import generate_latest
from structlog.contextvars import get_contextvars
from support_calls import (
    ANN,
    ANN_TOKEN,
    DIRECTOR,
    DIRECTOR_TOKEN,
    KINDS,
    MATCH,
    MATCHES,
    PLAYERS,
    UNKNOWN_TOKEN,
    Behaviour,
    Running,
    details,
    info,
    serving_calls,
)
from support_journal import Journalled, journal_caught

from ginrummy.api.around import code_of
from ginrummy.api.auth import Caller, caller_of, caller_or_nobody, require_role
from ginrummy.api.calls import Context
from ginrummy.api.errors import RefusedMoveError
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.tables.errors import StaleSeqError, StoppingError
from ginrummy.v1 import match_pb2
from ginrummy.v1 import match_service_pb2 as pb


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    async with serving_calls() as running:
        yield running


@pytest.fixture(autouse=True)
def journalled() -> Iterator[Journalled]:
    with journal_caught() as lines:
        yield lines


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


async def written(journalled: Journalled, calls: int = 1) -> list[Mapping[str, Any]]:
    """Wait until so many calls are in the journal: a caller may hear of the end before it is."""
    async with asyncio.timeout(10):
        while len(lines := journalled()) < calls:  # noqa: ASYNC110 -- the journal tells nobody
            await asyncio.sleep(0.01)
    return [*lines]


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
    assert [line["event"] for line in await written(journalled)] == ["call"]


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
    lines = await written(journalled)
    assert [(line["event"], line["code"]) for line in lines] == [("call", "CANCELLED")]


@pytest.mark.parametrize("method", KINDS)
async def test_a_call_ends_at_its_deadline(
    running: Running, journalled: Journalled, method: str
) -> None:
    waiting = Waiting()
    running.behave = waiting
    # A deadline that passes while the client connects is one that the server never hears of.
    await running.channel.channel_ready()
    with pytest.raises(grpc.aio.AioRpcError) as late:
        await running.call(method, timeout=1)
    assert late.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    async with asyncio.timeout(10):
        await waiting.left.wait()
    codes = [line["code"] for line in await written(journalled)]
    # Both sides count; the client's word that it has given up may come before the server's own.
    assert codes in (["DEADLINE_EXCEEDED"], ["CANCELLED"])


@pytest.mark.parametrize(
    ("left", "code"),
    [
        (None, "CANCELLED"),
        (0.2, "CANCELLED"),
        (0.0, "DEADLINE_EXCEEDED"),
        (-1, "DEADLINE_EXCEEDED"),
    ],
)
def test_a_call_is_late_when_none_of_its_time_is_left(left: float | None, code: str) -> None:
    context = Mock(time_remaining=lambda: left)
    assert code_of(context, asyncio.CancelledError()) == code


# --- the journal and the figures ----------------------------------------------------------------


@pytest.mark.parametrize("method", KINDS)
async def test_all_that_is_logged_in_a_call_names_it(
    running: Running, journalled: Journalled, method: str
) -> None:
    bound: list[Mapping[str, object]] = []

    async def behave(_request: object, _context: Context) -> None:
        bound.append(get_contextvars())

    running.behave = behave
    await running.call(method)
    await running.call(method, DIRECTOR_TOKEN)
    assert [b["method"] for b in bound] == [f"/{MATCHES}/{method}"] * 2
    assert [b["player"] for b in bound] == [ANN.player, DIRECTOR.player]
    assert len({b["call"] for b in bound}) == 2
    lines = await written(journalled, 2)
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
    await ended(running, "OK")
    method = {"grpc_type": "unary", "grpc_service": MATCHES, "grpc_method": "GetMatch"}

    def figure(name: str, **code: str) -> float | None:
        return running.registry.get_sample_value(name, method | code)

    assert figure("grpc_server_started_total") == 4
    assert figure("grpc_server_handled_total", grpc_code="FAILED_PRECONDITION") == 3
    assert figure("grpc_server_handled_total", grpc_code="OK") == 1
    assert figure("grpc_server_handling_seconds_count", grpc_code="OK") == 1

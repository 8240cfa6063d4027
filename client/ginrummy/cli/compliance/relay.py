"""The relay: a server to the bot and a client to the server, which passes on and writes down.

Every call is passed on as it comes, message by message: on the wire a call of one message each way
is a stream like any other. A `Fault` may hold, drop, change or double what passes.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, suppress
from types import TracebackType
from typing import Any, Protocol, Self

import grpc
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from ginrummy.cli.compliance.record import Record, Said
from ginrummy.client.errors import call_error
from ginrummy.v1 import (
    log_service_pb2,
    match_service_pb2,
    player_service_pb2,
    tournament_service_pb2,
)

__all__ = ["Passing", "Relay"]

_METHODS = {
    f"/{service.full_name}/{method.name}": method
    for module in (
        match_service_pb2,
        tournament_service_pb2,
        player_service_pb2,
        log_service_pb2,
    )
    for service in module.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}

_CHANNEL = (("grpc.max_receive_message_length", -1), ("grpc.so_reuseport", 0))


class Passing(Protocol):
    """Whoever may interfere with what passes."""

    async def asked(self, said: Said) -> bool:
        """Heed a message of the bot's, for as long as it takes; return whether it goes on."""

    async def answered(self, said: Said) -> Sequence[Message]:
        """Heed a message of the server's, and return what the bot is to get for it."""


class _Call:
    """One call of the bot's under way."""

    def __init__(self, upstream: Any, context: Any) -> None:  # noqa: ANN401 -- gRPC's own
        self.upstream = upstream
        self.context = context
        self.writing = asyncio.Lock()
        self.broken = False

    async def say(self, raw: bytes) -> None:
        """Send something to the bot, one thing at a time."""
        async with self.writing:
            await self.context.write(raw)


class Relay(grpc.GenericRpcHandler):
    """A port for the bot, with the server behind it: `async with Relay(...) as relay`."""

    def __init__(self, server: str, record: Record, passing: Passing) -> None:
        """Pass on to the address `server`, and write down in `record`."""
        self._server = server
        self._record = record
        self._passing = passing
        self._calls: dict[int, _Call] = {}
        self._count = 0
        self._stack = AsyncExitStack()
        self.address = ""

    async def __aenter__(self) -> Self:
        self._channel = grpc.aio.insecure_channel(self._server, options=_CHANNEL)
        self._stack.push_async_callback(self._channel.close)
        port = grpc.aio.server(handlers=[self], options=_CHANNEL)
        self.address = f"127.0.0.1:{port.add_insecure_port('127.0.0.1:0')}"
        await port.start()
        self._stack.push_async_callback(port.stop, 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    def break_off(self, call: int) -> None:
        """End one call as if the server were gone."""
        if call in self._calls:
            self._calls[call].broken = True
            self._calls[call].upstream.cancel()

    def open_calls(self, method: str) -> list[int]:
        """Return the numbers of the calls of a method that are under way."""
        known = {said.call for said in self._record.said if said.method == method}
        return [number for number in self._calls if number in known]

    async def say(self, call: int, message: Message, note: str) -> None:
        """Send the bot something that the server has not said."""
        said = self._record.add(call, "Play", by_bot=False, message=message)
        said.note = note
        await self._calls[call].say(message.SerializeToString())

    # --- one call ---------------------------------------------------------------------------

    def service(self, details: grpc.HandlerCallDetails) -> Any:  # noqa: ANN401 -- gRPC's own
        """Return what answers a call, whichever it is."""

        async def answer(requests: AsyncIterator[bytes], context: Any) -> None:  # noqa: ANN401
            await self._answer(details.method, requests, context)

        return grpc.stream_stream_rpc_method_handler(answer)

    async def _answer(
        self,
        path: str,
        requests: AsyncIterator[bytes],
        context: Any,  # noqa: ANN401 -- gRPC's own
    ) -> None:
        metadata = tuple(
            (key, value)
            for key, value in context.invocation_metadata()
            if not key.startswith(("grpc-", "user-agent"))
        )
        upstream: grpc.aio.StreamStreamCall[bytes, bytes] = self._channel.stream_stream(path)(
            metadata=metadata, timeout=context.time_remaining()
        )
        self._count += 1
        number, method = self._count, path.rpartition("/")[2]
        call = self._calls[number] = _Call(upstream, context)
        asking = asyncio.create_task(self._ask(number, path, requests))
        try:
            await self._tell(number, path, call)
        except grpc.aio.AioRpcError as error:
            self._record.end(number, method, error.code().name, call_error(error).reason)
            trailing = tuple(error.trailing_metadata() or ())
            await context.abort(error.code(), error.details() or "", trailing)
        except asyncio.CancelledError:
            if not call.broken:
                raise
            self._record.end(number, method, "UNAVAILABLE", "")
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the connection has broken off")
        finally:
            del self._calls[number]
            upstream.cancel()
            asking.cancel()
            with suppress(asyncio.CancelledError, grpc.aio.AioRpcError):
                await asking

    async def _ask(self, number: int, path: str, requests: AsyncIterator[bytes]) -> None:
        """Pass on what the bot says."""
        call, method = self._calls[number], path.rpartition("/")[2]
        async for raw in requests:
            message = _read(path, raw, is_request=True)
            said = self._record.add(number, method, by_bot=True, message=message)
            if message is None or await self._passing.asked(said):
                with suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
                    await call.upstream.write(raw)
            else:
                said.note = said.note or "never arrives"
        with suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
            await call.upstream.done_writing()

    async def _tell(self, number: int, path: str, call: _Call) -> None:
        """Pass on what the server says."""
        method = path.rpartition("/")[2]
        async for raw in call.upstream:
            message = _read(path, raw, is_request=False)
            said = self._record.add(number, method, by_bot=False, message=message)
            passed = [raw]
            if message is not None:
                answered = await self._passing.answered(said)
                passed = [each.SerializeToString() for each in answered]
            for each in passed:
                await call.say(each)
        if method in ("Play", "Attend"):
            self._record.end(number, method, "OK", "")


def _read(path: str, raw: bytes, *, is_request: bool) -> Message | None:
    """Return a message; None for one of a service that is not the game's."""
    method = _METHODS.get(path)
    if method is None:
        return None
    kind = method.input_type if is_request else method.output_type
    return GetMessageClass(kind).FromString(raw)

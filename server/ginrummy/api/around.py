"""The ground that the interceptors stand on: every call as one coroutine, whatever its kind.

gRPC has four kinds of handlers. A handler that yields its answers becomes one that writes them
here, in the same loop that gRPC would run itself. So an interceptor is code before and after one
`await`, and no message of a stream ever passes through it.
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeAlias

import grpc
import msgspec

from ginrummy.api.calls import Context

__all__ = ["Around", "Call", "Method", "code_of"]

Call: TypeAlias = Callable[[Any, Context], Awaitable[Any]]
"""A call under way: takes the request, or the requests, and its context; returns the answer of a
unary call and None of a stream, which writes its answers itself."""

_Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


class Method(msgspec.Struct, frozen=True):
    """What is called."""

    path: str
    """`/ginrummy.v1.MatchService/MakeMove`."""
    kind: str
    """`unary`, `client_stream`, `server_stream` or `bidi_stream`."""

    @property
    def service(self) -> str:
        """`ginrummy.v1.MatchService`."""
        return self.path.split("/")[1]

    @property
    def name(self) -> str:
        """`MakeMove`."""
        return self.path.split("/")[2]


class Around(grpc.aio.ServerInterceptor, ABC):
    """An interceptor that puts something around every call."""

    def __init__(self) -> None:
        self._wrapped: dict[str, tuple[_Handler, _Handler]] = {}

    @abstractmethod
    def around(self, method: Method, proceed: Call) -> Call:
        """Return a coroutine function to be called in the place of `proceed`.

        It is asked for once a method, and not once a call.
        """

    async def intercept_service(
        self,
        continuation: "Callable[[grpc.HandlerCallDetails], Awaitable[_Handler | None]]",
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "_Handler | None":
        """Return the handler of a method, wrapped; None for a method that nobody serves."""
        handler = await continuation(handler_call_details)
        path = handler_call_details.method
        if handler is None:
            return None
        before = self._wrapped.get(path)
        if before is not None and before[0] is handler:
            return before[1]
        method = Method(path, _kind(handler))
        wrapped = _replaced(handler, self.around(method, _as_call(handler)))
        self._wrapped[path] = (handler, wrapped)
        return wrapped


def _kind(handler: _Handler) -> str:
    if handler.request_streaming:
        return "bidi_stream" if handler.response_streaming else "client_stream"
    return "server_stream" if handler.response_streaming else "unary"


def _as_call(handler: _Handler) -> Call:
    function: Any = (
        handler.unary_unary or handler.unary_stream or handler.stream_unary or handler.stream_stream
    )
    if inspect.isasyncgenfunction(function):
        return _writing(function)
    if not inspect.iscoroutinefunction(function):
        raise TypeError(f"{function!r} would block the loop: handlers are asynchronous here")
    call: Call = function
    return call


def _writing(yielding: Callable[[Any, Context], Any]) -> Call:
    """Return a call that writes what a handler yields."""

    async def call(request: Any, context: Context) -> None:  # noqa: ANN401 -- any message
        write = context.write
        # The handler's own clean-up runs at once, and not when it happens to be collected.
        async with aclosing(yielding(request, context)) as answers:
            async for answer in answers:
                await write(answer)

    return call


def _replaced(handler: _Handler, call: Any) -> _Handler:  # noqa: ANN401 -- one of four kinds
    make: Callable[..., _Handler] = {
        "unary": grpc.unary_unary_rpc_method_handler,
        "server_stream": grpc.unary_stream_rpc_method_handler,
        "client_stream": grpc.stream_unary_rpc_method_handler,
        "bidi_stream": grpc.stream_stream_rpc_method_handler,
    }[_kind(handler)]
    return make(
        call,
        request_deserializer=handler.request_deserializer,
        response_serializer=handler.response_serializer,
    )


def code_of(context: Context, error: BaseException | None) -> str:
    """Return the name of the code with which a call has ended, `error` being what ended it."""
    if error is None or isinstance(error, grpc.aio.AbortError):
        code = context.code() or grpc.StatusCode.OK
        return code.name
    if isinstance(error, Exception):
        return grpc.StatusCode.UNKNOWN.name
    # Whoever called has gone, or has waited for as long as they would.
    left = context.time_remaining()
    is_late = left is not None and left <= 0
    return (grpc.StatusCode.DEADLINE_EXCEEDED if is_late else grpc.StatusCode.CANCELLED).name

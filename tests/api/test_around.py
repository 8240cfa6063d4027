"""The ground that the interceptors stand on."""

import grpc
import pytest
from support_messages import Plain

from ginrummy.api.around import Around, Call, Method
from ginrummy.api.calls import Context
from ginrummy.api.interceptors import ErrorInterceptor

MATCHES = "ginrummy.v1.MatchService"


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

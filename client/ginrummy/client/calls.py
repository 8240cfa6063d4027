"""One call to the server, whatever it asks: its deadline, its attempts, its errors."""

from collections.abc import AsyncIterator, Callable
from typing import Any, TypeAlias, TypeVar

import grpc

from ginrummy.client.errors import call_error
from ginrummy.client.retry import Attempts, Retry

__all__ = ["ONCE", "Metadata", "streamed", "unary"]

Metadata: TypeAlias = tuple[tuple[str, str], ...]

Asked = TypeVar("Asked")
Answered = TypeVar("Answered")

ONCE = Retry(patience=0.0)
"""For what must not be asked twice, because it has no request id."""


async def unary(
    method: "grpc.aio.UnaryUnaryMultiCallable[Asked, Answered]",
    request: Asked,
    metadata: Metadata,
    retry: Retry,
) -> Answered:
    """Return the answer to `request`, sent again as it is while the server cannot be reached.

    Raises the CallError that the last answer means.
    """
    attempts = Attempts(retry)
    while True:
        try:
            return await method(request, timeout=retry.deadline, metadata=metadata)
        except grpc.aio.AioRpcError as error:
            failure = call_error(error)
            failure.__cause__ = error
        await attempts.failed(failure)


async def streamed(
    begin: "Callable[[], grpc.aio.UnaryStreamCall[Any, Answered]]", retry: Retry
) -> AsyncIterator[Answered]:
    """Yield the answers to a call, begun again by `begin` where it breaks off.

    `begin` asks for what has not been yielded yet. Raises the CallError that the last end means.
    """
    attempts = Attempts(retry)
    while True:
        call = begin()
        try:
            async for answer in call:
                attempts.succeeded()
                yield answer
        except grpc.aio.AioRpcError as error:
            failure = call_error(error)
            failure.__cause__ = error
        else:
            return
        finally:
            # Whoever stops listening in the middle leaves no call open.
            call.cancel()
        await attempts.failed(failure)

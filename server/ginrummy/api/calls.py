"""What the servicers share about a call under way, and about the server that they are added to."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import grpc
from google.protobuf.message import Message

__all__ = ["BytesToo", "Context", "uninterrupted"]

T = TypeVar("T")

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]
"""A call's context, of whichever messages."""


async def uninterrupted(work: Awaitable[T]) -> T:
    """Return what `work` does, which goes on even where the call that asked for it is given up."""
    return await asyncio.shield(asyncio.ensure_future(work))


class BytesToo:
    """A server, as a service is added to it whose methods may answer with a message's bytes."""

    def __init__(self, server: grpc.aio.Server) -> None:
        self._server = server

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Any]) -> None:
        """Add the handlers of a service's methods, by their names."""
        sending = {name: _sending(handler) for name, handler in handlers.items()}
        generic = grpc.method_handlers_generic_handler(service, sending)
        self._server.add_generic_rpc_handlers((generic,))

    def add_generic_rpc_handlers(self, handlers: Sequence[Any]) -> None:
        """Do nothing: the same handlers come by their names as well."""


def _sending(handler: Any) -> Any:  # noqa: ANN401 -- of any messages
    """Return a handler that sends bytes as they are, and writes messages as before."""
    write = handler.response_serializer

    def written(answer: Message | bytes) -> bytes:
        return answer if isinstance(answer, bytes) else write(answer)

    return handler._replace(response_serializer=written)

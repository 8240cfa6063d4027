"""What the servicers share about a call under way."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeAlias, TypeVar

import grpc

__all__ = ["Context", "uninterrupted"]

T = TypeVar("T")

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]
"""A call's context, of whichever messages."""


async def uninterrupted(work: Awaitable[T]) -> T:
    """Return what `work` does, which goes on even where the call that asked for it is given up."""
    return await asyncio.shield(asyncio.ensure_future(work))

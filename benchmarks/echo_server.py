"""A bare echo: answers each request on a Play stream with the next of some recorded responses.

python benchmarks/echo_server.py RESPONSES

RESPONSES is a file of length-prefixed messages. Prints its address once it takes calls. There is
nothing here but gRPC and protobuf: no rules, no store, no interceptor.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import uvloop

from ginrummy.v1 import match_service_pb2 as pb

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[Any, Any]


def read_responses(path: Path) -> list[pb.PlayResponse]:
    """Return the messages in a file that `write_responses` wrote."""
    raw, responses = path.read_bytes(), []
    while raw:
        size = int.from_bytes(raw[:4])
        responses.append(pb.PlayResponse.FromString(raw[4 : 4 + size]))
        raw = raw[4 + size :]
    return responses


def write_responses(path: Path, responses: list[pb.PlayResponse]) -> None:
    """Write messages, each after its length in four bytes."""
    raw = [response.SerializeToString() for response in responses]
    path.write_bytes(b"".join(len(each).to_bytes(4) + each for each in raw))


def echo(responses: list[pb.PlayResponse]) -> grpc.GenericRpcHandler:
    """Return what answers Play: one of the responses for each request, in turn."""

    async def play(
        requests: AsyncIterator[pb.PlayRequest],
        context: "Context",  # noqa: ARG001 -- gRPC's signature
    ) -> AsyncIterator[pb.PlayResponse]:
        answers = cycle(responses)
        async for _ in requests:
            yield next(answers)

    handler = grpc.stream_stream_rpc_method_handler(
        play,
        request_deserializer=pb.PlayRequest.FromString,
        response_serializer=pb.PlayResponse.SerializeToString,
    )
    return grpc.method_handlers_generic_handler("ginrummy.v1.MatchService", {"Play": handler})


async def serve(path: Path) -> None:
    """Serve until the process is ended."""
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((echo(read_responses(path)),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"127.0.0.1:{port}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(serve(Path(sys.argv[1])))

"""A bare echo: answers each request with the next of some recorded responses.

python benchmarks/echo_server.py RESPONSES ANSWERS

RESPONSES and ANSWERS are files of length-prefixed messages: what a Play stream and MakeMove are
answered with. Prints its address once it takes calls. There is nothing here but gRPC and protobuf:
no rules, no store, no interceptor.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import grpc
import uvloop
from google.protobuf.message import Message

from ginrummy.v1 import match_service_pb2 as pb

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[Any, Any]


M = TypeVar("M", bound=Message)


def read_responses(path: Path, kind: type[M]) -> list[M]:
    """Return the messages in a file that `write_responses` wrote."""
    raw, responses = path.read_bytes(), []
    while raw:
        size = int.from_bytes(raw[:4])
        responses.append(kind.FromString(raw[4 : 4 + size]))
        raw = raw[4 + size :]
    return responses


def write_responses(path: Path, responses: Sequence[Message]) -> None:
    """Write messages, each after its length in four bytes."""
    raw = [response.SerializeToString() for response in responses]
    path.write_bytes(b"".join(len(each).to_bytes(4) + each for each in raw))


def echo(
    responses: Sequence[pb.PlayResponse], answers: Sequence[pb.MakeMoveResponse]
) -> grpc.GenericRpcHandler:
    """Return what answers each request of Play, and each MakeMove, with the next one in turn."""
    next_answer = cycle(answers)

    async def play(
        requests: AsyncIterator[pb.PlayRequest],
        context: "Context",  # noqa: ARG001 -- gRPC's signature
    ) -> AsyncIterator[pb.PlayResponse]:
        next_response = cycle(responses)
        async for _ in requests:
            yield next(next_response)

    async def make_move(
        request: pb.MakeMoveRequest,  # noqa: ARG001 -- gRPC's signature
        context: "Context",  # noqa: ARG001 -- gRPC's signature
    ) -> pb.MakeMoveResponse:
        return next(next_answer)

    handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        "Play": grpc.stream_stream_rpc_method_handler(
            play,
            request_deserializer=pb.PlayRequest.FromString,
            response_serializer=pb.PlayResponse.SerializeToString,
        ),
        "MakeMove": grpc.unary_unary_rpc_method_handler(
            make_move,
            request_deserializer=pb.MakeMoveRequest.FromString,
            response_serializer=pb.MakeMoveResponse.SerializeToString,
        ),
    }
    return grpc.method_handlers_generic_handler("ginrummy.v1.MatchService", handlers)


async def serve(responses: Path, answers: Path) -> None:
    """Serve until the process is ended."""
    server = grpc.aio.server()
    on_streams = read_responses(responses, pb.PlayResponse)
    to_calls = read_responses(answers, pb.MakeMoveResponse)
    server.add_generic_rpc_handlers((echo(on_streams, to_calls),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"127.0.0.1:{port}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(serve(*map(Path, sys.argv[1:])))

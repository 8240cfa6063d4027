"""Reflection, asked as a tool without any proto file asks it."""

from collections.abc import AsyncIterator

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_reflection.v1alpha.reflection_pb2 import (
    ServerReflectionRequest,
    ServerReflectionResponse,
)

from ginrummy.api.interceptors import interceptors
from ginrummy.api.reflection import PROTOCOLS, add_reflection
from ginrummy.store import MemoryStore
from ginrummy.v1 import log_service_pb2, match_service_pb2, player_service_pb2

SERVICES = [
    service.full_name
    for module in (log_service_pb2, match_service_pb2, player_service_pb2)
    for service in module.DESCRIPTOR.services_by_name.values()
]


@pytest.fixture
async def channel() -> AsyncIterator[grpc.aio.Channel]:
    server = grpc.aio.server(interceptors=interceptors(MemoryStore()))
    add_reflection(server, SERVICES)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield channel
    await server.stop(0)


async def ask(
    channel: grpc.aio.Channel, protocol: str, *requests: ServerReflectionRequest
) -> list[ServerReflectionResponse]:
    call = channel.stream_stream(
        f"/{protocol}/ServerReflectionInfo",
        request_serializer=ServerReflectionRequest.SerializeToString,
        response_deserializer=ServerReflectionResponse.FromString,
    )
    return [response async for response in call(iter(requests))]


async def described(channel: grpc.aio.Channel, protocol: str, symbol: str) -> DescriptorPool:
    """Return a pool of its own with all the files that a symbol needs."""
    request = ServerReflectionRequest(file_containing_symbol=symbol)
    (response,) = await ask(channel, protocol, request)
    pool = DescriptorPool()
    files = [
        FileDescriptorProto.FromString(raw)
        for raw in response.file_descriptor_response.file_descriptor_proto
    ]
    assert files, response
    known: set[str] = set()
    while files:
        ready = [file for file in files if known.issuperset(file.dependency)]
        assert ready, "a file that the others need is missing"
        for file in ready:
            pool.AddSerializedFile(file.SerializeToString())
            known.add(file.name)
            files.remove(file)
    return pool


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_the_services_are_listed(channel: grpc.aio.Channel, protocol: str) -> None:
    """F8 in both forms of the protocol, and without a token"""
    (response,) = await ask(channel, protocol, ServerReflectionRequest(list_services=""))
    listed = [service.name for service in response.list_services_response.service]
    assert listed == sorted([*SERVICES, *PROTOCOLS])


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", [*SERVICES, *PROTOCOLS])
async def test_every_service_and_message_is_described(
    channel: grpc.aio.Channel, protocol: str, name: str
) -> None:
    """F8"""
    service = (await described(channel, protocol, name)).FindServiceByName(name)
    assert service.methods
    for method in service.methods:
        for message in (method.input_type, method.output_type):
            pool = await described(channel, protocol, message.full_name)
            found = pool.FindMessageTypeByName(message.full_name)
            assert [f.name for f in found.fields] == [f.name for f in message.fields]


async def test_a_second_server_in_one_process_can_be_described(
    channel: grpc.aio.Channel,
) -> None:
    server = grpc.aio.server()
    add_reflection(server, SERVICES)
    await server.stop(0)

"""A client without a proto file: it finds everything by reflection, and plays."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import grpc
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)
from support_server import SOON, gin_serve, signed_up

from ginrummy.v1 import (
    errors_pb2,
    events_pb2,
    log_service_pb2,
    match_pb2,
    match_service_pb2,
    player_service_pb2,
    ruleset_pb2,
)
from ginrummy.v1.match_pb2 import STAGE_ENDED

CLIENT = Path(__file__).parents[1] / "support_reflection_client.py"
FILES = (
    errors_pb2,
    events_pb2,
    log_service_pb2,
    match_pb2,
    match_service_pb2,
    player_service_pb2,
    ruleset_pb2,
)


async def start(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", str(CLIENT), *arguments), stdout=PIPE, stderr=PIPE
    )


async def test_f8_a_client_written_from_the_protos_alone_plays_a_match(tmp_path: Path) -> None:
    """F8 over reflection and by unary calls, in a process that loads nothing of this project."""
    async with gin_serve(tmp_path / "gin.db") as server, signed_up(server.address, "Eve") as eve:
        first = await start(server.address, "Ann")
        assert first.stdout is not None
        match_id = (await asyncio.wait_for(first.stdout.readline(), SOON)).decode().strip()
        second = await start(server.address, "Bob", match_id)
        said = [await asyncio.wait_for(one.communicate(), SOON) for one in (first, second)]
        assert [first.returncode, second.returncode] == [0, 0], said
        match = await eve.match(match_id)
        assert match.stage == STAGE_ENDED
        totals = " ".join(map(str, match.outcome.totals))
        ends = [out.decode().splitlines()[-1] for out, _ in said]
        assert ends == [f"0 {totals}", f"1 {totals}"]
        assert (await eve.audit(match_id)).clean


async def test_f8_every_file_service_and_message_is_described_whole(tmp_path: Path) -> None:
    """F8 what comes over reflection is what the protos say, to the last field."""
    async with gin_serve(tmp_path / "gin.db") as server:
        await asyncio.to_thread(check_descriptions, server.address)


def check_descriptions(address: str) -> None:
    with grpc.insecure_channel(address) as channel:
        database = ProtoReflectionDescriptorDatabase(channel)
        pool = DescriptorPool(database)
        services = set(database.get_services())
        for module in FILES:
            file = module.DESCRIPTOR
            for service in file.services_by_name.values():
                assert service.full_name in services
                assert pool.FindServiceByName(service.full_name).methods
            for message in file.message_types_by_name.values():
                found = pool.FindMessageTypeByName(message.full_name)
                assert [field.name for field in found.fields] == [f.name for f in message.fields]
            for enum in file.enum_types_by_name.values():
                found_enum = pool.FindEnumTypeByName(enum.full_name)
                assert found_enum.values_by_name.keys() == enum.values_by_name.keys()
            ours, theirs = FileDescriptorProto(), FileDescriptorProto()
            file.CopyToProto(ours)
            pool.FindFileByName(file.name).CopyToProto(theirs)
            assert theirs == ours

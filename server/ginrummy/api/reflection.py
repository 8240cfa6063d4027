"""Reflection: the services described to a client that has no proto file.

gRPC's library speaks the first published form of the protocol, `v1alpha`; newer tools ask for
`v1`. The two are the same byte for byte, so one servicer answers under both names.
"""

from collections.abc import Iterable

import grpc
from google.protobuf import descriptor_pool
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_reflection.v1alpha import reflection, reflection_pb2

__all__ = ["PROTOCOLS", "add_reflection"]

_OLD = "grpc.reflection.v1alpha"
_NEW = "grpc.reflection.v1"

PROTOCOLS = (f"{_NEW}.ServerReflection", f"{_OLD}.ServerReflection")
"""The names under which reflection is served."""


def add_reflection(server: grpc.aio.Server, services: Iterable[str]) -> None:
    """Describe these services, and reflection itself, to whoever asks."""
    _describe_new_form()
    servicer = reflection.aio.ReflectionServicer((*services, *PROTOCOLS))
    method = grpc.stream_stream_rpc_method_handler(
        servicer.ServerReflectionInfo,
        request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
        response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    server.add_generic_rpc_handlers(
        [
            grpc.method_handlers_generic_handler(name, {"ServerReflectionInfo": method})
            for name in PROTOCOLS
        ]
    )


def _describe_new_form() -> None:
    """Put the newer form's descriptors beside the older one's, made from them."""
    old = FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(old)
    new = FileDescriptorProto()
    new.CopyFrom(old)
    new.name = old.name.replace("v1alpha", "v1")
    new.package = _NEW
    for message in new.message_type:
        for field in message.field:
            if field.type_name:
                field.type_name = field.type_name.replace(_OLD, _NEW)
    for service in new.service:
        for method in service.method:
            method.input_type = method.input_type.replace(_OLD, _NEW)
            method.output_type = method.output_type.replace(_OLD, _NEW)
    descriptor_pool.Default().AddSerializedFile(new.SerializeToString())

"""Exit with 0 if a server can serve, and with 1 if it cannot, as container runtimes ask.

    python healthy.py 127.0.0.1:50051

A server that does not reach its database says that it cannot: others are to be asked then.
"""

import sys

import grpc
from grpc_health.v1 import health_pb2


def is_serving(address: str) -> bool:
    """Return whether the server at `address` says so within two seconds."""
    with grpc.insecure_channel(address) as channel:
        check = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        try:
            answer = check(health_pb2.HealthCheckRequest(), timeout=2)
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    raise SystemExit(not is_serving(sys.argv[1]))

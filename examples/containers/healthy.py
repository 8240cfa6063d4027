"""Exit with 0 if a server can serve, and with 1 if it cannot, as container runtimes ask.

    python healthy.py 127.0.0.1:50051

A server that does not reach its database says that it cannot: others are to be asked then.
"""

import sys

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc


def is_serving(address: str) -> bool:
    """Return whether the server at `address` says so within two seconds."""
    with grpc.insecure_channel(address) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(), timeout=2
            )
        except grpc.RpcError:
            return False
    return answer.status == health_pb2.HealthCheckResponse.SERVING


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    raise SystemExit(not is_serving(sys.argv[1]))

"""Which servers a client speaks to: one address, or several that serve the same log.

Several are written with commas between. Calls go to them by turns; one that does not answer, or
says that it cannot serve, is passed over until it can again.
"""

import socket
from typing import TypeAlias

import msgspec

from ginrummy.client.errors import InvalidAddressError

__all__ = ["Option", "channel_target"]

Option: TypeAlias = tuple[str, str | int]

_BY_TURNS = msgspec.json.encode(
    {
        "loadBalancingConfig": [{"round_robin": {}}],
        # A server that has lost its database says so, and is left alone until it is back.
        "healthCheckConfig": {"serviceName": ""},
    }
).decode()


def channel_target(target: str) -> tuple[str, tuple[Option, ...]]:
    """Return gRPC's name for one or several addresses, and the options that several need.

    Raises InvalidAddressError.
    """
    addresses = [each.strip() for each in target.split(",")]
    if len(addresses) == 1:
        return target, ()
    found = [_resolved(address) for address in addresses]
    families = {":" in host for host, _ in found}
    if len(families) > 1:
        raise InvalidAddressError(f"{target}: the addresses are to be all of IPv4 or all of IPv6")
    if families == {True}:
        name = "ipv6:" + ",".join(f"[{host}]:{port}" for host, port in found)
    else:
        name = "ipv4:" + ",".join(f"{host}:{port}" for host, port in found)
    return name, (("grpc.service_config", _BY_TURNS),)


def _resolved(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or not (port.isascii() and port.isdigit()):
        raise InvalidAddressError(
            f"{address!r} is no address: write HOST:PORT, with commas between several"
        )
    try:
        found = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
    except OSError as error:
        raise InvalidAddressError(f"{address}: {error}") from error
    *_, place = found[0]
    return str(place[0]), int(port)

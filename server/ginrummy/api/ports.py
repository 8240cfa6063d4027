"""The port of several servers: kept for them from before the first one comes until all have gone.

Linux spreads the connections to a port over all sockets that listen there with SO_REUSEPORT, of
whatever processes of one user. So whoever starts the servers looks first that nobody is there, and
then binds the port as well, without listening, for as long as they run.
"""

import errno
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any, TypeAlias

from ginrummy.api.errors import PortTakenError

__all__ = ["LAST_PORT", "held_port", "read_listen"]

LAST_PORT = 65_535
"""The highest port that there is."""

_At: TypeAlias = tuple[socket.AddressFamily, tuple[Any, ...]]

_NOT_HERE = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})
"""What is said of an address of a kind that this machine does not have."""


def read_listen(listen: str) -> tuple[str, int]:
    """Return the host and the port of an address. Raises PortTakenError for what is none."""
    host, _, number = listen.rpartition(":")
    # Of a number beyond the last port gRPC would take what is left of it in two bytes.
    if not host or not number.isascii() or not number.isdigit() or int(number) > LAST_PORT:
        raise PortTakenError(
            listen, f"name a host and a port up to {LAST_PORT}, such as 127.0.0.1:50051"
        )
    return host, int(number)


@contextmanager
def held_port(listen: str) -> Iterator[str]:
    """Keep a port for servers that share it; give the address, with a free port in place of 0.

    Raises PortTakenError where somebody listens there.
    """
    host, port = read_listen(listen)
    with ExitStack() as held:
        try:
            for family, (name, _, *rest) in _addresses(host):
                at = (family, (name, port, *rest))
                try:
                    _check_free(at)
                    port = held.enter_context(closing(_bound(at))).getsockname()[1]
                except OSError as error:
                    if error.errno not in _NOT_HERE:
                        raise
        except OSError as error:
            raise PortTakenError(listen) from error
        if port == 0:
            raise PortTakenError(listen)
        yield f"{host}:{port}"


def _addresses(host: str) -> list[_At]:
    """Return all addresses of a host, each once."""
    found = socket.getaddrinfo(
        host.strip("[]"), 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    return list(dict.fromkeys((family, at) for family, _, _, _, at in found))


def _check_free(at: _At) -> None:
    """Listen there as a server does that shares with nobody."""
    with _socket(at, socket.SO_REUSEADDR) as alone:
        alone.listen(1)


def _bound(at: _At) -> socket.socket:
    try:
        # Nobody else who asks as above gets the port now, even before the first server listens.
        return _socket(at, socket.SO_REUSEPORT)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        # Connections of a server that was there a minute ago are still on their way out.
        return _socket(at, socket.SO_REUSEADDR, socket.SO_REUSEPORT)


def _socket(at: _At, *options: int) -> socket.socket:
    family, address = at
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        for option in options:
            made.setsockopt(socket.SOL_SOCKET, option, 1)
        made.bind(address)
    except BaseException:
        made.close()
        raise
    return made

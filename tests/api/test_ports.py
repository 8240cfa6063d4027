"""A port that several servers share: whose it is, and what is refused."""

import socket

import pytest

from ginrummy.api.errors import PortTakenError
from ginrummy.api.ports import held_port, read_listen

_TCP = socket.SOCK_STREAM


def listener(port: int) -> socket.socket:
    """Return what a server listens with that shares the port."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    made.bind(("127.0.0.1", port))
    made.listen()
    return made


def port_of(address: str) -> int:
    return read_listen(address)[1]


def test_a_free_port_is_found_and_kept() -> None:
    with held_port("127.0.0.1:0") as address:
        port = port_of(address)
        assert address == f"127.0.0.1:{port}"
        # Those who share it come and go.
        for _ in range(2):
            with listener(port), listener(port):
                pass


def test_a_port_that_is_kept_or_served_is_refused_to_others() -> None:
    with held_port("127.0.0.1:0") as address:
        with pytest.raises(PortTakenError), held_port(address):
            pass
        with listener(port_of(address)), pytest.raises(PortTakenError), held_port(address):
            pass
    with held_port(address):
        pass


def test_a_port_at_which_somebody_else_listens_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(PortTakenError), held_port(address):
            pass


def test_connections_of_a_server_that_has_gone_do_not_keep_the_port() -> None:
    """Whoever closes first leaves the address in use for a minute, in no server's hands."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with socket.create_connection(server.getsockname()) as client:
            accepted, _ = server.accept()
            accepted.close()
            assert client.recv(1) == b""
    with held_port(address):
        pass


def test_all_addresses_of_a_name_are_kept() -> None:
    found = {each[:2]: each[4] for each in socket.getaddrinfo("localhost", 0, type=_TCP)}
    with held_port("localhost:0") as address:
        for (family, kind), at in found.items():
            with (
                socket.socket(family, kind) as other,
                pytest.raises(OSError, match=r"in use|assign"),
            ):
                # It is in use, or no address of this machine at all.
                other.bind((at[0], port_of(address)))


@pytest.mark.parametrize("listen", ["nowhere", ":1", "127.0.0.1:", "127.0.0.1:65536", "x:-1"])
def test_what_is_no_address_is_refused(listen: str) -> None:
    with pytest.raises(PortTakenError), held_port(listen):
        pass


def test_a_host_that_is_not_here_is_refused() -> None:
    for listen in ("192.0.2.1:0", "no.such.host.invalid:0"):
        with pytest.raises(PortTakenError), held_port(listen):
            pass

"""Which servers a client speaks to."""

import pytest
from click.testing import CliRunner

from ginrummy.cli import main
from ginrummy.client import InvalidAddressError
from ginrummy.client.targets import channel_target


def test_one_address_is_left_to_grpc() -> None:
    for target in ("127.0.0.1:50051", "gin.example.org:443", "dns:///gin.example.org:443"):
        assert channel_target(target) == (target, ())


def test_several_addresses_are_asked_by_turns_while_they_are_well() -> None:
    name, options = channel_target("127.0.0.1:1, 127.0.0.2:2,127.0.0.3:3")
    assert name == "ipv4:127.0.0.1:1,127.0.0.2:2,127.0.0.3:3"
    ((option, config),) = options
    assert option == "grpc.service_config"
    assert "round_robin" in str(config)
    assert "healthCheckConfig" in str(config)
    assert channel_target("[::1]:1,[::1]:2")[0] == "ipv6:[::1]:1,[::1]:2"


@pytest.mark.parametrize(
    "target", ["127.0.0.1:1,", "127.0.0.1:1,nowhere", "127.0.0.1:1,[::1]:2", "127.0.0.1:x,a:1"]
)
def test_what_is_no_list_of_addresses_is_refused(target: str) -> None:
    with pytest.raises(InvalidAddressError):
        channel_target(target)


def test_a_command_says_what_is_wrong_with_its_addresses() -> None:
    said = CliRunner().invoke(main, ["watch", "m_x", "--server", "127.0.0.1:1,nowhere"])
    assert said.exit_code == 2
    assert "'nowhere' is no address: write HOST:PORT" in said.stderr

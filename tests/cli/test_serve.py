"""gin serve: what it refuses, and how it says so."""

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from ginrummy.cli import main


def refused(*arguments: str) -> str:
    """Run gin serve, expect it to be refused without a traceback, and return what it said."""
    result = CliRunner().invoke(main, ["serve", *arguments])
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    return result.stderr


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    junk = tmp_path / "junk.db"
    junk.write_bytes(b"this is no database" * 100)
    assert f"Error: {junk} cannot be opened" in refused("--db", str(junk))


def test_a_database_that_this_version_does_not_speak_to_is_refused() -> None:
    assert "name a SQLite file, or postgresql" in refused("--db", "mysql://localhost/gin")


def test_a_database_server_that_does_not_answer_is_refused_without_its_password() -> None:
    said = refused("--db", "postgresql://ann:opensesame@127.0.0.1:1/gin")
    assert "Error: postgresql://127.0.0.1:1/gin cannot be used" in said
    assert "opensesame" not in said


@pytest.mark.parametrize("db", ["postgresql:/gin", "postgres:gin", "PostgreSQL:gin"])
def test_half_an_address_is_no_file(db: str) -> None:
    scheme = db.partition(":")[0]
    assert f"{scheme}: is no database that this version knows" in refused("--db", db)


def test_an_address_with_an_unknown_parameter_is_refused_in_one_line() -> None:
    said = refused("--db", "postgresql://ann:opensesame@127.0.0.1/gin?nosuch=1")
    assert said == (
        'Error: the address postgresql://… cannot be used: invalid URI query parameter: "nosuch"\n'
    )


def test_a_directory_is_no_database(tmp_path: Path) -> None:
    assert f"{tmp_path} cannot be opened: it is a directory" in refused("--db", str(tmp_path))


@pytest.mark.parametrize("several", [(), ("--workers", "2")])
def test_an_address_without_a_port_is_told_what_one_looks_like(
    tmp_path: Path, several: tuple[str, ...]
) -> None:
    said = refused("--db", str(tmp_path / "gin.db"), "--listen", "127.0.0.1", *several)
    assert "name a host and a port up to 65535, such as 127.0.0.1:50051" in said


def test_nothing_is_said_beside_the_refusal_of_a_port(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What gRPC itself writes of a port that is taken is for nobody."""
    with socket.create_server(("127.0.0.1", 0)) as holder:
        listen = f"127.0.0.1:{holder.getsockname()[1]}"
        assert refused("--db", str(tmp_path / "gin.db"), "--listen", listen).count("\n") == 1
    assert capfd.readouterr().err == ""


def test_a_directory_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "No such file or directory" in refused("--db", str(tmp_path / "no" / "gin.db"))


@pytest.mark.parametrize("address", ["127.0.0.1:{port}", "127.0.0.1:99999", "nowhere"])
def test_an_address_that_cannot_be_had_is_refused(tmp_path: Path, address: str) -> None:
    """F4 a port that another program holds is not shared."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        listen = address.format(port=holder.getsockname()[1])
        said = refused("--db", str(tmp_path / "gin.db"), "--listen", listen)
    assert f"cannot listen on {listen}" in said


def test_metrics_at_a_port_that_is_taken_are_refused(tmp_path: Path) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = str(holder.getsockname()[1])
        said = refused("--db", str(tmp_path / "g.db"), "--listen", "127.0.0.1:0", "--metrics", port)
    assert f"cannot listen on 127.0.0.1:{port}" in said


@pytest.mark.parametrize("grace", ["inf", "nan"])
def test_a_grace_of_no_number_of_seconds_is_refused(tmp_path: Path, grace: str) -> None:
    said = refused("--db", str(tmp_path / "gin.db"), "--listen", "127.0.0.1:0", "--grace", grace)
    assert f"--grace: {grace} is no number of seconds" in said


# --- several workers ----------------------------------------------------------------------------


def test_memory_that_ends_with_its_process_cannot_be_shared() -> None:
    assert "a database that they can share" in refused("--db", ":memory:", "--workers", "2")


def test_more_workers_than_ports_for_their_metrics_are_refused(tmp_path: Path) -> None:
    several = ("--db", str(tmp_path / "gin.db"), "--workers", "3")
    assert "not so many ports" in refused(*several, "--metrics", "65534")


def test_a_port_that_is_taken_is_refused_before_a_worker_is_there(tmp_path: Path) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        listen = f"127.0.0.1:{holder.getsockname()[1]}"
        said = refused("--db", str(tmp_path / "gin.db"), "--listen", listen, "--workers", "2")
    assert f"cannot listen on {listen}" in said
    assert not (tmp_path / "gin.db").exists()

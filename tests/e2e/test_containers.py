"""What stands in examples/containers: it names what there is, and its steps do what they should.

Containers themselves are built and run nowhere here: the steps of the compose file are, on this
machine's PostgreSQL.
"""

import asyncio
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import psycopg
import pytest
import yaml
from support_cluster import OwnPostgres, node, own_postgres
from support_server import gin, signed_up

from ginrummy.cli import main

ROOT = Path(__file__).parents[2]
HERE = ROOT / "examples" / "containers"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
COMPOSE: dict[str, Any] = yaml.safe_load((HERE / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
SERVERS = sorted(name for name in SERVICES if name.startswith("server-"))
PASSWORDS = {"GIN_OWNER_PASSWORD": "the owner's", "GIN_SERVER_PASSWORD": "the 'server's'"}


def steps() -> list[tuple[str, str]]:
    """Return the instructions of the Containerfile, each with what it says."""
    text = (HERE / "Containerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def parsed(arguments: list[str]) -> click.Context:
    """Return how `gin` reads a command line. Raises click.UsageError where it cannot."""
    assert isinstance(main, click.Group)
    context = main.make_context("gin", arguments, resilient_parsing=False)
    with context:
        name, command, rest = main.resolve_command(
            context, [*context._protected_args, *context.args]
        )
        assert name is not None
        assert command is not None
        return command.make_context(name, rest, parent=context)


# --- the names ----------------------------------------------------------------------------------


def test_the_image_is_built_from_what_there_is() -> None:
    copied = [
        rest.split()[:-1] for word, rest in steps() if word == "COPY" and "--from" not in rest
    ]
    names = [name for each in copied for name in each]
    assert all((ROOT / name).exists() for name in names)
    # All source roots of the package, and the files that its metadata names.
    roots = {"protos", "server", "client", "replays", PROJECT["readme"], *PROJECT["license-files"]}
    assert roots < set(names)
    ignored = (HERE / "Containerfile.dockerignore").read_text().splitlines()
    assert {f"!{name}" for name in names} <= set(ignored)


def test_the_image_installs_parts_that_there_are_and_begins_with_a_command_that_there_is() -> None:
    text = (HERE / "Containerfile").read_text()
    (extras,) = re.findall(r"'\.\[([\w,]+)\]'", text)
    assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
    said = dict(steps())
    assert yaml.safe_load(said["ENTRYPOINT"]) == ["gin"]
    assert "gin" in PROJECT["scripts"]
    assert parsed(yaml.safe_load(said["CMD"])).params["listen"].endswith(f":{said['EXPOSE']}")


def test_nothing_runs_as_root_or_writes_where_it_need_not() -> None:
    assert int(dict(steps())["USER"].split(":")[0]) > 0
    for name, service in SERVICES.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert service["image"].startswith("ginrummy:") or service["user"] != "root", name


def test_the_services_run_commands_that_there_are() -> None:
    assert len(SERVERS) == 3
    for name in (*SERVERS, "prepare"):
        assert SERVICES[name]["image"] == f"ginrummy:{PROJECT['version']}"
        context = parsed([*SERVICES[name]["command"]])
        assert context.info_name == ("prepare" if name == "prepare" else "serve")
    assert SERVICES["prepare"]["build"]["dockerfile"] == str(
        (HERE / "Containerfile").relative_to(ROOT)
    )
    assert (HERE / SERVICES["prepare"]["build"]["context"]).resolve() == ROOT


def test_only_the_owner_prepares_and_no_server_logs_in_as_the_owner() -> None:
    assert "//gin_owner@" in SERVICES["prepare"]["command"][-1]
    for name in SERVERS:
        assert "postgresql://gin@database/gin" in SERVICES[name]["command"]
        assert "OWNER" not in str(SERVICES[name]["environment"])
        assert SERVICES[name]["depends_on"] == {
            "prepare": {"condition": "service_completed_successfully"}
        }
        grace = float(SERVICES[name]["command"][SERVICES[name]["command"].index("--grace") + 1])
        assert float(SERVICES[name]["stop_grace_period"].rstrip("s")) > grace


def test_the_balancer_knows_all_servers_and_asks_for_their_health() -> None:
    for mounted in (SERVICES["balancer"], SERVICES["database"]):
        for volume in mounted["volumes"]:
            source = volume.split(":")[0]
            assert source in COMPOSE["volumes"] or (HERE / source).exists()
    balancing = yaml.safe_load((HERE / "envoy.yaml").read_text())["static_resources"]
    (cluster,) = balancing["clusters"]
    (endpoints,) = cluster["load_assignment"]["endpoints"]
    places = [each["endpoint"]["address"]["socket_address"] for each in endpoints["lb_endpoints"]]
    assert sorted(place["address"] for place in places) == SERVERS
    assert {str(place["port_value"]) for place in places} == {dict(steps())["EXPOSE"]}
    assert [each["grpc_health_check"] for each in cluster["health_checks"]] == [{}]
    (listener,) = balancing["listeners"]
    port = listener["address"]["socket_address"]["port_value"]
    assert [each.rpartition(":")[2] for each in SERVICES["balancer"]["ports"]] == [str(port)]


# --- the steps ----------------------------------------------------------------------------------


@pytest.fixture
def postgres() -> Iterator[OwnPostgres]:
    with own_postgres() as server:
        yield server


async def test_the_roles_let_servers_serve_and_change_nothing(
    postgres: OwnPostgres, tmp_path: Path
) -> None:
    """As the compose file does: the roles, the tables by their owner, then a server."""
    roles = ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", str(HERE / "roles.sql")]
    await asyncio.to_thread(
        subprocess.run, [*roles, postgres.url], env=os.environ | PASSWORDS, check=True
    )

    def as_(role: str) -> str:
        return postgres.url.replace("//postgres@", f"//{role}@").replace("/postgres", "/gin")

    code, _, said = await gin("prepare", "--db", as_("gin"))
    assert code == 2, "the servers' login has made tables"
    assert "may not" in said or "grant it" in said
    for _ in range(2):
        code, out, said = await gin("prepare", "--db", as_("gin_owner"))
        assert (code, out.strip()) == (0, f"{shown(as_('gin_owner'))}: ready, 0 events"), said
    async with node(as_("gin"), tmp_path) as server:
        async with signed_up(server.address, "Ann") as ann:
            await ann.create_match()
        assert await health(server.address) == 0
        with psycopg.connect(as_("gin"), autocommit=True) as connection:
            for wish in ("DELETE FROM events", "UPDATE events SET line = ''", "CREATE TABLE t ()"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(wish)
        address = server.address
    assert await health(address) == 1


def shown(db: str) -> str:
    return re.sub(r"//.*@", "//", db)


async def health(address: str) -> int:
    """Run the image's health check, and return its exit code."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(HERE / "healthy.py"), address
    )
    return await process.wait()

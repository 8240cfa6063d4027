"""A PostgreSQL database for a test: a schema of its own in the one that is there, dropped after.

`GINRUMMY_TEST_POSTGRES` names the database, as its superuser. Where there is none the tests that
need one are skipped; in CI they fail.
"""

import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from secrets import token_hex
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from psycopg import sql
from support_store import Fault

from ginrummy.store.postgres import PostgresStore
from ginrummy.store.postgres_connections import Connection

__all__ = [
    "FaultyPostgresStore",
    "connected",
    "free_port",
    "postgres_schema",
    "server_url",
    "with_schema",
]


def server_url() -> str:
    """Return the address of the database server that tests may use."""
    return os.environ.get("GINRUMMY_TEST_POSTGRES", "postgresql://root@127.0.0.1:5432/postgres")


@cache
def _why_there_is_none() -> str:
    try:
        psycopg.connect(server_url(), connect_timeout=5).close()
    except psycopg.OperationalError as error:
        return f"no PostgreSQL at GINRUMMY_TEST_POSTGRES ({server_url()}): {error}"
    return ""


@contextmanager
def postgres_schema() -> Iterator[str]:
    """Give the address of an empty schema, and drop it with all that is in it."""
    missing = _why_there_is_none()
    if missing and not os.environ.get("CI"):
        pytest.skip(missing)
    assert not missing, missing
    name = f"test_{token_hex(8)}"
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(name)))
    try:
        yield with_schema(server_url(), name)
    finally:
        with psycopg.connect(server_url(), autocommit=True) as connection:
            # What a failed test has left behind must not keep the next one waiting.
            connection.execute("SET client_min_messages = error")
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_class ON oid = relation"
                " WHERE relnamespace = %s::regnamespace AND pid <> pg_backend_pid()",
                [name],
            )
            connection.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(name)))


def with_schema(url: str, schema: str) -> str:
    """Return the address with a schema in it."""
    return f"{url}{'&' if '?' in url else '?'}options={quote(f'-c search_path={schema}')}"


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    """Connect as any other program would, with all rights and without our settings."""
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


class FaultyPostgresStore(PostgresStore):
    """A store whose next commits can be made to fail."""

    fault: Fault = None

    def _commit(self, connection: Connection, values: Sequence[object]) -> list[tuple[Any, ...]]:
        if self.fault == "before":
            raise psycopg.InternalError("invalid page")
        conflicts = super()._commit(connection, values)
        if self.fault == "after":
            raise psycopg.InternalError("invalid page")
        return conflicts


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        return int(holder.getsockname()[1])

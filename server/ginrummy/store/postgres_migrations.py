"""How a PostgreSQL database becomes ours, and stays up to date: migrations that record themselves.

Whoever owns the schema applies them, in one transaction with the record. A server needs no such
right: `SERVER_ROLE` has what it needs, and a connection of the owner's takes that role on for all
else, so that no fault of the program's can change what is stored.
"""

from typing import Any, LiteralString

import psycopg
from psycopg import Connection, sql

from ginrummy.store.errors import UnusableDatabaseError
from ginrummy.store.postgres_schema import CACHE, LOG, READABLE, ROWS, TREE, WRITABLE

__all__ = ["SERVER_ROLE", "prepare", "role_to_take"]

SERVER_ROLE = "ginrummy_server"
"""The role that may add to the log, read it, and keep the lists; grant it to a server's login."""

_MIGRATIONS: dict[str, tuple[LiteralString, ...]] = {
    "0001_log_tree_lists": (LOG, TREE, ROWS),
    "0002_snapshots": (CACHE,),
}
"""What each migration runs, in their order. One that was released never changes."""

_OURS = frozenset(WRITABLE)


def prepare(connection: Connection[Any], shown: str, *, create: bool) -> None:
    """Bring the database up to date, or find that it is; `shown` is what to call it.

    Raises UnusableDatabaseError, in words for the operator, where there is no log and `create` is
    false, where it is another program's or a later version's, and where this role may not do what
    is to be done.
    """
    with connection.transaction():
        schema = _schema(connection, shown)
        missing = _missing(connection, shown)
        if not missing:
            return
        if len(missing) == len(_MIGRATIONS) and not create:
            raise UnusableDatabaseError(f"{shown} has no log in it: gin prepare makes one")
        try:
            # Of two processes that open a new database, the second finds all done.
            connection.execute(
                "SELECT pg_advisory_xact_lock(1198091858, %s::regnamespace::oid::int)", [schema]
            )
            _apply(connection, _missing(connection, shown), schema)
        except psycopg.errors.InsufficientPrivilege as error:
            raise UnusableDatabaseError(
                f"{shown}: {missing[0]} is to be applied, and this role may not: run gin prepare"
                " on the database as its owner once"
            ) from error


def role_to_take(connection: Connection[Any]) -> str | None:
    """Return the role that a connection is to take on; None where it has no more rights anyway.

    A superuser and the tables' owner have more. Where the server may not make roles, and nobody
    has made this one, there is none to take.
    """
    found = connection.execute(
        "SELECT 1 FROM pg_roles WHERE rolname = %s"
        " AND has_table_privilege('events', 'UPDATE') AND pg_has_role(oid, 'MEMBER')",
        [SERVER_ROLE],
    ).fetchone()
    return None if found is None else SERVER_ROLE


def _schema(connection: Connection[Any], shown: str) -> str:
    row = connection.execute(
        "SELECT current_schema(), pg_encoding_to_char(encoding)"
        " FROM pg_database WHERE datname = current_database()"
    ).fetchone()
    assert row is not None
    schema, encoding = row
    if schema is None:
        raise UnusableDatabaseError(
            f"{shown}: its schema is not there, or this role may not use it; grant it {SERVER_ROLE}"
        )
    if encoding != "UTF8":
        raise UnusableDatabaseError(f"{shown} is encoded as {encoding}; it has to be UTF8")
    return str(schema)


def _missing(connection: Connection[Any], shown: str) -> list[str]:
    """Return the migrations that are to be applied."""
    tables = {
        name
        for (name,) in connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
            " AND relkind IN ('r', 'p', 'v', 'm')"
        )
    }
    if "migrations" not in tables:
        if tables & _OURS:
            raise UnusableDatabaseError(
                f"{shown} has tables of another program: {', '.join(sorted(tables & _OURS))};"
                " give ours a database or a schema of its own"
            )
        return list(_MIGRATIONS)
    try:
        with connection.transaction():
            applied = [name for (name,) in connection.execute("SELECT name FROM migrations")]
    except psycopg.errors.InsufficientPrivilege as error:
        raise UnusableDatabaseError(
            f"{shown}: this role may not read it; grant it {SERVER_ROLE}"
        ) from error
    except psycopg.errors.UndefinedColumn as error:
        raise UnusableDatabaseError(f"{shown} is a database of another program") from error
    unknown = sorted(set(applied) - _MIGRATIONS.keys())
    if unknown:
        raise UnusableDatabaseError(
            f"{shown} was made by a later version of ginrummy ({', '.join(unknown)}):"
            " use that version"
        )
    return [name for name in _MIGRATIONS if name not in applied]


def _apply(connection: Connection[Any], missing: list[str], schema: str) -> None:
    if not missing:
        return
    connection.execute(
        "CREATE TABLE IF NOT EXISTS migrations ("
        "name text PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())"
    )
    for name in missing:
        for script in _MIGRATIONS[name]:
            # Named in full where a function refers to a table: it may be called from anywhere.
            connection.execute(sql.SQL(script).format(schema=sql.Identifier(schema)))
        connection.execute("INSERT INTO migrations (name) VALUES (%s)", [name])
    if _role_is_there(connection):
        _grant(connection, schema)


def _role_is_there(connection: Connection[Any]) -> bool:
    """Make the server's role where there is none, and say whether there is one now."""
    if _role_exists(connection):
        return True
    role = sql.Identifier(SERVER_ROLE)
    try:
        with connection.transaction():
            connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(role))
            # Whoever makes a role may give it away, but is not yet one who may take it on.
            connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(role))
    except (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
        return True  # another database's owner was first
    except psycopg.errors.InsufficientPrivilege:
        return _role_exists(connection)
    return True


def _role_exists(connection: Connection[Any]) -> bool:
    query = "SELECT 1 FROM pg_roles WHERE rolname = %s"
    return connection.execute(query, [SERVER_ROLE]).fetchone() is not None


def _grant(connection: Connection[Any], schema: str) -> None:
    role = sql.Identifier(SERVER_ROLE)
    connection.execute(
        sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(sql.Identifier(schema), role)
    )
    rights = dict.fromkeys(READABLE, "SELECT") | WRITABLE
    for table, may in rights.items():
        connection.execute(
            sql.SQL("GRANT {} ON {} TO {}").format(
                sql.SQL(may),
                sql.Identifier(table),
                role,
            )
        )

"""Which store a `--db` means."""

from ginrummy.store.errors import UnusableDatabaseError
from ginrummy.store.memory import MemoryStore
from ginrummy.store.protocol import Store
from ginrummy.store.sqlite import SqliteStore

__all__ = ["MEMORY", "is_postgres", "open_store", "shown_db"]

MEMORY = ":memory:"
"""The store that ends with its process."""


def open_store(db: str, *, create: bool = True) -> Store:
    """Return the store that `db` names: a SQLite file, `postgresql://…`, or `:memory:`.

    Raises UnusableDatabaseError for a database that cannot be used, or is not there where `create`
    is false.
    """
    if db == MEMORY:
        return MemoryStore()
    if is_postgres(db):
        return _postgres(db, create=create)
    scheme, colon, rest = db.partition(":")
    # Half an address of PostgreSQL's would name a file that nobody means.
    if rest.startswith("//") or (colon and is_postgres(f"{scheme.lower()}://")):
        given = f"{scheme}://" if rest.startswith("//") else f"{scheme}:"
        raise UnusableDatabaseError(
            f"{given} is no database that this version knows: name a SQLite file, or postgresql://…"
        )
    return SqliteStore(db, create=create)


def is_postgres(db: str) -> bool:
    """Say whether `db` names a PostgreSQL database."""
    return db.startswith(("postgresql://", "postgres://"))


def shown_db(db: str) -> str:
    """Return what a database is called in messages and in the journal: without a password."""
    if not is_postgres(db):
        return db
    from ginrummy.store.postgres_connections import shown_name  # noqa: PLC0415 -- an extra's

    return shown_name(db)


def _postgres(db: str, *, create: bool) -> Store:
    try:
        from ginrummy.store.postgres import PostgresStore  # noqa: PLC0415 -- an extra's
    except ImportError as error:
        # psycopg without its C library says so by an ImportError, too.
        if (error.name or "psycopg").partition(".")[0] not in ("psycopg", "psycopg_pool"):
            raise
        raise UnusableDatabaseError(
            "a PostgreSQL database needs the postgres extra: pip install 'ginrummy[postgres]'"
        ) from error
    return PostgresStore(db, create=create)

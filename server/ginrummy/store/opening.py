"""Which store a `--db` means."""

from ginrummy.store.errors import UnusableDatabaseError
from ginrummy.store.memory import MemoryStore
from ginrummy.store.protocol import Store
from ginrummy.store.sqlite import SqliteStore

__all__ = ["MEMORY", "open_store"]

MEMORY = ":memory:"
"""The store that ends with its process."""


def open_store(db: str, *, create: bool = True) -> Store:
    """Return the store that `db` names: a SQLite file, or `:memory:`.

    Raises UnusableDatabaseError for a file that cannot be used, or is not there where `create` is
    false.
    """
    if db == MEMORY:
        return MemoryStore()
    if "://" in db:
        raise UnusableDatabaseError(f"{db}: this version keeps its log in a SQLite file; name one")
    return SqliteStore(db, create=create)

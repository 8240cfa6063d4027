"""The stores that the contract is run on."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from support_postgres import FaultyPostgresStore, postgres_schema
from support_store import FaultyMemoryStore, FaultySqliteStore, FaultyStore

OpenStore = Callable[[Path], AbstractContextManager[FaultyStore]]


@contextmanager
def on_postgres(_: Path) -> Iterator[FaultyStore]:
    with postgres_schema() as url, closing(FaultyPostgresStore(url)) as store:
        yield store


STORES: dict[str, OpenStore] = {
    "memory": lambda path: closing(FaultyMemoryStore()),
    "sqlite": lambda path: closing(FaultySqliteStore(path / "gin.db")),
    "postgres": on_postgres,
}


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FaultyStore]:
    with STORES[request.param](tmp_path) as opened:
        yield opened


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[FaultySqliteStore]:
    with ExitStack() as stack:
        yield stack.enter_context(closing(FaultySqliteStore(tmp_path / "gin.db")))


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """An empty database."""
    with postgres_schema() as url:
        yield url


@pytest.fixture
def postgres_store(postgres_url: str) -> Iterator[FaultyPostgresStore]:
    with closing(FaultyPostgresStore(postgres_url)) as store:
        yield store


@pytest.fixture(params=["sqlite", "postgres"])
def shared_db(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database that several processes may share."""
    if request.param == "sqlite":
        return str(tmp_path / "gin.db")
    url = request.getfixturevalue("postgres_url")
    assert isinstance(url, str)
    return url

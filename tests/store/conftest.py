"""The stores that the contract is run on."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from support_store import FaultyMemoryStore, FaultySqliteStore, FaultyStore

OpenStore = Callable[[Path], FaultyStore]

STORES: dict[str, OpenStore] = {
    "memory": lambda path: FaultyMemoryStore(),
    "sqlite": lambda path: FaultySqliteStore(path / "gin.db"),
}


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FaultyStore]:
    with closing(STORES[request.param](tmp_path)) as opened:
        yield opened


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[FaultySqliteStore]:
    with ExitStack() as stack:
        yield stack.enter_context(closing(FaultySqliteStore(tmp_path / "gin.db")))

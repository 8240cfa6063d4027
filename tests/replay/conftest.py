"""One browser for all tests of pages, and the pages in it."""

from collections.abc import Iterator

import pytest
from support_chromium import Browser, browser_or_skip
from support_replay_page import PAGES, Shown


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with browser_or_skip() as started:
        yield started


@pytest.fixture(scope="session")
def shown(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """The browser, with every page of `PAGES` to be opened by its name."""
    directory = tmp_path_factory.mktemp("pages")
    for name, make in PAGES.items():
        (directory / f"{name}.html").write_bytes(make())
    return Shown(browser, directory)


@pytest.fixture
def forgetful(shown: Shown) -> Iterator[Shown]:
    """The browser, which has kept nothing before and keeps nothing after."""
    shown.open("abandoned")
    shown.ask("localStorage.clear()")
    yield shown
    shown.ask("localStorage.clear()")

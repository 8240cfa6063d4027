"""What only a browser can tell: the pages fit a phone, and the sheets fit one sheet of paper."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support_chromium import FAINT, Browser, browser_or_skip
from support_reports import EVENTS, elsewhere, reported

_PHONE = 390

_WIDTHS = "[document.documentElement.scrollWidth, window.innerWidth]"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browser_or_skip() as started:
        yield started


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("reports")
    for name, make in EVENTS.items():
        reported(make(), directory / name)
    return directory


@pytest.mark.parametrize("name", EVENTS)
def test_every_page_fits_a_phone(name: str, browser: Browser, directory: Path) -> None:
    pages = sorted((directory / name).glob("*.html"))
    assert pages
    for page in pages:
        browser.show(page, _PHONE)
        assert browser.evaluate(_WIDTHS) == [_PHONE, _PHONE], page.name


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b(?!s)", pdf))


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("three_bots", "standings.html"),
        ("club", "standings.html"),
        ("elsewhere", "standings.html"),
        ("bracket", "standings.html"),
        ("club", "round-3.html"),
        ("elsewhere", "round-3.html"),
        ("elsewhere", "round-1.html"),
    ],
)
def test_a_sheet_is_one_page(name: str, page: str, browser: Browser, directory: Path) -> None:
    browser.show(directory / name / page)
    assert pages_of(browser.printed()) == 1


@pytest.mark.parametrize("number", [12, 24, 48, 60])
def test_standings_and_pairings_are_one_page_each_in_any_usual_field(
    number: int, browser: Browser, tmp_path: Path
) -> None:
    report = reported(elsewhere(number), tmp_path / "report")
    for page in ("standings.html", "round-2.html", "round-3.html"):
        browser.show(report / page)
        assert pages_of(browser.printed()) == 1, page


def test_the_whole_is_more_than_a_page(browser: Browser, directory: Path) -> None:
    """So that the count above is known to count."""
    browser.show(directory / "three_bots" / "index.html")
    assert pages_of(browser.printed()) > 1


_GROUND = "getComputedStyle(document.body).backgroundColor"


def test_dark_is_dark_and_paper_is_white(browser: Browser, directory: Path) -> None:
    page = directory / "three_bots" / "index.html"
    browser.show(page)
    light = browser.evaluate(_GROUND)
    browser.show(page, dark=True)
    assert browser.evaluate(_GROUND) != light
    browser.show(page, dark=True, printing=True)
    assert browser.evaluate(_GROUND) == "rgb(255, 255, 255)"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "page", ["index.html", "crosstable.html", "rounds.html", "boards-1-1.html"]
)
def test_all_text_stands_out_from_its_ground(
    page: str, scheme: str, browser: Browser, directory: Path
) -> None:
    """The contrast that WCAG asks of text, 4.5 to 1."""
    browser.show(directory / "three_bots" / page, dark=scheme == "dark")
    assert browser.evaluate(FAINT) == []

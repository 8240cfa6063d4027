"""The audit's page in a real browser: it fits a phone and a sheet, and asks nobody."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support_chromium import FAINT, Browser, browser_or_skip
from support_evidence import as_page, full_report
from support_golden import golden_log
from support_logs import Table, edited, events_of, forged

CLASSIC = golden_log("classic")


def _faulty() -> str:
    log = forged(CLASSIC, events_of(CLASSIC, "hand_scored")[1], data_points=77)
    return as_page(full_report(edited(log, 20, by="p_zzzzzzzzzzzzzzzzzzzzzzzzzz")))


def _long_names() -> str:
    table = Table(1, name="W" * 60)
    table.names = ("M" * 60, "i" * 60)
    return as_page(full_report(table.seated().play().log))


PAGES: dict[str, Callable[[], str]] = {
    "classic": lambda: as_page(full_report(CLASSIC)),
    "clock": lambda: as_page(full_report(golden_log("clock"))),
    "hand": lambda: as_page(full_report(CLASSIC, hand=2)),
    "seat": lambda: as_page(full_report(CLASSIC, 1)),
    "unrevealed": lambda: as_page(full_report(golden_log("unrevealed"))),
    "faulty": _faulty,
    "long_names": _long_names,
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browser_or_skip() as started:
        yield started


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    directory = tmp_path_factory.mktemp("audits")
    files = {name: directory / f"{name}.html" for name in PAGES}
    for name, file in files.items():
        file.write_text(PAGES[name](), encoding="utf-8")
    return files


def style(browser: Browser, selector: str, name: str) -> Any:  # noqa: ANN401 -- whatever it is
    return browser.evaluate(f"getComputedStyle(document.querySelector('{selector}')).{name}")


@pytest.mark.parametrize("width", [390, 768, 1280])
@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_as_wide_as_its_window(
    name: str, width: int, browser: Browser, pages: dict[str, Path]
) -> None:
    browser.show(pages[name], width)
    assert browser.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["clock", "faulty", "unrevealed"])
def test_all_text_stands_out_from_its_ground(
    name: str, scheme: str, browser: Browser, pages: dict[str, Path]
) -> None:
    """The contrast that WCAG asks of text, 4.5 to 1."""
    browser.show(pages[name], dark=scheme == "dark")
    assert browser.evaluate(FAINT) == []


def test_the_page_is_styled_and_asks_nobody(browser: Browser, pages: dict[str, Path]) -> None:
    """Its own policy allows it one style sheet, by its hash, and no connection."""
    browser.want("Network", "Log")
    browser.show(pages["clock"])
    assert style(browser, "body", "marginTop") == "0px"
    asked = {
        event["params"]["request"]["url"]
        for event in browser.events
        if event.get("method") == "Network.requestWillBeSent"
    }
    assert asked <= {pages["clock"].absolute().as_uri(), "about:blank"}
    complaints = [event for event in browser.events if event.get("method") == "Log.entryAdded"]
    assert complaints == []


def test_dark_is_dark_and_paper_is_white(browser: Browser, pages: dict[str, Path]) -> None:
    grounds = []
    for dark, printing in ((False, False), (True, False), (True, True)):
        browser.show(pages["classic"], dark=dark, printing=printing)
        grounds.append(style(browser, "body", "backgroundColor"))
    assert grounds[0] != grounds[1]
    assert grounds[2] == "rgb(255, 255, 255)"


def test_a_link_leads_to_its_hand(browser: Browser, pages: dict[str, Path]) -> None:
    browser.show(pages["classic"])
    browser.evaluate("document.querySelector('a[href=\"#hand-2\"]').click()")
    assert browser.evaluate("location.hash") == "#hand-2"
    top = browser.evaluate("document.getElementById('hand-2').getBoundingClientRect().top")
    assert 0 <= top < 100


def test_on_a_phone_a_decision_is_a_block_and_names_its_parts(
    browser: Browser, pages: dict[str, Path]
) -> None:
    browser.show(pages["clock"], 390)
    assert style(browser, ".decisions tbody tr", "display") == "grid"
    before = "getComputedStyle(document.querySelector('.decisions td.held'), '::before').content"
    assert browser.evaluate(before) == '"Held"'
    browser.show(pages["clock"], 1280)
    assert style(browser, ".decisions tbody tr", "display") == "table-row"


def test_on_paper_each_hand_begins_a_page_with_every_decision(
    browser: Browser, pages: dict[str, Path]
) -> None:
    browser.show(pages["classic"], 794, printing=True)
    assert style(browser, ".decisions tbody tr", "display") == "table-row"
    assert style(browser, ".hand", "breakBefore") == "page"
    # Nothing of the reasons is hidden away.
    assert style(browser, ".checks .how", "display") == "block"
    assert len(re.findall(rb"/Type /Page\b(?!s)", browser.printed())) >= 5

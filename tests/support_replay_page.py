"""Replay pages of golden and of spoiled logs, and one of them open in a real browser."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from support_chromium import Browser
from support_forks import forked_match
from support_golden import golden_log
from support_logs import Log, Table, edited, events_of, forged, played

from ginrummy.replay.html import write_page
from ginrummy.replay.notes import Note
from ginrummy.replay.stepping import Replay
from ginrummy.rules.view import Perspective

__all__ = ["CLASSIC", "DEALS", "EVIL", "KNOCKS", "LAST", "PAGES", "Shown", "page_of"]

CLASSIC = golden_log("classic")
KNOCKS = [index + 1 for index in events_of(CLASSIC, "knocked")]
DEALS = [index + 1 for index in events_of(CLASSIC, "hand_dealt")]
LAST = len(CLASSIC)

EVIL = "</script><img src=x onerror=\"document.title='taken'\">"


def page_of(lines: Log, only: Perspective | None = None, *notes: Note) -> bytes:
    return write_page(lines, Replay(lines), only, notes)


def _evil() -> Log:
    table = Table(1, name=EVIL)
    table.names = ("<b>A</b>", "</script>")
    return table.seated().play().log


def _damaged() -> Log:
    """A log with a score that does not follow, and one line changed without its hash."""
    scored = events_of(CLASSIC, "hand_scored")[1]
    log = forged(CLASSIC, scored, data_points=77)
    return edited(log, 20, by="p_zzzzzzzzzzzzzzzzzzzzzzzzzz")


def _missigned() -> Log:
    """A log in which another discard stands than its player signed, with the links made good."""
    log = golden_log("signed")
    index = events_of(log, "discarded")[-1]
    return forged(log, index, data_card="KC")


PAGES: dict[str, Callable[[], bytes]] = {
    "classic": lambda: page_of(CLASSIC),
    "noted": lambda: page_of(CLASSIC, None, Note(30, "Why not the 8?\nIt was safe.")),
    "alice": lambda: page_of(CLASSIC, 0),
    "sealed": lambda: page_of(golden_log("unrevealed")),
    "oklahoma": lambda: page_of(golden_log("oklahoma")),
    "straight": lambda: page_of(golden_log("straight")),
    "clock": lambda: page_of(golden_log("clock")),
    "abandoned": lambda: page_of(golden_log("abandoned")),
    "damaged": lambda: page_of(_damaged()),
    # The log is as it was, and the picture shows another stock.
    "repainted": lambda: page_of(CLASSIC).replace(b'"order":"JC8C', b'"order":"8CJC', 1),
    "cut": lambda: page_of([*CLASSIC[:40], *CLASSIC[41:]]),
    "evil": lambda: page_of(_evil(), None, Note(30, EVIL)),
    "signed": lambda: page_of(golden_log("signed")),
    "missigned": lambda: page_of(_missigned()),
    "fork": lambda: page_of(forked_match(CLASSIC, 60).log),
    "long": lambda: page_of(played(5, target=300).log),
}


class Shown(NamedTuple):
    """A page that is open in the browser."""

    browser: Browser
    directory: Path

    def open(self, name: str, fragment: str = "", width: int = 1280, **how: bool) -> None:
        self.browser.show(self.directory / f"{name}.html", width, fragment=fragment, **how)

    def ask(self, script: str) -> Any:  # noqa: ANN401 -- whatever the page gives
        return self.browser.evaluate(script)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.browser.press(key)

    def click(self, selector: str) -> None:
        self.ask(f"document.querySelector({json.dumps(selector)}).click()")

    def text(self, selector: str) -> str:
        return str(self.ask(f"document.querySelector({json.dumps(selector)}).textContent"))

    @property
    def seq(self) -> int:
        return int(self.ask("document.getElementById('scrub').value"))

    @property
    def view(self) -> str:
        return str(self.ask("document.querySelector('#views [aria-pressed=true]').dataset.view"))

    def until(self, script: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + 60
        while not self.ask(script):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.05)

    def verdict(self) -> str:
        self.until("!document.getElementById('verdict').textContent.startsWith('Checking')")
        return self.text("#verdict")

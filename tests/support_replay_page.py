"""A replay's page, open in a real browser."""

import json
import time
from pathlib import Path
from typing import Any, NamedTuple

from support_chromium import Browser

__all__ = ["Shown"]


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

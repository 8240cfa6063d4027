"""A real browser, for what only one can tell: whether a page fits a phone, and a sheet of paper.

It is driven over a pipe in its own protocol (Chrome DevTools): JSON messages with a zero byte after
each. That takes a page of code, where a driver's package brings a second browser with it.
"""

import base64
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

__all__ = ["Browser", "browser_or_skip"]

_PAINTED = """new Promise(done => {
  const painted = () => requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
  const look = () => document.readyState === 'complete' ? painted() : setTimeout(look, 10);
  look();
})"""
"""A script that waits until the page is loaded and drawn."""

_NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def browser_or_skip() -> Iterator["Browser"]:
    """Start a browser; where there is none the test fails in CI, and is skipped elsewhere."""
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium is installed, and CI is to look at the pages")
        pytest.skip("no Chromium is installed")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        try:
            browser.begin()
            yield browser
        finally:
            browser.close()


class Browser:
    """One page of a headless browser."""

    def __init__(self, program: str, profile: str) -> None:
        """Start the browser, with its profile in that directory."""
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        # The browser reads at descriptor 3 and writes at 4, whichever they are here. A plain sh
        # knows no descriptor above 9.
        shell = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
        flags = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                 "--disable-dev-shm-usage", "--remote-debugging-pipe",
                 f"--user-data-dir={profile}")  # fmt: skip
        self._process = subprocess.Popen(
            ["bash", "-c", shell, "bash", program, *flags],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._reader = os.fdopen(self._in, "rb")
        self._rest = b""
        self._number = 0
        self._session = ""

    def begin(self) -> None:
        """Open the page."""
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self._ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        self._ask("Page.enable")

    def close(self) -> None:
        """Let the browser go."""
        os.close(self._out)
        self._process.kill()
        self._process.wait()
        self._reader.close()

    # --- what it does ---------------------------------------------------------------------------

    def show(
        self, page: Path, width: int = 1280, *, dark: bool = False, printing: bool = False
    ) -> None:
        """Load a file in a window of that width, and wait until it is there."""
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=844,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        media = "print" if printing else ""
        self._ask("Emulation.setEmulatedMedia", media=media, features=[scheme])
        answer = self._ask("Page.navigate", url=page.absolute().as_uri())
        assert "errorText" not in answer, f"{page}: {answer}"
        self.evaluate(_PAINTED)

    def evaluate(self, script: str) -> Any:  # noqa: ANN401 -- whatever the page gives
        """Return what an expression is worth on the page; a promise is waited for."""
        answer = self._ask(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def printed(self) -> bytes:
        """Return the page as a PDF, as it would be printed."""
        answer = self._ask("Page.printToPDF", preferCSSPageSize=True)
        return base64.b64decode(answer["data"])

    def picture(self) -> bytes:
        """Return the whole page as a PNG."""
        answer = self._ask("Page.captureScreenshot", captureBeyondViewport=True)
        return base64.b64decode(answer["data"])

    # --- the pipe -------------------------------------------------------------------------------

    def _ask(self, method: str, **params: object) -> dict[str, Any]:
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (heard := self._hear()).get("id") != self._number:
            pass
        assert "error" not in heard, heard
        result: dict[str, Any] = heard["result"]
        return result

    def _hear(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            piece = self._reader.read1(1 << 20)
            assert piece, "the browser has gone"
            self._rest += piece
        raw, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(raw)
        return message

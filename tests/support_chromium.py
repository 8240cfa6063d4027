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

__all__ = ["CONTRAST", "FAINT", "Browser", "browser_or_skip"]

_PAINTED = """new Promise(done => {
  const painted = () => requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
  const look = () => document.readyState === 'complete' ? painted() : setTimeout(look, 10);
  look();
})"""
"""A script that waits until the page is loaded and drawn."""

CONTRAST = r"""
(one, other) => {
  const light = colour => {
    const parts = colour.match(/[\d.]+/g).map(Number);
    const [r, g, b] = parts.slice(0, 3).map(part => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}
"""
"""A script's function: how two computed colours contrast, as WCAG counts it."""

FAINT = r"""
(() => {
  const contrast = CONTRAST;
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/, 0\)|transparent/.test(colour)) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const found = [];
  for (const element of document.querySelectorAll('main *, header *, footer *')) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!own || element.closest('svg') || element.closest('.unseen')) continue;
    const stands = contrast(getComputedStyle(element).color, ground(element));
    if (stands < 4.5) found.push(`${element.tagName}.${element.className}: ${stands}`);
  }
  return found;
})()
""".replace("CONTRAST", CONTRAST)
"""A script that finds text of less contrast than WCAG asks for, 4.5 to 1."""

_KEYS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35}
_KEYS |= {"Tab": 9, "Enter": 13}
"""The codes of keys that write nothing."""

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
        self.events: list[dict[str, Any]] = []
        """What the browser has told unasked, as far as it was wanted."""

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

    def want(self, *domains: str) -> None:
        """Let the browser tell what happens in these domains of its protocol from now on."""
        self.events.clear()
        for domain in domains:
            self._ask(f"{domain}.enable")

    def press(self, key: str) -> None:
        """Press a key by its name, such as `ArrowLeft` or `n`."""
        text = {"text": key} if len(key) == 1 else {}
        pressed = {"key": key, "windowsVirtualKeyCode": _KEYS.get(key, ord(key[0].upper()))}
        self._ask("Input.dispatchKeyEvent", type="keyDown", **pressed, **text)
        self._ask("Input.dispatchKeyEvent", type="keyUp", **pressed)

    def click(self, left: float, top: float) -> None:
        """Click at a place in the window, in pixels."""
        at = {"x": left, "y": top, "button": "left", "clickCount": 1}
        self._ask("Input.dispatchMouseEvent", type="mousePressed", **at)
        self._ask("Input.dispatchMouseEvent", type="mouseReleased", **at)

    def show(
        self,
        page: Path,
        width: int = 1280,
        *,
        height: int = 844,
        fragment: str = "",
        dark: bool = False,
        still: bool = False,
        printing: bool = False,
    ) -> None:
        """Load a file in a window of that size, and wait until it is there.

        `still` is for people who want no motion.
        """
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        media = "print" if printing else ""
        motion = {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}
        self._ask("Emulation.setEmulatedMedia", media=media, features=[scheme, motion])
        # From one fragment of a page to another it would not be loaded anew.
        self._ask("Page.navigate", url="about:blank")
        address = page.absolute().as_uri() + (f"#{fragment}" if fragment else "")
        answer = self._ask("Page.navigate", url=address)
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

    def picture(self, *, whole: bool = True) -> bytes:
        """Return the page as a PNG, the whole or what the window shows of it."""
        answer = self._ask("Page.captureScreenshot", captureBeyondViewport=whole)
        return base64.b64decode(answer["data"])

    # --- the pipe -------------------------------------------------------------------------------

    def _ask(self, method: str, **params: object) -> dict[str, Any]:
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (heard := self._hear()).get("id") != self._number:
            self.events.append(heard)
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

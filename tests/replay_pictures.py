"""Take pictures of a replay's page in every state, for whoever reviews how it looks.

    .venv/bin/python tests/replay_pictures.py DIRECTORY

Every state is shown at 1280, 768 and 390 pixels, in light and in dark: as it is first seen, and the
whole page in a window that is high enough for it. What would be printed is written as a PDF. It
takes a Chromium, and some minutes.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from support_chromium import Browser, browser_or_skip
from support_golden import golden_log
from support_replay_page import CLASSIC, KNOCKS, LAST, PAGES, page_of

from ginrummy.cli.judged import analysis_of
from ginrummy.replay.html import write_page
from ginrummy.replay.stepping import Replay

WIDTHS = (1280, 768, 390)
FIRST_SIGHT, WHOLE = 844, 3000
"""How high the window is."""

STATES = {
    "opened": ("classic", "seq=1"),
    "dealt": ("classic", "seq=6"),
    "one-seat": ("classic", "seq=30&view=0"),
    "everybody": ("classic", "seq=48&view=public"),
    "knocked": ("classic", f"seq={KNOCKS[0]}"),
    "laid-off": ("classic", f"seq={KNOCKS[0] + 2}"),
    "ended": ("classic", f"seq={LAST}"),
    "big-gin": ("oklahoma", "seq=9999"),
    "clock": ("clock", "seq=9999"),
    "void": ("void", "seq=9999"),
    "not-revealed": ("sealed", "seq=40"),
    "file-for-one-seat": ("alice", "seq=60"),
    "damaged": ("damaged", "seq=52"),
    "line-missing": ("cut", "seq=40"),
    "noted": ("noted", "seq=30"),
    "hostile-names": ("evil", "seq=30"),
    "practice": ("fork", "seq=12"),
    "disputed": ("disputed", "seq=9999"),
    "signed": ("signed", "seq=30"),
    "analysed": ("analysed", "seq=55"),
    "analysed-knock": ("analysed", f"seq={KNOCKS[0]}"),
    "analysed-one-seat": ("analysed", "seq=55&view=1"),
}
"""What to show: a page, and where in it."""

_CHECKED = """new Promise(done => {
  const look = () => verdict.textContent.startsWith('Checking') ? setTimeout(look, 20) : done(true);
  document.getElementById('decisions')?.setAttribute('open', '');
  look();
})"""


def pages() -> Iterator[tuple[str, bytes]]:
    """Yield every page with its name."""
    for name, make in PAGES.items():
        yield name, make()
    for name, log in (("void", "board_void"), ("disputed", "disputed"), ("signed", "signed")):
        yield name, page_of(golden_log(log))
    analysis = analysis_of("classic", CLASSIC, None, (0, 1), 60)
    yield "analysed", write_page(CLASSIC, Replay(CLASSIC), None, (), analysis)


def take(browser: Browser, directory: Path) -> Iterator[str]:
    """Take every picture, and yield the names of the files."""
    for name, (page, fragment) in STATES.items():
        for width in WIDTHS:
            for dark in (False, True):
                for height in (FIRST_SIGHT, WHOLE):
                    file = directory / f"{page}.html"
                    browser.show(file, width, height=height, fragment=fragment, dark=dark)
                    browser.evaluate(_CHECKED)
                    kinds = ("dark" if dark else "light", *["whole"] * (height == WHOLE))
                    picture = "-".join((name, str(width), *kinds)) + ".png"
                    (directory / picture).write_bytes(browser.picture(whole=height == WHOLE))
                    yield picture
    for page in ("classic", "analysed"):
        browser.show(directory / f"{page}.html")
        browser.evaluate(_CHECKED)
        (directory / f"{page}.pdf").write_bytes(browser.printed())
        yield f"{page}.pdf"


def main() -> None:
    """Write pages, pictures and prints into the directory that is named."""
    directory = Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    for name, page in pages():
        (directory / f"{name}.html").write_bytes(page)
    with browser_or_skip() as browser:
        for picture in take(browser, directory):
            sys.stdout.write(f"{directory / picture}\n")


if __name__ == "__main__":
    main()

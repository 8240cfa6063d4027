"""Lines of text with their colours as Textual takes them.

What is drawn says by ANSI codes what it means (`ink`): a red suit, a card's paper, what is faint.
Here each meaning gets the colour that it has on a table of green baize.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

__all__ = ["strip_of"]

_PIECES = re.compile("\x1b\\[([0-9;]*)m")

_ON_CLOTH = {"31": "#ff9c9c", "32": "#93d8b4", "34": "#9cc0ff", "91": "#ffb3a3", "37": "#d29f92"}
_ON_PAPER = {"30": "#15191a", "31": "#c0182a", "32": "#0c7236", "34": "#1557c0", "90": "#a3a198"}
_GROUNDS = {"47": "#f1eee4", "44": "#7c2738"}
_MANNERS = {
    "1": Style(bold=True),
    "2": Style(dim=True),
    "7": Style(reverse=True, bold=True),
    "9": Style(strike=True),
}


@lru_cache(256)
def _style(codes: str) -> Style:
    parts = codes.split(";")
    style = Style()
    inks = _ON_PAPER if "47" in parts else _ON_CLOTH
    for part in parts:
        style += _MANNERS.get(part, Style())
        if part in inks:
            style += Style(color=inks[part])
        if part in _GROUNDS:
            style += Style(bgcolor=_GROUNDS[part])
    return style


def _segments(line: str) -> Iterator[Segment]:
    text, codes = "", ""
    for number, piece in enumerate(_PIECES.split(line)):
        if number % 2:
            codes = "" if piece == "0" else f"{codes};{piece}" if codes else piece
            continue
        text = piece
        if text:
            yield Segment(text, _style(codes) if codes else None)


def strip_of(line: str, columns: int, base: Style) -> Strip:
    """Return a line as a strip of so many columns, on a widget's own colours."""
    return Strip(_segments(line)).apply_style(base).adjust_cell_length(columns, base)

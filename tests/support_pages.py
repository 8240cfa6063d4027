"""Pages as a test reads them: their links, tables and words, by the standard library's parser."""

from html.parser import HTMLParser
from pathlib import Path

__all__ = ["Page", "Table"]

Attributes = dict[str, str]

_VOID = ("meta", "link", "br", "path", "img")


class Table:
    """A table's caption and its rows of cells, each the text that is read out."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        """Its classes."""
        self.caption = ""
        self.rows: list[list[str]] = []


class Page(HTMLParser):
    """One page, read."""

    def __init__(self, file: Path) -> None:
        """Read a file."""
        super().__init__()
        self.file = file
        self.source = file.read_text(encoding="utf-8")
        self.tags: list[tuple[str, Attributes]] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tables: list[Table] = []
        self.struck: list[str] = []
        self.title = ""
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(self.source)
        self.close()
        assert not self._open, f"{file}: {self._open} is never closed"

    @property
    def text(self) -> str:
        """All that is to be read, with single spaces."""
        return " ".join(" ".join(self.texts).split())

    def table(self, kind: str) -> Table:
        """Return the first table of a class."""
        return next(each for each in self.tables if kind in each.kind.split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = {name: value or "" for name, value in attrs}
        self.tags.append((tag, held))
        self.links += [held[name] for name in ("href", "src") if name in held]
        if "id" in held:
            self.ids.append(held["id"])
        if tag == "table":
            self.tables.append(Table(held.get("class", "")))
        if tag == "tr":
            self.tables[-1].rows.append([])
        if tag in ("td", "th"):
            self.tables[-1].rows[-1].append("")
        if tag == "s":
            self.struck.append("")
        if tag not in _VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            row = self.tables[-1].rows[-1]
            row[-1] = " ".join(row[-1].split())
        if tag == "s":
            self.struck[-1] = " ".join(self.struck[-1].split())
        if tag not in _VOID:
            assert self._open.pop() == tag, f"{self.file}: </{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        inside = self._open
        if "title" in inside and "svg" not in inside:
            self.title += data
        elif "style" not in inside:
            self.texts.append(data)
        if "caption" in inside:
            self.tables[-1].caption += data
        elif "td" in inside or "th" in inside:
            self.tables[-1].rows[-1][-1] += data
        if "s" in inside:
            self.struck[-1] += data

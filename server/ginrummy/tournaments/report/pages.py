"""From what is to be told to HTML: the templates, with everything escaped."""

from pathlib import Path
from typing import Any

from ginrummy.reporting.pages import templates

__all__ = ["Pages"]

_CHUNK = 64


class Pages:
    """Writes a report's pages into a directory."""

    def __init__(self, directory: Path, **everywhere: Any) -> None:  # noqa: ANN401 -- a page's own
        """Take the directory, and what every page is told."""
        self._directory = directory
        self._everywhere = everywhere
        self._templates = templates("ginrummy.tournaments.report")

    def write(self, template: str, page: str, **told: Any) -> None:  # noqa: ANN401 -- likewise
        """Write one page, a piece at a time."""
        stream = self._templates.get_template(template).stream(
            page=page, **self._everywhere, **told
        )
        stream.enable_buffering(_CHUNK)
        with (self._directory / page).open("w", encoding="utf-8", newline="\n") as out:
            out.writelines(stream)

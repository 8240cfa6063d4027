"""From what is to be told to HTML: templates with everything escaped, and the house's style.

A page is calm, fits a phone, a desk, a dark room and a sheet of paper, runs nothing, and asks
nobody for anything.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

__all__ = ["HOUSE_STYLE", "templates"]

HOUSE_STYLE = Path(__file__).with_name("house.css").read_text(encoding="utf-8")
"""The style sheet that all pages begin with."""


def templates(package: str, filters: Mapping[str, Callable[..., str]] | None = None) -> Environment:
    """Return the templates in a package's folder `templates`, with filters of its own.

    What a template names and is not told is an error, and not nothing.
    """
    environment = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    added: Mapping[str, Any] = filters or {}
    environment.filters.update(added)
    return environment

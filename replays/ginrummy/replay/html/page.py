"""The page put together: the template, style, scripts, cards, the match, and its log.

Everything is in the one file. A policy in its head forbids the page every connection, and allows
it the one style sheet and the two scripts that are written here, by their hashes: whatever a
player is called, no text of theirs is ever run.
"""

import base64
import hashlib
from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any

import msgspec

from ginrummy.log.lines import line_hash
from ginrummy.replay.html.faces import faces
from ginrummy.replay.html.judged import Analysis, judged_model
from ginrummy.replay.html.model import make_model
from ginrummy.replay.notes import Note
from ginrummy.replay.stepping import Replay
from ginrummy.rules.events import PositionRevealed, SecretRevealed
from ginrummy.rules.view import Perspective

__all__ = ["write_page"]

_HERE = Path(__file__).parent
_VERIFIER = _HERE.parent / "verifier.js"
_SCRIPTS = (
    *("match", "cards", "place", "judged", "table", "graph", "verdicts", "moves", "sheet", "notes"),
    *("proof", "analysis", "paper", "page"),
)
"""The page's own, in the order in which they stand on each other."""

_encode = msgspec.json.Encoder().encode


def write_page(
    lines: Sequence[bytes],
    replay: Replay,
    only: Perspective | None = None,
    notes: Sequence[Note] = (),
    analysis: Analysis | None = None,
) -> bytes:
    """Return the page of a match, in UTF-8.

    `lines` are the match's and `replay` is made of them. With `only`, nothing is in the file that
    this perspective may not know; of the log it has the lines before the first secret that is out.
    """
    kept = lines if only in (None, "full") else _without_secrets(replay)
    model = make_model(replay, only, notes)
    model["analysis"] = analysis and judged_model(analysis, model["views"])
    model["log"] = {
        "lines": len(lines),
        "kept": len(kept),
        "head": line_hash(lines[-1]),
        "name": f"{model['match']['id']}.log",
    }
    style = _text("page.css")
    verifier = _VERIFIER.read_text(encoding="utf-8")
    script = '"use strict";\n' + "\n".join(_text(f"js/{name}.js") for name in _SCRIPTS)
    page = Template(_text("page.html")).substitute(
        title=escape(model["match"]["name"]),
        policy=_policy(style, verifier, script),
        style=style,
        faces="\n".join(faces()),
        model=_as_data(model),
        log=base64.b64encode(b"".join(line + b"\n" for line in kept)).decode(),
        verifier=verifier,
        script=script,
    )
    return page.encode()


def _without_secrets(replay: Replay) -> list[bytes]:
    """Return the lines before the first one that gives hidden cards away, as far as they follow."""
    kept: list[bytes] = []
    for position in replay.between(1, replay.last):
        if isinstance(position.line.event, PositionRevealed | SecretRevealed):
            break
        kept.append(position.line.raw)
    return kept


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _policy(style: str, *scripts: str) -> str:
    hashes = " ".join(map(_hash, scripts))
    return (
        f"default-src 'none'; script-src {hashes}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _as_data(model: dict[str, Any]) -> str:
    """Return JSON that can stand in a page: no text in it can end the element that it is in."""
    text = _encode(model).decode()
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text

"""The full audit report as JSON: the fields of `gin audit --json`, and those that stand behind it.

The fields are a contract, written down in docs/audit-report.schema.json. The hands come last and
are written one at a time, so a report of any length takes the same memory.
"""

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias, get_args

import msgspec

from ginrummy.audit.report import CHECKS, Fault, Head, MatchKind, Unchecked
from ginrummy.evidence.full import FullReport
from ginrummy.evidence.grounds import Ground
from ginrummy.evidence.hands import Hand
from ginrummy.evidence.survey import Survey
from ginrummy.rules.cards import BySeat
from ginrummy.rules.events import EndReason, MatchEnded
from ginrummy.rules.match import Seated
from ginrummy.rules.view import Perspective

__all__ = ["AuditDocument", "Reader", "document_schema", "write_document"]

Reader: TypeAlias = Literal["0", "1", "public", "all"]

_READERS: dict[Perspective, Reader] = {"full": "all", 0: "0", 1: "1", "public": "public"}


class AuditDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A match's audit report in full."""

    format: Literal["ginrummy/audit-report/v1"]
    stream: str
    """The match's id."""
    kind: MatchKind
    """`practice` for one that goes on from another match and counts in no record, `replay` for a
    hand of another match that is played again by a ruling, `match` for every other."""
    name: str
    """What the match is called; may be empty."""
    players: BySeat[str | None]
    """The players' names, as far as they were seated."""
    lines: int
    """How many lines were read."""
    head: Head
    hands: int
    """How many hands were dealt."""
    outcome: MatchEnded | None
    """How the match ended; null while it is played."""
    clean: bool
    """No fault was found in the whole log. Checks may still wait for a secret."""
    checks: tuple[Ground, ...]
    faults: tuple[Fault, ...]
    """In the order of the log."""
    faults_left_out: int
    unchecked: tuple[Unchecked, ...]
    reader: Reader
    """Whose eyes it is for; nothing is in it that they may not see. `all`: everybody's, as far as
    the secrets are out, or the operator's."""
    hand: int | None
    """The only hand whose decisions are told; null for all."""
    terms: dict[str, Any] | None
    """Everything that was fixed when the match was made, as `match_created` holds it in its newest
    form (docs/log-format.md); null where the first line cannot be read."""
    seats: BySeat[Seated | None]
    """Who sits where, with their nonces."""
    survey: Survey
    hand_by_hand: tuple[Hand, ...]
    """The hands with all decisions, the first one being what came before any was dealt; empty
    where no decisions were asked for."""


def write_document(full: FullReport) -> Iterator[bytes]:
    """Yield a full report as one line of JSON, without a line end, piece by piece."""
    match, report = full.match, full.report
    told = AuditDocument(
        format="ginrummy/audit-report/v1",
        stream=report.stream,
        kind=report.kind,
        name=report.name,
        players=report.players,
        lines=report.lines,
        head=report.head,
        hands=report.hands,
        outcome=report.outcome,
        clean=report.clean,
        checks=full.grounds,
        faults=report.faults,
        faults_left_out=report.faults_left_out,
        unchecked=report.unchecked,
        reader=_READERS[full.reader],
        hand=full.hand,
        terms=None if match is None else msgspec.to_builtins(match.terms),
        seats=BySeat(None, None) if match is None else match.seats,
        survey=full.survey,
        hand_by_hand=(),
    )
    # The hands are the last field, and there are none yet.
    yield _encode(told).removesuffix(b"]}")
    between = b""
    for hand in full.hands():
        yield between + _encode(hand)
        between = b","
    yield b"]}"


def document_schema() -> bytes:
    """Return the JSON Schema of a full report, as docs/audit-report.schema.json holds it.

    Where the log's words may become more without a new version, so may the report's: the names of
    checks, and the reasons of a match's end.
    """
    schema = _with_open_words(msgspec.json.schema(AuditDocument))
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"


def _with_open_words(schema: Any) -> Any:  # noqa: ANN401 -- JSON
    if isinstance(schema, list):
        return [_with_open_words(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("enum") in (sorted(CHECKS), sorted(get_args(EndReason))):
        return {key: value for key, value in schema.items() if key != "enum"} | {"type": "string"}
    return {key: _with_open_words(value) for key, value in schema.items()}


_encode = msgspec.json.Encoder().encode

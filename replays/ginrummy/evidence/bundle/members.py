"""What a bundle's members hold: a copy of what was given, and what follows from it.

Inputs ──> members_of ──> {name: bytes}, in the order of the file
"""

from collections.abc import Iterator
from itertools import chain

import msgspec

from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.receipts import Kept
from ginrummy.evidence.bundle.build import ruleset_hash
from ginrummy.evidence.bundle.claim import Claim, claim_of
from ginrummy.evidence.bundle.errors import NothingToBundleError
from ginrummy.evidence.bundle.finding import Finding, Held, find
from ginrummy.evidence.bundle.inputs import Inputs, kept_of
from ginrummy.evidence.bundle.manifest import MANIFEST, SUMS, write_manifest, write_sums
from ginrummy.evidence.bundle.statement import write_statement
from ginrummy.evidence.document import write_document
from ginrummy.evidence.full import FullReport, fitting_decks
from ginrummy.evidence.page import write_page
from ginrummy.evidence.text import write_text
from ginrummy.log.reveals import revealed_secrets
from ginrummy.replay.ink import PLAIN
from ginrummy.replay.render import draw
from ginrummy.replay.shape import write_position
from ginrummy.replay.stepping import NoSuchPositionError, Position, ReplayError, positions
from ginrummy.rules.disputes.events import DisputeOpened, HandReplayed
from ginrummy.rules.view import Perspective

__all__ = ["Evidence", "evidence_of"]

_VIEWERS: tuple[tuple[str, Perspective], ...] = (
    ("seat-0", 0),
    ("seat-1", 1),
    ("public", "public"),
)

_MOST_HANDS = 100
"""Hands of which a bundle about a match as a whole tells every decision."""


class Evidence(msgspec.Struct, frozen=True):
    """A bundle's members, and what they come to."""

    members: dict[str, bytes]
    """All members, the manifest first."""
    full: FullReport
    claim: Claim | None
    finding: Finding | None
    """None where the bundle is about no dispute."""


def evidence_of(inputs: Inputs) -> Evidence:
    """Return what follows from what a bundle is made of; the same always makes the same.

    Raises NothingToBundleError where there is nothing to audit, MalformedHeadsError and
    MalformedReceiptError for what was kept and is none.
    """
    kept = kept_of(inputs)
    full = _report(inputs, kept)
    subject = inputs.subject
    claim = None if subject.dispute is None else claim_of(inputs.lines, subject.dispute)
    finding = None if claim is None else _finding(inputs, claim, full, kept)
    members = dict(
        chain(
            [("statement.txt", write_statement(inputs, full, claim, finding).encode())],
            _given(inputs),
            _audit(full),
            _views(inputs),
            [("clock.json", _json(_clock(inputs, full)))],
            [("server.json", _json(_server(inputs)))],
            [] if claim is None else [("dispute.json", _json(claim))],
        )
    )
    members[SUMS] = write_sums(members)
    return Evidence({MANIFEST: write_manifest(subject, members)} | members, full, claim, finding)


def _report(inputs: Inputs, kept: Kept | None) -> FullReport:
    hand = inputs.subject.hand
    dealt = sum(b'"type":"hand_dealt"' in raw for raw in inputs.lines)
    try:
        try:
            return FullReport(
                inputs.lines,
                receipt=kept,
                replays=inputs.replays.get,
                hand=hand,
                with_decisions=hand is not None or dealt <= _MOST_HANDS,
            )
        except NoSuchPositionError:
            # The log does not lead to that hand, which the audit says as well.
            return FullReport(
                inputs.lines, receipt=kept, replays=inputs.replays.get, with_decisions=False
            )
    except UnusableLogError as error:
        raise NothingToBundleError(f"the log cannot be audited: {error}") from error


def _finding(inputs: Inputs, claim: Claim, full: FullReport, kept: Kept | None) -> Finding:
    opened = claim.opened.data
    assert isinstance(opened, DisputeOpened)
    signed = any(line.sig is not None for line in inputs.read if line.seq == opened.event)
    heads = {} if kept is None else kept.heads
    told = {line.event.match for line in inputs.read if isinstance(line.event, HandReplayed)}
    held = Held(
        heads_to=max(heads, default=0), signed=signed, all_replays=told <= inputs.replays.keys()
    )
    return find(opened, full.report, inputs.record, held)


# --- the members ----------------------------------------------------------------------------------


def _given(inputs: Inputs) -> Iterator[tuple[str, bytes]]:
    yield "match.log", b"".join(raw + b"\n" for raw in inputs.lines)
    if inputs.receipt is not None:
        yield "receipt.tlog-proof", inputs.receipt
        # The note stands in the receipt behind the first empty line.
        yield "checkpoint", inputs.receipt.partition(b"\n\n")[2]
    if inputs.key is not None:
        yield "server.key", f"{inputs.key}\n".encode()
    for each in inputs.heads:
        yield f"heads/{each.holder}.jsonl", each.raw
    for match, lines in inputs.replays.items():
        yield f"replays/{match}.log", b"".join(raw + b"\n" for raw in lines)


def _audit(full: FullReport) -> Iterator[tuple[str, bytes]]:
    yield "audit.txt", "".join(write_text(full)).encode()
    yield "audit.json", b"".join(write_document(full)) + b"\n"
    yield "audit.html", b"".join(write_page(full))


def _views(inputs: Inputs) -> Iterator[tuple[str, bytes]]:
    """Yield what each seat and everybody saw before the event and after it."""
    event = inputs.subject.event
    found = _around(inputs, event)
    if not found:
        return
    for name, eyes in _VIEWERS:
        lines = (write_position(position, eyes) + b"\n" for position in found)
        yield f"views/{name}.jsonl", b"".join(lines)
    for name, eyes in _VIEWERS:
        drawn = draw(found[-1], eyes, last=len(inputs.lines), ink=PLAIN)
        yield f"views/{name}.txt", drawn.encode()


def _around(inputs: Inputs, event: int) -> list[Position]:
    """Return the positions before and after an event; none where the log does not lead there."""
    found: list[Position] = []
    try:
        revealed = revealed_secrets(inputs.lines)
        for position in positions(inputs.lines, revealed, fitting_decks):
            if position.line.seq >= event - 1:
                found.append(position)
            if position.line.seq == event:
                return found
    except ReplayError:
        pass
    return []


def _clock(inputs: Inputs, full: FullReport) -> dict[str, object]:
    terms = None if full.match is None else full.match.terms
    return {
        "match": inputs.subject.match,
        "hand": inputs.subject.hand,
        "time_control": None if terms is None else terms.clock,
        "limits": None if terms is None else terms.limits,
        "decisions": [
            {
                "seq": each.seq,
                "seat": each.seat,
                "act": each.act,
                "at": each.at,
                "made_by": each.made_by,
                "by": each.by,
                "absent": each.absent,
                "thought_ms": each.thought_ms,
                "allowed_ms": each.allowed_ms,
                "bank_ms": each.bank_ms,
            }
            for hand in full.timed()
            for each in hand.decisions
        ],
    }


def _server(inputs: Inputs) -> dict[str, object]:
    try:
        ruleset = ruleset_hash(inputs.lines[0])
    except ValueError:
        ruleset = None
    return {
        "program": "ginrummy",
        "version": inputs.build.version,
        "code": inputs.build.code,
        "ruleset": ruleset,
    }


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"

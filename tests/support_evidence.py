"""Full audit reports as tests make them, in each of their forms."""

from collections.abc import Sequence

import msgspec

from ginrummy.audit.receipts import Kept
from ginrummy.evidence.decisions import Decision
from ginrummy.evidence.document import AuditDocument, write_document
from ginrummy.evidence.full import FullReport
from ginrummy.evidence.page import write_page
from ginrummy.evidence.text import write_text
from ginrummy.log.fold import Secrets
from ginrummy.rules.view import Perspective

__all__ = ["as_json", "as_page", "as_text", "decided", "full_report"]


def full_report(
    log: Sequence[bytes],
    reader: Perspective = "full",
    *,
    secrets: Secrets | None = None,
    hand: int | None = None,
    receipt: Kept | None = None,
) -> FullReport:
    """Return the full report of a log."""
    return FullReport(log, reader=reader, secrets=secrets, hand=hand, receipt=receipt)


def as_text(full: FullReport) -> str:
    """Return a report as text."""
    return "".join(write_text(full))


def as_json(full: FullReport) -> AuditDocument:
    """Return a report that was written as JSON and read again."""
    return msgspec.json.decode(b"".join(write_document(full)), type=AuditDocument)


def as_page(full: FullReport) -> str:
    """Return a report's page."""
    return b"".join(write_page(full)).decode()


def decided(full: FullReport) -> list[Decision]:
    """Return all decisions of a report."""
    return [decision for hand in full.hands() for decision in hand.decisions]

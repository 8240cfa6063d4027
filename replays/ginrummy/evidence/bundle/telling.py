"""What was found of a bundle, as text for people, eighty columns wide."""

from collections.abc import Iterator
from textwrap import wrap

from ginrummy.audit.report import text as audit_text
from ginrummy.evidence.bundle.checking import BundleReport
from ginrummy.evidence.bundle.statement import OUTCOMES
from ginrummy.replay.ink import WIDTH
from ginrummy.replay.rulings import CLAIMS
from ginrummy.reporting.telling import SIGNS, as_text, counted

__all__ = ["bundle_text"]


def bundle_text(report: BundleReport) -> str:
    """Return the report as plain text, with a newline at its end."""
    parts = [list(_heading(report)), list(_checks(report)), list(_faults(report))]
    if report.audit is not None:
        parts.append(audit_text(report.audit).rstrip("\n").split("\n"))
    parts += [list(_finding(report)), list(_verdict(report))]
    return as_text(parts)


def _heading(report: BundleReport) -> Iterator[str]:
    subject = report.subject
    what = "Evidence" if subject.dispute is None else f"Evidence in dispute {subject.dispute}"
    about = "the match as a whole" if subject.hand is None else f"hand {subject.hand}"
    yield f"{what} over {subject.match}"
    yield f"about {about}, event {subject.event}"
    if report.build is not None:
        yield f"made by ginrummy {report.build.version}, code {report.build.code[:16]}"
    if not report.is_own_build:
        yield from wrap(
            "This program is another one: what is in it for people was not compared, since it may"
            " be worded in another way. What is for programs was.",
            WIDTH,
        )


def _checks(report: BundleReport) -> Iterator[str]:
    for check in report.checks:
        yield f"  {SIGNS[check.status]:<7} {check.name:<10} {check.count:>7}  {check.detail}"
    if report.key is not None and not report.is_key_known:
        yield from wrap(
            f"The receipt is checked by {report.key}, which is the bundle's own word: compare it"
            " with the key that you were told, or give that with --key.",
            WIDTH,
        )


def _faults(report: BundleReport) -> Iterator[str]:
    for fault in report.faults:
        yield f"{fault.member}: {fault.check}"
        yield from wrap(fault.message, 78, initial_indent="    ", subsequent_indent="    ")


def _finding(report: BundleReport) -> Iterator[str]:
    finding = report.finding
    if finding is None:
        return
    yield f"It is claimed that {CLAIMS[finding.reason]}. {OUTCOMES[finding.outcome]}"
    yield from wrap(finding.why, WIDTH)


def _verdict(report: BundleReport) -> Iterator[str]:
    if report.faults:
        yield f"NOT INTACT: {counted(len(report.faults), 'fault')} in the bundle."
    elif report.clean:
        yield "Intact and clean: no fault found."
    else:
        yield "Intact: the bundle is what its log makes. The log has faults."

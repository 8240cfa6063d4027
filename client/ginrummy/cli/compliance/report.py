"""What is printed of the verdicts: a line each, with what was found under those that failed."""

import msgspec

from ginrummy.cli.compliance.account import Finding
from ginrummy.cli.compliance.told import said_told
from ginrummy.cli.compliance.trial import Verdict

__all__ = ["summary", "verdict_json", "verdict_text"]


def verdict_text(verdict: Verdict) -> str:
    """Return a verdict in words."""
    if verdict.passed:
        return f"ok  {verdict.name}" + (f" ({verdict.note})" if verdict.note else "")
    first, *others = verdict.findings
    lines = [f"FAILED {verdict.name}: {first.seen}", *_finding_lines(first)]
    for finding in others:
        lines += [f"    and: {finding.seen}", *_finding_lines(finding)]
    return "\n".join(lines)


def _finding_lines(finding: Finding) -> list[str]:
    return [
        f"    expected: {finding.expected}",
        *(f"    | {said_told(said)}" for said in finding.wire),
        f'    read: docs/bots.md, "{finding.section}"',
    ]


def verdict_json(verdict: Verdict) -> str:
    """Return a verdict as a JSON object."""
    return msgspec.json.encode(
        {
            "name": verdict.name,
            "passed": verdict.passed,
            "note": verdict.note,
            "seconds": round(verdict.seconds, 3),
            "findings": [
                {
                    "expected": finding.expected,
                    "seen": finding.seen,
                    "section": finding.section,
                    "wire": [said_told(said) for said in finding.wire],
                }
                for finding in verdict.findings
            ],
        }
    ).decode()


def summary(verdicts: list[Verdict]) -> str:
    """Return the last line: how many were passed, and which were not."""
    failed = [verdict.name for verdict in verdicts if not verdict.passed]
    if not failed:
        return f"{len(verdicts)} of {len(verdicts)} passed."
    passed = len(verdicts) - len(failed)
    return f"{passed} of {len(verdicts)} passed; failed: {', '.join(failed)}."

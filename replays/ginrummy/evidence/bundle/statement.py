"""A bundle's first page: the claim, the rulings, what the log says of it, what is in the file."""

from collections.abc import Iterator
from textwrap import wrap

from ginrummy.evidence.bundle.claim import Claim, Said
from ginrummy.evidence.bundle.finding import Finding, Outcome
from ginrummy.evidence.bundle.inputs import Inputs
from ginrummy.evidence.full import FullReport
from ginrummy.replay.ink import WIDTH, clean
from ginrummy.replay.rulings import Name, describe_dispute, text_of
from ginrummy.reporting.telling import counted
from ginrummy.rules.cards import Seat
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeOpened,
    DisputeRuled,
    HandReplayed,
    ResultAdjusted,
)
from ginrummy.rules.events import MatchEnded

__all__ = ["OUTCOMES", "write_statement"]

OUTCOMES: dict[Outcome, str] = {
    "borne_out": "The record bears the claim out.",
    "refuted": "The record refutes the claim.",
    "not_shown": "The record shows neither.",
}
"""What a finding comes to."""

_MEMBERS = (
    ("match.log", "the match's log, byte for byte as it is stored"),
    ("receipt.tlog-proof", "that its last line was in the server's signed log"),
    ("checkpoint", "the size and root of that log, signed by the server"),
    ("server.key", "the key of that signature"),
    ("heads/", "hashes of events as somebody was told them then"),
    ("replays/", "the logs of hands that were played again"),
    ("audit.txt, .json, .html", "what was checked, why it follows, who decided what"),
    ("views/", "what all could see before the event, and after"),
    ("clock.json", "the time control, and the time of each decision"),
    ("server.json", "the program that made this, the hash of the rules"),
    ("dispute.json", "the claim and the rulings, as the log has them"),
    ("manifest.json, SHA256SUMS", "the SHA-256 of everything else"),
)


def write_statement(
    inputs: Inputs, full: FullReport, claim: Claim | None, finding: Finding | None
) -> str:
    """Return the page as text, eighty columns wide, with a newline at its end."""
    lines = _lines(inputs, full, claim, finding)
    # Names and claims are anybody's to choose: none steers a terminal.
    return "".join(f"{clean(line)}\n" for line in lines)


def _lines(
    inputs: Inputs, full: FullReport, claim: Claim | None, finding: Finding | None
) -> Iterator[str]:
    subject, report = inputs.subject, full.report
    what = "Evidence" if claim is None else f"Evidence in dispute {claim.dispute}"
    yield f"{what} over {subject.match}"
    about = "the match as a whole" if subject.hand is None else f"hand {subject.hand}"
    yield f"about {about}, event {subject.event}"
    players = " against ".join(name or "an empty seat" for name in report.players)
    yield from _wrapped(f"{players}: {counted(report.lines, 'event')}, head {report.head.seq}")
    yield report.head.hash
    if claim is not None:
        yield from _claim(claim, full)
    if finding is not None:
        yield from _found(finding)
    yield from _heading("The log itself")
    number = len(report.faults) + report.faults_left_out
    said = (
        "is clean: its audit found no fault" if report.clean else f"has {counted(number, 'fault')}"
    )
    yield from _wrapped(f"It {said}. audit.txt says what was checked, and why it follows.")
    yield from _heading("What is in this file")
    there = {name.partition("/")[0] for name in _names(inputs, claim)}
    for name, meaning in _MEMBERS:
        if name.split(",")[0].rstrip("/") in there:
            yield f"  {name:<27}{meaning}"
    yield from _heading("To check it")
    yield from _CHECKING


_CHECKING = (
    "  gin audit FILE.zip          everything, without a server or a database",
    "  node verify.mjs FILE.zip    the same, by a program that shares no code with it",
    "  sha256sum --check SHA256SUMS    after unpacking: are these the files?",
)


def _names(inputs: Inputs, claim: Claim | None) -> Iterator[str]:
    yield from ("match.log", "audit.txt", "views", "clock.json", "server.json", "manifest.json")
    if inputs.receipt is not None:
        yield from ("receipt.tlog-proof", "checkpoint")
    if inputs.key is not None:
        yield "server.key"
    if inputs.heads:
        yield "heads"
    if inputs.replays:
        yield "replays"
    if claim is not None:
        yield "dispute.json"


def _claim(claim: Claim, full: FullReport) -> Iterator[str]:
    opened = claim.opened.data
    assert isinstance(opened, DisputeOpened)
    yield from _heading("The claim")
    players = full.report.players

    def name(seat: Seat) -> str:
        return players[seat] or f"seat {seat}"

    yield from _wrapped(f"{describe_dispute(opened, name)}:")
    yield from _wrapped(f'"{opened.text}"', "  ")
    yield _noted(claim.opened)
    for said in sorted(
        (*claim.rulings, *claim.replays, *_one(claim.appeal)), key=lambda one: one.seq
    ):
        yield ""
        yield from _wrapped(_told(said, name))
        yield _noted(said)
    yield from _heading("The result")
    for which, result in (("as played", claim.as_played), ("as it stands", claim.stands)):
        if result is not None:
            yield f"  {which:<14}{_result(result)}"


def _one(said: Said | None) -> tuple[Said, ...]:
    return () if said is None else (said,)


def _noted(said: Said) -> str:
    return f"  event {said.seq}, {said.at}, by {said.by}"


def _told(said: Said, name: Name) -> str:
    event = said.data
    assert isinstance(event, DisputeAppealed | DisputeRuled | HandReplayed)
    told = describe_dispute(event, name)
    return f'{told}: "{words}"' if (words := text_of(event)) else told


def _result(said: Said) -> str:
    data = said.data
    assert isinstance(data, MatchEnded | ResultAdjusted)
    winner = "nobody" if data.winner is None else f"seat {data.winner}"
    return (
        f"won by {winner}, {data.totals[0]} to {data.totals[1]} ({data.reason}), event {said.seq}"
    )


def _found(finding: Finding) -> Iterator[str]:
    yield from _heading("What the record says of it")
    yield OUTCOMES[finding.outcome]
    yield from _wrapped(finding.why)
    yield from _wrapped("This is what can be checked. A director rules, and says why.")


def _heading(title: str) -> Iterator[str]:
    yield ""
    yield title
    yield "-" * len(title)


def _wrapped(text: str, indent: str = "") -> Iterator[str]:
    yield from wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)

"""The audit of one match: all its lines read, all its events judged, one report.

    lines ──> revealed_secrets        (once through, for the last secret that is out)
    lines ──> Links ──> Referee ──>   Report

The lines are gone through twice and never held, so a log of any length takes the same memory.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from ginrummy.audit.beginning import Beginning, OriginLog
from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.findings import Findings
from ginrummy.audit.links import Links
from ginrummy.audit.receipts import Kept, Receipts
from ginrummy.audit.referee import Referee
from ginrummy.audit.replays import ReplayLogs, Replays, replay_fault
from ginrummy.audit.report import CHECKS, Check, CheckName, Head, Report, Status, kind_of
from ginrummy.audit.signatures import Signatures
from ginrummy.audit.sources import spooled
from ginrummy.log.errors import LineError, UnknownEventError
from ginrummy.log.fold import Secrets
from ginrummy.log.lines import read_line
from ginrummy.log.replays import ordered
from ginrummy.log.reveals import revealed_secrets
from ginrummy.rules.cards import BySeat
from ginrummy.rules.match import Ended, Gathering, due, hands_dealt

__all__ = ["audit", "stream_of"]


def audit(
    lines: Iterable[bytes],
    *,
    secrets: Secrets | None = None,
    receipt: Head | Kept | None = None,
    origin: OriginLog | None = None,
    replays: ReplayLogs | None = None,
) -> Report:
    """Return what all checks find in the stored lines of one match, without line ends.

    Lines that can be gone through only once are kept in a temporary file meanwhile. `secrets` are
    an operator's own, for hands whose secret is not out; `receipt` is the number and the hash of
    a line that somebody was given earlier, or all that they kept; `origin` is the log of the match
    from which this one branches off; `replays` finds the logs of matches in which a hand of this
    one was played again. Raises UnusableLogError where there is nothing to audit.
    """
    if isinstance(lines, Iterator):
        with spooled(lines) as kept:
            return audit(kept, secrets=secrets, receipt=receipt, origin=origin, replays=replays)
    stream = stream_of(lines)
    findings = Findings()
    held = Kept({receipt.seq: receipt.hash}) if isinstance(receipt, Head) else receipt
    links = Links(findings, stream, None if held is None else Receipts(findings, stream, held))
    signatures = Signatures(findings)
    beginning = Beginning(findings, origin)
    referee = Referee(findings, stream, secrets or revealed_secrets(lines), beginning)
    again = Replays(findings, stream)
    for raw in lines:
        line = links.read(raw)
        if line is None:
            continue
        if links.gap is not None:
            first, why = links.gap
            referee.miss(first, line.seq - 1, why)
        signatures.check(line)
        again.check(line)
        referee.judge(line)
    links.finish()
    referee.finish(links.head.seq)
    if replays is not None and again.told:
        _compare_replays(lines, again, replays)
    findings.counts["replays"] = again.compared
    return _report(stream, findings, links, referee, signatures, again)


def _compare_replays(lines: Iterable[bytes], again: Replays, logs: ReplayLogs) -> None:
    """Compare each hand that was played again with the log of the match in which it was."""
    orders = {(each.dispute, each.instance): each for each in ordered(lines)}
    for seq, told in again.told:
        log = logs(told.match)
        if log is None:
            continue
        try:
            report = audit(log)
        except UnusableLogError as error:
            why: str | None = str(error)
        else:
            why = replay_fault(told, orders.get((told.dispute, told.instance)), log, report)
        again.compare(seq, told.match, why)


_BEGINNING = 100
"""Lines among which there has to be an event; a file without is no log."""


def stream_of(lines: Iterable[bytes]) -> str:
    """Return the match that these lines are of, as most of the first three readable ones say.

    Raises UnusableLogError where there is none.
    """
    beginning = list(islice(lines, _BEGINNING))
    streams: Counter[str] = Counter()
    for raw in beginning:
        try:
            streams[read_line(raw).stream] += 1
        except UnknownEventError as error:
            streams[error.stream or ""] += 1
        except LineError:
            continue
        if streams.total() == 3:
            break
    if not streams:
        raise UnusableLogError(
            "none of its lines is an event of a match" if beginning else "there is no line in it"
        )
    return streams.most_common(1)[0][0]


def _report(
    stream: str,
    findings: Findings,
    links: Links,
    referee: Referee,
    signatures: Signatures,
    again: Replays,
) -> Report:
    match = referee.course.match
    order = {name: place for place, name in enumerate(CHECKS)}
    names = [None if seated is None else seated.name for seated in match.seats] if match else []
    return Report(
        stream=stream,
        kind=kind_of(match.terms if match else None),
        name=match.terms.name if match else "",
        players=BySeat(*names) if names else BySeat(None, None),
        lines=links.lines,
        head=links.head,
        hands=findings.counts["dealing"],
        outcome=match.outcome if isinstance(match, Ended) else None,
        clean=not findings.faults,
        checks=tuple(_check(name, findings, referee, signatures, again) for name in CHECKS),
        faults=tuple(sorted(findings.faults, key=lambda fault: (fault.seq, order[fault.check]))),
        faults_left_out=findings.left_out,
        unchecked=tuple(findings.unchecked),
    )


_JUDGED: frozenset[CheckName] = frozenset(
    (
        "reveal",
        "dealing",
        "deck",
        "moves",
        "scores",
        "clocks",
        "actors",
        "disputes",
        "rulings",
        "end",
    )
)
"""The checks that need to know how the match stood."""

_NOTHING = "nothing in this log calls for it"

_UNCALLED: Mapping[CheckName, str] = {
    "receipt": "no receipt was given",
    "origin": "the log that it branches off from was not given",
    "end": "the match is not over",
}


def _check(
    name: CheckName,
    findings: Findings,
    referee: Referee,
    signatures: Signatures,
    again: Replays,
) -> Check:
    count = findings.counts[name]
    status: Status = "passed"
    detail = signatures.detail if name == "signatures" else CHECKS[name]
    if name == "replays":
        detail = again.detail or detail
    waits_for = _waits_for(name, referee)
    if number := findings.failed(name):
        status, detail = "failed", "1 fault" if number == 1 else f"{number} faults"
    elif findings.unchecked and name in _JUDGED:
        status, detail = "stopped", "not made for the events that could not be judged"
    elif name in ("dealing", "deck") and referee.course.hidden and _doubted(findings):
        status, detail = (
            "stopped",
            f"{_hands(*referee.course.hidden)}: its secret or nonces are doubtful",
        )
    elif waits_for is not None:
        status, detail = "waiting", waits_for
    elif not count and (name == "signatures" or (name == "replays" and again.told)):
        status = "not_applicable"
    elif not count:
        status, detail = "not_applicable", _UNCALLED.get(name, _NOTHING)
        match = referee.course.match
        if name == "origin" and match is not None and match.terms.origin is None:
            detail = _NOTHING
    return Check(name, status, count, detail)


def _doubted(findings: Findings) -> bool:
    """Say whether what came out does not prove which decks there were."""
    doubtful: tuple[CheckName, ...] = ("commitment", "position", "reveal", "nonces")
    return any(map(findings.failed, doubtful))


def _waits_for(name: CheckName, referee: Referee) -> str | None:
    """Say which secrets a check waits for; None where it waits for none."""
    match = referee.course.match
    if match is None:
        return None
    if name == "nonces" and isinstance(match, Gathering) and any(match.seats):
        return "not all nonces are out"
    if name == "position" and referee.beginning.waits(match):
        return "not before the position is out"
    if name in ("dealing", "deck") and referee.course.hidden is not None:
        return f"{_hands(*referee.course.hidden)}: not before the secret is out"
    if name == "reveal" and referee.reveals.last < hands_dealt(match):
        hidden = _hands(referee.reveals.last + 1, hands_dealt(match))
        if due(match) in ("position", "reveal"):
            return f"{hidden}: the secret is overdue"
        when = {
            "match": "out as the match ends",
            "hand": "out as the hand ends",
            "director": "out on a director's word",
        }
        return f"{hidden}: secret {when[match.terms.reveal]}"
    return None


def _hands(first: int, last: int) -> str:
    if first == last:
        return f"hand {first}"
    return f"hands {first} {'and' if last == first + 1 else 'to'} {last}"

"""The full audit report as one page of HTML, which opens from disk and asks nobody for anything.

A policy in its head forbids it every connection and every script, and allows it the one style
sheet that is written in it. It is written piece by piece, hand by hand.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from markupsafe import Markup

from ginrummy.audit.report import Fault
from ginrummy.evidence.figures import clock, duration, milliseconds, seconds
from ginrummy.evidence.full import FullReport
from ginrummy.evidence.hands import Hand
from ginrummy.evidence.text import EYES
from ginrummy.replay.about import describe_clock, title_of
from ginrummy.replay.ink import Ink, clean
from ginrummy.replay.words import describe_rules, name_of
from ginrummy.reporting.pages import HOUSE_STYLE, templates
from ginrummy.reporting.telling import Status, counted
from ginrummy.rules.cards import RANKS, BySeat, Card, Seat

if TYPE_CHECKING:
    from ginrummy.rules.match import Seated

__all__ = ["write_page"]

_SEATS: tuple[Seat, Seat] = (0, 1)
_CHUNK = 64
"""Pieces of a template that are put together before they are given out."""

_STYLE = f"{HOUSE_STYLE}\n{Path(__file__).with_name('page.css').read_text(encoding='utf-8')}"

_SIGNS: dict[Status, tuple[str, str]] = {
    "passed": ("✓", "passed"),
    "failed": ("✗", "failed"),
    "waiting": ("…", "waits"),
    "stopped": ("\N{EN DASH}", "stopped"),
    "not_applicable": ("·", "not called for"),
}
"""What stands before a check on a page, and what it is called."""


class _Verdict(msgspec.Struct, frozen=True):
    kind: str
    """`clean`, `faulty` or `waiting`."""
    said: str


def write_page(full: FullReport) -> Iterator[bytes]:
    """Yield the page of a full report in UTF-8, piece by piece."""
    environment = templates(
        "ginrummy.evidence",
        {
            "cards": _cards,
            "ms": milliseconds,
            "seconds": seconds,
            "clock": clock,
            "clean": clean,
            "duration": duration,
        },
    )
    stream = environment.get_template("audit.html").stream(**_told(full))
    stream.enable_buffering(_CHUNK)
    for piece in stream:
        yield piece.encode()


def _told(full: FullReport) -> dict[str, Any]:
    match, report = full.match, full.report
    seats: BySeat[Seated | None] = BySeat(None, None) if match is None else match.seats
    names = BySeat(*(name_of(seats, seat) for seat in _SEATS))
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    return {
        "policy": f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; "
        "form-action 'none'",
        "style": Markup(_STYLE),  # noqa: S704 -- our own file
        "title": title_of(match) if match else report.stream,
        "full": full,
        "report": report,
        "survey": full.survey,
        "verdict": _verdict(full),
        "lead": _lead(full),
        "signs": _SIGNS,
        "names": names,
        "seats": seats,
        "terms": None if match is None else match.terms,
        "rules": "" if match is None else describe_rules(match.terms.rules),
        "time_control": "" if match is None else describe_clock(match.terms.clock),
        "eyes": EYES[full.reader],
        "hands": _linked(full),
        "faults": _by_event(report.faults),
        "both": _SEATS,
        "counted": counted,
    }


def _verdict(full: FullReport) -> _Verdict:
    report = full.report
    number = len(report.faults) + report.faults_left_out
    if number:
        return _Verdict("faulty", f"Not clean: {counted(number, 'fault')} found")
    waiting = [check.name for check in report.checks if check.status == "waiting"]
    if waiting:
        verb = "waits" if len(waiting) == 1 else "wait"
        said = f"Clean as far as can be told: {', '.join(waiting)} {verb} for a secret"
        return _Verdict("waiting", said)
    return _Verdict("clean", "Clean: no fault found")


def _lead(full: FullReport) -> str:
    report = full.report
    outcome, names = report.outcome, report.players
    ended = "still being played"
    if outcome is not None and outcome.winner is None:
        ended = f"ended without a winner ({outcome.reason})"
    elif outcome is not None and outcome.winner is not None:
        won, lost = outcome.totals if outcome.winner == 0 else reversed(outcome.totals)
        ended = f"won by {clean(names[outcome.winner] or '')}, {won} to {lost} ({outcome.reason})"
    return f"{counted(report.lines, 'event')}, {counted(report.hands, 'hand')}, {ended}."


def _linked(full: FullReport) -> Iterator[Hand]:
    """Yield the hands that have something in them."""
    return (hand for hand in full.hands(Ink()) if hand.deal is not None or hand.decisions)


def _by_event(faults: Iterable[Fault]) -> dict[int, list[Fault]]:
    found: dict[int, list[Fault]] = {}
    for fault in faults:
        found.setdefault(fault.seq, []).append(fault)
    return found


_SUITS = "♠♥♦♣"
_RED = (1, 2)


def _cards(held: Iterable[Card], drawn: Card | None = None) -> Markup:
    """Return cards for the page; `drawn` is the one that stands out."""
    return Markup(" ").join(_card(card, is_new=card is drawn) for card in held)


def _card(card: Card, *, is_new: bool) -> Markup:
    text = f"{RANKS[card.rank]}{_SUITS[card.suit]}"
    red = Markup('<span class="red">{}</span>').format(text) if card.suit in _RED else Markup(text)  # noqa: S704 -- a rank and a suit
    return Markup("<b>{}</b>").format(red) if is_new else red

"""Figures as they are printed: signs, intervals, chances, dates."""

import math
from datetime import UTC, datetime

from ginrummy.rules.match import Instant
from ginrummy.tournaments.statistics.intervals import Estimate

__all__ = [
    "MINUS",
    "TO",
    "against",
    "chance",
    "count",
    "day",
    "margin",
    "minute",
    "opposite",
    "sign_of",
    "signed",
    "span",
]

MINUS = "\N{MINUS SIGN}"

TO = "\N{EN DASH}"
"""Between counts, as in won, drawn and lost, and between the ends of a range."""


def signed(value: float, places: int = 1) -> str:
    """Return a number with its sign, a true minus for one below zero, and `0.0` without one."""
    text = f"{abs(value):,.{places}f}"
    if not text.strip("0.,"):
        return text
    return ("+" if value > 0 else MINUS) + text


def sign_of(value: float, places: int = 1) -> str:
    """Return `plus`, `minus` or `even`, as the number is printed."""
    first = signed(value, places)[0]
    return {"+": "plus", MINUS: "minus"}.get(first, "even")


def margin(estimate: Estimate, places: int = 1) -> str:
    """Return what stands after the figure: `±1.5`, or that there is no interval yet."""
    if not math.isfinite(estimate.margin):
        return "no interval yet"
    return f"±{estimate.margin:,.{places}f}"


def span(estimate: Estimate, places: int = 2) -> str:
    """Return an interval that need not lie evenly about its figure: `0.52 to 0.71`."""
    if not math.isfinite(estimate.high):
        return "unknown"
    return f"{estimate.low:.{places}f} to {estimate.high:.{places}f}"


def opposite(estimate: Estimate) -> Estimate:
    """Return the same from the other side."""
    return Estimate(-estimate.value, -estimate.high, -estimate.low)


def count(number: int, one: str, many: str = "") -> str:
    """Return `1 board`, `1,200 boards`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def against(one: int, other: int) -> str:
    """Return `102 : 45`, which no line's end takes apart."""
    return f"{one:,} : {other:,}".replace(" ", "\N{NO-BREAK SPACE}")


def chance(p: float) -> str:
    """Return a p-value in two digits, and very small ones as a bound."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def minute(at: Instant) -> str:
    """Return `30 November 2026, 14:05 UTC`."""
    when = _moment(at)
    return f"{day(at)}, {when:%H:%M} UTC"


def day(at: Instant) -> str:
    """Return `30 November 2026`."""
    when = _moment(at)
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}"


# The names of strftime are in the machine's language, and a report is in one.
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def _moment(at: Instant) -> datetime:
    return datetime.fromtimestamp(at // 1_000_000, tz=UTC)

"""Times as a director writes them: `30s`, `5m`, `1h30m`, and clocks made of them."""

import re

import click

from ginrummy.rules.events import TimeControl

__all__ = ["clock_text", "read_clock", "read_span", "span_text"]

_UNITS = {"d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1}

_PART = re.compile(r"(\d{1,9})(ms|[dhms])")

_FORM = "a time is written as 500ms, 30s, 5m or 1h30m"


def read_span(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Read a length of time as milliseconds, for an option."""
    if value is None:
        return None
    span = _span(value)
    if span is None:
        raise click.BadParameter(f"{value!r}: {_FORM}", ctx, param)
    return span


def read_clock(ctx: click.Context, param: click.Parameter, value: str | None) -> TimeControl | None:
    """Read a clock, for an option: `5m`, `5m+10s`, `/30s`, or `5m+10s/30s`.

    The bank of a match, what each decision adds to it, the most that one decision may take.
    """
    if value is None:
        return None
    rest, limits_decisions, decision = value.partition("/")
    bank, increases, increment = rest.partition("+")
    bank_ms, increment_ms, decision_ms = map(_span, (bank, increment, decision))
    if (
        ((bank or increases) and bank_ms is None)
        or (increases and increment_ms is None)
        or (limits_decisions and decision_ms is None)
        or not (bank or limits_decisions)
    ):
        raise click.BadParameter(
            f"{value!r} is no clock: write 5m for a match, 5m+10s with what each decision adds,"
            " /30s for the most that one may take, or 5m+10s/30s",
            ctx,
            param,
        )
    return TimeControl(bank_ms, increment_ms or 0, decision_ms)


def _span(text: str) -> int | None:
    parts = _PART.findall(text)
    if not parts or "".join(map("".join, parts)) != text:
        return 0 if text == "0" else None
    return sum(int(number) * _UNITS[unit] for number, unit in parts)


def span_text(ms: int) -> str:
    """Return a time in its two largest units: `45s`, `12m30s`, `3h05m`, `2d`."""
    seconds = max(0, round(ms / 1000))
    for big, small, size in (("d", "h", 86_400), ("h", "m", 3600), ("m", "s", 60)):
        if seconds >= size:
            rest = seconds % size // (size // (24 if big == "d" else 60))
            return f"{seconds // size}{big}" + (f"{rest:02}{small}" if rest else "")
    return f"{seconds}s"


def clock_text(clock: TimeControl) -> str:
    """Return a clock as it can be written in an option."""
    text = ""
    if clock.bank_ms is not None:
        text = _exact(clock.bank_ms)
        text += f"+{_exact(clock.increment_ms)}" if clock.increment_ms else ""
    return text if clock.decision_ms is None else f"{text}/{_exact(clock.decision_ms)}"


def _exact(ms: int) -> str:
    for unit, size in _UNITS.items():
        if ms % size == 0 and ms >= size:
            return f"{ms // size}{unit}"
    return "0"

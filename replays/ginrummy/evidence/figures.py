"""Times and cards as a report prints them, the same in text and on a page."""

from collections.abc import Iterable

from ginrummy.rules.cards import Card

__all__ = ["cards", "clock", "duration", "milliseconds", "seconds"]


def milliseconds(value: float) -> str:
    """Return `1,500`, or `20,000.001` where a part of a millisecond counts."""
    return f"{value:,.3f}".rstrip("0").rstrip(".")


def seconds(value_ms: float) -> str:
    """Return milliseconds as `898.25 s`, to the millisecond, as a bank is read."""
    return f"{milliseconds(round(value_ms) / 1000)} s"


def duration(value_ms: float) -> str:
    """Return a limit as whoever agreed on it would say it: `24 hours`, `90 seconds`."""
    for unit, size in (("hour", 3_600_000), ("minute", 60_000)):
        number, rest = divmod(value_ms, size)
        if number and not rest:
            return f"{number:,.0f} {unit}{'' if number == 1 else 's'}"
    return f"{milliseconds(value_ms / 1000)} seconds"


def clock(at: str) -> str:
    """Return the time of day of an instant, to the millisecond: `22:49:25.123`."""
    return at[11:23]


def cards(held: Iterable[Card]) -> str:
    """Return cards with a space between, or that there are none."""
    return " ".join(map(str, held)) or "none"

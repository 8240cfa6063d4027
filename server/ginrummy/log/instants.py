"""An instant as the program counts it, and as a line spells it.

Inside, an instant is an int: microseconds since 1970-01-01 UTC, negative before. On a line it is
text of one fixed form, `2026-11-29T22:48:58.123456Z`, so that equal instants are equal bytes and
their order is the order of the text. The years are 0001 to 9999; there is no leap second.
"""

from datetime import UTC, datetime, timedelta
from functools import lru_cache

from ginrummy.rules.match import Instant

__all__ = ["Instant", "InvalidInstantError", "read_instant", "write_instant"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = 1_000_000


class InvalidInstantError(ValueError):
    """A text of another form than the fixed one, or a number outside the years 0001 to 9999."""


def read_instant(text: str) -> Instant:
    """Read the fixed form, and no other. Raises InvalidInstantError with the offending text."""
    # Seconds and their fraction, without the point, are a number of microseconds.
    digits = text[17:19] + text[20:26]
    if not (
        len(text) == 27
        and text[19] == "."
        and text[26] == "Z"
        and digits.isdecimal()
        and digits.isascii()
        and digits < "6"
    ):
        raise _unreadable(text)
    return _read_minute(text[:17]) + int(digits)


def write_instant(at: Instant) -> str:
    """Write the fixed form. Raises InvalidInstantError outside the years 0001 to 9999."""
    second, micros = divmod(at, _SECOND)
    return f"{_write_second(second)}.{micros:06d}Z"


# Lines that follow one another share their minute, and often their second.
@lru_cache(maxsize=1024)
def _read_minute(text: str) -> Instant:
    try:
        when = datetime.fromisoformat(text[:-1])
    except ValueError:
        raise _unreadable(text) from None
    # fromisoformat reads week dates, other separators and offsets as well.
    if when.isoformat(timespec="minutes") + ":" != text:
        raise _unreadable(text)
    return (when.replace(tzinfo=UTC) - _EPOCH) // timedelta(seconds=1) * _SECOND


@lru_cache(maxsize=1024)
def _write_second(second: int) -> str:
    try:
        when = _EPOCH + timedelta(seconds=second)
    except OverflowError:
        raise InvalidInstantError(f"second {second} is outside the years 0001 to 9999") from None
    return when.replace(tzinfo=None).isoformat()


def _unreadable(text: str) -> InvalidInstantError:
    return InvalidInstantError(f"{text!r} is not a time like 2026-11-29T22:48:58.123456Z")

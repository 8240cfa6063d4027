"""Fields as protobuf writes them, for what goes out with every move.

A message that is filled field by field lives only to be written. To put the same bytes together,
from parts that are mostly ready, takes a third of the time. The keys come from the descriptors, so
a field is named here as everywhere, and what is written reads back as the message that it is.
"""

from collections.abc import Iterable
from functools import lru_cache

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from ginrummy.api.wire import CARD_NAMES
from ginrummy.rules.match import Instant

__all__ = ["card_fields", "flag", "instant", "key", "number", "numbers", "part", "text"]

_SECOND = 1_000_000
"""Microseconds in a second."""

_LENGTH = 2
"""The wire type of what stands after its length."""

_OF_LENGTH = {FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES, FieldDescriptor.TYPE_MESSAGE}

_BY_SEVEN = 1 << 14
"""Numbers below it take two bytes at the most, and are looked up."""


def _varint(value: int) -> bytes:
    low, rest = value & 127, value >> 7
    return bytes((low | 128,)) + _varint(rest) if rest else bytes((low,))


_NUMBERS = tuple(map(_varint, range(_BY_SEVEN)))
_GOING_ON = tuple(bytes((low & 127 | 128, low >> 7 | 128)) for low in range(_BY_SEVEN))


def number(value: int) -> bytes:
    """Return a number as the fields of integers, enumerations and lengths hold it."""
    if 0 <= value < _BY_SEVEN:
        return _NUMBERS[value]
    if value < 0:
        # As 64 bits, whatever the field's size.
        value &= (1 << 64) - 1
    return _GOING_ON[value & (_BY_SEVEN - 1)] + number(value >> 14)


def key(message: type[Message], field: str) -> bytes:
    """Return what stands before the value of a field. Raises KeyError for a name that it has not.

    Numbers in a row stand in one field, after its length.
    """
    found = message.DESCRIPTOR.fields_by_name[field]
    in_length = found.type in _OF_LENGTH or found.is_repeated
    return number(found.number << 3 | (_LENGTH if in_length else 0))


def part(before: bytes, content: bytes) -> bytes:
    """Return the field of a message or of bytes, after its key."""
    return before + number(len(content)) + content


def text(before: bytes, content: str) -> bytes:
    """Return the field of a text, after its key."""
    return part(before, content.encode())


def flag(message: type[Message], field: str) -> bytes:
    """Return the field of a boolean that is true; one that is false is left out."""
    return key(message, field) + b"\x01"


def numbers(before: bytes, values: Iterable[int]) -> bytes:
    """Return the field of some numbers, after its key."""
    return part(before, b"".join([number(value) for value in values]))


def card_fields(message: type[Message], field: str) -> tuple[bytes, ...]:
    """Return the whole field of each card, by the card's index."""
    before = key(message, field)
    return tuple(text(before, name) for name in CARD_NAMES)


def instant(before: bytes, at: Instant) -> bytes:
    """Return the field of an instant, after its key; it is set then, for 1970 as well."""
    second, micros = divmod(at, _SECOND)
    return part(before, _second(second) + _NANOS + number(micros * 1000))


_SECONDS = key(Timestamp, "seconds")
_NANOS = key(Timestamp, "nanos")


# What is told at one moment shares its second.
@lru_cache(maxsize=1024)
def _second(second: int) -> bytes:
    return _SECONDS + number(second)

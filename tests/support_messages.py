"""Messages read field by field through their descriptors, by nothing that the API's mapping uses.

What comes out are the plain values of JSON, by field name: cards as their texts, enumerations as
the words that the rules have for them, and None for what is not set.
"""

import json
from typing import Any, TypeAlias

import msgspec
from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

Plain: TypeAlias = Any
"""A plain value: what `json.loads` could give."""


def plain(message: Message) -> dict[str, Plain]:
    """Return all fields of a message, those that are not set too."""
    return {
        field.name: _value(field, getattr(message, field.name))
        if field.is_repeated or not field.has_presence or message.HasField(field.name)
        else None
        for field in _fields(message)
    }


def _value(field: FieldDescriptor, value: Plain) -> Plain:
    if field.is_repeated:
        return [_single(field, item) for item in value]
    return _single(field, value)


def _single(field: FieldDescriptor, value: Plain) -> Plain:
    if field.enum_type is not None:
        return enum_words(field.enum_type)[value]
    if isinstance(value, Timestamp):
        return value.seconds * 1_000_000 + value.nanos // 1000
    if not isinstance(value, Message):
        return value
    fields = plain(value)
    # A meld is nothing but its cards.
    return fields["cards"] if list(fields) == ["cards"] else fields


def enum_words(enum: EnumDescriptor) -> dict[int, str | None]:
    """Return the rules' word for every value of an enumeration; None for the unspecified one."""
    first = enum.values_by_number[0].name
    prefix = first.removesuffix("UNSPECIFIED")
    return {
        number: None if number == 0 else value.name.removeprefix(prefix).lower()
        for number, value in enum.values_by_number.items()
    }


def _fields(message: Message | type[Message]) -> list[FieldDescriptor]:
    # The types name a second kind of descriptor for the same thing.
    fields: list[Plain] = [*message.DESCRIPTOR.fields]
    return fields


def field_names(message: Message | type[Message]) -> set[str]:
    """Return the names of a message's fields."""
    return {field.name for field in _fields(message)}


def struct_fields(struct: type[msgspec.Struct]) -> set[str]:
    """Return the names of the fields of one of the rules' values."""
    return {field.name for field in msgspec.structs.fields(struct)}


def builtins(value: object) -> Plain:
    """Return the plain values that one of the rules' values is stored as."""
    return json.loads(msgspec.json.encode(value))


def null_for_zero(rules: dict[str, Plain]) -> dict[str, Plain]:
    """Return a ruleset message's fields as the log has them: messages have no null."""
    return rules | {"run_max": rules["run_max"] or None, "hands": rules["hands"] or None}

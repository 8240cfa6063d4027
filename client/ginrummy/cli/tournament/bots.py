"""The bots of a tournament as a command line names them: `simple`, `Ann=./mybot.py:MyBot`."""

import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

import click
import msgspec

__all__ = ["Wish", "wishes_of"]

_LONGEST_NAME = 64


class Wish(msgspec.Struct, frozen=True, order=True):
    """A bot that is to take part."""

    name: str
    """What it is called in the tournament."""
    spec: str
    """How it is started."""


def wishes_of(values: Sequence[str]) -> tuple[Wish, ...]:
    """Return the bots of the options `--bot`, each with a name of its own.

    A bot without a name is called after what starts it; several of one name are numbered. Raises
    click.UsageError for a name given twice, or one that cannot be.
    """
    given = [_parts(value) for value in values]
    named = [name for name, _ in given if name]
    for name, count in Counter(named).items():
        if count > 1:
            raise click.UsageError(f"--bot: {name} is the name of two of them")
        if len(name) > _LONGEST_NAME or not name.isprintable():
            raise click.UsageError(f"--bot: a name has 1 to {_LONGEST_NAME} printable characters")
    plain = Counter(_short(spec) for name, spec in given if not name)
    taken, numbers = set(named), Counter[str]()
    wishes = []
    for name, spec in given:
        own = name or _short(spec)
        while not name and (plain[_short(spec)] > 1 or own in taken):
            numbers[_short(spec)] += 1
            own = f"{_short(spec)} {numbers[_short(spec)]}"
            if own not in taken:
                break
        taken.add(own)
        wishes.append(Wish(own, spec))
    return tuple(wishes)


def _parts(value: str) -> tuple[str, str]:
    """Return the name, empty where none is given, and the spec."""
    name, equals, spec = value.partition("=")
    name, spec = (name.strip(), spec.strip()) if equals else ("", value.strip())
    if not spec or (equals and not name):
        raise click.UsageError(f"--bot: {value!r} is neither SPEC nor NAME=SPEC")
    return name, spec


def _short(spec: str) -> str:
    """Return what a bot is called after its spec: the class, the program's file, or all of it."""
    try:
        words = shlex.split(spec)
    except ValueError:
        words = spec.split()
    if len(words) > 1:
        return PurePath(words[1]).name[:_LONGEST_NAME] or words[0]
    where, _, name = spec.rpartition(":")
    return (name if where and name else PurePath(spec).name or spec)[-_LONGEST_NAME:]

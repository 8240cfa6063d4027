"""The list of moves, a line a row."""

from collections.abc import Collection

import msgspec

from ginrummy.replay.acting import Act, act_of
from ginrummy.replay.ink import Ink, clip, cut, spread, width
from ginrummy.replay.stepping import HandSpan, ReplayError
from ginrummy.replay.terminal.course import Course, Place
from ginrummy.replay.words import describe, name_of

__all__ = ["begun", "draw_move", "seconds"]

_SEQ = 6
"""Columns of an event's number."""


class _Marks(msgspec.Struct, frozen=True):
    here: str
    fault: str
    note: str


_SYMBOLS = _Marks("▶", "✗", "✎")
_LETTERS = _Marks(">", "!", "*")


def draw_move(
    course: Course, number: int, place: Place, faulty: Collection[int], columns: int, ink: Ink
) -> str:
    """Return a row of the list, as `place`'s perspective may know it.

    `faulty` are the events in which an audit has found faults.
    """
    found = course.row(number)
    if isinstance(found, ReplayError):
        return clip(ink.alarm(cut(f"  {found.why}: no more can be followed", columns)), columns)
    if isinstance(found, HandSpan):
        return clip(_heading(course, found, columns, ink), columns)
    position = course.at(found)
    marks = _SYMBOLS if ink.symbols else _LETTERS
    here = marks.here if found == place.seq else " "
    mark = " "
    if found in faulty:
        mark = ink.alarm(marks.fault)
    elif found in course.notes:
        mark = ink.strong(marks.note)
    told = begun(describe(position, place.perspective, ink))
    right = ink.faint(_time_of(act_of(position)))
    room = columns - _SEQ - 3 - width(right) - 1
    left = f"{here}{found:>{_SEQ - 1}} {mark} {clip(told, max(0, room))}"
    return clip(spread(left, right, columns), columns)


def _heading(course: Course, span: HandSpan, columns: int, ink: Ink) -> str:
    match = course.at(span.first).match
    points = match.score.points if hasattr(match, "score") else (0, 0)
    names = (cut(name_of(match.seats, seat), 8) for seat in (0, 1))
    standing = ", ".join(f"{name} {each}" for name, each in zip(names, points, strict=True))
    line = "─" if ink.symbols else "-"
    left, right = f"{line * 2} Hand {span.number} ", f" {standing} {line}"
    return ink.faint(left + line * max(0, columns - width(left) - width(right)) + right)


def begun(told: str) -> str:
    """Return a sentence with a capital, unless it begins with somebody's name."""
    first, _, _ = told.partition(" ")
    return told[0].upper() + told[1:] if first in ("the", "hand", "board") else told


def _time_of(act: Act) -> str:
    if act.by_server:
        return "server"
    return "" if act.thought is None else seconds(act.thought)


def seconds(thought: int) -> str:
    """Return a time of so many milliseconds as people say it."""
    return f"{thought / 1000:.1f} s" if thought < 10_000 else f"{thought / 1000:.0f} s"

"""What is to be said of one event: what happened, under which rule, when, by whom, its address."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from ginrummy.log.instants import write_instant
from ginrummy.replay.about import describe_origin
from ginrummy.replay.acting import act_of
from ginrummy.replay.ink import Ink, clean, clip, cut, width
from ginrummy.replay.rulings import text_of
from ginrummy.replay.stepping import Position
from ginrummy.replay.terminal.course import Course, Place
from ginrummy.replay.terminal.moves import begun, seconds
from ginrummy.replay.terminal.proving import Finding
from ginrummy.replay.words import describe, name_of
from ginrummy.rules.citing import CHAPTERS
from ginrummy.rules.match import Seats

__all__ = ["address_of", "draw_telling"]


def address_of(position: Position) -> str:
    """Return an event's address, its number and its line's hash, as `gin audit --receipt` takes it.

    It is that of one line in the world: whoever has it can check that a log still has this line.
    """
    return f"{position.line.seq}:{position.line.hash}"


def draw_telling(
    course: Course, place: Place, findings: Sequence[Finding], columns: int, ink: Ink
) -> list[str]:
    """Return lines about the event at a place; `findings` are those of an audit in this event."""
    position = course.at(place.seq)
    lines = [clip(ink.strong(begun(describe(position, place.perspective, ink))), columns)]
    text = text_of(position.line.event)
    if text is not None:
        lines += _wrapped(f'"{clean(text)}"', " ", columns)
    for finding in findings:
        mark = ink.alarm("✗" if ink.symbols else "!")
        lines += _wrapped(clean(finding.told(place.perspective)), mark, columns)
    origin = describe_origin(position.match)
    if origin is not None and place.seq == 1:
        lines += _wrapped(origin, " ", columns)
    for note in course.notes.get(place.seq, ()):
        lines += _wrapped(
            clean(" ".join(note.split())), ink.strong("✎" if ink.symbols else "*"), columns
        )
    lines += _joined(position, columns, ink)
    lines.append(_address(position, columns, ink))
    return lines


def _wrapped(text: str, mark: str, columns: int) -> Iterator[str]:
    for number, line in enumerate(wrap(text, max(10, columns - 2)) or [""]):
        yield f"{mark if number == 0 else ' '} {line}"


def _facts(position: Position, *, is_short: bool) -> Iterator[str]:
    act, line = act_of(position), position.line
    if act.thought is not None:
        yield f"thought {seconds(act.thought)}"
    if act.rule:
        chapter = None if is_short else CHAPTERS.get(act.rule[:1])
        yield f"rule {act.rule}" + (f", {chapter}" if chapter else "")
    seats = position.match.seats
    if act.by_server and act.seat is not None:
        yield f"by the server for {name_of(seats, act.seat)}"
    else:
        yield f"by {_who(line.by, seats)}" + ("" if line.sig is None else ", signed")
    day, _, time = write_instant(line.at)[:19].partition("T")
    yield time if is_short else f"{day} {time}"


def _who(by: str, seats: Seats) -> str:
    """Return what whoever has caused an event is called, by their id."""
    if by == "server":
        return "the server"
    for seat in (0, 1):
        seated = seats[seat]
        if seated is not None and seated.player == by:
            return name_of(seats, seat)
    return cut(clean(by), 30)


def _joined(position: Position, columns: int, ink: Ink) -> list[str]:
    """Return the facts in one line, with what is less wanted left out where there is no room."""
    between = " · " if ink.symbols else ", "
    for is_short in (False, True):
        line = between.join(_facts(position, is_short=is_short))
        if width(line) <= columns:
            break
    return [clip(ink.faint(line), columns)]


def _address(position: Position, columns: int, ink: Ink) -> str:
    address = address_of(position)
    label = "address " if columns >= len(address) + 8 else ""
    if len(address) > columns:
        dots = "…" if ink.symbols else ".."
        address = address[: max(0, columns - len(dots))] + dots
    return ink.faint(f"{label}{address}")

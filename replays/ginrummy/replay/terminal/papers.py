"""What is laid over the table on demand: the score sheet, the audit, and what the keys do."""

from collections.abc import Iterator
from textwrap import wrap

from ginrummy.replay.about import describe_origin
from ginrummy.replay.ink import Ink, clean, cut, width
from ginrummy.replay.render import account_of
from ginrummy.replay.sheet import SheetRow
from ginrummy.replay.terminal.course import Course, Place
from ginrummy.replay.terminal.proving import Proof
from ginrummy.replay.words import name_of
from ginrummy.rules.cards import Seat
from ginrummy.rules.view import view

__all__ = ["draw_help", "draw_report", "draw_sheet"]

_SEATS: tuple[Seat, Seat] = (0, 1)
_NAME = 14


def draw_sheet(course: Course, place: Place, ink: Ink) -> list[str]:
    """Return the score sheet up to a place: the hands that are over there, and how it ended."""
    match = course.at(place.seq).match
    names = [cut(name_of(match.seats, seat), _NAME) for seat in _SEATS]
    head = "".join(" " * (_NAME + 2 - width(name)) + name for name in names)
    lines = [ink.faint(f"hand               {head}")]
    over = [row for row in course.replay.sheet if row.seq <= place.seq]
    lines += [_row(row) for row in over] or ["no hand is over yet"]
    seen = view(match, place.perspective)
    if seen.outcome is not None:
        lines += ["", *(line.removeprefix("  ") for line in account_of(seen, seen.outcome, ink))]
    return lines


def _row(row: SheetRow) -> str:
    cells = ""
    for gain, total in zip(row.gains, row.totals, strict=True):
        won = f"{gain:+}" if gain else ""
        cells += f"{won:>{_NAME - 3}} {total:>4}"
    number = "" if row.hand is None else str(row.hand)
    return f"{number:<5}{row.kind.replace('_', ' '):<14}{cells}"


def draw_report(course: Course, proof: Proof, place: Place, columns: int, ink: Ink) -> list[str]:
    """Return what is known of the log: whether it is whole, what is hidden, what an audit found."""
    lines = [ink.strong(f"The log: {proof.verdict}")]
    wrong, broken = ink.alarm("✗" if ink.symbols else "!"), course.replay.broken
    if broken is not None:
        lines += ["", *_flowed(f"What came before is shown: {broken}.", columns, wrong)]
    origin = describe_origin(course.at(place.seq).match)
    if origin is not None:
        lines += ["", *_flowed(origin, columns)]
    if course.hidden is not None:
        lines += ["", *_flowed(course.hidden, columns)]
    if proof.checks:
        lines.append("")
    for check in proof.checks:
        start = f"{check.sign:<7} {check.name:<10} {check.count:>6}  "
        detail = wrap(clean(check.detail), max(20, columns - len(start)))
        lines += [
            f"{start if number == 0 else ' ' * len(start)}{line}"
            for number, line in enumerate(detail)
        ]
    for finding in proof.findings:
        told = f"event {finding.seq}: {clean(finding.told(place.perspective))}"
        lines += ["", *_flowed(told, columns, wrong)]
    for remark in proof.remarks:
        lines += ["", *_flowed(clean(remark), columns)]
    return lines


def _flowed(text: str, columns: int, mark: str = " ") -> Iterator[str]:
    for number, line in enumerate(wrap(text, max(20, columns - 2))):
        yield f"{mark if number == 0 else ' '} {line}"


_HELP = (
    ("left, right", "an event back, on; also h, l, and up, down"),
    ("home, end", "the first, the last event"),
    ("page up, down", "as many events as the list shows"),
    ("space", "play by itself, and stop; + and - change the pace"),
    ("p, n", "the previous, the next hand"),
    ("shift+k, k", "the last, the next knock"),
    ("f", "the next fault that the audit has found"),
    ("g", "go to an event by its number"),
    ("", ""),
    ("v, tab", "whose eyes: all cards, either player, everybody"),
    ("a, 0, 1, e", "all cards, seat 0, seat 1, everybody"),
    ("4", "four colours, one for each suit"),
    ("", ""),
    ("s", "the score sheet up to here"),
    ("r", "what the audit of the log has found"),
    ("y", "copy the event's address: its number and its line's hash"),
    ("?, q", "this help; leave"),
    ("", ""),
    ("on the table", "* just drawn, + laid off, ?? not known"),
    ("in the pile", "* lies on top, - was taken"),
    ("the mouse", "presses whatever a key does, and goes to any move"),
)


def draw_help(ink: Ink) -> list[str]:
    """Return what the keys do, and what the marks mean."""
    hidden = "▒▒" if ink.symbols else "??"
    return [
        f"{ink.strong(key)}{' ' * (15 - len(key))}{text.replace('??', hidden)}".rstrip()
        for key, text in _HELP
    ]

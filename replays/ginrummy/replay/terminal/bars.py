"""Lines that are pressed as well as read: whose eyes, the way through the match, the keys.

A bar knows what each of its columns does, by the names of the application's actions.
"""

from collections.abc import Iterable, Sequence

import msgspec

from ginrummy.replay.about import describe_clock, title_of
from ginrummy.replay.ink import Ink, clip, cut, spread, width
from ginrummy.replay.jumps import hand_at
from ginrummy.replay.terminal.course import Course, Place
from ginrummy.replay.words import describe_rules, name_of
from ginrummy.rules.view import Perspective

__all__ = ["Bar", "Spot", "draw_keys", "draw_title", "draw_views", "draw_way", "seq_on_way"]


class Spot(msgspec.Struct, frozen=True):
    """Columns of a bar that do something."""

    first: int
    after: int
    """The first column that is not part of it any more."""
    action: str


class Bar(msgspec.Struct, frozen=True):
    """A line of text, and what pressing it does."""

    text: str
    spots: tuple[Spot, ...] = ()

    def action_at(self, column: int) -> str | None:
        """Return what pressing a column does; None for nothing."""
        hit = (spot.action for spot in self.spots if spot.first <= column < spot.after)
        return next(hit, None)


def _in_a_row(items: Iterable[tuple[str, str]], between: str, columns: int) -> Bar:
    """Return labels beside each other, as many as fit, each with its action."""
    text, spots = "", []
    for label, action in items:
        start = width(text) + (width(between) if text else 0)
        if start + width(label) > columns:
            break
        text = f"{text}{between}{label}" if text else label
        spots.append(Spot(start, start + width(label), action))
    return Bar(text, tuple(spots))


# --- above the table ----------------------------------------------------------------------------


def draw_title(course: Course, place: Place, columns: int, ink: Ink) -> str:
    """Return a line that says which match and which event it is."""
    match = course.at(place.seq).match
    where = f"event {place.seq} of {course.last}"
    span = hand_at(course.replay, place.seq)
    if span is not None:
        where = f"hand {span.number}, {where}"
    terms = match.terms
    room = max(0, columns - len(where) - 2)
    title = cut(title_of(match), room)
    about = [describe_rules(terms.rules), describe_clock(terms.clock)]
    between = " · " if ink.symbols else ", "
    more = "".join(f"{between}{each}" for each in about)
    if width(title) + width(more) > room:
        more = f"{between}{about[0]}"
    if width(title) + width(more) > room:
        more = ""
    return clip(spread(ink.strong(title) + ink.faint(more), where, columns), columns)


def draw_views(course: Course, place: Place, status: str, columns: int, ink: Ink) -> Bar:
    """Return a bar with the perspectives at its left end and a status at its right."""
    match = course.at(place.seq).match

    def label(view: Perspective) -> str:
        if view == "full":
            name = "All cards" if course.hidden is None else "All that is out"
        else:
            name = "Everybody" if view == "public" else cut(name_of(match.seats, view), 14)
        # Without colours the brackets tell.
        return ink.chosen(f"[{name}]") if view == place.perspective else f" {name} "

    room = columns - width(status) - 1
    bar = _in_a_row(((label(view), f"eyes('{view}')") for view in course.views), "", room)
    if course.views == ("public",) and course.hidden is not None:
        more = ink.faint(" no deck is out yet; r says why")
        if width(bar.text) + width(more) <= room:
            bar = Bar(bar.text + more, bar.spots)
    end = Spot(columns - width(status), columns, "report")
    return Bar(clip(spread(bar.text, status, columns), columns), (*bar.spots, end))


# --- the way through the match ------------------------------------------------------------------


def draw_way(course: Course, seq: int, columns: int, ink: Ink) -> Bar:
    """Return a bar across for the whole match, with its hands and where the reader is."""
    past, future, hand, here = "━─┼●" if ink.symbols else "=-+O"
    cells = [past if _column(course, seq, columns) > at else future for at in range(columns)]
    for span in course.replay.hands:
        cells[_column(course, span.first, columns)] = hand
    at = _column(course, seq, columns)
    before, after = "".join(cells[:at]), "".join(cells[at + 1 :])
    spots = (Spot(each, each + 1, f"way({each})") for each in range(columns))
    return Bar(f"{before}{ink.strong(here)}{ink.faint(after)}", tuple(spots))


def _column(course: Course, seq: int, columns: int) -> int:
    return (seq - 1) * (columns - 1) // max(1, course.last - 1)


def seq_on_way(course: Course, column: int, columns: int) -> int:
    """Return the event that a column of that line stands for, the first where it is of several."""
    seq = 1 + -(-column * (course.last - 1) // max(1, columns - 1))
    return max(1, min(seq, course.last))


# --- the keys -----------------------------------------------------------------------------------

_KEYS: Sequence[tuple[str, str, str]] = (
    # The key, what it does, and the action; those that matter most first.
    ("space", "play", "play"),
    ("n", "hand", "next_hand"),
    ("k", "knock", "next_knock"),
    ("v", "eyes", "other_eyes"),
    ("g", "go to", "ask"),
    ("s", "sheet", "sheet"),
    ("r", "proof", "report"),
    ("y", "copy", "copy"),
)
_ALWAYS: Sequence[tuple[str, str, str]] = (("?", "help", "help"), ("q", "quit", "leave"))


def draw_keys(columns: int, ink: Ink, *, is_playing: bool) -> Bar:
    """Return a bar with what the keys do, as many of them as fit."""

    def labels(keys: Sequence[tuple[str, str, str]]) -> list[tuple[str, str]]:
        return [
            (f"{ink.strong(key)} {'stop' if is_playing and name == 'play' else name}", action)
            for key, name, action in keys
        ]

    end = _in_a_row(labels(_ALWAYS), "  ", columns)
    room = columns - width(end.text) - 2
    back, on = ("←", "→") if ink.symbols else ("left", "right")
    steps = [(ink.strong(back), "step(-1)"), (f"{ink.strong(on)} step", "step(1)")]
    start = _in_a_row([*steps, *labels(_KEYS)], "  ", max(0, room))
    offset = columns - width(end.text)
    moved = (Spot(spot.first + offset, spot.after + offset, spot.action) for spot in end.spots)
    return Bar(spread(start.text, end.text, columns), (*start.spots, *moved))

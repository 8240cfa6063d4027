"""A replay as its reader goes through it: where they are, and the list of all its moves.

The list has a row for each event, a heading ahead of each hand, and, where the log cannot be
followed to its end, a row that says so. Rows are numbers, worked out when they are looked at: a
long match has many.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from ginrummy.replay.about import why_hidden
from ginrummy.replay.notes import Note
from ginrummy.replay.stepping import HandSpan, Position, Replay, ReplayError
from ginrummy.rules.view import Perspective

__all__ = ["VIEWS", "Course", "Place", "Row"]

VIEWS: tuple[Perspective, ...] = ("full", 0, 1, "public")
"""All perspectives, in the order in which a key goes through them."""


class Place(msgspec.Struct, frozen=True):
    """Where a reader is in a replay, and whose eyes they see it with."""

    seq: int
    perspective: Perspective


Row: TypeAlias = HandSpan | int | ReplayError
"""A row of the list: the heading of a hand, an event's number, or why there are no more."""


class Course:
    """A match to be read."""

    def __init__(self, replay: Replay, notes: Sequence[Note] = ()) -> None:
        """Take a replay, and what somebody has to say about its events."""
        self.replay = replay
        self.notes: dict[int, list[str]] = {}
        """What is to be said of events, by their numbers."""
        for note in notes:
            self.notes.setdefault(note.seq, []).append(note.text)
        is_open = any(span.is_open for span in replay.hands)
        self.views: tuple[Perspective, ...] = VIEWS if is_open else ("public",)
        """The perspectives that there are: a log that opens no deck has everybody's alone."""
        self.hidden = why_hidden(replay.at(replay.last).match, replay.hands)
        """Why there are cards that even the log does not give away; None where all are out."""
        # The row of each hand's heading: every heading before it has pushed it down.
        self._headings = [span.first - 1 + index for index, span in enumerate(replay.hands)]

    @property
    def last(self) -> int:
        """The number of the last event that can be shown."""
        return self.replay.last

    @property
    def rows(self) -> int:
        """How many rows the list of moves has."""
        return self.last + len(self._headings) + (self.replay.broken is not None)

    def at(self, seq: int) -> Position:
        """Return the position after an event."""
        return self.replay.at(seq)

    def place(self, seq: int, perspective: Perspective) -> Place:
        """Return the place nearest to what is wanted that there is."""
        seen = perspective if perspective in self.views else self.views[0]
        return Place(max(1, min(seq, self.last)), seen)

    def other_eyes(self, place: Place) -> Place:
        """Return the same event, seen with the next one's eyes."""
        index = self.views.index(place.perspective) + 1
        return Place(place.seq, self.views[index % len(self.views)])

    def row_of(self, seq: int) -> int:
        """Return the row that an event is in."""
        return seq - 1 + bisect_right(self.replay.hands, seq, key=lambda span: span.first)

    def row(self, number: int) -> Row:
        """Return what is in a row; rows are counted from 0."""
        above = bisect_right(self._headings, number)
        if above and self._headings[above - 1] == number:
            return self.replay.hands[above - 1]
        seq = number - above + 1
        if seq > self.last and self.replay.broken is not None:
            return self.replay.broken
        return seq

    def seq_in(self, number: int) -> int:
        """Return the event that a row leads to: a hand's heading to its deal."""
        found = self.row(max(0, min(number, self.rows - 1)))
        if isinstance(found, HandSpan):
            return found.first
        return self.last if isinstance(found, ReplayError) else found

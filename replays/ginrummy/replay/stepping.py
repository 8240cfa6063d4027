"""A stored match, position by position.

    lines -> read_line -> Fold.add -> Position, one after each event

The fold is the one that live play uses. A log whose secrets are out replays with all cards; one
whose are not, with those that everybody has seen.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator

import msgspec

from ginrummy.log.errors import LineError
from ginrummy.log.fold import Decks, Fold, Secrets, shuffle_for
from ginrummy.log.lines import MatchLine, read_line
from ginrummy.log.reveals import revealed_secrets
from ginrummy.replay.sheet import ScoreSheet
from ginrummy.rules.events import HandDealt, Knocked
from ginrummy.rules.match import Match, Playing

__all__ = ["HandSpan", "NoSuchPositionError", "Position", "Replay", "ReplayError", "positions"]

_STRIDE = 64
"""Positions from one that is kept to the next; those between are folded again when wanted."""

_READY = 8
"""So many strides are kept folded, those that were wanted last: a reader goes to and fro."""


class ReplayError(Exception):
    """A log that cannot be followed past some event. What came before it can be shown."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"the log cannot be followed past event {seq}: {why}")
        self.seq = seq
        """The last event that could be followed; 0 for none."""
        self.why = why


class NoSuchPositionError(Exception):
    """A position that the log does not have."""


class Position(msgspec.Struct, frozen=True):
    """A match as it stood after one of its events."""

    line: MatchLine
    """The event."""
    before: Match | None
    """The match ahead of it; None for the first."""
    match: Match
    """The match after it."""


class HandSpan(msgspec.Struct, frozen=True):
    """Where a hand lies in its match's log."""

    number: int
    first: int
    """The number of the event that dealt it."""
    last: int
    """The number of its last event, or of the log's last where it goes on."""
    is_open: bool
    """Its deck is known, and with it every card."""


def positions(
    lines: Iterable[bytes], secrets: Secrets | None = None, decks: Decks = shuffle_for
) -> Iterator[Position]:
    """Yield the position after each event of a match's lines, with as many cards as are known.

    `secrets` says which decks are: `revealed_secrets(lines)`, an operator's own, or none; `decks`
    is for whoever has to go on past a hand that was not dealt from its deck. Nothing is passed
    over: raises ReplayError at a line that cannot be read, is missing, or cannot follow.
    """
    yield from _follow(Fold(secrets, decks), lines)


def _follow(fold: Fold, lines: Iterable[bytes]) -> Iterator[Position]:
    stream: str | None = None
    for raw in lines:
        before = fold.match
        try:
            line = read_line(raw)
            if line.seq != fold.seq + 1:
                raise ReplayError(fold.seq, f"event {line.seq} comes next")
            if line.stream != (stream or line.stream):
                raise ReplayError(fold.seq, f"the next line is of {line.stream}")
            match = fold.add(line)
        except LineError as error:
            raise ReplayError(fold.seq, error.what) from error
        except ValueError as error:
            raise ReplayError(fold.seq, str(error)) from error
        stream = line.stream
        yield Position(line, before, match)


class Replay:
    """A match to step through in any order."""

    def __init__(self, lines: Iterable[bytes], secrets: Secrets | None = None) -> None:
        """Take all lines of a match; without `secrets`, its decks are known as far as it tells.

        Raises ReplayError where not even the first line can be followed.
        """
        self.lines = tuple(lines)
        """The match's lines, those that cannot be followed too."""
        self._secrets = secrets or revealed_secrets(self.lines)
        self._kept: list[Position] = []
        self._ready: OrderedDict[int, tuple[Position, ...]] = OrderedDict()
        self.last = 0
        """The number of the last event that can be shown."""
        self.broken: ReplayError | None = None
        """What keeps the replay from the log's end; None where nothing does."""
        dealt: list[tuple[int, int, bool]] = []
        knocks: list[int] = []
        sheet = ScoreSheet()
        try:
            for position in positions(self.lines, self._secrets):
                self.last, event = position.line.seq, position.line.event
                sheet.add(self.last, event, position.match)
                if self.last % _STRIDE == 1:
                    self._kept.append(position)
                if isinstance(event, HandDealt):
                    dealt.append((event.hand, self.last, _is_open(position.match)))
                elif isinstance(event, Knocked):
                    knocks.append(self.last)
        except ReplayError as error:
            self.broken = error
        if not self.last:
            raise self.broken or ReplayError(0, "there is no line in it")
        ends = [*(first - 1 for _, first, _ in dealt), self.last][1:]
        self.hands = tuple(
            HandSpan(number, first, last, is_open)
            for (number, first, is_open), last in zip(dealt, ends, strict=True)
        )
        """The hands that were dealt, in their order."""
        self.knocks = tuple(knocks)
        """The numbers of the events that are a knock, gin and big gin included."""
        self.sheet = tuple(sheet.rows)
        """What each hand, and each ruling, has changed of the score."""

    def at(self, seq: int) -> Position:
        """Return the position after event `seq`. Raises NoSuchPositionError."""
        if not 1 <= seq <= self.last:
            raise NoSuchPositionError(f"there is no event {seq}: they go from 1 to {self.last}")
        return next(self.between(seq, seq))

    def between(self, first: int, last: int) -> Iterator[Position]:
        """Yield the positions from after event `first` to after event `last`."""
        for number in range((first - 1) // _STRIDE, (last - 1) // _STRIDE + 1):
            for position in self._stride(number):
                if first <= position.line.seq <= last:
                    yield position

    def _stride(self, number: int) -> tuple[Position, ...]:
        """Return the positions from one that is kept up to the next, folded now or lately."""
        if number in self._ready:
            self._ready.move_to_end(number)
            return self._ready[number]
        kept = self._kept[number]
        fold = Fold(self._secrets)
        fold.adopt(kept.line, kept.match)
        end = min(kept.line.seq - 1 + _STRIDE, self.last)
        found = (kept, *_follow(fold, self.lines[kept.line.seq : end]))
        self._ready[number] = found
        if len(self._ready) > _READY:
            self._ready.popitem(last=False)
        return found

    def hand(self, number: int) -> HandSpan:
        """Return where a hand lies. Raises NoSuchPositionError."""
        for span in self.hands:
            if span.number == number:
                return span
        dealt = f"the last one dealt is {self.hands[-1].number}" if self.hands else "none was dealt"
        raise NoSuchPositionError(f"there is no hand {number}: {dealt}")


def _is_open(match: Match) -> bool:
    """Say whether the deck of the hand that is played is known."""
    return isinstance(match, Playing) and match.hand.layout.dealt.deck is not None

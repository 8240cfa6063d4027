"""The hands of a match's log, each with the steps in which it was played."""

from collections.abc import Iterable

import msgspec

from ginrummy.analysis.errors import BrokenLogError
from ginrummy.log.errors import LineError
from ginrummy.log.fold import Fold, Secrets
from ginrummy.log.lines import MatchLine, read_line
from ginrummy.log.reveals import revealed_secrets
from ginrummy.rules.events import Event, HandDealt
from ginrummy.rules.hand import Hand
from ginrummy.rules.match import Match, Playing, Seats

__all__ = ["LoggedHand", "LoggedMatch", "Step", "read_match"]


class Step(msgspec.Struct, frozen=True):
    """An event of a hand, and the hand ahead of it."""

    seq: int
    event: Event
    before: Hand
    by_server: bool
    """The server did it, for a player who is away, or because a fork takes it over."""


class LoggedHand(msgspec.Struct, frozen=True):
    """A hand of a log, with every card where its deck is known."""

    stream: str
    number: int
    first: int
    """The number of the event that dealt it."""
    begun: Hand
    """As it was dealt."""
    steps: tuple[Step, ...]
    over: bool


class LoggedMatch(msgspec.Struct, frozen=True):
    """A match of a log, hand by hand."""

    stream: str
    seats: Seats
    hands: tuple[LoggedHand, ...]


class _Pages:
    """The hands as they are read."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.hands: list[LoggedHand] = []
        self._begun: tuple[int, Hand] | None = None
        self._steps: list[Step] = []

    def add(self, line: MatchLine, before: Match | None, after: Match) -> None:
        seq, event = line.seq, line.event
        if isinstance(event, HandDealt) and isinstance(after, Playing):
            self._begun, self._steps = (seq, after.hand), []
        elif isinstance(before, Playing):
            self._steps.append(Step(seq, event, before.hand, line.by == "server"))
            if not isinstance(after, Playing):
                self.close(over=True)

    def close(self, *, over: bool) -> None:
        if self._begun is not None:
            first, begun = self._begun
            number = begun.layout.dealt.number
            steps = tuple(self._steps)
            self.hands.append(LoggedHand(self.stream, number, first, begun, steps, over))
            self._begun = None


def read_match(lines: Iterable[bytes], secrets: Secrets | None = None) -> LoggedMatch:
    """Read a match's lines, with as many cards as `secrets`, or else the lines, give away.

    Raises BrokenLogError for lines that cannot be followed.
    """
    kept = tuple(lines)
    fold = Fold(secrets or revealed_secrets(kept))
    pages = _Pages("")
    for raw in kept:
        before = fold.match
        try:
            line = read_line(raw)
            if line.seq != fold.seq + 1 or line.stream != (pages.stream or line.stream):
                raise BrokenLogError(
                    fold.seq, f"the next line is event {line.seq} of {line.stream}"
                )
            pages.stream = line.stream
            after = fold.add(line)
        except LineError as error:
            raise BrokenLogError(fold.seq, error.what) from error
        except ValueError as error:
            raise BrokenLogError(fold.seq, str(error)) from error
        pages.add(line, before, after)
    pages.close(over=False)
    if fold.match is None:
        raise BrokenLogError(0, "there is no line in it")
    return LoggedMatch(pages.stream, fold.match.seats, tuple(pages.hands))

"""Lines to store, stores that fail when told to, and a check of a whole log from its bytes."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, Protocol

import msgspec
from sqlite_utils import Database

from ginrummy.log.lines import AnyLine, read_line, write_line
from ginrummy.log.upcast import Forms
from ginrummy.rules.cards import BySeat, Card, Seat
from ginrummy.rules.events import (
    Event,
    HandDealt,
    HandScored,
    HandVoided,
    Limits,
    MatchCreated,
    MatchEnded,
    PlayerJoined,
    StockDrawn,
)
from ginrummy.rules.ruleset import Ruleset
from ginrummy.store import (
    Append,
    Head,
    MatchQuery,
    MemoryStore,
    SqliteStore,
    Store,
    StoreFailedError,
)

NEW = Head()
"""The head of a stream that nobody has written to."""

NOBODY: BySeat[str | None] = BySeat(None, None)

START = 1_796_000_000_000_000
"""An instant late in 2026."""

Fault = Literal["before", "after"] | None
"""Whether the next commit fails, and on which side of the point of no return."""


class FaultyStore(Store, Protocol):
    """A store whose next commits can be made to fail."""

    fault: Fault


class FaultySqliteStore(SqliteStore):
    fault: Fault = None

    def _commit(self, db: Database, last: str = "COMMIT", values: Sequence[str | int] = ()) -> None:
        if self.fault == "before":
            raise sqlite3.OperationalError("disk I/O error")
        super()._commit(db, last, values)
        if self.fault == "after":
            raise sqlite3.OperationalError("disk I/O error")


class FaultyMemoryStore(MemoryStore):
    fault: Fault = None

    def _commit(self, lines: list[AnyLine]) -> None:
        if self.fault == "before":
            raise StoreFailedError("memory is full")
        super()._commit(lines)
        if self.fault == "after":
            raise StoreFailedError("memory is full")


def written(stream: str, events: Iterable[Event], onto: Head = NEW, cmd: str = "") -> Append:
    """Return the append that records the events, a second apart, after the head `onto`."""
    lines: list[AnyLine] = []
    head = onto
    for event in events:
        at = START + head.seq * 1_000_000
        lines.append(write_line(stream, head.seq + 1, at, "server", cmd, event, head.hash))
        head = Head(lines[-1].seq, lines[-1].hash)
    return Append(stream, onto.seq, tuple(lines))


class Opened(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of another kind of stream."""

    title: str


class Welcomed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another one, under a name that a match's event has as well."""

    entrant: str


OTHER_FORMS: Forms[Opened | Welcomed] = Forms({"opened": Opened, "player_joined": Welcomed})
"""The forms of a stream that is no match, as a tournament's is none."""


def other_stream(stream: str) -> Append:
    """Return the lines of a stream that is no match."""
    first = write_line(stream, 1, START, "p_ann", "", Opened("Cup"), NEW.hash, forms=OTHER_FORMS)
    second = write_line(
        stream, 2, START, "p_ben", "", Welcomed("p_ben"), first.hash, forms=OTHER_FORMS
    )
    return Append(stream, 0, (first, second))


def moves(stream: str, count: int = 1, onto: Head = NEW, cmd: str = "") -> Append:
    """Return an append of `count` draws."""
    return written(stream, [StockDrawn(0)] * count, onto, cmd)


def stored(store: Store, append: Append) -> Head:
    """Append, and return the head; a conflict fails the test."""
    (outcome,) = store.append([append])
    assert isinstance(outcome, Head), outcome
    return outcome


# --- matches ------------------------------------------------------------------------------------


def created(name: str = "", kept: BySeat[str | None] = NOBODY) -> Event:
    return MatchCreated(
        rules=Ruleset(),
        clock=None,
        limits=Limits(),
        reveal="match",
        commitment="ab" * 32,
        chain=1000,
        board=None,
        first_dealer=None,
        seats=kept,
        name=name,
    )


def joined(seat: Seat, player: str) -> Event:
    return PlayerJoined(seat, player, player.title(), "cd" * 32, "player")


def dealt(hand: int) -> Event:
    return HandDealt(hand, 0, Card("7H"))


def scored(hand: int, winner: Seat, points: int) -> Event:
    return HandScored(hand, "knock", winner, points, BySeat(0, points), points, 0, doubled=False)


def ended(winner: Seat | None, points: BySeat[int], hands_won: BySeat[int]) -> Event:
    return MatchEnded(
        reason="target" if winner is not None else "hands",
        winner=winner,
        points=points,
        hands_won=hands_won,
        game_bonus=BySeat(0, 0),
        box_bonus=BySeat(0, 0),
        doubled=False,
        totals=BySeat(points[0] + 100, points[1]),
    )


def whole_match(players: tuple[str, str], name: str = "") -> list[Event]:
    """Return the events of a match that seat 0 wins, moves among them."""
    first, second = players
    return [
        created(name),
        joined(0, first),
        joined(1, second),
        dealt(1),
        StockDrawn(1),
        scored(1, 0, 60),
        dealt(2),
        HandVoided(2, "stock"),
        dealt(3),
        StockDrawn(0),
        scored(3, 1, 12),
        dealt(4),
        scored(4, 0, 45),
        ended(0, BySeat(105, 12), BySeat(2, 1)),
    ]


# --- the whole store ----------------------------------------------------------------------------


def check_log(store: Store) -> dict[str, int]:
    """Check every line of every stream from its bytes; return how many lines each stream has.

    The same lines must come by stream and by position, linked, numbered without holes.
    """
    heads: dict[str, Head] = {}
    last = 0
    for position, raw in everything(store):
        assert position > last
        last = position
        line = read_line(raw)
        assert Head(line.seq - 1, line.prev) == heads.get(line.stream, NEW)
        heads[line.stream] = Head(line.seq, line.hash)
    assert last == store.last_position()
    assert list(store.streams()) == sorted(heads)
    for stream, head in heads.items():
        assert store.head(stream) == head
        assert len(list(store.read(stream))) == head.seq
    return {stream: head.seq for stream, head in heads.items()}


def everything(store: Store) -> Iterator[tuple[int, bytes]]:
    after = 0
    while page := store.read_all(after, 100):
        yield from page
        after = page[-1][0]


def rows(store: Store) -> tuple[object, ...]:
    """Return all projected rows."""
    return store.matches(MatchQuery(size=10_000)), store.results(), store.records()


def sqlite_files(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}*"))

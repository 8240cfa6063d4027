"""Databases as they are after years: with many matches that are over, and many that are not.

A match that is not over is played, by the tables themselves. One that is over is a copy, under an
id of its own and with links and hashes of its own, of one that was played: so a million lines take
half a minute. The copies' decks are not those committed to, which no benchmark here looks at.
"""

import asyncio
import os
import random
import time
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import msgspec

from ginrummy.log.ids import ID_ENTROPY, match_id
from ginrummy.log.lines import GENESIS
from ginrummy.rules import hand as hands
from ginrummy.rules.cards import BySeat
from ginrummy.rules.commands import Play, Resign
from ginrummy.rules.match import Playing
from ginrummy.rules.ruleset import Ruleset
from ginrummy.store import GroupCommit, SqliteStore, Store
from ginrummy.store.schema import connect
from ginrummy.tables.room import CardRoom, NewMatch
from ginrummy.tables.table import Request, Table

__all__ = ["LINES_OF_A_FINISHED_MATCH", "fill", "move_at", "room_on", "seated"]

_PLAYERS = BySeat(BySeat("p_" + "1" * 26, "Ann"), BySeat("p_" + "2" * 26, "Ben"))
_ENDLESS = NewMatch(rules=Ruleset(hands=1000))
"""Matches that no player ends by winning them."""

_MOVES = 12
"""Moves that a match which is not over has seen."""

_AT_ONCE = 256
_A_BATCH = 2_000

_INSERT = "INSERT INTO events (stream, seq, hash, line) VALUES (?, ?, ?, ?)"

LINES_OF_A_FINISHED_MATCH = 9


def fill(path: Path, *, finished: int, still_open: int) -> list[str]:
    """Make a database with so many matches, and return the ids of those that are not over."""
    with closing(SqliteStore(path)) as store:
        asyncio.run(_finish_one(store))
        made = asyncio.run(_play(store, still_open))
    if finished > 1:
        _copy(path, finished - 1)
    return made


def room_on(store: Store, commits: GroupCommit) -> CardRoom:
    """Return the tables of a server on a store."""
    return CardRoom(store, commits, lambda: time.time_ns() // 1000, os.urandom)


async def seated(room: CardRoom) -> Table:
    """Return a new table at which the first hand is dealt."""
    table = await room.create(_PLAYERS[0][0], _ENDLESS)
    for player in _PLAYERS:
        await room.join(table.match_id, player, None, None)
    return table


async def move_at(table: Table, rng: random.Random) -> None:
    """Make a move at random, a knock where there is one."""
    assert isinstance(table.match, Playing)
    seat = hands.to_move(table.match.hand)
    assert seat is not None
    legal = hands.legal_moves(table.match.hand)
    move = legal[-1] if len(legal) > 11 else rng.choice(legal)
    request_id = f"{table.seq:x}-{rng.getrandbits(64):x}"
    await table.act(Request(_PLAYERS[seat][0], Play(seat, move), request_id, table.seq))


async def _finish_one(store: Store) -> None:
    async with GroupCommit(store) as commits:
        room = room_on(store, commits)
        table = await seated(room)
        await table.act(Request(_PLAYERS[0][0], Play(0, Resign()), "gone"))
        await room.close()


async def _play(store: Store, matches: int) -> list[str]:
    """Begin matches, make some moves at each, and leave them as a server that stops does."""
    rng = random.Random(1)
    made: list[str] = []

    async def begin(room: CardRoom) -> None:
        table = await seated(room)
        for _ in range(_MOVES):
            await move_at(table, rng)
        made.append(table.match_id)

    async with GroupCommit(store) as commits:
        room = room_on(store, commits)
        for first in range(0, matches, _AT_ONCE):
            await asyncio.gather(
                *(begin(room) for _ in range(first, min(first + _AT_ONCE, matches)))
            )
        await room.close()
    return made


def _copy(path: Path, copies: int) -> None:
    """Store the first match of a database so many times more."""
    with closing(SqliteStore(path)) as store:
        stream = msgspec.json.decode(store.read_all(0, 1)[0][1])["stream"]
        model = list(store.read(stream))
    assert len(model) == LINES_OF_A_FINISHED_MATCH
    with closing(connect(path)) as db:
        db.execute("PRAGMA synchronous = OFF")
        lines: list[tuple[str, int, str, str]] = []
        for number in range(1, copies + 1):
            lines += _copied(model, stream.encode())
            if len(lines) >= _A_BATCH or number == copies:
                db.execute("BEGIN")
                db.conn.executemany(_INSERT, lines)
                db.execute("COMMIT")
                lines.clear()
    with closing(SqliteStore(path)) as store:
        store.rebuild()


def _copied(model: list[bytes], stream: bytes) -> Iterator[tuple[str, int, str, str]]:
    """Yield the lines of a copy with an id of its own, as they are inserted."""
    named = match_id(os.urandom(ID_ENTROPY))
    prev = GENESIS
    for seq, raw in enumerate(model, start=1):
        # A line ends with the hash of the one before, and an id stands in it once.
        line = raw[:-66].replace(stream, named.encode(), 1) + f'{prev}"}}'.encode()
        prev = sha256(line).hexdigest()
        yield named, seq, prev, line.decode()

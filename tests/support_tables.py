"""A card room with a clock that tests set, and players who play at random."""

import hashlib
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

from ginrummy.rules import hand as hands
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.commands import Move, Play, RevealNonce
from ginrummy.rules.match import Ended, Playing
from ginrummy.rules.ruleset import PRESETS, Ruleset
from ginrummy.store import GroupCommit, MemoryStore, Store
from ginrummy.tables.room import CardRoom, NewMatch
from ginrummy.tables.table import Request, Step, Table

ALICE = BySeat("p_alice", "Alice")
BOB = BySeat("p_bob", "Bob")
PLAYERS = BySeat(ALICE, BOB)
NONCES = BySeat(b"a" * 16, b"b" * 16)
START = 1_700_000_000_000_000

SHORT = Ruleset(target=10)
"""A match that is over after a hand or two."""


class Clock:
    """A clock that goes where it is told."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        self.now += 1000
        return self.now


def entropy(seed: int) -> Callable[[int], bytes]:
    """Return a source of bytes that are the same in every run."""
    return random.Random(seed).randbytes


@asynccontextmanager
async def card_room(
    store: Store | None = None, clock: Callable[[], int] | None = None, seed: int = 1
) -> AsyncIterator[CardRoom]:
    """Open a card room, started, and close it after use."""
    kept = store or MemoryStore()
    async with GroupCommit(kept) as commits:
        room = CardRoom(kept, commits, clock or Clock(), entropy(seed))
        try:
            await room.start()
            yield room
        finally:
            await room.close()


async def seated(room: CardRoom, wish: NewMatch | None = None) -> Table:
    """Return a table with Alice and Bob seated, their nonces not yet revealed."""
    table = await room.create(ALICE[0], wish or NewMatch(rules=PRESETS["standard"]))
    for player, nonce in zip(PLAYERS, NONCES, strict=True):
        commitment = hashlib.sha256(nonce).hexdigest()
        await room.join(table.match_id, player, None, commitment)
    return table


async def started(room: CardRoom, wish: NewMatch | None = None) -> Table:
    """Return a table at which the first hand is dealt."""
    table = await seated(room, wish)
    for seat, player in enumerate(PLAYERS):
        reveal = RevealNonce(1 if seat else 0, NONCES[seat].hex())
        await table.act(Request(player[0], reveal))
    return table


def to_move(table: Table) -> Seat:
    """Return the seat that is to decide."""
    assert isinstance(table.match, Playing)
    seat = hands.to_move(table.match.hand)
    assert seat is not None
    return seat


def legal(table: Table) -> tuple[Move, ...]:
    """Return what the seat to move can do."""
    assert isinstance(table.match, Playing)
    return hands.legal_moves(table.match.hand)


async def move(table: Table, move: Move, cmd: str = "", seq: int | None = None) -> tuple[Step, ...]:
    """Make a move for the seat that is to decide."""
    seat = to_move(table)
    by = PLAYERS[seat][0]
    expected = table.seq if seq is None else seq
    return await table.act(Request(by, Play(seat, move), cmd, expected))


def request_ids() -> Iterator[str]:
    """Yield request ids, each new."""
    number = 0
    while True:
        number += 1
        yield f"r{number}"


async def play_on(table: Table, rng: random.Random, moves: int = 1_000_000) -> None:
    """Play at random, knocking whenever it is possible, until the end or for some moves."""
    ids = request_ids()
    for _ in range(moves):
        if isinstance(table.match, Ended):
            return
        await move(table, _eager(table, rng), f"{next(ids)}-{table.seq}")


def _eager(table: Table, rng: random.Random) -> Move:
    """Return a random move; a knock rather than a discard."""
    choices = legal(table)
    return choices[-1] if len(choices) > 11 else rng.choice(choices)

"""A tournament hall in the test's own process, with attendants that play, crash, or say nothing."""

import asyncio
import hashlib
import os
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from support_play import simple_move
from support_tables import entropy

from ginrummy.rules import hand as hands
from ginrummy.rules.cards import BySeat
from ginrummy.rules.commands import Play, Resign, RevealNonce
from ginrummy.rules.errors import IllegalMoveError
from ginrummy.rules.match import Gathering, Playing
from ginrummy.store import GroupCommit, Store
from ginrummy.tables.errors import StoppingError
from ginrummy.tables.room import CardRoom
from ginrummy.tables.table import Request
from ginrummy.tournaments.event import Boards, Tournament, TournamentTerms
from ginrummy.tournaments.event.commands import CloseRegistration, Command
from ginrummy.tournaments.event.events import EntrantKind
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.running.attendance import Call
from ginrummy.tournaments.running.desk import Act, Desk
from ginrummy.tournaments.running.hall import Entering, Hall
from ginrummy.tournaments.running.news import Over

__all__ = [
    "DIRECTOR",
    "Attendant",
    "Venue",
    "announced",
    "directed",
    "now",
    "over",
    "played",
    "quick_terms",
    "venue",
    "wait_for",
]

DIRECTOR = "p_director"


def now() -> int:
    """Return the machine's time, in microseconds."""
    return time.time_ns() // 1000


def quick_terms(**changes: object) -> TournamentTerms:
    """Return terms for a small event among bots, with short times and the given changes."""
    wanted: dict[str, object] = {
        "name": "Quick",
        "format": RoundRobin(),
        "play": Boards(boards=2),
        "reconnect_ms": 100,
        "arrival_ms": 3_000,
        **changes,
    }
    return TournamentTerms(**wanted)  # type: ignore[arg-type]


@dataclass
class Venue:
    """One server's rooms over one store."""

    store: Store
    room: CardRoom
    hall: Hall


@asynccontextmanager
async def venue(
    store: Store, seed: int | None = None, is_on_duty: Callable[[], bool] | None = None
) -> AsyncIterator[Venue]:
    """Open the rooms of a server on `store`, as at a start, and close them as at a stop.

    With a seed the server draws the same secrets in every run. Where others may be there it runs
    tournaments while `is_on_duty` says so.
    """
    drawn = os.urandom if seed is None else entropy(seed)
    async with GroupCommit(store) as commits:
        room = CardRoom(store, commits, now, drawn)
        hall = Hall(store, commits, now, drawn, room)
        await room.start()
        assert await hall.start(is_on_duty, is_shared=is_on_duty is not None) == []
        try:
            yield Venue(store, room, hall)
        finally:
            await hall.close()
            await room.close()


@dataclass
class Attendant:
    """A program that attends for one entrant, and how it behaves."""

    player: str
    tables: int = 2
    dies_after: int | None = None
    """Moves at a table after which the program is gone, with all its tables."""
    comes_back: bool = True
    """Whether it is started anew then."""
    resigns: bool = False
    is_silent: bool = False
    """It comes when it is called, and never says anything."""
    pause: float = 0.0
    """Seconds before each move."""
    heard: list[str] = field(default_factory=list)
    """The ends that it heard of: the matches it was told are over."""
    runs: int = 0

    async def attend(self, rooms: Venue, desk: Desk) -> str:
        """Attend until the tournament is over; return why it ended."""
        while True:
            self.runs += 1
            try:
                return await self._run(rooms, desk)
            except ConnectionAbortedError:
                if not self.comes_back:
                    return "gone"
                await asyncio.sleep(0.01)

    async def _run(self, rooms: Venue, desk: Desk) -> str:
        games: set[asyncio.Task[None]] = set()
        attendance = rooms.hall.attendance(desk.tournament_id)
        died = asyncio.get_running_loop().create_future()
        try:
            with attendance.attending(self.player, f"run {self.runs}", self.tables) as session:
                listening = asyncio.create_task(self._listen(rooms, desk, session, games, died))
                try:
                    await asyncio.wait((listening, died), return_when=asyncio.FIRST_COMPLETED)
                    if died.done():
                        raise ConnectionAbortedError
                    return listening.result()
                finally:
                    listening.cancel()
                    with suppress(asyncio.CancelledError, StoppingError):
                        await listening
        finally:
            for game in games:
                game.cancel()

    async def _listen(
        self,
        rooms: Venue,
        desk: Desk,
        session: object,
        games: set[asyncio.Task[None]],
        died: "asyncio.Future[None]",
    ) -> str:
        async for told in rooms.hall.news(desk, session):  # type: ignore[arg-type]
            if isinstance(told, Call):
                games.add(asyncio.create_task(self._play(rooms, told, died)))
            elif isinstance(told, Over):
                return told.reason
        return "closed"

    async def _play(self, rooms: Venue, call: Call, died: "asyncio.Future[None]") -> None:
        table = await rooms.room.table(call.match_id)
        if isinstance(table.match, Gathering):
            await self._sit_down(rooms, call)
        with table.news.attending(call.seat):
            if self.is_silent:
                await table.until_closed()
            moves = 0
            while not table.closed:
                match = table.match
                if not isinstance(match, Playing) or hands.to_move(match.hand) != call.seat:
                    await table.news.for_watcher(table.seq, table.news.presence)
                    continue
                if self.dies_after is not None and moves >= self.dies_after:
                    if not died.done():
                        died.set_result(None)
                    return
                await asyncio.sleep(self.pause)
                wish = Resign() if self.resigns else simple_move(match.hand, random.Random(0))
                with suppress(IllegalMoveError):
                    await table.act(Request(self.player, Play(call.seat, wish)))
                moves += 1
        self.heard.append(call.match_id)

    async def _sit_down(self, rooms: Venue, call: Call) -> None:
        nonce = hashlib.sha256(f"{self.player} {call.match_id}".encode()).digest()[:16]
        commitment = hashlib.sha256(nonce).hexdigest()
        table = await rooms.room.table(call.match_id)
        with suppress(IllegalMoveError):
            await rooms.room.join(call.match_id, BySeat(self.player, self.player), None, commitment)
        while isinstance(table.match, Gathering) and not all(table.match.seats):
            await table.news.for_watcher(table.seq, table.news.presence)
        with suppress(IllegalMoveError):
            await table.act(Request(self.player, RevealNonce(call.seat, nonce.hex())))


async def announced(
    rooms: Venue,
    terms: TournamentTerms,
    players: list[str],
    *,
    start: bool = True,
    kind: EntrantKind = "bot",
) -> Desk:
    """Announce a tournament, enter the players, and close registration."""
    desk = await rooms.hall.create(DIRECTOR, terms, "announce")
    for player in players:
        if not desk.tournament.has_entered(player):
            await rooms.hall.enter(desk, DIRECTOR, Entering(player, player, kind))
    if start and desk.tournament.stage == "registration":
        await directed(desk, CloseRegistration())
    return desk


async def directed(desk: Desk, command: Command) -> Tournament:
    """Carry out an act of the director's."""
    return await desk.act(Act(DIRECTOR, command))


async def played(rooms: Venue, desk: Desk, attendants: list[Attendant]) -> Tournament:
    """Let everybody attend until the tournament is over, and return it."""
    await asyncio.wait_for(
        asyncio.gather(*(each.attend(rooms, desk) for each in attendants)), _SOON
    )
    return await over(desk)


async def over(desk: Desk) -> Tournament:
    """Wait until a tournament has ended and its secrets are out, and return it."""
    await wait_for(lambda: desk.is_over)
    return desk.tournament


_SOON = 120.0
"""Seconds after which what should have happened never will."""


async def wait_for(happened: Callable[[], bool]) -> None:
    """Wait until something has happened."""
    for _ in _ticks():
        if happened():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it has not happened")


def _ticks() -> Iterator[None]:
    end = time.monotonic() + _SOON
    while time.monotonic() < end:
        yield

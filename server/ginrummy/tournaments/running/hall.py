"""The hall: all tournaments of a server, each with its desk, its attendance and its runner."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing, suppress
from typing import NamedTuple

import msgspec
import structlog

from ginrummy.log.deck import NONCE_BYTES, SECRET_BYTES, SecretChain, nonce_commitment
from ginrummy.log.errors import LineError
from ginrummy.log.ids import ID_ENTROPY, is_tournament, tournament_id
from ginrummy.rules.match import Instant
from ginrummy.store import BOARDS_SECRET, GroupCommit, Hearsay, Store, StoreError
from ginrummy.store.hearsay import Key
from ginrummy.tables.errors import CutOffError, LogDamagedError, StoppingError, TableError
from ginrummy.tables.room import CardRoom
from ginrummy.tables.table import nonce_name
from ginrummy.tournaments.errors import TournamentError
from ginrummy.tournaments.event import Tournament, TournamentTerms, read_tournament_line
from ginrummy.tournaments.event.commands import Create, Enter
from ginrummy.tournaments.event.events import EntrantKind, LotsDrawn
from ginrummy.tournaments.event.schedule import chain_length
from ginrummy.tournaments.lots import lots_commitment
from ginrummy.tournaments.running.attendance import Attendance, Session
from ginrummy.tournaments.running.desk import Act, Desk
from ginrummy.tournaments.running.errors import NoSuchTournamentError
from ginrummy.tournaments.running.news import News, news
from ginrummy.tournaments.running.pace import Progress
from ginrummy.tournaments.running.rulings import take_over
from ginrummy.tournaments.running.runner import Runner
from ginrummy.tournaments.running.secrets import LOTS_SECRET

__all__ = ["Entering", "Hall"]

_log = structlog.get_logger()


class _Running(msgspec.Struct):
    """A tournament that is not over: what it is made of in this process."""

    desk: Desk
    attendance: Attendance
    runner: Runner
    task: asyncio.Task[None] | None = None


class Entering(NamedTuple):
    """Who is to take part, and what they bring."""

    player: str
    name: str
    kind: EntrantKind
    spec: str = ""
    commitment: str | None = None
    """The commitment to a nonce in hex; None where the server draws the nonce."""
    key: str | None = None
    """The public key in hex by which the player signs on boards; None for one who does not."""


class Hall:
    """Every tournament of one server process."""

    def __init__(
        self,
        store: Store,
        commits: GroupCommit,
        clock: Callable[[], Instant],
        entropy: Callable[[int], bytes],
        room: CardRoom,
    ) -> None:
        """Take the store and its committer, the clock, random bytes, and the tables to play at."""
        self._store = store
        self._commits = commits
        self._clock = clock
        self._entropy = entropy
        self._room = room
        self._running: dict[str, _Running] = {}
        self._loading: dict[str, asyncio.Task[_Running]] = {}
        self._creating = asyncio.Lock()
        self._stopping = False
        self._is_on_duty: Callable[[], bool] = _always
        self._was_on_duty = True
        self._is_shared = False
        self._hearsay = Hearsay()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(
        self,
        is_on_duty: Callable[[], bool] | None = None,
        *,
        is_shared: bool = False,
        hearsay: Hearsay | None = None,
    ) -> list[LogDamagedError]:
        """Go on with every tournament that is not over; one that is, is read when somebody asks.

        One whose log is damaged hinders no other; the faults are returned. Of several servers that
        share the store only the one runs tournaments for which `is_on_duty` says so; by `hearsay`
        they let each other know who attends, and who is called.
        """
        if hearsay is not None:
            self._hearsay = hearsay
            hearsay.follow(self._told)
        if is_on_duty is not None:
            self._is_on_duty, self._was_on_duty = is_on_duty, is_on_duty()
            self._is_shared = is_shared
            if is_shared and self._was_on_duty:
                _log.info("runs tournaments")
            self._begin(self._mind_duty())
        return await self._go_on()

    async def _go_on(self) -> list[LogDamagedError]:
        damaged = []
        for stream in await asyncio.to_thread(_under_way, self._store):
            try:
                await self.desk(stream)
            except LogDamagedError as error:
                damaged.append(error)
        return damaged

    async def close(self) -> None:
        """Run nothing any more, and tell whoever waits to go."""
        self._stopping = True
        for minding in self._tasks:
            minding.cancel()
        for each in self._running.values():
            each.desk.close()
        tasks = [each.task for each in self._running.values() if each.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- other servers ----------------------------------------------------------------------

    def heard(self, heads: dict[str, int]) -> None:
        """Take in what other servers have stored: streams, each with its last number."""
        for stream, seq in heads.items():
            running = self._running.get(stream)
            if running is not None and running.desk.seq < seq:
                self._begin(_caught_up(running.desk))
            elif running is None and is_tournament(stream) and self._is_on_duty():
                self._begin(self._taken_up(stream))

    async def _taken_up(self, stream: str) -> None:
        """Run a tournament that was announced at another server."""
        # What fails is tried again with the next news of it, or by whoever asks.
        with suppress(StoreError, TableError):
            await self.desk(stream)

    def _told(self, stream: str, key: Key, by: str, what: str | None) -> None:
        running = self._running.get(stream)
        if running is not None:
            running.attendance.hear(key, by, what)

    def cut_off(self) -> None:
        """Run nothing, and send everybody away: nothing is heard of other servers any more."""
        self._halt()
        for each in self._running.values():
            each.desk.close(cut_off=True)
        self._running.clear()

    def back(self) -> None:
        """Do nothing: the duty comes by itself."""

    async def _mind_duty(self) -> None:
        """Run tournaments for as long as that is this server's duty."""
        while True:
            await asyncio.sleep(_LOOK_AT_DUTY)
            is_on_duty = self._is_on_duty()
            if is_on_duty and not self._was_on_duty:
                try:
                    damaged = await self._go_on()
                except StoreError as error:
                    _log.warning("tournaments not taken over", why=str(error))
                    continue
                for fault in damaged:
                    _log.error("damaged log", tournament=fault.match_id, why="gin audit says where")
                for each in list(self._running.values()):
                    self._run_if_on_duty(each)
                _log.info("runs tournaments")
            elif not is_on_duty and self._was_on_duty:
                self._halt()
            self._was_on_duty = is_on_duty

    def _halt(self) -> None:
        """Leave every tournament where it is; another server goes on with whoever attends."""
        for each in self._running.values():
            if each.task is not None:
                each.task.cancel()
                each.task = None
                each.runner = self._new_runner(each.desk, each.attendance)
                each.attendance.withdraw_calls()
                each.attendance.say_progress(None)

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- rulings ----------------------------------------------------------------------------

    async def adjust(self, match_id: str) -> None:
        """Take over into a match's tournament, if it is of one, what rulings have made of it.

        A tournament that cannot be followed hinders no ruling; it is tried again at each start.
        """
        try:
            await take_over(match_id, self._store, self.desk)
        except (LogDamagedError, TournamentError) as error:
            _log.error("ruling not taken over", match=match_id, why=str(error))

    # --- finding ----------------------------------------------------------------------------

    async def desk(self, tournament: str) -> Desk:
        """Return the desk of a tournament, loaded, its runner at work.

        Raises NoSuchTournamentError, LogDamagedError, or StoppingError.
        """
        return (await self._found(tournament)).desk

    async def all(self) -> list[Desk]:
        """Return the desks of all tournaments, the newest first, but damaged ones."""
        desks = []
        for stream in await asyncio.to_thread(lambda: list(self._store.streams("t_"))):
            try:
                desks.append(await self.desk(stream))
            except LogDamagedError as error:
                _log.error("damaged log", tournament=stream, why=str(error))
        return sorted(desks, key=lambda desk: desk.tournament.created_at, reverse=True)

    def attendance(self, tournament: str) -> Attendance:
        """Return who is there, of a tournament whose desk is open.

        Raises CutOffError where it is open no more.
        """
        running = self._running.get(tournament)
        if running is None:
            raise CutOffError
        return running.attendance

    def progress(self, tournament: str) -> Progress | None:
        """Return how far the present round has come, of a tournament whose desk is open."""
        running = self._running.get(tournament)
        if running is None:
            return None
        return running.attendance.progress if running.task is None else running.runner.progress()

    async def news(self, desk: Desk, session: Session) -> AsyncGenerator[News, None]:
        """Yield what there is for a session (`running.news.news`)."""
        async with aclosing(news(desk, session)) as told:
            async for each in told:
                yield each

    async def _found(self, tournament: str) -> _Running:
        if self._stopping:
            raise StoppingError
        found = self._running.get(tournament)
        if found is not None:
            if self._is_shared or found.desk.is_over:
                # What another server has answered holds here too, and what a ruling has changed
                # that was given with nothing but the database.
                await found.desk.catch_up()
            return found
        if not tournament.startswith("t_"):
            raise NoSuchTournamentError(tournament)
        loading = self._loading.get(tournament)
        if loading is None:
            loading = asyncio.create_task(self._load(tournament))
            self._loading[tournament] = loading
            loading.add_done_callback(lambda _: self._loading.pop(tournament, None))
        found = await asyncio.shield(loading)
        if self._is_shared:
            # What others have stored between the reading and now, nobody here was told of.
            await found.desk.catch_up()
        return found

    async def _load(self, tournament: str) -> _Running:
        desk = Desk(tournament, self._store, self._commits, self._clock)
        await desk.load()
        if not desk.seq:
            raise NoSuchTournamentError(tournament)
        return self._open(desk)

    def _open(self, desk: Desk) -> _Running:
        attendance = Attendance(desk.bell, self._clock, desk.tournament_id, self._hearsay)
        running = _Running(desk, attendance, self._new_runner(desk, attendance))
        self._running[desk.tournament_id] = running
        self._run_if_on_duty(running)
        return running

    def _new_runner(self, desk: Desk, attendance: Attendance) -> Runner:
        return Runner(desk, attendance, self._room, self._store, self._clock)

    def _run_if_on_duty(self, running: _Running) -> None:
        wanted = not running.desk.is_over and not self._stopping
        if wanted and running.task is None and self._is_on_duty():
            # Whoever was there has been waiting since now, for all that this server knows.
            running.attendance.begin_anew()
            running.task = asyncio.create_task(self._run(running))

    async def _run(self, running: _Running) -> None:
        """Keep a runner running: what fails once, as a full disk does, is tried again."""
        while True:
            try:
                await running.runner.run()
            except Exception as error:  # noqa: BLE001 -- nothing may end a tournament but itself
                _log.error(
                    "tournament halted", tournament=running.desk.tournament_id, exc_info=error
                )
                await asyncio.sleep(_AFTER_FAILURE)
                # Its tables are found in the log, and whoever was called to them is called again.
                running.attendance.begin_anew()
                running.runner = self._new_runner(running.desk, running.attendance)
            else:
                return

    # --- announcing and entering ------------------------------------------------------------

    async def create(self, by: str, terms: TournamentTerms, request_id: str = "") -> Desk:
        """Announce a tournament and return its desk.

        The same request id by the same caller gives the same tournament again, or raises
        RequestIdReusedError where the terms are others.
        """
        if self._stopping:
            raise StoppingError
        entropy = self._entropy(ID_ENTROPY)
        if request_id:
            entropy = hashlib.sha256(f"t\0{by}\0{request_id}".encode()).digest()[:ID_ENTROPY]
        stream = tournament_id(entropy)
        # Of two that ask for the same, the second finds what the first has made.
        async with self._creating:
            return await self._created(by, terms, request_id, stream)

    async def _created(self, by: str, terms: TournamentTerms, request_id: str, stream: str) -> Desk:
        boards, lots = await asyncio.to_thread(self._drawn, stream)
        length = max(1, chain_length(terms.format, terms.boards))
        chain = await asyncio.to_thread(SecretChain, boards, length)
        command = Create(terms, chain.commitment, length, lots_commitment(lots))
        try:
            desk = await self.desk(stream)
        except NoSuchTournamentError:
            desk = Desk(stream, self._store, self._commits, self._clock)
            await desk.act(Act(by, command, request_id))
            self._open(desk)
        else:
            await desk.act(Act(by, command, request_id))
        return desk

    def _drawn(self, stream: str) -> tuple[bytes, bytes]:
        """Return the boards' and the lots' secrets, kept before anything commits to them."""
        keep = self._store.keep_secret
        return (
            keep(stream, BOARDS_SECRET, self._entropy(SECRET_BYTES)),
            keep(stream, LOTS_SECRET, self._entropy(SECRET_BYTES)),
        )

    async def enter(
        self, desk: Desk, by: str, entering: Entering, request_id: str = ""
    ) -> Tournament:
        """Enter a player, and return the tournament with them in it.

        Without a commitment the server draws the player's nonce, and the log says so.
        """
        commitment = entering.commitment
        if commitment is None:
            nonce = self._entropy(NONCE_BYTES)
            commitment = nonce_commitment(nonce)
            await asyncio.to_thread(
                self._store.keep_secret, desk.tournament_id, nonce_name(commitment), nonce
            )
        command = Enter(
            entrant=entering.player,
            name=entering.name,
            kind=entering.kind,
            spec=entering.spec,
            nonce_commitment=commitment,
            nonce_by="server" if entering.commitment is None else "player",
            key=entering.key,
        )
        return await desk.act(Act(by, command, request_id))


def _under_way(store: Store) -> list[str]:
    """Return the tournaments that may have something left to do, as their last lines say."""
    return [stream for stream in store.streams("t_") if not _is_over(store, stream)]


def _is_over(store: Store, stream: str) -> bool:
    """Say whether a tournament's last line is the one after which nothing more is to be done.

    Where a ruling came later, or the line cannot be read, the whole log has to tell.
    """
    last = next(store.read(stream, store.head(stream).seq - 1))
    try:
        return isinstance(read_tournament_line(last).event, LotsDrawn)
    except LineError:
        return False


def _always() -> bool:
    return True


async def _caught_up(desk: Desk) -> None:
    # What fails is tried again with the next news, or by whoever acts.
    with suppress(StoreError, LogDamagedError):
        await desk.catch_up()


_LOOK_AT_DUTY = 0.5
"""Seconds after which it is looked whether tournaments are this server's to run."""

_AFTER_FAILURE = 1.0
"""Seconds before a runner that failed goes on."""

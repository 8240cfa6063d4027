"""The card room: all the matches of a server, opened when they are wanted.

It creates matches and seats players at them, and hands out the one `Table` a match has in this
process. At the start it opens every match that is not over, so that their clocks run.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from ginrummy.log.branching import Branch
from ginrummy.log.deck import CHAIN_LENGTH, NONCE_BYTES, SECRET_BYTES, SecretChain, nonce_commitment
from ginrummy.log.errors import LineError
from ginrummy.log.fold import Decks, shuffle_for
from ginrummy.log.ids import ID_ENTROPY, is_match, match_id_for
from ginrummy.log.ids import match_id as match_id_from
from ginrummy.log.lines import read_line
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.commands import CreateMatch, Join
from ginrummy.rules.events import (
    Board,
    Limits,
    MatchCreated,
    NonceSource,
    Origin,
    RevealPolicy,
    SigningPolicy,
    TimeControl,
)
from ginrummy.rules.match import Instant, seat_of
from ginrummy.rules.ruleset import Ruleset
from ginrummy.store import CHAIN_SECRET, GroupCommit, Store, StoreFailedError, kept_chain
from ginrummy.tables.errors import LogDamagedError, NoSuchMatchError, StoppingError
from ginrummy.tables.forks import NewFork, kept_origin
from ginrummy.tables.gallery import Gallery
from ginrummy.tables.presence import Presence
from ginrummy.tables.table import Request, Table, nonce_name

__all__ = ["DISPUTE_MS", "CardRoom", "NewMatch", "match_id_for"]

DISPUTE_MS = 86_400_000
"""How long the players of a match may dispute it, in milliseconds, unless agreed otherwise."""

_ENDED_KEPT = 64
"""Matches that are over and stay in memory for whoever asks next."""

_AGAIN = 1.0
"""Seconds after which a match that has to be woken is tried again where the store failed."""

_IDLE = 600.0
"""Seconds after which a match at which nothing happens, and nobody is, leaves memory."""


class NewMatch(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wishes a match to be."""

    rules: Ruleset
    clock: TimeControl | None = None
    limits: Limits = Limits()
    reveal: RevealPolicy = "match"
    seats: BySeat[str | None] = BySeat(None, None)
    """The players for whom seats are kept."""
    name: str = ""
    first_dealer: Seat | None = None
    """The seat that deals first; None where the deck decides it."""
    signing: SigningPolicy = "off"
    dispute_ms: int = DISPUTE_MS
    origin: Origin | None = None
    """What it branches off from."""


def _terms(wish: NewMatch, secrets: SecretChain, board: Board | None) -> MatchCreated:
    return MatchCreated(
        rules=wish.rules,
        clock=wish.clock,
        limits=wish.limits,
        reveal=wish.reveal,
        commitment=secrets.commitment,
        chain=secrets.length,
        board=board,
        first_dealer=wish.first_dealer,
        seats=wish.seats,
        name=wish.name,
        signing=wish.signing,
        dispute_ms=wish.dispute_ms,
        origin=wish.origin,
    )


class CardRoom:
    """Every match of one server process."""

    def __init__(
        self,
        store: Store,
        commits: GroupCommit,
        clock: Callable[[], Instant],
        entropy: Callable[[int], bytes],
        decks: Decks = shuffle_for,
        idle: float = _IDLE,
    ) -> None:
        """Take the store and its committer, the clock, and a source of random bytes.

        `decks` are the committed ones, unless something is rehearsed. A match that is not over
        leaves memory when for `idle` seconds nothing has happened there and nobody is connected.
        """
        self._store = store
        self._commits = commits
        self._clock = clock
        self._entropy = entropy
        self._decks = decks
        self._gallery = Gallery()
        self._tables: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self.presence = Presence(self._tables)
        """Who is connected, here and at other servers."""
        self._open: dict[str, Table] = {}
        self._asleep: dict[str, asyncio.TimerHandle | None] = {}
        """Matches that are not over and were put out of memory, each with what wakes it in time."""
        self._idle = idle
        self._waking: set[asyncio.Future[None]] = set()
        self._sweeper: asyncio.Task[None] | None = None
        self._ended: deque[Table] = deque(maxlen=_ENDED_KEPT)
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._is_shared = False
        self._stopping = False
        self._told_of_ends: list[Callable[[Table], None]] = []

    @property
    def open_matches(self) -> int:
        """How many matches are not over, in memory or put out of it."""
        return len(self._open) + len(self._asleep)

    @property
    def in_memory(self) -> int:
        """How many matches that are not over are in memory."""
        return len(self._open)

    async def start(
        self, *, is_first: bool = True, is_shared: bool = False
    ) -> list[LogDamagedError]:
        """Open every match that is not over, and let each go on.

        A match whose log is damaged stays closed and hinders no other; the faults are returned.
        Where other servers were there before, nothing was away: matches are opened as they are
        asked for. Where the store is shared with others, whoever asks for a match finds all in it
        that anybody was told of.
        """
        self._is_shared = is_shared
        damaged = []
        matches = await asyncio.to_thread(self._store.open_matches) if is_first else []
        for match_id in matches:
            try:
                await self._load(match_id, Table.resume)
            except LogDamagedError as error:
                damaged.append(error)
        self._sweeper = asyncio.create_task(self._sweep())
        return damaged

    def when_over(self, tell: Callable[[Table], None]) -> None:
        """Tell of each match that is over in this process, then and as it is opened again."""
        self._told_of_ends.append(tell)

    async def close(self) -> None:
        """Take no more commands, and put every table away."""
        self._stopping = True
        if self._sweeper is not None:
            self._sweeper.cancel()
        for waking in self._waking:
            waking.cancel()
        for alarm in self._asleep.values():
            if alarm is not None:
                alarm.cancel()
        await asyncio.gather(*(table.close() for table in list(self._tables.values())))

    async def table(self, match_id: str) -> Table:
        """Return the table of a match, loaded.

        Raises NoSuchMatchError, LogDamagedError, or StoppingError.
        """
        if self._stopping:
            raise StoppingError
        table = self._tables.get(match_id)
        if table is not None:
            if match_id in self._asleep:
                table.wake()
                self._keep(table)
            if self._is_shared:
                # What another server has answered, as that somebody has sat down, holds here too.
                head = await asyncio.to_thread(self._store.head, match_id)
                await table.caught_up(head.seq)
            return table
        # Whoever else asks meanwhile waits for the same table: a match has one in a process.
        loading = self._loading.get(match_id)
        if loading is None:
            loading = asyncio.ensure_future(self._load(match_id))
            self._loading[match_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(match_id, None))
        table = await asyncio.shield(loading)
        if self._stopping:
            raise StoppingError
        if self._is_shared:
            # What others have stored between the reading and now, nobody here was told of.
            head = await asyncio.to_thread(self._store.head, match_id)
            await table.caught_up(head.seq)
        return table

    async def _load(
        self, match_id: str, load: Callable[[Table], Awaitable[None]] = Table.load
    ) -> Table:
        secrets = await asyncio.to_thread(self._stored_secrets, match_id)
        table = self._new_table(match_id, secrets)
        await load(table)
        return self._keep(table)

    def _stored_secrets(self, match_id: str) -> SecretChain:
        """Return the chain of a match's secrets, as long as its first event says."""
        first = next(iter(self._store.read(match_id)), None) if is_match(match_id) else None
        if first is None:
            raise NoSuchMatchError(match_id)
        try:
            created = read_line(first).event
        except LineError as error:
            raise LogDamagedError(match_id, str(error)) from error
        if not isinstance(created, MatchCreated):
            raise LogDamagedError(match_id, "its first event does not create a match")
        try:
            secrets = kept_chain(self._store, match_id, created)
        except ValueError as error:
            raise LogDamagedError(match_id, str(error)) from error
        if secrets is None:
            raise LogDamagedError(match_id, "the secrets of its decks are lost")
        return secrets

    def _new_table(self, match_id: str, secrets: SecretChain) -> Table:
        return Table(
            match_id,
            self._store,
            self._commits,
            self._clock,
            secrets,
            self._over,
            self._gallery,
            self._decks,
        )

    def _keep(self, table: Table) -> Table:
        self._tables[table.match_id] = table
        self.presence.attend_to(table)
        self._not_asleep(table)
        if table.closed:
            self._ended.append(table)
        else:
            self._open[table.match_id] = table
        return table

    def _over(self, table: Table) -> None:
        self._not_asleep(table)
        if self._open.pop(table.match_id, None) is not None:
            self._ended.append(table)
        for tell in self._told_of_ends:
            tell(table)

    # --- other servers ----------------------------------------------------------------------

    def watches(self, match_id: str) -> bool:
        """Say whether a match is in memory and not over, and so has its alarm here."""
        return match_id in self._open

    def heard(self, heads: dict[str, int]) -> None:
        """Take in what other servers have stored: streams, each with its last number."""
        for stream, seq in heads.items():
            table = self._tables.get(stream)
            if table is not None and table.seq < seq:
                table.catch_up_soon(seq)

    def cut_off(self) -> None:
        """Send everybody away and hold no match any more: what others store is not heard of."""
        for table in list(self._tables.values()):
            table.abandon()
        for alarm in self._asleep.values():
            if alarm is not None:
                alarm.cancel()
        for each in (self._tables, self._open, self._asleep, self._ended):
            each.clear()

    def back(self) -> None:
        """Do nothing: matches are opened as they are asked for."""

    # --- putting away and waking ------------------------------------------------------------

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(self._idle / 4)
            self.put_idle_away()

    def put_idle_away(self) -> None:
        """Put the matches out of memory at which nothing has happened for long and nobody is.

        One whose time runs is opened again when it is over; any other when somebody asks for it.
        """
        since = self._clock() - int(self._idle * 1_000_000)
        for table in [table for table in self._open.values() if table.is_idle(since)]:
            # Whoever holds it still goes on with it, and it is found as long as they do.
            del self._open[table.match_id]
            end = table.sleep()
            self._asleep[table.match_id] = None if end is None else self._woken_after(table, end)

    def _not_asleep(self, table: Table) -> None:
        alarm = self._asleep.pop(table.match_id, None)
        if alarm is not None:
            alarm.cancel()

    def _woken_after(self, table: Table, end: Instant) -> asyncio.TimerHandle:
        seconds = max(0.0, (end - self._clock()) / 1_000_000)
        return asyncio.get_running_loop().call_later(seconds, self._wake, table.match_id)

    def _wake(self, match_id: str) -> None:
        waking = asyncio.ensure_future(self._woken(match_id))
        self._waking.add(waking)
        waking.add_done_callback(self._waking.discard)

    async def _woken(self, match_id: str) -> None:
        """Open a match whose time is over; its table does the rest."""
        while True:
            try:
                await self.table(match_id)
            except StoreFailedError:
                await asyncio.sleep(_AGAIN)
            except (LogDamagedError, NoSuchMatchError, StoppingError):
                return  # whoever asks for the match is told
            else:
                return

    # --- making and joining -----------------------------------------------------------------

    async def is_known(self, match_id: str) -> bool:
        """Say whether a match was made, here or by another server; nothing is opened for it."""
        if match_id in self._tables:
            return True
        return (await asyncio.to_thread(self._store.head, match_id)).seq > 0

    async def create(self, by: str, wish: NewMatch, request_id: str = "") -> Table:
        """Open a match and return its table.

        The same request id by the same player gives the same match again, or raises
        RequestIdReusedError where the wish is another one.
        """
        match_id = self._new_id(by, request_id)
        secrets = SecretChain(await asyncio.to_thread(self._chain_secret, match_id), CHAIN_LENGTH)
        command = CreateMatch(_terms(wish, secrets, None))
        return await self._opened(match_id, secrets, Request(by, command, request_id))

    def _new_id(self, by: str, request_id: str) -> str:
        if request_id:
            # The id follows from the request, so that a retry finds the match it made before.
            return match_id_for(by, request_id)
        return match_id_from(self._entropy(ID_ENTROPY))

    async def fork(self, by: str, at: Branch, wish: NewFork, request_id: str = "") -> Table:
        """Open a practice match that goes on where another one stood, and return its table.

        A repeated request id is answered as by `create`. Raises HiddenCardsError for a wish that
        takes cards which `at` does not know.
        """
        match_id = self._new_id(by, request_id)
        origin, position = await asyncio.to_thread(
            kept_origin, self._store, match_id, at, wish, self._entropy
        )
        last = await asyncio.to_thread(self._chain_secret, match_id)
        rules = at.terms.rules
        if at.terms.board is not None:
            # A board is one hand, and so is what goes on from it.
            rules = replace(rules, hands=1)
        new = NewMatch(
            rules=rules,
            clock=wish.clock,
            limits=wish.limits,
            reveal=wish.reveal,
            seats=wish.seats,
            name=wish.named(at),
            first_dealer=at.dealer,
            dispute_ms=0,
            origin=origin,
        )
        secrets = SecretChain(last, CHAIN_LENGTH, position)
        command = CreateMatch(_terms(new, secrets, None))
        return await self._opened(match_id, secrets, Request(by, command, request_id))

    async def open_board(
        self,
        by: str,
        wish: NewMatch,
        names: BySeat[str],
        board: Board,
        secrets: SecretChain,
        request_id: str,
    ) -> Table:
        """Open a board at a table of its own, seat both players, deal, and return the table.

        `wish` keeps both seats and leaves the reveal to a director; `names` is what the players
        are called. `secrets` are the tournament's boards', and its vault has kept them. The same
        request id by the same caller gives the same match again, or raises RequestIdReusedError
        where the wish is another one. Raises IllegalMoveError for what cannot be a board.
        """
        match_id = match_id_for(by, request_id)
        command = CreateMatch(_terms(wish, secrets, board), names)
        return await self._opened(match_id, secrets, Request(by, command, request_id))

    async def _opened(self, match_id: str, secrets: SecretChain, request: Request) -> Table:
        """Return the table of a match that is being made, or was made by the same request."""
        if self._stopping:
            raise StoppingError
        try:
            table = await self.table(match_id)
        except NoSuchMatchError:
            table = self._new_table(match_id, secrets)
        await table.act(request)
        return self._tables.get(match_id) or self._keep(table)

    def _chain_secret(self, match_id: str) -> bytes:
        """Return the secret of a match that is being made, kept before anything names it."""
        return self._store.keep_secret(match_id, CHAIN_SECRET, self._entropy(SECRET_BYTES))

    async def join(
        self,
        match_id: str,
        player: BySeat[str],
        seat: Seat | None,
        commitment: str | None,
        request_id: str = "",
        key: str | None = None,
    ) -> tuple[Table, Seat]:
        """Seat a player, given as id and name, and return the table and the seat.

        Without a commitment the server draws the player's nonce. `key` is the public key in hex of
        a player who signs. Raises IllegalMoveError where no
        seat is free for them.
        """
        table = await self.table(match_id)
        nonce_by: NonceSource = "player"
        if commitment is None:
            nonce, nonce_by = self._entropy(NONCE_BYTES), "server"
            commitment = nonce_commitment(nonce)
            await asyncio.to_thread(
                self._store.keep_secret, match_id, nonce_name(commitment), nonce
            )
        command = Join(
            seat=seat,
            player=player[0],
            name=player[1],
            nonce_commitment=commitment,
            nonce_by=nonce_by,
            key=key,
        )
        await table.act(Request(player[0], command, request_id))
        taken = seat_of(table.match, player[0])
        assert taken is not None
        return table, taken

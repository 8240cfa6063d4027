"""The card room: all the matches of a server, opened when they are wanted.

It creates matches and seats players at them, and hands out the one `Table` a match has in this
process. A start opens none of them: whoever asks for a match, or sees to it that its clock runs
(`caretaker`), has it opened, and then it goes on from where it was.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from ginrummy.log.branching import Branch
from ginrummy.log.deck import CHAIN_LENGTH, NONCE_BYTES, SECRET_BYTES, SecretChain, nonce_commitment
from ginrummy.log.fold import Decks, shuffle_for
from ginrummy.log.ids import ID_ENTROPY, match_id_for
from ginrummy.log.ids import match_id as match_id_from
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
from ginrummy.rules.match import Instant, deadline, seat_of
from ginrummy.rules.ruleset import Ruleset
from ginrummy.store import CHAIN_SECRET, GroupCommit, Store, StoreFailedError
from ginrummy.tables.errors import LogDamagedError, NoSuchMatchError, StoppingError
from ginrummy.tables.forks import NewFork, kept_origin
from ginrummy.tables.gallery import Gallery
from ginrummy.tables.opening import Opening, open_match
from ginrummy.tables.presence import Presence
from ginrummy.tables.shelf import Shelf
from ginrummy.tables.table import Request, Table, nonce_name

__all__ = ["DISPUTE_MS", "CardRoom", "NewMatch", "match_id_for"]

DISPUTE_MS = 86_400_000
"""How long the players of a match may dispute it, in milliseconds, unless agreed otherwise."""

_ENDED_KEPT = 64
"""Matches that are over and stay in memory for whoever asks next."""

_AGAIN = 1.0
"""Seconds after which a match that has to be woken is tried again where the store failed."""

_LOOK = 2.0
"""Seconds between two looks at which matches a snapshot is due of."""

_SOON = 1_000_000
"""Microseconds: a match whose time is over within them is not put out of memory first."""

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
        self._shelf = Shelf(store, decks)
        self._tables: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self.presence = Presence(self._tables)
        """Who is connected, here and at other servers."""
        self._open: dict[str, Table] = {}
        self._asleep: dict[str, asyncio.TimerHandle | None] = {}
        """Matches that are not over and were put out of memory, each with what wakes it in time."""
        self._unopened: set[str] = set()
        """Matches that were not over at the start, and were not opened since."""
        self._back_since: Instant | None = None
        """Since when servers have been there; None where another one has noted it."""
        self._idle = idle
        self._waking: set[asyncio.Future[None]] = set()
        self._sweepers: list[asyncio.Task[None]] = []
        self._ended: deque[Table] = deque(maxlen=_ENDED_KEPT)
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._is_shared = False
        self._stopping = False
        self._told_of_ends: list[Callable[[Table], None]] = []

    @property
    def open_matches(self) -> int:
        """How many matches are not over, in memory or not; of shared ones, those opened here."""
        return len(self._open) + len(self._asleep) + len(self._unopened)

    @property
    def in_memory(self) -> int:
        """How many matches that are not over are in memory."""
        return len(self._open)

    async def start(self, *, is_first: bool = True, is_shared: bool = False) -> None:
        """Begin; each match goes on when it is opened, as it is asked for.

        Where no other servers were there before, all matches have waited until now: that is noted,
        so that whoever opens one gives the decision under way its time anew. Where the store is
        shared with others, whoever asks for a match finds all in it that anybody was told of.
        """
        self._is_shared = is_shared
        if is_first:
            self._back_since = self._clock()
            await asyncio.to_thread(self._store.note_return, self._back_since)
            if not is_shared:
                # Others would open some of them, and nobody here would hear of it.
                self._unopened.update(await asyncio.to_thread(self._store.open_matches))
        self._sweepers = [asyncio.create_task(self._sweep()), asyncio.create_task(self._shelve())]

    def when_over(self, tell: Callable[[Table], None]) -> None:
        """Tell of each match that is over in this process, then and as it is opened again."""
        self._told_of_ends.append(tell)

    async def close(self) -> None:
        """Take no more commands, and put every table away."""
        self._stopping = True
        for sweeper in self._sweepers:
            sweeper.cancel()
        for waking in self._waking:
            waking.cancel()
        for alarm in self._asleep.values():
            if alarm is not None:
                alarm.cancel()
        await asyncio.gather(*(table.close() for table in list(self._tables.values())))
        self._shelf.look_at(self._open.values(), put_away=True)
        await self._shelf.write()

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
            if self._is_shared or table.closed:
                # What another server has answered, as that somebody has sat down, holds here too,
                # and what a director has ruled with nothing but the database.
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

    async def table_to_move_at(self, match_id: str, player: str) -> Table:
        """Return the table of a match for a move of `player`, loaded.

        It may lack what other servers have stored: `Table.act` finds that out by itself, and a
        look at the database for each move costs as much as the move. Raises as `table` does.
        """
        table = self._open.get(match_id)
        if table is None or self._stopping or match_id in self._asleep:
            return await self.table(match_id)
        return table if seat_of(table.match, player) is not None else await self.table(match_id)

    async def _load(self, match_id: str) -> Table:
        opening, back_since = await asyncio.to_thread(self._read, match_id)
        table = self._new_table(match_id, opening.secrets)
        await table.begin(opening, back_since)
        return self._keep(table)

    def _read(self, match_id: str) -> tuple[Opening, Instant]:
        """Return a match, and since when servers have been there to watch its time."""
        opening = open_match(self._store, match_id, self._decks)
        since = self._back_since
        return opening, self._store.last_return() if since is None else since

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
            is_shared=self._is_shared,
        )

    def _keep(self, table: Table) -> Table:
        self._tables[table.match_id] = table
        self.presence.attend_to(table)
        self._unopened.discard(table.match_id)
        self._not_asleep(table.match_id)
        if table.closed:
            self._ended.append(table)
        else:
            self._open[table.match_id] = table
        return table

    def _over(self, table: Table) -> None:
        self._not_asleep(table.match_id)
        if self._open.pop(table.match_id, None) is not None:
            self._ended.append(table)
        for tell in self._told_of_ends:
            tell(table)

    # --- other servers ----------------------------------------------------------------------

    def watches(self, match_id: str) -> bool:
        """Say whether a match is not over and was opened here, and so has its alarm here."""
        return match_id in self._open or match_id in self._asleep

    def heard(self, heads: dict[str, int]) -> None:
        """Take in what other servers have stored: streams, each with its last number."""
        for stream, seq in heads.items():
            table = self._tables.get(stream)
            if table is None:
                # Its time is another one by now: it is not watched here, until it is opened again.
                self._not_asleep(stream)
            elif table.seq < seq:
                table.catch_up_soon(seq)

    def cut_off(self) -> None:
        """Send everybody away and hold no match any more: what others store is not heard of."""
        for table in list(self._tables.values()):
            table.abandon()
        for alarm in self._asleep.values():
            if alarm is not None:
                alarm.cancel()
        for each in (self._tables, self._open, self._asleep, self._ended, self._unopened):
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
        idle = [table for table in self._open.values() if table.is_idle(since)]
        self._shelf.look_at(idle, put_away=True)
        for table in idle:
            self._put_away(table)

    def _put_away(self, table: Table) -> None:
        # Whoever holds it still goes on with it, and it is found as long as they do.
        del self._open[table.match_id]
        end = table.sleep()
        self._asleep[table.match_id] = None if end is None else self._woken_after(table, end)

    async def _shelve(self) -> None:
        """Write snapshots of the matches that have gone on, and of those put out of memory."""
        while True:
            await asyncio.sleep(_LOOK)
            self._shelf.look_at(self._open.values())
            await self._shelf.write()

    async def look_after(self, match_id: str) -> None:
        """See to it that a match's time is watched here, be it out of memory.

        Raises NoSuchMatchError, LogDamagedError, or StoppingError.
        """
        if not self.watches(match_id):
            await self._looked_after(match_id)

    async def _looked_after(self, match_id: str) -> None:
        table = await self.table(match_id)
        now, end = self._clock(), deadline(table.match)
        # Its alarm goes off in a moment, or it is somebody's by now.
        if end is not None and end < now + _SOON:
            return
        if match_id in self._open and table.is_idle(now + 1):
            self._put_away(table)

    def _not_asleep(self, match_id: str) -> None:
        alarm = self._asleep.pop(match_id, None)
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
        """Open a match whose time is over; its table does the rest.

        Where its time has begun anew meanwhile, as elsewhere, it is out of memory again at once.
        """
        while True:
            try:
                await self._looked_after(match_id)
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
        *,
        keys: BySeat[str | None] = BySeat(None, None),  # noqa: B008 -- an immutable value
    ) -> Table:
        """Open a board at a table of its own, seat both players, deal, and return the table.

        `wish` keeps both seats and leaves the reveal to a director; `names` is what the players
        are called, `keys` the public keys of those who sign. `secrets` are the tournament's
        boards', and its vault has kept them. The same request id by the same caller gives the same
        match again, or raises RequestIdReusedError where the wish is another one. Raises
        IllegalMoveError for what cannot be a board.
        """
        match_id = match_id_for(by, request_id)
        command = CreateMatch(_terms(wish, secrets, board), names, keys)
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

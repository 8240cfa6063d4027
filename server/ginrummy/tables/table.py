"""One match being played: load, decide, append, publish, in that order and one command at a time.

What a command causes, with all that the server has to do in answer to it (deal, reveal), is one
append: stored whole or not at all, and answered once it is durable. The log is the truth; whenever
an append's fate is not known, the table reads the log again before it decides anything more.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from itertools import takewhile

import msgspec

from ginrummy.log.deck import SecretChain
from ginrummy.log.fold import Decks, Fold, shuffle_for
from ginrummy.log.lines import write_line
from ginrummy.rules.cards import Seat
from ginrummy.rules.commands import (
    Abort,
    Command,
    Expire,
    Forfeit,
    Play,
    Resume,
)
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import AbortReason, Event, ForfeitReason
from ginrummy.rules.match import (
    Ended,
    Instant,
    Match,
    Playing,
    deadline,
    decide,
    due,
)
from ginrummy.rules.wishes import same_wish
from ginrummy.store import Append, ConflictError, GroupCommit, Store, StoreFailedError
from ginrummy.tables.alarm import Alarm
from ginrummy.tables.answered import Answered
from ginrummy.tables.errors import (
    LogDamagedError,
    NoSuchEventError,
    NoSuchMatchError,
    RequestIdReusedError,
    StaleSeqError,
    StoppingError,
)
from ginrummy.tables.gallery import Gallery
from ginrummy.tables.housekeeping import Housekeeping, nonce_name
from ginrummy.tables.news import News
from ginrummy.tables.opening import Opening, Snapshot, folded
from ginrummy.tables.past import Past, Step
from ginrummy.tables.signing import check_signature, holds_key, same_signature

__all__ = ["SERVER", "Request", "Step", "Table", "nonce_name"]

SERVER = "server"
"""What stands in a line's `by` where the server itself acted."""

_KEPT_ALONE = 2
"""Steps that a table holds while nobody is connected; whoever asks for older ones reads the log."""

_KEPT_FOR_PLAYERS = 8
"""Steps that it holds while a player's stream is open, which asks for a few at a time."""

_KEPT_FOR_WATCHERS = 512
"""Steps that it holds while somebody watches, who falls behind only beyond these."""


_AGAIN = 1_000_000
"""Microseconds until a decision that is late is recorded, where the database failed."""


class Request(msgspec.Struct, frozen=True):
    """A command with whose it is."""

    by: str
    """A player's id, or SERVER."""
    command: Command
    cmd: str = ""
    """The caller's request id; empty for one that is not to be recognised again."""
    expected_seq: int | None = None
    """The number that it was decided on; None where any will do."""
    sig: str | None = None
    """The player's signature over a move, in hex; None for what is not signed."""


class Table:
    """A match held in memory, with a mailbox that takes one command at a time."""

    def __init__(  # noqa: PLR0913 -- all that a room has for its tables
        self,
        match_id: str,
        store: Store,
        commits: GroupCommit,
        clock: Callable[[], Instant],
        secrets: SecretChain,
        over: Callable[["Table"], None],
        gallery: Gallery,
        decks: Decks = shuffle_for,
        *,
        is_shared: bool = False,
    ) -> None:
        """Take an empty table; `load` brings it up to what the store holds.

        `over` is called when nothing more will happen at the table by itself. `gallery` is where
        the process's watchers are. `decks` says what is dealt. Where the store `is_shared`, other
        servers may have stored what is not here yet.
        """
        self.match_id = match_id
        self.news = News(gallery)
        self.closed = False
        """Nothing more will happen here by itself: the match and what is due after it are over."""
        self.kept = 0
        """The number of the event up to which a snapshot was taken; 0 for none."""
        self._store = store
        self._commits = commits
        self._clock = clock
        self._over = over
        self._is_shared = is_shared
        self._housekeeping = Housekeeping(match_id, store, secrets, decks)
        self._fold = Fold(secrets, decks)
        self._created_at: Instant = 0
        self._last_at: Instant = 0
        self._mailbox = asyncio.Lock()
        self._in_doubt = False
        self._past = Past(match_id, store, secrets, decks)
        self._answered = Answered()
        self._refused = [0, 0]
        self._alarm = Alarm(clock, self._time_over)
        self._tasks: set[asyncio.Task[None]] = set()

    # --- what it is now ---------------------------------------------------------------------

    @property
    def match(self) -> Match:
        """The match as it stands. Raises NoSuchMatchError where nothing is stored."""
        if self._fold.match is None:
            raise NoSuchMatchError(self.match_id)
        return self._fold.match

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self._fold.seq

    @property
    def head_hash(self) -> str:
        """The hash of the last event's line, in hex."""
        return self._fold.hash

    @property
    def created_at(self) -> Instant:
        """When the match was created."""
        return self._created_at

    def now(self) -> Instant:
        """Return the table's time: the clock's, but never before the last event."""
        return max(self._clock(), self._last_at)

    def refusals_left(self, seat: Seat) -> int:
        """Return how many more refused moves in a row cost the seat the match."""
        return max(0, self.match.terms.limits.illegal_moves - self._refused[seat])

    # --- loading ----------------------------------------------------------------------------

    async def begin(self, opening: Opening, back_since: Instant) -> None:
        """Take over a match as it was opened, and go on with it.

        `back_since` is since when servers have been there without a gap: what waited longer is
        given its time anew. That is a decision under a clock, and one whose player would have left
        by then. Only that decision is given its time again; the banks stay as they were.
        """
        async with self._mailbox:
            # Nothing may come between: a time that has run out meanwhile decides nothing.
            self._fold, self._answered = opening.fold, opening.answered
            self._created_at, self.kept = opening.created_at, opening.kept
            self._publish([Step(*each) for each in opening.recent])
            await self._go_on(back_since)
        self._alarm.set(deadline(self.match))

    def snapshot(self) -> Snapshot:
        """Return the match as it stands, to be opened from there, and take it as kept."""
        self.kept = self.seq
        return Snapshot(
            self.seq, self.head_hash, self.match, self._created_at, self._answered.written()
        )

    async def load(self) -> None:
        """Read what the store holds beyond what is here, and tell the watchers.

        Raises LogDamagedError for a log that cannot be folded.
        """
        async with self._mailbox:
            await self._reload()

    def catch_up_soon(self, seq: int) -> None:
        """See to it that event `seq`, which another server has stored, is here soon."""
        self._start(self._caught_up_if_can_be(seq))

    async def _caught_up_if_can_be(self, seq: int) -> None:
        # A store that fails is asked again by whoever acts, or hears of more.
        with suppress(StoreFailedError, LogDamagedError, StoppingError):
            await self.caught_up(seq)

    async def caught_up(self, seq: int) -> None:
        """Read the log again unless event `seq`, which is stored, is here.

        Raises LogDamagedError, and StoppingError where the table was put away without it.
        """
        if seq <= self.seq:
            return
        async with self._mailbox:
            # Whatever was under way here may have read it.
            if seq <= self.seq:
                return
            if self.news.closed:
                raise self.news.gone()
            await self._reload()

    async def reach(self, seq: int) -> None:
        """See to it that event `seq` is here: another server may have stored it.

        Raises NoSuchEventError where nobody has, as after the restoring of an old backup.
        """
        if seq > self.seq:
            await self.load()
        if not 0 <= seq <= self.seq:
            raise NoSuchEventError(seq, self.seq)

    async def _reload(self) -> None:
        lines = await asyncio.to_thread(lambda: list(self._store.read(self.match_id, self.seq)))
        steps = list(self._folded(self._fold, lines))
        self._in_doubt = False
        self._publish(steps)

    def _folded(self, fold: Fold, lines: list[bytes]) -> Iterator[Step]:
        for line, match in folded(self.match_id, fold, iter(lines)):
            yield Step(line, match)

    # --- acting -----------------------------------------------------------------------------

    async def act(self, request: Request) -> tuple[Step, ...]:
        """Carry a command out and return the steps that it caused, once they are durable.

        A request id that was answered before gets the first answer's steps again, and nothing
        happens. Raises StaleSeqError, RequestIdReusedError, NoSuchMatchError, StoppingError, or
        IllegalMoveError; nothing has changed then, except that a refused move counts towards the
        limit and a decision that came too late lets the clock decide. Where a caller is
        cancelled, the log alone knows whether the command was carried out.
        """
        async with self._mailbox:
            # What is stored is answered, and after the end there is nobody to answer.
            if self.news.closed:
                raise self.news.gone()
            # Whoever knows a later event than this table has read it from another server.
            if self._in_doubt or (request.expected_seq or 0) > self.seq:
                await self._reload()
            while True:
                if (answer := await self._first_answer(request)) is not None:
                    return answer
                if request.expected_seq is not None and request.expected_seq != self.seq:
                    raise StaleSeqError(request.expected_seq, self.seq)
                try:
                    steps = self._decided(request)
                except IllegalMoveError as error:
                    if self._is_shared and await self._was_behind():
                        continue
                    await self._refused_move(request, error)
                    raise
                if await self._stored(steps):
                    break
            self._allowed_move(request)
            return steps

    async def _was_behind(self) -> bool:
        """Take in what other servers have stored, if anything, and say whether they have.

        What does not fit the log finds that out as it is stored; a refusal has to look.
        """
        seq = self.seq
        await self._reload()
        return self.seq > seq

    def _decided(self, request: Request) -> tuple[Step, ...]:
        """Return the steps of a command and of all that is due after it."""
        fold, at = self._fold.copy(), self.now()
        steps: list[Step] = []
        by, sig = request.by, request.sig
        # A draft of the log: the table itself moves on only when the lines are durable.
        events = decide(fold.match, request.command, at)
        if isinstance(request.command, Play):
            self._check_signed(request.command, sig, events[0])
        while events:
            for event in events:
                line = write_line(
                    self.match_id, fold.seq + 1, at, by, request.cmd, event, fold.hash, sig=sig
                )
                steps.append(Step(line, fold.add(line)))
                # What follows from a move is the server's, and not signed.
                by, sig = SERVER, None
            housekeeping = self._housekeeping.due(steps[-1].match)
            events = () if housekeeping is None else decide(fold.match, housekeeping, at)
        return tuple(steps)

    def _check_signed(self, play: Play, sig: str | None, event: Event) -> None:
        match = self.match
        if sig is not None or match.terms.signing == "required":
            check_signature(match, play.seat, sig, self.match_id, self.head_hash, event)

    async def _stored(self, steps: tuple[Step, ...]) -> bool:
        """Append the steps and move on; return False where another process was first."""
        lines = tuple(step.line for step in steps)
        # Until the answer is here, only the log knows whether the lines are in it.
        self._in_doubt = True
        try:
            await self._commits.append(Append(self.match_id, self.seq, lines))
        except ConflictError:
            await self._reload()
            return False
        self._in_doubt = False
        self._fold.adopt(steps[-1].line, steps[-1].match)
        self._publish(steps)
        return True

    def _publish(self, steps: tuple[Step, ...] | list[Step]) -> None:
        if not steps:
            return
        for step in steps:
            self._answered.add_line(step.line)
        if steps[0].line.seq == 1:
            self._created_at = steps[0].line.at
        self._last_at = steps[-1].line.at
        self._past.add(steps, self._kept())
        self.news.publish([step.line for step in steps], self.match)
        self._alarm.set(deadline(self.match))
        if isinstance(self.match, Ended) and due(self.match) is None:
            self.closed = True
            self._over(self)

    def _kept(self) -> int:
        if self.news.is_watched:
            return _KEPT_FOR_WATCHERS
        return _KEPT_FOR_PLAYERS if self.news.is_attended else _KEPT_ALONE

    # --- refusals and repeated requests -----------------------------------------------------

    async def _refused_move(self, request: Request, error: IllegalMoveError) -> None:
        """Count a refused move; at the limit, or past the time, record what follows from it."""
        command = request.command
        if not isinstance(command, Play) or not isinstance(self._fold.match, Playing):
            return
        if error.reason is Reason.TIME_OVER:
            await self._record(Expire())
            return
        if error.reason is Reason.MATCH_PAUSED:
            return
        if not holds_key(self.match, command, request.sig, self.match_id, self.head_hash):
            return
        self._refused[command.seat] += 1
        if self.refusals_left(command.seat) == 0:
            await self._record(Forfeit(command.seat))

    def _allowed_move(self, request: Request) -> None:
        if isinstance(request.command, Play):
            self._refused[request.command.seat] = 0

    async def _record(self, command: Command) -> bool:
        """Carry out an act of the server's own, within the mailbox, if it is still to be done.

        Return whether it was.
        """
        while True:
            try:
                steps = self._decided(Request(SERVER, command))
            except IllegalMoveError:
                return False
            if await self._stored(steps):
                return True

    # --- ending it from outside -------------------------------------------------------------

    async def forfeit(self, seat: Seat, reason: ForfeitReason) -> bool:
        """Make a seat lose the match, however it stands; return whether it had not ended before.

        `illegal_moves` is the table's own to record, and does nothing where no seat may move.
        Raises StoppingError.
        """
        return await self._end(Forfeit(seat, reason))

    async def abort(self, reason: AbortReason) -> bool:
        """End the match as it stands; return whether it had not ended before.

        Raises StoppingError.
        """
        return await self._end(Abort(reason))

    async def _end(self, command: Forfeit | Abort) -> bool:
        async with self._mailbox:
            if self.news.closed:
                raise self.news.gone()
            if self._in_doubt:
                await self._reload()
            return await self._record(command)

    async def until_closed(self) -> Ended:
        """Wait until the match has ended, with all that is due then, and return it.

        Raises StoppingError where the table is put away before.
        """
        while not self.closed:
            if self.news.closed:
                raise self.news.gone()
            await self.news.for_end()
        assert isinstance(self.match, Ended)
        return self.match

    async def reveal_secrets(self, director: str) -> tuple[Step, ...]:
        """Let the secrets of all hands out, where the match's terms leave it to a director.

        Raises IllegalMoveError while the match runs, or where they are out. A board's secret decks
        other tables too, and tells of all boards before it: only the server lets it out, when its
        tournament's last table is done.
        """
        if self.match.terms.board is not None and director != SERVER:
            raise IllegalMoveError(
                Reason.NOT_ALLOWED_NOW,
                "",
                "a board's secret comes out with its tournament's boards",
            )
        return await self.act(Request(director, self._housekeeping.reveal(self.match)))

    async def _first_answer(self, request: Request) -> tuple[Step, ...] | None:
        """Return what a request caused when it came first, or None where it is new."""
        if not request.cmd:
            return None
        for first in self._answered.candidates(request.by, request.cmd):
            steps = await self.steps_after(first - 1)
            if (steps[0].line.by, steps[0].line.cmd) != (request.by, request.cmd):
                continue
            before = await self.match_at(first - 1) if first > 1 else None
            line = steps[0].line
            if not (
                same_wish(request.command, before, line.event)
                and same_signature(before, request.command, request.sig, line)
            ):
                raise RequestIdReusedError(request.cmd)
            return tuple(takewhile(lambda step: step.line.cmd == request.cmd, steps))
        return None

    # --- the past ---------------------------------------------------------------------------

    async def steps_after(self, seq: int) -> list[Step]:
        """Return all steps after number `seq` up to the last one, from memory or from the log."""
        return await self._past.after(seq)

    async def step_at(self, seq: int) -> Step:
        """Return the step of event `seq`.

        Raises NoSuchEventError for a number that the match has not reached.
        """
        return await self._past.at(seq)

    async def match_at(self, seq: int) -> Match:
        """Return the match as it stood after event `seq`. Raises NoSuchEventError."""
        return (await self._past.at(seq)).match

    def holds_steps_after(self, seq: int) -> bool:
        """Say whether `steps_after` needs no reading of the log."""
        return self._past.holds_after(seq)

    # --- time -------------------------------------------------------------------------------

    def _time_over(self) -> None:
        end = deadline(self.match)
        if end is not None and self.now() > end:
            self._start(self._expire())
        else:
            self._alarm.set(end)

    async def _expire(self) -> None:
        try:
            async with self._mailbox:
                if self._in_doubt:
                    await self._reload()
                await self._record(Expire())
        except StoreFailedError:
            # Time is over all the same: it is recorded as soon as the database is there.
            self._alarm.set(self._clock() + _AGAIN)
        else:
            self._alarm.set(deadline(self.match))

    async def _go_on(self, back_since: Instant) -> None:
        """Do what is due where nobody was there to do it, when nothing has happened since then."""
        if self._last_at >= back_since:
            return
        match, end = self.match, deadline(self.match)
        if isinstance(match, Playing):
            was_late = end is not None and end < back_since
            if not match.clock.paused and (match.terms.clock or was_late):
                await self._record(Resume())
        elif due(match) is not None:
            housekeeping = self._housekeeping.due(match)
            assert housekeeping is not None
            await self._record(housekeeping)

    # --- putting it away --------------------------------------------------------------------

    def is_idle(self, since: Instant) -> bool:
        """Say whether nothing has happened here since an instant, and nobody would miss it.

        Refused moves are counted here alone, so a table that counts some stays.
        """
        return (
            self._last_at < since
            and not self.news.is_attended
            and not self._mailbox.locked()
            and not self._tasks
            and not any(self._refused)
        )

    def sleep(self) -> Instant | None:
        """Stop the timer, so that nothing holds the table; return when it has to be woken."""
        self._alarm.cancel()
        return deadline(self.match)

    def wake(self) -> None:
        """Set the timer again."""
        self._alarm.set(deadline(self.match))

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        assert isinstance(task, asyncio.Task)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def abandon(self) -> None:
        """Tell all watchers to go, at once; what is under way here concerns nobody any more."""
        self._alarm.cancel()
        self._over = _nothing
        self.news.close(cut_off=True)

    async def close(self) -> None:
        """Stop the timer, let what is under way finish, and tell all watchers to go."""
        self._alarm.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        async with self._mailbox:
            self.news.close()


def _nothing(_table: Table) -> None:
    """Do nothing: a table that was given up is nobody's."""

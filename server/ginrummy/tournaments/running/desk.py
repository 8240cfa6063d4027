"""The director's desk: a tournament's stream, with one command at a time.

As at a table of cards: load, decide, append, publish, and the log is the truth. What nobody has to
ask for (pairing, recording, revealing) is asked for by the runner.
"""

import asyncio
from collections.abc import Callable

import msgspec

from ginrummy.log.errors import LineError
from ginrummy.log.lines import write_line
from ginrummy.rules.match import Instant
from ginrummy.store import Append, ConflictError, GroupCommit, Store
from ginrummy.tables.errors import (
    CutOffError,
    LogDamagedError,
    NoSuchEventError,
    RequestIdReusedError,
    StoppingError,
)
from ginrummy.tables.table import SERVER
from ginrummy.tournaments.event import (
    FORMS,
    Command,
    Tournament,
    TournamentEvent,
    TournamentFold,
    decide,
    read_tournament_line,
)
from ginrummy.tournaments.event.commands import PairByHand
from ginrummy.tournaments.event.events import RoundPaired
from ginrummy.tournaments.event.fold import TournamentLine
from ginrummy.tournaments.running.bell import Bell
from ginrummy.tournaments.running.errors import NoSuchTournamentError

__all__ = ["Act", "Desk"]


class Act(msgspec.Struct, frozen=True):
    """A command with whose it is."""

    by: str
    """A player's id, or `server`."""
    command: Command
    cmd: str = ""
    """The caller's request id; empty for one that is not to be recognised again."""


class Desk:
    """A tournament held in memory, with a mailbox that takes one command at a time."""

    def __init__(
        self, tournament_id: str, store: Store, commits: GroupCommit, clock: Callable[[], Instant]
    ) -> None:
        """Take an empty desk; `load` brings it up to what the store holds."""
        self.tournament_id = tournament_id
        self.bell = Bell()
        """Rings whenever the tournament, or who attends it, has changed."""
        self.closed = False
        """The server goes away: whoever waits is to leave."""
        self._cut_off = False
        self._store = store
        self._commits = commits
        self._clock = clock
        self._fold = TournamentFold()
        self._last_at: Instant = 0
        self._mailbox = asyncio.Lock()
        self._in_doubt = False
        self._requests: dict[tuple[str, str], TournamentEvent] = {}

    @property
    def tournament(self) -> Tournament:
        """The tournament as it stands. Raises NoSuchTournamentError where nothing is stored."""
        if self._fold.tournament is None:
            raise NoSuchTournamentError(self.tournament_id)
        return self._fold.tournament

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self._fold.seq

    @property
    def head_hash(self) -> str:
        """The hash of the last event's line, in hex."""
        return self._fold.hash

    def now(self) -> Instant:
        """Return the desk's time: the clock's, but never before the last event."""
        return max(self._clock(), self._last_at)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen by itself: it has ended, and all secrets are out."""
        return self.tournament.stage == "ended" and self.tournament.lots_secret is not None

    async def load(self) -> None:
        """Read what the store holds beyond what is here. Raises LogDamagedError."""
        async with self._mailbox:
            await self._reload()

    async def catch_up(self) -> None:
        """Take in what another process has stored, as a director's command on the database does."""
        head = await asyncio.to_thread(self._store.head, self.tournament_id)
        if head.seq > self.seq:
            await self.load()

    async def _reload(self) -> None:
        stored = await asyncio.to_thread(
            lambda: list(self._store.read(self.tournament_id, self.seq))
        )
        lines = []
        for raw in stored:
            try:
                line = read_tournament_line(raw)
                self._fold.add(line)
            except (LineError, ValueError) as error:
                raise LogDamagedError(self.tournament_id, str(error)) from error
            lines.append(line)
        self._in_doubt = False
        self._publish(lines)

    # --- acting -----------------------------------------------------------------------------

    async def act(self, act: Act) -> Tournament:
        """Carry a command out, and return the tournament after it, once that is durable.

        A request id that was answered before changes nothing more. Raises a TournamentError where
        the command is not allowed, and RequestIdReusedError for an id that was another act's.
        """
        async with self._mailbox:
            if self._in_doubt:
                await self._reload()
            while True:
                first = self._requests.get((act.by, act.cmd)) if act.cmd else None
                if first is not None:
                    if not _same_act(act.command, first):
                        raise RequestIdReusedError(act.cmd)
                    return self.tournament
                events = decide(self._fold.tournament, act.command, self.now())
                if not events or await self._stored(act, events):
                    return self.tournament

    async def _stored(self, act: Act, events: tuple[TournamentEvent, ...]) -> bool:
        """Append the events and move on; return False where another process was first."""
        draft, at = self._fold.copy(), self.now()
        lines: list[TournamentLine] = []
        by = act.by
        for event in events:
            line = write_line(
                self.tournament_id, draft.seq + 1, at, by, act.cmd, event, draft.hash, forms=FORMS
            )
            draft.add(line)
            lines.append(line)
            by = SERVER
        self._in_doubt = True
        try:
            await self._commits.append(Append(self.tournament_id, self.seq, tuple(lines)))
        except ConflictError:
            await self._reload()
            return False
        self._in_doubt = False
        self._fold = draft
        self._publish(lines)
        return True

    def _publish(self, lines: list[TournamentLine]) -> None:
        for line in lines:
            if line.cmd:
                self._requests.setdefault((line.by, line.cmd), line.event)
            self._last_at = line.at
        if lines:
            self.bell.ring()

    # --- the past ---------------------------------------------------------------------------

    async def lines_after(self, seq: int) -> list[bytes]:
        """Return the stored lines after number `seq`, up to the last one that is here.

        Raises NoSuchEventError for a number that the tournament has not reached.
        """
        if not 0 <= seq <= self.seq:
            raise NoSuchEventError(seq, self.seq)
        count = self.seq - seq
        if not count:
            return []
        stored = await asyncio.to_thread(lambda: list(self._store.read(self.tournament_id, seq)))
        return stored[:count]

    async def fold_at(self, seq: int) -> TournamentFold:
        """Return the tournament as it stood after event `seq`. Raises NoSuchEventError."""
        if not 1 <= seq <= self.seq:
            raise NoSuchEventError(seq, self.seq)
        if seq == self.seq:
            return self._fold.copy()
        lines = await self.lines_after(0)
        return await asyncio.to_thread(_folded, lines[:seq])

    def close(self, *, cut_off: bool = False) -> None:
        """Tell whoever waits to go; `cut_off` where the server does not reach its database."""
        self.closed, self._cut_off = True, cut_off
        self.bell.ring()

    def gone(self) -> StoppingError:
        """Return what to tell whoever is sent away."""
        return CutOffError() if self._cut_off else StoppingError()


def _folded(lines: list[bytes]) -> TournamentFold:
    fold = TournamentFold()
    for raw in lines:
        fold.add(read_tournament_line(raw))
    return fold


def _same_act(command: Command, event: TournamentEvent) -> bool:
    """Say whether `event` is what `command` would have caused: all that both name agrees."""
    if isinstance(command, PairByHand):
        return isinstance(event, RoundPaired) and command.pairs == tuple(
            (each.first, each.second) for each in event.pairings
        )
    asked, told = msgspec.structs.asdict(command), msgspec.structs.asdict(event)
    if asked.get("nonce_by") == "server":
        # Drawn anew for every attempt.
        asked.pop("nonce_commitment")
    if asked.get("points", ()) is None:
        asked.pop("points")
    shared = asked.keys() & told.keys()
    return _CAUSES.get(type(command).__name__) == type(event).__name__ and all(
        asked[field] == told[field] for field in shared
    )


_CAUSES = {
    "Create": "TournamentCreated",
    "Enter": "EntrantEntered",
    "CheckIn": "EntrantCheckedIn",
    "Seed": "EntrantsSeeded",
    "CloseRegistration": "RegistrationClosed",
    "RevealNonce": "EntrantNonceRevealed",
    "Leave": "EntrantLeft",
    "Return": "EntrantReturned",
    "Rule": "ResultRuled",
    "Pause": "TournamentPaused",
    "Resume": "TournamentResumed",
    "Abort": "TournamentAborted",
    "EndByHand": "TournamentEnded",
}
"""What a caller's command is first recorded as, by the classes' names."""

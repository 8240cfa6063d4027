"""The runner: what makes a tournament go on by itself.

    look ── what is due? ──> decide it, store it
         ├─ which sitting is next, and are both there? ──> a table in the card room
         ├─ who is lost, silent, gone? ──> their match ends, the opponent hears of it
         └─ whose time is over? ──> what is not over is decided as it stands
    wait until the bell rings or a time is over, and look again

It keeps nothing that the log does not hold but who is there just now; so it can be killed and
started again at any moment. A sitting's match has an id that follows from the sitting, so that no
sitting is ever opened twice.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress

import structlog

from ginrummy.rules.errors import IllegalMoveError
from ginrummy.rules.events import AbortReason
from ginrummy.rules.match import MS, Instant
from ginrummy.store import Store
from ginrummy.tables.room import CardRoom
from ginrummy.tables.table import SERVER
from ginrummy.tournaments.errors import TournamentError
from ginrummy.tournaments.event import Command, Elsewhere, Sitting, Tournament, due
from ginrummy.tournaments.event.commands import (
    DrawLots,
    EndSitting,
    RevealBoards,
    RevealNonce,
    Settle,
    SettleReason,
    Start,
)
from ginrummy.tournaments.event.due import Opening
from ginrummy.tournaments.event.schedule import sittings_of_round
from ginrummy.tournaments.running.attendance import Attendance
from ginrummy.tournaments.running.desk import Act, Desk
from ginrummy.tournaments.running.pace import Progress, progress
from ginrummy.tournaments.running.secrets import TournamentSecrets
from ginrummy.tournaments.running.sitting import Played

__all__ = ["Runner"]

_log = structlog.get_logger()

_AFTER_FAILURE = 1.0
"""Seconds before a sitting that failed, as by a database that is full, is begun again."""

_LOOK_AGAIN = 0.25
"""Seconds after which the runner looks at its times again while anything is being played."""

_LOOK_ELSEWHERE = 1.0
"""Seconds after which it looks whether another process has written to the tournament's stream."""

_TELL_PROGRESS = 1.0
"""Seconds from one word on the progress to other servers to the next."""


class Runner:
    """One tournament's course, as a task of the server."""

    def __init__(
        self,
        desk: Desk,
        attendance: Attendance,
        room: CardRoom,
        store: Store,
        clock: Callable[[], Instant],
    ) -> None:
        """Run the tournament of `desk` with whoever attends, at tables of `room`."""
        self._desk = desk
        self._attendance = attendance
        self._room = room
        self._clock = clock
        self._secrets = TournamentSecrets(desk.tournament, store)
        self._played: dict[tuple[int, int, int, int], Played] = {}
        self._round = 0
        self._round_since: Instant = 0
        self._over_then = 0
        self._next: list[Sitting] = []
        """The present round's sittings that are not begun, in their order."""
        self._nonces_since: Instant | None = None
        self._revealing: asyncio.Task[None] | None = None
        self._elsewhere_at: Instant = 0
        self._told_at: Instant = 0

    def progress(self) -> Progress | None:
        """Return how far the present round has come; None before the first one."""
        return progress(
            self._desk.tournament,
            len(self._played),
            self._clock(),
            self._round_since,
            self._over_then,
        )

    async def run(self) -> None:
        """Go on until the tournament has ended and all its secrets are out."""
        try:
            while not self._desk.closed and (self._played or not self._desk.is_over):
                heard = self._desk.bell.rings
                changed = await self._look()
                self._tell_progress()
                if changed:
                    continue
                busy = self._played or self._nonces_since is not None or self._next
                await self._desk.bell.rung(heard, _LOOK_AGAIN if busy else _LOOK_ELSEWHERE)
                await self._look_elsewhere()
        finally:
            if self._revealing is not None:
                self._revealing.cancel()
            self._attendance.say_progress(None)
            await asyncio.gather(*(each.cancel() for each in self._played.values()))

    def _tell_progress(self) -> None:
        """Let other servers know now and then how far the round has come."""
        now = self._clock()
        if now - self._told_at > _TELL_PROGRESS * 1000 * MS:
            self._told_at = now
            self._attendance.say_progress(self.progress() if self._played else None)

    async def _look_elsewhere(self) -> None:
        """Take in what another process may have stored, now and then."""
        if self._clock() - self._elsewhere_at > _LOOK_ELSEWHERE * 1000 * MS:
            await self._desk.catch_up()
            self._elsewhere_at = self._clock()

    async def _look(self) -> bool:
        """Do what can be done now; return whether something was, so that more may be due."""
        tournament = self._desk.tournament
        if tournament.stage == "playing":
            await self._new_round(tournament)
            await self._keep_order(tournament)
            self._begin(tournament)
        if tournament.stage == "nonces" and self._nonces_late():
            return await self._do(Start())
        wanted = due(tournament)
        if wanted is None:
            return await self._settle(tournament)
        if not isinstance(wanted, Opening):
            return await self._do(wanted)
        if wanted.what == "boards":
            self._reveal_soon(wanted.board)
            return await self._settle(tournament)
        return await self._do(await self._opened(wanted))

    async def _do(self, command: Command) -> bool:
        """Carry out an act of the server's own; return whether anything has changed by it."""
        seq = self._desk.seq
        try:
            await self._desk.act(Act(SERVER, command))
        except TournamentError as error:
            # Somebody's act came between, and made it needless: the next look sees it.
            _log.info("not due any more", tournament=self._desk.tournament_id, why=str(error))
            return False
        return self._desk.seq > seq

    async def _opened(self, opening: Opening) -> Command:
        match opening.what:
            case "nonce":
                entry = self._desk.tournament.entry(opening.entrant)
                return RevealNonce(entry.id, await self._secrets.nonce(entry.nonce_commitment))
            case "boards":
                return RevealBoards(opening.board, self._secrets.chain.secret(opening.board).hex())
            case "lots":
                return DrawLots((await self._secrets.lots()).hex())

    def _reveal_soon(self, board: int) -> None:
        """Let the boards up to one out, beside the play: many matches' logs are opened for it."""
        if self._revealing is None or self._revealing.done():
            self._revealing = asyncio.create_task(self._reveal(board))

    async def _reveal(self, board: int) -> None:
        tournament = self._desk.tournament
        for each in tournament.sittings:
            if each.match and tournament.revealed < each.board <= board:
                table = await self._room.table(each.match)
                # A server that is gone may have let it out before.
                with suppress(IllegalMoveError):
                    await table.reveal_secrets(SERVER)
        # After the matches' own, so that no match is forgotten where the server dies here.
        await self._do(await self._opened(Opening("boards", board=board)))

    def _nonces_late(self) -> bool:
        """Say whether whoever has not revealed a nonce by now is left out."""
        now = self._clock()
        if self._nonces_since is None:
            self._nonces_since = now
        return now - self._nonces_since > self._desk.tournament.terms.arrival_ms * MS

    # --- rounds -----------------------------------------------------------------------------

    async def _new_round(self, tournament: Tournament) -> None:
        """Line up the sittings of a round that this runner has not seen, those begun before first.

        A match that is open already was begun by a server that is gone: it goes on at once.
        """
        self._nonces_since = None
        number = tournament.rounds[-1].number if tournament.rounds else 0
        if number == self._round:
            return
        self._round, self._round_since = number, self._clock()
        self._over_then = len(tournament.round_sittings)
        over = {(each.round, each.table, each.board, each.half) for each in tournament.sittings}
        left = [
            each
            for each in sittings_of_round(tournament, tournament.rounds[-1])
            if each.key not in over and each.key not in self._played
        ]
        self._next = []
        for sitting in left:
            played = self._sitting(sitting)
            if await played.was_begun():
                self._played[sitting.key] = played
                played.begin(self._over)
            else:
                self._next.append(sitting)

    def _sitting(self, sitting: Sitting) -> Played:
        return Played(
            sitting,
            self._desk.tournament,
            self._attendance,
            self._room,
            self._secrets,
            self._clock,
        )

    def _begin(self, tournament: Tournament) -> None:
        """Begin as many sittings as there are tables, with whoever is there for both seats."""
        if tournament.paused or tournament.test is not None or self._ending(tournament):
            return
        open_ = {(each.round, each.table) for each in tournament.undecided}
        most, waiting = tournament.terms.tables, []
        for place, sitting in enumerate(self._next):
            if most and len(self._played) >= most:
                waiting += self._next[place:]
                break
            if sitting.key[:2] not in open_:
                continue
            if all(self._is_free(tournament, entrant) for entrant in sitting.seats):
                played = self._sitting(sitting)
                played.hold_sessions()
                self._played[sitting.key] = played
                played.begin(self._over)
            else:
                waiting.append(sitting)
        self._next = waiting

    def _is_free(self, tournament: Tournament, entrant: str) -> bool:
        return tournament.entry(entrant).here and self._attendance.free_session(entrant) is not None

    async def _over(self, played: Played, failure: BaseException | None) -> None:
        """Record a sitting that is over, and make room for the next one."""
        if failure is None:
            await self._do(EndSitting(played.outcome()))
        else:
            _log.error(
                "sitting failed", match=played.match_id, exc_info=failure, why="it is begun again"
            )
            await asyncio.sleep(_AFTER_FAILURE)
            # Whatever of it is in the log is found there.
            self._round = 0
        self._played.pop(played.sitting.key, None)
        self._desk.bell.ring()

    # --- order ------------------------------------------------------------------------------

    async def _keep_order(self, tournament: Tournament) -> None:
        """End what cannot go on, and halt or resume what is under way."""
        open_ = {(each.round, each.table) for each in tournament.undecided}
        ending = self._ending(tournament)
        for played in list(self._played.values()):
            if ending is not None:
                await played.end(ending)
            elif played.sitting.key[:2] not in open_:
                # It was ruled upon meanwhile.
                await played.end("aborted")
            else:
                await played.keep_order(tournament)

    def _ending(self, tournament: Tournament) -> AbortReason | None:
        """Return why everything that is under way is to end now, or None."""
        if tournament.aborted:
            return "aborted"
        return "round_clock" if self._is_round_over(tournament) else None

    def _is_round_over(self, tournament: Tournament) -> bool:
        limit = tournament.terms.round_ms
        return (
            limit is not None
            and not tournament.paused
            and self._clock() - tournament.round_since > limit * MS
        )

    async def _settle(self, tournament: Tournament) -> bool:
        """Decide a pairing that will not be played to its end; return whether there was one."""
        for key, reason, absent in self._unplayable(tournament):
            if not any(played[:2] == key for played in self._played):
                return await self._do(Settle(*key, reason, absent))
        return False

    def _unplayable(
        self, tournament: Tournament
    ) -> Iterator[tuple[tuple[int, int], SettleReason, tuple[str, ...]]]:
        """Yield the open pairings that cannot go on: which, why, and who is to blame."""
        if tournament.stage != "playing":
            return
        is_played_here = not isinstance(tournament.terms.play, Elsewhere)
        round_is_over = self._is_round_over(tournament)
        for pairing in tournament.undecided:
            key = (pairing.round, pairing.table)
            both = (pairing.first, pairing.second)
            left = tuple(each for each in both if not tournament.entry(each).here)
            if tournament.aborted:
                yield key, "aborted", ()
            elif left:
                yield key, "withdrawn", left
            elif not is_played_here:
                continue
            elif tournament.test is not None:
                yield key, "decided", ()
            elif round_is_over:
                yield key, "round_clock", ()
            elif not tournament.paused:
                lost = tuple(each for each in both if self._is_lost(tournament, each))
                if lost:
                    never = not any(self._attendance.was_there(each) for each in lost)
                    yield key, "no_show" if never else "crash", lost

    def _is_lost(self, tournament: Tournament, entrant: str) -> bool:
        """Say whether nobody has come for an entrant in the time that it has for coming."""
        since = self._attendance.absent_since(entrant)
        if since is None:
            return False
        waited = self._clock() - max(since, self._round_since)
        return waited > tournament.terms.arrival_ms * MS

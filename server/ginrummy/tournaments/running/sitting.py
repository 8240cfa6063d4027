"""A sitting under way: its match in the card room, and the programs that were called to it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from ginrummy.rules import hand as hands
from ginrummy.rules.cards import BySeat, Seat, other
from ginrummy.rules.commands import Pause, Resume
from ginrummy.rules.errors import IllegalMoveError
from ginrummy.rules.events import AbortReason, Board, ForfeitReason
from ginrummy.rules.match import BOTH_SEATS, MS, Ended, Instant, Playing
from ginrummy.tables.room import CardRoom, NewMatch, match_id_for
from ginrummy.tables.table import SERVER, Request, Table
from ginrummy.tournaments.event import Sitting, Tournament, TournamentTerms
from ginrummy.tournaments.event.events import SittingEnded
from ginrummy.tournaments.running.attendance import Attendance, Call, Session
from ginrummy.tournaments.running.outcomes import sitting_ended
from ginrummy.tournaments.running.secrets import TournamentSecrets

__all__ = ["Played"]


class Played:
    """One sitting from its first call to its last line."""

    def __init__(
        self,
        sitting: Sitting,
        tournament: Tournament,
        attendance: Attendance,
        room: CardRoom,
        secrets: TournamentSecrets,
        clock: Callable[[], Instant],
    ) -> None:
        """Prepare a sitting of `tournament`; nothing is opened or called yet."""
        self.sitting = sitting
        self._tournament = tournament
        self._attendance = attendance
        self._room = room
        self._secrets = secrets
        self._clock = clock
        # The match's id follows from it: a server that goes on after another finds the match.
        self._request_id = sitting.request_id(tournament.id)
        self.match_id = match_id_for(SERVER, self._request_id)
        self._table: Table | None = None
        self._sessions: list[Session | None] = [None, None]
        self._came = [False, False]
        self._called_at: list[Instant] = [0, 0]
        self._halted = False
        self._task: asyncio.Task[None] | None = None

    # --- from begin to end --------------------------------------------------------------------

    async def was_begun(self) -> bool:
        """Say whether the match is in the log: a server that is gone had begun it."""
        self._halted = await self._room.is_known(self.match_id)
        return self._halted

    def hold_sessions(self) -> None:
        """Take a free session of each entrant for this table."""
        for seat in BOTH_SEATS:
            session = self._attendance.free_session(self.sitting.seats[seat])
            if session is not None:
                self._attendance.hold(session, self.match_id)
                self._sessions[seat] = session

    def begin(self, over: Callable[["Played", BaseException | None], Awaitable[None]]) -> None:
        """Open the match, call both, and call `over` when it has ended, or has failed."""
        self._task = asyncio.create_task(self._run(over))

    async def _run(self, over: Callable[["Played", BaseException | None], Awaitable[None]]) -> None:
        failure: BaseException | None = None
        try:
            self._table = await self._open()
            for seat in BOTH_SEATS:
                self._call(seat)
            await self._table.until_closed()
        except Exception as error:  # noqa: BLE001 -- whoever runs the tournament decides
            failure = error
        self.release()
        await over(self, failure)

    def release(self) -> None:
        """Let the sessions go that were held for this table."""
        for seat in BOTH_SEATS:
            session, self._sessions[seat] = self._sessions[seat], None
            if session is not None:
                self._attendance.release(session, self.match_id)

    async def cancel(self) -> None:
        """Leave the match where it is: the server goes away."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _open(self) -> Table:
        terms, sitting = self._tournament.terms, self.sitting
        wish = NewMatch(
            rules=terms.rules,
            clock=terms.clock,
            limits=terms.limits,
            reveal="director" if sitting.board else "match",
            seats=BySeat[str | None](*sitting.seats),
            name=self._name(),
            first_dealer=None if sitting.board or sitting.pairing.dealt_by_lot else 0,
            signing=terms.signing,
        )
        if not sitting.board:
            return await self._room.create(SERVER, wish, self._request_id)
        return await self._room.open_board(
            SERVER,
            wish,
            BySeat(*map(self._called, sitting.seats)),
            Board(self._tournament.id, sitting.board, self._tournament.mix),
            self._secrets.chain,
            self._request_id,
            keys=BySeat(*map(self._key, sitting.seats)),
        )

    def _name(self) -> str:
        pairing, board = self.sitting.pairing, self.sitting.board
        place = f"round {pairing.round} table {pairing.table}"
        whole = f"{self._tournament.terms.name}, {place}" + (f" board {board}" if board else "")
        return whole if len(whole) <= _LONGEST_NAME else place

    def _called(self, entrant: str) -> str:
        return self._tournament.entry(entrant).entrant.name

    def _key(self, entrant: str) -> str | None:
        return self._tournament.entry(entrant).key

    def outcome(self) -> SittingEnded:
        """Return what is to be recorded of the match, which has ended."""
        table = self._table
        assert table is not None
        assert isinstance(table.match, Ended)
        return sitting_ended(
            self.sitting,
            self._tournament.terms.play,
            table.match,
            (table.match_id, table.seq, table.head_hash),
            next((seat for seat in BOTH_SEATS if not self._came[seat]), None),
        )

    # --- calls --------------------------------------------------------------------------------

    def _call(self, seat: Seat) -> None:
        session = self._sessions[seat]
        if session is None:
            return
        pairing = self.sitting.pairing
        call = Call(
            match_id=self.match_id,
            seat=seat,
            round=pairing.round,
            table=pairing.table,
            board=self.sitting.board,
            opponent=self._called(self.sitting.seats[other(seat)]),
        )
        self._called_at[seat] = self._clock()
        self._attendance.call(session, call)

    # --- order --------------------------------------------------------------------------------

    async def end(self, reason: AbortReason) -> None:
        """End the match as it stands."""
        if self._table is not None:
            await self._table.abort(reason)

    async def keep_order(self, tournament: Tournament) -> None:
        """Halt or resume the match as the tournament is, and end it where a seat is lost."""
        table = self._table
        if table is None or isinstance(table.match, Ended):
            return
        await self._halt(table, paused=tournament.paused)
        if tournament.paused:
            return
        lost = [
            (seat, reason)
            for seat in BOTH_SEATS
            if (reason := self._fault(table, tournament, seat)) is not None
        ]
        if lost:
            # Where both are lost, whoever was lost first.
            seat, reason = min(lost, key=lambda each: self._lost_at(each[0]))
            await table.forfeit(seat, reason)

    async def _halt(self, table: Table, *, paused: bool) -> None:
        match = table.match
        if not isinstance(match, Playing) or match.clock.paused == paused:
            return
        # A director may have paused this match alone: it is theirs to resume.
        if paused or self._halted:
            with suppress(IllegalMoveError):
                await table.act(Request(SERVER, Pause() if paused else Resume()))
            self._halted = paused

    def _fault(self, table: Table, tournament: Tournament, seat: Seat) -> ForfeitReason | None:
        """Return why a seat has lost the match by now, or None."""
        entrant, session = self.sitting.seats[seat], self._sessions[seat]
        self._came[seat] |= table.news.connected[seat]
        if not tournament.entry(entrant).here:
            return "withdrawn"
        now, terms = self._clock(), tournament.terms
        if session is None:
            return self._fault_of_nobody(entrant, seat, terms.arrival_ms)
        if session.ended:
            return "crash"
        if session.lost_at is not None:
            if tournament.entry(entrant).kind == "person":
                # A person goes on in another window; what a program's run had in mind is lost.
                return self._fault_of_a_person(entrant, session, seat, terms)
            return "crash" if now - session.lost_at > terms.reconnect_ms * MS else None
        waited = now - max(self._called_at[seat], _since(table, seat))
        if not self._came[seat] and _to_move(table) == seat and waited > terms.arrival_ms * MS:
            return "stall"
        return None

    def _fault_of_a_person(
        self, entrant: str, lost: Session, seat: Seat, terms: TournamentTerms
    ) -> ForfeitReason | None:
        """Let a person's new session go on; return why the seat has lost if none comes."""
        if self._taken_by_another(entrant, seat):
            self._attendance.release(lost, self.match_id)
            return None
        waited = self._clock() - (lost.lost_at or 0)
        return "crash" if waited > max(terms.reconnect_ms, terms.arrival_ms) * MS else None

    def _taken_by_another(self, entrant: str, seat: Seat) -> bool:
        """Call a free session of the entrant to the seat; return whether there is one."""
        session = self._attendance.free_session(entrant)
        if session is None:
            return False
        self._attendance.hold(session, self.match_id)
        self._sessions[seat] = session
        self._call(seat)
        return True

    def _fault_of_nobody(self, entrant: str, seat: Seat, arrival_ms: int) -> ForfeitReason | None:
        """Call a session that has come meanwhile; return why the seat has lost if none comes."""
        if self._taken_by_another(entrant, seat):
            return None
        since = self._attendance.absent_since(entrant)
        if since is None or self._clock() - since <= arrival_ms * MS:
            return None
        return "crash" if self._attendance.was_there(entrant) else "no_show"

    def _lost_at(self, seat: Seat) -> Instant:
        session = self._sessions[seat]
        return self._clock() if session is None or session.lost_at is None else session.lost_at


_LONGEST_NAME = 100


def _to_move(table: Table) -> Seat | None:
    return hands.to_move(table.match.hand) if isinstance(table.match, Playing) else None


def _since(table: Table, seat: Seat) -> Instant:
    match = table.match
    return match.clock.since if isinstance(match, Playing) and _to_move(table) == seat else 0

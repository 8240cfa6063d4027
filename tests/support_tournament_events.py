"""Whole tournaments played without a server: a director, a runner and tables that are simulated.

    Simulation -> decide -> write_line -> TournamentFold -> what is due, or a table that is over

Results are drawn at random, and so is the order in which tables come to their end. Whatever the
server asks for is asked for twice, as by a runner that was killed and started again, and every
state is checked as it goes.
"""

import random
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Literal

from ginrummy.log.deck import SecretChain
from ginrummy.log.ids import ID_ENTROPY, player_id, tournament_id
from ginrummy.log.instants import Instant
from ginrummy.log.lines import Line, write_line
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.match import MS
from ginrummy.tables.room import match_id_for
from ginrummy.tournaments.errors import TournamentError
from ginrummy.tournaments.event import (
    FORMS,
    Command,
    Tournament,
    TournamentEvent,
    TournamentFold,
    TournamentTerms,
    decide,
    due,
    read_tournament_line,
)
from ginrummy.tournaments.event.commands import (
    CloseRegistration,
    Create,
    DrawLots,
    EndSitting,
    Enter,
    RevealBoards,
    RevealNonce,
    Settle,
    SettleReason,
)
from ginrummy.tournaments.event.due import Opening
from ginrummy.tournaments.event.events import SittingEnded
from ginrummy.tournaments.event.schedule import Sitting, chain_length, sittings_of_round
from ginrummy.tournaments.event.terms import Boards, TournamentFormat
from ginrummy.tournaments.lots import lots_commitment
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.results import FORFEITS, EndReason, Outcome

SERVER = "server"
START: Instant = 1_796_000_000_000_000

OTHERWISE: tuple[EndReason, ...] = (
    "resigned",
    "time",
    "illegal_moves",
    "crash",
    "stall",
    "no_show",
)
"""How a sitting ends that is not played out."""

Way = tuple[EndReason, int]
"""How a sitting ends, and by how many points for the one named first."""


def terms_of(
    format_: TournamentFormat | None = None,
    boards: int | None = 2,
    **changes: Any,  # noqa: ANN401 -- handed on
) -> TournamentTerms:
    """Return terms on so many boards; `play` says it otherwise."""
    format_ = RoundRobin() if format_ is None else format_
    if boards is not None and "play" not in changes:
        changes["play"] = Boards(boards)
    return TournamentTerms(**{"name": "Winter Open", "format": format_, **changes})


class Simulation:
    """A tournament with its lines. What is random in it follows from the seed."""

    def __init__(self, terms: TournamentTerms, entrants: int = 0, seed: int = 1) -> None:
        """Announce it, with so many entrants."""
        self.rng = random.Random(seed)
        self.id = tournament_id(self.rng.randbytes(ID_ENTROPY))
        self.director = player_id(self.rng.randbytes(ID_ENTROPY))
        length = max(1, chain_length(terms.format, terms.boards))
        self.chain = SecretChain(self.rng.randbytes(32), length)
        self.lots = self.rng.randbytes(32)
        self.nonces: dict[str, bytes] = {}
        self.lines: list[Line[TournamentEvent]] = []
        self.states: list[Tournament] = []
        """The tournament after each line."""
        self.at = START
        self.under_way: dict[tuple[int, int, int, int], Sitting] = {}
        self.begun: set[tuple[int, int, int, int]] = set()
        self._fold = TournamentFold()
        self.act(
            Create(terms, self.chain.commitment, length, lots_commitment(self.lots)),
            self.director,
        )
        for _ in range(entrants):
            self.enter()

    @property
    def tournament(self) -> Tournament:
        """The tournament as it stands."""
        assert self._fold.tournament is not None
        return self._fold.tournament

    @property
    def log(self) -> list[bytes]:
        """The stored lines."""
        return [line.raw for line in self.lines]

    @property
    def events(self) -> list[TournamentEvent]:
        """What has happened."""
        return [line.event for line in self.lines]

    @property
    def ids(self) -> list[str]:
        """The entrants in the order in which they entered."""
        return [each.id for each in self.tournament.entries]

    # --- acting -----------------------------------------------------------------------------

    def act(self, command: Command, by: str = SERVER) -> tuple[TournamentEvent, ...]:
        """Carry a command out as one append, and return its events."""
        self.at += 1000
        cmd = "" if by == SERVER else self.rng.randbytes(8).hex()
        events = decide(self._fold.tournament, command, self.at)
        actor = by
        for event in events:
            line = write_line(
                self.id,
                self._fold.seq + 1,
                self.at,
                actor,
                cmd,
                event,
                self._fold.hash,
                forms=FORMS,
            )
            assert line.event == event
            self.lines.append(line)
            self.states.append(self._fold.add(line))
            actor = SERVER
        if by == SERVER:
            self.give_again(command)
        return events

    def give_again(self, command: Command) -> None:
        """Give the server's command once more, as a runner that was started again does."""
        try:
            again = decide(self.tournament, command, self.at)
        except TournamentError:
            # Nothing is stored then either; but what was played is never refused.
            assert not isinstance(command, EndSitting | Settle | RevealBoards | DrawLots)
        else:
            assert again == ()

    def refused(self, command: Command) -> TournamentError:
        """Return the error with which a command is refused."""
        before = self.tournament
        try:
            events = decide(before, command, self.at)
        except TournamentError as error:
            assert self.tournament is before
            return error
        raise AssertionError(f"{command} was not refused: {events}")

    def enter(self, by: str = "", **changes: Any) -> str:  # noqa: ANN401 -- handed on
        """Enter somebody new, and return their id."""
        entrant = player_id(self.rng.randbytes(ID_ENTROPY))
        self.nonces[entrant] = self.rng.randbytes(16)
        fields: dict[str, Any] = {
            "entrant": entrant,
            "name": f"No. {len(self.tournament.entries) + 1}",
            "kind": "bot",
            "spec": "",
            "nonce_commitment": sha256(self.nonces[entrant]).hexdigest(),
            "nonce_by": "player",
        }
        self.act(Enter(**fields | changes), by or entrant)
        return entrant

    def reveal_nonce(self, entrant: str) -> None:
        """Let an entrant reveal its nonce."""
        self.act(RevealNonce(entrant, self.nonces[entrant].hex()), entrant)

    def started(self) -> "Simulation":
        """Close registration, let all nonces out, and start."""
        self.act(CloseRegistration(), self.director)
        for each in self.tournament.entries:
            if each.here:
                self.reveal_nonce(each.id)
        self.step()
        assert self.tournament.stage == "playing"
        return self

    def wait(self, milliseconds: int) -> None:
        """Let time pass."""
        self.at += milliseconds * MS

    # --- the runner ---------------------------------------------------------------------------

    def step(self) -> bool:
        """Do what is due, or let one table come to its end; return whether there was anything."""
        self.abort_what_is_decided()
        wanted = due(self.tournament)
        if wanted is not None:
            self.act(self.opened(wanted) if isinstance(wanted, Opening) else wanted)
            return True
        return self.settle_unplayable() or self.play_one()

    def finish(self) -> "Simulation":
        """Go on to the end."""
        while self.step():
            pass
        return self

    def opened(self, opening: Opening) -> Command:
        """Return the command that lets a secret out."""
        match opening.what:
            case "nonce":
                return RevealNonce(opening.entrant, self.nonces[opening.entrant].hex())
            case "boards":
                secret = self.chain.secret(opening.board).hex()
                return RevealBoards(opening.board, secret)
            case "lots":
                return DrawLots(self.lots.hex())

    def settle_unplayable(self) -> bool:
        """Decide a pairing that cannot go on; what is played of it ends first."""
        for pairing in self.tournament.undecided:
            both = (pairing.first, pairing.second)
            left = tuple(each for each in both if not self.tournament.entry(each).here)
            reason: SettleReason | None = None
            if self.tournament.aborted:
                reason, left = "aborted", ()
            elif left:
                reason = "withdrawn"
            elif self.tournament.test is not None:
                reason = "decided"
            elif self.is_round_over:
                reason = "round_clock"
            if reason is not None:
                self.end_under_way(pairing.round, pairing.table, reason)
                self.act(Settle(pairing.round, pairing.table, reason, left))
                return True
        return False

    @property
    def is_round_over(self) -> bool:
        """Whether the present round's time is over."""
        tournament, limit = self.tournament, self.tournament.terms.round_ms
        return (
            limit is not None
            and not tournament.paused
            and self.at - tournament.round_since > limit * MS
        )

    def end_under_way(self, round_: int, table: int, reason: SettleReason) -> None:
        """End the tables of a pairing that are being played."""
        ways: dict[str, EndReason] = {"aborted": "aborted", "round_clock": "round_clock"}
        for key in [key for key in self.under_way if key[:2] == (round_, table)]:
            if reason == "withdrawn":
                pairing = self.under_way[key].pairing
                gone = not self.tournament.entry(pairing.first).here
                self.end(key, ("withdrawn", -1 if gone else 1))
            else:
                self.end(key, (ways.get(reason, "played"), 0))

    def abort_what_is_decided(self) -> None:
        """End the tables of pairings that were ruled upon meanwhile."""
        open_ = {(each.round, each.table) for each in self.tournament.undecided}
        for key in [key for key in self.under_way if key[:2] not in open_]:
            self.end(key, ("aborted", 0))

    # --- the tables ---------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin as many sittings as there are tables for."""
        tournament = self.tournament
        if tournament.stage != "playing" or not tournament.rounds:
            return
        if tournament.paused or tournament.aborted or tournament.test is not None:
            return
        open_ = {(each.round, each.table) for each in tournament.undecided}
        for sitting in sittings_of_round(tournament, tournament.rounds[-1]):
            if len(self.under_way) >= (tournament.terms.tables or 4):
                return
            if sitting.key in self.begun or sitting.key[:2] not in open_:
                continue
            assert sitting.board > tournament.revealed or not sitting.board, "its cards are known"
            assert sitting.board <= tournament.chain
            self.begun.add(sitting.key)
            self.under_way[sitting.key] = sitting

    def play_one(self) -> bool:
        """Let one of the tables come to its end; return whether there was one."""
        self.begin()
        if not self.under_way or self.tournament.paused:
            return False
        key = self.rng.choice(list(self.under_way))
        reason: EndReason = "played"
        if self.rng.random() < 0.12:
            reason = self.rng.choice(OTHERWISE)
        score = self.rng.choice((0, 1, 1)) * self.rng.randint(1, 60)
        score = score if reason == "played" else max(score, 1)
        self.end(key, (reason, self.rng.choice((-1, 1)) * score))
        return True

    def end(self, key: tuple[int, int, int, int], way: Way) -> None:
        """Record the end of a table."""
        sitting = self.under_way.pop(key)
        self.act(EndSitting(self.ended(sitting, way)))

    def ended(self, sitting: Sitting, way: Way) -> SittingEnded:
        """Return how a sitting came out."""
        reason, lead = way
        outcome: Outcome = "draw" if lead == 0 else "first" if lead > 0 else "second"
        if reason == "aborted":
            outcome = "void"
        elif outcome == "draw" and reason in FORFEITS:
            outcome = "neither"
        points = BySeat(max(lead, 0), max(-lead, 0))
        play = self.tournament.terms.play
        if reason != "played":
            award = play.forfeit_points if isinstance(play, Boards) else 0
            award = award if reason in FORFEITS or reason == "resigned" else 0
            points = BySeat(award * (outcome == "first"), award * (outcome == "second"))
        seq = self.rng.randint(4, 90)
        match = match_id_for(SERVER, sitting.request_id(self.id))
        return SittingEnded(
            *sitting.key[:3],
            sitting.half,
            match,
            seq,
            sha256(match.encode() + bytes([seq])).hexdigest(),
            outcome,
            reason,
            points,
            self.dealer(sitting) if reason != "no_show" else None,
        )

    def dealer(self, sitting: Sitting) -> Literal["first", "second"] | None:
        """Return who deals at a board: at both tables whoever sits at the same seat."""
        if not sitting.board:
            return None
        seat: Seat = 1 if self.chain.secret(sitting.board)[0] % 2 else 0
        return "first" if sitting.seats[seat] == sitting.pairing.first else "second"


def folded(lines: Iterable[bytes]) -> Tournament:
    """Return the tournament that stored lines tell."""
    fold = TournamentFold()
    for raw in lines:
        fold.add(read_tournament_line(raw))
    assert fold.tournament is not None
    return fold.tournament

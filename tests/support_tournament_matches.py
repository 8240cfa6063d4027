"""Simulated tournaments whose matches are really played, so that their logs can be checked."""

from collections.abc import Iterable

from support_play import eager_move
from support_tournament_events import SERVER, Simulation, Way

from ginrummy.log.deck import SecretChain, nonce_commitment
from ginrummy.log.fold import Fold, shuffle_for
from ginrummy.log.lines import MatchLine, write_line
from ginrummy.rules import hand as hands
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.commands import (
    Abort,
    Command,
    CreateMatch,
    Deal,
    Forfeit,
    Join,
    Play,
    Resign,
    RevealNonce,
    RevealSecret,
)
from ginrummy.rules.events import Board, MatchCreated
from ginrummy.rules.match import Ended, Match, Playing, decide, due, hands_dealt
from ginrummy.tables.room import match_id_for
from ginrummy.tournaments.event import Sitting, TournamentTerms
from ginrummy.tournaments.event.events import BoardsRevealed, SittingEnded
from ginrummy.tournaments.running.outcomes import sitting_ended

_SEATS: tuple[Seat, Seat] = (0, 1)


class RealMatch:
    """A sitting's match, played by the rules and written down."""

    def __init__(self, played: Simulation, sitting: Sitting) -> None:
        """Open it and seat both."""
        tournament = played.tournament
        terms = tournament.terms
        request = sitting.request_id(tournament.id)
        self.id = match_id_for(SERVER, request)
        self.lines: list[MatchLine] = []
        self._played = played
        self._players = sitting.seats
        board = Board(tournament.id, sitting.board, tournament.mix) if sitting.board else None
        own = SecretChain(played.rng.randbytes(32), 40)
        self._secrets = played.chain if board else own
        self._fold = Fold(self._secrets)
        created = MatchCreated(
            rules=terms.rules,
            clock=terms.clock,
            limits=terms.limits,
            reveal="director" if board else "match",
            commitment=self._secrets.commitment,
            chain=self._secrets.length,
            board=board,
            first_dealer=None if board or sitting.pairing.dealt_by_lot else 0,
            seats=BySeat[str | None](*sitting.seats),
            name="a sitting",
        )
        names = BySeat(*(tournament.entry(each).entrant.name for each in sitting.seats))
        self.act(CreateMatch(created, names if board else None), SERVER, request)
        if not board:
            self._seat(sitting, names)

    def _seat(self, sitting: Sitting, names: BySeat[str]) -> None:
        nonces = [self._played.rng.randbytes(16) for _ in _SEATS]
        for seat in _SEATS:
            commitment = nonce_commitment(nonces[seat])
            join = Join(seat, sitting.seats[seat], names[seat], commitment, "player")
            self.act(join, sitting.seats[seat])
        for seat in _SEATS:
            self.act(RevealNonce(seat, nonces[seat].hex()), sitting.seats[seat])

    @property
    def match(self) -> Match:
        """The match as it stands."""
        assert self._fold.match is not None
        return self._fold.match

    @property
    def log(self) -> list[bytes]:
        """The stored lines."""
        return [line.raw for line in self.lines]

    def act(self, command: Command, by: str, cmd: str = "") -> None:
        """Carry a command out, with all that is due after it."""
        self._played.at += 1
        self._append(command, by, cmd)
        while (then := due(self.match)) is not None:
            if then == "deal":
                found = shuffle_for(self.match, self.id, hands_dealt(self.match) + 1, self._secrets)
                assert found is not None
                self._append(Deal(found.deck, found.first_dealer), SERVER, cmd)
            else:
                assert then == "reveal"
                self._append(self.reveal(), SERVER, cmd)

    def reveal(self) -> RevealSecret:
        """Return the command that lets the last hand's secret out."""
        hand, terms = hands_dealt(self.match), self.match.terms
        number = hand if terms.board is None else terms.board.number
        return RevealSecret(hand, self._secrets.secret(number).hex())

    def _append(self, command: Command, by: str, cmd: str) -> None:
        for event in decide(self._fold.match, command, self._played.at):
            seq, at = self._fold.seq + 1, self._played.at
            line = write_line(self.id, seq, at, by, cmd, event, self._fold.hash)
            self._fold.add(line)
            self.lines.append(line)
            by = SERVER

    def play(self, way: Way) -> Ended:
        """Play it out, or to another end after some moves."""
        reason, lead = way
        left = 10**9 if reason == "played" else self._played.rng.randint(0, 6)
        while isinstance(self.match, Playing) and left:
            left -= 1
            seat = hands.to_move(self.match.hand)
            assert seat is not None
            move = eager_move(self.match.hand, self._played.rng)
            self.act(Play(seat, move), self._players[seat])
        if isinstance(self.match, Playing):
            loser: Seat = 1 if lead > 0 else 0
            match reason:
                case "aborted" | "round_clock":
                    self.act(Abort(reason), SERVER)
                case "crash" | "stall" | "no_show" | "withdrawn" | "illegal_moves":
                    self.act(Forfeit(loser, reason), SERVER)
                case _:
                    self.act(Play(loser, Resign()), self._players[loser])
        assert isinstance(self.match, Ended)
        return self.match


class PlayedOut(Simulation):
    """A tournament whose sittings are matches that are really played."""

    def __init__(self, terms: TournamentTerms, entrants: int = 0, seed: int = 1) -> None:
        """Announce it, with so many entrants."""
        self.matches: dict[str, RealMatch] = {}
        super().__init__(terms, entrants, seed)

    def ended(self, sitting: Sitting, way: Way) -> SittingEnded:
        """Return how a sitting came out, which its match decides."""
        match = RealMatch(self, sitting)
        self.matches[match.id] = match
        over = match.play(way)
        last = (match.id, match.lines[-1].seq, match.lines[-1].hash)
        return sitting_ended(sitting, self.tournament.terms.play, over, last, None)

    def match_log(self, match: str) -> Iterable[bytes] | None:
        """Return a match's lines."""
        found = self.matches.get(match)
        return None if found is None else found.log

    def with_secrets(self) -> "PlayedOut":
        """Let the secrets of all boards that are out come out in their matches' logs too."""
        last = max(
            (each.board for each in self.events if isinstance(each, BoardsRevealed)), default=0
        )
        for match in self.matches.values():
            board = match.match.terms.board
            if board is not None and board.number <= last and hands_dealt(match.match):
                match.act(match.reveal(), SERVER)
        return self

"""Whole tournaments as stored lines, played out in this process: every match is a real log.

    due -> decide -> lines of the tournament
    sittings_of_round -> matches, move by move -> lines of matches -> SittingEnded

It does what the runner does, in as few lines as it takes, so that whatever reads a tournament's
logs can be tested without a server.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from support_play import Policy, simple_move

from ginrummy.log.deck import SecretChain, nonce_commitment
from ginrummy.log.fold import Fold, shuffle_for
from ginrummy.log.ids import ID_ENTROPY, player_id, tournament_id
from ginrummy.log.lines import Line, MatchLine, write_line
from ginrummy.rules import hand as hands
from ginrummy.rules.cards import BySeat
from ginrummy.rules.commands import (
    Command as MatchCommand,
)
from ginrummy.rules.commands import (
    CreateMatch,
    Deal,
    Join,
    Play,
    RevealNonce,
    RevealSecret,
)
from ginrummy.rules.events import Board, MatchCreated
from ginrummy.rules.match import BOTH_SEATS, Ended, Match, Playing, hands_dealt
from ginrummy.rules.match import decide as decide_match
from ginrummy.rules.match import due as due_in_match
from ginrummy.tables.room import match_id_for
from ginrummy.tournaments.event import (
    FORMS,
    Boards,
    Command,
    Elsewhere,
    Matches,
    Sitting,
    Tournament,
    TournamentEvent,
    TournamentFold,
    TournamentTerms,
    decide,
    due,
)
from ginrummy.tournaments.event.commands import (
    CheckIn,
    CloseRegistration,
    Create,
    DrawLots,
    EndSitting,
    Enter,
    RevealBoards,
    Settle,
)
from ginrummy.tournaments.event.commands import RevealNonce as RevealEntrantsNonce
from ginrummy.tournaments.event.due import Opening
from ginrummy.tournaments.event.events import EntrantKind
from ginrummy.tournaments.event.schedule import chain_length, sittings_of_round
from ginrummy.tournaments.event.states import SittingKey
from ginrummy.tournaments.lots import lots_commitment
from ginrummy.tournaments.running.outcomes import sitting_ended

START = 1_795_992_538_123_456
"""2026-11-29T22:48:58.123456Z."""

SECOND = 1_000_000


class Player(NamedTuple):
    """Who takes part, and how they play."""

    name: str
    policy: Policy = simple_move
    kind: EntrantKind = "bot"


class PlayedEvent:
    """A tournament that is played and written down. What is random in it follows from the seed."""

    def __init__(
        self,
        terms: TournamentTerms,
        players: Sequence[Player],
        seed: int = 1,
        *,
        faults: Mapping[SittingKey, MatchCommand] | None = None,
    ) -> None:
        """Announce it, with everybody entered.

        `faults` says which command cuts a sitting short, after its sixth move.
        """
        self.rng = random.Random(seed)
        self.id = tournament_id(self.rng.randbytes(ID_ENTROPY))
        self.director = player_id(self.rng.randbytes(ID_ENTROPY))
        self.at = START
        self.lines: list[Line[TournamentEvent]] = []
        self.matches: dict[str, list[bytes]] = {}
        """The matches' logs, by their ids."""
        self.players: dict[str, Player] = {}
        self.faults = faults or {}
        self._fold = TournamentFold()
        self._nonces: dict[str, bytes] = {}
        length = chain_length(terms.format, terms.boards or 1)
        self.chain = SecretChain(self.rng.randbytes(32), length)
        self.lots = self.rng.randbytes(32)
        lots = lots_commitment(self.lots)
        self.do(Create(terms, self.chain.commitment, length, lots), self.director)
        for player in players:
            self.enter(player)

    # --- what it is now -------------------------------------------------------------------------

    @property
    def tournament(self) -> Tournament:
        """The tournament as it stands."""
        assert self._fold.tournament is not None
        return self._fold.tournament

    @property
    def log(self) -> list[bytes]:
        """The tournament's stored lines."""
        return [line.raw for line in self.lines]

    def read(self, stream: str) -> Iterator[bytes]:
        """Yield the lines of the tournament or of a match, as a store does."""
        return iter(self.log if stream == self.id else self.matches.get(stream, []))

    def id_of(self, name: str) -> str:
        """Return the id of the entrant of that name."""
        return next(each for each, player in self.players.items() if player.name == name)

    # --- what happens ---------------------------------------------------------------------------

    def do(self, command: Command, by: str = "server") -> None:
        """Carry a command out, a second later."""
        self.at += SECOND
        for event in decide(self._fold.tournament, command, self.at):
            seq, prev = self._fold.seq + 1, self._fold.hash
            line = write_line(self.id, seq, self.at, by, "", event, prev, forms=FORMS)
            self._fold.add(line)
            self.lines.append(line)

    def enter(self, player: Player) -> str:
        """Let somebody enter and check in, and return their id."""
        entrant = player_id(self.rng.randbytes(ID_ENTROPY))
        self.players[entrant] = player
        self._nonces[entrant] = self.rng.randbytes(16)
        commitment = nonce_commitment(self._nonces[entrant])
        self.do(Enter(entrant, player.name, player.kind, "", commitment, "server"), entrant)
        if self.tournament.stage == "registration":
            self.do(CheckIn(entrant), entrant)
        return entrant

    def start(self) -> "PlayedEvent":
        """Close registration, and go on to the first round's pairings."""
        self.do(CloseRegistration(), self.director)
        self.settle()
        return self

    def play(self, rounds: int | None = None, sittings: int | None = None) -> "PlayedEvent":
        """Play so many rounds, or all; or so many sittings of the present round."""
        while rounds != 0:
            left = [each for each in self._sittings() if each.key not in self._over()]
            if not left:
                return self
            for each in left[:sittings]:
                self.sit(each)
                if self.tournament.test is not None:
                    break
            if self.tournament.test is not None:
                for pairing in self.tournament.undecided:
                    self.do(Settle(pairing.round, pairing.table, "decided"))
            if sittings is not None:
                return self
            self.settle()
            rounds = None if rounds is None else rounds - 1
        return self

    def settle(self) -> None:
        """Do whatever is due."""
        while (then := due(self.tournament)) is not None:
            self.do(self._opened(then) if isinstance(then, Opening) else then)

    def _opened(self, opening: Opening) -> Command:
        match opening.what:
            case "nonce":
                return RevealEntrantsNonce(opening.entrant, self._nonces[opening.entrant].hex())
            case "boards":
                return RevealBoards(opening.board, self.chain.secret(opening.board).hex())
            case "lots":
                return DrawLots(self.lots.hex())

    def _sittings(self) -> tuple[Sitting, ...]:
        event = self.tournament
        if isinstance(event.terms.play, Elsewhere) or not event.undecided:
            return ()
        return sittings_of_round(event, event.rounds[-1])

    def _over(self) -> set[SittingKey]:
        over = self.tournament.round_sittings
        return {(each.round, each.table, each.board, each.half) for each in over}

    def sit(self, sitting: Sitting) -> None:
        """Play one sitting."""
        played = _Match(self, sitting)
        played.play()
        self.matches[played.stream] = [line.raw for line in played.lines]
        self.at = played.at
        assert isinstance(played.match, Ended)
        last = played.lines[played.last]
        end = (played.stream, last.seq, last.hash)
        play = self.tournament.terms.play
        assert isinstance(play, Boards | Matches)
        self.do(EndSitting(sitting_ended(sitting, play, played.match, end, None)))


class _Match:
    """One match of a tournament, as its table writes it down."""

    def __init__(self, event: PlayedEvent, sitting: Sitting) -> None:
        self.event, self.sitting, self.rng = event, sitting, event.rng
        self.stream = match_id_for("server", "/".join(map(str, (event.id, *sitting.key))))
        self.lines: list[MatchLine] = []
        self.at = event.at
        self.last = 0
        """The index of the last line when the match ended."""
        self.names = BySeat(*(event.players[each].name for each in sitting.seats))
        self._nonces = BySeat(self.rng.randbytes(16), self.rng.randbytes(16))
        self.secrets = event.chain if sitting.board else SecretChain(self.rng.randbytes(32), 60)
        self._fold = Fold(self.secrets)
        terms = event.tournament.terms
        board = Board(event.id, sitting.board, event.tournament.mix) if sitting.board else None
        created = MatchCreated(
            rules=terms.rules,
            clock=terms.clock,
            limits=terms.limits,
            reveal="director" if board else "match",
            commitment=self.secrets.commitment,
            chain=self.secrets.length,
            board=board,
            seats=BySeat[str | None](*sitting.seats),
            first_dealer=None if board or sitting.pairing.dealt_by_lot else 0,
        )
        self.act(CreateMatch(created, self.names if board else None))

    @property
    def match(self) -> Match:
        assert self._fold.match is not None
        return self._fold.match

    def act(self, command: MatchCommand, by: str = "server") -> None:
        self._append(command, by)
        while (then := due_in_match(self.match)) is not None:
            self._append(self._due(then), "server")

    def _append(self, command: MatchCommand, by: str) -> None:
        for event in decide_match(self._fold.match, command, self.at):
            seq, prev = self._fold.seq + 1, self._fold.hash
            line = write_line(self.stream, seq, self.at, by, "", event, prev)
            self._fold.add(line)
            self.lines.append(line)
            by = "server"
            if line.type == "match_ended":
                self.last = len(self.lines) - 1

    def _due(self, then: str) -> MatchCommand:
        if then == "reveal":
            over = hands_dealt(self.match)
            return RevealSecret(over, self.secrets.secret(over).hex())
        found = shuffle_for(self.match, self.stream, hands_dealt(self.match) + 1, self.secrets)
        assert found is not None
        return Deal(found.deck, found.first_dealer)

    def play(self) -> None:
        """Seat both, and play to the end."""
        if not self.sitting.board:
            for seat in BOTH_SEATS:
                commitment = nonce_commitment(self._nonces[seat])
                player = self.sitting.seats[seat]
                self.act(Join(seat, player, self.names[seat], commitment, "player"), player)
            for seat in BOTH_SEATS:
                self.act(RevealNonce(seat, self._nonces[seat].hex()), self.sitting.seats[seat])
        fault = self.event.faults.get(self.sitting.key)
        moves = 0
        while isinstance(self.match, Playing):
            self.at += SECOND // 5
            if fault is not None and moves == 6:
                by = self.sitting.seats[fault.seat] if isinstance(fault, Play) else "server"
                self.act(fault, by)
                return
            mover = hands.to_move(self.match.hand)
            assert mover is not None
            player = self.sitting.seats[mover]
            move = self.event.players[player].policy(self.match.hand, self.rng)
            self.act(Play(mover, move), player)
            moves += 1

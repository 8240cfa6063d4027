"""What a tournament is after its events so far."""

from typing import Literal, TypeAlias

import msgspec

from ginrummy.rules.events import NonceSource
from ginrummy.rules.match import Instant
from ginrummy.tournaments.entrants import Entrant, Pairing, Round
from ginrummy.tournaments.errors import UnknownEntrantError
from ginrummy.tournaments.event.events import (
    EntrantKind,
    LeaveReason,
    SittingEnded,
    TestEnded,
    TournamentEndReason,
)
from ginrummy.tournaments.event.terms import TournamentTerms
from ginrummy.tournaments.pairing.formats import Field
from ginrummy.tournaments.results import MatchKey, Record, Result, last_words
from ginrummy.tournaments.statistics.sprt import Course

__all__ = ["Entry", "SittingKey", "Stage", "Tournament"]

Stage: TypeAlias = Literal["registration", "nonces", "playing", "ended"]
"""Entrants come in; their nonces come out; rounds are paired and played; it is over."""

SittingKey: TypeAlias = tuple[int, int, int, int]
"""A sitting's round, table, board and half."""


class Entry(msgspec.Struct, frozen=True):
    """An entrant, and how it stands with it."""

    entrant: Entrant
    kind: EntrantKind
    spec: str
    nonce_commitment: str
    nonce_by: NonceSource
    key: str | None = None
    """The public key that its moves on boards are signed by, in hex; None where it signs none."""
    nonce: str | None = None
    """None until it is revealed."""
    checked_in: bool = False
    left: LeaveReason | None = None
    """Why it is not paired any more; None for whoever is there."""

    @property
    def id(self) -> str:
        """The entrant's player id."""
        return self.entrant.id

    @property
    def here(self) -> bool:
        """Whether it can be paired."""
        return self.left is None


class Tournament(msgspec.Struct, frozen=True):
    """A tournament, as far as its stream tells it."""

    id: str
    terms: TournamentTerms
    director: str
    """The player id of whoever announced it."""
    commitment: str
    chain: int
    lots: str
    created_at: Instant
    stage: Stage = "registration"
    paused: bool = False
    entries: tuple[Entry, ...] = ()
    """In the order in which they entered."""
    mix: str = ""
    """Empty before the start."""
    starters: frozenset[str] = frozenset()
    """Those who were there when it started."""
    rounds: tuple[Round, ...] = ()
    round_since: Instant = 0
    """When the present round was paired, less the time that it was paused since."""
    paused_at: Instant = 0
    sittings: tuple[SittingEnded, ...] = ()
    """All that have ended, in that order."""
    round_sittings: tuple[SittingEnded, ...] = ()
    """Those that have ended since the present round was paired."""
    records: tuple[Record, ...] = ()
    """Results, rulings and byes, in the order in which they were recorded."""
    revealed: int = 0
    """The last board whose secret is out."""
    course: Course | None = None
    """How far the sequential test has come; None where there is none."""
    uncounted: tuple[SittingEnded, ...] = ()
    """The sittings that the test has not looked at, for a board before theirs is not over."""
    test: TestEnded | None = None
    """How the sequential test came out; None while it runs, or where there is none."""
    lots_secret: str | None = None
    aborted: bool = False
    end_reason: TournamentEndReason | None = None
    ruled: frozenset[MatchKey] = frozenset()
    """The pairings on which a director has ruled: what stands of these is the last ruling."""

    def entry(self, entrant: str) -> Entry:
        """Return an entrant's entry. Raises UnknownEntrantError."""
        for each in self.entries:
            if each.entrant.id == entrant:
                return each
        raise UnknownEntrantError(entrant)

    def has_entered(self, entrant: str) -> bool:
        """Say whether somebody has entered, whether or not they are still there."""
        return any(each.entrant.id == entrant for each in self.entries)

    @property
    def by_seed(self) -> tuple[Entry, ...]:
        """All entries, the strongest first."""
        return tuple(sorted(self.entries, key=lambda each: each.entrant.seed))

    @property
    def playing(self) -> tuple[Entry, ...]:
        """Whoever the tournament is about, the strongest first: who left before it began is not."""
        if not self.starters:
            return tuple(each for each in self.by_seed if each.here)
        return tuple(
            each
            for each in self.by_seed
            if each.entrant.id in self.starters or each.entrant.entered > 1
        )

    @property
    def field(self) -> Field:
        """All that the next round's pairings depend on."""
        playing = self.playing
        return Field(
            entrants=tuple(each.entrant for each in playing),
            present=frozenset(each.entrant.id for each in playing if each.here),
            rounds=self.rounds,
            records=self.records,
        )

    @property
    def results(self) -> dict[MatchKey, Result]:
        """The result that stands for each pairing that is decided."""
        return last_words(self.records)[0]

    def pairing(self, round_number: int, table: int) -> Pairing | None:
        """Return the pairing of a round and a table, or None."""
        for each in self.rounds:
            if each.number == round_number:
                for pairing in each.pairings:
                    if pairing.table == table:
                        return pairing
        return None

    @property
    def undecided(self) -> tuple[Pairing, ...]:
        """The pairings of the present round that have no result yet."""
        if not self.rounds:
            return ()
        results = self.results
        return tuple(
            each for each in self.rounds[-1].pairings if (each.round, each.table) not in results
        )

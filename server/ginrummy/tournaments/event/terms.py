"""What a director sets before a tournament begins: the format, the play, the limits."""

from typing import TypeAlias

import msgspec

from ginrummy.rules.events import Limits, SigningPolicy, TimeControl
from ginrummy.rules.ruleset import Ruleset
from ginrummy.tournaments.errors import InvalidTermsError
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.gauntlet import Gauntlet
from ginrummy.tournaments.pairing.manual import Manual
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.standings import Terms
from ginrummy.tournaments.statistics.sprt import Sprt

__all__ = ["Boards", "Elsewhere", "Matches", "Play", "TournamentFormat", "TournamentTerms"]

MOST_BOARDS = 100_000


class Boards(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="boards"):
    """Duplicate boards: every pair plays each of them twice, with seats swapped.

    A void hand scores nothing and is not dealt again.
    """

    boards: int
    """How many a pair plays when it meets, two hands each."""
    forfeit_points: int = 50
    """What the opponent scores for a hand that a seat forfeits, in points."""


class Matches(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="matches"):
    """One ordinary match a pairing, to a target or so many hands, as its ruleset says."""


class Elsewhere(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="elsewhere"):
    """The matches are played away from the server, and the director enters the results."""


Play: TypeAlias = Boards | Matches | Elsewhere
"""How the two of a pairing settle who is better."""

TournamentFormat: TypeAlias = RoundRobin | Gauntlet | Swiss | Elimination | Manual
"""Who meets whom."""


class TournamentTerms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that a tournament's course depends on beside its entrants.

    Raises InvalidTermsError, naming the field, for what cannot be.
    """

    name: str
    format: TournamentFormat
    play: Play
    rules: Ruleset = Ruleset()
    clock: TimeControl | None = None
    limits: Limits = Limits()
    standings: Terms = Terms()
    sprt: Sprt | None = None
    """A sequential test of the first seed against the other one; on boards between two."""
    open_entry: bool = True
    """Whoever has a token may enter; otherwise the director enters everybody."""
    check_in: bool = False
    """Only those who have checked in when registration closes take part."""
    tables: int = 0
    """The most sittings at one time; 0 for no limit."""
    round_ms: int | None = None
    """The time of a round: what is not over then is decided as it stands."""
    reconnect_ms: int = 5_000
    """How long a program that is lost in mid-hand may take to be back; then it has crashed."""
    arrival_ms: int = 60_000
    """How long a called entrant may take to come to its table; then the match is lost."""
    signing: SigningPolicy = "off"
    """Whether entrants sign their moves; on boards by the keys that they entered with."""

    def __post_init__(self) -> None:
        if isinstance(self.format, Swiss) and self.format.scoring != self.standings.scoring:
            raise InvalidTermsError("pairs by another scoring than the standings'", "format")
        if isinstance(self.play, Boards):
            _check_range("boards", self.play.boards, 1, MOST_BOARDS)
            _check_range("forfeit_points", self.play.forfeit_points, 0, 1000)
            if self.rules.spades_double:
                raise InvalidTermsError(
                    "cannot go with boards, whose suits each table relabels (K6)",
                    "rules.spades_double",
                )
        elif self.sprt is not None:
            raise InvalidTermsError("a sequential test is made on boards", "sprt")
        if self.rules.hands is not None and isinstance(self.play, Boards):
            raise InvalidTermsError("a board is one hand by itself: leave it out", "rules.hands")
        if self.signing != "off" and isinstance(self.play, Elsewhere):
            raise InvalidTermsError("no move is made here that could be signed", "signing")
        _check_range("tables", self.tables, 0, 10_000)
        _check_range("reconnect_ms", self.reconnect_ms, 0, _DAY_MS)
        _check_range("arrival_ms", self.arrival_ms, 1, 30 * _DAY_MS)
        if self.round_ms is not None:
            _check_range("round_ms", self.round_ms, 1, 366 * _DAY_MS)

    @property
    def boards(self) -> int:
        """How many boards a pair plays when it meets; 0 where none are played."""
        return self.play.boards if isinstance(self.play, Boards) else 0


_DAY_MS = 86_400_000


def _check_range(field: str, value: int, lowest: int, highest: int) -> None:
    if not lowest <= value <= highest:
        raise InvalidTermsError(f"{value} is not from {lowest} to {highest}", field)

"""How a match of a tournament came out: one outcome and one end reason each.

A result is the last word on its match until a later one about the same (round, table) takes its
place: a ruling is a further result, never a change to an old one.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

import msgspec

from ginrummy.rules.cards import BySeat
from ginrummy.tournaments.entrants import Bye, Pairing
from ginrummy.tournaments.errors import InvalidResultError

__all__ = [
    "END_REASONS",
    "FORFEITS",
    "EndReason",
    "MatchKey",
    "Outcome",
    "Record",
    "Result",
    "count_reasons",
    "last_words",
]

Outcome: TypeAlias = Literal["first", "second", "draw", "neither", "void"]
"""Who won: `neither` where both forfeit, and `void` where the match counts for nobody."""

EndReason: TypeAlias = Literal[
    "played",
    "resigned",
    "time",
    "illegal_moves",
    "crash",
    "stall",
    "no_show",
    "withdrawn",
    "round_clock",
    "ruling",
    "aborted",
]
"""Why a match ended, one reason each: played to its end by the rules; a resignation; the loser's
time ran out; too many illegal moves; its program died; its program was silent though its time was
not over; nobody came; it left the event; the round's time was over; the director ruled; the match
was given up unfinished."""

END_REASONS: tuple[EndReason, ...] = get_args(EndReason)
"""Every end reason, in the order in which they are reported."""

FORFEITS: frozenset[EndReason] = frozenset(
    ("time", "illegal_moves", "crash", "stall", "no_show", "withdrawn")
)
"""The end reasons by which a match is lost at once, however it stood."""


class Result(msgspec.Struct, frozen=True):
    """The end of one match.

    Raises InvalidResultError where outcome and reason contradict each other: only an aborted match
    or one that was ruled upon is void, and nobody draws by a forfeit or a resignation.
    """

    pairing: Pairing
    outcome: Outcome
    reason: EndReason
    points: BySeat[int] = BySeat(0, 0)
    """What the entrant named first and the other one scored, in points of the game."""

    def __post_init__(self) -> None:
        if self.outcome not in _OUTCOMES[self.reason]:
            raise InvalidResultError(f"a match ended by {self.reason} is never {self.outcome!r}")

    @property
    def winner(self) -> str | None:
        """The entrant that won; None without a winner."""
        if self.outcome == "first":
            return self.pairing.first
        return self.pairing.second if self.outcome == "second" else None


_WON: tuple[Outcome, ...] = ("first", "second")
_OUTCOMES: dict[EndReason, tuple[Outcome, ...]] = {
    **dict.fromkeys(FORFEITS, (*_WON, "neither")),
    "played": (*_WON, "draw"),
    "round_clock": (*_WON, "draw"),
    "resigned": _WON,
    "ruling": get_args(Outcome),
    "aborted": ("void",),
}

Record: TypeAlias = Result | Bye
"""What standings are folded from, in the order in which it was recorded."""

MatchKey: TypeAlias = tuple[int, int]
"""The round and the table of a match."""


def last_words(records: Iterable[Record]) -> tuple[dict[MatchKey, Result], tuple[Bye, ...]]:
    """Return the result that stands for each match, and each bye once.

    A later result takes the place of an earlier one of the same match, and a bye that is recorded
    again is the same bye, so nothing is counted twice however often it was written down.
    """
    results: dict[MatchKey, Result] = {}
    byes: dict[tuple[int, str], Bye] = {}
    for record in records:
        if isinstance(record, Bye):
            byes[record.round, record.entrant] = record
        else:
            results[record.pairing.round, record.pairing.table] = record
    return results, tuple(byes.values())


def count_reasons(records: Iterable[Record]) -> dict[EndReason, int]:
    """Return how many matches ended for each reason; the sum is the number of matches ended."""
    counts = dict.fromkeys(END_REASONS, 0)
    for result in last_words(records)[0].values():
        counts[result.reason] += 1
    return counts

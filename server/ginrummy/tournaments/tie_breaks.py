"""How equal scores are told apart (docs/tournaments.md, *Tie-breaks*)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias, get_args

import msgspec

from ginrummy.tournaments.results import Result
from ginrummy.tournaments.scoring import Scoring, credits_of

__all__ = ["TIE_BREAKS", "Account", "TieBreak", "accounts", "values_of"]

TieBreak: TypeAlias = Literal[
    "head_to_head", "buchholz", "sonneborn_berger", "point_difference", "lot"
]
"""The ways of telling equal scores apart."""

TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)
"""The default order: every one of them."""


class Meeting(msgspec.Struct, frozen=True):
    """A match that counts, as one of its two entrants sees it."""

    opponent: str
    credit: int
    opponents_credit: int
    points: int
    opponents_points: int
    result: Result


class Account(msgspec.Struct, frozen=True):
    """All that counts for one entrant: its matches and its byes."""

    meetings: tuple[Meeting, ...] = ()
    byes: int = 0

    def score(self, scoring: Scoring) -> int:
        """Return the credits of all matches and byes."""
        return sum(each.credit for each in self.meetings) + self.byes * scoring.bye


def accounts(
    entrants: Sequence[str], results: Sequence[Result], byes: Mapping[str, int], scoring: Scoring
) -> dict[str, Account]:
    """Return every entrant's account. A void match is in none."""
    meetings: dict[str, list[Meeting]] = {each: [] for each in entrants}
    for result in results:
        if result.outcome == "void":
            continue
        first, second = result.pairing.first, result.pairing.second
        (mine, theirs), (own, other) = credits_of(result, scoring), result.points
        meetings[first].append(Meeting(second, mine, theirs, own, other, result))
        meetings[second].append(Meeting(first, theirs, mine, other, own, result))
    return {each: Account(tuple(meetings[each]), byes.get(each, 0)) for each in entrants}


def values_of(
    tie_break: TieBreak,
    tied: Sequence[str],
    account: Mapping[str, Account],
    scoring: Scoring,
    lots: Sequence[str],
) -> dict[str, int] | None:
    """Return what a tie-break gives each of those who are tied; more is better.

    None where it does not apply to them.
    """
    match tie_break:
        case "head_to_head":
            return _head_to_head(tied, account)
        case "lot":
            if not set(tied) <= set(lots):
                return None
            return {each: len(lots) - lots.index(each) for each in tied}
        case "buchholz" | "sonneborn_berger" | "point_difference":
            return {each: _SUMS[tie_break](each, account, scoring) for each in tied}


def _head_to_head(tied: Sequence[str], account: Mapping[str, Account]) -> dict[str, int] | None:
    """Return the credits from matches among the tied, if all of them met equally often."""
    group = set(tied)
    among = {
        each: [meeting for meeting in account[each].meetings if meeting.opponent in group]
        for each in tied
    }
    met = Counter((each, meeting.opponent) for each in tied for meeting in among[each])
    times = {met[one, another] for one in tied for another in tied if one != another}
    if len(times) > 1 or 0 in times:
        return None
    return {each: sum(meeting.credit for meeting in among[each]) for each in tied}


def _buchholz(entrant: str, account: Mapping[str, Account], scoring: Scoring) -> int:
    own = account[entrant]
    return own.byes * own.score(scoring) + sum(
        account[each.opponent].score(scoring) for each in own.meetings
    )


def _sonneborn_berger(entrant: str, account: Mapping[str, Account], scoring: Scoring) -> int:
    own = account[entrant]
    return own.byes * scoring.bye * own.score(scoring) + sum(
        each.credit * account[each.opponent].score(scoring) for each in own.meetings
    )


def _point_difference(entrant: str, account: Mapping[str, Account], _scoring: Scoring) -> int:
    return sum(each.points - each.opponents_points for each in account[entrant].meetings)


_Sum: TypeAlias = Callable[[str, Mapping[str, Account], Scoring], int]
_SUMS: dict[TieBreak, _Sum] = {
    "buchholz": _buchholz,
    "sonneborn_berger": _sonneborn_berger,
    "point_difference": _point_difference,
}

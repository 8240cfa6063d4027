"""Standings: a pure fold over the results and byes, at any point of an event.

Standings "as of" an earlier moment are those of the records up to it; nothing else goes in.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from ginrummy.tournaments.entrants import Entrant
from ginrummy.tournaments.errors import InvalidTermsError
from ginrummy.tournaments.results import (
    FORFEITS,
    EndReason,
    Record,
    count_reasons,
    last_words,
)
from ginrummy.tournaments.scoring import Scoring
from ginrummy.tournaments.tie_breaks import (
    TIE_BREAKS,
    Account,
    TieBreak,
    accounts,
    values_of,
)

__all__ = ["Standing", "Standings", "Terms", "standings"]


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a director wants standings made. Raises InvalidTermsError for a tie-break named twice."""

    scoring: Scoring = Scoring()
    tie_breaks: tuple[TieBreak, ...] = TIE_BREAKS

    def __post_init__(self) -> None:
        if len(set(self.tie_breaks)) < len(self.tie_breaks):
            raise InvalidTermsError("a tie-break is named twice")


class Standing(msgspec.Struct, frozen=True):
    """One entrant's line of the standings."""

    place: int
    """From 1. Those whom no tie-break tells apart share the best place of theirs."""
    entrant: str
    score: int
    matches: int
    """Matches that count, won by a forfeit or lost by one included, void ones not."""
    wins: int
    draws: int
    losses: int
    byes: int
    forfeits: int
    """The losses that were forfeits of one's own."""
    points: int
    """The points of the game that were scored; a bye has none."""
    points_against: int
    tie_breaks: tuple[int | None, ...]
    """The values in the director's order; None where one was not needed or does not apply."""


class Standings(msgspec.Struct, frozen=True):
    """The standings, the best first, and how the matches behind them ended."""

    rows: tuple[Standing, ...]
    matches: int
    """How many matches have a result."""
    reasons: dict[EndReason, int]
    """How many of them ended for each reason; the sum is `matches`."""


def standings(
    entrants: Sequence[Entrant],
    records: Sequence[Record],
    terms: Terms = Terms(),  # noqa: B008  a frozen value
    lots: Sequence[str] = (),
) -> Standings:
    """Return the standings after `records`.

    `lots` are the entrants' ids in the order in which they were drawn, empty before they are.
    """
    results, byes = last_words(records)
    ids = [each.id for each in sorted(entrants, key=lambda each: each.seed)]
    account = accounts(
        ids, tuple(results.values()), Counter(bye.entrant for bye in byes), terms.scoring
    )
    ranking = _Ranking(terms, account, lots)
    ranking.rank(ids)
    return Standings(tuple(ranking.rows), len(results), count_reasons(records))


class _Ranking:
    """The lines of the standings, as groups of equals are told apart."""

    def __init__(self, terms: Terms, account: Mapping[str, Account], lots: Sequence[str]) -> None:
        self.rows: list[Standing] = []
        self._terms = terms
        self._account = account
        self._lots = lots
        self._values: dict[str, list[int | None]] = {
            each: [None] * len(terms.tie_breaks) for each in account
        }

    def rank(self, ids: Sequence[str]) -> None:
        """Write the line of every entrant."""
        scores = {each: self._account[each].score(self._terms.scoring) for each in ids}
        for group in _by_value(ids, scores):
            self._tell_apart(group, 0)

    def _tell_apart(self, tied: Sequence[str], level: int) -> None:
        """Write the lines of entrants that are equal up to a tie-break, with the next best first.

        Only the entrants that are still tied count for each other, so the tie-break head to head
        is made again among those whom it left tied.
        """
        if len(tied) == 1 or level == len(self._terms.tie_breaks):
            place = len(self.rows) + 1
            self.rows += (self._row(each, place) for each in tied)
            return
        tie_break = self._terms.tie_breaks[level]
        values = values_of(tie_break, tied, self._account, self._terms.scoring, self._lots)
        if values is None:
            self._tell_apart(tied, level + 1)
            return
        for each in tied:
            self._values[each][level] = values[each]
        groups = _by_value(tied, values)
        again = tie_break == "head_to_head" and len(groups) > 1
        for group in groups:
            self._tell_apart(group, level if again else level + 1)

    def _row(self, entrant: str, place: int) -> Standing:
        own = self._account[entrant]
        winners = [each.result.winner for each in own.meetings]
        drawn = [each.result.outcome == "draw" for each in own.meetings]
        lost = [
            each
            for each in own.meetings
            if each.result.outcome != "draw" and each.result.winner != entrant
        ]
        return Standing(
            place=place,
            entrant=entrant,
            score=own.score(self._terms.scoring),
            matches=len(own.meetings),
            wins=winners.count(entrant),
            draws=sum(drawn),
            losses=len(lost),
            byes=own.byes,
            forfeits=sum(each.result.reason in FORFEITS for each in lost),
            points=sum(each.points for each in own.meetings),
            points_against=sum(each.opponents_points for each in own.meetings),
            tie_breaks=tuple(self._values[entrant]),
        )


def _by_value(ids: Sequence[str], values: Mapping[str, int]) -> list[list[str]]:
    """Return groups of equal value, the highest first, each in the order of `ids`."""
    return [
        [each for each in ids if values[each] == value]
        for value in sorted({values[each] for each in ids}, reverse=True)
    ]

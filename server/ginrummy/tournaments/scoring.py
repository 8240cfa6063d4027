"""What a match is worth in the standings."""

import msgspec

from ginrummy.rules.cards import BySeat
from ginrummy.tournaments.errors import InvalidTermsError
from ginrummy.tournaments.results import Record, Result, last_words

__all__ = ["Scoring", "credits_of", "scores"]


class Scoring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The credit for each way of ending a match, in whole numbers, so that sums are exact.

    Raises InvalidTermsError unless win > draw >= loss >= 0 and no bye is worth more than a win.
    """

    win: int = 2
    draw: int = 1
    loss: int = 0
    bye: int = 2
    """For a round without a match through no doing of one's own. An absence is worth nothing."""

    def __post_init__(self) -> None:
        if not self.win > self.draw >= self.loss >= 0:
            raise InvalidTermsError(
                "a win is worth more than a draw, and a draw not less than a loss"
            )
        if not 0 <= self.bye <= self.win:
            raise InvalidTermsError(f"a bye is worth 0 to {self.win}, which is a win")


def credits_of(result: Result, scoring: Scoring) -> BySeat[int]:
    """Return what a result is worth to the entrant that dealt first, and to the other one."""
    match result.outcome:
        case "first":
            return BySeat(scoring.win, scoring.loss)
        case "second":
            return BySeat(scoring.loss, scoring.win)
        case "draw":
            return BySeat(scoring.draw, scoring.draw)
        case "neither":
            return BySeat(scoring.loss, scoring.loss)
        case "void":
            return BySeat(0, 0)


def scores(records: tuple[Record, ...], scoring: Scoring) -> dict[str, int]:
    """Return every named entrant's score: the credits of its matches and its byes."""
    results, byes = last_words(records)
    totals: dict[str, int] = {}
    for result in results.values():
        first, second = credits_of(result, scoring)
        totals[result.pairing.first] = totals.get(result.pairing.first, 0) + first
        totals[result.pairing.second] = totals.get(result.pairing.second, 0) + second
    for bye in byes:
        totals[bye.entrant] = totals.get(bye.entrant, 0) + scoring.bye
    return totals

"""A sequential test: play on until the results speak for one of two strengths, then stop.

Results may arrive in any order, but they are taken in the order of the schedule and in whole pairs
only: quick hands come in first, and a test that looked at them first would err more often than it
says. The decision falls at the first board at which the ratio leaves its bounds, and stands.
"""

import math
from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from ginrummy.tournaments.statistics.errors import InvalidSprtError
from ginrummy.tournaments.statistics.likelihood import logistic_llr, mean_llr, normalized_llr
from ginrummy.tournaments.statistics.pairs import Pair, Tally, tally

__all__ = [
    "Course",
    "Scale",
    "Sprt",
    "Status",
    "advance",
    "call_off",
    "catch_up",
    "log_likelihood_ratio",
    "parse_sprt",
]

Scale: TypeAlias = Literal["elo", "nelo", "points"]
"""What the hypotheses are in: logistic Elo of a hand, normalised Elo, or points a board."""

Status: TypeAlias = Literal["running", "accept_h0", "accept_h1", "no_decision"]

_LARGEST: Mapping[Scale, float] = {"elo": 1000.0, "nelo": 200.0, "points": 1_000_000.0}
"""Beyond these no test is of use, and the fit under a hypothesis may not settle."""


class Sprt(msgspec.Struct, frozen=True, kw_only=True):
    """A test of `h1` against `h0`. Raises InvalidSprtError, naming the field, for a wrong one."""

    scale: Scale = "elo"
    h0: float
    """The lead that is to be refuted."""
    h1: float
    """The lead that is worth showing, larger than `h0`."""
    alpha: float = 0.05
    """Chance of accepting `h1` where the lead is `h0`."""
    beta: float = 0.05
    """Chance of accepting `h0` where the lead is `h1`."""
    least_boards: int = 16
    """Boards before the first decision: the spread of a few boards alone is too rough a guess."""

    def __post_init__(self) -> None:
        for field in ("h0", "h1", "alpha", "beta"):
            # A whole number would be written without its point, and read as another one.
            msgspec.structs.force_setattr(self, field, float(getattr(self, field)))
        largest = _LARGEST.get(self.scale)
        if largest is None:
            raise InvalidSprtError("scale", f"{self.scale!r} is none of {', '.join(_LARGEST)}")
        for field, bound in (("h0", self.h0), ("h1", self.h1)):
            if not abs(bound) <= largest:
                raise InvalidSprtError(field, f"{bound} is not from {-largest} to {largest}")
        if not self.h0 < self.h1:
            raise InvalidSprtError("h1", f"{self.h1} is not above h0, which is {self.h0}")
        for field, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise InvalidSprtError(field, f"{chance} is not between 0 and 0.5")
        if self.least_boards < 1:
            raise InvalidSprtError("least_boards", f"{self.least_boards} is not 1 or more")

    @property
    def lower(self) -> float:
        """The ratio at which h0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The ratio at which h1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)


class Course(msgspec.Struct, frozen=True):
    """How far a test has come. Once decided or called off, it does not change any more."""

    test: Sprt
    counted: Tally = Tally()
    """The boards that the test has looked at: 1 to `counted.boards` of the schedule."""
    llr: float = 0.0
    """The log likelihood ratio after them."""
    status: Status = "running"


def parse_sprt(text: str) -> Sprt:
    """Read a test as a director writes it: `elo0=0,elo1=20` or `points0=0,points1=5,alpha=0.01`.

    Raises InvalidSprtError for an unknown, repeated, missing or impossible field.
    """
    fields: dict[str, float] = {}
    for part in text.split(","):
        name, _, number = (piece.strip() for piece in part.partition("="))
        if name in fields:
            raise InvalidSprtError(name, "is given twice")
        try:
            fields[name] = float(number)
        except ValueError:
            raise InvalidSprtError(name, f"{number!r} is not a number") from None
    alpha, beta = fields.pop("alpha", 0.05), fields.pop("beta", 0.05)
    for scale in _LARGEST:
        if set(fields) == {f"{scale}0", f"{scale}1"}:
            h0, h1 = fields[f"{scale}0"], fields[f"{scale}1"]
            return Sprt(scale=scale, h0=h0, h1=h1, alpha=alpha, beta=beta)
    raise InvalidSprtError(
        ", ".join(fields) or "sprt",
        "give two bounds, as in elo0=0,elo1=20 or points0=0,points1=5, and alpha and beta at will",
    )


def log_likelihood_ratio(test: Sprt, total: Tally) -> float:
    """Return the ratio of h1 against h0; positive speaks for h1."""
    if test.scale == "points":
        return mean_llr(total.boards, total.points, total.squares, test.h0, test.h1)
    ratio = logistic_llr if test.scale == "elo" else normalized_llr
    return ratio(total.pentanomial, test.h0, test.h1)


def advance(course: Course, pair: Pair) -> Course:
    """Return the course after the schedule's next board, or as it is where it has ended."""
    if course.status != "running":
        return course
    counted = course.counted + tally((pair,))
    llr = log_likelihood_ratio(course.test, counted)
    status: Status = "running"
    if counted.boards >= course.test.least_boards:
        if llr >= course.test.upper:
            status = "accept_h1"
        elif llr <= course.test.lower:
            status = "accept_h0"
    return Course(course.test, counted, llr, status)


def catch_up(course: Course, finished: Mapping[int, Pair]) -> Course:
    """Return the course after all boards that are finished without a gap before them.

    `finished` has every complete pair under its board's number in the schedule, which starts at 1.
    A board behind a gap waits for the gap to close.
    """
    while course.status == "running":
        pair = finished.get(course.counted.boards + 1)
        if pair is None:
            return course
        course = advance(course, pair)
    return course


def call_off(course: Course) -> Course:
    """Return the course as ended by hand or by the last board: no decision, unless it has one."""
    if course.status != "running":
        return course
    return Course(course.test, course.counted, course.llr, "no_decision")

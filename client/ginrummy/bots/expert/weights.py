"""Every number that the bot goes by, in one place, with what it weighs and where it is from.

Fitted: by regression over hands that the bot played against itself and against `simple`, with a
tenth of its throws made at random. Tried: by playing duplicate boards against `simple`
(benchmarks/bot_strength.py) with this number changed and all others left.
"""

from typing import NamedTuple

__all__ = [
    "DRAWING",
    "GIN_WORTH",
    "KNOCKING",
    "KNOCK_WORTH",
    "LAST_TURNS",
    "READING",
    "THROWING",
    "WHOLE_LIMIT",
    "Worth",
]

_Near = tuple[float, float, float]
"""For cards of the same rank, and for those one and two off in the same suit."""


class _Reading(NamedTuple):
    """How the opponent's hand is read (fitted: a logistic regression of who held what)."""

    thrown: _Near = (-0.76, -0.66, -0.29)
    """Added to the log-odds of a card for every card near it that the opponent threw."""
    left: _Near = (-0.55, -0.45, -0.17)
    """For every card near it that they could have taken and did not."""
    taken: _Near = (1.1, 1.1, 0.7)
    """For every card near it that they took."""
    high: float = -0.004
    """For every point that the card counts, for every turn that they had to get rid of it."""
    choice: float = 0.15
    """Cards a turn that an imagined hand has too many, to throw the worst of them (fitted: the
    imagined hands then count what real ones do, turn by turn)."""
    doubt: float = 0.05
    """The least chance that a card is in the stock after all, however likely it is theirs."""
    hands: int = 16
    """How many hands are imagined: more read better and take longer."""


READING = _Reading()


class Worth(NamedTuple):
    """What each thing adds to a hand's worth, in points (fitted: the hand's score)."""

    even: float
    """Being the one who has just thrown."""
    turn: float
    """Every turn that the opponent has had."""
    theirs: float
    """Every point of the opponent's deadwood, as it is imagined."""
    deadwood: float
    """Every point of one's own deadwood."""
    deadwood_turn: float
    """The same, more for every turn."""
    drop: float
    """Every point by which the next card lowers it, on average."""
    drop_turn: float
    """The same, more for every turn."""
    knock: float
    """The chance that the next card permits a knock: all of it against none."""
    knock_turn: float
    """The same, more for every turn."""
    gin: float
    """The chance that the next card makes gin."""
    ready: float
    """Every point by which one is already below the knock limit."""
    turns_counted: int = 10
    """Turns beyond this change nothing more."""


KNOCK_WORTH = Worth(
    even=-6.1,
    turn=0.86,
    theirs=0.33,
    deadwood=-0.51,
    deadwood_turn=-0.019,
    drop=2.06,
    drop_turn=-0.1,
    knock=16.2,
    knock_turn=-1.8,
    gin=80.0,
    ready=0.6,
)
"""Where ten points permit a knock."""

GIN_WORTH = Worth(
    even=-15.0,
    turn=1.2,
    theirs=0.48,
    deadwood=-0.36,
    deadwood_turn=-0.041,
    drop=1.4,
    drop_turn=-0.08,
    knock=164.0,
    knock_turn=-16.3,
    gin=80.0,
    ready=0.0,
)
"""Where only gin ends the hand. Limits between weigh the two in proportion."""

WHOLE_LIMIT = 10
"""The knock limit that `KNOCK_WORTH` is for."""

LAST_TURNS = 4
"""With fewer cards than this to draw, what a hand is worth goes down to nothing: it ends void."""


class _Throwing(NamedTuple):
    """Which card goes (tried)."""

    danger: float = 0.3
    """What a point costs by which the thrown card helps the opponent."""
    freed: float = 4.0
    """Points that the opponent gets rid of beside those of the meld, by throwing another card."""
    sacrifice: int = 12
    """Points of deadwood that are never given up for what may come."""


THROWING = _Throwing()


class _Drawing(NamedTuple):
    """Whether to take the discard pile's top (tried)."""

    drop: float = 0.5
    """What the next card's drop adds to a hand that draws from the stock, a point."""
    margin: float = 0.0
    """Points by which taking has to be better."""


DRAWING = _Drawing()


class _Knocking(NamedTuple):
    """When and how to knock (tried)."""

    slack: int = 3
    """Points of deadwood more than the least that are thought of, to leave fewer lay-offs."""
    tried: int = 6
    """How many spreads are tried against the imagined hands."""
    match: float = 15.0
    """What it is worth in points that a score wins the match."""


KNOCKING = _Knocking()

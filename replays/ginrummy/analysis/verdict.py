"""From the luck of many hands to what can be said of a player: gains, intervals, careful words.

Like is compared with like, by least squares. A draw's surprise is set against how good a card was
to be expected and how much stock was left; a discard is compared with the other cards of the same
value that the seat had loose at that moment, and might as well have thrown.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import NormalDist

import msgspec

from ginrummy.analysis.regression import Row, first_coefficient
from ginrummy.analysis.sight import DrawLuck, HandLuck, ThrowLuck

__all__ = ["LEAST_HANDS", "Gain", "Sight", "sight_of"]

LEAST_HANDS = 30
"""With fewer hands nothing is said: what hangs on them is too uneven."""

_LEVEL = 0.95


class Gain(msgspec.Struct, frozen=True):
    """What a kind of choice gained beyond knowledge, in points of deadwood a choice."""

    gain: float
    low: float
    """The lower end of the 95% interval."""
    high: float
    choices: int
    """The choices that say something: there was more than one card of the kind to choose."""
    hands: int
    """The hands that they lie in."""

    @property
    def more_than_luck(self) -> bool:
        """The whole interval is above zero: of one player in forty it is, by luck alone."""
        return self.low > 0


class Sight(msgspec.Struct, frozen=True):
    """What is said of a player's draws and discards; None where the hands are too few."""

    hands: int
    draws: Gain | None
    discards: Gain | None


def sight_of(hands: Iterable[HandLuck]) -> Sight:
    """Return what the luck of a player's hands comes to."""
    kept = tuple(hands)
    return Sight(
        len(kept),
        _gain([_draw_rows(hand.draws) for hand in kept], 1, sum(len(hand.draws) for hand in kept)),
        _gain(
            [_throw_rows(hand.throws) for hand in kept],
            -1,
            sum(_telling(group) for hand in kept for group in _alike(hand.throws)),
        ),
    )


def _gain(clusters: Sequence[Sequence[Row]], sign: int, choices: int) -> Gain | None:
    hands = sum(bool(rows) for rows in clusters)
    found = first_coefficient(clusters) if hands >= LEAST_HANDS else None
    if found is None:
        return None
    half = _student(hands - 1) * found.error
    gain = sign * found.value
    return Gain(gain, gain - half, gain + half, choices, hands)


def _draw_rows(draws: Sequence[DrawLuck]) -> list[Row]:
    return [
        ((float(draw.chosen), 1.0, draw.expected, draw.stock / 31), draw.real - draw.expected)
        for draw in draws
    ]


def _throw_rows(throws: Sequence[ThrowLuck]) -> list[Row]:
    rows: list[Row] = []
    for group in filter(_telling, _alike(throws)):
        size = len(group)
        real = sum(each.real for each in group) / size
        expected = sum(each.expected for each in group) / size
        rows += [
            ((each.chosen - 1 / size, each.expected - expected), each.real - real) for each in group
        ]
    return rows


def _alike(throws: Sequence[ThrowLuck]) -> list[list[ThrowLuck]]:
    """Return the cards that might as well have been thrown: of one value at one moment."""
    groups: defaultdict[tuple[int, int], list[ThrowLuck]] = defaultdict(list)
    for each in throws:
        groups[each.seq, each.value].append(each)
    return list(groups.values())


def _telling(group: Sequence[ThrowLuck]) -> bool:
    return len(group) > 1 and any(each.chosen for each in group)


def _student(freedom: int) -> float:
    """Return how many errors a 95% interval reaches: Student's, in Cornish and Fisher's series.

    From 20 degrees of freedom on it is right to three decimals.
    """
    z = NormalDist().inv_cdf((1 + _LEVEL) / 2)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + first / freedom + second / freedom**2

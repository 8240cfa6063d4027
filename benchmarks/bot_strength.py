"""How many points a board one bot is ahead of another, over duplicate boards.

    python benchmarks/bot_strength.py expert simple --boards 2000

Each board is one deck, played twice with the seats swapped; a void hand is 0. The same seed plays
the same boards. Beside the mean stands its 95% interval, and how long the first bot's decisions
take, in milliseconds of processor time.
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from statistics import mean
from typing import NamedTuple

from quick_table import decks, duplicate_board

from ginrummy.bots import Bot, load_bot
from ginrummy.rules.ruleset import PRESETS
from ginrummy.tournaments.statistics.intervals import Estimate, mean_points
from ginrummy.tournaments.statistics.pairs import Tally, tally

__all__ = ["Strength", "strength"]

_MS = 1000
"""Milliseconds in a second."""


class Strength(NamedTuple):
    """What duplicate boards tell of a bot beside another."""

    total: Tally
    """All boards, from the first bot's point of view."""
    points: Estimate
    """Points a board, with the 95% interval."""
    seconds: list[float]
    """The processor time of each of the first bot's decisions."""


def strength(
    first: Callable[[], Bot],
    second: Callable[[], Bot],
    boards: int,
    *,
    preset: str = "standard",
    seed: int = 1,
) -> Strength:
    """Let two kinds of bots play boards, and return what these tell of the first."""
    seconds: list[float] = []
    pairs = []
    for number, deck in enumerate(islice(decks(seed), boards), start=1):
        pair, (dealing, not_dealing) = duplicate_board(
            (first(), first()), (second(), second()), PRESETS[preset], deck, number
        )
        pairs.append(pair)
        seconds += dealing.seconds[0] + not_dealing.seconds[1]
    total = tally(pairs)
    return Strength(total, mean_points(total), seconds)


def _lines(found: Strength) -> Iterator[str]:
    total, points, seconds = found
    won = f"{total.wins} won, {total.draws} drawn, {total.losses} lost"
    yield f"boards        {total.boards}: {won}"
    yield f"points/board  {points.value:+.2f}, 95% interval {points.low:+.2f} to {points.high:+.2f}"
    yield f"ms/decision   {mean(seconds) * _MS:.2f} on average, {max(seconds) * _MS:.1f} at most"


def main() -> None:
    """Play, and print what came of it."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    asked.add_argument("first", help="a bot, as `gin bot` takes it")
    asked.add_argument("second", help="another")
    asked.add_argument("--boards", type=int, default=2000, help="how many (2000)")
    asked.add_argument("--preset", choices=PRESETS, default="standard", help="the rules (standard)")
    asked.add_argument("--seed", type=int, default=1, help="which boards (1)")
    given = asked.parse_args()
    first, second = partial(load_bot, given.first), partial(load_bot, given.second)
    found = strength(first, second, given.boards, preset=given.preset, seed=given.seed)
    for line in _lines(found):
        print(line)


if __name__ == "__main__":
    main()

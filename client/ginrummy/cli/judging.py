"""Hands judged side by side, on as many processors as there are: each takes some seconds."""

import os
import signal
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from multiprocessing import get_context

from ginrummy.analysis.deciding import DecidedHand
from ginrummy.analysis.judging import HandJudged, judge_hand
from ginrummy.rules.cards import Seat

__all__ = ["judge_hands"]

_SMALL = 4_000
"""So many decisions times worlds take about as long as it takes to start another process."""


def judge_hands(
    hands: Iterable[DecidedHand],
    *,
    seats: Sequence[Seat],
    worlds: int,
    seed: int,
    processors: int | None = None,
) -> Iterator[HandJudged]:
    """Yield hands judged, in their order; the figures are the same on any number of processors.

    `processors` are those that may be used, all that this process has where it is None.
    """
    judge = partial(judge_hand, seats=tuple(seats), worlds=worlds, seed=seed)
    decided = tuple(hands)
    number = min(processors or _processors(), len(decided))
    if number < 2 or sum(len(hand.decisions) for hand in decided) * worlds < _SMALL:
        yield from map(judge, decided)
        return
    # A fork of a process that has talked to a server would share its connections' locks. Whoever
    # reads no further, or interrupts the command, has the others ended at once.
    with get_context("spawn").Pool(number, _leave_interrupts_to_the_command) as pool:
        yield from pool.imap(judge, decided)


def _processors() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _leave_interrupts_to_the_command() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)

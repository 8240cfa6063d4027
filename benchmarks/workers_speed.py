"""What a second worker brings: moves a second of two processes on one SQLite file, and of one.

python benchmarks/workers_speed.py [--matches N] [--moves N] [--rounds N]

Both servers play the same matches, from copies of one database, with moves that were made ready
beforehand (`replayed_load`), so that the players take little of the processors. They take turns,
round by round. Beside the rates, the processor time that servers and players took for a move says
what is to be expected where nothing else runs.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from comparison import Comparison
from replayed_load import Load, prepare

__all__ = ["WorkersComparison", "compare_workers"]

_TICKS = os.sysconf("SC_CLK_TCK")

_GOALS = {False: 1.6, True: 1.0}
"""Where the seats are apart, both workers follow each match: to be no slower is enough."""


class WorkersComparison(NamedTuple):
    """What two workers are worth beside one."""

    comparison: Comparison
    microseconds: tuple[float, float]
    """Of the processor for a move, of one server and of two workers together."""
    load: float
    """Of the processor for a move, on the players' side."""


class _Server(NamedTuple):
    process: int
    address: str

    def cpu(self) -> float:
        """Return the processor time in seconds that it has taken, its workers' included."""
        children = Path(f"/proc/{self.process}/task/{self.process}/children").read_text().split()
        return sum(map(_cpu, (str(self.process), *children)))


def _cpu(process: str) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


@contextmanager
def _serving(db: Path, workers: int) -> Iterator[_Server]:
    command = (*("-m", "ginrummy.cli", "serve"), *("--log-level", "error"))
    place = ("--db", str(db), "--listen", "127.0.0.1:0", "--workers", str(workers))
    with subprocess.Popen(
        [sys.executable, *command, *place], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield _Server(process.pid, process.stdout.readline().strip())
        finally:
            process.terminate()


def compare_workers(
    matches: int = 64, moves: int = 8_000, rounds: int = 5
) -> Iterator[WorkersComparison]:
    """Compare them with both seats of a match at one connection, and with each at its own.

    Each round is of so many moves, at all matches together.
    """
    # A match may come twice as far as another one: its worker may have fewer.
    most = 2 * 2 * rounds * moves // matches
    with tempfile.TemporaryDirectory() as place, ExitStack() as ending:
        begun = Path(place, "begun.db")
        prepared, tokens = prepare(begun, matches, most)
        servers, loads = [], []
        for workers in (1, 2):
            db = Path(place, f"{workers}.db")
            shutil.copy(begun, db)
            servers.append(ending.enter_context(_serving(db, workers)))
            loads.append(Load(prepared, tokens))
        for apart in (False, True):
            yield _compared(servers, loads, moves, rounds, apart=apart)


def _compared(
    servers: list[_Server], loads: list[Load], moves: int, rounds: int, *, apart: bool
) -> WorkersComparison:
    rates: tuple[list[float], list[float]] = ([], [])
    costs: tuple[list[float], list[float]] = ([], [])
    players = []
    for turn in range(rounds):
        # Whoever is first in one round is last in the next.
        for each in (0, 1)[:: 1 if turn % 2 else -1]:
            before = servers[each].cpu()
            seconds, of_the_load = loads[each].play(servers[each].address, moves, apart=apart)
            costs[each].append(1e6 * (servers[each].cpu() - before) / moves)
            rates[each].append(moves / seconds)
            players.append(1e6 * of_the_load / moves)
    one, two = median(rates[0]), median(rates[1])
    where = "each seat anywhere" if apart else "a match at one worker"
    name = f"durable moves, two workers beside one, {where}"
    return WorkersComparison(
        Comparison(name, "moves/s", two, one, two / one, _GOALS[apart]),
        (median(costs[0]), median(costs[1])),
        median(players),
    )


def main() -> None:
    """Compare, and print a line for each way to sit."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=64)
    parser.add_argument("--moves", type=int, default=8_000, help="of a round")
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    for found in compare_workers(asked.matches, asked.moves, asked.rounds):
        name, unit, ours, baseline, ratio, goal = found.comparison
        one, two = found.microseconds
        print(
            f"{name:60} {ours:>7,.0f} {baseline:>7,.0f} {unit}  ratio {ratio:.2f} (goal {goal})  "
            f"of the processors a move: one {one:.0f} us, two {two:.0f} us, "
            f"the players {found.load:.0f} us",
            flush=True,
        )


if __name__ == "__main__":
    main()

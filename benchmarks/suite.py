"""All comparisons, and the page that they make: benchmarks/results.md."""

import os
import platform
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from audit_speed import compare_audit
from comparison import Comparison
from growth_speed import SMALL, Growth, Start, compare_growth, compare_opening, measure_start
from play_speed import PlayComparison, compare_play
from proof_speed import compare_proof
from rules_speed import compare_deadwood, compare_playouts
from signing_speed import compare_signing
from tournament_speed import TournamentComparison, compare_tournament
from watch_speed import WatchComparison, compare_watching
from workers_speed import WorkersComparison, compare_workers

__all__ = ["RESULTS", "run_all"]

RESULTS = Path(__file__).with_name("results.md")

_PAGE = """# Benchmark results

Written by `gin bench`. Every figure is the median of rounds in which ours and the baseline take
turns, so that only the ratios are to be compared from machine to machine.

{machine}

| what | ours | baseline | unit | ratio | goal |
| --- | ---: | ---: | --- | ---: | ---: |
{rows}

The baselines are OpenSpiel's own function and OpenSpiel driven from Python with a cloned start
state (least deadwood, playouts); SHA-256 and a JSON decode of the same lines alone (audit, where
the ratio is the time's); hashing every line of the log, as a proof without a stored tree would
have to (proof of one line; growing the tree); a match of one hand, and folding all lines (opening a
match; one thread's processor time); and a bare bidirectional echo of messages of the
same size, on streams and by calls (durable moves, through `Play` and `MakeMove`, with
`synchronous=FULL` or PostgreSQL's own settings, clients in another process); the
one server process with the same moves (two workers); the
same moves unsigned (signed moves; the players sign in their own process), and SHA-256 of the line
(signing and checking one alone, where the ratio is the time's, and the goal the most); and the
same bots at a bare table in one process, without server, log or network (duplicate boards, on
two tables at once).

## Delay of an answer to a move, in milliseconds, and what it costs the server

The processor time is that of all the server's threads together, in microseconds a move.

| call | stored in | matches at once | p50 | p99 | echo p50 | echo p99 | processor | echo's |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
{delays}

## Delay of a move that others watch, in milliseconds

| watchers | p50 | p99 | p99 over that with one watcher | goal: at most |
| ---: | ---: | ---: | ---: | ---: |
{watched}

## Starting, and moving beside what is there already

Processor time of the server, all its threads together: the median of rounds in which servers on
databases of several sizes take turns. `python benchmarks/growth_speed.py --whole` measures the same
with 10,000 open matches and a log of a million lines.

| finished matches | a start, s of the processor | s on the wall | MiB then |
| ---: | ---: | ---: | ---: |
{starts}

| beside | us a move | moves for the same time | goal: at least | KiB an open match |
| --- | ---: | ---: | ---: | ---: |
{growth}

## Whose time a tournament is

{shares}

## Two workers beside one

Microseconds of the processors a move, of which each server process, `gin serve` and its workers,
takes its part; the players send moves that were made ready.

| two workers beside one | one | two | players |
| --- | ---: | ---: | ---: |
{workers}
"""


def run_all() -> Iterator[str]:
    """Run every comparison, yield a line as each is done, and write the page."""
    rows, delays, shares, watched, workers = [], [], [], [], []
    for comparison in _comparisons():
        if isinstance(comparison, PlayComparison):
            row, delay = _play_row(comparison)
            delays.append(delay)
        elif isinstance(comparison, TournamentComparison):
            row = _row(comparison.comparison)
            shares.append(_share(comparison))
        elif isinstance(comparison, WorkersComparison):
            row = _row(comparison.comparison)
            workers.append(_workers_row(comparison))
        else:
            row = _row(comparison)
        rows.append(row)
        yield row
    for found in compare_watching():
        watched.append(_watched_row(found))
        yield watched[-1]
    starts, growth = [], []
    for start in measure_start(SMALL.finished):
        starts.append(_start_row(start))
        yield starts[-1]
    for beside in compare_growth():
        growth.append(_growth_row(beside))
        yield growth[-1]
    page = _PAGE.format(
        machine=_machine(),
        rows="\n".join(rows),
        delays="\n".join(delays),
        shares="\n".join(shares),
        workers="\n".join(workers),
        watched="\n".join(watched),
        starts="\n".join(starts),
        growth="\n".join(growth),
    )
    RESULTS.write_text(page)
    yield f"written to {RESULTS}"


def _comparisons() -> Iterator[
    Comparison | PlayComparison | TournamentComparison | WorkersComparison
]:
    yield compare_deadwood()
    yield compare_playouts()
    yield from compare_audit()
    yield from compare_proof()
    yield from compare_opening()
    yield from compare_play()
    yield from compare_workers()
    yield from compare_signing()
    yield compare_tournament()


def _row(found: Comparison) -> str:
    return (
        f"| {found.name} | {found.ours:,.0f} | {found.baseline:,.0f} | {found.unit} "
        f"| {found.ratio:.2f} | {found.goal} |"
    )


def _play_row(found: PlayComparison) -> tuple[str, str]:
    name = f"durable moves, `{found.way}`, {found.store}, {found.matches} at once"
    row = Comparison(name, "moves/s", found.ours, found.baseline, found.ratio, found.goal)
    delay = (
        f"| `{found.way}` | {found.store} | {found.matches} | {found.p50:.1f} | {found.p99:.1f} "
        f"| {found.echo_p50:.1f} | {found.echo_p99:.1f} | {found.cpu:.0f} | {found.echo_cpu:.0f} |"
    )
    return _row(row), delay


def _workers_row(found: WorkersComparison) -> str:
    one, two = found.microseconds
    where = found.comparison.name.rpartition(", ")[2]
    return f"| {where} | {one:.0f} | {two:.0f} | {found.load:.0f} |"


def _watched_row(found: WatchComparison) -> str:
    return (
        f"| {found.watchers:,} | {found.p50:.1f} | {found.p99:.1f} "
        f"| {found.growth:.2f} | {found.goal} |"
    )


def _start_row(found: Start) -> str:
    return f"| {found.finished:,} | {found.seconds:.2f} | {found.wall:.2f} | {found.memory:.0f} |"


def _growth_row(found: Growth) -> str:
    held = "-" if found.kib is None else f"{found.kib:.1f}"
    return (
        f"| {found.beside} | {found.microseconds:.0f} | {found.ratio:.2f} | {found.goal} | {held} |"
    )


def _share(found: TournamentComparison) -> str:
    return (
        f"Of the processor time of a tournament, {found.bots_share:.0%} is the bots' processes',"
        f" their side of the network included, and {found.decisions_share:.1%} their decisions; the"
        f" rest is the server's. They play {found.comparison.ours:,.0f} boards a minute."
    )


def _machine() -> str:
    """Describe where the figures were taken."""
    libraries = ", ".join(
        f"{name} {version(name)}" for name in ("grpcio", "protobuf", "msgspec", "open_spiel")
    )
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {_processor()}, {os.cpu_count()} processors, "
        f"{platform.system()} {platform.release()}, "
        f"{platform.python_implementation()} {platform.python_version()}, {libraries}."
    )


def _processor() -> str:
    """Return the processor's name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


if __name__ == "__main__":
    for line in run_all():
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

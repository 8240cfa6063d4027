"""How a tournament goes on, told while it is played: one line that is redrawn, or one now and then.

It goes to standard error, so that what a run prints at the end stays for itself.
"""

import math
import os
import sys
import time
from typing import TextIO

from ginrummy.cli.tournament.results import named, spelled
from ginrummy.cli.tournament.spans import span_text
from ginrummy.tournaments.event import Tournament
from ginrummy.tournaments.event.schedule import sittings_of
from ginrummy.tournaments.event.summary import Summary, summary
from ginrummy.tournaments.pairing.gauntlet import Gauntlet
from ginrummy.tournaments.pairing.round_robin import RoundRobin, rounds_of
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.v1.tournament_service_pb2 import TournamentProgress

__all__ = ["Ticker", "progress_text"]

_EVERY = 0.5
"""Seconds from one drawing of the line to the next, at the least."""

_SHARE = 20
"""The sums for a line take at most one part in so many of the time."""

_STEP = 10
"""Where nothing is redrawn, a line is written for each round, and for each so many percent of one
that takes its time."""

_SLOW = 5.0
"""Seconds from one such line to the next, at the least."""


class Ticker:
    """Whatever a run says while it goes on."""

    def __init__(self, out: TextIO | None = None, *, quiet: bool = False) -> None:
        """Write to `out`, standard error unless given; `quiet` leaves only what has to be said."""
        self._out = out or sys.stderr
        self._quiet = quiet
        self._redraws = self._out.isatty()
        self._next = 0.0
        self._drawn = ""
        self._told: tuple[int, int] = (0, 0)
        self._pace: TournamentProgress | None = None

    def say(self, text: str, *, always: bool = False) -> None:
        """Write a line of its own, above the one that is redrawn."""
        if self._quiet and not always:
            return
        self.clear()
        self._write(f"{text}\n")

    def pace(self, told: TournamentProgress, tournament: Tournament) -> None:
        """Take in what the server says of the round's pace."""
        self._pace = told
        self.update(tournament)

    def update(self, tournament: Tournament) -> None:
        """Say how far the tournament has come, unless that was said just now."""
        if self._quiet or tournament.stage != "playing":
            return
        if not self._redraws:
            self._step(tournament)
        elif time.monotonic() >= self._next:
            began = time.monotonic()
            self._draw(progress_text(tournament, summary(tournament), self._pace))
            took = time.monotonic() - began
            self._next = began + max(_EVERY, _SHARE * took)

    def clear(self) -> None:
        """Take the line away that is redrawn."""
        if self._drawn:
            self._write("\r\x1b[K")
            self._drawn = ""

    def _step(self, tournament: Tournament) -> None:
        over, whole = _sittings(tournament)
        step = (len(tournament.rounds), over * 100 // max(whole, 1) // _STEP)
        is_new_round = step[0] > self._told[0]
        if step > self._told and (is_new_round or time.monotonic() >= self._next):
            self._told, self._next = step, time.monotonic() + _SLOW
            self._write(progress_text(tournament, summary(tournament), self._pace) + "\n")

    def _draw(self, text: str) -> None:
        width = _width(self._out)
        line = text if len(text) < width else f"{text[: width - 2]}…"
        self._write(f"\r{line}\x1b[K")
        self._drawn = line

    def _write(self, text: str) -> None:
        self._out.write(spelled(text, self._out.encoding))
        self._out.flush()


def _width(out: TextIO) -> int:
    try:
        return os.get_terminal_size(out.fileno()).columns
    except (OSError, ValueError):
        return 80


def progress_text(
    tournament: Tournament, results: Summary, pace: TournamentProgress | None = None
) -> str:
    """Return how far a tournament has come, in a line."""
    number = len(tournament.rounds)
    planned = _rounds(tournament)
    over, whole = _sittings(tournament)
    said = [f"Round {number}{f' of {planned}' if planned else ''}"]
    if whole:
        said.append(f"{over}/{whole} sittings")
    else:
        said.append(f"{len(tournament.undecided)} of {len(tournament.rounds[-1].pairings)} open")
    if tournament.paused:
        said.append("paused")
    elif pace is not None and pace.round == number:
        said.append(f"{pace.under_way} under way")
    lead = _lead(tournament, results)
    if lead:
        said.append(lead)
    if pace is not None and pace.round == number and not tournament.paused:
        said += _left(pace)
    return ", ".join(said)


def _left(pace: TournamentProgress) -> list[str]:
    said = []
    if pace.HasField("left_ms"):
        said.append(f"{span_text(pace.left_ms)} left")
    if pace.HasField("at_most_ms"):
        said.append(f"at most {span_text(pace.at_most_ms)}")
    return said


def _lead(tournament: Tournament, results: Summary) -> str:
    """Return how the test stands, or who leads by how much."""
    if results.test is not None:
        test = results.test.test
        return f"llr {results.test.llr:+.2f} ({test.lower:+.2f} to {test.upper:+.2f})"
    if not results.standings.rows:
        return ""
    names = named(tournament)
    if tournament.terms.boards:
        # In the first round nobody has a score yet, and points a board say more.
        figures = [each for each in results.entrants if each.points_a_board is not None]
        if not figures:
            return ""
        best = max(
            figures, key=lambda each: each.points_a_board.value if each.points_a_board else 0
        )
        estimate = best.points_a_board
        assert estimate is not None
        margin = f"±{estimate.margin:.1f}" if math.isfinite(estimate.margin) else ""
        return f"{names[best.entrant]} {estimate.value:+.1f}{margin} a board"
    leader = results.standings.rows[0]
    return f"{names[leader.entrant]} leads with {leader.score}" if leader.score else ""


def _sittings(tournament: Tournament) -> tuple[int, int]:
    """Return how many sittings of the present round are over, and how many it has."""
    if not tournament.rounds:
        return 0, 0
    paired = tournament.rounds[-1]
    whole = sum(len(sittings_of(tournament, each)) for each in paired.pairings)
    return sum(each.round == paired.number for each in tournament.round_sittings), whole


def _rounds(tournament: Tournament) -> int:
    """Return how many rounds the format has; 0 where that depends on the results."""
    starters = len(tournament.starters)
    match tournament.terms.format:
        case RoundRobin(double=double):
            return rounds_of(starters, double=double)
        case Swiss(rounds=rounds):
            return rounds
        case Gauntlet(challengers=challengers, double=double):
            return max(challengers, starters - challengers) * (2 if double else 1)
        case _:
            return 0

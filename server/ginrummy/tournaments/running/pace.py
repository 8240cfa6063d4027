"""How far a round has come, and how long it can still take."""

import msgspec

from ginrummy.rules.match import MS, Instant
from ginrummy.tournaments.event.schedule import sittings_of
from ginrummy.tournaments.event.states import Tournament
from ginrummy.tournaments.event.terms import Boards, TournamentTerms

__all__ = ["Progress", "longest_sitting_ms", "progress"]

_MOST_TURNS = 31
"""Turns that begin with a draw from the stock, which has 31 cards (D1)."""


class Progress(msgspec.Struct, frozen=True):
    """How far the present round has come."""

    round: int
    over: int
    """Sittings that are over."""
    sittings: int
    """Sittings that it has in all."""
    under_way: int
    left_ms: int | None
    """What is likely left, by the pace so far, in milliseconds; None before there is one."""
    at_most_ms: int | None
    """The longest that it can take from now on by its clocks, in milliseconds; None where nothing
    bounds it."""


def progress(
    tournament: Tournament, under_way: int, now: Instant, since: Instant, over_then: int
) -> Progress | None:
    """Return how far the round has come; None before the first one.

    `since` is when this server began to play it, with `over_then` sittings over.
    """
    if not tournament.rounds or tournament.stage == "ended":
        return None
    paired = tournament.rounds[-1]
    whole = sum(len(sittings_of(tournament, each)) for each in paired.pairings)
    undecided = tournament.undecided
    over = len(tournament.round_sittings)
    open_ = sum(len(sittings_of(tournament, each)) for each in undecided) - sum(
        any((each.round, each.table) == (one.round, one.table) for one in undecided)
        for each in tournament.round_sittings
    )
    played_here = over - over_then
    left = (now - since) * open_ // (played_here * MS) if played_here > 0 else None
    return Progress(paired.number, over, whole, under_way, left, _at_most(tournament, open_, now))


def _at_most(tournament: Tournament, open_sittings: int, now: Instant) -> int | None:
    """Return the bound of the round's rest: as if everything left were played one by one."""
    terms = tournament.terms
    longest = longest_sitting_ms(terms)
    bounds = []
    if longest is not None:
        bounds.append(open_sittings * longest)
    if terms.round_ms is not None:
        bounds.append(max(0, terms.round_ms - (now - tournament.round_since) // MS))
    return min(bounds, default=None)


def longest_sitting_ms(terms: TournamentTerms) -> int | None:
    """Return the longest that one sitting can take, waiting for its entrants included.

    None where no clock bounds it: a match to a target can have any number of hands.
    """
    clock = terms.clock
    if clock is None or not isinstance(terms.play, Boards):
        return None
    waiting = 2 * (terms.arrival_ms + terms.reconnect_ms)
    # Two for the upcard, two a turn, one to lay off (D2, T1, T3, T4, L1).
    decisions = 3 + 2 * (_MOST_TURNS + terms.rules.max_discard_draws)
    bounds = []
    if clock.decision_ms is not None:
        bounds.append(decisions * clock.decision_ms)
    if clock.bank_ms is not None:
        bounds.append(2 * clock.bank_ms + decisions * clock.increment_ms)
    return waiting + min(bounds)

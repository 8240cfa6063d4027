"""What rulings on disputes make of a tournament: its sittings follow their matches' results.

    a match's log ──> its result by the rulings that stand ──> sitting_adjusted, result_recorded

Nothing is kept of what was taken over but in the tournament's stream: done again, it does nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from ginrummy.log.errors import LineError
from ginrummy.log.fold import Fold
from ginrummy.log.ids import is_tournament
from ginrummy.log.lines import read_line
from ginrummy.rules.disputes.events import ResultAdjusted
from ginrummy.rules.match import Ended
from ginrummy.store import Store
from ginrummy.tables.errors import LogDamagedError
from ginrummy.tables.table import SERVER
from ginrummy.tournaments.event import Sitting, Tournament
from ginrummy.tournaments.event.commands import AdjustSitting
from ginrummy.tournaments.running.desk import Act, Desk
from ginrummy.tournaments.running.errors import NoSuchTournamentError
from ginrummy.tournaments.running.outcomes import sitting_adjusted

__all__ = ["take_over", "tournament_of"]


class _Adjusted(NamedTuple):
    """A match whose result was adjusted."""

    request_id: str
    """The one of its first line, which says whose sitting it is."""
    match: Ended
    """As it stands."""
    seq: int
    """The number of the last line that says what the result is."""
    hash: str
    """That line's hash."""


def tournament_of(request_id: str) -> str | None:
    """Return the tournament whose sitting a match is, by the request that opened it, or None."""
    tournament, *place = request_id.split("/")
    return tournament if is_tournament(tournament) and len(place) == 4 else None


async def take_over(match_id: str, store: Store, desk_of: Callable[[str], Awaitable[Desk]]) -> None:
    """Record in a match's tournament, if it is of one, what rulings have made of it.

    While a hand is being played again the tournament's result stays as it was. `desk_of` gives the
    desk of a tournament, and raises NoSuchTournamentError. Raises LogDamagedError.
    """
    found = await asyncio.to_thread(_read, store, match_id)
    tournament = None if found is None else tournament_of(found.request_id)
    if found is None or tournament is None:
        return
    try:
        desk = await desk_of(tournament)
    except NoSuchTournamentError:
        return  # somebody's own request was called so
    sitting = _sitting(desk.tournament, match_id)
    if sitting is None:
        return  # its end is not recorded yet, and will be as it is now
    last = (match_id, found.seq, found.hash)
    adjusted = sitting_adjusted(sitting, desk.tournament.terms.play, found.match, last)
    await desk.act(Act(SERVER, AdjustSitting(adjusted)))


def _read(store: Store, match_id: str) -> _Adjusted | None:
    """Return a match with its result as it stands.

    None where no ruling has settled another one, and for a match of no tournament.
    """
    fold, last, request_id = Fold(), None, ""
    try:
        for raw in store.read(match_id):
            line = read_line(raw)
            if line.seq == 1:
                request_id = line.cmd
                if line.by != SERVER or tournament_of(request_id) is None:
                    return None
            fold.add(line)
            if isinstance(line.event, ResultAdjusted):
                last = line
    except (LineError, ValueError) as error:
        raise LogDamagedError(match_id, str(error)) from error
    match = fold.match
    if last is None or not isinstance(match, Ended):
        return None
    if any(dispute.awaits_replay for dispute in match.disputes):
        return None
    return _Adjusted(request_id, match, last.seq, last.hash)


def _sitting(tournament: Tournament, match_id: str) -> Sitting | None:
    """Return the sitting whose match it is, if its end is recorded."""
    for each in tournament.sittings:
        if each.match == match_id:
            pairing = tournament.pairing(each.round, each.table)
            assert pairing is not None
            return Sitting(pairing, each.board, each.half)
    return None

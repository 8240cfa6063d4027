"""What a program that attends a tournament is told."""

from collections.abc import AsyncGenerator
from typing import TypeAlias

import msgspec

from ginrummy.tournaments.running.attendance import Call, Session
from ginrummy.tournaments.running.desk import Desk

__all__ = ["News", "NonceDue", "Over", "news"]


class NonceDue(msgspec.Struct, frozen=True):
    """The nonce that was committed to when entering is to be revealed."""


class Over(msgspec.Struct, frozen=True):
    """The tournament is over."""

    reason: str


News: TypeAlias = Call | NonceDue | Over


async def news(desk: Desk, session: Session) -> AsyncGenerator[News, None]:
    """Yield what there is for a session: calls to tables, those still open first.

    Ends with `Over`; raises StoppingError when the server goes away.
    """
    told: set[str] = set()
    nonce_told = False
    while True:
        heard, tournament = desk.bell.rings, desk.tournament
        calls = session.open_calls
        for call in calls.values():
            if call.match_id not in told:
                told.add(call.match_id)
                yield call
        told.intersection_update(calls)
        entry = tournament.entry(session.entrant)
        is_due = tournament.stage == "nonces" and entry.nonce is None
        # The server opens by itself what it drew: the entrant has nothing to reveal then.
        if is_due and entry.nonce_by == "player" and not nonce_told:
            nonce_told = True
            yield NonceDue()
        if tournament.stage == "ended":
            yield Over(tournament.end_reason or "complete")
            return
        if desk.closed:
            raise desk.gone()
        await desk.bell.rung(heard)

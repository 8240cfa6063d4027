"""What an event makes of a tournament. Nothing is decided here: an event says what was."""

from typing import assert_never

import msgspec
from msgspec.structs import replace

from ginrummy.rules.match import Instant
from ginrummy.tournaments.entrants import Entrant, Pairing, Round
from ginrummy.tournaments.event.events import (
    BoardsRevealed,
    EntrantCheckedIn,
    EntrantEntered,
    EntrantLeft,
    EntrantNonceRevealed,
    EntrantReturned,
    EntrantsSeeded,
    LotsDrawn,
    RegistrationClosed,
    ResultRecorded,
    ResultRuled,
    RoundPaired,
    SittingAdjusted,
    SittingEnded,
    TestEnded,
    TournamentAborted,
    TournamentCreated,
    TournamentEnded,
    TournamentEvent,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
)
from ginrummy.tournaments.event.settling import advanced, with_adjusted
from ginrummy.tournaments.event.states import Entry, Tournament
from ginrummy.tournaments.results import Result
from ginrummy.tournaments.statistics.sprt import Course

__all__ = ["evolve"]


def evolve(
    tournament: Tournament | None, event: TournamentEvent, at: Instant, stream: str, by: str
) -> Tournament:
    """Return the tournament after `event`, which `by` caused at the instant `at`.

    Raises ValueError for an event that has no place here, as only a damaged log can hold.
    """
    if isinstance(event, TournamentCreated):
        if tournament is not None:
            raise ValueError("a tournament is created once")
        return Tournament(
            id=stream,
            terms=event.terms,
            director=by,
            commitment=event.commitment,
            chain=event.chain,
            lots=event.lots,
            created_at=at,
            course=None if event.terms.sprt is None else Course(event.terms.sprt),
        )
    if tournament is None:
        raise ValueError(f"{type(event).__name__} before the tournament was created")
    return _after(tournament, event, at)


def _after(  # noqa: C901, PLR0912 -- one case an event
    before: Tournament, event: TournamentEvent, at: Instant
) -> Tournament:
    match event:
        case EntrantEntered():
            return replace(before, entries=(*before.entries, _entry(event)))
        case EntrantCheckedIn(entrant=entrant):
            return _with(before, entrant, checked_in=True)
        case EntrantNonceRevealed(entrant=entrant, nonce=nonce):
            return _with(before, entrant, nonce=nonce)
        case EntrantLeft(entrant=entrant, reason=reason):
            return _with(before, entrant, left=reason)
        case EntrantReturned(entrant=entrant):
            return _with(before, entrant, left=None)
        case EntrantsSeeded(order=order):
            return _seeded(before, order)
        case RegistrationClosed():
            return replace(before, stage="nonces")
        case TournamentStarted(mix=mix):
            here = frozenset(each.id for each in before.entries if each.here)
            return replace(before, stage="playing", mix=mix, starters=here)
        case RoundPaired():
            paired = Round(event.number, event.pairings, event.byes, event.absences)
            return replace(
                before,
                rounds=(*before.rounds, paired),
                records=(*before.records, *event.byes),
                round_since=at,
                round_sittings=(),
            )
        case SittingEnded():
            return advanced(
                replace(
                    before,
                    sittings=(*before.sittings, event),
                    round_sittings=(*before.round_sittings, event),
                ),
                event,
            )
        case SittingAdjusted():
            return with_adjusted(before, event)
        case ResultRecorded():
            result = Result(_pairing(before, event), event.outcome, event.reason, event.points)
            return replace(before, records=(*before.records, result))
        case ResultRuled():
            result = Result(_pairing(before, event), event.outcome, "ruling", event.points)
            return replace(
                before,
                records=(*before.records, result),
                ruled=before.ruled | {(event.round, event.table)},
            )
        case TestEnded():
            return replace(before, test=event, uncounted=())
        case BoardsRevealed(board=board):
            return replace(before, revealed=board)
        case LotsDrawn(secret=secret):
            return replace(before, lots_secret=secret)
        case TournamentPaused():
            return replace(before, paused=True, paused_at=at)
        case TournamentResumed():
            # The round's time is as much later over as the pause was long.
            since = before.round_since + (at - max(before.paused_at, before.round_since))
            return replace(before, paused=False, round_since=since)
        case TournamentAborted():
            return replace(before, aborted=True, paused=False)
        case TournamentEnded(reason=reason):
            return replace(before, stage="ended", end_reason=reason)
        case TournamentCreated():
            raise ValueError("a tournament is created once")
        case _:
            assert_never(event)


def _entry(event: EntrantEntered) -> Entry:
    return Entry(
        Entrant(event.entrant, event.name, event.seed, event.round),
        event.kind,
        event.spec,
        event.nonce_commitment,
        event.nonce_by,
        event.key,
    )


def _with(before: Tournament, entrant: str, **changes: object) -> Tournament:
    before.entry(entrant)
    entries = tuple(
        replace(each, **changes) if each.id == entrant else each for each in before.entries
    )
    return replace(before, entries=entries)


def _seeded(before: Tournament, order: tuple[str, ...]) -> Tournament:
    seeds = {entrant: seed for seed, entrant in enumerate(order, start=1)}
    entries = tuple(
        replace(each, entrant=msgspec.structs.replace(each.entrant, seed=seeds[each.id]))
        for each in before.entries
    )
    return replace(before, entries=entries)


def _pairing(before: Tournament, event: ResultRecorded | ResultRuled) -> Pairing:
    pairing = before.pairing(event.round, event.table)
    if pairing is None:
        raise ValueError(f"a result of round {event.round} table {event.table}, never paired")
    return pairing

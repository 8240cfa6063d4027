"""From an event back to the commands that could have caused it.

Most events answer one command. A pairing can be settled for several reasons, of which only those
count that the tournament's own state bears out; and a test's end may be part of the tournament's,
which the next line tells.
"""

from typing import assert_never

from ginrummy.rules.match import MS, Instant
from ginrummy.tournaments.checking.actors import SERVER
from ginrummy.tournaments.entrants import Pairing
from ginrummy.tournaments.event.commands import (
    Abort,
    AdjustSitting,
    CallOffTest,
    CheckIn,
    CloseRegistration,
    Command,
    Create,
    DrawLots,
    End,
    EndByHand,
    EndSitting,
    Enter,
    Leave,
    Pair,
    PairByHand,
    Pause,
    Resume,
    Return,
    RevealBoards,
    RevealNonce,
    Rule,
    Seed,
    Settle,
    Start,
)
from ginrummy.tournaments.event.due import due
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
from ginrummy.tournaments.event.fold import TournamentLine
from ginrummy.tournaments.event.states import Tournament
from ginrummy.tournaments.pairing.manual import Manual

__all__ = ["wishes"]


def wishes(  # noqa: C901, PLR0912 -- one case an event
    tournament: Tournament | None, line: TournamentLine, following: TournamentEvent | None
) -> tuple[Command, ...]:
    """Return the commands that could have caused a line's event, the likeliest first.

    `following` is the next line's event.
    """
    event = line.event
    if isinstance(event, TournamentCreated):
        return (Create(event.terms, event.commitment, event.chain, event.lots),)
    if tournament is None:
        return ()
    match event:
        case EntrantEntered():
            return (
                Enter(
                    event.entrant,
                    event.name,
                    event.kind,
                    event.spec,
                    event.nonce_commitment,
                    event.nonce_by,
                    event.key,
                ),
            )
        case EntrantCheckedIn(entrant=entrant):
            return (CheckIn(entrant),)
        case EntrantsSeeded(order=order):
            return (Seed(order),)
        case RegistrationClosed():
            return (CloseRegistration(),)
        case EntrantNonceRevealed(entrant=entrant, nonce=nonce):
            return (RevealNonce(entrant, nonce),)
        case TournamentStarted():
            return (Start(),)
        case EntrantLeft(entrant=entrant, reason=reason, why=why):
            return (Start(),) if reason == "absent" else (Leave(entrant, reason, why),)
        case EntrantReturned(entrant=entrant):
            return (Return(entrant),)
        case RoundPaired(pairings=pairings):
            if isinstance(tournament.terms.format, Manual) or line.by != SERVER:
                return (PairByHand(tuple((each.first, each.second) for each in pairings)),)
            return (Pair(),)
        case SittingEnded():
            return (EndSitting(event),)
        case SittingAdjusted():
            return (AdjustSitting(event),)
        case ResultRecorded():
            return _settlings(tournament, event, line.at)
        case ResultRuled():
            return (
                Rule(event.round, event.table, event.outcome, event.points, event.why, event.rule),
            )
        case TestEnded():
            if isinstance(following, TournamentEnded):
                return _ends(tournament, following, line.by)
            return (CallOffTest(),)
        case BoardsRevealed(board=board, secret=secret):
            return (RevealBoards(board, secret),)
        case LotsDrawn(secret=secret):
            return (DrawLots(secret),)
        case TournamentPaused():
            return (Pause(),)
        case TournamentResumed():
            return (Resume(),)
        case TournamentAborted(why=why):
            return (Abort(why),)
        case TournamentEnded():
            return _ends(tournament, event, line.by)
        case _:
            assert_never(event)


def _ends(tournament: Tournament, event: TournamentEnded, by: str) -> tuple[Command, ...]:
    """Return what ended a tournament: the server's own end is the one that is due."""
    if by != SERVER:
        return (EndByHand(),)
    wanted = due(tournament)
    return (wanted,) if isinstance(wanted, Pair | End) else (End(event.reason),)


def _settlings(tournament: Tournament, event: ResultRecorded, at: Instant) -> tuple[Command, ...]:
    """Return the ways in which a pairing can be settled by what is known of the tournament."""
    pairing = tournament.pairing(event.round, event.table)
    if pairing is None:
        return (Settle(event.round, event.table, "complete"),)
    key = (event.round, event.table)
    both = (pairing.first, pairing.second)
    ways = [Settle(*key, "complete")]
    left = tuple(each for each in both if not tournament.entry(each).here)
    if left:
        ways.append(Settle(*key, "withdrawn", left))
    if tournament.aborted:
        ways.append(Settle(*key, "aborted"))
    if tournament.test is not None:
        ways.append(Settle(*key, "decided"))
    if _is_round_over(tournament, at):
        ways.append(Settle(*key, "round_clock"))
    if event.reason in ("no_show", "crash"):
        # Who was there, and when, no log says.
        ways.append(Settle(*key, event.reason, _losers(pairing, event)))
    return tuple(ways)


def _losers(pairing: Pairing, event: ResultRecorded) -> tuple[str, ...]:
    match event.outcome:
        case "first":
            return (pairing.second,)
        case "second":
            return (pairing.first,)
        case _:
            return (pairing.first, pairing.second)


def _is_round_over(tournament: Tournament, at: Instant) -> bool:
    limit = tournament.terms.round_ms
    # What the runner saw before a pause may be stored in it.
    until = tournament.paused_at if tournament.paused else at
    return limit is not None and until - tournament.round_since > limit * MS

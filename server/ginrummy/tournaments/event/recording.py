"""What may be recorded of what was played: sittings, rulings, secrets that come out."""

from typing import TypeAlias

from ginrummy.log.deck import hash_down
from ginrummy.tournaments.entrants import Pairing
from ginrummy.tournaments.errors import (
    InvalidEntryError,
    InvalidPairingError,
    InvalidResultError,
    NotNowError,
)
from ginrummy.tournaments.event.commands import (
    RevealBoards,
    Rule,
)
from ginrummy.tournaments.event.events import (
    BoardsRevealed,
    LotsDrawn,
    ResultRecorded,
    ResultRuled,
    SittingAdjusted,
    SittingEnded,
    TournamentEvent,
)
from ginrummy.tournaments.event.schedule import boards_over, has_sitting, played_points
from ginrummy.tournaments.event.settling import resettled, sprt_end, with_adjusted
from ginrummy.tournaments.event.states import Tournament
from ginrummy.tournaments.lots import lots_commitment
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.results import Result

__all__ = ["adjust_sitting", "draw_lots", "end_sitting", "reveal_boards", "rule"]

Events: TypeAlias = tuple[TournamentEvent, ...]


def end_sitting(tournament: Tournament, ended: SittingEnded) -> Events:
    """Record a sitting, once; it may bring the test to its end.

    Raises InvalidPairingError for a sitting that there is not, and InvalidResultError.
    """
    pairing = tournament.pairing(ended.round, ended.table)
    if pairing is None:
        raise InvalidPairingError(f"round {ended.round} has no table {ended.table}")
    key = (ended.round, ended.table, ended.board, ended.half)
    if not has_sitting(tournament, pairing, ended.board, ended.half):
        raise InvalidPairingError(f"round {ended.round} table {ended.table} has no such sitting")
    is_present = ended.round == tournament.rounds[-1].number
    over = tournament.round_sittings if is_present else tournament.sittings
    if any((each.round, each.table, each.board, each.half) == key for each in over):
        return ()
    Result(pairing, ended.outcome, ended.reason, ended.points)
    return (ended, *sprt_end(tournament, ended))


def adjust_sitting(tournament: Tournament, adjusted: SittingAdjusted) -> Events:
    """Record what a ruling has made of a sitting, and of its pairing where that is decided by it.

    A sequential test does not go back: it counts the hands as they ended. Raises
    InvalidPairingError for a sitting that is not over in that match, and InvalidResultError.
    """
    key = (adjusted.round, adjusted.table, adjusted.board, adjusted.half)
    for each in tournament.sittings:
        if (each.round, each.table, each.board, each.half) == key:
            if each.match != adjusted.match:
                break
            if adjusted.seq <= each.seq:
                return ()
            before, now = ((one.outcome, one.reason, one.points) for one in (each, adjusted))
            return () if before == now else _adjusted(tournament, adjusted)
    raise InvalidPairingError(
        f"round {adjusted.round} table {adjusted.table} has no such sitting in {adjusted.match}"
    )


def _adjusted(tournament: Tournament, adjusted: SittingAdjusted) -> Events:
    pairing = tournament.pairing(adjusted.round, adjusted.table)
    assert pairing is not None
    Result(pairing, adjusted.outcome, adjusted.reason, adjusted.points)
    after = with_adjusted(tournament, adjusted)
    events: Events = (adjusted,)
    for result in resettled(after, pairing):
        if not _sends_another_on(tournament, pairing, result):
            events = (*events, result)
    return events


def _sends_another_on(tournament: Tournament, pairing: Pairing, result: ResultRecorded) -> bool:
    """Say whether a new result comes too late for a bracket that has gone on by the old one."""
    try:
        _check_bracket_stands(
            tournament, Result(pairing, result.outcome, result.reason, result.points)
        )
    except NotNowError:
        return True
    return False


def rule(tournament: Tournament, command: Rule) -> Events:
    """Rule on a pairing. Raises InvalidPairingError, InvalidResultError, NotNowError."""
    pairing = tournament.pairing(command.round, command.table)
    if pairing is None:
        raise InvalidPairingError(f"there is no round {command.round} table {command.table}")
    if not command.why.strip():
        raise InvalidEntryError("a ruling says why")
    points = command.points
    if points is None:
        stands = tournament.results.get((command.round, command.table))
        points = stands.points if stands else played_points(tournament, pairing)
    if min(points) < 0:
        raise InvalidResultError(f"nobody scores {min(points)} points")
    result = Result(pairing, command.outcome, "ruling", points)
    _check_bracket_stands(tournament, result)
    return (
        ResultRuled(
            command.round, command.table, command.outcome, points, command.why, command.rule
        ),
    )


def _check_bracket_stands(tournament: Tournament, ruled: Result) -> None:
    """Refuse a ruling that would send another entrant on in a bracket that has gone on."""
    key = (ruled.pairing.round, ruled.pairing.table)
    before = tournament.results.get(key)
    if (
        isinstance(tournament.terms.format, Elimination)
        and tournament.rounds[-1].number > ruled.pairing.round
        and (before is None or before.winner != ruled.winner)
    ):
        raise NotNowError(
            "the next round of the bracket is paired: a ruling cannot send another entrant on"
        )


def reveal_boards(tournament: Tournament, command: RevealBoards) -> Events:
    """Let the secrets of all boards up to one out. Raises NotNowError."""
    if command.board <= tournament.revealed:
        return ()
    if command.board > boards_over(tournament):
        raise NotNowError(f"board {command.board} may still be played")
    if hash_down(bytes.fromhex(command.secret), command.board).hex() != tournament.commitment:
        raise NotNowError("the secret is not the one committed to")
    return (BoardsRevealed(command.board, command.secret),)


def draw_lots(tournament: Tournament, secret: str) -> Events:
    """Let the secret of the lots out. Raises NotNowError."""
    if tournament.lots_secret is not None:
        return ()
    if tournament.stage != "ended":
        raise NotNowError("lots are drawn when the tournament has ended")
    if lots_commitment(bytes.fromhex(secret)) != tournament.lots:
        raise NotNowError("the secret is not the one committed to")
    return (LotsDrawn(secret),)

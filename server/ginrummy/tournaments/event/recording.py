"""What may be recorded of what was played: sittings, rulings, secrets that come out."""

from typing import TypeAlias

from ginrummy.log.deck import hash_down
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
    ResultRuled,
    SittingEnded,
    TournamentEvent,
)
from ginrummy.tournaments.event.schedule import boards_over, has_sitting, played_points
from ginrummy.tournaments.event.settling import sprt_end
from ginrummy.tournaments.event.states import Tournament
from ginrummy.tournaments.lots import lots_commitment
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.results import Result

__all__ = ["draw_lots", "end_sitting", "reveal_boards", "rule"]

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

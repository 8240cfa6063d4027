"""What may be decided about rounds, and about the tournament as a whole."""

from typing import TypeAlias

from ginrummy.tournaments.entrants import Bye, Pairing, Round
from ginrummy.tournaments.errors import (
    InvalidPairingError,
    NotNowError,
)
from ginrummy.tournaments.event.commands import (
    End,
)
from ginrummy.tournaments.event.events import (
    RoundPaired,
    TournamentEnded,
    TournamentEvent,
    TournamentPaused,
    TournamentResumed,
)
from ginrummy.tournaments.event.schedule import first_board, is_last_round
from ginrummy.tournaments.event.settling import called_off
from ginrummy.tournaments.event.states import Tournament
from ginrummy.tournaments.pairing.formats import Over, next_round
from ginrummy.tournaments.pairing.manual import Manual
from ginrummy.tournaments.pairing.swiss import Swiss

__all__ = ["call_off_test", "end", "end_by_hand", "pair", "pair_by_hand", "pause"]

Events: TypeAlias = tuple[TournamentEvent, ...]


def pair(tournament: Tournament) -> Events:
    """Pair the next round by the format, or end the tournament. Raises NotNowError."""
    _check_between_rounds(tournament)
    paired = next_round(tournament.terms.format, tournament.field)
    if isinstance(paired, Over):
        return end(tournament, End(paired.reason))
    return (_round_paired(paired),)


def _check_between_rounds(tournament: Tournament) -> None:
    if tournament.stage != "playing" or tournament.aborted:
        raise NotNowError("rounds are paired while the tournament is played")
    if tournament.undecided:
        table = tournament.undecided[0]
        raise NotNowError(f"round {table.round} table {table.table} has no result yet")


def pair_by_hand(tournament: Tournament, pairs: tuple[tuple[str, str], ...]) -> Events:
    """Pair the next round as the director says; whoever is there and not named has a bye.

    Raises UnknownEntrantError, InvalidPairingError, and NotNowError where the format fixes the
    pairs, or a result is missing.
    """
    _check_between_rounds(tournament)
    if not isinstance(tournament.terms.format, Manual | Swiss):
        raise NotNowError("this format fixes who meets whom")
    if not pairs:
        raise InvalidPairingError("a round has a pairing at least")
    if is_last_round(tournament):
        # The boards of those who have not met may be out by now.
        raise NotNowError("the last round has been played")
    present = tournament.field.present
    named = [each for pair in pairs for each in pair]
    for each in named:
        tournament.entry(each)
        if each not in present:
            raise InvalidPairingError(f"{tournament.entry(each).entrant.name} is not there")
        if named.count(each) > 1:
            raise InvalidPairingError(f"{tournament.entry(each).entrant.name} is named twice")
    number = tournament.field.next_number
    tables = tuple(Pairing(number, table, *pair) for table, pair in enumerate(pairs, start=1))
    _check_boards_left(tournament, tables)
    idle = [each.id for each in tournament.playing if each.here and each.id not in named]
    return (_round_paired(Round(number, tables, tuple(Bye(number, each) for each in idle))),)


def _check_boards_left(tournament: Tournament, tables: tuple[Pairing, ...]) -> None:
    """Refuse a meeting for which no board is left that the pair has not played."""
    for each in tables:
        if first_board(tournament, each) + tournament.terms.boards - 1 > tournament.chain:
            names = (tournament.entry(one).entrant.name for one in (each.first, each.second))
            raise InvalidPairingError(f"{' and '.join(names)} have played every board there is")


def _round_paired(paired: Round) -> RoundPaired:
    return RoundPaired(paired.number, paired.pairings, paired.byes, paired.absences)


# --- the whole ----------------------------------------------------------------------------------


def pause(tournament: Tournament, *, paused: bool) -> Events:
    """Halt the play, or let it go on. Raises NotNowError."""
    if tournament.stage != "playing" or tournament.aborted:
        raise NotNowError("nothing is being played")
    if tournament.paused == paused:
        raise NotNowError("the tournament is paused already" if paused else "it is not paused")
    return (TournamentPaused() if paused else TournamentResumed(),)


def end(tournament: Tournament, command: End) -> Events:
    """End the tournament. Raises NotNowError where a pairing is open, or it has not started."""
    if tournament.stage == "ended":
        return ()
    if tournament.undecided:
        table = tournament.undecided[0]
        raise NotNowError(f"round {table.round} table {table.table} has no result yet")
    if tournament.stage != "playing" and not tournament.aborted:
        raise NotNowError("the tournament has not started: abort it, if it is not to be")
    reason = "aborted" if tournament.aborted else command.reason
    return (*called_off(tournament), TournamentEnded(reason))


def end_by_hand(tournament: Tournament) -> Events:
    """End a tournament of which only the director knows when it is over. Raises NotNowError."""
    if not isinstance(tournament.terms.format, Manual):
        raise NotNowError("this format ends by itself: abort it, if it is to end before")
    if tournament.stage == "ended":
        raise NotNowError("the tournament is over")
    return end(tournament, End("complete"))


def call_off_test(tournament: Tournament) -> Events:
    """Let the sequential test end without a decision. Raises NotNowError where none runs."""
    if tournament.stage != "playing" or tournament.course is None or tournament.test is not None:
        raise NotNowError("no sequential test is running")
    return called_off(tournament)

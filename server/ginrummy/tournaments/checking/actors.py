"""Who may cause what in a tournament: what has to stand in a line's `by`.

Who is a director the log does not say: the server gave that role. So an act of a director's is
only known not to be the server's own.
"""

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
    TournamentAborted,
    TournamentCreated,
    TournamentEvent,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
)
from ginrummy.tournaments.event.states import Tournament
from ginrummy.tournaments.pairing.manual import Manual
from ginrummy.tournaments.pairing.swiss import Swiss

__all__ = ["SERVER", "wrong_actor"]

SERVER = "server"
"""What stands in `by` where the server acted by itself."""

_SERVERS = (
    TournamentStarted,
    SittingEnded,
    SittingAdjusted,
    ResultRecorded,
    BoardsRevealed,
    LotsDrawn,
)
_PEOPLES = (
    TournamentCreated,
    EntrantEntered,
    EntrantCheckedIn,
    EntrantsSeeded,
    RegistrationClosed,
    EntrantReturned,
    ResultRuled,
    TournamentPaused,
    TournamentResumed,
    TournamentAborted,
)


def wrong_actor(tournament: Tournament | None, event: TournamentEvent, by: str) -> str | None:
    """Return who alone can have caused an event that `by` caused, or None where it can be so.

    It is about the first event of a command: what follows from it is the server's.
    """
    only = _only(tournament, event)
    if only is not None:
        return None if by == only else only
    is_persons = isinstance(event, _PEOPLES) or (
        isinstance(event, EntrantLeft) and event.reason == "removed"
    )
    return "a person" if is_persons and by == SERVER else None


def _only(tournament: Tournament | None, event: TournamentEvent) -> str | None:
    if isinstance(event, _SERVERS):
        return SERVER
    match event:
        case RoundPaired() if tournament is not None:
            by_hand = isinstance(tournament.terms.format, Manual | Swiss)
            return None if by_hand else SERVER
        case EntrantLeft(entrant=entrant, reason="withdrew"):
            return entrant
        case EntrantLeft(reason="absent"):
            return SERVER
        case EntrantNonceRevealed(entrant=entrant) if tournament is not None:
            if tournament.has_entered(entrant):
                entry = tournament.entry(entrant)
                return SERVER if entry.nonce_by == "server" else entrant
    return None

"""Who may cause what: what has to stand in a line's `by`."""

from ginrummy.rules.disputes.events import HandReplayed, ResultAdjusted
from ginrummy.rules.events import (
    ClockExpired,
    Discarded,
    DiscardTaken,
    Event,
    Forfeited,
    HandDealt,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    MatchEnded,
    NonceRevealed,
    PlayerJoined,
    PositionRevealed,
    Resigned,
    SecretRevealed,
    StockDrawn,
    UpcardPassed,
)
from ginrummy.rules.match import Match, Playing

__all__ = ["SERVER", "actor"]

SERVER = "server"
"""What stands in `by` where the server acted by itself."""


# A tuple, and asked for first: nearly every line of a log is one of these.
_MOVES = (StockDrawn, Discarded, DiscardTaken, UpcardPassed, Knocked, LaidOff, Resigned)


def actor(match: Match | None, event: Event) -> str | None:
    """Return who alone can have caused `event` in `match`; None where it may be several.

    It is about the first event of a command: what follows from it is the server's. A director
    opens, pauses and resumes matches, lets secrets out where the terms leave it to one, and rules
    on disputes. Who opens a dispute, appeals or rules is decided with it. At a board the server
    seats the players, and at a fork it makes the moves that are taken over.
    """
    if isinstance(event, _MOVES):
        if isinstance(match, Playing) and match.copies:
            return SERVER
        seated = None if match is None else match.seats[event.seat]
        return None if seated is None else seated.player
    match event:
        case PlayerJoined(player=player):
            return player if match is None or match.terms.board is None else SERVER
        case NonceRevealed(seat=seat):
            seated = None if match is None else match.seats[seat]
            if seated is None:
                return None
            return SERVER if seated.nonce_by == "server" else seated.player
        case SecretRevealed() | PositionRevealed():
            return None if match is None or match.terms.reveal == "director" else SERVER
        case HandReplayed() | ResultAdjusted():
            return SERVER
        case (
            HandDealt() | HandScored() | HandVoided() | ClockExpired() | Forfeited() | MatchEnded()
        ):
            return SERVER
        case _:
            return None

"""What a match waits for: the server's own next act, and the time that a decision has."""

from ginrummy.rules import hand as hands
from ginrummy.rules.cards import Seat
from ginrummy.rules.match.states import (
    BOTH_SEATS,
    MS,
    Dealing,
    Due,
    Ended,
    Gathering,
    Instant,
    Match,
    Playing,
    begins_in_a_position,
    hands_dealt,
)

__all__ = ["deadline", "due", "is_position_hidden", "nonce_to_reveal", "thinking_time"]


def due(match: Match) -> Due | None:
    """Return what the server has to do before anybody can decide anything, or None."""
    if isinstance(match, Gathering):
        nonces_missing = all(match.seats) and nonce_to_reveal(match) is not None
        return "nonce" if nonces_missing else None
    if isinstance(match, Playing):
        return "copy" if match.copies else None
    if hands_dealt(match) > match.revealed:
        reveal = match.terms.reveal
        if reveal == "hand" or (reveal == "match" and isinstance(match, Ended)):
            return "position" if is_position_hidden(match) else "reveal"
        if match.position_out and not match.revealed:
            # A director has let the position out; the secrets belong to it.
            return "reveal"
    return "deal" if isinstance(match, Dealing) else None


def is_position_hidden(match: Match) -> bool:
    """Say whether a match has begun in a position that is not out."""
    if isinstance(match, Gathering):
        return False
    return begins_in_a_position(match.terms) and not match.position_out


def nonce_to_reveal(match: Gathering) -> Seat | None:
    """Return the first seat whose nonce the server drew and has not revealed, or None."""
    for seat in BOTH_SEATS:
        seated = match.seats[seat]
        if seated is not None and seated.nonce_by == "server" and seated.nonce is None:
            return seat
    return None


def deadline(match: Match) -> Instant | None:
    """Return when the time for what the match waits for is over, or None where nothing runs."""
    if isinstance(match, Playing):
        seat = hands.to_move(match.hand)
        if seat is None or match.clock.paused:
            return None
        thinking, idle = thinking_time(match, seat), match.terms.limits.idle_ms * MS
        return match.clock.since + (min(idle, thinking))
    if isinstance(match, Gathering):
        return match.since + match.terms.limits.start_ms * MS
    return None


def thinking_time(match: Playing, seat: Seat) -> int:
    """Return how long `seat` may think about this decision; past any idle limit if for ever."""
    control, bank = match.terms.clock, match.clock.bank
    allowed = match.terms.limits.idle_ms * MS + 1
    if control is not None and control.decision_ms is not None:
        allowed = min(allowed, control.decision_ms * MS)
    return allowed if bank is None else min(allowed, bank[seat])

"""What a log gives away of its own decks, found before its lines are folded.

A secret comes out after the hand that it decked, so a reader who wants to see all cards goes
through the lines twice: first here, for the last secret that is out, then to fold them.
"""

from collections.abc import Iterable

from ginrummy.log.boards import secret_number
from ginrummy.log.deck import LONGEST_CHAIN, hash_down
from ginrummy.log.errors import LineError
from ginrummy.log.fold import RevealedSecret
from ginrummy.log.lines import read_line
from ginrummy.log.positions import Position
from ginrummy.rules.events import MatchCreated, PositionRevealed, SecretRevealed

__all__ = ["proven_position", "revealed_secrets"]

# In a text within a line the quotes would be escaped, so only a field and its value read so.
_REVEALED = b'_revealed","data":'
_SECRET = b'"type":"secret_revealed"'
_POSITION = b'"type":"position_revealed"'


def revealed_secrets(lines: Iterable[bytes]) -> RevealedSecret | None:
    """Return the secrets up to the last one that these lines of a match reveal, and its position.

    None where none is out. What the match's commitments do not prove is passed over, and so is a
    line that cannot be read: whoever has to know audits the log.
    """
    terms: MatchCreated | None = None
    # The number and the secret that were proven last: first those of the commitment.
    number, known = 0, b""
    position: Position | None = None
    for raw in lines:
        if terms is None:
            terms = _terms(raw)
            if terms is None:
                return None
            known = bytes.fromhex(terms.commitment)
        elif _REVEALED not in raw:
            # Nearly every line, so one look has to do.
            continue
        elif _SECRET in raw:
            number, known = _proven(raw, terms, number, known) or (number, known)
        elif _POSITION in raw:
            position = position or _proven_position(raw, terms)
    return RevealedSecret(number, known, position) if number or position else None


def _terms(raw: bytes) -> MatchCreated | None:
    """Return what a match's first line says; None where it cannot be read."""
    try:
        created = read_line(raw).event
    except LineError:
        return None
    return created if isinstance(created, MatchCreated) else None


def _proven(raw: bytes, terms: MatchCreated, before: int, known: bytes) -> tuple[int, bytes] | None:
    """Return the number and the secret that a line reveals, if the one known before proves it."""
    try:
        event = read_line(raw).event
    except LineError:
        return None
    if not isinstance(event, SecretRevealed):
        return None
    number, secret = secret_number(terms, event.hand), bytes.fromhex(event.secret)
    if not before < number <= before + LONGEST_CHAIN:
        return None
    return (number, secret) if hash_down(secret, number - before) == known else None


def proven_position(terms: MatchCreated, event: PositionRevealed) -> Position | None:
    """Return the position that is out, if it is the one that a fork is committed to."""
    position = Position(bytes.fromhex(event.salt), event.cards)
    if terms.origin is None or position.commitment != terms.origin.position:
        return None
    return position if position.is_possible else None


def _proven_position(raw: bytes, terms: MatchCreated) -> Position | None:
    """Return the position that a line reveals, if the match is committed to it."""
    try:
        event = read_line(raw).event
    except LineError:
        return None
    return proven_position(terms, event) if isinstance(event, PositionRevealed) else None

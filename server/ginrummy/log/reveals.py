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
from ginrummy.rules.events import MatchCreated, SecretRevealed

__all__ = ["revealed_secrets"]

# In a text within a line the quotes would be escaped, so only a field and its value read so.
_MARK = b'"type":"secret_revealed"'


def revealed_secrets(lines: Iterable[bytes]) -> RevealedSecret | None:
    """Return the secrets up to the last one that these lines of a match reveal.

    None where none is out. A secret that the match's commitment does not prove is passed over,
    and so is a line that cannot be read: whoever has to know audits the log.
    """
    terms: MatchCreated | None = None
    # The number and the secret that were proven last: first those of the commitment.
    number, known = 0, b""
    for raw in lines:
        if terms is None:
            terms = _terms(raw)
            if terms is None:
                return None
            known = bytes.fromhex(terms.commitment)
        elif _MARK in raw:
            number, known = _proven(raw, terms, number, known) or (number, known)
    return RevealedSecret(number, known) if number else None


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

"""What a log gives away of its own decks, found before its lines are folded.

A secret comes out after the hand that it decked, so a reader who wants to see all cards goes
through the lines twice: first here, for the last secret that is out, then to fold them.
"""

from collections.abc import Iterable

from ginrummy.log.deck import hash_down
from ginrummy.log.errors import LineError
from ginrummy.log.fold import RevealedSecret
from ginrummy.log.lines import read_line
from ginrummy.rules.events import MatchCreated, SecretRevealed

__all__ = ["revealed_secrets"]

# In a text within a line the quotes would be escaped, so only a field and its value read so.
_MARK = b'"type":"secret_revealed"'


def revealed_secrets(lines: Iterable[bytes]) -> RevealedSecret | None:
    """Return the secrets of all hands up to the last one that these lines of a match reveal.

    None where none is out. A secret that the match's commitment does not prove is passed over,
    and so is a line that cannot be read: whoever has to know audits the log.
    """
    proven: tuple[int, bytes] | None = None
    for raw in lines:
        if proven is None:
            proven = _commitment(raw)
            if proven is None:
                return None
        elif _MARK in raw:
            proven = _proven(raw, *proven) or proven
    if proven is None or proven[0] == 0:
        return None
    return RevealedSecret(*proven)


def _commitment(raw: bytes) -> tuple[int, bytes] | None:
    """Return what the match's first line says of hand 0: its secret is the commitment."""
    try:
        created = read_line(raw).event
    except LineError:
        return None
    if not isinstance(created, MatchCreated):
        return None
    return 0, bytes.fromhex(created.commitment)


def _proven(raw: bytes, before: int, known: bytes) -> tuple[int, bytes] | None:
    """Return the hand and the secret that a line reveals, if the one known before proves it."""
    try:
        event = read_line(raw).event
    except LineError:
        return None
    if not isinstance(event, SecretRevealed) or event.hand <= before:
        return None
    secret = bytes.fromhex(event.secret)
    # No real match comes near it, and a forged number must not keep a reader busy for days.
    if event.hand - before > _MOST_HANDS or hash_down(secret, event.hand - before) != known:
        return None
    return event.hand, secret


_MOST_HANDS = 1_000_000

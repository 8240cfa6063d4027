"""Names for matches, players and tournaments, from random bytes that the caller drew.

An id is a letter for its kind, `_`, and 26 characters of lower-case Crockford base32: 130 random
bits, none of them a time or a count, so an id tells nothing and no two are ever alike.
"""

from hashlib import sha256

__all__ = [
    "ID_ENTROPY",
    "is_match",
    "is_tournament",
    "match_id",
    "match_id_for",
    "player_id",
    "tournament_id",
]

ID_ENTROPY = 17
"""How many random bytes an id takes."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LENGTH = 26


def match_id(entropy: bytes) -> str:
    """Return a match's id, `m_…`, from `ID_ENTROPY` random bytes; it names the match's stream."""
    return "m_" + _base32(entropy)


def match_id_for(by: str, request_id: str) -> str:
    """Return the id of the match that a caller's request makes, or has made."""
    return match_id(sha256(f"{by}\0{request_id}".encode()).digest()[:ID_ENTROPY])


def player_id(entropy: bytes) -> str:
    """Return a player's id, `p_…`, from `ID_ENTROPY` random bytes."""
    return "p_" + _base32(entropy)


def tournament_id(entropy: bytes) -> str:
    """Return a tournament's id, `t_…`, from `ID_ENTROPY` random bytes; its stream is named so."""
    return "t_" + _base32(entropy)


def is_match(stream: str) -> bool:
    """Say whether a stream is a match's, by its name."""
    return stream.startswith("m_")


def is_tournament(stream: str) -> bool:
    """Say whether a stream is a tournament's, by its name."""
    return stream.startswith("t_")


def _base32(entropy: bytes) -> str:
    if len(entropy) != ID_ENTROPY:
        raise ValueError(f"an id takes {ID_ENTROPY} random bytes, not {len(entropy)}")
    bits = int.from_bytes(entropy) >> 8 * ID_ENTROPY - 5 * _LENGTH
    return "".join(_ALPHABET[bits >> 5 * place & 31] for place in reversed(range(_LENGTH)))

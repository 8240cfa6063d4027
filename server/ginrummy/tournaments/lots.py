"""Lots that can be checked: drawn by a secret that was committed to before the event.

The commitment is the secret's SHA-256. Each entrant's lot is an HMAC-SHA256 of its id under the
secret, and the lowest lot is drawn first; so a late entry changes nobody else's lot.
"""

import hmac
from collections.abc import Iterable
from hashlib import sha256

__all__ = ["SECRET_BYTES", "draw_lots", "lots_commitment"]

SECRET_BYTES = 32

_DOMAIN = b"ginrummy/v1/lots\0"


def lots_commitment(secret: bytes) -> str:
    """Return what is published of the secret before the event: its SHA-256, in hex."""
    return sha256(secret).hexdigest()


def draw_lots(secret: bytes, tournament: str, entrants: Iterable[str]) -> tuple[str, ...]:
    """Return the entrants' ids in the order in which their lots are drawn.

    Raises ValueError for a secret that is not 32 bytes long.
    """
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret is {SECRET_BYTES} bytes, not {len(secret)}")
    place = _DOMAIN + tournament.encode() + b"\0"
    return tuple(
        sorted(entrants, key=lambda each: hmac.digest(secret, place + each.encode(), "sha256"))
    )

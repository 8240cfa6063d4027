"""Ed25519 (RFC 8032): the keys and signatures that others can check.

The only place that knows the library behind it, which comes with the extras `server`, `replays`
and `signing`.
"""

from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

__all__ = ["KEY_BYTES", "is_signed", "public_key", "sign"]

KEY_BYTES = 32
"""How many random bytes a key is made of."""

_KEPT = 1024
"""Public keys that are kept opened, which saves a quarter of a check's time."""


def public_key(secret: bytes) -> bytes:
    """Return the public half of a key of 32 random bytes."""
    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def sign(secret: bytes, message: bytes) -> bytes:
    """Return the signature over a message: the same one for the same key and message."""
    return Ed25519PrivateKey.from_private_bytes(secret).sign(message)


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Say whether the signature over the message is that of this key."""
    try:
        _opened(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


@lru_cache(_KEPT)
def _opened(public: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(public)

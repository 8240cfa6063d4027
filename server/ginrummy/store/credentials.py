"""Players as they are let in: who they are, what they may do, and the hash of their token.

A token is a bearer's whole proof, so it is never stored. Tokens are long and random; one round of
SHA-256 keeps them as well as a slow hash would, and costs a call nothing.
"""

from hashlib import sha256
from typing import Literal, TypeAlias

import msgspec

from ginrummy.log.instants import Instant

__all__ = ["Credential", "Role", "hash_token"]

Role: TypeAlias = Literal["player", "director", "auditor"]
"""What a token lets its bearer do."""


class Credential(msgspec.Struct, frozen=True):
    """A player with the hash of the token that shows it is them."""

    player: str
    """The player's id."""
    name: str
    """What they are called; several may be called the same."""
    role: Role
    token_hash: str
    """SHA-256 of the token, in hex."""
    created: Instant


def hash_token(token: str) -> str:
    """Return what is stored of a token."""
    return sha256(token.encode()).hexdigest()

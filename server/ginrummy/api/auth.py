"""Who calls: bearer tokens, and what their roles allow.

A token is shown to its player once, and kept only as a hash. The interceptor finds the caller for
every call; a servicer asks here who it is.
"""

from base64 import b32encode
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Protocol

import msgspec

from ginrummy.api.calls import Context
from ginrummy.api.errors import NotPermittedError, NotSignedInError
from ginrummy.store.credentials import Credential, Role, hash_token

__all__ = [
    "TOKEN_ENTROPY",
    "TOKEN_PREFIX",
    "Caller",
    "Credentials",
    "bearer",
    "caller_of",
    "caller_or_nobody",
    "new_token",
    "require_role",
    "set_caller",
    "token_hash",
]

TOKEN_ENTROPY = 32
"""How many random bytes a token takes."""

TOKEN_PREFIX = "gin_"  # noqa: S105 -- what every token begins with, so that it is known by sight

_TOKEN_LENGTH = len(TOKEN_PREFIX) + 52

token_hash = hash_token


class Caller(msgspec.Struct, frozen=True):
    """Who makes a call."""

    player: str
    """The player's id."""
    name: str
    role: Role


class Credentials(Protocol):
    """Whoever knows the players by the hashes of their tokens."""

    def player_by_token(self, token_hash: str) -> Credential | None:
        """Return the player whose token has that hash, or None. Called from any thread."""


def new_token(entropy: Callable[[int], bytes]) -> str:
    """Return a new token, from a source of random bytes."""
    return TOKEN_PREFIX + b32encode(entropy(TOKEN_ENTROPY)).decode().rstrip("=").lower()


def bearer(metadata: Iterable[tuple[str, str | bytes]] | None) -> str | None:
    """Return the token in a call's metadata, or None where there is no authorization at all.

    Raises NotSignedInError for an authorization that is not one bearer token of ours. No message
    quotes what was sent.
    """
    values = [value for key, value in metadata or () if key == "authorization"]
    if not values:
        return None
    if len(values) > 1:
        raise NotSignedInError("there is more than one authorization in the metadata")
    value = values[0]
    text = value.decode(errors="replace") if isinstance(value, bytes) else value
    scheme, _, token = text.partition(" ")
    if scheme.lower() != "bearer":
        raise NotSignedInError("the authorization is not of the form: Bearer <token>")
    # Whatever else was sent is hashed nowhere, and looked up nowhere.
    if not token.startswith(TOKEN_PREFIX) or len(token) != _TOKEN_LENGTH:
        raise NotSignedInError("that is no token of this server")
    return token


# Every call is a task of its own with its own variables, so nothing is ever reset.
_caller: ContextVar[Caller | None] = ContextVar("caller", default=None)


def set_caller(caller: Caller | None) -> None:
    """Say who makes the present call."""
    _caller.set(caller)


def caller_or_nobody(_context: Context) -> Caller | None:
    """Return who makes the call that is under way, or None for one without a token."""
    return _caller.get()


def caller_of(context: Context) -> Caller:
    """Return who makes the call that is under way. Raises NotSignedInError for nobody."""
    caller = caller_or_nobody(context)
    if caller is None:
        raise NotSignedInError("this call needs a token")
    return caller


def require_role(context: Context, role: Role) -> Caller:
    """Return the caller if they have the role. Raises NotPermittedError otherwise."""
    caller = caller_of(context)
    if caller.role != role:
        raise NotPermittedError(f"this is for a {role}, and you are a {caller.role}")
    return caller

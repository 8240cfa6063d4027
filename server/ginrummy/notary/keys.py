"""The log's own key: made at the first start, kept in the vault, its public half for everybody."""

from collections.abc import Callable
from hashlib import sha256

from ginrummy.log.ed25519 import KEY_BYTES, public_key
from ginrummy.log.signing import SigningKey
from ginrummy.store.protocol import Vault

__all__ = ["kept_key", "signing_key"]

_STREAM = "notary"
_NAME = "ed25519"


def signing_key(vault: Vault, entropy: Callable[[int], bytes]) -> SigningKey:
    """Return the key with which this log is signed, made now if there is none."""
    return _named(vault.keep_secret(_STREAM, _NAME, entropy(KEY_BYTES)))


def kept_key(vault: Vault) -> SigningKey | None:
    """Return the key with which this log is signed; None where no server has made one."""
    secret = vault.secret(_STREAM, _NAME)
    return None if secret is None else _named(secret)


def _named(secret: bytes) -> SigningKey:
    # The name is the log's origin, and no two logs may have the same: so it follows from the key.
    return SigningKey(f"ginrummy.log/{sha256(public_key(secret)).hexdigest()[:16]}", secret)

"""Where a player's nonces are kept between joining a match and revealing them.

A nonce that is lost leaves a match that cannot start, so a program that may be stopped in between
keeps them in files.
"""

import re
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from secrets import token_bytes

from ginrummy.log.deck import NONCE_BYTES

__all__ = ["NonceFiles", "Nonces", "kept_nonce", "nonce_key"]

Nonces = MutableMapping[str, bytes]
"""The nonces by `nonce_key`: a dict, or `NonceFiles`."""


def nonce_key(match_id: str, player_id: str) -> str:
    """Return the key of a player's nonce: two players of one machine may sit in one match."""
    return f"{match_id}.{player_id}"


def kept_nonce(nonces: Nonces, key: str) -> bytes:
    """Return the nonce kept under `key`, drawn now if there is none."""
    nonce = nonces.get(key)
    if nonce is None:
        nonce = nonces[key] = token_bytes(NONCE_BYTES)
    return nonce


class NonceFiles(Nonces):
    """Nonces in a directory, each in a file of its own that nobody else may read."""

    def __init__(self, directory: Path) -> None:
        """Keep them in `directory`, which is made when there is something to keep."""
        self._directory = directory

    def _file(self, key: str) -> Path:
        # An id comes from the server, and a path may not.
        if re.fullmatch(r"\w[\w.]*", key, re.ASCII) is None:
            raise KeyError(key)
        return self._directory / f"{key}.nonce"

    def __getitem__(self, key: str) -> bytes:
        try:
            return bytes.fromhex(self._file(key).read_text())
        except (FileNotFoundError, ValueError):
            raise KeyError(key) from None

    def __setitem__(self, key: str, nonce: bytes) -> None:
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        written = self._file(key).with_suffix(".new")
        written.touch(mode=0o600)
        written.write_text(nonce.hex())
        # A file that is there is whole.
        written.replace(self._file(key))

    def __delitem__(self, key: str) -> None:
        try:
            self._file(key).unlink()
        except FileNotFoundError:
            raise KeyError(key) from None

    def __iter__(self) -> Iterator[str]:
        return (file.stem for file in self._directory.glob("*.nonce"))

    def __len__(self) -> int:
        return sum(1 for _ in self)

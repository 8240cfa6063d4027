"""What a tournament's server knows before anybody else: the boards, the lots, the drawn nonces.

All of it is in the vault before the log commits to it, and comes into the log when it is due.
"""

import asyncio

from ginrummy.log.deck import SecretChain
from ginrummy.store import BOARDS_SECRET, Store
from ginrummy.tables.errors import LogDamagedError
from ginrummy.tables.table import nonce_name
from ginrummy.tournaments.event import Tournament

__all__ = ["LOTS_SECRET", "TournamentSecrets"]

LOTS_SECRET = "lots"  # noqa: S105 -- what a secret is called, and no secret
"""The name of the secret that the lots are drawn with."""


class TournamentSecrets:
    """One tournament's secrets, from the vault."""

    def __init__(self, tournament: Tournament, store: Store) -> None:
        """Find them when they are asked for; raises LogDamagedError then for one that is lost."""
        self._tournament = tournament
        self._store = store
        self._chain: SecretChain | None = None

    @property
    def chain(self) -> SecretChain:
        """The secrets of all boards."""
        if self._chain is None:
            self._chain = SecretChain(self._kept(BOARDS_SECRET), self._tournament.chain)
        return self._chain

    async def nonce(self, commitment: str) -> str:
        """Return a nonce that the server drew, in hex, by what it was committed to with."""
        return (await asyncio.to_thread(self._kept, nonce_name(commitment))).hex()

    async def lots(self) -> bytes:
        """Return the secret of the lots."""
        return await asyncio.to_thread(self._kept, LOTS_SECRET)

    def _kept(self, name: str) -> bytes:
        secret = self._store.secret(self._tournament.id, name)
        if secret is None:
            raise LogDamagedError(
                self._tournament.id, f"the secret {name.partition(':')[0]} is lost"
            )
        return secret

"""Where a director's own bots and tokens are kept: in the database, or in files of one's own.

A run that was killed finds them again, so that it starts the same entrants with the same tokens.
"""

import os
import secrets
import time
from hashlib import sha256
from pathlib import Path
from typing import Protocol

import msgspec

from ginrummy.api.auth import new_token
from ginrummy.client import Client
from ginrummy.log.ids import ID_ENTROPY, player_id
from ginrummy.store import Credential, Role, Store, hash_token
from ginrummy.v1.player_service_pb2 import ROLE_PLAYER

__all__ = ["InFiles", "InVault", "Player", "Players", "own_director", "token_files"]

_OWN = "gin tournament"
"""The name in the vault under which a database keeps what is no single tournament's."""


class Player(msgspec.Struct, frozen=True):
    """A player with the token that shows who it is."""

    id: str
    token: str


class Players(Protocol):
    """Whoever makes the players of a tournament's local bots, and knows them again."""

    async def player(self, tournament: str, name: str) -> Player:
        """Return the player of that name, the same one whenever it is asked for."""

    async def token(self, tournament: str, player: str, name: str) -> str | None:
        """Return the token of a player who has entered; None where it is not kept here."""


# --- in the database ----------------------------------------------------------------------------


def own_director(store: Store) -> Player:
    """Return the director that a database has of its own, made when it is first asked for."""
    token = store.keep_secret(_OWN, "director", new_token(secrets.token_bytes).encode()).decode()
    player = player_id(_entropy("director", token))
    _let_in(store, player, "Director", "director", token)
    return Player(player, token)


class InVault(Players):
    """Tokens in the database's vault, under their tournament."""

    def __init__(self, store: Store) -> None:
        """Use an open database."""
        self._store = store

    async def player(self, tournament: str, name: str) -> Player:
        """See `Players.player`. The id follows from the tournament and the name."""
        player = player_id(_entropy(tournament, name))
        drawn = new_token(secrets.token_bytes).encode()
        token = self._store.keep_secret(tournament, _token_name(player), drawn).decode()
        _let_in(self._store, player, name, "player", token)
        return Player(player, token)

    async def token(self, tournament: str, player: str, name: str) -> str | None:  # noqa: ARG002
        """See `Players.token`."""
        token = self._store.secret(tournament, _token_name(player))
        return None if token is None else token.decode()


def _token_name(player: str) -> str:
    return f"token:{player}"


def _entropy(*parts: str) -> bytes:
    return sha256("\0".join(("gin tournament", *parts)).encode()).digest()[:ID_ENTROPY]


def _let_in(store: Store, player: str, name: str, role: Role, token: str) -> None:
    if store.player(player) is None:
        created = time.time_ns() // 1000
        store.add_player(Credential(player, name, role, hash_token(token), created))


# --- in files -----------------------------------------------------------------------------------


def token_files() -> Path:
    """Return the directory for the tokens of bots at somebody else's server."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "ginrummy" / "tournaments"


class InFiles(Players):
    """Tokens in a file a tournament, which nobody else may read; players made over the network."""

    def __init__(self, client: Client, directory: Path) -> None:
        """Make players by a director's `client`, and keep their tokens in `directory`."""
        self._client = client
        self._directory = directory

    async def player(self, tournament: str, name: str) -> Player:
        """See `Players.player`."""
        kept = self._kept(tournament)
        if name not in kept:
            made = await self._client.create_player(name, ROLE_PLAYER)
            kept[name] = Player(made.player.id, made.token)
            self._keep(tournament, kept)
        return kept[name]

    async def token(self, tournament: str, player: str, name: str) -> str | None:
        """See `Players.token`."""
        kept = self._kept(tournament).get(name)
        return kept.token if kept is not None and kept.id == player else None

    def _file(self, tournament: str) -> Path:
        return self._directory / f"{tournament}.tokens"

    def _kept(self, tournament: str) -> dict[str, Player]:
        try:
            return msgspec.json.decode(self._file(tournament).read_bytes(), type=dict[str, Player])
        except (FileNotFoundError, msgspec.DecodeError):
            return {}

    def _keep(self, tournament: str, kept: dict[str, Player]) -> None:
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        written = self._file(tournament).with_suffix(".new")
        written.touch(mode=0o600)
        written.write_bytes(msgspec.json.encode(kept))
        # A file that is there is whole.
        written.replace(self._file(tournament))

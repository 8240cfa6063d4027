"""What a store can refuse, and how it can fail, as one small tree.

StoreError
├── ConflictError            a lost race: the stream has moved on (stream, expected, actual)
├── StoreFailedError         the database failed underneath
│   └── StoreUnreachableError   it does not answer; it may again in a moment
├── StoreClosedError         closed, or closing
├── UnusableDatabaseError    a file that this program cannot or may not use as its store
├── BackupRefusedError       a backup that was not made
├── PlayerExistsError        a player or a token that is there already
├── InvalidPageTokenError    a page token that no list gave out
└── TreeForkedError          a Merkle tree that is not the one stored
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ginrummy.store.protocol import Conflict

__all__ = [
    "BackupRefusedError",
    "ConflictError",
    "InvalidPageTokenError",
    "PlayerExistsError",
    "StoreClosedError",
    "StoreError",
    "StoreFailedError",
    "StoreUnreachableError",
    "TreeForkedError",
    "UnusableDatabaseError",
]


class StoreError(Exception):
    """Anything that a store refuses or fails at."""


class ConflictError(StoreError):
    """The stream's head is not the one that the append builds on. Nothing of it is stored.

    Whoever gets it reads the stream again and decides anew.
    """

    def __init__(self, conflict: "Conflict") -> None:
        super().__init__(
            f"{conflict.stream} is at event {conflict.actual.seq} now; the lines were to follow"
            f" event {conflict.expected_seq} as it was known"
        )
        self.conflict = conflict
        """Which stream, and where it stands."""


class StoreFailedError(StoreError):
    """The database failed. What was being written may be stored, whole, or not at all.

    Only the log itself can tell: read the stream again before anything is decided on it.
    """


class StoreUnreachableError(StoreFailedError):
    """The database does not answer, or has ended the connection; it may be back in a moment."""


class StoreClosedError(StoreError):
    """The store is closed. What was not taken before is not stored."""


class UnusableDatabaseError(StoreError):
    """The file is not there, not a database, somebody else's, or a later version's."""


class BackupRefusedError(StoreError):
    """No backup was made. Nothing that stood at the target was touched."""


class PlayerExistsError(StoreError):
    """There is a player with that id, or with that token."""

    def __init__(self, player: str) -> None:
        super().__init__(f"player {player} or their token is there already")
        self.player = player


class InvalidPageTokenError(StoreError):
    """A page token that no list has given out."""

    def __init__(self, token: str) -> None:
        super().__init__(f"{token!r} is no page token of this list")
        self.token = token


class TreeForkedError(StoreError):
    """A tile or a checkpoint that contradicts the one stored: the log is not what it was.

    Nothing of what came with it is stored.
    """

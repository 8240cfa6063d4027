"""The store: what has happened, kept for ever and in order; and beside it secrets and players.

`Store` is the promise (protocol.py); `MemoryStore`, `SqliteStore` and `PostgresStore` (postgres.py,
loaded where a database is named that needs it) keep it. `GroupCommit` lets everybody who waits
share one durable transaction.
"""

from ginrummy.store.cluster import Cluster, Follower
from ginrummy.store.credentials import Credential, Role, hash_token
from ginrummy.store.errors import (
    BackupRefusedError,
    ConflictError,
    InvalidPageTokenError,
    PlayerExistsError,
    StoreClosedError,
    StoreError,
    StoreFailedError,
    StoreUnreachableError,
    TreeForkedError,
    UnusableDatabaseError,
)
from ginrummy.store.group_commit import GroupCommit
from ginrummy.store.hearsay import Hearsay
from ginrummy.store.membership import Duty, LoneMember, Membership
from ginrummy.store.memory import MemoryStore
from ginrummy.store.opening import open_store, shown_db
from ginrummy.store.pages import MatchPage, MatchQuery
from ginrummy.store.projections import MatchRow, PlayerRow, ResultRow, Stage
from ginrummy.store.protocol import (
    BOARDS_SECRET,
    CHAIN_SECRET,
    Append,
    Conflict,
    Head,
    Outcome,
    Store,
    StoredCheckpoint,
    StoredSnapshot,
    StoredTree,
    Tile,
    copies_name,
    kept_chain,
    position_name,
)
from ginrummy.store.sqlite import SqliteStore
from ginrummy.store.tiles import Tiles, TreeGrowth

__all__ = [
    "BOARDS_SECRET",
    "CHAIN_SECRET",
    "Append",
    "BackupRefusedError",
    "Cluster",
    "Conflict",
    "ConflictError",
    "Credential",
    "Duty",
    "Follower",
    "GroupCommit",
    "Head",
    "Hearsay",
    "InvalidPageTokenError",
    "LoneMember",
    "MatchPage",
    "MatchQuery",
    "MatchRow",
    "Membership",
    "MemoryStore",
    "Outcome",
    "PlayerExistsError",
    "PlayerRow",
    "ResultRow",
    "Role",
    "SqliteStore",
    "Stage",
    "Store",
    "StoreClosedError",
    "StoreError",
    "StoreFailedError",
    "StoreUnreachableError",
    "StoredCheckpoint",
    "StoredSnapshot",
    "StoredTree",
    "Tile",
    "Tiles",
    "TreeForkedError",
    "TreeGrowth",
    "UnusableDatabaseError",
    "copies_name",
    "hash_token",
    "kept_chain",
    "open_store",
    "position_name",
    "shown_db",
]

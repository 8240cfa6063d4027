"""What every store promises. Memory, SQLite and later ones keep it each in its own way.

All methods are synchronous, and any thread may call them at any time; `GroupCommit` is the
asynchronous face. A method that meets a failing database raises StoreFailedError, and after
`close` StoreClosedError.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeAlias

import msgspec

from ginrummy.log.deck import SecretChain
from ginrummy.log.instants import Instant
from ginrummy.log.lines import GENESIS, AnyLine
from ginrummy.log.positions import position_of
from ginrummy.rules.events import MatchCreated, Origin
from ginrummy.store.credentials import Credential
from ginrummy.store.membership import Membership, Ring
from ginrummy.store.pages import MatchPage, MatchQuery
from ginrummy.store.projections import MatchRow, PlayerRow, ResultRow

__all__ = [
    "BOARDS_SECRET",
    "CHAIN_SECRET",
    "Append",
    "Cache",
    "Conflict",
    "Continuity",
    "EventLog",
    "Head",
    "Lists",
    "Outcome",
    "Players",
    "Store",
    "Stored",
    "StoredCheckpoint",
    "StoredSnapshot",
    "StoredTree",
    "Tile",
    "Vault",
    "copies_name",
    "kept_chain",
    "position_name",
]

CHAIN_SECRET = "chain"  # noqa: S105 -- what a secret is called, and no secret
"""The name of the secret at the end of a match's chain, from which all its decks follow."""

BOARDS_SECRET = "boards"  # noqa: S105 -- what a secret is called, and no secret
"""The name of the secret at the end of a tournament's chain, from which all its boards follow."""

Stored: TypeAlias = tuple[int, bytes]
"""A line's position among all lines, and the line's bytes."""


class Head(msgspec.Struct, frozen=True):
    """Where a stream stands: its last line's number and hash. The default is before the first."""

    seq: int = 0
    hash: str = GENESIS


class Append(msgspec.Struct, frozen=True):
    """The next lines of one stream, stored together or not at all.

    Raises ValueError where the lines do not follow one another from `expected_seq` on.
    """

    stream: str
    expected_seq: int
    """The number of the stream's last line, as the writer knows it; 0 for a new stream."""
    lines: tuple[AnyLine, ...]
    """At least one, in whatever forms; the first one's `prev` is the hash of the last line, as the
    writer knows it."""

    def __post_init__(self) -> None:
        if not self.lines:
            raise ValueError(f"nothing to append to {self.stream}")
        seq, prev = self.onto.seq, self.onto.hash
        for line in self.lines:
            seq += 1
            if line.stream != self.stream or line.seq != seq or line.prev != prev:
                raise ValueError(
                    f"line {line.seq} of {line.stream} is not line {seq} of {self.stream}"
                )
            prev = line.hash

    @property
    def onto(self) -> Head:
        """The head that the lines continue."""
        return Head(self.expected_seq, self.lines[0].prev)

    @property
    def head(self) -> Head:
        """The stream's head once the lines are stored."""
        return Head(self.lines[-1].seq, self.lines[-1].hash)


class Conflict(msgspec.Struct, frozen=True):
    """What became of an append that did not meet its stream's head: nothing."""

    stream: str
    expected_seq: int
    actual: Head
    """Where the stream stands."""


Outcome: TypeAlias = Head | Conflict
"""What became of one append: the stream's new head, or a conflict."""


class Tile(msgspec.Struct, frozen=True):
    """256 neighbours of the log's Merkle tree, all of them known and so for ever (`tiles`)."""

    level: int
    """0: of lines' own hashes; 1: of roots of tiles of level 0; and so on."""
    number: int
    """Its place among those of its level, from 0."""
    position: int
    """The position of the last line below it."""
    root: bytes
    """The hash over all of it."""
    hashes: bytes
    """Its 256 hashes of 32 bytes."""


class StoredCheckpoint(msgspec.Struct, frozen=True):
    """What was signed of the log when it had a certain size."""

    size: int
    """How many lines."""
    note: bytes
    """The signed note."""


class StoredSnapshot(msgspec.Struct, frozen=True):
    """What was folded of a stream up to a line, as whoever folded it has written it down."""

    stream: str
    seq: int
    """The line's number."""
    hash: str
    """The line's hash: where the line there has another, this is not of that stream."""
    code: str
    """A digest of the code that made it; no other is to read it."""
    body: bytes


class EventLog(Protocol):
    """The streams of lines: only ever added to, at their ends."""

    def append(self, appends: Sequence[Append]) -> list[Outcome]:
        """Store the appends in their order, in one transaction; return each one's outcome.

        When it returns, what is stored is durable: it outlives the process and the machine's
        power. Each append is all or nothing by itself: one whose lines do not continue its
        stream's head, in number and in hash, gets a Conflict in its place and stores nothing;
        the others are stored. Of any number of appends onto the same head, from any number of
        threads and processes, exactly one is stored.

        Where it raises StoreFailedError, all of the transaction is stored or nothing of it; the
        streams tell which.
        """

    def head(self, stream: str) -> Head:
        """Return where the stream stands; `Head()` for one that nobody has written to."""

    def read(self, stream: str, after: int = 0) -> Iterator[bytes]:
        """Yield the stream's lines after number `after`, in order, as they were appended.

        A reader may take as long as it likes over it and hinders nobody. It sees every line
        stored before it began, and may see later ones.
        """

    def read_all(self, after: int = 0, limit: int = 1000) -> list[Stored]:
        """Return at most `limit` lines of all streams after position `after`, in commit order.

        Positions begin at 1, grow, and never change. Once a line has been returned, no line will
        ever appear at a lower position: whoever goes on from the last position misses nothing.
        """

    def last_position(self) -> int:
        """Return the position of the last line of all; 0 where there is none."""

    def heads_after(self, position: int) -> tuple[int, dict[str, int]]:
        """Return the last position, and which streams have lines after `position`.

        Each stream comes with the number of its last line. Where nothing came after it, that is
        `position` itself and no stream.
        """

    def streams(self, prefix: str = "") -> Iterator[str]:
        """Yield the names of all streams that begin with `prefix`, in order of their names."""


class StoredTree(Protocol):
    """The part of the Merkle tree over all lines that is kept, and what was signed of it.

    The tree's leaves are the lines in commit order, numbered from 0 without a hole. It follows from
    the log, and is kept so that a proof need not read all of it; like the log, it only grows.
    """

    def grow(self, tiles: Sequence[Tile], checkpoint: StoredCheckpoint | None = None) -> None:
        """Store further tiles in their order, and a checkpoint, in one transaction.

        What is stored already, by another process that follows the same log, is passed over where
        it is the same. Raises TreeForkedError where it is another, and for a tile out of turn.
        """

    def tile(self, level: int, number: int) -> Tile | None:
        """Return a tile; None where it is not stored."""

    def last_tile(self) -> Tile | None:
        """Return the last tile of level 0, or None."""

    def tile_reaching(self, position: int) -> Tile | None:
        """Return the first tile of level 0 whose last line is at `position` or after it."""

    def tile_roots(self, level: int, first: int, limit: int) -> list[bytes]:
        """Return the roots of the tiles of a level from number `first` on, at most `limit`."""

    def position(self, stream: str, seq: int) -> int | None:
        """Return the position of a stream's line; None where it is not stored."""

    def checkpoint_from(self, size: int) -> StoredCheckpoint | None:
        """Return the checkpoint of the smallest size from `size` on, or None."""

    def last_checkpoint(self) -> StoredCheckpoint | None:
        """Return the checkpoint of the largest size, or None."""


class Vault(Protocol):
    """Secrets, kept beside the log until the log reveals them. Written once, then for ever."""

    def keep_secret(self, stream: str, name: str, secret: bytes) -> bytes:
        """Keep a secret under a name, durably, and return what is kept there.

        That is `secret`, or what was kept under the name before: the first one stays. Call it
        before the event that commits to the secret is appended, and commit to what it returns.
        """

    def secret(self, stream: str, name: str) -> bytes | None:
        """Return what is kept under the name, or None."""

    def secrets_after(
        self, stream: str = "", name: str = "", limit: int = 500
    ) -> list[tuple[str, str, bytes]]:
        """Return at most `limit` secrets, each with its stream and name, in the order of these.

        Only what comes after `stream` and `name` is returned: it is for copying all of them.
        """


class Players(Protocol):
    """Who may come in."""

    def add_player(self, credential: Credential) -> None:
        """Add a player, durably. Raises PlayerExistsError for a known id or token."""

    def player(self, player: str) -> Credential | None:
        """Return the player of that id, or None."""

    def player_by_token(self, token_hash: str) -> Credential | None:
        """Return the player whose token has that hash, or None."""

    def players(self) -> list[Credential]:
        """Return all players, in the order in which they were added."""


class Lists(Protocol):
    """Rows that follow from the log. They change in the transaction that appends the cause."""

    def match(self, match: str) -> MatchRow | None:
        """Return the row of a match, or None."""

    def matches(self, query: MatchQuery) -> MatchPage:
        """Return a page of matches, the newest first.

        Walking the pages shows every match that was there at the first one, and fits the query
        still, exactly once. Raises InvalidPageTokenError.
        """

    def open_matches(self) -> list[str]:
        """Return the ids of all matches that have not ended, the oldest first."""

    def results(
        self, player: str | None = None, after: int = 0, limit: int = 500
    ) -> list[ResultRow]:
        """Return at most `limit` results, of one player or of all, in the order of the ends.

        Only results at a position after `after` are returned.
        """

    def record(self, player: str) -> PlayerRow | None:
        """Return what a player has won and lost; None where they have finished no match."""

    def records(self) -> list[PlayerRow]:
        """Return the records of all players who have finished a match, in order of their ids."""

    def rebuild(self) -> None:
        """Make all rows again from the log, in one transaction, and drop all snapshots."""


class Cache(Protocol):
    """What only saves work: it follows from the log, may be lost, and proves nothing."""

    def keep_snapshots(self, snapshots: Sequence[StoredSnapshot]) -> None:
        """Keep the snapshots, each in the place of the one of its stream before, if there is one.

        Of two of one stream the later one stays.
        """

    def snapshot(self, stream: str) -> StoredSnapshot | None:
        """Return the snapshot of a stream, or None; whether it is good the caller finds out."""


class Continuity(Protocol):
    """Since when servers have been there, without a gap, to watch the clocks."""

    def note_return(self, at: Instant) -> None:
        """Note, durably, that a server is there again at this instant, after a time without one."""

    def last_return(self) -> Instant:
        """Return the instant that was noted last; 0 where none was."""


def kept_chain(vault: Vault, match: str, terms: MatchCreated) -> SecretChain | None:
    """Return the chain that a match is committed to, its own or its tournament's boards'.

    With it comes the position that a fork begins in. None where a secret of these is not in the
    vault. Raises ValueError where what is kept of the position is damaged.
    """
    stream, name = match, CHAIN_SECRET
    if terms.board is not None:
        stream, name = terms.board.tournament, BOARDS_SECRET
    last = vault.secret(stream, name)
    if last is None:
        return None
    if terms.origin is None or terms.origin.position is None:
        return SecretChain(last, terms.chain)
    kept = vault.secret(match, position_name(terms.origin))
    return None if kept is None else SecretChain(last, terms.chain, position_of(kept))


def position_name(origin: Origin) -> str:
    """Return the name under which the position that a fork begins in is kept."""
    return f"position:{origin.hash}:{origin.unseen}:{'all' if origin.seat is None else origin.seat}"


def copies_name(origin: Origin) -> str:
    """Return the name under which the moves that a fork takes over are kept."""
    return f"copies:{origin.hash}"


class Store(EventLog, StoredTree, Vault, Players, Lists, Cache, Continuity, Protocol):
    """All that a server keeps."""

    def join(self, ring: Ring, *, alone: bool = False) -> Membership:
        """Come among the processes that share the store.

        `alone` is for a process that hears of no other one: a store of one machine's keeps all
        others away then. Raises UnusableDatabaseError where one of the two keeps the other away.

        `ring` is called, from any thread, whenever another one may have stored something, and when
        a duty has come or gone. It may be called too often; where it is called too seldom, a look
        now and then finds what there is. Leave before the store is closed.
        """

    def close(self) -> None:
        """Let go of the database. Closing twice does nothing."""

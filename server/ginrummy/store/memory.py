"""The store in memory: for tests, and for matches that nobody needs to remember.

It keeps every promise but one: what it stores lasts as long as the process.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from operator import attrgetter
from threading import Lock

from ginrummy.log.instants import Instant
from ginrummy.log.lines import AnyLine
from ginrummy.store.credentials import Credential
from ginrummy.store.errors import PlayerExistsError, StoreClosedError, TreeForkedError
from ginrummy.store.membership import LoneMember, Membership, Ring
from ginrummy.store.pages import DISPUTED, MatchPage, MatchQuery, page_of, read_page_token
from ginrummy.store.projections import MatchRow, PlayerRow, ResultRow, changes_row, project
from ginrummy.store.protocol import (
    Append,
    Conflict,
    Head,
    Outcome,
    Stored,
    StoredCheckpoint,
    StoredSnapshot,
    Tile,
)

__all__ = ["MemoryStore"]


_position_of = attrgetter("position")
_size_of = attrgetter("size")


class _MemoryRows:
    """The projected rows, in dictionaries that keep the order of the rows' making."""

    def __init__(self) -> None:
        self.position = 0
        self.matches: dict[str, MatchRow] = {}
        self.results: dict[str, ResultRow] = {}
        self.records: dict[str, PlayerRow] = {}

    def match(self, match: str) -> MatchRow | None:
        return self.matches.get(match)

    def record(self, player: str) -> PlayerRow | None:
        return self.records.get(player)

    def keep(self, row: MatchRow | ResultRow | PlayerRow) -> None:
        match row:
            case MatchRow():
                self.matches[row.id] = row
            case ResultRow():
                self.results[row.match] = row
            case PlayerRow():
                self.records[row.id] = row


class MemoryStore:
    """A store that lasts as long as its process."""

    def __init__(self) -> None:
        self._writing = Lock()
        self._closed = False
        self._log: list[AnyLine] = []
        self._streams: dict[str, list[AnyLine]] = {}
        self._positions: dict[str, list[int]] = {}
        self._tiles: dict[int, list[Tile]] = {}
        self._checkpoints: list[StoredCheckpoint] = []
        self._rows = _MemoryRows()
        self._secrets: dict[tuple[str, str], bytes] = {}
        self._players: dict[str, Credential] = {}
        self._snapshots: dict[str, StoredSnapshot] = {}
        self._return: Instant = 0

    # --- the log ----------------------------------------------------------------------------

    def append(self, appends: Sequence[Append]) -> list[Outcome]:
        """See `EventLog.append`."""
        with self._writing:
            self._check_open()
            heads: dict[str, Head] = {}
            lines: list[AnyLine] = []
            outcomes: list[Outcome] = []
            for append in appends:
                actual = heads.get(append.stream) or self.head(append.stream)
                if append.onto != actual:
                    outcomes.append(Conflict(append.stream, append.expected_seq, actual))
                    continue
                lines += append.lines
                heads[append.stream] = append.head
                outcomes.append(append.head)
            self._commit(lines)
            return outcomes

    def _commit(self, lines: list[AnyLine]) -> None:
        # A reader sees a list before it is extended or after, so it sees whole appends.
        by_stream: dict[str, list[AnyLine]] = {}
        for position, line in enumerate(lines, len(self._log) + 1):
            by_stream.setdefault(line.stream, []).append(line)
            self._positions.setdefault(line.stream, []).append(position)
        for stream, own in by_stream.items():
            self._streams.setdefault(stream, []).extend(own)
        self._log.extend(lines)
        _project(self._rows, self._log, after=len(self._log) - len(lines))

    def head(self, stream: str) -> Head:
        """See `EventLog.head`."""
        self._check_open()
        lines = self._streams.get(stream)
        return Head(lines[-1].seq, lines[-1].hash) if lines else Head()

    def read(self, stream: str, after: int = 0) -> Iterator[bytes]:
        """See `EventLog.read`."""
        self._check_open()
        for line in self._streams.get(stream, [])[after:]:
            yield line.raw

    def read_all(self, after: int = 0, limit: int = 1000) -> list[Stored]:
        """See `EventLog.read_all`."""
        self._check_open()
        page = self._log[after : after + limit]
        return [(position, line.raw) for position, line in enumerate(page, after + 1)]

    def last_position(self) -> int:
        """See `EventLog.last_position`."""
        self._check_open()
        return len(self._log)

    def heads_after(self, position: int) -> tuple[int, dict[str, int]]:
        """See `EventLog.heads_after`."""
        self._check_open()
        after = self._log[position:]
        return position + len(after), {line.stream: line.seq for line in after}

    def streams(self, prefix: str = "") -> Iterator[str]:
        """See `EventLog.streams`."""
        self._check_open()
        yield from sorted(stream for stream in list(self._streams) if stream.startswith(prefix))

    # --- the tree ---------------------------------------------------------------------------

    def grow(self, tiles: Sequence[Tile], checkpoint: StoredCheckpoint | None = None) -> None:
        """See `StoredTree.grow`."""
        with self._writing:
            self._check_open()
            grown = {level: list(row) for level, row in self._tiles.items()}
            for tile in tiles:
                row = grown.setdefault(tile.level, [])
                if row[tile.number : tile.number + 1] == [tile]:
                    continue
                if tile.number != len(row):
                    raise TreeForkedError(
                        f"tile {tile.number} of level {tile.level} is no next one"
                    )
                row.append(tile)
            if checkpoint is not None and checkpoint not in self._checkpoints:
                if any(each.size == checkpoint.size for each in self._checkpoints):
                    raise TreeForkedError(f"size {checkpoint.size} was signed with another root")
                insort(self._checkpoints, checkpoint, key=_size_of)
            self._tiles = grown

    def tile(self, level: int, number: int) -> Tile | None:
        """See `StoredTree.tile`."""
        self._check_open()
        return next(iter(self._tiles.get(level, [])[number : number + 1]), None)

    def last_tile(self) -> Tile | None:
        """See `StoredTree.last_tile`."""
        self._check_open()
        return next(reversed(self._tiles.get(0, [])), None)

    def tile_reaching(self, position: int) -> Tile | None:
        """See `StoredTree.tile_reaching`."""
        self._check_open()
        row = self._tiles.get(0, [])
        place = bisect_left(row, position, key=_position_of)
        return row[place] if place < len(row) else None

    def tile_roots(self, level: int, first: int, limit: int) -> list[bytes]:
        """See `StoredTree.tile_roots`."""
        self._check_open()
        return [tile.root for tile in self._tiles.get(level, [])[first : first + limit]]

    def position(self, stream: str, seq: int) -> int | None:
        """See `StoredTree.position`."""
        self._check_open()
        positions = self._positions.get(stream, [])
        return positions[seq - 1] if 0 < seq <= len(positions) else None

    def checkpoint_from(self, size: int) -> StoredCheckpoint | None:
        """See `StoredTree.checkpoint_from`."""
        self._check_open()
        place = bisect_left(self._checkpoints, size, key=_size_of)
        return next(iter(self._checkpoints[place : place + 1]), None)

    def last_checkpoint(self) -> StoredCheckpoint | None:
        """See `StoredTree.last_checkpoint`."""
        self._check_open()
        return next(reversed(self._checkpoints), None)

    # --- secrets and players ----------------------------------------------------------------

    def keep_secret(self, stream: str, name: str, secret: bytes) -> bytes:
        """See `Vault.keep_secret`."""
        with self._writing:
            self._check_open()
            return self._secrets.setdefault((stream, name), secret)

    def secret(self, stream: str, name: str) -> bytes | None:
        """See `Vault.secret`."""
        self._check_open()
        return self._secrets.get((stream, name))

    def secrets_after(
        self, stream: str = "", name: str = "", limit: int = 500
    ) -> list[tuple[str, str, bytes]]:
        """See `Vault.secrets_after`."""
        self._check_open()
        after = sorted(item for item in self._secrets.items() if item[0] > (stream, name))
        return [(*key, secret) for key, secret in after[:limit]]

    def add_player(self, credential: Credential) -> None:
        """See `Players.add_player`."""
        with self._writing:
            if self.player(credential.player) or self.player_by_token(credential.token_hash):
                raise PlayerExistsError(credential.player)
            self._players[credential.player] = credential

    def player(self, player: str) -> Credential | None:
        """See `Players.player`."""
        self._check_open()
        return self._players.get(player)

    def player_by_token(self, token_hash: str) -> Credential | None:
        """See `Players.player_by_token`."""
        return next((each for each in self.players() if each.token_hash == token_hash), None)

    def players(self) -> list[Credential]:
        """See `Players.players`."""
        self._check_open()
        return list(self._players.values())

    # --- lists ------------------------------------------------------------------------------

    def match(self, match: str) -> MatchRow | None:
        """See `Lists.match`."""
        self._check_open()
        return self._rows.matches.get(match)

    def matches(self, query: MatchQuery) -> MatchPage:
        """See `Lists.matches`."""
        self._check_open()
        before = read_page_token(query.token)
        found = [
            row
            for row in reversed(list(self._rows.matches.values()))
            if row.position < before
            and query.stage in (None, row.stage)
            and (query.player is None or query.player in row.players)
            and (query.disputed is None or getattr(row, DISPUTED[query.disputed]) > 0)
        ]
        return page_of(query, found[: query.size + 1])

    def open_matches(self) -> list[str]:
        """See `Lists.open_matches`."""
        self._check_open()
        return [row.id for row in list(self._rows.matches.values()) if row.stage != "ended"]

    def results(
        self, player: str | None = None, after: int = 0, limit: int = 500
    ) -> list[ResultRow]:
        """See `Lists.results`."""
        self._check_open()
        found = [
            row
            for row in list(self._rows.results.values())
            if row.position > after and (player is None or player in row.players)
        ]
        return found[:limit]

    def record(self, player: str) -> PlayerRow | None:
        """See `Lists.record`."""
        self._check_open()
        return self._rows.records.get(player)

    def records(self) -> list[PlayerRow]:
        """See `Lists.records`."""
        self._check_open()
        return sorted(self._rows.records.values(), key=lambda row: row.id)

    def rebuild(self) -> None:
        """See `Lists.rebuild`."""
        with self._writing:
            self._check_open()
            rows = _MemoryRows()
            _project(rows, self._log, after=0)
            self._rows = rows
            self._snapshots.clear()

    # --- what saves work --------------------------------------------------------------------

    def keep_snapshots(self, snapshots: Sequence[StoredSnapshot]) -> None:
        """See `Cache.keep_snapshots`."""
        with self._writing:
            self._check_open()
            self._snapshots.update((each.stream, each) for each in snapshots)

    def snapshot(self, stream: str) -> StoredSnapshot | None:
        """See `Cache.snapshot`."""
        self._check_open()
        return self._snapshots.get(stream)

    def note_return(self, at: Instant) -> None:
        """See `Continuity.note_return`."""
        self._check_open()
        self._return = at

    def last_return(self) -> Instant:
        """See `Continuity.last_return`."""
        self._check_open()
        return self._return

    # --- the end ----------------------------------------------------------------------------

    def join(self, ring: Ring, *, alone: bool = False) -> Membership:  # noqa: ARG002 -- it is
        """See `Store.join`."""
        return LoneMember()

    def close(self) -> None:
        """See `Store.close`."""
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosedError("the store is closed")


def _project(rows: _MemoryRows, log: list[AnyLine], after: int) -> None:
    """Bring the rows up to the lines after position `after`."""
    for position, line in enumerate(log[after:], after + 1):
        if changes_row(line):
            project(rows, position, line)

"""A load that costs little: matches whose moves are known beforehand, sent as bytes made ready.

A match's decks follow from its secrets. So a copy of a database in which matches have just begun
can be played ahead, and every move that is found there is legal at a server on another copy. The
players' side of HTTP/2 is written out here, as far as Play streams need it: frames go out as they
were made, and of an answer nothing is looked at but whose turn it is.
"""

import asyncio
import os
import selectors
import shutil
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from filled_database import room_on
from filled_database import seated as new_table

from ginrummy.api.auth import new_token
from ginrummy.client.moves import move_message
from ginrummy.rules import hand as hands
from ginrummy.rules.cards import Seat
from ginrummy.rules.commands import Move, Play
from ginrummy.rules.match import Playing
from ginrummy.store import Credential, GroupCommit, SqliteStore, hash_token
from ginrummy.tables.table import Request, Table
from ginrummy.v1 import match_service_pb2 as pb

__all__ = ["Load", "Prepared", "prepare"]


class _Ready(NamedTuple):
    """One move of a match."""

    seat: Seat
    seq: int
    """The event that it is decided on."""
    request: bytes


class Prepared(NamedTuple):
    """A match with all the moves that it is to have."""

    match_id: str
    moves: tuple[_Ready, ...]


# --- made ready -----------------------------------------------------------------------------------


def prepare(begun: Path, matches: int, moves: int) -> tuple[list[Prepared], tuple[str, str]]:
    """Make a database in which matches have just begun; return moves and the seats' tokens."""
    tokens = (new_token(os.urandom), new_token(os.urandom))
    with closing(SqliteStore(begun)) as store:
        ids = asyncio.run(_begun(store, matches))
        for player, token in zip(_players(store, ids[0]), tokens, strict=True):
            store.add_player(Credential(player, "P", "player", hash_token(token), created=0))
    ahead = begun.with_suffix(".ahead")
    shutil.copy(begun, ahead)
    with closing(SqliteStore(ahead)) as store:
        return asyncio.run(_ahead(store, ids, moves)), tokens


async def _begun(store: SqliteStore, matches: int) -> list[str]:
    async with GroupCommit(store) as commits:
        room = room_on(store, commits)
        made = await asyncio.gather(*(new_table(room) for _ in range(matches)))
        await room.close()
    return [table.match_id for table in made]


def _players(store: SqliteStore, match_id: str) -> Sequence[str]:
    row = store.match(match_id)
    assert row is not None
    return [player for player in row.players if player is not None]


async def _ahead(store: SqliteStore, ids: Sequence[str], moves: int) -> list[Prepared]:
    async with GroupCommit(store) as commits:
        room = room_on(store, commits)

        async def play(match_id: str) -> Prepared:
            table = await room.table(match_id)
            return Prepared(match_id, tuple([await _moved(table) for _ in range(moves)]))

        made = await asyncio.gather(*map(play, ids))
        await room.close()
    return made


async def _moved(table: Table) -> _Ready:
    """Make a move, and return it: a knock where there is one, else the last that is legal."""
    match, seq = table.match, table.seq
    assert isinstance(match, Playing)
    seat = hands.to_move(match.hand)
    assert seat is not None
    seated = match.seats[seat]
    assert seated is not None
    move: Move = hands.legal_moves(match.hand)[-1]
    await table.act(Request(seated.player, Play(seat, move), str(seq), seq))
    request = pb.PlayRequest(
        move=pb.PlayMove(request_id=str(seq), expected_seq=seq, move=move_message(move))
    )
    return _Ready(seat, seq, request.SerializeToString())


# --- sent -----------------------------------------------------------------------------------------

_DATA, _HEADERS, _RST_STREAM, _SETTINGS, _PING, _GOAWAY, _WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
_ACK = _END_STREAM = 1
_END_HEADERS = 4
_WINDOW = (1 << 31) - 1
_FIRST_WINDOW = 65_535
_INITIAL_WINDOW_SIZE = 4
_HEAD = 9


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3) + bytes((kind, flags)) + stream.to_bytes(4) + payload


def _message(raw: bytes) -> bytes:
    return b"\0" + len(raw).to_bytes(4) + raw


def _header(name: bytes, value: bytes) -> bytes:
    """Return a header field as it stands, without tables or compression."""
    assert len(name) < 127
    assert len(value) < 127
    return b"\0" + bytes((len(name),)) + name + bytes((len(value),)) + value


def _headers(host: str, token: str) -> bytes:
    return b"".join(
        _header(name, value)
        for name, value in (
            (b":method", b"POST"),
            (b":scheme", b"http"),
            (b":path", b"/ginrummy.v1.MatchService/Play"),
            (b":authority", host.encode()),
            (b"content-type", b"application/grpc"),
            (b"te", b"trailers"),
            (b"authorization", b"Bearer " + token.encode()),
        )
    )


class _Place:
    """A match of the load: how far it has come, and how its moves get to the server."""

    def __init__(self, prepared: Prepared, begin: int) -> None:
        self.moves = prepared.moves
        self.next = begin
        """The move that is sent next, or whose answer is waited for."""
        self.sent = False
        self.ways: dict[Seat, tuple[_Connection, int]] = {}


class _Connection:
    """One connection, with a stream for each seat that is at it."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self.socket = socket.create_connection((host, int(port)))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.out = [
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            _frame(_SETTINGS, 0, 0, _INITIAL_WINDOW_SIZE.to_bytes(2) + _WINDOW.to_bytes(4)),
            _frame(_WINDOW_UPDATE, 0, 0, (_WINDOW - _FIRST_WINDOW).to_bytes(4)),
        ]
        self.streams: dict[int, tuple[_Place, Seat]] = {}
        self._host = address
        self._rest = b""
        self._messages: dict[int, bytes] = {}

    def sit(self, place: _Place, seat: Seat, match_id: str, token: str) -> None:
        """Begin a Play stream."""
        stream = 2 * len(self.streams) + 1
        self.streams[stream] = (place, seat)
        place.ways[seat] = (self, stream)
        start = pb.PlayRequest(start=pb.PlayStart(match_id=match_id)).SerializeToString()
        self.out += [
            _frame(_HEADERS, _END_HEADERS, stream, _headers(self._host, token)),
            _frame(_DATA, 0, stream, _message(start)),
        ]

    def flush(self) -> None:
        """Send what is to be sent."""
        if self.out:
            self.socket.sendall(b"".join(self.out))
            self.out.clear()

    def received(self) -> Iterator[tuple[_Place, Seat, bytes]]:
        """Read what there is, and yield the messages, each with whose it is."""
        data = self._rest + self.socket.recv(1 << 17)
        at = 0
        while len(data) - at >= _HEAD:
            size = int.from_bytes(data[at : at + 3])
            if len(data) - at - _HEAD < size:
                break
            kind, flags = data[at + 3], data[at + 4]
            stream = int.from_bytes(data[at + 5 : at + _HEAD])
            payload = data[at + _HEAD : at + _HEAD + size]
            at += _HEAD + size
            if kind == _DATA:
                yield from self._messages_of(stream, payload)
            elif kind == _PING and not flags & _ACK:
                self.out.append(_frame(_PING, _ACK, 0, payload))
            elif kind == _SETTINGS and not flags & _ACK:
                self.out.append(_frame(_SETTINGS, _ACK, 0, b""))
            elif kind in (_RST_STREAM, _GOAWAY) or (kind == _HEADERS and flags & _END_STREAM):
                raise ConnectionError(f"the server has ended a stream: {payload!r}")
        self._rest = data[at:]

    def _messages_of(self, stream: int, payload: bytes) -> Iterator[tuple[_Place, Seat, bytes]]:
        raw = self._messages.pop(stream, b"") + payload
        while len(raw) >= 5 and len(raw) >= (end := 5 + int.from_bytes(raw[1:5])):
            yield (*self.streams[stream], raw[5:end])
            raw = raw[end:]
        if raw:
            self._messages[stream] = raw


class Load:
    """The players of all prepared matches, at one server; they go on where they stopped."""

    def __init__(self, matches: Sequence[Prepared], tokens: tuple[str, str]) -> None:
        """Take the matches, and the tokens of the two seats."""
        self._matches = matches
        self._tokens = tokens
        self._reached = [0] * len(matches)

    def play(self, address: str, moves: int, *, apart: bool) -> tuple[float, float]:
        """Play so many moves in all; return the seconds that they took, and of the processor here.

        Each match has a connection of its own, or each seat where they are to be `apart`.
        """
        places = [
            _Place(prepared, begin)
            for prepared, begin in zip(self._matches, self._reached, strict=True)
        ]
        connections = []
        for place, prepared in zip(places, self._matches, strict=True):
            seats: tuple[Seat, Seat] = (0, 1)
            for seat in seats:
                if seat == 0 or apart:
                    connections.append(_Connection(address))
                connections[-1].sit(place, seat, prepared.match_id, self._tokens[seat])
        try:
            return _played(connections, moves)
        finally:
            self._reached = [place.next for place in places]
            for each in connections:
                each.socket.close()


def _played(connections: Sequence[_Connection], moves: int) -> tuple[float, float]:
    """Let all play; the clock runs from when a tenth of the moves was made to when all were."""
    with selectors.DefaultSelector() as selector:
        for each in connections:
            selector.register(each.socket, selectors.EVENT_READ, each)
            each.flush()
        made, under_way = 0, 0
        warm, began = moves // 10, (0.0, 0.0)
        last = (0.0, 0.0)
        while made < moves or under_way:
            touched: set[_Connection] = set()
            for key, _ in selector.select(60):
                connection: _Connection = key.data
                touched.add(connection)
                for place, seat, raw in connection.received():
                    answer = pb.PlayResponse.FromString(raw)
                    if answer.HasField("refusal"):
                        raise RuntimeError(f"a move was refused: {answer.refusal.message}")
                    seq = answer.view.seq
                    if place.sent and seq > place.moves[place.next].seq:
                        place.sent = False
                        place.next += 1
                        made += 1
                        under_way -= 1
                        if made == warm:
                            began = (time.perf_counter(), time.process_time())
                        elif made == moves:
                            last = (time.perf_counter(), time.process_time())
                    if made >= moves or place.sent:
                        continue
                    move = place.moves[place.next]
                    if move.seat == seat and move.seq == seq:
                        way, stream = place.ways[seat]
                        way.out.append(_frame(_DATA, 0, stream, _message(move.request)))
                        touched.add(way)
                        place.sent = True
                        under_way += 1
            for connection in touched:
                connection.flush()
    scale = moves / (moves - warm)
    return scale * (last[0] - began[0]), scale * (last[1] - began[1])

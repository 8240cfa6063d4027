"""A database's tables served to this very command, on a free port of this machine, and no more.

Unlike a server it opens no match that nobody asks for and signs nothing, so it can stand beside a
server on the same database.
"""

import os
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple

import grpc
from prometheus_client import CollectorRegistry

from ginrummy.api.auth import new_token
from ginrummy.api.interceptors import interceptors
from ginrummy.api.journal import configure
from ginrummy.api.match_service import MatchServicer
from ginrummy.api.metrics import CallMetrics
from ginrummy.api.player_service import PlayerServicer
from ginrummy.log.ids import ID_ENTROPY, player_id
from ginrummy.rules.match import Instant
from ginrummy.store import Credential, GroupCommit, Store, hash_token
from ginrummy.tables.room import CardRoom
from ginrummy.v1 import player_service_pb2_grpc

__all__ = ["LoneRoom", "lone_room"]

_GRACE = 1.0


def _now() -> Instant:
    return time.time_ns() // 1000


class LoneRoom(NamedTuple):
    """The tables, and where they take calls."""

    address: str
    room: CardRoom
    store: Store

    def let_in(self, name: str) -> tuple[str, str]:
        """Make a player, and return the id and the token."""
        player, token = player_id(os.urandom(ID_ENTROPY)), new_token(os.urandom)
        credential = Credential(
            player=player, name=name, role="player", token_hash=hash_token(token), created=_now()
        )
        self.store.add_player(credential)
        return player, token


@asynccontextmanager
async def lone_room(store: Store) -> AsyncIterator[LoneRoom]:
    """Serve a store's tables while the context is open."""
    # Only what a person has to know of is said; the calls are our own.
    configure("console", "error")
    async with AsyncExitStack() as ending:
        commits = await ending.enter_async_context(GroupCommit(store))
        room = CardRoom(store, commits, _now, os.urandom)
        server = grpc.aio.server(interceptors=interceptors(store, CallMetrics(CollectorRegistry())))
        MatchServicer(room, store).add_to(server)
        players = PlayerServicer(store, _now, os.urandom)
        player_service_pb2_grpc.add_PlayerServiceServicer_to_server(players, server)
        port = server.add_insecure_port("127.0.0.1:0")
        ending.push_async_callback(server.stop, _GRACE)
        ending.push_async_callback(room.close)
        await server.start()
        yield LoneRoom(f"127.0.0.1:{port}", room, store)

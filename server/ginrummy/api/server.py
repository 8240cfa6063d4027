"""The server: a port, the services behind it, and an end that loses nothing."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import grpc
import msgspec
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health
from prometheus_client import CollectorRegistry, Gauge, start_http_server

from ginrummy.api.dispute_service import DisputeServicer
from ginrummy.api.errors import PortTakenError
from ginrummy.api.interceptors import interceptors
from ginrummy.api.log_service import LogServicer
from ginrummy.api.match_service import MatchServicer
from ginrummy.api.metrics import CallMetrics
from ginrummy.api.player_service import PlayerServicer
from ginrummy.api.ports import held_port, read_listen
from ginrummy.api.reflection import add_reflection
from ginrummy.api.tournament_service import TournamentServicer
from ginrummy.log.fold import Decks, shuffle_for
from ginrummy.notary.keys import signing_key
from ginrummy.notary.notary import Notary
from ginrummy.rules.match import Instant
from ginrummy.store import Cluster, GroupCommit, Store, open_store, shown_db
from ginrummy.tables.caretaker import Caretaker
from ginrummy.tables.disputes import Disputes
from ginrummy.tables.errors import LogDamagedError
from ginrummy.tables.room import CardRoom
from ginrummy.tournaments.running.hall import Hall
from ginrummy.v1 import (
    dispute_service_pb2,
    dispute_service_pb2_grpc,
    log_service_pb2,
    log_service_pb2_grpc,
    match_service_pb2,
    player_service_pb2,
    player_service_pb2_grpc,
    tournament_service_pb2,
    tournament_service_pb2_grpc,
)

__all__ = ["ServerOptions", "run", "serving"]

_log = structlog.get_logger()

_SERVICES = tuple(
    module.DESCRIPTOR.services_by_name[name].full_name
    for module, name in (
        (match_service_pb2, "MatchService"),
        (player_service_pb2, "PlayerService"),
        (log_service_pb2, "LogService"),
        (tournament_service_pb2, "TournamentService"),
        (dispute_service_pb2, "DisputeService"),
    )
)

_CHANNEL_OPTIONS = (
    # No request comes near this; a larger one is answered RESOURCE_EXHAUSTED.
    ("grpc.max_receive_message_length", 1 << 20),
    # Thousands who come back at once, as after a restart, are let in one after the other. Of itself
    # gRPC cancels calls by lot where more than a thousand wait for that.
    ("grpc.server.max_pending_requests", 20_000),
    ("grpc.server.max_pending_requests_hard_limit", 40_000),
    # Clients are told to ping every 30 s at the most often; half of that is still no offence.
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # A peer that is gone without a word is found within half a minute.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 8_000),
    # What newer versions of gRPC go by; of itself it is a minute.
    ("grpc.http2.ping_timeout_ms", 8_000),
)


class ServerOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a server is to run."""

    db: str = "gin.db"
    """The SQLite file, `postgresql://…`, or `:memory:` for a store that ends with the process."""
    listen: str = "127.0.0.1:50051"
    """The address; port 0 takes a free one."""
    grace: float = 5.0
    """Seconds that calls under way have to end once the server stops."""
    metrics: int | None = None
    """The port for Prometheus metrics; None for none."""
    checkpoint_every: int = 1000
    """Lines after which the log is signed at the latest."""
    shares: bool = False
    """Whether it is one of several that share the port, and a SQLite file if that is the store."""


def now() -> Instant:
    """Return the present instant by the machine's clock."""
    return time.time_ns() // 1000


@asynccontextmanager
async def serving(options: ServerOptions, decks: Decks = shuffle_for) -> AsyncIterator[str]:
    """Serve while the context is open; yields the address with the port that was taken.

    `decks` are the committed ones for everybody but a rehearsal (`gin compliance`): no option of
    a server names others, and a match played with others fails its audit.
    Raises PortTakenError, or StoreError for a database that cannot be used.
    """
    async with AsyncExitStack() as ending:
        store = open_store(options.db)
        ending.callback(store.close)
        commits = GroupCommit(store)
        # What others store is heard of from here on, and duties are given up after all is ended.
        cluster = await ending.enter_async_context(
            Cluster(store, commits, alone=not options.shares)
        )
        notary = Notary(
            store,
            commits,
            signing_key(store, os.urandom),
            every=options.checkpoint_every,
            is_on_duty=partial(cluster.has, "notary"),
        )
        # After the committer: what is stored to the very end is signed.
        ending.push_async_callback(notary.close)
        await ending.enter_async_context(commits)
        room = CardRoom(store, commits, now, os.urandom, decks)
        room.presence.listen(cluster.hearsay)
        hall = Hall(store, commits, now, os.urandom, room)
        disputes = Disputes(room, store, hall.adjust)
        registry = _registry(room)
        server = grpc.aio.server(
            interceptors=interceptors(store, CallMetrics(registry)),
            # Unless it is one of several, a second server on the port is refused.
            options=(*_CHANNEL_OPTIONS, ("grpc.so_reuseport", int(options.shares))),
        )
        checks = _add_services(server, room, hall, disputes, store, notary)
        # What has a port to itself finds out first whether it is free. One of several must not be
        # sent any callers before it can answer.
        address = options.listen if options.shares else _bind_alone(server, options.listen)
        ending.push_async_callback(server.stop, options.grace)
        if options.metrics is not None:
            ending.callback(_serve_metrics(registry, options))
        await room.start(is_first=cluster.is_first, is_shared=cluster.is_shared)
        # Streams end by themselves once their table is put away, each with a status; what is
        # being stored meanwhile is stored, and answered before the server stops.
        ending.push_async_callback(room.close)
        for damaged in await hall.start(
            partial(cluster.has, "tournaments"),
            is_shared=cluster.is_shared,
            hearsay=cluster.hearsay,
        ):
            _log.error("damaged log", tournament=damaged.match_id, why="gin audit says where")
        # Before the tables: a runner must not take a table that is put away for one that is over.
        ending.push_async_callback(hall.close)
        await disputes.start()
        ending.push_async_callback(disputes.close)
        notary.start()
        _log.info("signing", key=str(notary.key))
        caretaker = Caretaker(store, room, partial(cluster.has, "clocks"), _tell_damaged)
        caretaker.start()
        ending.push_async_callback(caretaker.close)
        cluster.follow(room, hall, caretaker, _Health(checks))
        ending.push_async_callback(cluster.leave)
        if options.shares:
            address = _bind(server, options.listen)
        await server.start()
        await _say(checks, health_pb2.HealthCheckResponse.SERVING)
        _log.info(
            "serving",
            address=address,
            db=shown_db(options.db),
            open_matches=room.open_matches,
        )
        yield address
        _log.info("stopping", grace=options.grace)
        await _say(checks, health_pb2.HealthCheckResponse.NOT_SERVING)
    _log.info("stopped")


def _tell_damaged(error: LogDamagedError) -> None:
    _log.error("damaged log", match=error.match_id, why="gin audit says where")


def _registry(room: CardRoom) -> CollectorRegistry:
    registry = CollectorRegistry()
    matches = Gauge("ginrummy_open_matches", "Matches that are not over.", registry=registry)
    matches.set_function(lambda: room.open_matches)
    return registry


def _serve_metrics(registry: CollectorRegistry, options: ServerOptions) -> Callable[[], None]:
    """Serve the metrics on the server's host, and return what ends it."""
    host = options.listen.rpartition(":")[0]
    address = f"{host}:{options.metrics}"
    try:
        server, _ = start_http_server(options.metrics or 0, host, registry)
    except OSError as error:
        raise PortTakenError(address) from error
    _log.info("metrics", address=f"{host}:{server.server_port}")
    return server.shutdown


def _bind_alone(server: grpc.aio.Server, listen: str) -> str:
    # Asked first, since gRPC writes lines of its own about an address that it cannot have.
    with held_port(listen):
        pass
    return _bind(server, listen)


def _bind(server: grpc.aio.Server, listen: str) -> str:
    host, _ = read_listen(listen)
    try:
        port = server.add_insecure_port(listen)
    except RuntimeError as error:
        raise PortTakenError(listen) from error
    if port == 0:
        raise PortTakenError(listen)
    return f"{host}:{port}"


def _add_services(
    server: grpc.aio.Server,
    room: CardRoom,
    hall: Hall,
    disputes: Disputes,
    store: Store,
    notary: Notary,
) -> health.HealthServicer:
    MatchServicer(room, store).add_to(server)
    log_service_pb2_grpc.add_LogServiceServicer_to_server(LogServicer(room, store, notary), server)
    player_service_pb2_grpc.add_PlayerServiceServicer_to_server(
        PlayerServicer(store, now, os.urandom), server
    )
    tournament_service_pb2_grpc.add_TournamentServiceServicer_to_server(
        TournamentServicer(hall, store), server
    )
    dispute_service_pb2_grpc.add_DisputeServiceServicer_to_server(
        DisputeServicer(disputes, store), server
    )
    checks = health.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    add_reflection(server, (*_SERVICES, health_pb2.DESCRIPTOR.services_by_name["Health"].full_name))
    return checks


class _Health:
    """Lets load balancers know when this server cannot serve."""

    def __init__(self, checks: health.HealthServicer) -> None:
        self._checks = checks
        self._telling: asyncio.Task[None] | None = None

    def heard(self, heads: dict[str, int]) -> None:
        """Do nothing."""

    def cut_off(self) -> None:
        """Say that other servers are to be asked."""
        _log.error("cut off from the database", why="callers are sent away until it is back")
        self._tell(health_pb2.HealthCheckResponse.NOT_SERVING)

    def back(self) -> None:
        """Say that this one serves again."""
        _log.info("back at the database")
        self._tell(health_pb2.HealthCheckResponse.SERVING)

    def _tell(self, status: int) -> None:
        self._telling = asyncio.create_task(_say(self._checks, status))


async def _say(checks: health.HealthServicer, status: int) -> None:
    for service in ("", *_SERVICES):
        await checks.set(service, status)


async def run(
    options: ServerOptions,
    ready: Callable[[str], None],
    leash: int | None = None,
    stopping: Callable[[], None] = lambda: None,
) -> None:
    """Serve until SIGTERM or SIGINT; `ready` is told the address once calls are taken.

    `stopping` is called as soon as it is known that the server is to stop.

    `leash` is the end of a pipe from which nothing comes: the server stops as well once nobody
    holds the other end any more.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    if leash is not None:
        loop.add_reader(leash, _let_go, loop, leash, stop)
    async with serving(options) as address:
        ready(address)
        await stop.wait()
        stopping()


def _let_go(loop: asyncio.AbstractEventLoop, leash: int, stop: asyncio.Event) -> None:
    loop.remove_reader(leash)
    stop.set()

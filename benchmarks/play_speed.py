"""How fast a move becomes durable and is answered, beside a bare echo of the same messages.

python benchmarks/play_speed.py [MATCHES...]

A server process stores every move in SQLite (`synchronous=FULL`) before it answers, another one in
PostgreSQL where one is there; `GINRUMMY_BENCH_POSTGRES` names it. Moves come on the seats' Play
streams, or each as a call of its own. The echo server answers each of the same requests with the
next of the same responses, recorded from a match before, and does nothing else. All run under
uvloop, take the same load from this process, and take turns, round by round.
"""

import asyncio
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from secrets import token_hex
from statistics import median, quantiles
from typing import NamedTuple, TypeAlias

import grpc
import psycopg
import uvloop
from echo_server import write_responses
from google.protobuf.message import Message
from psycopg import sql

from ginrummy.api.move_messages import move_from
from ginrummy.client.moves import move_message
from ginrummy.client.signing import Signer
from ginrummy.v1 import match_pb2, match_service_pb2_grpc, player_service_pb2_grpc
from ginrummy.v1 import match_service_pb2 as pb
from ginrummy.v1 import player_service_pb2 as players
from ginrummy.v1.ruleset_pb2 import SIGNING_POLICY_OFF, SIGNING_POLICY_REQUIRED, Ruleset

__all__ = [
    "MATCHES",
    "Meter",
    "PlayComparison",
    "compare_play",
    "our_round",
    "play_seat",
    "seats_at",
    "serving",
]

_ENDLESS = Ruleset(hands=1000)
"""No match of the load is over before its time."""

_RECORDED = 400
"""Responses that the echo server repeats."""

_CHANNELS = 4
"""Connections that the load spreads its streams over."""

_WARM_UP = 0.5
"""Seconds before the clock runs."""


MATCHES = (1, 16, 64, 256)
"""How many matches are played at once."""

_GOALS = {"SQLite": 0.7, "PostgreSQL": 0.5}
"""The least ratio to the echo that we want, by where moves are stored."""


class PlayComparison(NamedTuple):
    """What the rounds with one number of matches at once have found, as medians."""

    store: str
    """Where moves were stored: SQLite or PostgreSQL."""
    way: str
    """How they came: Play or MakeMove."""
    matches: int
    ours: float
    """Durable moves a second."""
    baseline: float
    """Echoes a second."""
    ratio: float
    p50: float
    """Milliseconds from a move to its answer that half of the moves stay below."""
    p99: float
    echo_p50: float
    echo_p99: float
    cpu: float
    """Microseconds of the server's processor time a move, all its threads together."""
    echo_cpu: float
    goal: float


class Round(NamedTuple):
    """One round's figures."""

    rate: float
    p50: float
    p99: float
    cpu: float = 0.0
    """Microseconds of the server's processor time an answer."""


class Meter:
    """Counts answers and times them while the clock runs."""

    def __init__(self, server: int | None = None) -> None:
        """Look at the processor time of the process `server` as well."""
        self.sending = True
        self._server = server
        self._counting = False
        self._sent: dict[str, float] = {}
        self._begun: set[str] = set()
        self._delays: list[float] = []

    def sent(self, pair: str) -> None:
        """Note that one of a pair of seats has sent a move."""
        self._sent[pair] = time.perf_counter()

    def answered(self, pair: str) -> None:
        """Note that the pair's last move has been answered, at either seat."""
        at = self._sent.pop(pair, None)
        if at is None:
            return
        self._begun.add(pair)
        if self._counting:
            self._delays.append(time.perf_counter() - at)

    async def under_way(self, pairs: int, tasks: Sequence["asyncio.Future[None]"]) -> None:
        """Wait until so many pairs have begun to move; raises what a task has failed with."""
        while len(self._begun) < pairs:
            for task in tasks:
                if task.done():
                    task.result()
            await asyncio.sleep(0.02)

    async def measure(self, seconds: float) -> Round:
        """Let the load run, and return what was answered meanwhile."""
        await asyncio.sleep(_WARM_UP)
        self._counting = True
        begin, used = time.perf_counter(), _processor_time(self._server)
        await asyncio.sleep(seconds)
        self._counting = self.sending = False
        count, took = len(self._delays), time.perf_counter() - begin
        cpu = 1_000_000 * (_processor_time(self._server) - used) / count
        percentiles = quantiles(self._delays, n=100)
        return Round(count / took, 1000 * percentiles[49], 1000 * percentiles[98], cpu)


def _processor_time(process: int | None) -> float:
    """Return the seconds of processor time that a process has taken; 0 for none."""
    if process is None:
        return 0.0
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Seat(NamedTuple):
    """A seat of the load."""

    token: str
    match_id: str
    nonce: bytes
    signer: Signer | None = None
    """Who signs its moves; None where they are not signed."""


def _bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


def _move(view: match_pb2.View, number: int) -> pb.PlayRequest:
    """Return a move that costs little to choose: knock, else throw the last card of the hand."""
    legal, move = view.hand.legal, match_pb2.Move()
    if legal.knocks:
        move.knock.card = legal.knocks[0]
    elif legal.discards:
        move.discard.card = legal.discards[-1]
    elif legal.draw:
        move.draw.SetInParent()
    elif legal.lay_off:
        move.lay_off.auto = True
    else:
        move.pass_upcard.SetInParent()
    return pb.PlayRequest(
        move=pb.PlayMove(request_id=str(number), expected_seq=view.seq, move=move)
    )


def _sign(request: pb.PlayRequest, view: match_pb2.View, signer: Signer) -> None:
    named, request.move.signature = signer.sign(move_from(request.move.move), view)
    request.move.move.CopyFrom(move_message(named))


async def play_seat(
    stub: "match_service_pb2_grpc.MatchServiceAsyncStub",
    seat: Seat,
    meter: Meter,
    pause: float = 0.0,
    record: list[pb.PlayResponse] | None = None,
) -> None:
    """Play one seat for as long as the meter lets moves be sent, `pause` seconds before each."""
    call = stub.Play(metadata=_bearer(seat.token))
    await call.write(pb.PlayRequest(start=pb.PlayStart(match_id=seat.match_id)))
    number = 0
    async for response in call:
        meter.answered(seat.match_id)
        if record is not None:
            record.append(response)
        view = response.view
        if response.HasField("refusal"):
            raise RuntimeError(f"a move was refused: {response.refusal.message}")
        if view.nonce_due:
            # Said until it is out, so a second one is sent now and then, and is no fault.
            await call.write(pb.PlayRequest(nonce=pb.PlayNonce(nonce=seat.nonce)))
        elif view.hand.HasField("legal") and meter.sending:
            number += 1
            if pause:
                await asyncio.sleep(pause)
            request = _move(view, number)
            if seat.signer is not None:
                _sign(request, view, seat.signer)
            meter.sent(seat.match_id)
            await call.write(request)


async def _echo(
    stub: "match_service_pb2_grpc.MatchServiceAsyncStub",
    pair: str,
    views: Sequence[match_pb2.View],
    meter: Meter,
) -> None:
    """Send the moves of recorded views, each once the one before is answered."""
    call = stub.Play()
    number = 0
    while meter.sending:
        meter.sent(pair)
        # The same work as a seat's: a move chosen from a view, and a message taken apart.
        await call.write(_move(views[number % len(views)], number))
        response = await call.read()
        assert isinstance(response, pb.PlayResponse)
        response.view.hand.HasField("legal")
        meter.answered(pair)
        number += 1


def _next_move(view: match_pb2.View, number: int) -> pb.MakeMoveRequest:
    """Return the next move of whoever's turn it is; of what they do not see, no move depends."""
    hand, move = view.hand, match_pb2.Move()
    if hand.phase == match_pb2.PHASE_DISCARD:
        request = _move(view, number).move
        move = request.move
    elif hand.phase == match_pb2.PHASE_OFFER:
        move.pass_upcard.SetInParent()
    elif hand.phase == match_pb2.PHASE_DRAW:
        move.draw.SetInParent()
    else:
        move.lay_off.auto = True
    return pb.MakeMoveRequest(
        match_id=view.match_id, request_id=str(number), expected_seq=view.seq, move=move
    )


async def _play_by_calls(
    stub: "match_service_pb2_grpc.MatchServiceAsyncStub",
    seats: Sequence[Seat],
    meter: Meter,
    record: list[pb.MakeMoveResponse] | None = None,
) -> None:
    """Play both seats of a match, each move as a call, for as long as the meter lets them."""
    match_id = seats[0].match_id
    bearers = [_bearer(seat.token) for seat in seats]
    for seat, bearer in zip(seats, bearers, strict=True):
        nonce = pb.RevealNonceRequest(match_id=match_id, nonce=seat.nonce)
        await stub.RevealNonce(nonce, metadata=bearer)
    asked = pb.GetViewRequest(match_id=match_id)
    view = (await stub.GetView(asked, metadata=bearers[0])).view
    number = 0
    while meter.sending:
        number += 1
        request = _next_move(view, number)
        meter.sent(match_id)
        answer = await stub.MakeMove(request, metadata=bearers[view.hand.to_move])
        meter.answered(match_id)
        view = answer.view
        if record is not None:
            record.append(answer)


async def _echo_calls(
    stub: "match_service_pb2_grpc.MatchServiceAsyncStub",
    pair: str,
    views: Sequence[match_pb2.View],
    meter: Meter,
) -> None:
    """Send the moves of recorded views, each as a call, once the one before is answered."""
    number = 0
    while meter.sending:
        request = _next_move(views[number % len(views)], number)
        meter.sent(pair)
        answer = await stub.MakeMove(request)
        meter.answered(pair)
        answer.view.hand.HasField("to_move")
        number += 1


async def seats_at(channel: grpc.aio.Channel, matches: int, *, signing: bool = False) -> list[Seat]:
    """Make the matches, take their seats, and return these, those of a match side by side.

    Everybody signs there, or nobody.
    """
    people = player_service_pb2_grpc.PlayerServiceStub(channel)
    tables = match_service_pb2_grpc.MatchServiceStub(channel)
    seats = []
    for number in range(matches):
        tokens = [
            (await people.CreatePlayer(players.CreatePlayerRequest(name=f"{number}.{seat}"))).token
            for seat in (0, 1)
        ]
        policy = SIGNING_POLICY_REQUIRED if signing else SIGNING_POLICY_OFF
        asked = pb.CreateMatchRequest(preset="eaai", rules=_ENDLESS, signing=policy)
        made = await tables.CreateMatch(asked, metadata=_bearer(tokens[0]))
        for token in tokens:
            secret = hashlib.sha256(token.encode()).digest()
            nonce, signer = secret[:16], Signer(secret, made.match) if signing else None
            joining = pb.JoinMatchRequest(
                match_id=made.match.id,
                nonce_commitment=hashlib.sha256(nonce).digest(),
                public_key=b"" if signer is None else signer.public_key,
            )
            await tables.JoinMatch(joining, metadata=_bearer(token))
            seats.append(Seat(token, made.match.id, nonce, signer))
    return seats


_Start: TypeAlias = Callable[[list[grpc.aio.Channel], Meter], Awaitable[list[Awaitable[None]]]]
"""What begins a load."""


async def _round(
    address: str, matches: int, seconds: float, start: _Start, server: int | None = None
) -> Round:
    """Run one load against a server for some seconds, once all matches are under way."""
    channels = [
        # Channels to one address would share a connection otherwise.
        grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])
        for _ in range(_CHANNELS)
    ]
    meter = Meter(server)
    tasks = [asyncio.ensure_future(each) for each in await start(channels, meter)]
    try:
        await meter.under_way(matches, tasks)
        found = await meter.measure(seconds)
        for task in tasks:
            if task.done():
                task.result()
        return found
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for channel in channels:
            await channel.close()


async def our_round(
    address: str,
    matches: int,
    seconds: float,
    *,
    signing: bool = False,
    by_calls: bool = False,
    server: int | None = None,
) -> Round:
    """Return what our server does in some seconds, where everybody signs or nobody does.

    Moves come on streams or, `by_calls`, each as a call. `server` is the process to look at.
    """

    async def start(channels: list[grpc.aio.Channel], meter: Meter) -> list[Awaitable[None]]:
        stubs = [match_service_pb2_grpc.MatchServiceStub(channel) for channel in channels]
        seats = await seats_at(channels[0], matches, signing=signing)
        if by_calls:
            return [
                _play_by_calls(stubs[number % _CHANNELS], seats[2 * number :][:2], meter)
                for number in range(matches)
            ]
        return [
            play_seat(stubs[place // 2 % _CHANNELS], seat, meter)
            for place, seat in enumerate(seats)
        ]

    return await _round(address, matches, seconds, start, server)


async def _echo_round(
    echo: "_Server",
    matches: int,
    seconds: float,
    views: Sequence[match_pb2.View],
    *,
    by_calls: bool,
) -> Round:
    send = _echo_calls if by_calls else _echo

    async def start(channels: list[grpc.aio.Channel], meter: Meter) -> list[Awaitable[None]]:
        stubs = [match_service_pb2_grpc.MatchServiceStub(channel) for channel in channels]
        return [send(stubs[pair % _CHANNELS], str(pair), views, meter) for pair in range(matches)]

    return await _round(echo.address, matches, seconds, start, echo.process)


async def _record(address: str) -> list[pb.PlayResponse]:
    """Return the responses of a match between two seats of the load, in the order of arrival."""
    record: list[pb.PlayResponse] = []
    async with grpc.aio.insecure_channel(address) as channel:
        stub, meter = match_service_pb2_grpc.MatchServiceStub(channel), Meter()
        seats = await seats_at(channel, 1)
        await _until_recorded(
            [play_seat(stub, seat, meter, record=record) for seat in seats], record
        )
    # The first ones are of the match's beginning, which happens once.
    return [response for response in record[10:] if response.view.hand.HasField("legal")]


async def _record_calls(address: str) -> list[pb.MakeMoveResponse]:
    """Return the answers to the moves of a match that are sent as calls."""
    record: list[pb.MakeMoveResponse] = []
    async with grpc.aio.insecure_channel(address) as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        seats = await seats_at(channel, 1)
        await _until_recorded([_play_by_calls(stub, seats, Meter(), record)], record)
    # Whoever has just drawn is shown what they may discard, and everybody else the phase.
    return [answer for answer in record if _is_told(answer.view)]


def _is_told(view: match_pb2.View) -> bool:
    return view.hand.phase != match_pb2.PHASE_DISCARD or view.hand.HasField("legal")


async def _until_recorded(playing: Sequence[Awaitable[None]], record: Sequence[Message]) -> None:
    tasks = [asyncio.ensure_future(each) for each in playing]
    while len(record) < _RECORDED + 10:  # noqa: ASYNC110 -- nothing is timed here
        await asyncio.sleep(0.01)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


# --- the servers ----------------------------------------------------------------------------------


class _Server(NamedTuple):
    """A server process."""

    process: int
    address: str


@contextmanager
def _process(*arguments: str) -> Iterator[_Server]:
    """Run a server process and yield it with the address that it prints."""
    with subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield _Server(process.pid, process.stdout.readline().strip())
        finally:
            process.terminate()


@contextmanager
def _serving(db: str) -> Iterator[_Server]:
    serve = ("-m", "ginrummy.cli", "serve", "--db", db, "--listen", "127.0.0.1:0")
    with _process(*serve, "--log-level", "error") as server:
        yield server


@contextmanager
def serving(db: Path) -> Iterator[str]:
    """Serve a database from a process of its own, and yield the address."""
    with _serving(str(db)) as server:
        yield server.address


_POSTGRES = os.environ.get("GINRUMMY_BENCH_POSTGRES", "postgresql://root@127.0.0.1:5432/postgres")


@contextmanager
def _postgres_schema() -> Iterator[str | None]:
    """Yield the address of an empty schema that is dropped then; None where nothing answers."""
    name = f"bench_{token_hex(8)}"
    schema = sql.Identifier(name)
    try:
        with psycopg.connect(_POSTGRES, autocommit=True, connect_timeout=5) as connection:
            connection.execute(sql.SQL("CREATE SCHEMA {}").format(schema))
    except psycopg.OperationalError:
        yield None
        return
    try:
        joined = "&" if "?" in _POSTGRES else "?"
        yield f"{_POSTGRES}{joined}options=-csearch_path%3D{name}"
    finally:
        with psycopg.connect(_POSTGRES, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(schema))


# --- comparing ------------------------------------------------------------------------------------


def compare_play(
    matches: Sequence[int] = MATCHES, rounds: int = 3, seconds: float = 2.0
) -> Iterator[PlayComparison]:
    """Compare durable moves with echoes, for each number of matches at once and each store."""
    with ExitStack() as ending:
        place = Path(ending.enter_context(tempfile.TemporaryDirectory()))
        postgres = ending.enter_context(_postgres_schema())
        ours = {"SQLite": ending.enter_context(_serving(str(place / "gin.db")))}
        if postgres is not None:
            ours["PostgreSQL"] = ending.enter_context(_serving(postgres))
        responses = uvloop.run(_record(ours["SQLite"].address))
        answers = uvloop.run(_record_calls(ours["SQLite"].address))
        write_responses(place / "responses", responses)
        write_responses(place / "answers", answers)
        arguments = ("responses", "answers")
        echo = ending.enter_context(
            _process(
                str(Path(__file__).with_name("echo_server.py")),
                *(str(place / each) for each in arguments),
            )
        )
        for by_calls in (False, True):
            views = [each.view for each in (answers if by_calls else responses)]
            for number in matches:
                found: dict[str, list[Round]] = {store: [] for store in ours}
                echoes = []
                for _ in range(rounds):
                    for store, server in ours.items():
                        playing = our_round(
                            server.address,
                            number,
                            seconds,
                            by_calls=by_calls,
                            server=server.process,
                        )
                        found[store].append(uvloop.run(playing))
                    echoing = _echo_round(echo, number, seconds, views, by_calls=by_calls)
                    echoes.append(uvloop.run(echoing))
                for store, each in found.items():
                    way = "MakeMove" if by_calls else "Play"
                    yield _compared(store, way, number, each, echoes)


def _compared(
    store: str, way: str, matches: int, ours: Sequence[Round], echoes: Sequence[Round]
) -> PlayComparison:
    rate, base = median(each.rate for each in ours), median(each.rate for each in echoes)
    return PlayComparison(
        store=store,
        way=way,
        matches=matches,
        ours=rate,
        baseline=base,
        ratio=rate / base,
        p50=median(each.p50 for each in ours),
        p99=median(each.p99 for each in ours),
        echo_p50=median(each.p50 for each in echoes),
        echo_p99=median(each.p99 for each in echoes),
        cpu=median(each.cpu for each in ours),
        echo_cpu=median(each.cpu for each in echoes),
        goal=_GOALS[store],
    )


def main() -> None:
    """Compare at the numbers of matches named, or at all, and print a line for each."""
    matches = [int(number) for number in sys.argv[1:]] or MATCHES
    for found in compare_play(matches):
        print(
            f"{found.way:<8} {found.store:<10} {found.matches:>3} matches"
            f"  ours {found.ours:>7,.0f}  echo {found.baseline:>7,.0f} moves/s"
            f"  ratio {found.ratio:.2f} (goal {found.goal})"
            f"  p50 {found.p50:.1f} ms (echo {found.echo_p50:.1f})"
            f"  p99 {found.p99:.1f} ms (echo {found.echo_p99:.1f})"
            f"  server {found.cpu:.0f} us a move (echo {found.echo_cpu:.0f})",
            flush=True,
        )


if __name__ == "__main__":
    main()

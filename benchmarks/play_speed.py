"""How fast a move becomes durable and is answered, beside a bare echo of the same messages.

python benchmarks/play_speed.py

A server process stores every move in SQLite (`synchronous=FULL`) before it answers on the seats'
Play streams. The echo server answers each of the same requests with the next of the same
responses, recorded from a match before, and does nothing else. Both run under uvloop, take the
same load from this process, and take turns, round by round.
"""

import asyncio
import hashlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

import grpc
import uvloop
from echo_server import write_responses

from ginrummy.api.move_messages import move_from
from ginrummy.client.moves import move_message
from ginrummy.client.signing import Signer
from ginrummy.v1 import match_pb2, match_service_pb2_grpc, player_service_pb2_grpc
from ginrummy.v1 import match_service_pb2 as pb
from ginrummy.v1 import player_service_pb2 as players
from ginrummy.v1.ruleset_pb2 import SIGNING_POLICY_OFF, SIGNING_POLICY_REQUIRED, Ruleset

__all__ = [
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


class PlayComparison(NamedTuple):
    """What the rounds with one number of matches at once have found, as medians."""

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
    goal: float = 0.5


class Round(NamedTuple):
    """One round's figures."""

    rate: float
    p50: float
    p99: float


class Meter:
    """Counts answers and times them while the clock runs."""

    def __init__(self) -> None:
        self.sending = True
        self._counting = False
        self._sent: dict[str, float] = {}
        self._delays: list[float] = []

    def sent(self, pair: str) -> None:
        """Note that one of a pair of seats has sent a move."""
        self._sent[pair] = time.perf_counter()

    def answered(self, pair: str) -> None:
        """Note that the pair's last move has been answered, at either seat."""
        at = self._sent.pop(pair, None)
        if at is not None and self._counting:
            self._delays.append(time.perf_counter() - at)

    async def measure(self, seconds: float) -> Round:
        """Let the load run, and return what was answered meanwhile."""
        await asyncio.sleep(_WARM_UP)
        self._counting = True
        begin = time.perf_counter()
        await asyncio.sleep(seconds)
        self._counting = self.sending = False
        rate = len(self._delays) / (time.perf_counter() - begin)
        percentiles = quantiles(self._delays, n=100)
        return Round(rate, 1000 * percentiles[49], 1000 * percentiles[98])


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


async def _round(
    address: str,
    seconds: float,
    start: Callable[[list[grpc.aio.Channel], Meter], Awaitable[list[Awaitable[None]]]],
) -> Round:
    """Run one load against a server for some seconds."""
    channels = [
        # Channels to one address would share a connection otherwise.
        grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])
        for _ in range(_CHANNELS)
    ]
    meter = Meter()
    tasks = [asyncio.ensure_future(each) for each in await start(channels, meter)]
    try:
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


async def our_round(address: str, matches: int, seconds: float, *, signing: bool = False) -> Round:
    """Return what our server does in some seconds, where everybody signs or nobody does."""

    async def start(channels: list[grpc.aio.Channel], meter: Meter) -> list[Awaitable[None]]:
        stubs = [match_service_pb2_grpc.MatchServiceStub(channel) for channel in channels]
        seats = await seats_at(channels[0], matches, signing=signing)
        return [
            play_seat(stubs[place // 2 % _CHANNELS], seat, meter)
            for place, seat in enumerate(seats)
        ]

    return await _round(address, seconds, start)


async def _echo_round(
    address: str, matches: int, seconds: float, views: Sequence[match_pb2.View]
) -> Round:
    async def start(channels: list[grpc.aio.Channel], meter: Meter) -> list[Awaitable[None]]:
        stubs = [match_service_pb2_grpc.MatchServiceStub(channel) for channel in channels]
        return [_echo(stubs[pair % _CHANNELS], str(pair), views, meter) for pair in range(matches)]

    return await _round(address, seconds, start)


async def _record(address: str) -> list[pb.PlayResponse]:
    """Return the responses of a match between two seats of the load, in the order of arrival."""
    record: list[pb.PlayResponse] = []
    async with grpc.aio.insecure_channel(address) as channel:
        stub, meter = match_service_pb2_grpc.MatchServiceStub(channel), Meter()
        tasks = [
            asyncio.ensure_future(play_seat(stub, seat, meter, record=record))
            for seat in await seats_at(channel, 1)
        ]
        while len(record) < _RECORDED + 10:  # noqa: ASYNC110 -- nothing is timed here
            await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    # The first ones are of the match's beginning, which happens once.
    return [response for response in record[10:] if response.view.hand.HasField("legal")]


@contextmanager
def _process(*arguments: str) -> Iterator[str]:
    """Run a server process and yield the address that it prints."""
    with subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


@contextmanager
def serving(db: Path) -> Iterator[str]:
    """Serve a database from a process of its own, and yield the address."""
    serve = ("-m", "ginrummy.cli", "serve", "--db", str(db), "--listen", "127.0.0.1:0")
    with _process(*serve, "--log-level", "error") as address:
        yield address


def compare_play(matches: int, rounds: int = 5, seconds: float = 3.0) -> PlayComparison:
    """Compare durable moves with echoes, for a number of matches at once."""
    echo = str(Path(__file__).with_name("echo_server.py"))
    with tempfile.TemporaryDirectory() as place:
        recorded = Path(place, "responses")
        with serving(Path(place, "gin.db")) as address:
            responses = uvloop.run(_record(address))
            write_responses(recorded, responses)
            views = [response.view for response in responses]
            with _process(echo, str(recorded)) as echo_address:
                found = [
                    (
                        uvloop.run(our_round(address, matches, seconds)),
                        uvloop.run(_echo_round(echo_address, matches, seconds, views)),
                    )
                    for _ in range(rounds)
                ]
    ours, echoes = zip(*found, strict=True)
    rate, base = median(each.rate for each in ours), median(each.rate for each in echoes)
    return PlayComparison(
        matches=matches,
        ours=rate,
        baseline=base,
        ratio=rate / base,
        p50=median(each.p50 for each in ours),
        p99=median(each.p99 for each in ours),
        echo_p50=median(each.p50 for each in echoes),
        echo_p99=median(each.p99 for each in echoes),
    )


def main() -> None:
    """Compare at 16 and at 64 matches, and print a line for each."""
    for matches in (16, 64):
        found = compare_play(matches)
        print(
            f"{found.matches:>3} matches  ours {found.ours:>8,.0f}  echo {found.baseline:>8,.0f} "
            f"moves/s  ratio {found.ratio:.2f} (goal {found.goal})  "
            f"p50 {found.p50:.1f} ms (echo {found.echo_p50:.1f})  "
            f"p99 {found.p99:.1f} ms (echo {found.echo_p99:.1f})"
        )


if __name__ == "__main__":
    main()

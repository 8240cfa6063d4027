"""The same client without `await`: every call waits for its answer.

    with connect("127.0.0.1:50051", token="…") as client:
        result = client.play(match_id, bot)

The asynchronous client does all the work, in an event loop on a thread of its own; a bot's methods
are called there. Each method here is that of the asynchronous client, made to wait.
"""

import asyncio
import functools
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterator
from types import TracebackType
from typing import Any, Concatenate, Final, Generic, ParamSpec, Self, TypeVar

from ginrummy.client import client as asynchronous
from ginrummy.client.client import Client
from ginrummy.client.disputes import Disputes
from ginrummy.client.seat import SeatSession
from ginrummy.client.signing import Keys
from ginrummy.client.tournaments import Tournaments
from ginrummy.client.verifier import Verifier
from ginrummy.rules.cards import Seat
from ginrummy.v1.match_pb2 import View
from ginrummy.v1.ruleset_pb2 import SigningPolicy

__all__ = ["SyncClient", "SyncDisputes", "SyncSeat", "SyncTournaments", "connect"]

A = TypeVar("A")
P = ParamSpec("P")
T = TypeVar("T")


class _Loop:
    """An event loop on a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        # A program that forgets to close its client ends all the same.
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="ginrummy.client", daemon=True
        )
        self._thread.start()

    def result(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what `work` returns; it is cancelled where the wait is interrupted."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        finally:
            future.cancel()

    def close(self) -> None:
        """Let the thread end."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class _Face(Generic[A]):
    """The waiting face of something asynchronous."""

    def __init__(self, loop: _Loop, inner: A) -> None:
        self.loop = loop
        self.inner = inner
        """The asynchronous one, for use on its loop."""


def _waiting(
    method: Callable[Concatenate[A, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[_Face[A], P], T]:
    """Return `method` made to wait for its answer."""

    @functools.wraps(method)
    def call(face: _Face[A], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return face.loop.result(method(face.inner, *args, **kwargs))

    return call


_END: Final = object()


def _iterating(
    method: Callable[Concatenate[A, P], AsyncIterator[T]],
) -> Callable[Concatenate[_Face[A], P], Iterator[T]]:
    """Return `method` made to wait for each of its answers."""

    @functools.wraps(method)
    def call(face: _Face[A], /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        answers = method(face.inner, *args, **kwargs)
        try:
            while (answer := face.loop.result(_next(answers))) is not _END:
                yield answer  # type: ignore[misc]  # the end is not one of the answers
        finally:
            if isinstance(answers, AsyncGenerator):
                face.loop.result(_closed(answers))

    return call


async def _next(answers: AsyncIterator[T]) -> T | object:
    return await anext(answers, _END)


async def _closed(answers: AsyncGenerator[Any, Any]) -> None:
    await answers.aclose()


def _connecting(connect: Callable[P, Client]) -> Callable[P, "SyncClient"]:
    """Return `connect` made to give a client that waits."""

    @functools.wraps(connect)
    def call(*args: P.args, **kwargs: P.kwargs) -> SyncClient:
        async def connected() -> Client:
            return connect(*args, **kwargs)

        loop = _Loop()
        return SyncClient(loop, loop.result(connected()))

    return call


class SyncSeat(_Face[SeatSession]):
    """`SeatSession`, waiting: `with client.sit(match_id) as seat`."""

    wait = _waiting(SeatSession.wait)
    move = _waiting(SeatSession.move)
    resign = _waiting(SeatSession.resign)
    play = _waiting(SeatSession.play)

    @property
    def view(self) -> View | None:
        """The last view; None before the first `wait`."""
        return self.inner.view

    @property
    def verifier(self) -> Verifier:
        """What has been checked so far."""
        return self.inner.verifier

    def __enter__(self) -> Self:
        self.loop.result(self.inner.__aenter__())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.loop.result(self.inner.__aexit__(kind, error, trace))


class SyncTournaments(_Face[Tournaments]):
    """`Tournaments`, waiting."""

    all = _waiting(Tournaments.all)
    get = _waiting(Tournaments.get)
    standings = _waiting(Tournaments.standings)
    watch = _iterating(Tournaments.watch)
    log = _iterating(Tournaments.log)
    enter = _waiting(Tournaments.enter)
    check_in = _waiting(Tournaments.check_in)
    reveal_nonce = _waiting(Tournaments.reveal_nonce)
    withdraw = _waiting(Tournaments.withdraw)
    return_ = _waiting(Tournaments.return_)
    attend = _waiting(Tournaments.attend)
    end_session = _waiting(Tournaments.end_session)
    create = _waiting(Tournaments.create)
    seed = _waiting(Tournaments.seed)
    start = _waiting(Tournaments.start)
    pair = _waiting(Tournaments.pair)
    rule = _waiting(Tournaments.rule)
    pause = _waiting(Tournaments.pause)
    resume = _waiting(Tournaments.resume)
    abort = _waiting(Tournaments.abort)
    end = _waiting(Tournaments.end)


class SyncDisputes(_Face[Disputes]):
    """`Disputes`, waiting."""

    open = _waiting(Disputes.open)
    appeal = _waiting(Disputes.appeal)
    rule = _waiting(Disputes.rule)
    get = _waiting(Disputes.get)
    all = _iterating(Disputes.all)


class SyncClient(_Face[Client]):
    """`Client`, waiting."""

    create_player = _waiting(Client.create_player)
    sign_up = _waiting(Client.sign_up)
    player = _waiting(Client.player)
    me = _waiting(Client.me)
    create_match = _waiting(Client.create_match)
    fork_match = _waiting(Client.fork_match)
    matches = _iterating(Client.matches)
    match = _waiting(Client.match)
    presets = _waiting(Client.presets)
    join = _waiting(Client.join)
    signer = _waiting(Client.signer)
    reveal_nonce = _waiting(Client.reveal_nonce)
    make_move = _waiting(Client.make_move)
    view = _waiting(Client.view)
    pause = _waiting(Client.pause)
    resume = _waiting(Client.resume)
    reveal_secrets = _waiting(Client.reveal_secrets)
    play = _waiting(Client.play)
    watch = _iterating(Client.watch)
    log = _iterating(Client.log)
    position = _waiting(Client.position)
    audit = _waiting(Client.audit)
    key = _waiting(Client.key)
    checkpoint = _waiting(Client.checkpoint)
    prove_inclusion = _waiting(Client.prove_inclusion)
    prove_consistency = _waiting(Client.prove_consistency)
    receipt = _waiting(Client.receipt)
    evidence = _waiting(Client.evidence)

    @property
    def tournaments(self) -> SyncTournaments:
        """The calls of tournaments."""
        return SyncTournaments(self.loop, self.inner.tournaments)

    @property
    def disputes(self) -> SyncDisputes:
        """The calls of disputes."""
        return SyncDisputes(self.loop, self.inner.disputes)

    def sign_in(self, token: str) -> None:
        """Be the player whose token this is from now on."""
        self.inner.sign_in(token)

    def keys_for(self, signing: SigningPolicy.ValueType) -> Keys | None:
        """See `Client.keys_for`."""
        return self.inner.keys_for(signing)

    def sit(self, match_id: str, seat: Seat | None = None) -> SyncSeat:
        """Return a session at a seat, which is taken as the session is entered."""
        return SyncSeat(self.loop, self.inner.sit(match_id, seat))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give up the connection and every call on it."""
        self.loop.result(self.inner.close())
        self.loop.close()


connect = _connecting(asynchronous.connect)

"""A server in this process with everybody in it whom a refusal needs."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NamedTuple

from google.protobuf.message import Message
from google.rpc import (  # type: ignore[import-untyped]  # it ships stubs, but no py.typed
    error_details_pb2,
)
from support_rules import PLAIN
from support_server import InProcess, dealing, in_process
from support_wire import METHODS, Refused, Tap

from ginrummy.client import Client, connect
from ginrummy.client.moves import move_message
from ginrummy.rules.cards import Deck
from ginrummy.rules.commands import Move, Resign
from ginrummy.v1.match_pb2 import LegalMoves
from ginrummy.v1.match_service_pb2 import MakeMoveRequest

__all__ = ["House", "Told", "check", "housed", "move_request", "refused", "told_by"]


class House:
    """Ann and Bob, who play; Eve, who looks on; Dee, a director; Abe, an auditor."""

    def __init__(self, server: InProcess, stack: AsyncExitStack) -> None:
        self.server = server
        self.clients: dict[str, Client] = {}
        self.taps: dict[str, Tap] = {}
        """A connection of each, of Nobody, who has no token, and of a Stranger from elsewhere."""
        self.decks: dict[str, Deck] = {}
        """What the matches deal whose hands are known beforehand."""
        self._stack = stack

    async def let_in(self, name: str, token: str | None) -> None:
        """Give somebody with that token a client and a bare connection."""
        client = connect(self.server.address, token=token or "")
        self.clients[name] = await self._stack.enter_async_context(client)
        self.taps[name] = Tap(self.server.address, token)
        self._stack.push_async_callback(self.taps[name].close)

    @property
    def players(self) -> tuple[Client, Client]:
        """The clients of Ann, who has seat 0, and of Bob."""
        return self.clients["ann"], self.clients["bob"]

    async def opened(self, **terms: Any) -> str:  # noqa: ANN401 -- whatever a match may have
        """Open a match at which nobody sits."""
        return (await self.clients["eve"].create_match(**terms)).id

    async def seated(self, **terms: Any) -> str:  # noqa: ANN401 -- likewise
        """Open a match, and let Ann and Bob sit down."""
        match_id = await self.opened(**terms)
        for client in self.players:
            await client.join(match_id)
        return match_id

    async def playing(self, *moves: Move, deck: Deck = PLAIN, **terms: Any) -> str:  # noqa: ANN401 -- likewise
        """Open a match, let Ann deal this deck, and make some moves, each of whose turn it is."""
        match_id = await self.seated(**terms)
        self.decks[match_id] = deck
        for client in self.players:
            await client.reveal_nonce(match_id)
        for move in moves:
            await self.move(match_id, move)
        return match_id

    async def move(self, match_id: str, move: Move) -> None:
        """Make a move for the seat whose turn it is."""
        view = await self.clients["eve"].view(match_id)
        await self.players[view.hand.to_move].make_move(match_id, move, view.seq)

    async def ended(self) -> str:
        """Play a match that Ann gives up at once."""
        match_id = await self.playing()
        await self.clients["ann"].make_move(match_id, Resign(), await self.seq(match_id))
        return match_id

    async def seq(self, match_id: str) -> int:
        """Return the number of a match's last event."""
        return (await self.server.table(match_id)).seq

    def stored(self) -> tuple[int, int, list[str]]:
        """Return what would tell of anything stored: positions, players, open matches."""
        store = self.server.store
        return store.last_position(), len(store.players()), store.open_matches()


@asynccontextmanager
async def housed() -> AsyncIterator[House]:
    """Serve, and let everybody in."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(in_process())
        house = House(server, stack)
        stack.enter_context(dealing(house.decks))
        await house.let_in("nobody", None)
        await house.let_in("stranger", "gin_" + "a" * 52)
        for name in ("ann", "bob", "eve"):
            made = await house.clients["nobody"].create_player(name.title())
            await house.let_in(name, made.token)
        await house.let_in("dee", server.let_in("p_" + "d" * 26, "Dee", "director"))
        await house.let_in("abe", server.let_in("p_" + "a" * 26, "Abe", "auditor"))
        yield house


def move_request(match_id: str, move: Move, seq: int, request_id: str = "once") -> MakeMoveRequest:
    """Return the request for a move."""
    return MakeMoveRequest(
        match_id=match_id, request_id=request_id, expected_seq=seq, move=move_message(move)
    )


async def refused(tap: Tap, method: str, request: Message, *, unheard: bool = False) -> Refused:
    """Make a call of any kind, and return how it was refused.

    `unheard` is a call that is refused before anything is read from it.
    """
    kind = METHODS[method]
    try:
        if kind.client_streaming:
            talk = tap.talk(method)
            # What is sent after the end would stand in the place of the status.
            if not unheard:
                await talk.say(request)
            while await talk.hear() is not None:
                pass
        elif kind.server_streaming:
            async for _ in tap.listen(method, request):
                pass
        else:
            await tap.ask(method, request)
    except Refused as refusal:
        return refusal
    raise AssertionError(f"{method} was not refused")


class Told(NamedTuple):
    """What a status tells beside its code and its message."""

    info: error_details_pb2.ErrorInfo
    wrong: list[tuple[str, str]]
    """The fields of a BadRequest, each with what is wrong with it."""
    unmet: list[tuple[str, str, str]]
    """Type, subject and description of a PreconditionFailure."""
    legal: LegalMoves | None


def told_by(refusal: Refused) -> Told:
    """Return the details of a status; of each kind there is one at most, and one ErrorInfo."""
    info = error_details_pb2.ErrorInfo()
    bad = error_details_pb2.BadRequest()
    failure = error_details_pb2.PreconditionFailure()
    legal = LegalMoves()
    kinds = (info, bad, failure, legal)
    found = [kind for detail in refusal.status.details for kind in kinds if detail.Unpack(kind)]
    names = [kind.DESCRIPTOR.name for kind in found]
    assert len(set(names)) == len(names) == len(refusal.status.details)
    assert "ErrorInfo" in names
    return Told(
        info=info,
        wrong=[(one.field, one.description) for one in bad.field_violations],
        unmet=[(one.type, one.subject, one.description) for one in failure.violations],
        legal=legal if "LegalMoves" in names else None,
    )


def check(
    refusal: Refused,
    code: str,
    reason: str,
    rule: str = "",
    match: str = "",
    tournament: str = "",
) -> None:
    """Check what errors.proto promises of every status, and what this one is to say."""
    told = told_by(refusal)
    assert refusal.code.name == code
    assert refusal.status.code == refusal.code.value[0]
    assert (told.info.domain, told.info.reason) == ("ginrummy", reason)
    assert told.info.metadata.get("rule", "") == rule
    if match:
        assert told.info.metadata["match"] == match
    if tournament:
        assert told.info.metadata["tournament"] == tournament
    assert len(refusal.status.message) > 10
    assert "Traceback" not in refusal.status.message
    assert bool(told.wrong) == (code == "INVALID_ARGUMENT")
    assert bool(told.unmet) == (code == "FAILED_PRECONDITION")
    for unmet in told.unmet:
        assert unmet == (reason, match or tournament, refusal.status.message)

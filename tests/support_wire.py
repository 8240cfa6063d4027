"""A connection of which every byte that comes in is kept, and what may be in those bytes.

What a viewer may know is worked out here from the stored lines and the operator's decks alone, by
nothing that the server's views use.
"""

import json
import re
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import (  # type: ignore[import-untyped]  # it ships stubs, but no py.typed
    error_details_pb2,
    status_pb2,
)

from ginrummy.log.deck import SecretChain, shuffle
from ginrummy.rules.cards import BySeat
from ginrummy.store import Store
from ginrummy.v1 import (
    dispute_service_pb2,
    log_service_pb2,
    match_service_pb2,
    player_service_pb2,
    tournament_service_pb2,
)

__all__ = ["METHODS", "Known", "Refused", "Tap", "Viewer", "card_texts", "decks_of", "strings_in"]

Viewer: TypeAlias = int | None
"""A seat's number; None for a spectator."""

METHODS: dict[str, MethodDescriptor] = {
    method.name: method
    for file in (
        match_service_pb2,
        player_service_pb2,
        log_service_pb2,
        tournament_service_pb2,
        dispute_service_pb2,
    )
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}
"""Every method of the API, by its name."""


class Refused(Exception):  # noqa: N818 -- it is what came, and no fault
    """A call that ended with another status than OK."""

    def __init__(self, error: grpc.aio.AioRpcError) -> None:
        super().__init__(f"{error.code().name}: {error.details()}")
        self.code = error.code()
        self.raw = b"\n".join(
            value if isinstance(value, bytes) else value.encode()
            for value in (error.details() or "", *dict(error.trailing_metadata() or ()).values())
        )
        """The status and all trailing metadata."""
        self.status = status_pb2.Status.FromString(
            dict(error.trailing_metadata() or ()).get("grpc-status-details-bin", b"")
        )
        """The status with its details; empty where gRPC itself answered."""
        self.info = error_details_pb2.ErrorInfo()
        for detail in self.status.details:
            detail.Unpack(self.info)


class Came(NamedTuple):
    """One message or status that came in."""

    raw: bytes
    message: Message | Refused
    """The message, or the status with all its details."""
    request: Message
    """What it answers; for a stream's messages, the stream's first request."""


class Tap:
    """A connection with a token of one's own choice, and everything that came in over it."""

    def __init__(self, address: str, token: str | None) -> None:
        self.came: list[Came] = []
        self._channel = grpc.aio.insecure_channel(address)
        self._metadata = (("authorization", f"Bearer {token}"),) if token is not None else ()

    async def close(self) -> None:
        """Hang up."""
        await self._channel.close()

    async def ask(self, method: str, request: Message) -> Any:  # noqa: ANN401 -- any message
        """Return the answer to a unary call. Raises Refused."""
        path, codec = _path(method)
        try:
            raw = await self._channel.unary_unary(path, **codec)(request, metadata=self._metadata)
        except grpc.aio.AioRpcError as error:
            raise self._refused(error, request) from error
        return self._took(method, raw, request)

    async def listen(self, method: str, request: Message) -> AsyncIterator[Any]:
        """Yield the answers of a streaming call. Raises Refused."""
        path, codec = _path(method)
        call = self._channel.unary_stream(path, **codec)(request, metadata=self._metadata)
        try:
            async for raw in call:
                yield self._took(method, raw, request)
        except grpc.aio.AioRpcError as error:
            raise self._refused(error, request) from error
        finally:
            call.cancel()

    def talk(self, method: str) -> "Talk":
        """Begin a call with a stream both ways."""
        path, codec = _path(method)
        call = self._channel.stream_stream(path, **codec)(metadata=self._metadata)
        return Talk(self, method, call)

    def _took(self, method: str, raw: bytes, request: Message) -> Message:
        message = GetMessageClass(METHODS[method].output_type).FromString(raw)
        self.came.append(Came(raw, message, request))
        return message

    def _refused(self, error: grpc.aio.AioRpcError, request: Message) -> Refused:
        refused = Refused(error)
        self.came.append(Came(refused.raw, refused, request))
        return refused


class Talk:
    """A call with a stream both ways."""

    def __init__(self, tap: Tap, method: str, call: Any) -> None:  # noqa: ANN401 -- untyped bytes
        self._tap = tap
        self._method = method
        self._call = call
        self._first: Message = GetMessageClass(METHODS[method].input_type)()

    async def say(self, request: Message) -> None:
        """Send a message."""
        self._first = request
        await self._call.write(request)

    async def hear(self) -> Any:  # noqa: ANN401 -- any message
        """Return the next message; None at the end. Raises Refused."""
        try:
            raw = await self._call.read()
        except grpc.aio.AioRpcError as error:
            raise self._tap._refused(error, self._first) from error
        return self._tap._took(self._method, raw, self._first) if isinstance(raw, bytes) else None


def _path(method: str) -> tuple[str, dict[str, Any]]:
    found = METHODS[method]
    return (
        f"/{found.containing_service.full_name}/{method}",
        {"request_serializer": _bytes_of, "response_deserializer": None},
    )


def _bytes_of(message: Message) -> bytes:
    return message.SerializeToString()


# --- what is in a message -----------------------------------------------------------------------

_card = re.compile(r"(?<![0-9A-Za-z])[A2-9TJQK][SHDC](?![0-9A-Za-z])").findall


def card_texts(text: str | bytes) -> set[str]:
    """Return the cards that are named in a text."""
    return set(_card(text.decode(errors="replace") if isinstance(text, bytes) else text))


def strings_in(message: Message) -> Iterator[str | bytes]:
    """Yield every text of a message, in whatever field."""
    for _, value in message.ListFields():
        for one in value if isinstance(value, Iterable) and not _is_text(value) else [value]:
            if isinstance(one, Message):
                yield from strings_in(one)
            elif _is_text(one):
                yield one


def _is_text(value: object) -> bool:
    return isinstance(value, str | bytes)


# --- what may be in it --------------------------------------------------------------------------


class Known:
    """Which cards a viewer may know after each event of a match."""

    def __init__(self, log: Sequence[bytes], decks: Sequence[Sequence[str]]) -> None:
        """Go through the lines with the decks of the hands under them."""
        self._seen: list[tuple[set[str], set[str], set[str]]] = [(set(), set(), set())]
        public: set[str] = set()
        own: tuple[set[str], set[str]] = (set(), set())
        deck: Sequence[str] = ()
        drawn = 21
        for raw in log:
            line = json.loads(raw)
            data = line["data"]
            match line["type"]:
                case "hand_dealt":
                    deck, drawn = decks[data["hand"] - 1], 21
                    assert data["upcard"] == deck[20]
                    public = {data["upcard"]}
                    first, second = set(deck[0:20:2]), set(deck[1:20:2])
                    own = (second, first) if data["dealer"] == 0 else (first, second)
                case "stock_drawn":
                    own[data["seat"]].add(deck[drawn])
                    drawn += 1
                case "secret_revealed":
                    public = set(deck)
                case _:
                    # Whatever an event names has been shown to everybody.
                    public |= card_texts(json.dumps(data))
            self._seen.append((public | own[0], public | own[1], set(public)))

    def at(self, seq: int, viewer: Viewer) -> set[str]:
        """Return the cards that a viewer may know after event `seq`."""
        return self._seen[seq][2 if viewer is None else viewer]

    def leaked(self, came: Came, viewer: Viewer) -> set[str]:
        """Return the cards in what came in that the viewer may not have known then."""
        if isinstance(came.message, Message):
            return set(self._leaks(came.message, viewer, 0))
        # An answer may quote the question.
        asked = set().union(*map(card_texts, strings_in(came.request)))
        seq = int(came.message.info.metadata.get("seq", "0"))
        return card_texts(came.raw) - asked - self.at(seq, viewer)

    def _leaks(self, message: Message, viewer: Viewer, seq: int) -> Iterator[str]:
        match message.DESCRIPTOR.name:
            case "Event" | "View" | "Refusal":
                seq = getattr(message, "seq")  # noqa: B009 -- all three have it
            case "ReadLogResponse":
                for line in getattr(message, "lines"):  # noqa: B009 -- likewise
                    yield from card_texts(line) - self.at(json.loads(line)["seq"], None)
                return
            case _:
                pass
        for _, value in message.ListFields():
            for one in value if isinstance(value, Iterable) and not _is_text(value) else [value]:
                if isinstance(one, Message):
                    yield from self._leaks(one, viewer, seq)
                elif _is_text(one):
                    yield from card_texts(one) - self.at(seq, viewer)


def decks_of(store: Store, match_id: str) -> list[list[str]]:
    """Return the decks of all hands that were dealt, from the operator's own secrets."""
    secret = store.secret(match_id, "chain")
    assert secret is not None
    chain = SecretChain(secret)
    lines = [json.loads(raw) for raw in store.read(match_id)]
    nonces = {
        line["data"]["seat"]: bytes.fromhex(line["data"]["nonce"])
        for line in lines
        if line["type"] == "nonce_revealed"
    }
    hands = sum(line["type"] == "hand_dealt" for line in lines)
    both = BySeat(nonces[0], nonces[1])
    return [
        [str(card) for card in shuffle(chain.secret(hand), match_id, hand, both).deck]
        for hand in range(1, hands + 1)
    ]

"""A seat on a bare Play stream: it plays on, and writes down what it sent and what came back.

The SDK's sessions hide what they put right: they connect again and send again. This one does not.
"""

import asyncio
from uuid import uuid4

import grpc

from ginrummy.bots import SimpleBot, View
from ginrummy.client import Bot, Client, to_decide
from ginrummy.client.bot import decision
from ginrummy.client.errors import CallError, call_error
from ginrummy.client.moves import move_message
from ginrummy.client.nonces import nonce_key
from ginrummy.rules.commands import Move
from ginrummy.v1.match_service_pb2 import (
    PlayMove,
    PlayNonce,
    PlayRequest,
    PlayResponse,
    PlayStart,
)

__all__ = ["BareSeat", "hard_of_hearing"]


def hard_of_hearing(client: Client) -> Client:
    """Return a client of the same player that takes in only some hundred bytes unread."""
    options = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1024))
    channel = grpc.aio.insecure_channel(client.target, options=options)
    return Client(channel, client.target, client._token, client.retry, client.nonces)


class BareSeat:
    """One stream of one seat, from its start to its end."""

    def __init__(self, client: Client, match_id: str, bot: Bot | None = None) -> None:
        self.client = client
        self.match_id = match_id
        self.bot = bot or SimpleBot()
        self.sent: list[str] = []
        """The request ids of the moves that were sent, in order."""
        self.answered: dict[str, int] = {}
        """The number of the event that a move has caused, by the move's request id."""
        self.responses: list[PlayResponse] = []
        self.cut_off = False
        """The stream had ended when something was sent; gRPC then tells no more how."""
        self.playing = asyncio.Event()
        """A move of this seat's has been answered."""
        self.call = client.open_play()

    @property
    def view(self) -> View:
        """The last view."""
        return next(one.view for one in reversed(self.responses) if one.HasField("view"))

    async def start(self, after_seq: int = 0) -> PlayResponse:
        """Open the stream, and return its first message."""
        start = PlayStart(match_id=self.match_id, after_seq=after_seq)
        await self._write(PlayRequest(start=start))
        response = await self.read()
        assert response is not None
        return response

    async def read(self) -> PlayResponse | None:
        """Return the next message; None at the stream's good end."""
        response = await self.call.read()
        if not isinstance(response, PlayResponse):
            return None
        self.responses.append(response)
        for event in response.events:
            if event.request_id in self.sent:
                self.answered.setdefault(event.request_id, event.seq)
                self.playing.set()
        return response

    async def send(
        self, move: Move, *, request_id: str = "", expected_seq: int | None = None
    ) -> str:
        """Send a move, decided on the last view unless said, and return its request id."""
        message = PlayMove(
            request_id=request_id or uuid4().hex,
            expected_seq=self.view.seq if expected_seq is None else expected_seq,
            move=move_message(move),
        )
        self.sent.append(message.request_id)
        await self._write(PlayRequest(move=message))
        return message.request_id

    async def _write(self, request: PlayRequest) -> None:
        try:
            await self.call.write(request)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            self.cut_off = True
            raise

    async def reveal(self) -> None:
        """Send the nonce that was committed to when joining."""
        nonce = self.client.nonces[nonce_key(self.match_id, (await self.client.me()).id)]
        await self._write(PlayRequest(nonce=PlayNonce(nonce=nonce)))

    async def play(self) -> CallError | None:
        """Play to the stream's end; return the error that ended it, None for the match's end."""
        try:
            response: PlayResponse | None = await self.start()
            while response is not None:
                if response.view.nonce_due:
                    await self.reveal()
                elif to_decide(response.view):
                    move = decision(self.bot, response.view)
                    assert isinstance(move, Move)
                    await self.send(move)
                response = await self.read()
        except grpc.aio.AioRpcError as error:
            return call_error(error)
        return None

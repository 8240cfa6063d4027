"""One seat's stream: moves in, and a message whenever the seat has something to decide.

A task reads the moves and hands them to the table; the stream itself writes. Both look at the same
table, so the answer to a move, the opponent's moves since and the view come as one message.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence

from ginrummy.api.auth import Caller
from ginrummy.api.errors import ApiError, InvalidFieldError, answer_to, refusal_message
from ginrummy.api.fields import nonce_from, request_id_from, signature_from
from ginrummy.api.move_messages import move_from
from ginrummy.api.sight import Answer, Sight
from ginrummy.rules.cards import Seat
from ginrummy.rules.commands import Command, Play, RevealNonce
from ginrummy.rules.errors import RulesError
from ginrummy.tables.errors import TableError
from ginrummy.tables.table import Request, Step, Table
from ginrummy.v1 import match_service_pb2 as pb
from ginrummy.v1.errors_pb2 import Refusal

__all__ = ["PlayStream"]

_ANSWER = Answer.of(pb.PlayResponse)

_UNHEARD = 16
"""So many answers a client may leave unread before no more is read from it."""

_A_PART = 1000
"""Events in one message, which then stays far below gRPC's default of 4 MiB."""

_NONCE = "nonce"
"""The request id of a nonce that comes on a stream."""


class PlayStream:
    """A seat's conversation with its table."""

    def __init__(self, table: Table, seat: Seat, caller: Caller) -> None:
        self._table = table
        self._seat = seat
        self._caller = caller
        self._sight = Sight(table, seat)
        self._answers: deque[bytes] = deque()
        """What only this stream is to hear: refusals, and first answers given again."""
        self._heard = asyncio.Event()
        self._seen = 0
        """The number of the last event that this stream has told."""
        self._acting = False
        self._left = False

    async def talk(
        self, requests: AsyncIterator[pb.PlayRequest], seen: int
    ) -> AsyncGenerator[bytes, None]:
        """Yield the messages' bytes, first the present state with the events after `seen`.

        Ends when the match has, or when the client has nothing more to say; raises StoppingError
        when the server goes away, once all that is stored is told, and NoSuchEventError where the
        match has not come as far as `seen`.
        """
        table, news = self._table, self._table.news
        await table.reach(seen)
        self._seen = seen
        with news.attending(self._seat):
            reader = asyncio.create_task(self._read(requests))
            try:
                for message in await self._news():
                    yield message
                while not table.closed:
                    if self._answers:
                        yield self._answers.popleft()
                        self._heard.set()
                    elif news.speaks_to(self._seat, self._seen) or (
                        news.closed and self._seen < table.seq
                    ):
                        for message in await self._news():
                            yield message
                    elif news.closed:
                        raise news.gone()
                    elif reader.done():
                        reader.result()
                        return
                    else:
                        await news.seat_woken(self._seat)
                for answer in tuple(self._answers):
                    yield answer
                if self._seen < table.seq:
                    for message in await self._news():
                        yield message
            finally:
                self._left = True
                # A move that is being made is made: its fate is the log's, not the stream's.
                if not self._acting:
                    reader.cancel()

    async def _read(self, requests: AsyncIterator[pb.PlayRequest]) -> None:
        try:
            async for request in requests:
                self._acting = True
                await self._take(request)
                self._acting = False
                if self._left:
                    return
                while len(self._answers) >= _UNHEARD:
                    self._heard.clear()
                    await self._heard.wait()
        finally:
            self._acting = False
            self._table.news.wake_seat(self._seat)

    async def _take(self, request: pb.PlayRequest) -> None:
        before = self._table.seq
        try:
            steps = await self._table.act(self._request(request))
        except (RulesError, TableError, ApiError) as error:
            if answer_to(error).is_fault:
                raise
            refused = pb.PlayResponse(refusal=self._refusal(request, error))
            self._answers.append(refused.SerializeToString())
        else:
            if steps[-1].line.seq > before or request.WhichOneof("request") != "move":
                return
            # A move sent again: nothing has happened that would make the table speak.
            self._answers.append(self._sight.told(_ANSWER, steps))
        self._table.news.wake_seat(self._seat)

    def _request(self, request: pb.PlayRequest) -> Request:
        which = request.WhichOneof("request")
        command: Command
        if which == "move":
            move = request.move
            return Request(
                by=self._caller.player,
                command=Play(self._seat, move_from(move.move)),
                cmd=request_id_from(move.request_id),
                expected_seq=move.expected_seq,
                sig=signature_from(move.signature),
            )
        if which != "nonce":
            raise InvalidFieldError("request", "after the start, a move or a nonce is to come")
        command = RevealNonce(self._seat, nonce_from(request.nonce.nonce))
        # A seat is told that its nonce is due until it is out, and may well send it twice.
        return Request(by=self._caller.player, command=command, cmd=_NONCE)

    def _refusal(self, request: pb.PlayRequest, error: Exception) -> Refusal:
        return refusal_message(
            error,
            request_id=request.move.request_id,
            seq=self._table.seq,
            legal=self._sight.legal(),
            refusals_left=self._table.refusals_left(self._seat),
            head_hash=self._table.head_hash,
        )

    async def _news(self) -> Iterator[bytes]:
        """Return what has happened since the stream last spoke, and take it as told."""
        steps = await self._table.steps_after(self._seen)
        self._seen = self._table.seq
        return self._messages(steps)

    def _messages(self, steps: Sequence[Step]) -> Iterator[bytes]:
        """Yield one message; a long history comes in parts, of which the last has the view."""
        while len(steps) > _A_PART:
            yield self._sight.told_events(_ANSWER, steps[:_A_PART])
            steps = steps[_A_PART:]
        yield self._sight.told(_ANSWER, steps)

"""What goes wrong in a scenario, between the bot and the server.

A fault comes once, at one of the bot's moves, unless it is in the nature of every message.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

import grpc
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from ginrummy.v1.errors_pb2 import (
    ERROR_REASON_MATCH_PAUSED,
    ERROR_REASON_SERVER_STOPPING,
    ErrorReason,
    Refusal,
)
from ginrummy.v1.match_service_pb2 import MakeMoveResponse, PlayResponse
from ginrummy.v1.tournament_service_pb2 import AttendResponse

if TYPE_CHECKING:
    from ginrummy.cli.compliance.cable import Cable
    from ginrummy.cli.compliance.house import House
    from ginrummy.cli.compliance.record import Record, Said, Sent
    from ginrummy.cli.compliance.relay import Relay

__all__ = [
    "AttendBreaks",
    "CutAfterMove",
    "CutBeforeMove",
    "Fault",
    "Late",
    "Paused",
    "Restarted",
    "Stale",
    "Twice",
    "Unavailable",
    "Unknown",
]

_AT_MOVE = 2
"""The bot's move at which it happens, so that the table is known to play by then."""

_PATIENCE = 5.0
"""Seconds after which a fault goes on without what it waits for."""

_LATE = 3.0
"""Seconds by which an answer is late."""

_PAUSE = 1.0
"""Seconds for which a match stays paused."""

_FAILED_PRECONDITION, _UNAVAILABLE = (
    status.value[0] for status in (grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.UNAVAILABLE)
)


class Fault:
    """Nothing goes wrong; what does is a class of its own."""

    happened = False
    """It has come to it."""

    def bind(self, house: "House", cable: "Cable", relay: "Relay", record: "Record") -> None:
        """Say what it can lay its hands on."""
        self.house, self.cable, self.relay, self.record = house, cable, relay, record
        self._moves = 0
        self.tasks: set[asyncio.Task[None]] = set()

    async def asked(self, said: "Said") -> bool:
        """See `Passing.asked`."""
        sent = self.record.sent_in(said)
        if sent is None:
            return True
        self._moves += 1
        if self.happened or self._moves < _AT_MOVE:
            return True
        self.happened = True
        return await self.at_move(sent)

    async def answered(self, said: "Said") -> Sequence[Message]:
        """See `Passing.answered`."""
        assert said.message is not None
        return (said.message,)

    async def at_move(self, sent: "Sent") -> bool:  # noqa: ARG002 -- for those that heed it
        """Do it, at a move of the bot's; return whether the move goes on to the server."""
        return True

    async def _refuse(
        self, sent: "Sent", code: int, reason: "ErrorReason.ValueType", message: str
    ) -> None:
        """Refuse a move that came on a Play stream, in the server's place."""
        refusal = Refusal(request_id=sent.request_id, code=code, reason=reason, message=message)
        await self.relay.say(sent.said.call, PlayResponse(refusal=refusal), "by the suite")

    def _soon(self, task: "asyncio.Task[None]") -> None:
        self.tasks.add(task)


# --- connections ----------------------------------------------------------------------------------


class CutBeforeMove(Fault):
    """The connection breaks off before a move has arrived."""

    async def at_move(self, sent: "Sent") -> bool:
        """See `Fault.at_move`."""
        sent.said.note = "cut off before it arrived"
        self.cable.cut()
        return False


class CutAfterMove(Fault):
    """The connection breaks off when a move has been made and its answer not arrived."""

    _call = 0

    async def at_move(self, sent: "Sent") -> bool:
        """See `Fault.at_move`."""
        self._call = sent.said.call
        self._soon(asyncio.create_task(self._cut(sent)))
        return True

    async def _cut(self, sent: "Sent") -> None:
        with_luck = self.house.reached(sent.match_id, sent.seq + 1)
        try:
            await asyncio.wait_for(with_luck, _PATIENCE)
            sent.said.note = "made, and cut off before the answer arrived"
        except TimeoutError:
            sent.said.note = "cut off"
        self.cable.cut()

    async def answered(self, said: "Said") -> Sequence[Message]:
        """See `Passing.answered`."""
        if said.call == self._call:
            said.note = "never arrives"
            return ()
        return await super().answered(said)


class AttendBreaks(Fault):
    """The Attend stream alone breaks off."""

    async def at_move(self, sent: "Sent") -> bool:  # noqa: ARG002 -- any move will do
        """See `Fault.at_move`."""
        for call in self.relay.open_calls("Attend"):
            self.relay.break_off(call)
        return True


class Restarted(Fault):
    """The server stops in the middle of a match, and comes back."""

    async def at_move(self, sent: "Sent") -> bool:  # noqa: ARG002 -- any move will do
        """See `Fault.at_move`."""
        self._soon(asyncio.create_task(self.house.restart()))
        return True


# --- refusals -------------------------------------------------------------------------------------


class Unavailable(Fault):
    """A server that is stopping refuses a move, and ends the call."""

    async def at_move(self, sent: "Sent") -> bool:
        """See `Fault.at_move`."""
        sent.said.note = "refused as by a server that is stopping"
        if sent.said.method == "Play":
            why = "the server is stopping; connect again"
            await self._refuse(sent, _UNAVAILABLE, ERROR_REASON_SERVER_STOPPING, why)
        self.relay.break_off(sent.said.call)
        return False


class Stale(Fault):
    """The match goes on while a move is on its way: the server refuses it as stale."""

    async def at_move(self, sent: "Sent") -> bool:
        """See `Fault.at_move`."""
        await self.house.director.pause(sent.match_id)
        await self.house.director.resume(sent.match_id)
        sent.said.note = "the match was paused and resumed before it arrived"
        return True


class Paused(Fault):
    """A director pauses the match while a move is on its way: it is refused, for now."""

    async def at_move(self, sent: "Sent") -> bool:
        """See `Fault.at_move`."""
        await self.house.director.pause(sent.match_id)
        self._soon(asyncio.create_task(self._resume(sent.match_id)))
        sent.said.note = "the match was paused before it arrived"
        if sent.said.method != "Play":
            return True
        # A pause is an event, so that most moves would be told to be stale. Not all need be.
        await self._refuse(sent, _FAILED_PRECONDITION, ERROR_REASON_MATCH_PAUSED, "it is paused")
        return False

    async def _resume(self, match_id: str) -> None:
        await asyncio.sleep(_PAUSE)
        await self.house.director.resume(match_id)


# --- answers --------------------------------------------------------------------------------------


class Late(Fault):
    """The answer to a move takes seconds."""

    _call = 0

    async def at_move(self, sent: "Sent") -> bool:
        """See `Fault.at_move`."""
        self._call = sent.said.call
        return True

    async def answered(self, said: "Said") -> Sequence[Message]:
        """See `Passing.answered`."""
        if said.call == self._call:
            self._call = 0
            said.note = f"arrives {_LATE:.0f} s late"
            await asyncio.sleep(_LATE)
        return await super().answered(said)


class Twice(Fault):
    """What is new on a Play stream arrives twice.

    What only repeats the old, as the answer to a move that was sent again, does not: each side
    would answer the other's echo.
    """

    _latest = ("", 0)

    async def answered(self, said: "Said") -> Sequence[Message]:
        """See `Passing.answered`."""
        assert said.message is not None
        if not isinstance(said.message, PlayResponse) or not said.message.HasField("view"):
            return (said.message,)
        latest = (said.message.view.match_id, said.message.view.seq)
        if latest > self._latest or latest[0] != self._latest[0]:
            self.happened, self._latest = True, latest
            said.note = "arrives twice"
            return (said.message, said.message)
        return (said.message,)


class Unknown(Fault):
    """A newer server: its messages have fields that the bot has not heard of."""

    async def answered(self, said: "Said") -> Sequence[Message]:
        """See `Passing.answered`."""
        assert said.message is not None
        self.happened = True
        _add_unknown(said.message)
        if isinstance(said.message, AttendResponse) and said.message.HasField("attending"):
            # News of a kind that there is not yet.
            return (said.message, AttendResponse.FromString(_UNKNOWN))
        if isinstance(said.message, PlayResponse | MakeMoveResponse):
            said.note = "with unknown fields"
        return (said.message,)


_UNKNOWN = bytes((0xFA, 0xF0, 0x04, 0x03)) + b"new"
"""A field of the number 9999, with three bytes in it."""


def _add_unknown(message: Message) -> None:
    """Add a field that nobody knows to a message and to all that are in it."""
    for field, value in message.ListFields():
        if field.type != FieldDescriptor.TYPE_MESSAGE:
            continue
        for each in (value,) if isinstance(value, Message) else value:
            _add_unknown(each)
    message.MergeFromString(_UNKNOWN)

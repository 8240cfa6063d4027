"""The record of a scenario: every message between the bot and the server, in order."""

import time
from collections.abc import Iterator

import msgspec
from google.protobuf.message import Message

from ginrummy.v1 import match_service_pb2 as matches
from ginrummy.v1 import tournament_service_pb2 as tournaments
from ginrummy.v1.errors_pb2 import ErrorReason
from ginrummy.v1.match_pb2 import Move, View

__all__ = ["Record", "Refused", "Said", "Sent", "Shown"]


class Said(msgspec.Struct):
    """One message, or the end of a call."""

    at: float
    """Seconds since the scenario began."""
    call: int
    """The call's number: one for each that the bot has made."""
    method: str
    """What was called, such as `Play`."""
    by_bot: bool
    message: Message | None = None
    """None at the end of a call."""
    code: str = ""
    """The status that a call ended with."""
    reason: str = ""
    """The reason that stands beside it, such as `STALE_SEQ`."""
    note: str = ""
    """What was done with it on the way, such as `withheld`."""


class Sent(msgspec.Struct, frozen=True):
    """A move that the bot has sent."""

    said: Said
    match_id: str
    request_id: str
    seq: int
    """The number that it was decided on."""
    move: Move


class Shown(msgspec.Struct, frozen=True):
    """A view that the bot was shown."""

    said: Said
    view: View


class Refused(msgspec.Struct, frozen=True):
    """A move that was refused."""

    said: Said
    request_id: str
    code: int | str
    reason: str


class Record:
    """All that was said so far."""

    def __init__(self) -> None:
        """Begin now."""
        self._began = time.monotonic()
        self.said: list[Said] = []
        self._matches: dict[int, str] = {}
        """The match that a Play stream is for, by the number of the call."""

    def add(self, call: int, method: str, *, by_bot: bool, message: Message | None) -> Said:
        """Take a message in, and return it with its time."""
        at = time.monotonic() - self._began
        said = Said(at=at, call=call, method=method, by_bot=by_bot, message=message)
        self.said.append(said)
        if isinstance(message, matches.PlayRequest) and message.HasField("start"):
            self._matches[call] = message.start.match_id
        return said

    def end(self, call: int, method: str, code: str, reason: str) -> None:
        """Note how a call has ended."""
        said = self.add(call, method, by_bot=False, message=None)
        said.code, said.reason = code, reason

    def sent_in(self, said: Said) -> Sent | None:
        """Return the move in a message of the bot's, if it is one."""
        match said.message:
            case matches.PlayRequest(move=move) if said.message.HasField("move"):
                match_id = self._matches.get(said.call, "")
            case matches.MakeMoveRequest() as move:
                match_id = move.match_id
            case _:
                return None
        return Sent(said, match_id, move.request_id, move.expected_seq, move.move)

    def moves(self) -> Iterator[Sent]:
        """Yield the moves that the bot has sent, each as often as it was."""
        for said in self.said:
            sent = self.sent_in(said) if said.by_bot else None
            if sent is not None:
                yield sent

    def shown(self) -> Iterator[Shown]:
        """Yield the views that reached the bot."""
        for said in self.said:
            match said.message:
                case (
                    matches.PlayResponse(view=view)
                    | matches.MakeMoveResponse(view=view)
                    | matches.GetViewResponse(view=view)
                ) if said.message.HasField("view"):
                    yield Shown(said, view)
                case matches.WatchResponse(snapshot=view) if said.message.HasField("snapshot"):
                    yield Shown(said, view)
                case _:
                    pass

    def refused(self) -> Iterator[Refused]:
        """Yield the refusals of moves and nonces."""
        asked: dict[int, str] = {}
        for said in self.said:
            if isinstance(said.message, matches.MakeMoveRequest):
                asked[said.call] = said.message.request_id
            elif isinstance(said.message, matches.PlayResponse):
                if said.message.HasField("refusal"):
                    refusal = said.message.refusal
                    reason = ErrorReason.Name(refusal.reason).removeprefix("ERROR_REASON_")
                    yield Refused(said, refusal.request_id, refusal.code, reason)
            elif said.call in asked and said.reason:
                yield Refused(said, asked[said.call], said.code, said.reason)

    def attended(self) -> list[tournaments.AttendRequest]:
        """Return the requests by which the bot has attended."""
        return [
            said.message
            for said in self.said
            if isinstance(said.message, tournaments.AttendRequest)
        ]

"""What a client can be told, as one tree, and the one place where answers become errors.

GinRummyError
├── CallError                 the server did not do what was asked
│   ├── RefusedError          not allowed by the rules or in the match's present state
│   ├── StaleError            decided on an older state: look again, decide again
│   ├── InvalidRequestError   a field cannot be read, or cannot be
│   ├── RequestIdReusedError  the request id was used for something else
│   ├── NotFoundError         no such match, tournament, entrant, player or event
│   ├── NotSignedInError      no token, or none of this server's
│   ├── NotPermittedError     the token's role or seat does not allow it
│   ├── LimitReachedError     too many of something
│   ├── UnavailableError      no answer, after all attempts
│   └── ServerFaultError      a fault of the server, or a damaged log
├── VerificationError         what the server sent contradicts itself or its commitment
│   ├── BrokenChainError      the lines of the log are no chain
│   ├── TamperedDeckError     a card was not that of the committed deck
│   └── ForgedMoveError       a move is not signed as its player signs
├── InvalidAddressError       what is to be the servers' addresses is none
├── NonceLostError            the nonce that this player committed to is not here
├── KeyLostError              the key that this player joined with is not here
├── KeyFileError              a file that holds no key, or one that others can read
└── SigningUnavailableError   no library for Ed25519 is installed
"""

from collections.abc import Iterable
from typing import NamedTuple

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.message import DecodeError
from google.rpc import (  # type: ignore[import-untyped]  # it ships stubs, but no py.typed
    error_details_pb2,
    status_pb2,
)

from ginrummy.rules.cards import Card, write_cards
from ginrummy.v1.errors_pb2 import ErrorReason, Refusal
from ginrummy.v1.match_pb2 import LegalMoves

__all__ = [
    "Answer",
    "BrokenChainError",
    "CallError",
    "ForgedMoveError",
    "GinRummyError",
    "InvalidAddressError",
    "InvalidRequestError",
    "KeyFileError",
    "KeyLostError",
    "LimitReachedError",
    "NonceLostError",
    "NotFoundError",
    "NotPermittedError",
    "NotSignedInError",
    "RefusedError",
    "RequestIdReusedError",
    "ServerFaultError",
    "SigningUnavailableError",
    "StaleError",
    "TamperedDeckError",
    "UnavailableError",
    "VerificationError",
    "call_error",
    "refusal_error",
]


class Answer(NamedTuple):
    """What the server said in place of yes."""

    code: grpc.StatusCode
    message: str
    """Why, for a person."""
    reason: str = ""
    """Why, for a program: a name of `ErrorReason` without its prefix; empty where gRPC itself
    answered."""
    rule: str = ""
    """The rule's number in docs/rules.md, where one stands behind it."""
    match_id: str = ""
    tournament_id: str = ""
    seq: int | None = None
    """The present number of the match or the tournament, where the server said it."""
    fields: tuple[tuple[str, str], ...] = ()
    """The request's fields that are wrong, each with what is wrong with it."""
    legal: LegalMoves | None = None
    """What the seat can do now, where it is to decide."""
    refusals_left: int | None = None
    """How many more refused moves in a row lose the match, where the server said it."""


class GinRummyError(Exception):
    """Anything that the client raises by itself."""


class CallError(GinRummyError):
    """The server answered a call with something other than yes."""

    def __init__(self, answer: Answer) -> None:
        rule = f" ({answer.rule})" if answer.rule and answer.rule not in answer.message else ""
        super().__init__((answer.message or answer.reason or answer.code.name) + rule)
        self.answer = answer
        """All that the server said."""

    @property
    def reason(self) -> str:
        """Why, for a program: `TOO_MUCH_DEADWOOD`."""
        return self.answer.reason


class RefusedError(CallError):
    """The rules, or the present state of the match or tournament, do not allow it.

    Nothing has changed.
    """

    @property
    def rule(self) -> str:
        """The number of the rule behind it, such as `K1`; empty where there is none."""
        return self.answer.rule

    @property
    def legal(self) -> LegalMoves | None:
        """What the seat can do now; None where it is not to decide."""
        return self.answer.legal


class StaleError(CallError):
    """The match has gone on since the state that was decided on."""

    @property
    def seq(self) -> int | None:
        """The match's present number."""
        return self.answer.seq


class InvalidRequestError(CallError):
    """A field cannot be read, or cannot be."""

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The fields that are wrong, each with what is wrong with it."""
        return self.answer.fields


class RequestIdReusedError(CallError):
    """The request id was used for another command."""


class NotFoundError(CallError):
    """There is no such match, tournament, entrant, player or event."""


class NotSignedInError(CallError):
    """There was no token, or one that this server did not give out."""


class NotPermittedError(CallError):
    """The token's role or seat does not allow it."""


class LimitReachedError(CallError):
    """There are too many of something; the message says of what."""


class UnavailableError(CallError):
    """No server answered, or not in time. Whether the wish was carried out is not known."""


class ServerFaultError(CallError):
    """A fault of the server, or a damaged log."""


class VerificationError(GinRummyError):
    """What the server sent contradicts itself or its commitment."""

    def __init__(self, what: str, *, match_id: str, seq: int) -> None:
        super().__init__(f"{match_id}, event {seq}: {what}")
        self.match_id = match_id
        self.seq = seq
        """The event at fault."""


class BrokenChainError(VerificationError):
    """A line of the log does not follow the one before it."""


class TamperedDeckError(VerificationError):
    """A card, a secret or a nonce is not the committed one.

    It means that the hand was not dealt from the deck that the server bound itself to.
    """

    def __init__(
        self,
        what: str,
        *,
        match_id: str,
        seq: int,
        hand: int,
        expected: Iterable[Card] | str,
        got: Iterable[Card] | str,
    ) -> None:
        self.hand = hand
        """The hand's number; 0 for what comes before the first."""
        self.expected = expected if isinstance(expected, str) else write_cards(expected)
        """What follows from the commitment: cards, or hex digits."""
        self.got = got if isinstance(got, str) else write_cards(got)
        """What the server gave."""
        where = f"hand {hand}: " if hand else ""
        super().__init__(
            f"{where}{what}: expected {self.expected or 'nothing'}, got {self.got or 'nothing'}",
            match_id=match_id,
            seq=seq,
        )


class InvalidAddressError(GinRummyError, ValueError):
    """An address in a list of servers that is none, or whose name nobody knows."""


class ForgedMoveError(VerificationError):
    """A move in the log has no signature, or not that of its player's key."""


class KeyLostError(GinRummyError):
    """The player has joined with a key that is not kept here, so no move can be signed."""


class KeyFileError(GinRummyError):
    """A key that cannot be read, that is none, or that others can read as well."""


class SigningUnavailableError(GinRummyError):
    """A match wants signed moves, and no library for Ed25519 is installed."""

    def __init__(self, match_id: str) -> None:
        super().__init__(
            f"moves are signed in {match_id}, which needs the signing extra:"
            " pip install 'ginrummy[signing]'"
        )
        self.match_id = match_id


class NonceLostError(GinRummyError):
    """The player has joined with a nonce that is not kept here, so the match cannot start."""


_BY_CODE: dict[grpc.StatusCode, type[CallError]] = {
    grpc.StatusCode.FAILED_PRECONDITION: RefusedError,
    grpc.StatusCode.ABORTED: StaleError,
    grpc.StatusCode.INVALID_ARGUMENT: InvalidRequestError,
    grpc.StatusCode.ALREADY_EXISTS: RequestIdReusedError,
    grpc.StatusCode.NOT_FOUND: NotFoundError,
    grpc.StatusCode.UNAUTHENTICATED: NotSignedInError,
    grpc.StatusCode.PERMISSION_DENIED: NotPermittedError,
    grpc.StatusCode.RESOURCE_EXHAUSTED: LimitReachedError,
    grpc.StatusCode.UNAVAILABLE: UnavailableError,
    grpc.StatusCode.DEADLINE_EXCEEDED: UnavailableError,
    # Not by the caller, who would not hear of it: a server that stops has no patience left.
    grpc.StatusCode.CANCELLED: UnavailableError,
}

_CODES = {code.value[0]: code for code in grpc.StatusCode}

_STATUS_KEY = "grpc-status-details-bin"


def call_error(error: grpc.aio.AioRpcError) -> CallError:
    """Return what an unsuccessful call means."""
    return _error(_told(error))


def refusal_error(refusal: Refusal) -> CallError:
    """Return what a refusal on a Play stream means: the same as that of a unary call."""
    return _error(
        Answer(
            code=_CODES.get(refusal.code, grpc.StatusCode.UNKNOWN),
            message=refusal.message,
            reason=_reason(refusal.reason),
            rule=refusal.rule,
            seq=refusal.seq,
            fields=((refusal.field, refusal.message),) if refusal.field else (),
            legal=refusal.legal if refusal.HasField("legal") else None,
            refusals_left=refusal.refusals_left,
        )
    )


def _error(answer: Answer) -> CallError:
    return _BY_CODE.get(answer.code, ServerFaultError)(answer)


def _told(error: grpc.aio.AioRpcError) -> Answer:
    """Return all that stands in a status and its details."""
    answer = Answer(error.code(), error.details() or "")
    info = error_details_pb2.ErrorInfo()
    wrong = error_details_pb2.BadRequest()
    legal = LegalMoves()
    for detail in _details(error.trailing_metadata()):
        if detail.Unpack(info):
            seq = info.metadata.get("seq", "")
            answer = answer._replace(
                reason=info.reason,
                rule=info.metadata.get("rule", ""),
                match_id=info.metadata.get("match", ""),
                tournament_id=info.metadata.get("tournament", ""),
                seq=int(seq) if seq.isdecimal() else None,
            )
        elif detail.Unpack(wrong):
            fields = tuple((one.field, one.description) for one in wrong.field_violations)
            answer = answer._replace(fields=fields)
        elif detail.Unpack(legal):
            answer = answer._replace(legal=legal)
    return answer


def _details(metadata: grpc.aio.Metadata | None) -> Iterable[Any]:
    for key, value in metadata or ():
        if key == _STATUS_KEY and isinstance(value, bytes):
            try:
                details: Iterable[Any] = status_pb2.Status.FromString(value).details
            except DecodeError:
                # A proxy between may have cut it off; the code and the message still stand.
                return ()
            return details
    return ()


def _reason(value: ErrorReason.ValueType) -> str:
    # A server of a later version may know more reasons than this client.
    known = value in ErrorReason.values()
    return ErrorReason.Name(value).removeprefix("ERROR_REASON_") if known else str(value)

"""What the API refuses, and what every refusal of the server's tells its caller.

    ApiError
    ├── InvalidFieldError   a request's field that cannot be read, or cannot be (field, why)
    ├── InvalidPartError    the same of a field of a part of the request (path)
    ├── RefusedMoveError    a refusal together with what its seat can do instead
    ├── NotSignedInError    no token, or none of this server's
    ├── NotPermittedError   the caller's role or seat does not allow it
    ├── NoSuchPlayerError   no player of that id
    └── PortTakenError      an address that the server cannot listen on (never sent)

`answer_to` is the one table from exceptions to codes and reasons. Unary calls end with a status
made of it (`status_of`), Play streams carry it as a `Refusal` and go on (`refusal_message`).
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import grpc
import msgspec
from google.rpc import (  # type: ignore[import-untyped]  # it ships stubs, but no py.typed
    error_details_pb2,
    status_pb2,
)

from ginrummy.log.branching import BranchError, NoBranchError, NothingToPlayError
from ginrummy.log.errors import LineError
from ginrummy.log.ids import is_tournament
from ginrummy.notary.errors import NoSuchCheckpointError, TreeBrokenError
from ginrummy.rules.cards import UnreadableCardError
from ginrummy.rules.errors import IllegalMoveError, InvalidRulesetError, Reason, RulesError
from ginrummy.store.errors import (
    InvalidPageTokenError,
    StoreClosedError,
    StoreUnreachableError,
)
from ginrummy.tables.errors import (
    CutOffError,
    LimitReachedError,
    LogDamagedError,
    NoSuchEventError,
    NoSuchMatchError,
    NotSeatedError,
    RequestIdReusedError,
    SignatureRefusedError,
    StaleSeqError,
    StoppingError,
    TableError,
)
from ginrummy.tournaments.errors import (
    InvalidEntryError,
    InvalidPairingError,
    InvalidResultError,
    InvalidTermsError,
    NotNowError,
    RoundNotOverError,
    TournamentError,
    UnknownEntrantError,
)
from ginrummy.tournaments.running.errors import (
    NoSuchTournamentError,
    TooManyTablesError,
)
from ginrummy.tournaments.statistics.errors import InvalidSprtError
from ginrummy.v1 import errors_pb2 as pb
from ginrummy.v1.match_pb2 import LegalMoves

__all__ = [
    "CODES",
    "DOMAIN",
    "Answer",
    "ApiError",
    "InvalidFieldError",
    "InvalidPartError",
    "NoSuchPlayerError",
    "NotPermittedError",
    "NotSignedInError",
    "PortTakenError",
    "RefusedMoveError",
    "answer_to",
    "refusal_message",
    "refused_at",
    "status_of",
    "within",
]

DOMAIN = "ginrummy"
"""The domain of every ErrorInfo."""


class ApiError(Exception):
    """Anything that the API refuses by itself, before or beside the tables."""


class InvalidFieldError(ApiError, ValueError):
    """A request's field that cannot be read, or whose value cannot be."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field}: {why}" if field else why)
        self.field = field
        """The field's path from the request on: `move.knock.arrangement.melds[0].cards[2]`."""
        self.why = why
        """What is wrong with it, and what would be right."""


class InvalidPartError(ApiError):
    """A field of a part of the request that cannot be read, or cannot be."""

    def __init__(self, path: str, error: Exception) -> None:
        super().__init__(f"{path}: {error}")
        self.path = path
        """The part's path from the request on."""
        self.error = error
        """What is wrong, as the part by itself would be refused."""


class RefusedMoveError(ApiError):
    """A refusal together with where the match stands and what the seat can do instead."""

    def __init__(self, refusal: Exception, seq: int, legal: LegalMoves | None) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
        """What was refused, and why."""
        self.seq = seq
        """The match's present number."""
        self.legal = legal
        """What the seat can do; None where it is not to decide."""


class NotSignedInError(ApiError):
    """A call without a token, or with one that this server did not give out."""


class NotPermittedError(ApiError):
    """A call that the caller's role or seat does not allow."""


class NoSuchPlayerError(ApiError):
    """There is no player of that id."""

    def __init__(self, player: str) -> None:
        super().__init__(f"there is no player {player!r} on this server")
        self.player = player


class PortTakenError(ApiError):
    """The address cannot be listened on: something else does, or it is not this machine's."""

    def __init__(
        self, address: str, why: str = "it is taken, or not an address of this host"
    ) -> None:
        super().__init__(f"cannot listen on {address}: {why}")
        self.address = address


@contextmanager
def refused_at(position: Callable[[], tuple[int, LegalMoves | None]]) -> Iterator[None]:
    """Add to whatever is refused inside where the match stands then, and the legal moves."""
    try:
        yield
    except (RulesError, TableError) as refusal:
        raise RefusedMoveError(refusal, *position()) from refusal


@contextmanager
def within(path: str) -> Iterator[None]:
    """Name a field that is refused inside by its path from the request on."""
    try:
        yield
    except (InvalidFieldError, InvalidRulesetError) as error:
        raise InvalidPartError(path, error) from error


_FAILED = grpc.StatusCode.FAILED_PRECONDITION
_INVALID = grpc.StatusCode.INVALID_ARGUMENT
_NOT_FOUND = grpc.StatusCode.NOT_FOUND

CODES: Mapping[pb.ErrorReason.ValueType, grpc.StatusCode] = {
    pb.ERROR_REASON_NOT_YOUR_TURN: _FAILED,
    pb.ERROR_REASON_WRONG_PHASE: _FAILED,
    pb.ERROR_REASON_UPCARD_PASSED: _FAILED,
    pb.ERROR_REASON_NOT_IN_HAND: _FAILED,
    pb.ERROR_REASON_RETURNS_TAKEN_CARD: _FAILED,
    pb.ERROR_REASON_NOT_A_MELD: _FAILED,
    pb.ERROR_REASON_RUN_TOO_LONG: _FAILED,
    pb.ERROR_REASON_CARD_USED_TWICE: _FAILED,
    pb.ERROR_REASON_TOO_MUCH_DEADWOOD: _FAILED,
    pb.ERROR_REASON_GIN_ONLY: _FAILED,
    pb.ERROR_REASON_NOT_GIN: _FAILED,
    pb.ERROR_REASON_BIG_GIN_OFF: _FAILED,
    pb.ERROR_REASON_NO_SUCH_MELD: _FAILED,
    pb.ERROR_REASON_DOES_NOT_FIT: _FAILED,
    pb.ERROR_REASON_HAND_OVER: _FAILED,
    pb.ERROR_REASON_MATCH_NOT_STARTED: _FAILED,
    pb.ERROR_REASON_MATCH_PAUSED: _FAILED,
    pb.ERROR_REASON_TIME_OVER: _FAILED,
    pb.ERROR_REASON_MATCH_OVER: _FAILED,
    pb.ERROR_REASON_SEAT_TAKEN: _FAILED,
    pb.ERROR_REASON_ALREADY_SEATED: _FAILED,
    pb.ERROR_REASON_NONCE_MISMATCH: _FAILED,
    pb.ERROR_REASON_NOT_ALLOWED_NOW: _FAILED,
    pb.ERROR_REASON_INVALID_ENTRY: _FAILED,
    pb.ERROR_REASON_INVALID_PAIRING: _FAILED,
    pb.ERROR_REASON_INVALID_RESULT: _FAILED,
    pb.ERROR_REASON_KEY_MISSING: _FAILED,
    pb.ERROR_REASON_SIGNING_OFF: _FAILED,
    pb.ERROR_REASON_SIGNATURE_MISSING: _FAILED,
    pb.ERROR_REASON_SIGNATURE_WRONG: _FAILED,
    pb.ERROR_REASON_CARDS_HIDDEN: _FAILED,
    pb.ERROR_REASON_DISPUTE_WINDOW_OVER: _FAILED,
    pb.ERROR_REASON_DISPUTED_ALREADY: _FAILED,
    pb.ERROR_REASON_EVENT_ELSEWHERE: _FAILED,
    pb.ERROR_REASON_NOT_RULED_YET: _FAILED,
    pb.ERROR_REASON_RULED_ALREADY: _FAILED,
    pb.ERROR_REASON_APPEALED_ALREADY: _FAILED,
    pb.ERROR_REASON_INVALID_RULING: _FAILED,
    pb.ERROR_REASON_INVALID_FIELD: _INVALID,
    pb.ERROR_REASON_INVALID_RULESET: _INVALID,
    pb.ERROR_REASON_REQUEST_ID_REUSED: grpc.StatusCode.ALREADY_EXISTS,
    pb.ERROR_REASON_STALE_SEQ: grpc.StatusCode.ABORTED,
    pb.ERROR_REASON_NO_SUCH_MATCH: _NOT_FOUND,
    pb.ERROR_REASON_NO_SUCH_PLAYER: _NOT_FOUND,
    pb.ERROR_REASON_NO_SUCH_EVENT: _NOT_FOUND,
    pb.ERROR_REASON_NOT_SIGNED_IN: grpc.StatusCode.UNAUTHENTICATED,
    pb.ERROR_REASON_NOT_PERMITTED: grpc.StatusCode.PERMISSION_DENIED,
    pb.ERROR_REASON_LIMIT_REACHED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    pb.ERROR_REASON_SERVER_STOPPING: grpc.StatusCode.UNAVAILABLE,
    pb.ERROR_REASON_STORE_UNREACHABLE: grpc.StatusCode.UNAVAILABLE,
    pb.ERROR_REASON_LOG_DAMAGED: grpc.StatusCode.DATA_LOSS,
    pb.ERROR_REASON_INTERNAL: grpc.StatusCode.INTERNAL,
    pb.ERROR_REASON_NO_SUCH_TOURNAMENT: _NOT_FOUND,
    pb.ERROR_REASON_NO_SUCH_ENTRANT: _NOT_FOUND,
    pb.ERROR_REASON_NO_SUCH_CHECKPOINT: _NOT_FOUND,
    pb.ERROR_REASON_NO_SUCH_DISPUTE: _NOT_FOUND,
    pb.ERROR_REASON_NO_SUCH_HAND: _NOT_FOUND,
    pb.ERROR_REASON_NO_SUCH_RULE: _INVALID,
    pb.ERROR_REASON_INVALID_TEXT: _INVALID,
    pb.ERROR_REASON_NOT_A_PARTICIPANT: grpc.StatusCode.PERMISSION_DENIED,
    pb.ERROR_REASON_SELF_JUDGING: grpc.StatusCode.PERMISSION_DENIED,
}
"""The code of every reason, as errors.proto promises it."""


_FIELDS: Mapping[Reason, str] = {Reason.NO_SUCH_RULE: "rule", Reason.INVALID_TEXT: "text"}
"""The request's field that the rules refuse for these reasons."""


class Answer(msgspec.Struct, frozen=True):
    """What a refusal tells its caller."""

    reason: pb.ErrorReason.ValueType
    message: str
    """For a person: what was wrong, and what would be right."""
    rule: str = ""
    """The rule's number where one stands behind it."""
    field: str = ""
    """The request's field that is wrong, where one is."""
    match_id: str = ""
    tournament_id: str = ""
    seq: int | None = None
    """The present number of the match or the tournament, where it is known."""
    legal: LegalMoves | None = None
    """What the seat can do now, where it is to decide."""
    more: Mapping[str, str] = {}
    """Further metadata, such as the limit that was reached."""

    @property
    def code(self) -> grpc.StatusCode:
        """The gRPC status code."""
        return CODES[self.reason]

    @property
    def is_fault(self) -> bool:
        """The server itself is at fault, and somebody should look into it."""
        return self.reason in (pb.ERROR_REASON_INTERNAL, pb.ERROR_REASON_LOG_DAMAGED)


def answer_to(  # noqa: C901, PLR0912 -- the table
    error: BaseException, incident: str = ""
) -> Answer:
    """Return what `error` tells the caller.

    What is not in this table is a fault of the server's, and nothing of its text goes out: the
    caller is told `incident`, the name under which the server's own log has it.
    """
    match error:
        case IllegalMoveError():
            # The reasons of the rules are reasons of the API under the same names.
            reason = pb.ErrorReason.Value(f"ERROR_REASON_{error.reason.value}")
            return Answer(reason, error.why, rule=error.rule, field=_FIELDS.get(error.reason, ""))
        case RefusedMoveError():
            inner = answer_to(error.refusal, incident)
            return msgspec.structs.replace(inner, seq=error.seq, legal=error.legal)
        case InvalidFieldError():
            return Answer(pb.ERROR_REASON_INVALID_FIELD, error.why, field=error.field)
        case InvalidRulesetError(field=field):
            path = field if field == "preset" else f"rules.{field}"
            return Answer(pb.ERROR_REASON_INVALID_RULESET, error.why, field=path)
        case InvalidPartError(path=path):
            inner = answer_to(error.error, incident)
            return msgspec.structs.replace(inner, field=f"{path}.{inner.field}")
        case UnreadableCardError():
            return Answer(pb.ERROR_REASON_INVALID_FIELD, str(error))
        case InvalidPageTokenError():
            return Answer(pb.ERROR_REASON_INVALID_FIELD, str(error), field="page_token")
        case StaleSeqError():
            return Answer(pb.ERROR_REASON_STALE_SEQ, str(error), seq=error.actual)
        case RequestIdReusedError():
            return Answer(pb.ERROR_REASON_REQUEST_ID_REUSED, str(error))
        case SignatureRefusedError():
            return Answer(pb.ErrorReason.Value(f"ERROR_REASON_{error.reason}"), str(error))
        case NoSuchMatchError():
            return Answer(pb.ERROR_REASON_NO_SUCH_MATCH, str(error), match_id=error.match_id)
        case NoSuchEventError():
            return Answer(pb.ERROR_REASON_NO_SUCH_EVENT, str(error), seq=error.last)
        case BranchError():
            return _of_branch(error)
        case NoSuchPlayerError():
            return Answer(pb.ERROR_REASON_NO_SUCH_PLAYER, str(error))
        case NotSignedInError():
            return Answer(pb.ERROR_REASON_NOT_SIGNED_IN, str(error))
        case NotSeatedError():
            return Answer(pb.ERROR_REASON_NOT_PERMITTED, str(error), match_id=error.match_id)
        case NotPermittedError():
            return Answer(pb.ERROR_REASON_NOT_PERMITTED, str(error))
        case LimitReachedError(what=what, limit=limit):
            more = {"what": what, "limit": str(limit)}
            return Answer(pb.ERROR_REASON_LIMIT_REACHED, str(error), more=more)
        case TournamentError() | InvalidSprtError() | NoSuchTournamentError():
            return _of_tournament(error)
        case TooManyTablesError():
            return Answer(pb.ERROR_REASON_INVALID_FIELD, str(error), field="tables")
        case CutOffError() | StoreUnreachableError():
            return Answer(pb.ERROR_REASON_STORE_UNREACHABLE, _UNREACHABLE)
        case StoppingError() | StoreClosedError():
            return Answer(pb.ERROR_REASON_SERVER_STOPPING, str(StoppingError()))
        case NoSuchCheckpointError():
            return Answer(pb.ERROR_REASON_NO_SUCH_CHECKPOINT, str(error))
        case TreeBrokenError():
            return Answer(pb.ERROR_REASON_LOG_DAMAGED, str(error))
        case LogDamagedError(match_id=match_id):
            return _damaged(match_id, incident)
        case LineError(stream=stream):
            return _damaged(stream or "", incident)
        case _:
            return Answer(
                pb.ERROR_REASON_INTERNAL,
                "the server has failed; its own log says more" + _named(incident),
                more={"incident": incident} if incident else {},
            )


def _of_branch(error: BranchError) -> Answer:
    match error:
        case NoBranchError():
            return Answer(pb.ERROR_REASON_NO_SUCH_EVENT, str(error), seq=error.last)
        case NothingToPlayError():
            return Answer(pb.ERROR_REASON_MATCH_OVER, str(error), rule="X1", seq=error.last)
        case _:
            return Answer(pb.ERROR_REASON_CARDS_HIDDEN, str(error))


def _of_tournament(error: TournamentError | InvalidSprtError | NoSuchTournamentError) -> Answer:
    match error:
        case NoSuchTournamentError(tournament_id=tournament_id):
            reason = pb.ERROR_REASON_NO_SUCH_TOURNAMENT
            return Answer(reason, str(error), tournament_id=tournament_id)
        case InvalidTermsError():
            path = f"terms.{error.field}" if error.field else "terms"
            return Answer(pb.ERROR_REASON_INVALID_FIELD, error.why, field=path)
        case InvalidSprtError():
            return Answer(pb.ERROR_REASON_INVALID_FIELD, str(error), field="terms.sprt")
        case UnknownEntrantError():
            return Answer(pb.ERROR_REASON_NO_SUCH_ENTRANT, str(error))
        case InvalidEntryError():
            return Answer(pb.ERROR_REASON_INVALID_ENTRY, str(error))
        case InvalidPairingError():
            return Answer(pb.ERROR_REASON_INVALID_PAIRING, str(error))
        case InvalidResultError():
            return Answer(pb.ERROR_REASON_INVALID_RESULT, str(error))
        case NotNowError() | RoundNotOverError() | TournamentError():
            return Answer(pb.ERROR_REASON_NOT_ALLOWED_NOW, str(error))


_UNREACHABLE = (
    "this server does not reach its database: try again, here or at another one; a command that was"
    " carried out all the same is recognised by its request id"
)


def _damaged(stream: str, incident: str) -> Answer:
    # What exactly is wrong with the log may name a card that is still hidden.
    return Answer(
        pb.ERROR_REASON_LOG_DAMAGED,
        f"the stored log of {stream or 'the match'} is damaged: an audit says where"
        + _named(incident),
        match_id="" if is_tournament(stream) else stream,
        tournament_id=stream if is_tournament(stream) else "",
        more={"incident": incident} if incident else {},
    )


def _named(incident: str) -> str:
    return f" (incident {incident})" if incident else ""


def status_of(
    error: BaseException, *, match_id: str = "", tournament_id: str = "", incident: str = ""
) -> status_pb2.Status:
    """Return the status with which a call ends that `error` ended.

    `match_id` and `tournament_id` are what the request named, for what names none itself.
    """
    answer = answer_to(error, incident)
    metadata = {
        "rule": answer.rule,
        "match": _cut(answer.match_id or match_id, _ID_BYTES),
        "tournament": _cut(answer.tournament_id or tournament_id, _ID_BYTES),
        "seq": "" if answer.seq is None else str(answer.seq),
        **answer.more,
    }
    details = [
        error_details_pb2.ErrorInfo(
            domain=DOMAIN,
            reason=_name(answer.reason),
            metadata={key: value for key, value in metadata.items() if value},
        )
    ]
    message = _cut(answer.message, _MESSAGE_BYTES)
    if answer.code is grpc.StatusCode.INVALID_ARGUMENT:
        wrong = error_details_pb2.BadRequest()
        wrong.field_violations.add(field=answer.field, description=message)
        details.append(wrong)
    elif answer.code is grpc.StatusCode.FAILED_PRECONDITION:
        unmet = error_details_pb2.PreconditionFailure()
        subject = metadata["match"] or metadata["tournament"]
        unmet.violations.add(type=_name(answer.reason), subject=subject, description=message)
        details.append(unmet)
    if answer.legal is not None:
        details.append(answer.legal)
    status = status_pb2.Status(code=_number(answer.code), message=message)
    for detail in details:
        status.details.add().Pack(detail)
    return status


def refusal_message(
    error: BaseException,
    *,
    request_id: str,
    seq: int,
    legal: LegalMoves | None,
    refusals_left: int,
    head_hash: str = "",
    incident: str = "",
) -> pb.Refusal:
    """Return what a Play stream says of a refused move, in the words of `answer_to`."""
    answer = answer_to(error, incident)
    return pb.Refusal(
        request_id=_cut(request_id, _ID_BYTES),
        code=_number(answer.code),
        reason=answer.reason,
        rule=answer.rule,
        message=_cut(answer.message, _MESSAGE_BYTES),
        field=answer.field,
        seq=seq,
        head_hash=head_hash,
        legal=legal,
        refusals_left=refusals_left,
    )


_ID_BYTES = 100
_MESSAGE_BYTES = 400
"""A status travels in headers, of which many a client takes 8 KiB. A text that quotes what the
client sent may be of any length."""


def _cut(text: str, size: int) -> str:
    raw = text.encode()
    return text if len(raw) <= size else raw[: size - 3].decode(errors="ignore") + "…"


def _name(reason: pb.ErrorReason.ValueType) -> str:
    return pb.ErrorReason.Name(reason).removeprefix("ERROR_REASON_")


def _number(code: grpc.StatusCode) -> int:
    number: int = code.value[0]
    return number

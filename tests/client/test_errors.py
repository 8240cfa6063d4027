"""What a server refuses comes out as one error, whichever way it came in."""

import grpc
import pytest
from google.rpc import (  # type: ignore[import-untyped]  # it ships stubs, but no py.typed
    status_pb2,
)

from ginrummy.api.errors import (
    CODES,
    InvalidFieldError,
    RefusedMoveError,
    refusal_message,
    status_of,
)
from ginrummy.client import (
    CallError,
    InvalidRequestError,
    LimitReachedError,
    NotFoundError,
    NotPermittedError,
    NotSignedInError,
    RefusedError,
    RequestIdReusedError,
    ServerFaultError,
    StaleError,
    UnavailableError,
)
from ginrummy.client.errors import call_error, refusal_error
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.tables.errors import StaleSeqError
from ginrummy.v1.errors_pb2 import ErrorReason, Refusal
from ginrummy.v1.match_pb2 import LegalMoves

KINDS = {
    grpc.StatusCode.FAILED_PRECONDITION: RefusedError,
    grpc.StatusCode.INVALID_ARGUMENT: InvalidRequestError,
    grpc.StatusCode.ALREADY_EXISTS: RequestIdReusedError,
    grpc.StatusCode.ABORTED: StaleError,
    grpc.StatusCode.NOT_FOUND: NotFoundError,
    grpc.StatusCode.UNAUTHENTICATED: NotSignedInError,
    grpc.StatusCode.PERMISSION_DENIED: NotPermittedError,
    grpc.StatusCode.RESOURCE_EXHAUSTED: LimitReachedError,
    grpc.StatusCode.UNAVAILABLE: UnavailableError,
    grpc.StatusCode.DATA_LOSS: ServerFaultError,
    grpc.StatusCode.INTERNAL: ServerFaultError,
}

ILLEGAL = IllegalMoveError(Reason.TOO_MUCH_DEADWOOD, "K1", "that leaves 12 points of deadwood")


def rpc_error(status: status_pb2.Status) -> grpc.aio.AioRpcError:
    """Return what a call ends with that the server ended with `status`."""
    code = next(code for code in grpc.StatusCode if code.value[0] == status.code)
    trailing = grpc.aio.Metadata(("grpc-status-details-bin", status.SerializeToString()))
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), trailing, status.message)


def test_an_illegal_move_tells_reason_rule_and_the_legal_moves() -> None:
    refusal = RefusedMoveError(ILLEGAL, 41, LegalMoves(discards=["7H"]))
    error = call_error(rpc_error(status_of(refusal, match_id="m_1")))
    assert isinstance(error, RefusedError)
    assert (error.reason, error.rule) == ("TOO_MUCH_DEADWOOD", "K1")
    assert (error.answer.match_id, error.answer.seq) == ("m_1", 41)
    assert error.legal == LegalMoves(discards=["7H"])
    assert str(error) == "that leaves 12 points of deadwood (K1)"


def test_a_refusal_on_a_stream_tells_the_same() -> None:
    legal = LegalMoves(discards=["7H"])
    error = refusal_error(
        refusal_message(ILLEGAL, request_id="r", seq=41, legal=legal, refusals_left=19)
    )
    assert isinstance(error, RefusedError)
    assert (error.reason, error.rule, error.legal) == ("TOO_MUCH_DEADWOOD", "K1", legal)
    assert (error.answer.seq, error.answer.refusals_left) == (41, 19)


def test_a_stale_move_tells_the_present_number() -> None:
    error = call_error(rpc_error(status_of(StaleSeqError(3, 7))))
    assert isinstance(error, StaleError)
    assert error.seq == 7


def test_a_wrong_field_is_named_either_way() -> None:
    wrong = InvalidFieldError("move.discard.card", "'1X' is not a card")
    error = call_error(rpc_error(status_of(wrong)))
    assert isinstance(error, InvalidRequestError)
    assert error.fields == (("move.discard.card", "'1X' is not a card"),)
    refusal = refusal_message(wrong, request_id="r", seq=1, legal=None, refusals_left=19)
    again = refusal_error(refusal)
    assert isinstance(again, InvalidRequestError)
    assert again.fields == error.fields


@pytest.mark.parametrize("reason", list(CODES))
def test_every_reason_of_the_api_has_its_error(reason: ErrorReason.ValueType) -> None:
    refusal = Refusal(code=CODES[reason].value[0], reason=reason, message="why")
    error = refusal_error(refusal)
    assert type(error) is KINDS[CODES[reason]]
    assert error.reason == ErrorReason.Name(reason).removeprefix("ERROR_REASON_")


def test_a_reason_of_a_later_server_is_told_by_its_number() -> None:
    error = refusal_error(Refusal(code=9, reason=99, message="why"))  # type: ignore[arg-type]  # not known here
    assert (type(error), error.reason) == (RefusedError, "99")


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (grpc.StatusCode.DEADLINE_EXCEEDED, UnavailableError),
        (grpc.StatusCode.CANCELLED, UnavailableError),
        (grpc.StatusCode.UNAVAILABLE, UnavailableError),
        (grpc.StatusCode.UNKNOWN, ServerFaultError),
    ],
)
def test_what_grpc_itself_answers_has_no_reason(
    code: grpc.StatusCode, kind: type[CallError]
) -> None:
    error = call_error(
        grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(), "so it is")
    )
    assert (type(error), error.reason, str(error)) == (kind, "", "so it is")


def test_details_that_were_cut_off_are_done_without() -> None:
    cut = grpc.aio.Metadata(("grpc-status-details-bin", b"\x0a\xff"))
    error = call_error(
        grpc.aio.AioRpcError(grpc.StatusCode.NOT_FOUND, grpc.aio.Metadata(), cut, "gone")
    )
    assert (type(error), str(error)) == (NotFoundError, "gone")

"""What a refusal tells its caller: the right code, one reason, and nothing that is hidden."""

import re
from pathlib import Path
from typing import TypeVar

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc import (  # type: ignore[import-untyped]  # it ships stubs, but no py.typed
    code_pb2,
    error_details_pb2,
    status_pb2,
)
from grpc_status import rpc_status

from ginrummy.api.errors import (
    CODES,
    Answer,
    ApiError,
    InvalidFieldError,
    InvalidPartError,
    NoSuchPlayerError,
    NotPermittedError,
    NotSignedInError,
    PortTakenError,
    RefusedMoveError,
    answer_to,
    refusal_message,
    refused_at,
    status_of,
    within,
)
from ginrummy.log.branching import HiddenCardsError, NoBranchError, NothingToPlayError
from ginrummy.log.errors import MalformedLineError, UnknownEventError
from ginrummy.notary.errors import NoSuchCheckpointError, NotaryError, TreeBrokenError
from ginrummy.rules.cards import UnreadableCardError, parse_card
from ginrummy.rules.errors import IllegalMoveError, InvalidRulesetError, Reason
from ginrummy.rules.ruleset import make_ruleset
from ginrummy.store.errors import (
    InvalidPageTokenError,
    StoreClosedError,
    StoreFailedError,
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

PROTO = Path(__file__).parents[2] / "protos" / "ginrummy" / "v1" / "errors.proto"

MATCH = "m_" + "0" * 26
TOURNAMENT = "t_" + "0" * 26
LEGAL = LegalMoves(draw=True, take=True)


def unreadable(text: str) -> UnreadableCardError:
    with pytest.raises(UnreadableCardError) as error:
        parse_card(text)
    return error.value


def impossible(**changes: object) -> InvalidRulesetError:
    with pytest.raises(InvalidRulesetError) as error:
        make_ruleset("standard", changes)
    return error.value


ILLEGAL = [IllegalMoveError(reason, "K1", f"because of {reason.value}") for reason in Reason]

EXAMPLES: list[tuple[Exception, str, Answer]] = [
    (
        InvalidFieldError("move.knock.card", "no card is named"),
        "INVALID_ARGUMENT",
        Answer(pb.ERROR_REASON_INVALID_FIELD, "no card is named", field="move.knock.card"),
    ),
    (
        unreadable("1H"),
        "INVALID_ARGUMENT",
        Answer(pb.ERROR_REASON_INVALID_FIELD, str(unreadable("1H"))),
    ),
    (
        InvalidPageTokenError("x"),
        "INVALID_ARGUMENT",
        Answer(
            pb.ERROR_REASON_INVALID_FIELD, "'x' is no page token of this list", field="page_token"
        ),
    ),
    (
        impossible(target=0),
        "INVALID_ARGUMENT",
        Answer(
            pb.ERROR_REASON_INVALID_RULESET,
            "0 is not a whole number from 1 to 1000000",
            field="rules.target",
        ),
    ),
    (
        InvalidRulesetError("preset", "'texas' is none of them"),
        "INVALID_ARGUMENT",
        Answer(pb.ERROR_REASON_INVALID_RULESET, "'texas' is none of them", field="preset"),
    ),
    (
        NoBranchError(90, 57),
        "NOT_FOUND",
        Answer(pb.ERROR_REASON_NO_SUCH_EVENT, "there is no event 90: the last one is 57", seq=57),
    ),
    (
        NothingToPlayError(57, 53),
        "FAILED_PRECONDITION",
        Answer(pb.ERROR_REASON_MATCH_OVER, str(NothingToPlayError(57, 53)), rule="X1", seq=53),
    ),
    (
        HiddenCardsError(3),
        "FAILED_PRECONDITION",
        Answer(pb.ERROR_REASON_CARDS_HIDDEN, str(HiddenCardsError(3))),
    ),
    (
        RequestIdReusedError("r1"),
        "ALREADY_EXISTS",
        Answer(pb.ERROR_REASON_REQUEST_ID_REUSED, str(RequestIdReusedError("r1"))),
    ),
    (
        SignatureRefusedError("SIGNATURE_MISSING", "sign it"),
        "FAILED_PRECONDITION",
        Answer(pb.ERROR_REASON_SIGNATURE_MISSING, "sign it"),
    ),
    (
        SignatureRefusedError("SIGNATURE_WRONG", "it is another's"),
        "FAILED_PRECONDITION",
        Answer(pb.ERROR_REASON_SIGNATURE_WRONG, "it is another's"),
    ),
    (
        StaleSeqError(4, 6),
        "ABORTED",
        Answer(pb.ERROR_REASON_STALE_SEQ, str(StaleSeqError(4, 6)), seq=6),
    ),
    (
        NoSuchMatchError(MATCH),
        "NOT_FOUND",
        Answer(pb.ERROR_REASON_NO_SUCH_MATCH, str(NoSuchMatchError(MATCH)), match_id=MATCH),
    ),
    (
        NoSuchEventError(9, 7),
        "NOT_FOUND",
        Answer(pb.ERROR_REASON_NO_SUCH_EVENT, "there is no event 9: the last one is 7", seq=7),
    ),
    (
        NoSuchPlayerError("p_1"),
        "NOT_FOUND",
        Answer(pb.ERROR_REASON_NO_SUCH_PLAYER, "there is no player 'p_1' on this server"),
    ),
    (
        NotSignedInError("no token"),
        "UNAUTHENTICATED",
        Answer(pb.ERROR_REASON_NOT_SIGNED_IN, "no token"),
    ),
    (
        NotPermittedError("for directors"),
        "PERMISSION_DENIED",
        Answer(pb.ERROR_REASON_NOT_PERMITTED, "for directors"),
    ),
    (
        NotSeatedError(MATCH),
        "PERMISSION_DENIED",
        Answer(pb.ERROR_REASON_NOT_PERMITTED, str(NotSeatedError(MATCH)), match_id=MATCH),
    ),
    (
        LimitReachedError("open matches", 8),
        "RESOURCE_EXHAUSTED",
        Answer(
            pb.ERROR_REASON_LIMIT_REACHED,
            "too many open matches: the limit is 8",
            more={"what": "open matches", "limit": "8"},
        ),
    ),
    (
        StoppingError(),
        "UNAVAILABLE",
        Answer(pb.ERROR_REASON_SERVER_STOPPING, str(StoppingError())),
    ),
    (
        StoreClosedError("the writer's queue is gone"),
        "UNAVAILABLE",
        Answer(pb.ERROR_REASON_SERVER_STOPPING, str(StoppingError())),
    ),
    (
        StoreUnreachableError("postgresql://db.example.org/gin: timeout"),
        "UNAVAILABLE",
        Answer(
            pb.ERROR_REASON_STORE_UNREACHABLE,
            "this server does not reach its database: try again, here or at another one; a command"
            " that was carried out all the same is recognised by its request id",
        ),
    ),
    (
        CutOffError(),
        "UNAVAILABLE",
        Answer(
            pb.ERROR_REASON_STORE_UNREACHABLE,
            "this server does not reach its database: try again, here or at another one; a command"
            " that was carried out all the same is recognised by its request id",
        ),
    ),
    (
        InvalidPartError("terms", InvalidFieldError("clock.bank_ms", "0 is not from 1 to 2")),
        "INVALID_ARGUMENT",
        Answer(pb.ERROR_REASON_INVALID_FIELD, "0 is not from 1 to 2", field="terms.clock.bank_ms"),
    ),
    (
        InvalidPartError("terms", impossible(target=0)),
        "INVALID_ARGUMENT",
        Answer(
            pb.ERROR_REASON_INVALID_RULESET, impossible(target=0).why, field="terms.rules.target"
        ),
    ),
    (
        InvalidTermsError("0 is not from 1 to 10", "tables"),
        "INVALID_ARGUMENT",
        Answer(pb.ERROR_REASON_INVALID_FIELD, "0 is not from 1 to 10", field="terms.tables"),
    ),
    (
        InvalidTermsError("they contradict themselves"),
        "INVALID_ARGUMENT",
        Answer(pb.ERROR_REASON_INVALID_FIELD, "they contradict themselves", field="terms"),
    ),
    (
        InvalidSprtError("alpha", "1.0 is not between 0 and 0.5"),
        "INVALID_ARGUMENT",
        Answer(
            pb.ERROR_REASON_INVALID_FIELD,
            "alpha: 1.0 is not between 0 and 0.5",
            field="terms.sprt",
        ),
    ),
    (
        TooManyTablesError(0, 100),
        "INVALID_ARGUMENT",
        Answer(pb.ERROR_REASON_INVALID_FIELD, "0 is not from 1 to 100 tables", field="tables"),
    ),
    (
        NoSuchTournamentError(TOURNAMENT),
        "NOT_FOUND",
        Answer(
            pb.ERROR_REASON_NO_SUCH_TOURNAMENT,
            f"there is no tournament '{TOURNAMENT}' on this server",
            tournament_id=TOURNAMENT,
        ),
    ),
    (
        NoSuchCheckpointError("there is no checkpoint of 12 lines"),
        "NOT_FOUND",
        Answer(pb.ERROR_REASON_NO_SUCH_CHECKPOINT, "there is no checkpoint of 12 lines"),
    ),
    (
        TreeBrokenError("the log contradicts what was signed before"),
        "DATA_LOSS",
        Answer(pb.ERROR_REASON_LOG_DAMAGED, "the log contradicts what was signed before"),
    ),
    (
        UnknownEntrantError("p_1"),
        "NOT_FOUND",
        Answer(pb.ERROR_REASON_NO_SUCH_ENTRANT, "'p_1' has not entered this tournament"),
    ),
    (
        InvalidEntryError("Ann has entered before"),
        "FAILED_PRECONDITION",
        Answer(pb.ERROR_REASON_INVALID_ENTRY, "Ann has entered before"),
    ),
    (
        InvalidPairingError("Ann is named twice"),
        "FAILED_PRECONDITION",
        Answer(pb.ERROR_REASON_INVALID_PAIRING, "Ann is named twice"),
    ),
    (
        InvalidResultError("a match ended by crash is never 'draw'"),
        "FAILED_PRECONDITION",
        Answer(pb.ERROR_REASON_INVALID_RESULT, "a match ended by crash is never 'draw'"),
    ),
    (
        NotNowError("the tournament is over"),
        "FAILED_PRECONDITION",
        Answer(pb.ERROR_REASON_NOT_ALLOWED_NOW, "the tournament is over"),
    ),
    (
        RoundNotOverError(2, 1),
        "FAILED_PRECONDITION",
        Answer(pb.ERROR_REASON_NOT_ALLOWED_NOW, "round 2 table 1 has no result yet"),
    ),
    (
        LogDamagedError(TOURNAMENT, "a tournament is created once"),
        "DATA_LOSS",
        Answer(
            pb.ERROR_REASON_LOG_DAMAGED,
            f"the stored log of {TOURNAMENT} is damaged: an audit says where (incident i1)",
            tournament_id=TOURNAMENT,
            more={"incident": "i1"},
        ),
    ),
    (
        LogDamagedError(MATCH, "the deck turns 7H, but 8H was turned"),
        "DATA_LOSS",
        Answer(
            pb.ERROR_REASON_LOG_DAMAGED,
            f"the stored log of {MATCH} is damaged: an audit says where (incident i1)",
            match_id=MATCH,
            more={"incident": "i1"},
        ),
    ),
    (
        MalformedLineError("bytes", None, None),
        "DATA_LOSS",
        Answer(
            pb.ERROR_REASON_LOG_DAMAGED,
            "the stored log of the match is damaged: an audit says where (incident i1)",
            more={"incident": "i1"},
        ),
    ),
    (
        RuntimeError("the stock is 7H 8H 9H"),
        "INTERNAL",
        Answer(
            pb.ERROR_REASON_INTERNAL,
            "the server has failed; its own log says more (incident i1)",
            more={"incident": "i1"},
        ),
    ),
]


def codes_in_proto() -> dict[str, str]:
    """Return the code that the comment before each reason promises."""
    pattern = r"  // ([A-Z_]+): .*\n(?:  // .*\n)*  ERROR_REASON_(\w+) = \d+;"
    return {reason: code for code, reason in re.findall(pattern, PROTO.read_text())}


def name(reason: pb.ErrorReason.ValueType) -> str:
    return pb.ErrorReason.Name(reason).removeprefix("ERROR_REASON_")


def test_every_reason_has_the_code_that_its_comment_promises() -> None:
    promised = codes_in_proto()
    assert {name(reason): code.name for reason, code in CODES.items()} == promised
    assert {*promised, "UNSPECIFIED"} == {name(reason) for reason in pb.ErrorReason.values()}


@pytest.mark.parametrize("error", ILLEGAL, ids=lambda error: error.reason.value)
def test_every_reason_of_the_rules_is_told(error: IllegalMoveError) -> None:
    answer = answer_to(error)
    assert name(answer.reason) == error.reason.value
    assert answer.code is CODE_OF.get(error.reason, grpc.StatusCode.FAILED_PRECONDITION)
    assert (answer.message, answer.rule) == (error.why, "K1")
    assert bool(answer.field) == (answer.code is grpc.StatusCode.INVALID_ARGUMENT)


CODE_OF = {
    Reason.NO_SUCH_DISPUTE: grpc.StatusCode.NOT_FOUND,
    Reason.NO_SUCH_HAND: grpc.StatusCode.NOT_FOUND,
    Reason.NO_SUCH_RULE: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.INVALID_TEXT: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.NOT_A_PARTICIPANT: grpc.StatusCode.PERMISSION_DENIED,
    Reason.SELF_JUDGING: grpc.StatusCode.PERMISSION_DENIED,
}
"""The reasons of the rules that are no precondition."""


@pytest.mark.parametrize(
    ("error", "code", "answer"), EXAMPLES, ids=lambda value: type(value).__name__
)
def test_every_exception_has_its_answer(error: Exception, code: str, answer: Answer) -> None:
    assert answer_to(error, "i1") == answer
    assert answer.code.name == code


def test_no_reason_is_left_without_an_exception() -> None:
    errors = [*ILLEGAL, *(error for error, _, _ in EXAMPLES)]
    assert {answer_to(error).reason for error in errors} == CODES.keys()


def test_no_exception_of_the_server_s_rooms_is_a_fault_by_oversight() -> None:
    known = {type(error) for error, _, _ in EXAMPLES} | {RefusedMoveError}
    rooms = (TableError, ApiError, TournamentError, NotaryError)
    assert {each for room in rooms for each in room.__subclasses__()} - known == {PortTakenError}


def test_what_is_refused_within_a_part_is_named_from_the_request_on() -> None:
    with pytest.raises(InvalidPartError) as refused, within("terms"):
        raise InvalidFieldError("limits.idle_ms", "too long")
    assert answer_to(refused.value).field == "terms.limits.idle_ms"
    assert str(refused.value) == "terms: limits.idle_ms: too long"
    with pytest.raises(NotPermittedError), within("terms"):
        raise NotPermittedError("no")


def test_a_status_names_the_tournament_where_it_is_of_one() -> None:
    status = status_of(NotNowError("it is over"), tournament_id=TOURNAMENT)
    info = detail(status, error_details_pb2.ErrorInfo())
    unmet = detail(status, error_details_pb2.PreconditionFailure())
    assert info is not None
    assert dict(info.metadata) == {"tournament": TOURNAMENT}
    assert unmet is not None
    assert unmet.violations[0].subject == TOURNAMENT


@pytest.mark.parametrize(
    "error", [*ILLEGAL, *(error for error, _, _ in EXAMPLES)], ids=lambda error: str(error)[:30]
)
def test_a_status_carries_the_answer_whole(error: Exception) -> None:
    """F7 every refusal has a documented code and a machine-readable reason."""
    answer, status = answer_to(error), status_of(error, match_id=MATCH)
    assert status.code == answer.code.value[0] != code_pb2.UNKNOWN
    assert status.message == answer.message
    info = detail(status, error_details_pb2.ErrorInfo())
    assert info is not None
    assert (info.domain, info.reason) == ("ginrummy", name(answer.reason))
    assert info.metadata["match"] == MATCH
    assert info.metadata.get("rule", "") == answer.rule
    assert info.metadata.get("seq", "") == ("" if answer.seq is None else str(answer.seq))
    wrong = detail(status, error_details_pb2.BadRequest())
    unmet = detail(status, error_details_pb2.PreconditionFailure())
    assert (wrong is not None) == (answer.code is grpc.StatusCode.INVALID_ARGUMENT)
    assert (unmet is not None) == (answer.code is grpc.StatusCode.FAILED_PRECONDITION)
    if wrong is not None:
        (violation,) = wrong.field_violations
        assert (violation.field, violation.description) == (answer.field, answer.message)
    if unmet is not None:
        (violation,) = unmet.violations
        assert violation.type == info.reason
        assert (violation.subject, violation.description) == (MATCH, answer.message)


M = TypeVar("M", bound=Message)


def detail(status: status_pb2.Status, kind: M) -> M | None:
    """Return the one detail of that kind, or None."""
    found = [packed for packed in status.details if packed.Is(kind.DESCRIPTOR)]
    assert len(found) <= 1
    return kind if found and found[0].Unpack(kind) else None


def test_an_illegal_move_comes_with_what_is_legal() -> None:
    error = IllegalMoveError(Reason.WRONG_PHASE, "T1", "draw a card first")
    with pytest.raises(RefusedMoveError) as refused, refused_at(lambda: (12, LEGAL)):
        raise error
    assert refused.value.__cause__ is error
    status = status_of(refused.value, match_id=MATCH)
    info = detail(status, error_details_pb2.ErrorInfo())
    assert info is not None
    assert dict(info.metadata) == {"match": MATCH, "seq": "12", "rule": "T1"}
    assert detail(status, LegalMoves()) == LEGAL
    assert rpc_status.to_status(status).code is grpc.StatusCode.FAILED_PRECONDITION


def test_refusals_of_the_tables_are_told_where_the_match_stands_too() -> None:
    with pytest.raises(RefusedMoveError) as refused, refused_at(lambda: (12, None)):
        raise RequestIdReusedError("r1")
    assert answer_to(refused.value).reason == pb.ERROR_REASON_REQUEST_ID_REUSED
    assert answer_to(refused.value).seq == 12


def test_a_fault_is_not_a_refused_move() -> None:
    with pytest.raises(ZeroDivisionError), refused_at(lambda: (12, None)):
        _ = 1 // 0


def test_a_play_stream_is_told_in_the_same_words() -> None:
    error = IllegalMoveError(Reason.TOO_MUCH_DEADWOOD, "K1", "that leaves 12 points")
    refusal = refusal_message(error, request_id="r7", seq=12, legal=LEGAL, refusals_left=3)
    assert refusal == pb.Refusal(
        request_id="r7",
        code=9,
        reason=pb.ERROR_REASON_TOO_MUCH_DEADWOOD,
        rule="K1",
        message="that leaves 12 points",
        seq=12,
        legal=LEGAL,
        refusals_left=3,
    )
    field = InvalidFieldError("move.knock.card", "no card is named")
    refusal = refusal_message(field, request_id="", seq=1, legal=None, refusals_left=0)
    assert (refusal.code, refusal.field) == (3, "move.knock.card")
    assert not refusal.HasField("legal")


SECRET = "7H 8H 9H s3cr3t"


@pytest.mark.parametrize(
    "fault",
    [
        RuntimeError(SECRET),
        KeyError(SECRET),
        ValueError(SECRET),
        AssertionError(SECRET),
        StoreFailedError(SECRET),
        LogDamagedError(MATCH, SECRET),
        MalformedLineError(SECRET, MATCH, 3),
        UnknownEventError(SECRET, 1, MATCH, 3),
    ],
    ids=lambda fault: type(fault).__name__,
)
def test_nothing_of_a_faults_text_goes_out(fault: Exception) -> None:
    assert answer_to(fault, "i1").is_fault
    status = status_of(fault, incident="i1")
    assert SECRET.encode() not in status.SerializeToString()
    assert status.message.endswith("(incident i1)")
    refusal = refusal_message(
        fault, request_id="r", seq=1, legal=None, refusals_left=1, incident="i1"
    )
    assert SECRET.encode() not in refusal.SerializeToString()


def test_what_is_refused_is_no_fault() -> None:
    faults = {"RuntimeError", "LogDamagedError", "MalformedLineError", "TreeBrokenError"}
    for error, _, answer in EXAMPLES:
        assert answer.is_fault == (type(error).__name__ in faults)


@pytest.mark.parametrize("letter", ["x", "é", "♥", "🂱"])
def test_a_long_quotation_is_cut_so_that_it_fits_in_headers(letter: str) -> None:
    for error in (
        NoSuchMatchError(letter * 100_000),
        RequestIdReusedError(letter * 100_000),
        InvalidFieldError("name", letter * 100_000),
    ):
        trailers = rpc_status.to_status(status_of(error)).trailing_metadata
        assert sum(len(key) + len(value) for key, value in trailers or ()) < 2000
        refusal = refusal_message(
            error, request_id=letter * 100_000, seq=1, legal=None, refusals_left=1
        )
        assert len(refusal.SerializeToString()) < 1000


def test_the_errors_say_what_they_are_about() -> None:
    assert str(InvalidFieldError("seat", "2 is no seat")) == "seat: 2 is no seat"
    assert str(PortTakenError("127.0.0.1:1")).startswith("cannot listen on 127.0.0.1:1")
    assert PortTakenError("a:1").address == "a:1"

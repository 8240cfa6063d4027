"""Every call that is refused whatever the match: its code, its reason, and nothing stored."""

from collections.abc import AsyncIterator

import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from support_house import House, check, housed, move_request, refused, told_by
from support_wire import METHODS

from ginrummy.rules.commands import Take
from ginrummy.v1 import dispute_service_pb2 as disputes
from ginrummy.v1 import events_pb2, match_pb2
from ginrummy.v1 import log_service_pb2 as logs
from ginrummy.v1 import match_service_pb2 as matches
from ginrummy.v1 import player_service_pb2 as people
from ginrummy.v1.ruleset_pb2 import Limits, Ruleset, TimeControl

UNKNOWN_MATCH = "m_" + "0" * 26
UNKNOWN_PLAYER = "p_" + "0" * 26
ANN_OR_BOB = "p_" + "1" * 26


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with housed() as house:
        yield house


def about(match_id: str, request: Message) -> Message:
    """Return a request with the match's id in it, where it has a field for one."""
    filled = type(request)()
    filled.CopyFrom(request)
    if "match_id" in filled.DESCRIPTOR.fields_by_name:
        setattr(filled, "match_id", match_id)  # noqa: B010 -- only some requests have it
    if isinstance(filled, matches.PlayRequest):
        filled.start.match_id = match_id
    return filled


# --- INVALID_ARGUMENT ---------------------------------------------------------------------------

RULESETS = {
    "preset": matches.CreateMatchRequest(preset="bridge"),
    "rules.knock_limit": matches.CreateMatchRequest(rules=Ruleset(knock_limit=101)),
    "rules.gin_only": matches.CreateMatchRequest(preset="oklahoma", rules=Ruleset(gin_only=True)),
    "rules.run_max": matches.CreateMatchRequest(rules=Ruleset(run_max=4)),
    "rules.gin_bonus": matches.CreateMatchRequest(rules=Ruleset(gin_bonus=-1)),
    "rules.undercut_bonus": matches.CreateMatchRequest(rules=Ruleset(undercut_bonus=-25)),
    "rules.big_gin_bonus": matches.CreateMatchRequest(rules=Ruleset(big_gin_bonus=-31)),
    "rules.stock_floor": matches.CreateMatchRequest(rules=Ruleset(stock_floor=32)),
    "rules.max_discard_draws": matches.CreateMatchRequest(rules=Ruleset(max_discard_draws=0)),
    "rules.next_dealer": matches.CreateMatchRequest(rules=Ruleset(next_dealer=7)),  # type: ignore[arg-type]  # no such dealer
    "rules.target": matches.CreateMatchRequest(rules=Ruleset(target=0)),
    "rules.hands": matches.CreateMatchRequest(rules=Ruleset(hands=-1)),
    "rules.game_bonus": matches.CreateMatchRequest(rules=Ruleset(game_bonus=-100)),
    "rules.box_bonus": matches.CreateMatchRequest(rules=Ruleset(box_bonus=2_000_000)),
}


@pytest.mark.parametrize("field", RULESETS)
async def test_a11_a_ruleset_that_cannot_be_opens_no_table(house: House, field: str) -> None:
    """A11 INVALID_ARGUMENT names the field; there is no table and no event."""
    before = house.stored()
    refusal = await refused(house.taps["ann"], "CreateMatch", RULESETS[field])
    check(refusal, "INVALID_ARGUMENT", "INVALID_RULESET")
    ((named, why),) = told_by(refusal).wrong
    assert (named, why) == (field, refusal.status.message)
    assert house.stored() == before


@pytest.mark.parametrize("limit", [-1, 11, 101])
async def test_a11_a_knock_limit_is_from_0_to_10(house: House, limit: int) -> None:
    """A11"""
    request = matches.CreateMatchRequest(rules=Ruleset(knock_limit=limit))
    refusal = await refused(house.taps["ann"], "CreateMatch", request)
    assert told_by(refusal).wrong[0][0] == "rules.knock_limit"


def move(**fields: object) -> matches.MakeMoveRequest:
    """Return a request for a move."""
    wish = match_pb2.Move(**fields)  # type: ignore[arg-type]  # one of its moves
    return matches.MakeMoveRequest(request_id="once", move=wish)


def _melds(*melds: str) -> match_pb2.Arrangement:
    return match_pb2.Arrangement(melds=[events_pb2.Meld(cards=meld.split()) for meld in melds])


OTHER = events_pb2.DISPUTE_REASON_OTHER

FIELDS: list[tuple[str, str, Message]] = [
    ("name", "CreatePlayer", people.CreatePlayerRequest(name=" ")),
    ("name", "CreatePlayer", people.CreatePlayerRequest(name="A" * 65)),
    ("name", "CreatePlayer", people.CreatePlayerRequest(name="A\x1b[2J")),
    ("role", "CreatePlayer", people.CreatePlayerRequest(name="A", role=9)),  # type: ignore[arg-type]  # none
    ("name", "CreateMatch", matches.CreateMatchRequest(name="A" * 101)),
    ("request_id", "CreateMatch", matches.CreateMatchRequest(request_id="a" * 65)),
    ("seats", "CreateMatch", matches.CreateMatchRequest(seats=[ANN_OR_BOB])),
    ("seats[1]", "CreateMatch", matches.CreateMatchRequest(seats=[ANN_OR_BOB, "Bob"])),
    ("seats[1]", "CreateMatch", matches.CreateMatchRequest(seats=[ANN_OR_BOB, ANN_OR_BOB])),
    ("reveal", "CreateMatch", matches.CreateMatchRequest(reveal=9)),  # type: ignore[arg-type]  # none
    ("signing", "CreateMatch", matches.CreateMatchRequest(signing=9)),  # type: ignore[arg-type]  # none
    ("dispute_ms", "CreateMatch", matches.CreateMatchRequest(dispute_ms=-1)),
    ("clock.bank_ms", "CreateMatch", matches.CreateMatchRequest(clock=TimeControl(bank_ms=0))),
    (
        "clock.decision_ms",
        "CreateMatch",
        matches.CreateMatchRequest(clock=TimeControl(decision_ms=-1)),
    ),
    (
        "clock.increment_ms",
        "CreateMatch",
        matches.CreateMatchRequest(clock=TimeControl(increment_ms=5)),
    ),
    (
        "limits.illegal_moves",
        "CreateMatch",
        matches.CreateMatchRequest(limits=Limits(illegal_moves=-1)),
    ),
    ("limits.start_ms", "CreateMatch", matches.CreateMatchRequest(limits=Limits(start_ms=-1))),
    ("limits.idle_ms", "CreateMatch", matches.CreateMatchRequest(limits=Limits(idle_ms=1 << 40))),
    ("page_size", "ListMatches", matches.ListMatchesRequest(page_size=-1)),
    ("page_token", "ListMatches", matches.ListMatchesRequest(page_token="page 2")),
    ("stage", "ListMatches", matches.ListMatchesRequest(stage=9)),  # type: ignore[arg-type]  # none
    ("seat", "JoinMatch", matches.JoinMatchRequest(seat=2)),
    ("nonce_commitment", "JoinMatch", matches.JoinMatchRequest(nonce_commitment=b"a" * 31)),
    ("public_key", "JoinMatch", matches.JoinMatchRequest(public_key=b"a" * 31)),
    ("public_key", "JoinMatch", matches.JoinMatchRequest(public_key=bytes(32))),
    ("request_id", "JoinMatch", matches.JoinMatchRequest(request_id="a" * 65)),
    ("nonce", "RevealNonce", matches.RevealNonceRequest(nonce=b"short")),
    ("request_id", "MakeMove", matches.MakeMoveRequest(move=match_pb2.Move(take=match_pb2.Take()))),
    ("request_id", "MakeMove", matches.MakeMoveRequest(request_id="a" * 65)),
    ("move", "MakeMove", move()),
    ("move.discard.card", "MakeMove", move(discard=match_pb2.Discard(card="1X"))),
    ("move.discard.card", "MakeMove", move(discard=match_pb2.Discard())),
    ("move.knock.card", "MakeMove", move(knock=match_pb2.Knock(card="7"))),
    (
        "move.knock.arrangement.melds[1].cards[2]",
        "MakeMove",
        move(knock=match_pb2.Knock(card="7H", arrangement=_melds("AS 2S 3S", "4S 5S SS"))),
    ),
    (
        "move.big_gin.arrangement.melds",
        "MakeMove",
        move(big_gin=match_pb2.BigGin(arrangement=_melds(*["AS"] * 53))),
    ),
    ("move.lay_off", "MakeMove", move(lay_off=match_pb2.LayOff())),
    (
        "move.lay_off.auto",
        "MakeMove",
        move(lay_off=match_pb2.LayOff(auto=True, arrangement=_melds())),
    ),
    (
        "move.lay_off.layoffs[0].card",
        "MakeMove",
        move(lay_off=match_pb2.LayOff(layoffs=[events_pb2.LayOffCard(card="joker")])),
    ),
    *(
        (field, "OpenDispute", message)
        for field, message in (
            ("request_id", disputes.OpenDisputeRequest(reason=OTHER, text="It was so.")),
            ("reason", disputes.OpenDisputeRequest(request_id="once", text="It was so.")),
            ("text", disputes.OpenDisputeRequest(request_id="once", reason=OTHER)),
            ("text", disputes.OpenDisputeRequest(request_id="a", reason=OTHER, text="a" * 1001)),
            ("text", disputes.OpenDisputeRequest(request_id="a", reason=OTHER, text="\x1b[2J")),
        )
    ),
    ("request_id", "AppealDispute", disputes.AppealDisputeRequest(text="No.")),
    ("text", "AppealDispute", disputes.AppealDisputeRequest(request_id="once", text=" ")),
    ("perspective", "GetPosition", logs.GetPositionRequest(perspective=9)),  # type: ignore[arg-type]  # none
]


@pytest.mark.parametrize(
    ("field", "method", "request_"), FIELDS, ids=[f"{one[1]}-{one[0]}" for one in FIELDS]
)
async def test_f7_a_field_that_cannot_be_read_or_cannot_be(
    house: House, field: str, method: str, request_: Message
) -> None:
    """F7 the field is named by its path in the request."""
    match_id = await house.playing()
    before = house.stored()
    refusal = await refused(house.taps["ann"], method, about(match_id, request_))
    named = match_id if "match_id" in request_.DESCRIPTOR.fields_by_name else ""
    check(refusal, "INVALID_ARGUMENT", "INVALID_FIELD", match=named)
    ((path, why),) = told_by(refusal).wrong
    assert (path, why) == (field, refusal.status.message)
    assert house.stored() == before


@pytest.mark.parametrize("first", ["nothing", "move"])
async def test_f7_a_play_stream_begins_with_a_start(house: House, first: str) -> None:
    """F7 the first message says which match; whatever else comes first ends the stream."""
    request = matches.PlayRequest()
    if first == "move":
        request.move.request_id = "once"
    refusal = await refused(house.taps["ann"], "Play", request)
    check(refusal, "INVALID_ARGUMENT", "INVALID_FIELD")
    assert told_by(refusal).wrong[0][0] == "start"


# --- who one is ---------------------------------------------------------------------------------

WITHOUT_TOKEN = {"CreatePlayer"}


@pytest.mark.parametrize("method", sorted(set(METHODS) - WITHOUT_TOKEN))
@pytest.mark.parametrize("who", ["nobody", "stranger"])
async def test_c3_f7_whoever_has_no_token_of_this_server_gets_nothing(
    house: House, method: str, who: str
) -> None:
    """C3, F7 every method but CreatePlayer asks for one."""
    match_id = await house.playing()
    before = house.stored()
    request = about(match_id, GetMessageClass(METHODS[method].input_type)())
    refusal = await refused(house.taps[who], method, request, unheard=True)
    check(refusal, "UNAUTHENTICATED", "NOT_SIGNED_IN")
    assert house.stored() == before


NOT_THEIRS: list[tuple[str, str, Message]] = [
    ("eve", "RevealNonce", matches.RevealNonceRequest(nonce=b"n" * 16)),
    ("eve", "MakeMove", move(take=match_pb2.Take())),
    ("dee", "MakeMove", move(resign=match_pb2.Resign())),
    ("eve", "Play", matches.PlayRequest(start=matches.PlayStart())),
    ("ann", "PauseMatch", matches.PauseMatchRequest()),
    ("abe", "PauseMatch", matches.PauseMatchRequest()),
    ("ann", "ResumeMatch", matches.ResumeMatchRequest()),
    ("ann", "RuleOnDispute", disputes.RuleOnDisputeRequest()),
    ("abe", "RuleOnDispute", disputes.RuleOnDisputeRequest()),
    ("ann", "RevealSecrets", matches.RevealSecretsRequest()),
    ("abe", "RevealSecrets", matches.RevealSecretsRequest()),
    (
        "nobody",
        "CreatePlayer",
        people.CreatePlayerRequest(name="Dan", role=people.ROLE_DIRECTOR),
    ),
    ("abe", "CreatePlayer", people.CreatePlayerRequest(name="Al", role=people.ROLE_AUDITOR)),
    *(
        (who, "GetPosition", logs.GetPositionRequest(perspective=eyes))
        for who, eyes in (
            ("ann", logs.PERSPECTIVE_SEAT_1),
            ("bob", logs.PERSPECTIVE_SEAT_0),
            ("eve", logs.PERSPECTIVE_SEAT_0),
            ("ann", logs.PERSPECTIVE_FULL),
            ("dee", logs.PERSPECTIVE_FULL),
            ("abe", logs.PERSPECTIVE_FULL),
        )
    ),
]


@pytest.mark.parametrize(
    ("who", "method", "request_"), NOT_THEIRS, ids=[f"{one[0]}-{one[1]}" for one in NOT_THEIRS]
)
async def test_c3_f7_what_a_token_does_not_allow(
    house: House, who: str, method: str, request_: Message
) -> None:
    """C3, F7 a seat is its player's alone; a role allows what it says, and hidden cards to none."""
    match_id = await house.playing()
    before = house.stored()
    refusal = await refused(house.taps[who], method, about(match_id, request_))
    check(refusal, "PERMISSION_DENIED", "NOT_PERMITTED")
    assert house.stored() == before


# --- what is not there --------------------------------------------------------------------------

DISPUTED: dict[str, Message] = {
    "OpenDispute": disputes.OpenDisputeRequest(request_id="once", reason=OTHER, text="It was so."),
    "AppealDispute": disputes.AppealDisputeRequest(request_id="once", text="It was so."),
    "RuleOnDispute": disputes.RuleOnDisputeRequest(
        request_id="once", ruling=events_pb2.RULING_UPHOLD, why="It was so."
    ),
}
"""What a dispute's calls ask for at the least."""

ABOUT_A_MATCH = sorted(
    name
    for name, method in METHODS.items()
    if "match_id" in method.input_type.fields_by_name or name == "Play"
)


@pytest.mark.parametrize("method", ABOUT_A_MATCH)
async def test_f7_a_match_that_is_not_there(house: House, method: str) -> None:
    """F7"""
    request = about(UNKNOWN_MATCH, GetMessageClass(METHODS[method].input_type)())
    if isinstance(request, matches.MakeMoveRequest):
        request = move_request(UNKNOWN_MATCH, Take(), 1)
    if isinstance(request, matches.RevealNonceRequest):
        request.nonce = b"n" * 16
    if method in DISPUTED:
        request.MergeFrom(DISPUTED[method])
    before = house.stored()
    check(
        await refused(house.taps["dee"], method, request),
        *("NOT_FOUND", "NO_SUCH_MATCH"),
        match=UNKNOWN_MATCH,
    )
    assert house.stored() == before


async def test_f7_a_player_who_is_not_there(house: House) -> None:
    """F7"""
    request = people.GetPlayerRequest(player_id=UNKNOWN_PLAYER)
    check(await refused(house.taps["ann"], "GetPlayer", request), "NOT_FOUND", "NO_SUCH_PLAYER")


@pytest.mark.parametrize("seq", [-1, 7, 1_000_000])
@pytest.mark.parametrize("method", ["GetPosition", "Watch", "Play"])
async def test_f7_an_event_that_is_not_there(house: House, method: str, seq: int) -> None:
    """F7 also after an old backup was restored: nobody waits for events that are no more."""
    match_id = await house.playing()
    request: Message = logs.GetPositionRequest(match_id=match_id, seq=seq)
    if method == "Watch":
        request = matches.WatchRequest(match_id=match_id, after_seq=seq)
    if method == "Play":
        request = matches.PlayRequest(start=matches.PlayStart(match_id=match_id, after_seq=seq))
    refusal = await refused(house.taps["ann"], method, request)
    check(refusal, "NOT_FOUND", "NO_SUCH_EVENT")
    assert told_by(refusal).info.metadata["seq"] == "6"

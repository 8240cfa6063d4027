"""DisputeService over a real port: who may do what, what is answered, and what is told of it."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from support_house import House, check, housed, refused, told_by
from support_wire import strings_in

from ginrummy.rules.commands import Resign
from ginrummy.v1 import dispute_service_pb2 as pb
from ginrummy.v1 import events_pb2, log_service_pb2, match_service_pb2
from ginrummy.v1.match_pb2 import STAGE_ENDED

CLAIM = "The clock was not mine."


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with housed() as house:
        await house.let_in("dan", house.server.let_in("p_" + "e" * 26, "Dan", "director"))
        yield house


def opening(match_id: str, **fields: Any) -> pb.OpenDisputeRequest:  # noqa: ANN401 -- handed on
    """Return what Ann or Bob asks for who disputes a match."""
    given: dict[str, Any] = {
        "reason": events_pb2.DISPUTE_REASON_CLOCK_WRONG,
        "text": CLAIM,
        "request_id": "o",
    }
    return pb.OpenDisputeRequest(match_id=match_id, **(given | fields))


def ruling(
    match_id: str,
    what: events_pb2.Ruling.ValueType,
    **fields: Any,  # noqa: ANN401 -- handed on
) -> pb.RuleOnDisputeRequest:
    """Return what a director asks for who rules."""
    given: dict[str, Any] = {
        "dispute": 1,
        "rule": "X3",
        "why": "The log says so.",
        "request_id": "r",
    }
    return pb.RuleOnDisputeRequest(match_id=match_id, ruling=what, **(given | fields))


def appealing(match_id: str, request_id: str = "a") -> pb.AppealDisputeRequest:
    """Return what a player asks for who appeals."""
    return pb.AppealDisputeRequest(match_id=match_id, dispute=1, text="No.", request_id=request_id)


async def disputed(house: House) -> str:
    """Return a match that Ann gave up in its first hand, and disputes."""
    match_id = await house.ended()
    await house.taps["ann"].ask("OpenDispute", opening(match_id, hand=1))
    return match_id


UPHOLD, FORFEIT = events_pb2.RULING_UPHOLD, events_pb2.RULING_FORFEIT
VOID, REPLAY = events_pb2.RULING_VOID, events_pb2.RULING_REPLAY


# --- what is answered ---------------------------------------------------------------------------


async def test_a_dispute_from_its_opening_to_the_ruling_on_appeal(house: House) -> None:
    match_id = await house.ended()
    ann, bob, dee, dan = (house.taps[name] for name in ("ann", "bob", "dee", "dan"))
    opened = (await ann.ask("OpenDispute", opening(match_id, hand=1))).dispute
    assert (opened.opened.dispute, opened.opened.seat, opened.opened.hand) == (1, 0, 1)
    assert (opened.opened.text, opened.status) == (CLAIM, pb.DISPUTE_STATUS_OPEN)
    assert not opened.opened.HasField("scored")
    ruled = await dee.ask("RuleOnDispute", ruling(match_id, FORFEIT, seat=1))
    assert ruled.dispute.status == pb.DISPUTE_STATUS_RULED
    assert ruled.dispute.rulings[0].director_id == "p_" + "d" * 26
    assert ruled.dispute.HasField("appeal_until")
    assert (ruled.outcome.reason, ruled.outcome.winner) == (events_pb2.END_REASON_RULING, 0)
    appealed = (await bob.ask("AppealDispute", appealing(match_id))).dispute
    assert appealed.status == pb.DISPUTE_STATUS_APPEALED
    assert not appealed.HasField("appeal_until")
    closed = await dan.ask("RuleOnDispute", ruling(match_id, UPHOLD))
    assert closed.dispute.status == pb.DISPUTE_STATUS_CLOSED
    assert [each.ruled.instance for each in closed.dispute.rulings] == [1, 2]
    assert (closed.outcome.reason, closed.outcome.winner) == (events_pb2.END_REASON_RESIGNED, 1)
    told = await house.taps["eve"].ask(
        "GetDispute", pb.GetDisputeRequest(match_id=match_id, dispute=1)
    )
    assert told.dispute == closed.dispute
    assert told.outcome == closed.outcome


async def test_c6_a_repeated_request_is_answered_as_the_first_time(house: House) -> None:
    """C6 and one id for two requests is refused."""
    match_id = await disputed(house)
    ann, dee = house.taps["ann"], house.taps["dee"]
    first = await ann.ask("OpenDispute", opening(match_id, hand=1))
    ruled = await dee.ask("RuleOnDispute", ruling(match_id, VOID))
    before = house.stored()
    assert await ann.ask("OpenDispute", opening(match_id, hand=1)) == first
    assert await dee.ask("RuleOnDispute", ruling(match_id, VOID)) == ruled
    for tap, method, request in (
        (ann, "OpenDispute", opening(match_id, hand=1, text="Another.")),
        (dee, "RuleOnDispute", ruling(match_id, UPHOLD)),
    ):
        refusal = await refused(tap, method, request)
        check(refusal, "ALREADY_EXISTS", "REQUEST_ID_REUSED")
    assert house.stored() == before


async def test_a_replay_is_named_and_both_can_join_it(house: House) -> None:
    match_id = await disputed(house)
    ruled = await house.taps["dee"].ask("RuleOnDispute", ruling(match_id, REPLAY))
    (given,) = ruled.dispute.rulings
    replay = await house.clients["eve"].match(given.replay_match_id)
    assert (replay.origin.kind, replay.origin.match_id) == (
        events_pb2.ORIGIN_KIND_REPLAY,
        match_id,
    )
    assert replay.rules.hands == 1
    for client in house.players:
        await client.join(replay.id)
    (row, origin) = [each async for each in house.clients["eve"].matches()]
    assert (row.id, row.replay_of) == (replay.id, match_id)
    assert (row.replaying, origin.replaying) == (False, True)
    assert (await house.clients["eve"].match(match_id)).replaying


# --- lists and matches --------------------------------------------------------------------------


async def test_disputes_are_listed_by_match_player_and_status(house: House) -> None:
    first, second = await disputed(house), await disputed(house)
    await house.taps["bob"].ask(
        "OpenDispute",
        opening(second, reason=events_pb2.DISPUTE_REASON_CONDUCT, request_id="b"),
    )
    await house.taps["dee"].ask("RuleOnDispute", ruling(first, UPHOLD))
    eve = house.taps["eve"]

    async def listed(**wanted: Any) -> list[tuple[str, int]]:  # noqa: ANN401 -- handed on
        found: list[tuple[str, int]] = []
        request = pb.ListDisputesRequest(page_size=1, **wanted)
        while True:
            page = await eve.ask("ListDisputes", request)
            found += [(each.match_id, each.opened.dispute) for each in page.disputes]
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token

    all_of_them = [(second, 1), (second, 2), (first, 1)]
    assert await listed() == all_of_them
    assert await listed(match_id=second) == all_of_them[:2]
    assert await listed(status=pb.DISPUTE_STATUS_OPEN) == all_of_them[:2]
    assert await listed(status=pb.DISPUTE_STATUS_RULED) == all_of_them[2:]
    assert await listed(status=pb.DISPUTE_STATUS_CLOSED) == []
    me = await house.clients["ann"].me()
    assert await listed(player_id=me.id) == all_of_them
    assert await listed(player_id="p_" + "0" * 26) == []
    assert await listed(match_id=await house.playing()) == []


async def test_a_match_and_its_row_say_that_it_was_disputed_and_adjusted(house: House) -> None:
    match_id = await disputed(house)
    eve = house.clients["eve"]

    async def said() -> list[tuple[int, int, bool]]:
        match = await eve.match(match_id)
        (row,) = [each async for each in eve.matches(stage=STAGE_ENDED)]
        return [(each.disputes, each.open_disputes, each.adjusted) for each in (match, row)]

    assert await said() == [(1, 1, False)] * 2
    await house.taps["dee"].ask("RuleOnDispute", ruling(match_id, FORFEIT, seat=1))
    assert await said() == [(1, 0, True)] * 2
    match = await eve.match(match_id)
    (row,) = [each async for each in eve.matches(stage=STAGE_ENDED)]
    assert match.outcome.winner == row.winner == 0
    assert match.outcome.reason == row.reason == events_pb2.END_REASON_RULING
    assert (await eve.view(match_id)).outcome == match.outcome


async def test_records_follow_a_ruling(house: House) -> None:
    match_id = await disputed(house)
    ann = house.clients["ann"]
    before = await ann.player()
    assert (before.won, before.lost) == (0, 1)
    await house.taps["dee"].ask("RuleOnDispute", ruling(match_id, FORFEIT, seat=1))
    after = await ann.player()
    assert (after.won, after.lost) == (1, 0)


async def test_spectators_are_told_typed_events(house: House) -> None:
    match_id = await disputed(house)
    await house.taps["dee"].ask("RuleOnDispute", ruling(match_id, FORFEIT, seat=1))
    await house.taps["bob"].ask("AppealDispute", appealing(match_id))
    events = [
        update.event
        async for update in house.clients["eve"].watch(match_id)
        if update.HasField("event")
    ]
    assert [event.WhichOneof("event") for event in events[-4:]] == [
        "dispute_opened",
        "dispute_ruled",
        "result_adjusted",
        "dispute_appealed",
    ]
    opened, ruled, adjusted, appealed = events[-4:]
    assert opened.dispute_opened.reason == events_pb2.DISPUTE_REASON_CLOCK_WRONG
    assert (ruled.dispute_ruled.ruling, ruled.dispute_ruled.seat) == (FORFEIT, 1)
    assert adjusted.result_adjusted.outcome.winner == 0
    assert appealed.dispute_appealed.seat == 1


# --- refusals -----------------------------------------------------------------------------------


async def check_refused(
    house: House, who: str, method: str, request: Message, code: str, reason: str, rule: str = ""
) -> None:
    """Check how a request is refused, and that nothing is stored."""
    before = house.stored()
    refusal = await refused(house.taps[who], method, request)
    check(refusal, code, reason, rule, match=request.match_id)  # type: ignore[attr-defined]
    assert house.stored() == before


async def test_f7_who_may_not_and_when_not(house: House) -> None:
    """F7, C3 every reason once; nothing is stored after any of them."""
    running, over = await house.playing(), await house.ended()

    async def turned_away(who: str, method: str, request: Message, *answer: str) -> None:
        await check_refused(house, who, method, request, *answer)

    failed, missing = "FAILED_PRECONDITION", "NOT_FOUND"
    await turned_away("ann", "OpenDispute", opening(running), failed, "NOT_ALLOWED_NOW", "R4")
    denied = "PERMISSION_DENIED"
    await turned_away("eve", "OpenDispute", opening(over), denied, "NOT_A_PARTICIPANT", "R4")
    await turned_away("dee", "OpenDispute", opening(over), denied, "NOT_A_PARTICIPANT", "R4")
    await turned_away("ann", "OpenDispute", opening(over, hand=4), missing, "NO_SUCH_HAND", "R4")
    elsewhere = opening(over, hand=1, event=2)
    await turned_away("ann", "OpenDispute", elsewhere, failed, "EVENT_ELSEWHERE", "R4")
    await turned_away("dee", "RuleOnDispute", ruling(over, UPHOLD), missing, "NO_SUCH_DISPUTE")
    await turned_away("ann", "AppealDispute", appealing(over), missing, "NO_SUCH_DISPUTE")
    asked = pb.GetDisputeRequest(match_id=over, dispute=1)
    await turned_away("ann", "GetDispute", asked, missing, "NO_SUCH_DISPUTE")
    asked = pb.GetDisputeRequest(match_id=running, dispute=1)
    await turned_away("ann", "GetDispute", asked, missing, "NO_SUCH_DISPUTE")
    await house.taps["ann"].ask("OpenDispute", opening(over, hand=1))
    again = opening(over, hand=1, request_id="again")
    await turned_away("ann", "OpenDispute", again, failed, "DISPUTED_ALREADY", "R4")
    await turned_away("ann", "AppealDispute", appealing(over), failed, "NOT_RULED_YET", "R9")
    await turned_away("dee", "RuleOnDispute", ruling(over, FORFEIT), failed, "INVALID_RULING", "R6")
    await house.taps["dee"].ask("RuleOnDispute", ruling(over, VOID))
    later = ruling(over, UPHOLD, request_id="later")
    await turned_away("dan", "RuleOnDispute", later, failed, "RULED_ALREADY", "R5")
    await turned_away("eve", "AppealDispute", appealing(over), denied, "NOT_A_PARTICIPANT", "R4")
    await house.taps["ann"].ask("AppealDispute", appealing(over))
    await turned_away("dee", "RuleOnDispute", later, denied, "SELF_JUDGING", "R9")
    twice = appealing(over, "twice")
    await turned_away("bob", "AppealDispute", twice, failed, "APPEALED_ALREADY", "R9")


async def test_f7_a_director_who_has_played_does_not_judge(house: House) -> None:
    """R5 whatever the token allows."""
    match_id = await disputed(house)
    (seat,) = (
        each for each in (await house.clients["eve"].match(match_id)).seats if each.name == "Bob"
    )
    token = house.server.let_in("p_" + "f" * 26, "Fay", "director")
    await house.let_in("fay", token)
    own = await house.clients["fay"].create_match(seats=["p_" + "f" * 26, seat.player_id])
    await house.clients["fay"].join(own.id)
    await house.clients["bob"].join(own.id)
    for name in ("fay", "bob"):
        await house.clients[name].reveal_nonce(own.id)
    seq = await house.seq(own.id)
    await house.clients["bob"].make_move(own.id, Resign(), seq)
    await house.taps["bob"].ask("OpenDispute", opening(own.id))
    await check_refused(
        house,
        "fay",
        "RuleOnDispute",
        ruling(own.id, UPHOLD),
        "PERMISSION_DENIED",
        "SELF_JUDGING",
        "R5",
    )


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("request_id", {"request_id": ""}),
        ("ruling", {"what": 0}),
        ("ruling", {"what": 9}),
        ("why", {"why": ""}),
        ("why", {"why": "\u202eab"}),
        ("points", {"points": [1]}),
        ("points", {"points": [0, 2_000_000]}),
        ("seat", {"seat": 2}),
        ("rule", {"rule": "S5"}),
    ],
)
async def test_f7_a_rulings_fields(house: House, field: str, fields: dict[str, Any]) -> None:
    """F7"""
    match_id = await disputed(house)
    request = ruling(match_id, **({"what": UPHOLD} | fields))
    before = house.stored()
    refusal = await refused(house.taps["dee"], "RuleOnDispute", request)
    told = told_by(refusal)
    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    assert told.wrong[0][0] == field
    assert house.stored() == before


@pytest.mark.parametrize(
    ("field", "request_"),
    [
        ("status", pb.ListDisputesRequest(status=9)),  # type: ignore[arg-type]  # none
        ("page_size", pb.ListDisputesRequest(page_size=-1)),
        ("page_token", pb.ListDisputesRequest(page_token="page 2")),
    ],
)
async def test_f7_a_lists_fields(house: House, field: str, request_: Message) -> None:
    """F7"""
    refusal = await refused(house.taps["ann"], "ListDisputes", request_)
    check(refusal, "INVALID_ARGUMENT", "INVALID_FIELD")
    assert told_by(refusal).wrong[0][0] == field


# --- secrecy ------------------------------------------------------------------------------------


async def test_c1_a_dispute_tells_no_card_that_is_not_out(house: House) -> None:
    """C1 what is claimed is public, and nothing else comes out with it."""
    match_id = await house.playing(reveal=3)
    ann = house.clients["ann"]
    await ann.make_move(match_id, Resign(), await house.seq(match_id))
    heard: list[str | bytes] = []
    for who in ("bob", "eve", "dee"):
        tap = house.taps[who]
        if who == "bob":
            answer = await tap.ask("OpenDispute", opening(match_id, hand=1))
            heard += strings_in(answer)
        heard += strings_in(await tap.ask("ListDisputes", pb.ListDisputesRequest()))
        asked = pb.GetDisputeRequest(match_id=match_id, dispute=1)
        heard += strings_in(await tap.ask("GetDispute", asked))
        request = match_service_pb2.GetMatchRequest(match_id=match_id)
        heard += strings_in(await tap.ask("GetMatch", request))
    cards = {str(card) for card in house.decks[match_id]}
    assert not cards & set(heard)


# --- audits -------------------------------------------------------------------------------------


async def test_an_audit_compares_a_replay_with_its_ruling_and_with_what_is_told_of_it(
    house: House,
) -> None:
    """What the tables make of a ruling is what follows from it, by the log alone."""
    match_id = await disputed(house)
    ruled = await house.taps["dee"].ask("RuleOnDispute", ruling(match_id, REPLAY))
    replay = ruled.dispute.rulings[0].replay_match_id
    for client in house.players:
        await client.join(replay)
    await house.clients["ann"].make_move(replay, Resign(), await house.seq(replay))
    asked = pb.GetDisputeRequest(match_id=match_id, dispute=1)
    while True:
        told = await house.taps["ann"].ask("GetDispute", asked)
        if told.dispute.rulings[0].HasField("replayed"):
            break
        await asyncio.sleep(0.01)
    for audited, name in ((match_id, "replays"), (replay, "origin")):
        request = log_service_pb2.AuditMatchRequest(match_id=audited)
        report = await house.taps["eve"].ask("AuditMatch", request)
        (found,) = [check for check in report.checks if check.name == name]
        assert (report.clean, found.status) == (True, log_service_pb2.CHECK_STATUS_PASSED)
        assert found.count == 1

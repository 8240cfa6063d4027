"""The refusals that a match's state or the server's own brings about, over a real port."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from hashlib import sha256
from typing import NamedTuple, TypeAlias
from unittest.mock import patch

import pytest
from support_house import House, check, housed, move_request, refused, told_by
from support_logs import Table, played
from support_seats import BareSeat

from ginrummy.log.ed25519 import public_key
from ginrummy.log.lines import write_line
from ginrummy.rules.commands import Draw, Pass, Resign, Take
from ginrummy.rules.events import StockDrawn
from ginrummy.v1 import match_service_pb2 as matches
from ginrummy.v1.ruleset_pb2 import (
    REVEAL_POLICY_DIRECTOR,
    SIGNING_POLICY_REQUIRED,
    TimeControl,
)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with housed() as house:
        yield house


class Asked(NamedTuple):
    """A call that somebody makes at a match."""

    who: str
    method: str
    request: (
        matches.JoinMatchRequest
        | matches.RevealNonceRequest
        | matches.MakeMoveRequest
        | matches.RevealSecretsRequest
        | matches.ResumeMatchRequest
    )


KEY = bytes(range(32))
"""The secret of a player who signs."""

Situation: TypeAlias = Callable[[House], Awaitable[Asked]]


def joins(who: str, match_id: str, seat: int | None = None) -> Asked:
    return Asked(who, "JoinMatch", matches.JoinMatchRequest(match_id=match_id, seat=seat))


def reveals(who: str, match_id: str, nonce: bytes = b"another's nonce!") -> Asked:
    request = matches.RevealNonceRequest(match_id=match_id, nonce=nonce)
    return Asked(who, "RevealNonce", request)


async def takes(house: House, match_id: str) -> Asked:
    return Asked("ann", "MakeMove", move_request(match_id, Take(), await house.seq(match_id)))


def lets_out(match_id: str) -> Asked:
    return Asked("dee", "RevealSecrets", matches.RevealSecretsRequest(match_id=match_id))


# --- each comes to where one call is refused ----------------------------------------------------


async def a_third_player(house: House) -> Asked:
    return joins("eve", await house.seated())


async def a_taken_seat(house: House) -> Asked:
    match_id = await house.opened()
    await house.clients["bob"].join(match_id, 0)
    return joins("ann", match_id, 0)


async def a_kept_seat(house: House) -> Asked:
    kept = [(await house.clients[who].me()).id for who in ("bob", "eve")]
    return joins("ann", await house.opened(seats=kept))


async def ones_own_table(house: House) -> Asked:
    match_id = await house.opened()
    await house.clients["ann"].join(match_id)
    return joins("ann", match_id, 1)


async def another_nonce(house: House) -> Asked:
    return reveals("ann", await house.seated())


async def a_nonce_too_early(house: House) -> Asked:
    match_id = await house.opened()
    await house.clients["ann"].join(match_id)
    return reveals("ann", match_id)


async def a_nonce_too_late(house: House) -> Asked:
    return reveals("ann", await house.playing())


async def secrets_of_a_match_that_runs(house: House) -> Asked:
    return lets_out(await house.playing(reveal=REVEAL_POLICY_DIRECTOR))


async def secrets_before_the_first_deal(house: House) -> Asked:
    return lets_out(await house.seated(reveal=REVEAL_POLICY_DIRECTOR))


async def secrets_that_are_out(house: House) -> Asked:
    return lets_out(await house.ended())


async def going_on_with_what_has_not_begun(house: House) -> Asked:
    request = matches.ResumeMatchRequest(match_id=await house.opened())
    return Asked("dee", "ResumeMatch", request)


async def a_move_before_the_deal(house: House) -> Asked:
    return await takes(house, await house.seated())


async def a_move_in_a_pause(house: House) -> Asked:
    match_id = await house.playing()
    await house.clients["dee"].pause(match_id)
    return await takes(house, match_id)


async def a_move_after_the_end(house: House) -> Asked:
    return await takes(house, await house.ended())


async def a_move_between_two_hands(house: House) -> Asked:
    """Only a log that something else has left there stands between two hands."""
    table = Table(1, chain=1000)
    # What was left there before the server came, it would go on with as it opens the match.
    table.at = time.time_ns() // 1000
    table.seated().play()
    await house.let_in("alice", house.server.let_in(table.players[0], "Alice"))
    scored = next(line.seq for line in table.lines if line.type == "hand_scored")
    match_id = house.server.plant(table.lines[:scored], table.secrets.secret(1000))
    return Asked("alice", "MakeMove", move_request(match_id, Take(), scored))


async def a_move_on_an_older_state(house: House) -> Asked:
    match_id = await house.playing(Pass())
    return Asked("ann", "MakeMove", move_request(match_id, Take(), 6))


async def a_move_on_a_state_to_come(house: House) -> Asked:
    return Asked("bob", "MakeMove", move_request(await house.playing(), Take(), 99))


async def a_request_id_for_another_move(house: House) -> Asked:
    match_id = await house.playing()
    await house.taps["bob"].ask("MakeMove", move_request(match_id, Pass(), 6, "mine"))
    return Asked("bob", "MakeMove", move_request(match_id, Take(), 6, "mine"))


async def a_request_id_for_another_seat(house: House) -> Asked:
    match_id = await house.opened()
    await house.taps["ann"].ask(
        "JoinMatch", matches.JoinMatchRequest(match_id=match_id, seat=0, request_id="mine")
    )
    request = matches.JoinMatchRequest(match_id=match_id, seat=1, request_id="mine")
    return Asked("ann", "JoinMatch", request)


async def no_key_where_everybody_signs(house: House) -> Asked:
    return joins("ann", await house.opened(signing=SIGNING_POLICY_REQUIRED))


async def a_key_where_nobody_signs(house: House) -> Asked:
    request = matches.JoinMatchRequest(match_id=await house.opened(), public_key=public_key(KEY))
    return Asked("ann", "JoinMatch", request)


async def signing(house: House, signature: bytes) -> Asked:
    """Ann's first move at a table where everybody signs."""
    match_id = await house.opened(signing=SIGNING_POLICY_REQUIRED)
    for who in ("bob", "ann"):
        commitment = sha256((who.encode() * 8)[:16]).digest()
        request = matches.JoinMatchRequest(
            match_id=match_id, nonce_commitment=commitment, public_key=public_key(KEY)
        )
        await house.taps[who].ask("JoinMatch", request)
    for who in ("bob", "ann"):
        nonce = matches.RevealNonceRequest(match_id=match_id, nonce=(who.encode() * 8)[:16])
        await house.taps[who].ask("RevealNonce", nonce)
    view = await house.clients["eve"].view(match_id)
    move = move_request(match_id, Pass(), view.seq)
    move.signature = signature
    return Asked("bob" if view.hand.to_move == 0 else "ann", "MakeMove", move)


async def an_unsigned_move(house: House) -> Asked:
    return await signing(house, b"")


async def a_wrongly_signed_move(house: House) -> Asked:
    return await signing(house, b"s" * 64)


async def a_signed_move_where_nobody_signs(house: House) -> Asked:
    match_id = await house.playing()
    move = move_request(match_id, Pass(), 6)
    move.signature = b"s" * 64
    return Asked("bob", "MakeMove", move)


async def a_damaged_log(house: House) -> Asked:
    """An event that cannot be where it is."""
    table = played(1, chain=1000)
    first = table.lines[0]
    wrong = write_line(first.stream, 2, first.at, "server", "", StockDrawn(0), first.hash)
    match_id = house.server.plant([first, wrong], table.secrets.secret(1000))
    return joins("ann", match_id)


SITUATIONS: list[tuple[Situation, str, str, str]] = [
    (a_third_player, "FAILED_PRECONDITION", "SEAT_TAKEN", ""),
    (a_taken_seat, "FAILED_PRECONDITION", "SEAT_TAKEN", ""),
    (a_kept_seat, "FAILED_PRECONDITION", "SEAT_TAKEN", ""),
    (ones_own_table, "FAILED_PRECONDITION", "ALREADY_SEATED", ""),
    (another_nonce, "FAILED_PRECONDITION", "NONCE_MISMATCH", ""),
    (a_nonce_too_early, "FAILED_PRECONDITION", "NOT_ALLOWED_NOW", ""),
    (a_nonce_too_late, "FAILED_PRECONDITION", "NOT_ALLOWED_NOW", ""),
    (secrets_of_a_match_that_runs, "FAILED_PRECONDITION", "NOT_ALLOWED_NOW", ""),
    (secrets_before_the_first_deal, "FAILED_PRECONDITION", "NOT_ALLOWED_NOW", ""),
    (secrets_that_are_out, "FAILED_PRECONDITION", "NOT_ALLOWED_NOW", ""),
    (going_on_with_what_has_not_begun, "FAILED_PRECONDITION", "NOT_ALLOWED_NOW", ""),
    (a_move_before_the_deal, "FAILED_PRECONDITION", "MATCH_NOT_STARTED", "D1"),
    (a_move_in_a_pause, "FAILED_PRECONDITION", "MATCH_PAUSED", "X3"),
    (a_move_after_the_end, "FAILED_PRECONDITION", "MATCH_OVER", "X1"),
    (a_move_between_two_hands, "FAILED_PRECONDITION", "HAND_OVER", "D1"),
    (a_move_on_an_older_state, "ABORTED", "STALE_SEQ", ""),
    (a_move_on_a_state_to_come, "ABORTED", "STALE_SEQ", ""),
    (a_request_id_for_another_move, "ALREADY_EXISTS", "REQUEST_ID_REUSED", ""),
    (a_request_id_for_another_seat, "ALREADY_EXISTS", "REQUEST_ID_REUSED", ""),
    (no_key_where_everybody_signs, "FAILED_PRECONDITION", "KEY_MISSING", ""),
    (a_key_where_nobody_signs, "FAILED_PRECONDITION", "SIGNING_OFF", ""),
    (an_unsigned_move, "FAILED_PRECONDITION", "SIGNATURE_MISSING", ""),
    (a_wrongly_signed_move, "FAILED_PRECONDITION", "SIGNATURE_WRONG", ""),
    (a_signed_move_where_nobody_signs, "FAILED_PRECONDITION", "SIGNING_OFF", ""),
    (a_damaged_log, "DATA_LOSS", "LOG_DAMAGED", ""),
]


@pytest.mark.parametrize(
    ("situation", "code", "reason", "rule"), SITUATIONS, ids=[one[0].__name__ for one in SITUATIONS]
)
async def test_f7_what_the_state_of_a_match_does_not_allow(
    house: House, situation: Situation, code: str, reason: str, rule: str
) -> None:
    """F7 the documented code and reason, the match, and nothing stored."""
    asked = await situation(house)
    before = house.stored()
    refusal = await refused(house.taps[asked.who], asked.method, asked.request)
    check(refusal, code, reason, rule, asked.request.match_id)
    assert house.stored() == before


async def test_f7_a_stale_move_is_told_the_present_number(house: House) -> None:
    """F7, C5 in the metadata, so that the client knows how far to read."""
    asked = await a_move_on_an_older_state(house)
    refusal = await refused(house.taps["ann"], asked.method, asked.request)
    told = told_by(refusal)
    assert told.info.metadata["seq"] == "7"
    assert told.legal == (await house.clients["ann"].view(asked.request.match_id)).hand.legal


async def test_f7_a_move_that_comes_too_late_lets_the_clock_decide(house: House) -> None:
    """F7 TIME_OVER; what is stored then is the end of the match, and not the move."""
    match_id = await house.playing(clock=TimeControl(decision_ms=1_000))
    table = await house.server.table(match_id)
    # The table's own timer would be first.
    table._alarm.cancel()
    await asyncio.sleep(1.01)
    refusal = await refused(house.taps["bob"], "MakeMove", move_request(match_id, Take(), 6))
    check(refusal, "FAILED_PRECONDITION", "TIME_OVER", "X3", match_id)
    types = [step.line.type for step in await table.steps_after(6)]
    assert types == ["clock_expired", "match_ended", "secret_revealed"]


async def test_f7_a_fault_of_the_server_tells_nothing_but_where_to_look(house: House) -> None:
    """F7 INTERNAL; the text of the fault stays in the server."""
    match_id = await house.playing()
    before = house.stored()
    fault = RuntimeError("the deck is 7H 8H")
    with patch("ginrummy.tables.table.decide", side_effect=fault):
        refusal = await refused(house.taps["bob"], "MakeMove", move_request(match_id, Take(), 6))
    check(refusal, "INTERNAL", "INTERNAL", "", match_id)
    assert told_by(refusal).info.metadata["incident"] in refusal.status.message
    assert b"7H" not in refusal.raw
    assert house.stored() == before
    await house.taps["bob"].ask("MakeMove", move_request(match_id, Take(), 6))


@pytest.mark.parametrize("method", ["GetMatch", "CreateMatch", "JoinMatch", "Watch"])
async def test_f7_a_server_that_stops_says_so(house: House, method: str) -> None:
    """F7 UNAVAILABLE: connect again."""
    match_id = await house.opened()
    await house.server.room.close()
    request = {
        "GetMatch": matches.GetMatchRequest(match_id=match_id),
        "CreateMatch": matches.CreateMatchRequest(),
        "JoinMatch": matches.JoinMatchRequest(match_id=match_id),
        "Watch": matches.WatchRequest(match_id=match_id),
    }[method]
    before = house.stored()
    check(await refused(house.taps["ann"], method, request), "UNAVAILABLE", "SERVER_STOPPING")
    assert house.stored() == before


async def test_a_player_may_resign_whoevers_turn_it_is(house: House) -> None:
    """X3 the one move that needs no turn."""
    match_id = await house.playing()
    await house.taps["ann"].ask("MakeMove", move_request(match_id, Resign(), 6))
    refusal = await refused(house.taps["bob"], "MakeMove", move_request(match_id, Draw(), 9))
    check(refusal, "FAILED_PRECONDITION", "MATCH_OVER", "X1", match_id)


async def test_f7_a_seat_has_so_many_streams_and_no_more(house: House) -> None:
    """F7 LIMIT_REACHED; those that are open go on, and a closed one makes room."""
    match_id = await house.playing()
    bob = house.clients["bob"]
    with patch("ginrummy.tables.news._STREAMS_A_SEAT", 3):
        seats = [BareSeat(bob, match_id) for _ in range(3)]
        for seat in seats:
            await seat.start()
        one_more = matches.WatchRequest(match_id=match_id)
        refusal = await refused(house.taps["bob"], "Watch", one_more)
        check(refusal, "RESOURCE_EXHAUSTED", "LIMIT_REACHED")
        assert told_by(refusal).info.metadata["limit"] == "3"
        table = await house.server.table(match_id)
        seats[0].call.cancel()
        while table.news._connected[1] == 3:  # noqa: ASYNC110 -- nobody is told of it
            await asyncio.sleep(0.01)
        await BareSeat(bob, match_id).start()

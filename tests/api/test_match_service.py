"""Moves over a port: who moves, on what, how often, and what a retry does."""

import asyncio
from collections.abc import AsyncIterator
from unittest.mock import patch

import pytest
from support_house import House, check, housed, move_request, refused, told_by
from support_knocks import KNOCK_DECK, TO_THE_DRAW
from support_seats import BareSeat, hard_of_hearing
from support_server import until
from support_wire import Tap

from ginrummy.api.auth import Caller
from ginrummy.api.play import PlayStream
from ginrummy.client.moves import move_message
from ginrummy.rules.cards import Card, Seat
from ginrummy.rules.commands import Discard, Draw, Knock, Move, Pass, Take
from ginrummy.tables.table import Table
from ginrummy.v1 import match_pb2
from ginrummy.v1 import match_service_pb2 as matches
from ginrummy.v1.events_pb2 import END_REASON_ILLEGAL_MOVES
from ginrummy.v1.ruleset_pb2 import Limits, TimeControl


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with housed() as house:
        yield house


# --- C4: only the server's own state counts -----------------------------------------------------


async def test_c4_what_a_request_says_beside_its_fields_is_not_read(house: House) -> None:
    """C4 fields that are not there (a seat, a value, an owner, a deadwood of 0) change nothing."""
    match_id = await house.playing(*TO_THE_DRAW, deck=KNOCK_DECK)
    honest = move_request(match_id, Discard(Card("KH")), 9)
    # A varint in field 50 and a text in field 51, of the request, its move and its discard.
    false = b"\x90\x03\x00" + b"\x9a\x03\x04deck"
    lying = matches.MakeMoveRequest()
    lying.CopyFrom(honest)
    lying.move.discard.MergeFromString(false)
    lying.move.MergeFromString(false)
    lying.MergeFromString(false)
    assert len(lying.SerializeToString()) > len(honest.SerializeToString()) + 20
    answer = await house.taps["bob"].ask("MakeMove", lying)
    (event,) = answer.events
    assert (event.discarded.seat, event.discarded.card) == (1, "KH")
    assert event.by == (await house.clients["bob"].me()).id


@pytest.mark.parametrize("card", ["KC", "6S", "2H"])
async def test_c4_a_card_of_the_other_hand_or_the_stock_is_not_ones_own(
    house: House, card: str
) -> None:
    """C4 and the refusal is the same wherever the card lies."""
    match_id = await house.playing(*TO_THE_DRAW, deck=KNOCK_DECK)
    refusal = await refused(
        house.taps["bob"], "MakeMove", move_request(match_id, Discard(Card(card)), 9)
    )
    check(refusal, "FAILED_PRECONDITION", "NOT_IN_HAND", "T1", match_id)
    assert refusal.status.message == f"{card} is not in your hand"


async def test_c4_the_seat_follows_from_the_token(house: House) -> None:
    """C4 nobody moves for the other seat."""
    match_id = await house.playing()
    refusal = await refused(house.taps["ann"], "MakeMove", move_request(match_id, Take(), 6))
    check(refusal, "FAILED_PRECONDITION", "NOT_YOUR_TURN", "D2", match_id)
    answer = await house.taps["bob"].ask("MakeMove", move_request(match_id, Take(), 6))
    assert answer.events[0].discard_taken.seat == 1


# --- C5: a refusal changes nothing --------------------------------------------------------------


async def test_c5_refused_moves_raise_no_number(house: House) -> None:
    """C5 after 20 of them the next legal move is still decided on the old number."""
    match_id = await house.playing(limits=Limits(illegal_moves=100))
    bob = house.taps["bob"]
    before = await house.clients["bob"].view(match_id)
    for number in range(20):
        await refused(bob, "MakeMove", move_request(match_id, Draw(), 6, f"{number}"))
    after = await house.clients["bob"].view(match_id)
    for view in (before, after):
        view.clock.ClearField("server_time")
    assert after == before
    answer = await bob.ask("MakeMove", move_request(match_id, Pass(), 6))
    assert [event.seq for event in answer.events] == [7]


# --- C6: a retry is answered as the first time --------------------------------------------------


async def test_c6_a_repeated_draw_is_answered_to_the_byte(house: House) -> None:
    """C6 one event, and the same answer twice, the drawn card too, whatever has come between."""
    match_id = await house.playing(Pass(), Pass(), deck=KNOCK_DECK)
    bob = house.taps["bob"]
    draw = move_request(match_id, Draw(), 8, "the draw")
    first = await bob.ask("MakeMove", draw)
    assert first.events[0].drawn == first.view.hand.drawn == "KH"
    assert await bob.ask("MakeMove", draw) == first
    await bob.ask("MakeMove", move_request(match_id, Discard(Card("KH")), 9, "the discard"))
    await house.move(match_id, Draw())
    assert await bob.ask("MakeMove", draw) == first
    raws = [came.raw for came in bob.came if came.request == draw]
    assert len(set(raws)) == 1
    lines = [line async for line in house.clients["eve"].log(match_id)]
    assert sum(b'"cmd":"the draw"' in line for line in lines) == 1


async def test_c6_a_repeated_knock_is_answered_with_all_that_it_caused(house: House) -> None:
    """C6 gin, the score and the next deal are one answer, the second time too."""
    match_id = await house.playing(*TO_THE_DRAW, deck=KNOCK_DECK)
    knock = move_request(match_id, Knock(Card("KH")), 9, "the knock")
    first = await house.taps["bob"].ask("MakeMove", knock)
    assert await house.taps["bob"].ask("MakeMove", knock) == first
    assert first.view.hand.phase == match_pb2.PHASE_LAY_OFF


@pytest.mark.parametrize(
    ("move", "seq"), [(Discard(Card("KH")), 8), (Discard(Card("KH")), 9), (Take(), 8)]
)
async def test_c6_a_request_id_stands_for_one_wish(house: House, move: Move, seq: int) -> None:
    """C6 other content under the same id is refused, and not answered as if it were the first."""
    match_id = await house.playing(Pass(), Pass(), deck=KNOCK_DECK)
    bob = house.taps["bob"]
    await bob.ask("MakeMove", move_request(match_id, Draw(), 8, "once"))
    refusal = await refused(bob, "MakeMove", move_request(match_id, move, seq, "once"))
    check(refusal, "ALREADY_EXISTS", "REQUEST_ID_REUSED", "", match_id)


async def test_c6_a_request_id_is_a_players_own(house: House) -> None:
    """C6 two players may use the same one by chance."""
    match_id = await house.playing()
    await house.taps["bob"].ask("MakeMove", move_request(match_id, Pass(), 6, "1"))
    await house.taps["ann"].ask("MakeMove", move_request(match_id, Pass(), 7, "1"))
    assert await house.seq(match_id) == 8


async def test_c6_a_match_that_is_made_twice_is_one(house: House) -> None:
    """C6 as are a seat taken twice, and a nonce revealed twice, under one request id."""
    request = matches.CreateMatchRequest(name="once", request_id="made by Ann")
    made = [await house.taps["ann"].ask("CreateMatch", request) for _ in range(2)]
    assert made[0] == made[1]
    other = await house.taps["bob"].ask("CreateMatch", request)
    assert other.match.id != made[0].match.id
    match_id = made[0].match.id
    join = matches.JoinMatchRequest(match_id=match_id, request_id="sat down")
    assert [(await house.taps["ann"].ask("JoinMatch", join)).seat for _ in range(2)] == [0, 0]
    assert await house.seq(match_id) == 2


async def test_c6_over_play_a_repeated_move_is_answered_too(house: House) -> None:
    """C6 on a stream of its own, as after a lost connection."""
    match_id = await house.playing(Pass(), Pass(), deck=KNOCK_DECK)
    answers = []
    for _ in range(2):
        seat = BareSeat(house.clients["bob"], match_id)
        await seat.start(after_seq=8)
        await seat.send(Draw(), request_id="the draw", expected_seq=8)
        response = await seat.read()
        assert response is not None
        answers.append(response)
        seat.call.cancel()
    assert answers[0].events == answers[1].events
    assert answers[0].events[0].drawn == "KH"
    assert await house.seq(match_id) == 9


# --- C10: illegal moves without end -------------------------------------------------------------

MOVES = 10_000


async def test_c10_a_bot_that_sends_an_illegal_move_10_000_times_forfeits(house: House) -> None:
    """C10 after 20 refusals the match is over, the opponent is told, and the server goes on.

    The flood is not sent over the port: gRPC's own client puts what it could not send to a stream
    that had ended in the place of what it had not read.
    """
    match_id = await house.playing(clock=TimeControl(bank_ms=600_000))
    bob, table = await house.clients["bob"].me(), await house.server.table(match_id)
    deadline = (await house.clients["bob"].view(match_id)).clock.deadline
    good = BareSeat(house.clients["ann"], match_id)
    await good.start()
    flood = Flood()
    bad = PlayStream(table, 1, Caller(bob.id, bob.name, "player"))
    first, *refused, last = [
        matches.PlayResponse.FromString(raw) async for raw in bad.talk(flood.requests(), 0)
    ]
    assert first.view.clock.deadline == deadline
    left = [one.refusal.refusals_left for one in refused]
    assert left[:20] == [*range(19, -1, -1)]
    # What had been taken by then is refused as well, and no more of it is.
    assert set(left[20:]) <= {0}
    assert len(left) <= 20 + 16
    assert last.view.outcome.winner == 0
    assert flood.taken < MOVES
    end = await good.read()
    assert end is not None
    assert [event.WhichOneof("event") for event in end.events] == [
        "forfeited",
        "match_ended",
        "secret_revealed",
    ]
    assert end.view.outcome.winner == 0
    assert await good.read() is None
    # Its clock ran all the time: no refusal gives a second chance.
    back = await house.clients["bob"].position(match_id, 6)
    assert back.clock.deadline == deadline
    assert (await house.clients["eve"].me()).name == "Eve"


class Flood:
    """One illegal move after the other, as fast as they are taken."""

    taken = 0

    async def requests(self) -> AsyncIterator[matches.PlayRequest]:
        for number in range(MOVES):
            self.taken = number + 1
            move = matches.PlayMove(
                request_id=str(number), expected_seq=6, move=move_message(Draw())
            )
            yield matches.PlayRequest(move=move)


async def test_c10_each_refusal_says_how_many_are_left(house: House) -> None:
    """C10 over a port, one after the other."""
    match_id = await house.playing()
    bad = BareSeat(house.clients["bob"], match_id)
    await bad.start()
    for left in range(19, -1, -1):
        await bad.send(Draw(), expected_seq=6)
        response = await bad.read()
        assert response is not None
        assert response.refusal.refusals_left == left
    end = await bad.read()
    assert end is not None
    assert (end.view.outcome.reason, end.view.outcome.winner) == (END_REASON_ILLEGAL_MOVES, 0)
    assert await bad.read() is None


async def test_c10_over_unary_calls_it_is_the_same(house: House) -> None:
    """C10 and a legal move in between begins the count anew."""
    match_id = await house.playing(limits=Limits(illegal_moves=3))
    bob = house.taps["bob"]

    async def illegal(seq: int) -> str:
        wish = move_request(match_id, Knock(Card("AS")), seq, "illegal")
        return str(told_by(await refused(bob, "MakeMove", wish)).info.reason)

    assert [await illegal(6), await illegal(6)] == ["WRONG_PHASE"] * 2
    await bob.ask("MakeMove", move_request(match_id, Take(), 6))
    assert [await illegal(7), await illegal(7)] == ["TOO_MUCH_DEADWOOD"] * 2
    assert await illegal(7) == "TOO_MUCH_DEADWOOD"
    assert await illegal(7) == "STALE_SEQ"
    outcome = (await house.clients["eve"].match(match_id)).outcome
    assert (outcome.reason, outcome.winner) == (END_REASON_ILLEGAL_MOVES, 0)


async def test_a_client_that_reads_nothing_is_read_no_further(house: House) -> None:
    """What waits for a client that floods the server and does not listen stays bounded."""
    streams: list[PlayStream] = []

    def stream(table: Table, seat: Seat, caller: Caller) -> PlayStream:
        streams.append(PlayStream(table, seat, caller))
        return streams[-1]

    match_id = await house.playing()
    client = hard_of_hearing(house.clients["bob"])
    with patch("ginrummy.api.match_service.PlayStream", stream):
        seat = BareSeat(client, match_id)
        await seat.start()
    flooding = asyncio.create_task(flood_of_large_moves(seat))
    sent = -1
    for pause in until(pause=0.05):
        await asyncio.sleep(pause)
        unread = len(streams[0]._answers)
        assert unread <= 16
        if unread == 16 and sent == len(seat.sent):
            break
        sent = len(seat.sent)
    flooding.cancel()
    await client.close()
    answer = await house.taps["bob"].ask("MakeMove", move_request(match_id, Take(), 6))
    assert answer.view.seq == 7


async def flood_of_large_moves(seat: BareSeat) -> None:
    """Send what is refused for ever: a request id that is no request id counts for nothing."""
    while True:
        await seat.send(Draw(), request_id="x" * 50_000)


# --- C11 ----------------------------------------------------------------------------------------


async def test_c11_nobody_sits_on_both_sides(house: House) -> None:
    """C11 from two devices neither: a seat is a player's, not a connection's."""
    match_id = await house.opened()
    tokens = house.clients["ann"].metadata[0][1].removeprefix("Bearer ")
    other_device = Tap(house.server.address, tokens)
    await house.taps["ann"].ask("JoinMatch", matches.JoinMatchRequest(match_id=match_id, seat=0))
    request = matches.JoinMatchRequest(match_id=match_id, seat=1)
    refusal = await refused(other_device, "JoinMatch", request)
    check(refusal, "FAILED_PRECONDITION", "ALREADY_SEATED", "", match_id)
    await other_device.close()
    assert [seat.player_id for seat in (await house.clients["eve"].match(match_id)).seats][1] == ""

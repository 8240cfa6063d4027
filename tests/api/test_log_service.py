"""The log over a port: its lines, every position in it, and its audit."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from support_house import House, check, housed, refused, told_by
from support_logs import Table as Played
from support_logs import events_of, forged, played, without

from ginrummy.bots import Move, SimpleBot
from ginrummy.log.lines import read_line
from ginrummy.rules.commands import Pass
from ginrummy.v1 import log_service_pb2 as logs
from ginrummy.v1 import match_service_pb2 as matches
from ginrummy.v1.match_pb2 import View
from ginrummy.v1.ruleset_pb2 import REVEAL_POLICY_HAND, RevealPolicy, Ruleset, TimeControl


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with housed() as house:
        yield house


class Collector(SimpleBot):
    """A bot that keeps the views on which it decides where to draw from."""

    def __init__(self) -> None:
        self.views: list[View] = []

    def draw(self, view: View) -> Move:
        self.views.append(view)
        return super().draw(view)


async def finished(
    house: House,
    bots: tuple[SimpleBot, SimpleBot] = (SimpleBot(), SimpleBot()),
    reveal: RevealPolicy.ValueType = REVEAL_POLICY_HAND,
    hands: int = 2,
) -> str:
    """Let two bots play a match of so many hands to its end."""
    match_id = await house.seated(
        rules=Ruleset(hands=hands), reveal=reveal, clock=TimeControl(bank_ms=60_000)
    )
    players = zip(house.players, bots, strict=True)
    await asyncio.gather(*(client.play(match_id, bot) for client, bot in players))
    return match_id


def plant(house: House, table: Played, log: list[bytes]) -> str:
    """Put a log under a match's id and secrets, as somebody with the database may do."""
    return house.server.plant([*map(read_line, log)], table.secrets.secret(1000))


# --- lines and positions ------------------------------------------------------------------------


async def test_the_lines_after_a_number(house: House) -> None:
    match_id = await house.playing(Pass(), Pass())
    eve = house.clients["eve"]
    lines = [line async for line in eve.log(match_id)]
    assert [read_line(line).seq for line in lines] == [*range(1, 9)]
    assert [line async for line in eve.log(match_id, 6)] == lines[6:]
    assert [line async for line in eve.log(match_id, 8)] == []


async def test_a_position_is_what_the_seat_saw_then(house: House) -> None:
    """In every field but the moment: with the same legal moves, clocks and hidden cards."""
    bots = (Collector(), Collector())
    match_id = await finished(house, bots, hands=6)
    for client, bot in zip(house.players, bots, strict=True):
        assert bot.views
        for seen in bot.views:
            back = await client.position(match_id, seen.seq)
            for view in (seen, back):
                view.ClearField("connected")
                # It runs, and the view is a moment younger than what it shows.
                view.clock.ClearField("server_time")
                view.clock.ClearField("bank_ms")
            assert back == seen


async def test_a_hand_whose_secret_is_out_is_open_to_all(house: House) -> None:
    """The policy `hand`: the hands before are open while the present one is hidden."""
    match_id = await finished(house)
    eve = house.clients["eve"]
    lines = [read_line(line) async for line in eve.log(match_id)]
    (first, *_) = (line.seq for line in lines if line.type == "hand_dealt")
    full = await eve.position(match_id, first, logs.PERSPECTIVE_FULL)
    assert [len(held.cards) for held in full.hand.hands] == [10, 10]
    seat = await eve.position(match_id, first, logs.PERSPECTIVE_SEAT_1)
    assert [held.hidden for held in seat.hand.hands] == [10, 0]
    public = await eve.position(match_id, first)
    assert [held.hidden for held in public.hand.hands] == [10, 10]


# --- audits -------------------------------------------------------------------------------------


async def test_an_audit_says_whether_the_log_holds_a_receipt(house: House) -> None:
    """A hash that somebody was given during the match is still there, or it is not."""
    match_id = await house.playing(Pass())
    held = await house.clients["ann"].view(match_id)
    await house.move(match_id, Pass())
    eve = house.clients["eve"]
    found = await eve.audit(match_id, receipt_hash=held.head_hash, receipt_seq=held.seq)
    assert found.clean
    found = await eve.audit(match_id, receipt_hash="0" * 64, receipt_seq=held.seq)
    assert [(fault.check, fault.seq) for fault in found.faults] == [("receipt", held.seq)]


async def test_an_audit_names_the_event_at_fault(house: House) -> None:
    """A score that somebody has raised, with every hash after it made good."""
    table = played(1, chain=1000)
    (index, *_) = events_of(table.log, "hand_scored")
    match_id = plant(house, table, forged(table.log, index, data_points=99))
    found = await house.clients["eve"].audit(match_id)
    assert not found.clean
    assert ("scores", index + 1) in [(fault.check, fault.seq) for fault in found.faults]
    statuses = {one.name: one.status for one in found.checks}
    assert statuses["scores"] == logs.CHECK_STATUS_FAILED
    assert statuses["chain"] == logs.CHECK_STATUS_PASSED


async def test_a_log_that_cannot_be_played_can_be_read_and_audited(house: House) -> None:
    """DATA_LOSS says that an audit says where; so an audit has to be possible."""
    table = played(1, chain=1000)
    (index, *_) = events_of(table.log, "hand_dealt")
    broken = forged(without(table.log, index), 0)
    match_id = plant(house, table, broken)
    request = matches.GetMatchRequest(match_id=match_id)
    refusal = await refused(house.taps["eve"], "GetMatch", request)
    check(refusal, "DATA_LOSS", "LOG_DAMAGED", "", match_id)
    assert "an audit says where" in refusal.status.message
    assert told_by(refusal).info.metadata["incident"]
    eve = house.clients["eve"]
    assert [line async for line in eve.log(match_id)] == broken
    found = await eve.audit(match_id)
    assert index + 1 in [fault.seq for fault in found.faults]

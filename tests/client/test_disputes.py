"""`client.disputes`: players who dispute, directors who rule, and a hand that is played again."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from support_house import House, housed
from support_server import until

from ginrummy.bots import SimpleBot
from ginrummy.client import NotFoundError, NotPermittedError, RefusedError
from ginrummy.client.sync import connect
from ginrummy.v1 import dispute_service_pb2 as pb
from ginrummy.v1 import events_pb2


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with housed() as house:
        await house.let_in("dan", house.server.let_in("p_" + "e" * 26, "Dan", "director"))
        yield house


async def test_a_dispute_from_its_opening_to_the_ruling_on_appeal(house: House) -> None:
    match_id = await house.ended()
    ann, bob, dee, dan = (house.clients[name].disputes for name in ("ann", "bob", "dee", "dan"))
    opened = await ann.open(match_id, "clock_wrong", "The clock was not mine.", hand=1)
    assert (opened.opened.hand, opened.status) == (1, pb.DISPUTE_STATUS_OPEN)
    assert opened.opened.reason == events_pb2.DISPUTE_REASON_CLOCK_WRONG
    ruled = await dee.rule(match_id, 1, "forfeit", rule="X3", why="The log says so.", seat=1)
    assert ruled.outcome.winner == 0
    assert (await bob.appeal(match_id, 1, "It does not.")).status == pb.DISPUTE_STATUS_APPEALED
    ruled = await dan.rule(match_id, 1, "adjust", rule="S1", why="Three.", points=(3, 0))
    assert list(ruled.dispute.rulings[1].ruled.points) == [3, 0]
    found = await house.clients["eve"].disputes.get(match_id, 1)
    assert (found.dispute, found.outcome) == (ruled.dispute, ruled.outcome)
    assert [each async for each in ann.all(status="closed", page_size=1)] == [ruled.dispute]
    assert [each async for each in ann.all(match_id=match_id, status="open")] == []


async def test_every_refusal_is_an_error_of_its_kind(house: House) -> None:
    match_id = await house.ended()
    ann, bob, dee, eve = (house.clients[name].disputes for name in ("ann", "bob", "dee", "eve"))
    with pytest.raises(NotPermittedError) as denied:
        await eve.open(match_id, "other", "I saw it.")
    assert denied.value.reason == "NOT_A_PARTICIPANT"
    with pytest.raises(NotFoundError) as missing:
        await ann.get(match_id, 1)
    assert missing.value.reason == "NO_SUCH_DISPUTE"
    await ann.open(match_id, "conduct", "He shouted.")
    with pytest.raises(RefusedError) as early:
        await bob.appeal(match_id, 1, "No.")
    assert (early.value.reason, early.value.rule) == ("NOT_RULED_YET", "R9")
    with pytest.raises(NotPermittedError) as not_a_director:
        await bob.rule(match_id, 1, "dismiss", rule="R3", why="I did not.")
    assert not_a_director.value.reason == "NOT_PERMITTED"
    with pytest.raises(RefusedError) as pointless:
        await dee.rule(match_id, 1, "dismiss", rule="R3", why="No.", points=(5, 0))
    assert pointless.value.reason == "INVALID_RULING"


async def test_a_hand_is_played_again_by_two_programs_and_comes_back(house: House) -> None:
    match_id = await house.ended()
    await house.clients["bob"].disputes.open(match_id, "card_not_in_deck", "Two aces.", hand=1)
    dee = house.clients["dee"].disputes
    ruled = await dee.rule(match_id, 1, "replay", rule="C1", why="Nobody can say.")
    (given,) = ruled.dispute.rulings
    first, second = await asyncio.gather(
        *(client.play(given.replay_match_id, SimpleBot()) for client in house.players)
    )
    # Each has checked every card that it was told of against the committed deck.
    assert first.outcome == second.outcome
    assert first.unchecked == 0
    for pause in until():
        found = await dee.get(match_id, 1)
        if found.dispute.rulings[0].HasField("replayed"):
            break
        await asyncio.sleep(pause)
    (given,) = found.dispute.rulings
    winner = first.outcome.winner
    assert given.replayed.scored.winner == winner
    # Ann had given up the match in this hand: without it whoever has more points has won.
    assert found.outcome.winner == winner
    assert found.outcome.points[winner] == given.replayed.scored.points > 0


async def test_from_a_thread_without_a_loop(house: House) -> None:
    match_id = await house.ended()
    ((_, bearer),) = house.clients["ann"].metadata
    token = str(bearer).removeprefix("Bearer ")

    def dispute() -> list[int]:
        with connect(house.server.address, token=token) as client:
            client.disputes.open(match_id, "other", "Something.")
            return [each.opened.dispute for each in client.disputes.all(match_id=match_id)]

    assert await asyncio.to_thread(dispute) == [1]

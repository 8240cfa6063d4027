"""Players over a port: made, told apart, and what they have played."""

from collections.abc import AsyncIterator

import pytest
from support_house import House, housed

from ginrummy.v1 import player_service_pb2 as people


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with housed() as house:
        yield house


async def test_two_players_of_one_name_are_two(house: House) -> None:
    nobody = house.clients["nobody"]
    first, second = [await nobody.create_player("Ann") for _ in range(2)]
    assert first.player.name == second.player.name == "Ann"
    assert first.player.id != second.player.id
    assert first.token != second.token


@pytest.mark.parametrize("role", [people.ROLE_DIRECTOR, people.ROLE_AUDITOR, people.ROLE_PLAYER])
async def test_a_director_makes_players_of_every_role(
    house: House, role: people.Role.ValueType
) -> None:
    made = await house.clients["dee"].create_player("New", role)
    assert made.player.role == role
    await house.let_in("new", made.token)
    assert await house.clients["new"].me() == made.player


async def test_anybody_sees_what_a_player_has_played(house: House) -> None:
    """A match counts once, for both, when it has ended."""
    ann, bob = house.players
    me = await ann.player()
    assert (me.matches, me.won, me.lost) == (0, 0, 0)
    await house.ended()
    seen = await house.clients["eve"].player(me.id)
    assert (seen.matches, seen.won, seen.lost) == (1, 0, 1)
    other = await bob.player()
    assert (other.matches, other.won, other.lost) == (1, 1, 0)
    assert seen.created_at == me.created_at


async def test_matches_are_listed_a_page_at_a_time(house: House) -> None:
    """The newest first; new ones move no page; a player's and a stage's alone where asked."""
    eve, ann = house.clients["eve"], house.clients["ann"]
    ids = [await house.opened(name=f"{number}") for number in range(7)]
    await ann.join(ids[3])
    rows = eve.matches(page_size=3)
    seen = [(await anext(rows)).id]
    await house.opened(name="late")
    seen += [row.id async for row in rows]
    assert seen == ids[::-1]
    player = (await ann.me()).id
    assert [row.id async for row in eve.matches(player_id=player)] == [ids[3]]

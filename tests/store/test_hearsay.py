"""What processes that share a store say of themselves, and what the others know of it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing

import pytest

from ginrummy.store import (
    Cluster,
    GroupCommit,
    Hearsay,
    LoneMember,
    MemoryStore,
    Store,
    open_store,
)
from ginrummy.store.membership import LONGEST_WORDS


@asynccontextmanager
async def process(store: Store) -> AsyncIterator[Cluster]:
    async with GroupCommit(store) as commits, Cluster(store, commits) as cluster:
        yield cluster


@pytest.fixture
def stores(shared_db: str) -> Iterator[tuple[Store, Store]]:
    with closing(open_store(shared_db)) as one, closing(open_store(shared_db)) as two:
        yield one, two


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110 -- what another thread does rings no bell here
            await asyncio.sleep(0.01)


def known(cluster: Cluster, stream: str) -> dict[tuple[str, ...], set[str]]:
    """Return what a process knows of a stream, whoever says it."""
    return {key: set(by.values()) for key, by in cluster.hearsay.said_of(stream).items()}


async def test_what_one_says_the_others_know_until_it_is_so_no_more(
    stores: tuple[Store, Store],
) -> None:
    async with process(stores[0]) as one, process(stores[1]) as two:
        told: list[tuple[object, ...]] = []
        two.hearsay.follow(lambda *each: told.append(each))
        one.hearsay.say("m_a", ("seat", "0"), "here")
        one.hearsay.say("t_a", ("call", "p_ännchen"), "“1”")
        await until(lambda: known(two, "m_a") == {("seat", "0"): {"here"}})
        await until(lambda: known(two, "t_a") == {("call", "p_ännchen"): {"“1”"}})
        assert known(one, "m_a") == {}
        two.hearsay.say("m_a", ("seat", "0"), "there")
        await until(lambda: known(one, "m_a") == {("seat", "0"): {"there"}})
        one.hearsay.say("m_a", ("seat", "0"), None)
        await until(lambda: known(two, "m_a") == {})
        name = one.hearsay.name
        assert told == [
            ("m_a", ("seat", "0"), name, "here"),
            ("t_a", ("call", "p_ännchen"), name, "“1”"),
            ("m_a", ("seat", "0"), name, None),
        ]


async def test_who_comes_later_hears_all_of_it_however_much_it_is(
    stores: tuple[Store, Store],
) -> None:
    many = {("seat", str(number)): {"é" * 100} for number in range(300)}
    async with process(stores[0]) as one:
        for key in many:
            one.hearsay.say("m_a", key, "é" * 100)
        await asyncio.sleep(0.1)
        async with process(stores[1]) as two:
            await until(lambda: known(two, "m_a") == many)


async def test_what_is_said_goes_out_in_pieces_that_a_pipe_takes_whole() -> None:
    said: list[bytes] = []

    class Member(LoneMember):
        is_shared = True

        def tell(self, words: Sequence[bytes]) -> None:
            said.extend(words)

    hearsay = Hearsay()
    hearsay.begin(Member())
    for number in range(500):
        hearsay.say("m_a", ("seat", str(number)), "x" * 50)
    await until(lambda: len(said) > 5)
    await hearsay.end()
    assert max(map(len, said)) <= LONGEST_WORDS


async def test_who_leaves_is_forgotten_at_once(stores: tuple[Store, Store]) -> None:
    async with process(stores[1]) as two:
        async with process(stores[0]) as one:
            one.hearsay.say("m_a", ("seat", "0"), "here")
            await until(lambda: known(two, "m_a") != {})
        async with asyncio.timeout(5):
            await until(lambda: known(two, "m_a") == {})


async def test_who_is_heard_of_no_more_is_forgotten(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ginrummy.store.hearsay._HERE", 0.1)
    monkeypatch.setattr("ginrummy.store.hearsay._GONE", 2.0)
    async with process(stores[0]) as one, process(stores[1]) as two:
        one.hearsay.say("m_a", ("seat", "0"), "here")
        await until(lambda: known(two, "m_a") != {})
        await asyncio.sleep(2.5)
        assert known(two, "m_a") != {}
        for task in one.hearsay._tasks:
            task.cancel()
        await until(lambda: known(two, "m_a") == {})


async def test_what_was_lost_on_the_way_is_said_again(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ginrummy.store.hearsay._HERE", 0.1)
    async with process(stores[0]) as one, process(stores[1]) as two:
        one.hearsay.say("m_a", ("seat", "0"), "here")
        await until(lambda: known(two, "m_a") != {})
        hear = two.hearsay.hear
        monkeypatch.setattr(two.hearsay, "hear", lambda _: None)
        one.hearsay.say("m_a", ("seat", "0"), None)
        one.hearsay.say("m_a", ("seat", "1"), "here")
        await asyncio.sleep(0.5)
        assert known(two, "m_a") == {("seat", "0"): {"here"}}
        monkeypatch.setattr(two.hearsay, "hear", hear)
        await until(lambda: known(two, "m_a") == {("seat", "1"): {"here"}})


async def test_who_is_cut_off_forgets_the_others_and_hears_them_again(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ginrummy.store.hearsay._HERE", 0.1)
    async with process(stores[0]) as one, process(stores[1]) as two:
        one.hearsay.say("m_a", ("seat", "0"), "here")
        await until(lambda: known(two, "m_a") != {})
        two.hearsay.forget_all()
        assert known(two, "m_a") == {}
        await until(lambda: known(two, "m_a") != {})


async def test_words_that_nobody_understands_are_passed_over(stores: tuple[Store, Store]) -> None:
    """As those of a later version."""
    async with process(stores[0]) as one, process(stores[1]) as two:
        await asyncio.to_thread(one._member.tell, [b"{}", b'{"by":"x","turn":1,"what":"dance"}'])
        one.hearsay.say("m_a", ("seat", "0"), "here")
        await until(lambda: known(two, "m_a") != {})


async def test_where_nobody_else_can_be_nothing_is_said() -> None:
    async with process(MemoryStore()) as one:
        one.hearsay.say("m_a", ("seat", "0"), "here")
        assert one.hearsay._changes == []

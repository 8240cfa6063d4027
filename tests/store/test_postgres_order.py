"""The order of all lines with many writers: no line ever appears behind a reader."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from threading import Event
from time import sleep

import psycopg
import pytest
from support_play import soak
from support_postgres import connected
from support_store import NEW, check_log, everything, moves, stored

from ginrummy.log.lines import AnyLine
from ginrummy.store import Append, Head
from ginrummy.store.postgres import PostgresStore
from ginrummy.store.postgres_connections import Connection

INSERT = "INSERT INTO events (stream, seq, hash, line) VALUES (%s, %s, %s, %s)"


def insert(connection: Connection, append: Append) -> None:
    """Insert lines as any other program would."""
    for line in append.lines:
        connection.execute(INSERT, columns(line))


def columns(line: AnyLine) -> tuple[str, int, str, str]:
    return line.stream, line.seq, line.hash, line.raw.decode()


@pytest.fixture(params=["PostgreSQL's locks", "locks that do nothing"])
def shared(request: pytest.FixtureRequest, postgres_url: str) -> str:
    """A database; also on an engine that knows advisory locks by name only."""
    if request.param == "PostgreSQL's locks":
        return postgres_url
    with connected(postgres_url) as connection:
        connection.execute(
            "CREATE FUNCTION pg_advisory_xact_lock(integer, integer) RETURNS void"
            " LANGUAGE sql AS ''"
        )
    # Named last, the catalogue is searched last.
    url = f"{postgres_url},pg_catalog"
    with connected(url) as one, connected(url) as other:
        for each in (one, other):
            each.execute("BEGIN; SELECT pg_advisory_xact_lock(1, 1)")
    return url


def test_a_line_that_commits_late_comes_before_all_that_commit_after_it(shared: str) -> None:
    """One connection holds its transaction open, another one wants to store meanwhile."""
    early, late = moves("m_early"), moves("m_late", 2)
    with closing(PostgresStore(shared)) as store, connected(shared) as slow:
        stored(store, early)
        with ThreadPoolExecutor(1) as threads:
            with slow.transaction():
                insert(slow, late)
                other = threads.submit(stored, store, moves("m_other"))
                seen = store.read_all()
                sleep(0.3)
                # Whatever is visible now: what comes later must come after it.
                seen += store.read_all(after=seen[-1][0])
                assert [raw for _, raw in seen] == [early.lines[0].raw]
            other.result(timeout=30)
        seen += store.read_all(after=seen[-1][0])
        assert seen == store.read_all()
        assert [position for position, _ in seen] == [1, 2, 3, 4]
        assert check_log(store) == {"m_early": 1, "m_late": 2, "m_other": 1}


def test_a_transaction_that_is_given_up_leaves_no_hole(shared: str) -> None:
    with closing(PostgresStore(shared)) as store, connected(shared) as slow:
        with ThreadPoolExecutor(1) as threads:
            with slow.transaction():
                insert(slow, moves("m_late", 2))
                other = threads.submit(stored, store, moves("m_other"))
                sleep(0.2)
                raise psycopg.Rollback
            other.result(timeout=30)
        assert [position for position, _ in store.read_all()] == [1]
        assert check_log(store) == {"m_other": 1}


def test_followers_of_many_writers_miss_nothing(shared: str) -> None:
    """Three servers, and one program that keeps its transactions open for a while."""
    done = Event()
    count = soak(300, 30)

    def follow(store: PostgresStore) -> list[bytes]:
        seen: list[bytes] = []
        last = 0
        while True:
            over = done.is_set()
            page = store.read_all(last)
            assert [position for position, _ in page] == [*range(last + 1, last + 1 + len(page))]
            seen += [raw for _, raw in page]
            last += len(page)
            if over and not page:
                return seen

    def write(store: PostgresStore, name: str) -> None:
        heads = [NEW] * 5
        for _ in range(count):
            appends = [moves(f"m_{name}{i}", 2, head) for i, head in enumerate(heads)]
            heads = [each for each in store.append(appends) if isinstance(each, Head)]
            assert len(heads) == len(appends)

    def dawdle() -> None:
        rng = random.Random(1)
        with connected(shared) as slow:
            for append in written_slowly(count):
                while True:
                    try:
                        with slow.transaction():
                            insert(slow, append)
                            sleep(rng.random() * 0.02)
                        break
                    except psycopg.errors.UniqueViolation:
                        continue  # without locks, another writer took the position

    with ExitStack() as stack, ThreadPoolExecutor(6) as threads:
        stores = [stack.enter_context(closing(PostgresStore(shared))) for _ in range(3)]
        followers = [threads.submit(follow, store) for store in stores[:2]]
        writers = [threads.submit(write, store, str(i)) for i, store in enumerate(stores)]
        writers.append(threads.submit(dawdle))
        try:
            for writer in writers:
                writer.result()
        finally:
            done.set()
        whole = [raw for _, raw in everything(stores[0])]
        for follower in followers:
            assert follower.result() == whole
        assert len(check_log(stores[0])) == 16


def written_slowly(count: int) -> Iterator[Append]:
    head = NEW
    for _ in range(count):
        append = moves("m_slow", 2, head)
        head = append.head
        yield append

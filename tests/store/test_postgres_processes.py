"""Several processes on one PostgreSQL database, and processes that are killed on it."""

from contextlib import closing
from pathlib import Path

from support_play import soak
from support_store import check_log, moves, stored
from support_store_processes import (
    SPAWN,
    append_for_ever,
    finish,
    open_at_once,
    race,
    read_and_append,
)

from ginrummy.store.postgres import PostgresStore


def test_of_50_writers_in_two_processes_one_wins(postgres_url: str, tmp_path: Path) -> None:
    """D1"""
    PostgresStore(postgres_url).close()
    start = SPAWN.Barrier(50)
    names = ("left", "right")
    racers = [
        SPAWN.Process(daemon=True, target=race, args=(postgres_url, tmp_path, start, name, 25))
        for name in names
    ]
    for racer in racers:
        racer.start()
    finish(*racers)
    assert sum(int((tmp_path / f"{name}.won").read_text()) for name in names) == 1
    with closing(PostgresStore(postgres_url)) as store:
        assert check_log(store) == {"m_a": 1}


def test_two_processes_read_and_append_in_turns(postgres_url: str) -> None:
    """D2 No "locked" error, and no event is lost."""
    start = SPAWN.Barrier(2)
    times = soak(1000, 100)
    writers = [
        SPAWN.Process(daemon=True, target=read_and_append, args=(postgres_url, start, name, times))
        for name in ("left", "right")
    ]
    for writer in writers:
        writer.start()
    finish(*writers)
    with closing(PostgresStore(postgres_url)) as store:
        assert check_log(store) == {"m_a": 2 * times}


def test_processes_may_open_a_new_database_at_once(postgres_url: str) -> None:
    start = SPAWN.Barrier(4)
    openers = [
        SPAWN.Process(daemon=True, target=open_at_once, args=(postgres_url, start, str(number)))
        for number in range(4)
    ]
    for opener in openers:
        opener.start()
    finish(*openers)
    with closing(PostgresStore(postgres_url)) as store:
        assert check_log(store) == {f"m_{number}": 1 for number in range(4)}


def test_a_store_goes_on_after_a_killed_process(postgres_url: str) -> None:
    """D4 No lock stays behind, and the log's end is as the last commit left it."""
    start = SPAWN.Barrier(2)
    writer = SPAWN.Process(daemon=True, target=append_for_ever, args=(postgres_url, start))
    writer.start()
    with closing(PostgresStore(postgres_url)) as store:
        start.wait(60)
        while store.head("m_a").seq < 60:
            pass
        writer.kill()
        writer.join()
        while True:
            # What was under way at the killing may still come.
            head = store.head("m_a")
            assert head.seq % 3 == 0
            if len(stored_after(store, head.seq)) == 1:
                break
        assert check_log(store) == {"m_a": head.seq + 1}


def stored_after(store: PostgresStore, seq: int) -> list[bytes]:
    head = store.head("m_a")
    if head.seq == seq:
        stored(store, moves("m_a", 1, head))
    return list(store.read("m_a", seq))

"""Several processes on one SQLite file, and processes that are killed on it."""

from contextlib import closing
from pathlib import Path

import pytest
from support_play import soak
from support_store import check_log, moves, rows, stored
from support_store_processes import (
    MATCHES,
    SPAWN,
    append_as_member,
    append_for_ever,
    batches,
    die_at_every_step,
    finish,
    open_at_once,
    race,
    read_and_append,
)

from ginrummy.store import Conflict, Head, SqliteStore


def test_of_50_writers_in_two_processes_one_wins(tmp_path: Path) -> None:
    """D1"""
    path = tmp_path / "gin.db"
    start = SPAWN.Barrier(50)
    names = ("left", "right")
    racers = [
        SPAWN.Process(daemon=True, target=race, args=(str(path), tmp_path, start, name, 25))
        for name in names
    ]
    for racer in racers:
        racer.start()
    finish(*racers)
    assert sum(int((tmp_path / f"{name}.won").read_text()) for name in names) == 1
    with closing(SqliteStore(path)) as store:
        assert check_log(store) == {"m_a": 1}


def test_two_processes_read_and_append_in_turns(tmp_path: Path) -> None:
    """D2 No "locked" error, and no event is lost."""
    path = tmp_path / "gin.db"
    start = SPAWN.Barrier(2)
    times = soak(1000, 200)
    names = ("left", "right")
    writers = [
        SPAWN.Process(daemon=True, target=read_and_append, args=(str(path), start, name, times))
        for name in names
    ]
    for writer in writers:
        writer.start()
    finish(*writers)
    with closing(SqliteStore(path)) as store:
        assert check_log(store) == {"m_a": 2 * times}


def test_whoever_follows_those_who_share_a_file_misses_none_of_their_lines(tmp_path: Path) -> None:
    """A line becomes visible after all lines of lower positions, whichever process stores it."""
    path = tmp_path / "gin.db"
    start = SPAWN.Barrier(4)
    times = soak(1000, 150)
    streams = ("m_a", "m_b", "m_c")
    writers = [
        SPAWN.Process(daemon=True, target=append_as_member, args=(str(path), start, stream, times))
        for stream in streams
    ]
    for writer in writers:
        writer.start()
    lines = len(streams) * sum(1 + turn % 3 for turn in range(times))
    with closing(SqliteStore(path)) as store:
        start.wait(60)
        positions: list[int] = []
        while len(positions) < lines and any(writer.is_alive() for writer in writers):
            positions += [at for at, _ in store.read_all(positions[-1] if positions else 0)]
        positions += [at for at, _ in store.read_all(positions[-1], lines)]
        assert positions == list(range(1, lines + 1))
        finish(*writers)
        assert set(check_log(store).values()) == {lines // len(streams)}


def test_processes_may_open_a_new_database_at_once(tmp_path: Path) -> None:
    start = SPAWN.Barrier(4)
    path = tmp_path / "gin.db"
    openers = [
        SPAWN.Process(daemon=True, target=open_at_once, args=(str(path), start, str(number)))
        for number in range(4)
    ]
    for opener in openers:
        opener.start()
    finish(*openers)
    with closing(SqliteStore(path)) as store:
        assert check_log(store) == {f"m_{number}": 1 for number in range(4)}


def test_a_store_goes_on_after_a_killed_process(tmp_path: Path) -> None:
    """D4 The write lock and the log's end are as the last commit left them."""
    path = tmp_path / "gin.db"
    start = SPAWN.Barrier(2)
    writer = SPAWN.Process(daemon=True, target=append_for_ever, args=(str(path), start))
    writer.start()
    with closing(SqliteStore(path)) as store:
        start.wait(60)
        while store.head("m_a").seq < 300:
            pass
        writer.kill()
        writer.join()
        head = store.head("m_a")
        assert head.seq % 3 == 0
        stored(store, moves("m_a", 1, head))
        assert check_log(store) == {"m_a": head.seq + 1}


@pytest.fixture(scope="module")
def remains(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """What is left of a hundred databases whose writers were killed, each at another step."""
    folder = tmp_path_factory.mktemp("killed")
    stride = soak(1, 3)
    killers = [
        SPAWN.Process(daemon=True, target=die_at_every_step, args=(folder, first, 2 * stride))
        for first in (1, 1 + stride)
    ]
    with pytest.MonkeyPatch.context() as patch:
        # They fork. Where numpy is installed sqlite-utils imports it, and it starts threads.
        patch.setenv("OPENBLAS_NUM_THREADS", "1")
        for killer in killers:
            killer.start()
    finish(*killers)
    return sorted(folder.glob("*.db"))


def test_wherever_a_writer_is_killed_its_appends_are_there_or_not(remains: list[Path]) -> None:
    """D4 D9 Acknowledged events are there, and the rows are what a rebuild gives."""
    assert len(remains) >= 100
    unacknowledged = 0
    for path in remains:
        acknowledged = len(path.with_suffix(".acknowledged").read_bytes())
        with closing(SqliteStore(path)) as store:
            lengths = set(check_log(store).values()) or {0}
            assert len(lengths) == 1, "a batch is one transaction"
            (length,) = lengths
            assert acknowledged <= length <= acknowledged + 1
            unacknowledged += length - acknowledged
            before = rows(store), projected(store)
            store.rebuild()
            assert (rows(store), projected(store)) == before
    assert unacknowledged >= 1, "one at least was killed between its commit and its answer"


def projected(store: SqliteStore) -> int:
    """Return the position that the rows have come to."""
    assert store._writer is not None
    (position,) = store._writer.execute("SELECT position FROM projected").fetchone()
    return int(position)


def test_a_killed_run_is_carried_on(remains: list[Path]) -> None:
    for path in remains[::10]:
        with closing(SqliteStore(path)) as store:
            for batch in batches():
                for outcome in store.append(batch):
                    assert isinstance(outcome, Head | Conflict)
            length = len(batches())
            assert check_log(store) == {f"m_{number}": length for number in range(MATCHES)}
            assert [row.matches for row in store.records()] == [MATCHES, MATCHES]

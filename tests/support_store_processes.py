"""What the tests let other processes do to a database."""

import os
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.context import SpawnContext
from multiprocessing.synchronize import Barrier
from pathlib import Path
from time import sleep

from sqlite_utils import Database
from support_store import moves, stored, whole_match, written

from ginrummy.rules.events import StockDrawn
from ginrummy.store import Append, Head, SqliteStore, open_store
from ginrummy.store.membership import DUTIES

SPAWN = SpawnContext()

KILLED = 9
"""How a process ends that was killed on purpose."""

MATCHES = 3
PLAYERS = ("p_ann", "p_ben")


def finish(*processes: object) -> None:
    """Wait for processes that have to end well."""
    for process in processes:
        assert isinstance(process, SPAWN.Process)
        process.join(120)
        assert process.exitcode == 0


def race(db: str, folder: Path, start: Barrier, name: str, writers: int) -> None:
    """Let `writers` threads append one line each onto the same head, all at once."""
    store = open_store(db)

    def append(writer: int) -> bool:
        mine = written("m_a", [StockDrawn(0)], cmd=f"{name} {writer}")
        start.wait()
        (outcome,) = store.append([mine])
        return isinstance(outcome, Head)

    with ThreadPoolExecutor(writers) as threads:
        won = sum(threads.map(append, range(writers)))
    store.close()
    (folder / f"{name}.won").write_text(str(won))


def read_and_append(db: str, start: Barrier, name: str, times: int) -> None:
    """Read the head and append onto it, again where another was first, `times` times."""
    store = open_store(db)
    start.wait()
    for turn in range(times):
        while True:
            mine = moves("m_a", 1, store.head("m_a"), cmd=f"{name} {turn}")
            (outcome,) = store.append([mine])
            if isinstance(outcome, Head):
                break
    store.close()


def append_as_member(db: str, start: Barrier, stream: str, times: int) -> None:
    """Append to a stream of one's own, as one of those who share a database."""
    store = open_store(db)
    member = store.join(lambda: None)
    head = Head()
    start.wait()
    for turn in range(times):
        head = stored(store, moves(stream, 1 + turn % 3, head))
    member.close()
    store.close()


def open_at_once(db: str, start: Barrier, name: str) -> None:
    """Open a database that may not be there yet, and write to it."""
    start.wait()
    store = open_store(db)
    stored(store, moves(f"m_{name}"))
    store.close()


def append_for_ever(db: str, start: Barrier) -> None:
    """Append to one stream until killed."""
    store = open_store(db)
    head = Head()
    start.wait()
    while True:
        head = stored(store, moves("m_a", 3, head))


# --- killed at every step -----------------------------------------------------------------------


def batches() -> list[list[Append]]:
    """Return whole matches, an event of each in every batch; the same ones at every call."""
    matches = [written(f"m_{number}", whole_match(PLAYERS)).lines for number in range(MATCHES)]
    return [
        [Append(line.stream, line.seq - 1, (line,)) for line in lines]
        for lines in zip(*matches, strict=True)
    ]


def die_at_every_step(folder: Path, first: int, stride: int) -> None:
    """Append the batches again and again, killed at another step each time.

    The run that is killed at step n leaves `n.db`, and `n.acknowledged` with how many of its
    appends had returned. It is over when a run gets to its end.
    """
    step = first
    while True:
        path = folder / f"{step}.db"
        child = os.fork()
        if child == 0:
            _run(path, step)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        ended = os.waitstatus_to_exitcode(status)
        if ended == 0:
            path.unlink()
            return
        assert ended == KILLED, ended
        step += stride


class DyingStore(SqliteStore):
    """A store whose process is killed as it comes to a certain step."""

    def die_at(self, step: int) -> None:
        """Count every statement, and the way out of every commit, as a step."""
        assert self._writer is not None
        self._left = step
        self._writer.conn.set_trace_callback(self._step)

    def _step(self, statement: str) -> None:
        self._left -= not statement.startswith("--")  # what a trigger does is within its statement
        if self._left == 0:
            os._exit(KILLED)

    def _commit(self, db: Database, last: str = "COMMIT", values: Sequence[str | int] = ()) -> None:
        super()._commit(db, last, values)
        self._step("committed")


def _run(path: Path, deadly: int) -> None:
    store = DyingStore(path)
    store.die_at(deadly)
    with path.with_suffix(".acknowledged").open("wb", buffering=0) as acknowledged:
        for batch in batches():
            store.append(batch)
            acknowledged.write(b".")


def foreign(path: Path) -> sqlite3.Connection:
    """Open the database as any other program would, without our settings."""
    return sqlite3.connect(path, isolation_level=None)


def hold_duties(db: str, start: Barrier) -> None:
    """Come among those who share a database, take all duties, and keep them until killed."""
    member = open_store(db).join(lambda: None)
    while not all(map(member.has, DUTIES)):
        sleep(0.01)
    start.wait()
    sleep(600)

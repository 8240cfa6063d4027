"""Databases whose log is signed, and what somebody with the file can do to them."""

import asyncio
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from secrets import token_bytes

from support_server import until

from ginrummy.log.lines import AnyLine
from ginrummy.notary.keys import signing_key
from ginrummy.notary.notary import Notary
from ginrummy.store import Append, GroupCommit, Head, SqliteStore

__all__ = ["TAMPERED", "sign", "signed_database", "tampered"]


async def _sign(store: SqliteStore) -> None:
    commits = GroupCommit(store)
    notary = Notary(store, commits, signing_key(store, token_bytes), pause=0.01)
    async with commits:
        notary.start()
        for pause in until():
            last = store.last_checkpoint()
            if last is not None and last.size == len(store.read_all(limit=10**6)):
                break
            await asyncio.sleep(pause)
    await notary.close()


def sign(path: Path) -> bytes:
    """Sign a database's log as a server does, and return the checkpoint."""
    with closing(SqliteStore(path)) as store:
        asyncio.run(_sign(store))
        last = store.last_checkpoint()
    assert last is not None
    return last.note


def signed_database(path: Path, *logs: Sequence[AnyLine]) -> bytes:
    """Make a database of whole logs, or add them to it, and sign it; return the checkpoint."""
    with closing(SqliteStore(path)) as store:
        for lines in logs:
            (outcome,) = store.append([Append(lines[0].stream, 0, tuple(lines))])
            assert isinstance(outcome, Head)
    return sign(path)


TAMPERED = {
    "cut": ["DELETE FROM events WHERE position > (SELECT max(position) - 1 FROM events)"],
    "cut deep": ["DELETE FROM events WHERE position > 40"],
    "rewritten": [
        "UPDATE events SET line = replace(line, '\"seat\":0', '\"seat\":1') WHERE position = 30"
    ],
    "left out": ["DELETE FROM events WHERE position = 30"],
    "reordered": [
        "UPDATE events SET position = 1000000 WHERE position = 30",
        "UPDATE events SET position = 30 WHERE position = 31",
        "UPDATE events SET position = 31 WHERE position = 1000000",
    ],
    "doubled": [
        "UPDATE events SET position = -position WHERE position > 30",
        (
            "INSERT INTO events (position, stream, seq, hash, line)"
            " SELECT 31, stream || 'x', seq, hash, line FROM events WHERE position = 30"
        ),
        "UPDATE events SET position = 1 - position WHERE position < 0",
    ],
    "forked": [
        # Another end of the same stream, linked as it has to be, in the place of its last line.
        (
            'UPDATE events SET line = replace(line, \'"cmd":"\', \'"cmd":"x\')'
            " WHERE position = (SELECT max(position) FROM events)"
        ),
    ],
}
"""What is done to a log behind its server's back, in SQL."""


def tampered(path: Path, kind: str) -> Path:
    """Return a copy of a database in which the log was changed, its defences removed."""
    copy = path.with_name(f"{kind.replace(' ', '-')}.db")
    shutil.copy(path, copy)
    with closing(sqlite3.connect(copy)) as db:
        for trigger in ("events_stay", "events_never_change", "events_continue"):
            db.execute(f"DROP TRIGGER {trigger}")
        # A position may be anything while it is moved.
        db.execute("PRAGMA ignore_check_constraints = ON")
        for statement in TAMPERED[kind]:
            db.execute(statement)
        db.commit()
    return copy

"""Databases of earlier versions: opened, they have all that they had, and take what came since."""

from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest
from support_audit import CLASSIC
from support_disputed_logs import disputed_match
from support_forks import forked_match
from support_golden import golden_log
from support_postgres import connected
from support_store import check_log, rows
from support_store_processes import foreign

from ginrummy.log.lines import MatchLine, read_line
from ginrummy.store import (
    Append,
    Credential,
    SqliteStore,
    Store,
    StoredCheckpoint,
    Tile,
    hash_token,
)
from ginrummy.store.postgres import PostgresStore
from ginrummy.store.postgres_migrations import _MIGRATIONS
from ginrummy.store.postgres_schema import WRITABLE

TILE = Tile(0, 0, 256, b"\x01" * 32, b"\x01" * 8192)
ANN = Credential("p_ann", "Ann", "director", hash_token("ann's token"), 1)

LOGS = ("classic", "standard", "resigned", "aborted", "board", "unrevealed", "nonces_v2")
"""Matches that no ruling and no fork touches, ended and under way."""

FORK = forked_match(CLASSIC.log, 20)
DISPUTED = disputed_match(5)


def keep(store: Store, lines: tuple[MatchLine, ...]) -> None:
    store.append([Append(lines[0].stream, 0, lines)])


def fill(store: Store) -> None:
    """Put into a store what every version of it could hold."""
    for name in LOGS:
        keep(store, tuple(map(read_line, golden_log(name))))
    store.keep_secret("m_a", "chain", b"secret")
    store.add_player(ANN)
    store.grow([TILE], StoredCheckpoint(256, b"a note\n"))


def held(store: Store) -> tuple[object, ...]:
    """Return all that is in a store."""
    logs = {stream: list(store.read(stream)) for stream in store.streams("")}
    checkpoint = store.last_checkpoint()
    return logs, rows(store), store.secrets_after(), store.players(), checkpoint


def check_new(store: Store, before: tuple[object, ...]) -> None:
    """Check that a store has what it had, and lists forks and disputes as a new one does."""
    assert held(store) == before
    assert check_log(store)
    keep(store, tuple(FORK.lines))
    keep(store, tuple(DISPUTED.lines))
    fork, disputed = store.match(FORK.stream), store.match(DISPUTED.stream)
    assert fork is not None
    assert disputed is not None
    assert (fork.practice, fork.disputes) == (True, 0)
    assert (disputed.practice, disputed.disputes, disputed.open_disputes) == (False, 3, 1)
    listed = rows(store)
    store.rebuild()
    assert rows(store) == listed


BEFORE_SNAPSHOTS = "DROP TABLE snapshots; DROP TABLE presence;"
BEFORE_DISPUTES = (
    "DROP INDEX matches_disputed; ALTER TABLE matches DROP COLUMN replay_of;"
    "ALTER TABLE matches DROP COLUMN disputes; ALTER TABLE matches DROP COLUMN open_disputes;"
    "ALTER TABLE matches DROP COLUMN replaying; ALTER TABLE matches DROP COLUMN adjusted;"
)
BEFORE_PRACTICE = "ALTER TABLE matches DROP COLUMN practice;"


@pytest.mark.parametrize(
    ("since", "without"),
    [
        ("0003_practice", BEFORE_SNAPSHOTS + BEFORE_DISPUTES + BEFORE_PRACTICE),
        ("0004_disputes", BEFORE_SNAPSHOTS + BEFORE_DISPUTES),
        ("0005_snapshots", BEFORE_SNAPSHOTS),
    ],
)
def test_a_sqlite_file_from_before_a_migration_keeps_everything(
    since: str, without: str, tmp_path: Path
) -> None:
    path = tmp_path / "gin.db"
    with closing(SqliteStore(path)) as store:
        fill(store)
        before = held(store)
    with closing(foreign(path)) as old:
        old.executescript(without)
        old.execute("DELETE FROM _sqlite_migrations WHERE name >= ?", [since])
        old.commit()
    with closing(SqliteStore(path)) as store:
        check_new(store, before)
    with closing(foreign(path)) as mended, closing(foreign(tmp_path / "new.db")) as new:
        SqliteStore(tmp_path / "new.db").close()
        names = "SELECT name FROM _sqlite_migrations ORDER BY name"
        assert mended.execute(names).fetchall() == new.execute(names).fetchall()
        columns = "SELECT name FROM pragma_table_info('matches') ORDER BY name"
        assert mended.execute(columns).fetchall() == new.execute(columns).fetchall()


def test_a_postgres_database_from_before_a_migration_keeps_everything(postgres_url: str) -> None:
    first, *later = _MIGRATIONS
    assert later
    old = {first: _MIGRATIONS[first]}
    tables = {name: may for name, may in WRITABLE.items() if name not in ("snapshots", "presence")}
    with (
        patch("ginrummy.store.postgres_migrations._MIGRATIONS", old),
        patch("ginrummy.store.postgres_migrations.WRITABLE", tables),
        closing(PostgresStore(postgres_url)) as store,
    ):
        fill(store)
        before = held(store)
    with connected(postgres_url) as connection:
        applied = connection.execute("SELECT name FROM migrations").fetchall()
        assert applied == [(first,)]
    with closing(PostgresStore(postgres_url)) as store:
        check_new(store, before)
    with connected(postgres_url) as connection:
        applied = connection.execute("SELECT name FROM migrations ORDER BY name").fetchall()
        assert applied == [(name,) for name in sorted(_MIGRATIONS)]


# --- practice -------------------------------------------------------------------------------------


def test_a_list_says_which_matches_are_for_practice_and_counts_none(store: Store) -> None:
    """A fork has a row like any match, and neither a result nor a record."""
    keep(store, tuple(FORK.lines[:3]))
    row = store.match(FORK.stream)
    assert row is not None
    assert row.practice
    for line in FORK.lines[3:]:
        store.append([Append(line.stream, line.seq - 1, (line,))])
        row = store.match(FORK.stream)
        assert row is not None
        assert row.practice
    assert (row.stage, store.results(), store.records()) == ("ended", [], [])
    keep(store, tuple(CLASSIC.lines))
    own = store.match(CLASSIC.stream)
    assert own is not None
    assert not own.practice
    assert [result.match for result in store.results()] == [CLASSIC.stream]
    before = rows(store)
    store.rebuild()
    assert rows(store) == before

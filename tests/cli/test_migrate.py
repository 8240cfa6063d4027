"""gin migrate: a whole log from SQLite to PostgreSQL and back, checked on its way."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from secrets import token_bytes

import pytest
from click.testing import CliRunner, Result
from support_postgres import postgres_schema
from support_store import START, check_log, everything, moves, rows, stored, whole_match, written

from ginrummy.cli import main
from ginrummy.log.checkpoints import checkpoint_text
from ginrummy.log.signing import signed
from ginrummy.notary.keys import signing_key
from ginrummy.store import (
    Credential,
    Role,
    SqliteStore,
    Store,
    StoredCheckpoint,
    TreeGrowth,
    open_store,
)

CHANGED = "replace(line, '\"seat\":0', '\"seat\":1')"
LAST = "position = (SELECT max(position) FROM events)"


@pytest.fixture
def source(tmp_path: Path) -> str:
    """A database with matches, secrets, players, and a tree that was signed twice."""
    path = tmp_path / "gin.db"
    with closing(SqliteStore(path)) as store:
        key = signing_key(store, token_bytes)
        role: Role
        for name, role in (("ann", "player"), ("dee", "director")):
            store.add_player(Credential(f"p_{name}", name, role, f"hash of {name}", START))
        growth = TreeGrowth(store)
        for number, count in ((0, 700), (1, 3)):
            store.keep_secret(f"m_{number}", "chain", bytes([number]) * 32)
            stored(store, moves(f"m_{number}", count))
            stored(store, written(f"m_w{number}", whole_match(("p_ann", "p_ben"))))
            tiles = growth.add(store.read_all(growth.position, 2000))
            text = checkpoint_text(key.name, growth.size, growth.root())
            store.grow(tiles, StoredCheckpoint(growth.size, signed(text, key)))
        # What nobody has signed yet.
        stored(store, moves("m_late", 2))
    return str(path)


@pytest.fixture
def empty() -> Iterator[str]:
    with postgres_schema() as url:
        yield url


def migrate(source: str, target: str) -> Result:
    return CliRunner().invoke(main, ["migrate", source, target])


def contents(store: Store) -> tuple[object, ...]:
    checkpoints = []
    size = 0
    while (found := store.checkpoint_from(size)) is not None:
        checkpoints.append(found)
        size = found.size + 1
    tiles = [store.tile(level, number) for level in (0, 1) for number in range(5)]
    return (
        list(everything(store)),
        store.secrets_after(),
        store.players(),
        checkpoints,
        tiles,
        rows(store),
    )


def test_a_log_goes_to_postgresql_and_back(source: str, empty: str, tmp_path: Path) -> None:
    there = migrate(source, empty)
    assert there.exit_code == 0, there.output
    assert "733 events of 5 matches and tournaments, 2 checkpoints, 2 players, 3 secrets" in (
        there.stdout
    )
    back = migrate(empty, str(tmp_path / "back.db"))
    assert back.exit_code == 0, back.output
    found = []
    for db in (source, empty, str(tmp_path / "back.db")):
        with closing(open_store(db, create=False)) as store:
            check_log(store)
            found.append(contents(store))
    assert found[0] == found[1] == found[2]
    assert (tmp_path / "back.db").stat().st_mode & 0o777 == 0o600


def test_a_copy_goes_on_where_the_log_was(source: str, empty: str) -> None:
    assert migrate(source, empty).exit_code == 0
    with closing(open_store(source)) as old, closing(open_store(empty)) as new:
        stored(new, moves("m_late", 3, old.head("m_late")))
        assert check_log(new)["m_late"] == 5


@pytest.mark.parametrize("what", ["line", "secret", "player"])
def test_a_target_that_holds_something_is_refused_and_left_alone(
    source: str, empty: str, what: str
) -> None:
    with closing(open_store(empty)) as store:
        if what == "line":
            stored(store, moves("m_mine"))
        elif what == "secret":
            store.keep_secret("m_mine", "chain", b"mine")
        else:
            store.add_player(Credential("p_me", "Me", "player", "hash", START))
        before = contents(store)
    refused = migrate(source, empty)
    assert refused.exit_code == 2
    assert "holds something already" in refused.stderr
    assert migrate(source, source).exit_code == 2
    with closing(open_store(empty)) as store:
        assert contents(store) == before


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (
            f"UPDATE events SET line = {CHANGED} WHERE position = 5",
            "event 6 of m_0 does not follow",
        ),
        (f"UPDATE events SET line = {CHANGED} WHERE {LAST}", "event 2 of m_late has another hash"),
        ("UPDATE events SET line = replace(line, ':', ': ') WHERE position = 5", "cannot be read"),
        ("DELETE FROM events WHERE stream = 'm_0' AND seq = 700", "not those that were signed"),
        ("DELETE FROM events WHERE position > 600", "lines were signed"),
        ("UPDATE checkpoints SET note = replace(note, char(10) || '7', char(10) || '8')", "signed"),
        ("UPDATE checkpoints SET note = 'nothing'", "the checkpoint of 714 lines"),
    ],
)
def test_a_log_that_was_changed_is_found_out(
    source: str, tmp_path: Path, damage: str, said: str
) -> None:
    with closing(sqlite3.connect(source, isolation_level=None)) as thief:
        for trigger in ("events_stay", "events_never_change", "checkpoints_never_change"):
            thief.execute(f"DROP TRIGGER {trigger}")
        thief.execute(damage)
    target = tmp_path / "copy.db"
    refused = migrate(source, str(target))
    assert refused.exit_code == 1, refused.output
    assert said in refused.stderr
    assert not target.exists()


def test_databases_that_are_not_there_are_refused(tmp_path: Path, source: str) -> None:
    for arguments in (
        (str(tmp_path / "nowhere.db"), str(tmp_path / "new.db")),
        (source, "postgresql://ann:opensesame@127.0.0.1:1/gin"),
        (source, ":memory:"),
    ):
        refused = migrate(*arguments)
        assert refused.exit_code == 2
        assert "Traceback" not in refused.output
        assert "opensesame" not in refused.output
    assert not (tmp_path / "new.db").exists()


def test_a_target_that_cannot_be_used_is_named_once(tmp_path: Path, source: str) -> None:
    target = str(tmp_path / "no" / "gin.db")
    result = migrate(source, target)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {target} cannot be opened: ")

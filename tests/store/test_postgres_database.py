"""The PostgreSQL database: who may do what in it, what it refuses, what others can read in it."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import LiteralString
from unittest.mock import patch

import psycopg
import pytest
from psycopg import sql
from support_postgres import FaultyPostgresStore, connected, server_url
from support_store import check_log, moves, rows, stored, whole_match, written

from ginrummy.log.lines import GENESIS
from ginrummy.store import (
    Credential,
    Head,
    StoreClosedError,
    StoredCheckpoint,
    StoreFailedError,
    Tile,
    UnusableDatabaseError,
    open_store,
)
from ginrummy.store.postgres import PostgresStore
from ginrummy.store.postgres_connections import Connection, Connections, shown_name
from ginrummy.store.postgres_migrations import _MIGRATIONS, SERVER_ROLE

TILE = Tile(0, 0, 256, b"\x01" * 32, b"\x01" * 8192)
LINE = "INTO events (stream, seq, hash, line) SELECT"
PLACED = "INTO events (position, stream, seq, hash, line) SELECT"
OF_A = "FROM events WHERE stream = 'm_a' AND seq ="
OF_B = "FROM events WHERE stream = 'm_b' AND seq ="


@pytest.fixture
def filled(postgres_store: FaultyPostgresStore) -> FaultyPostgresStore:
    """Two streams, a secret, a tile and a checkpoint."""
    stored(postgres_store, moves("m_a", 3))
    stored(postgres_store, moves("m_b", 2))
    postgres_store.keep_secret("m_a", "chain", b"secret")
    postgres_store.grow([TILE], StoredCheckpoint(256, b"a note\n"))
    return postgres_store


@pytest.fixture
def superuser(filled: FaultyPostgresStore, postgres_url: str) -> Iterator[Connection]:
    with connected(postgres_url) as connection:
        yield connection


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET line = replace(line, '\"seat\":0', '\"seat\":1') WHERE seq = 2",
        "UPDATE events SET position = position + 100",
        "DELETE FROM events",
        "DELETE FROM events WHERE position = (SELECT max(position) FROM events)",
        "TRUNCATE events",
        "SET session_replication_role = replica; DELETE FROM events",
        f"INSERT {PLACED} 7, 'm_c', 1, hash, line {OF_A} 1",
        f"INSERT {PLACED} 5, 'm_c', 1, hash, line {OF_A} 1",
        f"INSERT {PLACED} 0, 'm_c', 1, hash, line {OF_A} 1",
        f"INSERT {LINE} stream, 3, hash, line {OF_A} 3",
        f"INSERT {LINE} stream, 3, hash, line {OF_B} 2",
        f"INSERT {LINE} stream, 4, hash, line {OF_A} 2",
        f"INSERT {LINE} stream, 5, hash, line {OF_A} 3",
        f"INSERT {LINE} 'm_c', 1, hash, line {OF_A} 2",
        f"INSERT {LINE} 'm_c', 0, hash, line {OF_A} 1",
        f"INSERT {LINE} 'm_c', 1, 'x', line {OF_A} 1",
        f"INSERT {LINE} 'm_c', 1, hash, line || ' ' {OF_A} 1",
        "INSERT INTO events (stream, seq, hash, line) VALUES ('m_c', 1, 'x', 'no line')",
        "INSERT INTO events (stream, seq, hash, line) VALUES ('m_c', 1, 'x', '{}')",
        "INSERT INTO events (stream, seq, hash) VALUES ('m_c', 1, 'x')",
        "UPDATE secrets SET secret = '\\x00'",
        "DELETE FROM secrets",
        "TRUNCATE secrets",
        "INSERT INTO secrets VALUES ('m_a', 'chain', '\\x00')",
        "INSERT INTO secrets TABLE secrets ON CONFLICT (stream, name) DO UPDATE SET name = ''",
        "UPDATE tiles SET position = 1",
        "DELETE FROM tiles",
        "TRUNCATE tiles",
        "INSERT INTO tiles SELECT 0, 2, position, root, hashes FROM tiles",
        "INSERT INTO tiles SELECT 0, 1, position, root, '\\x00' FROM tiles",
        "UPDATE checkpoints SET note = 'another'",
        "DELETE FROM checkpoints",
        "INSERT INTO checkpoints VALUES (256, 'another')",
    ],
)
def test_the_database_itself_refuses_every_change_of_the_past(
    superuser: Connection, filled: FaultyPostgresStore, statement: LiteralString
) -> None:
    """Even to a superuser, and even to a session that says it only copies from elsewhere."""
    before = everything_in(superuser)
    with pytest.raises(psycopg.errors.IntegrityError):
        superuser.execute(statement)
    assert everything_in(superuser) == before
    assert check_log(filled) == {"m_a": 3, "m_b": 2}


def everything_in(connection: Connection) -> list[tuple[object, ...]]:
    return [
        row
        for query in (
            "SELECT * FROM events ORDER BY position",
            "SELECT * FROM secrets",
            "SELECT * FROM tiles",
            "SELECT * FROM checkpoints",
        )
        for row in connection.execute(query)
    ]


# --- the server's role --------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["events", "secrets", "tiles", "checkpoints", "credentials"])
@pytest.mark.parametrize(
    "statement", ["UPDATE {} SET ctid = ctid", "DELETE FROM {}", "TRUNCATE {}", "DROP TABLE {}"]
)
def test_a_server_has_no_right_to_change_what_is_stored(
    filled: FaultyPostgresStore, table: str, statement: LiteralString
) -> None:
    """Its connections take a role on that may add and read, whoever it logs in as."""
    if statement.startswith("UPDATE"):
        column = {"events": "line", "secrets": "secret", "credentials": "role"}.get(
            table, "position" if table == "tiles" else "note"
        )
        statement = f"UPDATE {{}} SET {column} = {column}"
    with (
        pytest.raises(StoreFailedError, match=r"permission denied|must be owner"),
        filled._connections.lent() as connection,
    ):
        connection.execute(sql.SQL(statement).format(sql.Identifier(table)))
    assert filled.restricted


@pytest.fixture
def login(postgres_url: str) -> Iterator[tuple[str, str]]:
    """A login that has been given the server's role and nothing else: its name, and its address.

    The database knows its superuser without a password, and so others, too.
    """
    name = "test_login_" + postgres_url[-8:]
    PostgresStore(postgres_url).close()
    with connected(postgres_url) as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(name)))
    user = psycopg.conninfo.conninfo_to_dict(postgres_url)["user"]
    yield name, postgres_url.replace(f"{user}@", f"{name}@")
    with connected(postgres_url) as connection:
        connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


def test_a_login_with_the_servers_role_serves(login: tuple[str, str], postgres_url: str) -> None:
    name, url = login
    with connected(postgres_url) as owner:
        grant = sql.SQL("GRANT {} TO {}")
        owner.execute(grant.format(sql.Identifier(SERVER_ROLE), sql.Identifier(name)))
    with closing(PostgresStore(url)) as store:
        assert store.restricted
        stored(store, written("m_a", whole_match(("p_ann", "p_ben"))))
        store.keep_secret("m_a", "chain", b"secret")
        store.grow([TILE], StoredCheckpoint(256, b"a note\n"))
        store.add_player(Credential("p_ann", "Ann", "player", "hash", 0))
        before = rows(store)
        store.rebuild()
        assert rows(store) == before
        with pytest.raises(StoreFailedError, match="permission denied for table events"):
            store._rows("DELETE FROM events RETURNING 1")


def test_a_login_without_it_is_told_what_is_missing(login: tuple[str, str]) -> None:
    _, url = login
    with pytest.raises(UnusableDatabaseError, match="grant it ginrummy_server"):
        PostgresStore(url)


def test_only_an_owner_brings_a_database_up_to_date(
    login: tuple[str, str], postgres_url: str
) -> None:
    name, url = login
    with connected(postgres_url) as owner:
        grant = sql.SQL("GRANT {} TO {}")
        owner.execute(grant.format(sql.Identifier(SERVER_ROLE), sql.Identifier(name)))
    later = {**_MIGRATIONS, "0999_more": ("CREATE TABLE more (x integer)",)}
    with (
        patch("ginrummy.store.postgres_migrations._MIGRATIONS", later),
        pytest.raises(UnusableDatabaseError, match=r"0999_more is to be applied.*as its owner"),
    ):
        PostgresStore(url)


# --- what others can do -------------------------------------------------------------------------


def test_another_program_may_append_a_line_that_continues_its_stream(
    postgres_store: FaultyPostgresStore, postgres_url: str
) -> None:
    first = moves("m_a", 2)
    stored(postgres_store, first)
    (line,) = moves("m_a", 1, first.head).lines
    with connected(postgres_url) as other:
        other.execute(
            "INSERT INTO events (stream, seq, hash, line) VALUES (%s, %s, %s, %s)",
            (line.stream, line.seq, line.hash, line.raw.decode()),
        )
    assert postgres_store.head("m_a") == Head(3, line.hash)
    assert check_log(postgres_store) == {"m_a": 3}


def test_the_log_can_be_queried_with_sql(
    postgres_store: FaultyPostgresStore, postgres_url: str
) -> None:
    cmd = 'request "1" \\ é \0'
    stored(postgres_store, written("m_a", whole_match(("p_ann", "p_ben")), cmd=cmd))
    with connected(postgres_url) as other:
        counts = other.execute(
            "SELECT type, count(*) FROM events GROUP BY type ORDER BY 2 DESC LIMIT 1"
        )
        assert counts.fetchall() == [("hand_dealt", 4)]
        first = other.execute(
            "SELECT position, stream, seq, by, cmd, at, at::timestamptz < now() + interval '99 y'"
            " FROM events WHERE position = 1"
        )
        shown = cmd.replace("\0", "\N{REPLACEMENT CHARACTER}")
        at = "2026-11-30T00:53:20.000000Z"
        assert first.fetchall() == [(1, "m_a", 1, "server", shown, at, True)]
        links = other.execute(
            "SELECT line::json ->> 'prev' = lag(hash, 1, %s) OVER (ORDER BY seq) FROM events"
            " WHERE seq > 1 AND stream = 'm_b' OR line NOT LIKE %s",
            (GENESIS, "%u0000%"),
        )
        assert all(linked for (linked,) in links)


def test_a_row_that_has_changed_under_an_append_is_read_again(
    postgres_store: FaultyPostgresStore,
) -> None:
    """Both writers know a head that only one of them has seen stored."""
    lines = written("m_a", whole_match(("p_ann", "p_ben")))
    stored(postgres_store, written("m_a", whole_match(("p_ann", "p_ben"))[:1]))
    read = postgres_store._kept
    late = [
        written("m_a", whole_match(("p_ann", "p_ben"))[1:3], Head(1, lines.lines[0].hash)),
        written("m_a", whole_match(("p_ann", "p_ben"))[3:4], Head(3, lines.lines[2].hash)),
    ]
    reads = []

    def read_too_early(connection: Connection, matches: set[str]) -> object:
        found = read(connection, matches)
        reads.append(found)
        if len(reads) == 1:
            stored(postgres_store, late[0])
        return found

    with patch.object(postgres_store, "_kept", read_too_early):
        stored(postgres_store, late[1])
    assert len(reads) == 3
    before = rows(postgres_store)
    postgres_store.rebuild()
    assert rows(postgres_store) == before


# --- databases that are not ours ----------------------------------------------------------------


def test_the_databases_own_default_of_isolation_does_not_matter(postgres_url: str) -> None:
    """Whoever has waited for the lock has to see what its last holder has stored."""
    strict = postgres_url.replace(
        "options=", "options=-c%20default_transaction_isolation%3Dserializable%20"
    )
    with closing(PostgresStore(strict)) as store, store._connections.lent() as connection:
        assert connection.execute("SHOW transaction_isolation").fetchone() == ("read committed",)


def test_a_log_is_made_only_where_that_is_meant(postgres_url: str) -> None:
    with pytest.raises(UnusableDatabaseError, match="has no log in it"):
        PostgresStore(postgres_url, create=False)
    PostgresStore(postgres_url).close()
    PostgresStore(postgres_url, create=False).close()


def test_another_programs_database_is_refused_and_left_alone(postgres_url: str) -> None:
    with connected(postgres_url) as other:
        other.execute("CREATE TABLE events (title text)")
        with pytest.raises(UnusableDatabaseError, match="tables of another program: events"):
            PostgresStore(postgres_url)
        other.execute("DROP TABLE events; CREATE TABLE migrations (id integer)")
        with pytest.raises(UnusableDatabaseError, match="another program"):
            PostgresStore(postgres_url)
        found = other.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
        )
        assert found.fetchall() == [("migrations",)]


def test_a_later_versions_database_is_refused_and_left_alone(postgres_url: str) -> None:
    PostgresStore(postgres_url).close()
    with connected(postgres_url) as later:
        later.execute("INSERT INTO migrations (name) VALUES ('0999_from_theure')")
    with pytest.raises(UnusableDatabaseError, match=r"later version of ginrummy.*0999_from_the"):
        PostgresStore(postgres_url)


def test_a_migration_and_its_record_are_one_transaction(postgres_url: str) -> None:
    broken = {"0001_log_tree_lists": ("CREATE TABLE events (x integer)", "SELECT 1 / 0")}
    with (
        patch("ginrummy.store.postgres_migrations._MIGRATIONS", broken),
        pytest.raises(UnusableDatabaseError, match="division by zero"),
    ):
        PostgresStore(postgres_url)
    with closing(PostgresStore(postgres_url)) as store:
        stored(store, moves("m_a"))


def test_a_database_that_is_not_there_is_named_without_its_password() -> None:
    url = "postgresql://ann:opensesame@127.0.0.1:1/nothing?connect_timeout=2"
    with pytest.raises(UnusableDatabaseError, match=r"postgresql://127.0.0.1:1/nothing") as refusal:
        PostgresStore(url)
    assert "opensesame" not in str(refusal.value)
    assert shown_name("postgresql://[bad") == "the address postgresql://…"


def test_without_its_library_the_extra_is_named() -> None:
    with patch.dict(sys.modules):
        for name in [name for name in sys.modules if name.startswith("ginrummy.store.postgres")]:
            del sys.modules[name]
        sys.modules["psycopg"] = None  # type: ignore[assignment]  # so that it is not found
        with pytest.raises(UnusableDatabaseError, match=r"pip install 'ginrummy\[postgres\]'"):
            open_store(server_url())


def test_other_databases_addresses_are_refused() -> None:
    with pytest.raises(UnusableDatabaseError, match=r"mysql:// is no database.*postgresql://"):
        open_store("mysql://root:opensesame@localhost/gin")


# --- connections --------------------------------------------------------------------------------


def test_where_all_connections_are_lost_one_call_fails_and_the_next_has_a_new_one(
    postgres_url: str,
) -> None:
    """As after a restart of the database."""
    name = postgres_url[-12:]
    first = moves("m_a")
    with (
        closing(PostgresStore(f"{postgres_url}&application_name={name}")) as store,
        connected(postgres_url) as connection,
    ):
        stored(store, first)
        with ThreadPoolExecutor(5) as threads:
            list(threads.map(store.head, ["m_a"] * 20))
        ended = connection.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            " WHERE application_name = %s",
            [name],
        )
        assert ended.rowcount >= 1
        with pytest.raises(StoreFailedError):
            store.head("m_a")
        assert store.head("m_a") == first.head
        stored(store, moves("m_a", 1, first.head))


def test_whoever_waits_too_long_for_the_database_is_cut_off(postgres_url: str) -> None:
    with (
        closing(_Closing(Connections(postgres_url, create=True))) as opened,
        pytest.raises(StoreFailedError),
        opened.connections.lent(patience=0.2) as connection,
    ):
        connection.execute("SELECT pg_sleep(30)")


class _Closing:
    def __init__(self, connections: Connections) -> None:
        self.connections = connections

    def close(self) -> None:
        with self.connections.lent() as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        self.connections.close()
        self.connections.close()
        with pytest.raises(StoreClosedError), self.connections.lent():
            pass

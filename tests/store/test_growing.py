"""No read that a server makes again and again goes through all that is stored."""

import pytest
from support_store import FaultySqliteStore, moves, stored, whole_match, written

from ginrummy.store import MatchQuery, StoredCheckpoint, StoredSnapshot, Tile
from ginrummy.store.pages import DISPUTED


def reads(store: FaultySqliteStore) -> None:
    """Read all that a server reads while it starts, plays, signs and lists."""
    store.head("m_a")
    list(store.read("m_a", 3))
    store.read_all(5, 10)
    store.heads_after(store.last_position() - 1)
    list(store.streams("m_"))
    store.position("m_a", 3)
    store.tile(0, 0)
    store.last_tile()
    store.tile_reaching(3)
    store.tile_roots(0, 0, 256)
    store.checkpoint_from(1)
    store.last_checkpoint()
    store.secret("m_a", "chain")
    store.secrets_after("m_a", "chain")
    store.player("p_ann")
    store.player_by_token("hash")
    store.match("m_a")
    store.open_matches()
    for query in (
        MatchQuery(),
        MatchQuery(stage="playing"),
        MatchQuery(player="p_ann"),
        *(MatchQuery(disputed=each) for each in DISPUTED),
    ):
        store.matches(query)
    store.results()
    store.results("p_ann")
    store.record("p_ann")
    store.snapshot("m_a")


def test_every_read_in_sqlite_goes_straight_to_what_it_wants(
    sqlite_store: FaultySqliteStore,
) -> None:
    """With a million lines, one that does not takes a tenth of a second, at every move."""
    store = sqlite_store
    stored(store, moves("m_a", 20))
    stored(store, written("m_b", whole_match(("p_ann", "p_ben"))))
    store.keep_secret("m_a", "chain", b"secret")
    store.keep_snapshots([StoredSnapshot("m_a", 1, "", "", b"")])
    store.grow([Tile(0, 0, 1, b"r" * 32, b"h" * 256 * 32)], StoredCheckpoint(1, b"a note"))
    asked: list[str] = []
    with store._reading() as db:
        db.conn.set_trace_callback(asked.append)
    reads(store)
    with store._reading() as db:
        db.conn.set_trace_callback(None)
        assert len(asked) > 25
        for query in asked:
            plan = [step for *_, step in db.conn.execute(f"EXPLAIN QUERY PLAN {query}")]
            # Of the checkpoints the last one is read first, and no other.
            scans = [step for step in plan if step.startswith("SCAN")]
            assert scans in ([], ["SCAN checkpoints"]), query


@pytest.mark.parametrize(
    ("last", "expected"), [(0, {"m_z": 7, "m_a": 6}), (7, {"m_a": 6}), (13, {}), (20, {})]
)
def test_the_heads_after_a_position_are_those_of_what_came_after_it(
    sqlite_store: FaultySqliteStore, last: int, expected: dict[str, int]
) -> None:
    stored(sqlite_store, moves("m_z", 7))
    stored(sqlite_store, moves("m_a", 6))
    assert sqlite_store.heads_after(last) == (max(13, last), expected)

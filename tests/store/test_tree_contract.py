"""What every store promises of the log's Merkle tree, and what the tree itself promises."""

import pytest
from support_store import Fault, FaultySqliteStore, moves, stored

from ginrummy.log.merkle import (
    GrowingRoot,
    check_consistency,
    check_inclusion,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    root,
)
from ginrummy.store import (
    Store,
    StoreClosedError,
    StoredCheckpoint,
    StoreFailedError,
    Tile,
    Tiles,
    TreeForkedError,
    TreeGrowth,
)


def tile(number: int, level: int = 0, *, byte: bytes = b"\x01") -> Tile:
    return Tile(level, number, 256 * (number + 1), byte * 32, byte * 256 * 32)


def grown(store: Store) -> TreeGrowth:
    """Let the tree grow over all that is stored, a page at a time."""
    growth = TreeGrowth(store)
    while page := store.read_all(growth.position, 300):
        store.grow(growth.add(page))
    return growth


def leaves(store: Store) -> list[bytes]:
    return [leaf_hash(raw) for _, raw in store.read_all(limit=10**6)]


def test_a_tree_that_nobody_has_grown_is_empty(store: Store) -> None:
    assert store.tile(0, 0) is None
    assert store.last_tile() is None
    assert store.tile_reaching(1) is None
    assert store.tile_roots(0, 0, 256) == []
    assert store.position("m_a", 1) is None
    assert store.checkpoint_from(0) is None
    assert store.last_checkpoint() is None
    assert grown(store).size == 0


def test_tiles_are_kept_in_their_order(store: Store) -> None:
    first, second, above = tile(0), tile(1, byte=b"\x02"), tile(0, level=1)
    store.grow([first])
    store.grow([second, above])
    assert [store.tile(0, 0), store.tile(0, 1), store.tile(1, 0)] == [first, second, above]
    assert store.last_tile() == second
    assert [store.tile_reaching(each) for each in (1, 256, 257, 512)] == [
        first,
        first,
        second,
        second,
    ]
    assert store.tile_reaching(513) is None
    assert store.tile_roots(0, 0, 256) == [first.root, second.root]
    assert store.tile_roots(0, 1, 1) == [second.root]


def test_a_tile_or_a_checkpoint_may_come_twice(store: Store) -> None:
    """Two processes follow one log."""
    signed = StoredCheckpoint(300, b"a note\n")
    for _ in range(2):
        store.grow([tile(0), tile(1)], signed)
    assert store.last_tile() == tile(1)
    assert store.last_checkpoint() == signed


@pytest.mark.parametrize(
    ("tiles", "checkpoint"),
    [
        ([tile(1), tile(0, byte=b"\x02")], None),
        ([tile(1), tile(3)], None),
        ([tile(1), tile(1, level=1)], None),
        ([tile(1)], StoredCheckpoint(300, b"another note\n")),
    ],
)
def test_another_tree_is_refused_whole(
    store: Store, tiles: list[Tile], checkpoint: StoredCheckpoint | None
) -> None:
    store.grow([tile(0)], StoredCheckpoint(300, b"a note\n"))
    with pytest.raises(TreeForkedError):
        store.grow(tiles, checkpoint)
    assert store.last_tile() == tile(0)
    assert store.last_checkpoint() == StoredCheckpoint(300, b"a note\n")


def test_checkpoints_are_found_by_size(store: Store) -> None:
    for size in (10, 30, 20):
        store.grow([], StoredCheckpoint(size, b"%d\n" % size))
    found = [store.checkpoint_from(size) for size in (0, 10, 11, 20, 21, 30, 31)]
    assert [each and each.size for each in found] == [10, 10, 20, 20, 30, 30, None]
    last = store.last_checkpoint()
    assert last == StoredCheckpoint(30, b"30\n")


@pytest.mark.parametrize("fault", ["before", "after"])
def test_a_commit_that_fails_leaves_all_or_nothing(
    sqlite_store: FaultySqliteStore, fault: Fault
) -> None:
    store = sqlite_store
    store.fault = fault
    with pytest.raises(StoreFailedError):
        store.grow([tile(0)], StoredCheckpoint(256, b"a note\n"))
    store.fault = None
    assert (store.last_tile() is None) == (store.last_checkpoint() is None) == (fault == "before")
    store.grow([tile(0)], StoredCheckpoint(256, b"a note\n"))
    assert store.last_tile() == tile(0)


def test_a_closed_store_has_no_tree(store: Store) -> None:
    store.close()
    with pytest.raises(StoreClosedError):
        store.grow([tile(0)])
    with pytest.raises(StoreClosedError):
        store.last_checkpoint()


# --- the tree of a log ----------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 255, 256, 257, 511, 512, 1000])
def test_the_root_is_that_of_all_lines(store: Store, count: int) -> None:
    stored(store, moves("m_a", count))
    growth, whole = grown(store), GrowingRoot()
    for leaf in leaves(store):
        whole.add(leaf)
    assert (growth.size, growth.position) == (count, store.last_position())
    assert growth.root() == whole.root()
    assert root(count, Tiles(store).subtree) == whole.root()


def test_a_tree_that_is_taken_up_again_is_the_same(store: Store) -> None:
    head = stored(store, moves("m_a", 700))
    grown(store)
    for _ in range(5):
        head = stored(store, moves("m_a", 90, head))
        stored(store, moves(f"m_{head.seq}", 7))
        again = grown(store)
        assert again.root() == root(again.size, Tiles(store).subtree)
    assert grown(store).size == 700 + 5 * 97


def test_every_line_has_its_place_and_proof(store: Store) -> None:
    heads = {"m_a": stored(store, moves("m_a", 3)), "m_b": stored(store, moves("m_b", 2))}
    for turn in range(60):
        for stream, head in heads.items():
            heads[stream] = stored(store, moves(stream, 1 + turn % 4, head))
    growth, tree = grown(store), Tiles(store)
    top, hashes = growth.root(), leaves(store)
    places = set()
    for stream, head in heads.items():
        for seq, raw in enumerate(store.read(stream), 1):
            index = tree.index(stream, seq)
            assert index is not None
            places.add(index)
            proof = inclusion_proof(index, growth.size, tree.subtree)
            check_inclusion(index, growth.size, leaf_hash(raw), proof, top)
            assert hashes[index] == leaf_hash(raw)
        assert tree.index(stream, head.seq + 1) is None
    assert places == set(range(growth.size))


def test_any_size_is_consistent_with_any_later_one(store: Store) -> None:
    stored(store, moves("m_a", 600))
    grown(store)
    tree, sizes = Tiles(store), (1, 2, 255, 256, 257, 300, 512, 599, 600)
    roots = {size: root(size, tree.subtree) for size in sizes}
    for old in sizes:
        for new in sizes:
            if old <= new:
                proof = consistency_proof(old, new, tree.subtree)
                check_consistency(old, new, roots[old], roots[new], proof)


def test_what_the_tree_has_not_come_to_has_no_place_yet(store: Store) -> None:
    stored(store, moves("m_a", 1000))
    with pytest.raises(ValueError, match="not come to event 600"):
        Tiles(store).index("m_a", 600)
    with pytest.raises(ValueError, match="not come"):
        Tiles(store).subtree(0, 600)
    assert Tiles(store).index("m_a", 200) == 199
    with pytest.raises(ValueError, match="no subtree"):
        Tiles(store).subtree(8, 4)


def test_tiles_of_tiles(store: Store) -> None:
    """More than 65,536 lines fill a tile of level 1."""
    growth, whole = TreeGrowth(store), GrowingRoot()
    tiles: list[Tile] = []
    for number in range(66_000):
        raw = b"%d" % number
        tiles += growth.add([(number + 1, raw)])
        whole.add(leaf_hash(raw))
        if number in (65_534, 65_535, 65_536, 65_999):
            assert growth.root() == whole.root()
    store.grow(tiles)
    assert [each.number for each in tiles if each.level == 1] == [0]
    again = TreeGrowth(store)
    assert again.size == 257 * 256
    assert again.root() == root(again.size, Tiles(store).subtree)
